"""The referee’s page without JavaScript: a claim in the address, and the verdict first."""

import re

import pytest

from tests.pages import start
from tests.web.referee_words import text_of, verdict_of
from tests.web.words_in_sight import words_in_sight

pytestmark = pytest.mark.one_app


def test_it_opens_with_the_rules_of_the_game_last_opened(client, alice, app):
    chosen = r'<option value="([^"]+)" selected'
    assert re.findall(chosen, app.test_client().get("/check").text) == ["european"]
    alice.get(f"/g/{start(client, 'jamaican').code}")
    assert re.findall(chosen, alice.get("/check").text) == ["jamaican"]
    assert re.findall(chosen, alice.get("/check?variant=classic").text) == ["classic"]


@pytest.mark.parametrize("page", ["/disputes?q=can+I+open&variant=classic", "/check?cards=7H+8H+*", "/wrong/draw"])
def test_from_home_one_tap_leads_to_the_rules_of_the_game_played_here(alice, game, page):
    assert alice.get(f"/g/{game['code']}").status_code == 200
    link = re.search(r'href="([^"]+)">Use your game’s rules', alice.get(page).text)[1].replace("&amp;", "&")
    path, _mark, query = page.partition("?")
    assert link.startswith(f"/g/{game['code']}{path}")
    assert query.replace("&variant=classic", "").replace("*", "%2A") in link
    assert "Use your game’s rules" not in alice.get(link).text


def test_the_joker_is_asked_for_and_each_choice_is_a_link_that_says_it(client):
    page = client.get("/check?cards=7H 8H *")
    links = re.findall(r'class="button" href="([^"]+)"', page.text)

    assert verdict_of(page).endswith("The joker counts as 9 ♥ . It’s 6 ♥")
    assert [verdict_of(client.get(link.replace("&amp;", "&"))) for link in links] == [
        "LEGAL Run: ★ =6 ♥ 7 ♥ 8 ♥ – 21 points",
    ]


def test_the_jokers_of_an_opening_are_asked_for_meld_by_meld(client):
    page = client.get("/check?check=opening&meld=KH KD KS&meld=7H 8H *")
    links = [link.replace("&amp;", "&") for link in re.findall(r'class="button" href="([^"]+)"', page.text)]

    # 30 + 7 + 8 + 9, 30 + 6 + 7 + 8
    assert verdict_of(page) == "LEGAL 54 points; 40 are needed. The joker counts as 9 ♥ . It’s 6 ♥"
    assert [verdict_of(client.get(link)) for link in links] == ["LEGAL 51 points; 40 are needed."]


def test_another_card_for_the_joker_may_be_too_little_to_open(client):
    page = client.get("/check?check=opening&meld=5H 6H 7H&meld=7H 8H *")
    [link] = re.findall(r'class="button" href="([^"]+)"', page.text)

    # 18 + 24, 18 + 21
    assert verdict_of(page).startswith("LEGAL 42 points")
    assert verdict_of(client.get(link.replace("&amp;", "&"))).startswith("NOT ENOUGH TO OPEN The opening needs 40 poi")


def test_two_jokers_are_said_together(client):
    page = client.get("/check?cards=7H * *")
    links = [link.replace("&amp;", "&") for link in re.findall(r'class="button" href="([^"]+)"', page.text)]

    assert "The jokers count as" in verdict_of(page)
    assert "count as" not in verdict_of(client.get(links[0]))


@pytest.mark.parametrize(
    ("claim", "headline"),
    [
        # 7 8 9 10 would put two jokers side by side, 5 6 7 8 too
        ("variant=jamaican&cards=7H 8H * *", "LEGAL only as ★ 7♥ 8♥ ★"),
        ("variant=jamaican&cards=8H 7H * *", "LEGAL only as ★ 7♥ 8♥ ★"),
        ("variant=jamaican&cards=* 7H 8H *", "LEGAL"),
        # from the other side of the table
        ("variant=jamaican&cards=* 8H 7H *", "LEGAL"),
        ("cards=7H 8H * *", "LEGAL"),
        ("cards=7H 9H *", "LEGAL only as 7♥ ★ 9♥"),
        ("cards=7H * 8H", "LEGAL only as 7♥ 8♥ ★ or ★ 7♥ 8♥"),
        # who says what a joker is, or lays a set, may lay it anywhere; naturals alone sort themselves
        ("cards=7H 8H *=6H", "LEGAL"),
        ("cards=7H * 7S", "LEGAL"),
        ("cards=9H 7H 8H", "LEGAL"),
        # the ace of a whole suit is low or high
        ("variant=north-american&cards=AH * 3H 4H 5H 6H 7H 8H 9H 10H JH QH KH", "LEGAL"),
        ("check=opening&meld=3D 4D 5D&meld=* 9S 10S", "LEGAL only as 9♠ 10♠ ★"),  # 12 + 27 do not open, 12 + 29 do
        ("check=opening&meld=4D 5D 6D&meld=* 9S 10S", "LEGAL"),  # 15 + 27
        ("check=build&on=6H 7H *&cards=4H", "LEGAL only if ★ 6♥ 7♥ lies on the table"),
        ("check=build&on=* 6H 7H&cards=4H", "LEGAL"),
        ("check=joker&on=6H 7H *&give=5H", "LEGAL only if ★ 6♥ 7♥ lies on the table"),
        ("check=joker&on=* * 6H&give=5H", "LEGAL"),
        ("check=out&opened=yes&meld=7H 9H *&thrown=2C", "OUT only as 7♥ ★ 9♥"),
        (
            (
                "check=turn&hand=7H 9H * KC&do=stock&place=&cards=2C&do=meld&place=&cards=7H 9H *"
                "&do=discard&place=&cards=2C"
            ),
            "LEGAL only as 7♥ ★ 9♥",
        ),
    ],
)
def test_the_verdict_says_in_which_order_cards_are_legal_if_they_lie_otherwise(client, claim, headline):
    page = client.get(f"/check?{claim}").text
    shown = client.get(f"/check/shown?{claim}").text

    assert re.search('<p class="verdict-word">(<a [^>]*>)?([^<]*)<', page)[2] == headline
    assert f"<h1>{headline}</h1>" in shown


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        # the five may lie for the first joker or the second: what is left is the four or the seven
        ("check=joker&on=* * 6H&give=5H", ["1 joker is free. The meld is then ★ =4 ♥ 5 ♥ 6 ♥", "5 ♥ 6 ♥ ★ =7 ♥"]),
        ("check=build&on=6H 7H *&cards=9H *", ["★ =5 ♥ 6 ♥ 7 ♥ ★ =8 ♥ 9 ♥", "6 ♥ 7 ♥ ★ =8 ♥ 9 ♥ ★ =10 ♥"]),
    ],
)
def test_choice_of_joker_is_a_link_each(client, claim, said):
    page = client.get(f"/check?{claim}")
    [link] = [link.replace("&amp;", "&") for link in re.findall(r'class="button" href="([^"]+)"', page.text)]

    assert f"{said[1]} The joker counts as" in verdict_of(page)
    answer = verdict_of(client.get(link))
    assert said[0] in answer
    assert "counts as" not in answer


def test_a_joker_built_at_either_end_is_asked_for(client):
    page = client.get("/check?check=build&on=5H 6H 7H&cards=*")
    [link] = [link.replace("&amp;", "&") for link in re.findall(r'class="button" href="([^"]+)"', page.text)]

    assert "5 ♥ 6 ♥ 7 ♥ ★ =8 ♥ The joker counts as 8 ♥ ." in verdict_of(page)
    assert verdict_of(client.get(link)).endswith("then ★ =4 ♥ 5 ♥ 6 ♥ 7 ♥")


def test_a_build_and_a_joker_show_the_meld_after_it(client):
    assert verdict_of(client.get("/check?check=build&on=4S 4H 4D&cards=4C")).endswith("4 ♠ 4 ♥ 4 ♦ 4 ♣ – closed")
    assert verdict_of(client.get("/check?check=joker&on=4S 4H *&give=4D 4C")).startswith("LEGAL 1 joker is free.")
    assert verdict_of(client.get("/check?check=joker&variant=jamaican&on=4S 5S *=6S 7S&give=6S")).startswith(
        "LEGAL The joker moves."
    )


TURN = (
    "/check?check=turn&hand=5H 6H 7H&warned=yes&table=9S 9D 9H&owner=other&table=&owner=other"
    "&do=stock&place=&cards=9C&do=meld&place=&cards=5H 6H 7H&do={last}&place={on}&cards=9C&do=discard&place=&cards="
)


def test_a_turn_is_judged_step_by_step(client):
    page = client.get(TURN.format(last="discard", on=""))
    assert verdict_of(page).startswith("LEGAL Going out")
    assert page.text.count('data-rows="steps"') == 1

    unfinished = client.get(TURN.format(last="meld", on="").partition("&do=meld")[0])
    assert verdict_of(unfinished).startswith("NOT YET")
    assert "Still to come" in unfinished.text
    assert "Broken rules" not in unfinished.text

    # the last card has to be thrown, not built
    page = client.get(TURN.format(last="build", on="1"))
    assert verdict_of(page).startswith("NOT LEGAL No card is left to throw")
    assert "step 3" in text_of(page)


def test_a_build_names_its_meld_if_there_are_several(client):
    """9♠ 9♦ 9♥ lies there, 5♥ 6♥ 7♥ is laid in step 2; before that there is only one."""
    page = client.get(TURN.format(last="build", on=""))
    assert verdict_of(page).startswith("Not judged yet Step 3: on which meld?")

    alone = "/check?check=turn&hand=5H 6H&table=9S 9D 9H&owner=other&do=stock&place=&cards=9C&do=build&place=&cards=9C"
    assert verdict_of(client.get(f"{alone}&do=discard&place=&cards=5H")).endswith("Still held: 6 ♥")


@pytest.mark.parametrize(("address", "turned"), [
    ("cards=AH 2H 3H", False),
    ("cards=AH 2H 3H&variant=classic", False),
    ("cards=2S 3S 4S 5S&variant=south-african", False),
    ("cards=7H 8H *", False),
    ("cards=KS KS KH", False),
    ("cards=KS KS KH&variant=kalooki-51", True),
    ("check=opening&variant=european&meld=KS KH KD&meld=2S 2H 2D", False),
    ("check=opening&variant=north-american&meld=KS KH KD&meld=AC 2C 3C 4C", True),
    ("check=opening&variant=kalooki-40&meld=7H 7S 7D&meld=2H 2S *", True),
    ("check=opening&variant=jamaican&hand_number=1&meld=7H 7D 7C&meld=9H 9D 9C", False),
    ("check=build&on=4S 5S 6S&cards=7S 8S 9S", False),
    ("check=build&on=8S 8H *&cards=8D&variant=kalooki-40", True),
    ("check=joker&on=8S 8H *&give=8D", False),
    ("check=joker&on=8S 8H *&give=8D 8C", False),
    ("check=out&meld=7H 8H 9H&thrown=2C&warned=no", False),
    ("check=out&meld=7H 8H 9H", True),
    ("check=out&meld=7H 8H 9H&meld=KS KH KD&meld=4C 5C 6C 7C 8C 9C&thrown=2C&opened=no", True),
])  # fmt: skip
def test_a_verdict_shows_its_reason_and_folds_the_rest(client, address, turned):
    page = client.get(f"/check?{address}").text
    verdict = page[page.index('<div id="verdict"') : page.index('<form class="form claim"')]
    reasons = page[page.index('<div id="reasons"') : page.index("</main>")]
    seen = words_in_sight(verdict + reasons)
    reading = re.search(r"The source (?!is unclear|disagrees).*", " ".join(words_in_sight(verdict)))
    reading = reading[0].split() if reading else []

    assert bool(reading) is turned
    assert len(reading) <= 25
    assert len(seen) <= (90 if turned else 65)
    assert "Why" in seen
    assert {"Broken", "Rules"}.isdisjoint(seen)


def test_what_decided_stands_under_the_verdict(client):
    def under(address):
        page = text_of(client.get(address))
        return page[page.index("LEGAL") : page.index("Rules applied")]

    opening = under("/check?check=opening&variant=north-american&meld=KS+KH+KD&meld=AC+2C+3C+4C")
    assert "The source is unclear: Kalooki in Europe, North America and South Africa The source" in opening
    assert "written rule Kalooki in Europe" in under("/check?check=meld&variant=european&cards=2S+3S+4S")
    assert "common practice" in under("/check?check=meld&variant=south-african&cards=2S+3S+4S+5S")
