"""The referee's page without JavaScript: a claim in the address, the verdict first, and the ruling a game keeps."""

import re
from html import unescape
from urllib.parse import urlencode

import pytest

from app.kalooki.variants import all_variants

VARIANTS = [*all_variants()]


@pytest.fixture
def game(client):
    """A European game with money and an opening of 51 points, and its scorer's secret."""
    started = {
        "variant": "european",
        "house": {"opening_points": 51},
        "players": ["Ann", "Ben", "Cat"],
        "dealer": 1,
        "stakes": {"currency": "EUR", "call_up": 10, "kalooki": 20, "initial": 50, "buy_in": 50},
    }
    return client.post("/api/v1/games", json=started).json


@pytest.fixture
def alice(app, game):
    """The scorer's browser."""
    browser = app.test_client()
    browser.get(f"/g/{game['code']}/s/{game['scorer']}")
    return browser


def text_of(answer, status=200):
    assert answer.status_code == status, answer.text
    return " ".join(re.sub(r"<[^>]+>", " ", answer.text).split())


def verdict_of(answer, status=200):
    """The words of the verdict box."""
    text_of(answer, status)
    box = re.search(r'<div class="verdict[^"]*".*?</div>\s*</div>', answer.text, re.DOTALL).group()
    return " ".join(re.sub(r"<[^>]+>", " ", box).split())


def test_nothing_laid_is_not_judged(client):
    assert verdict_of(client.get("/check")) == "Not judged yet Lay the cards down."


def test_it_opens_with_the_rules_of_the_game_last_opened(client, alice, app):
    chosen = r'<option value="([^"]+)" selected'
    assert re.findall(chosen, app.test_client().get("/check").text) == ["european"]
    other = client.post("/api/v1/games", json={"variant": "jamaican", "players": ["Ann", "Ben"]}).json["code"]
    alice.get(f"/g/{other}")
    assert re.findall(chosen, alice.get("/check").text) == ["jamaican"]
    assert re.findall(chosen, alice.get("/check?variant=classic").text) == ["classic"]


def test_a_legal_meld_shows_its_reading_and_points_first(client):
    page = client.get("/check?cards=7H 8H *=9H")

    assert verdict_of(page) == "LEGAL Run: 7 ♥ 8 ♥ ★ =9 ♥ – 24 points"
    assert page.text.index("LEGAL") < page.text.index('name="cards"')


def test_the_claim_stands_in_the_form_again(client):
    page = client.get("/check?check=build&on=4S 5S 6S&cards=7S&opened=no&high=1").text

    assert 'name="on" value="4S 5S 6S"' in page
    assert 'name="cards" value="7S"' in page
    assert 'value="no" checked' in page
    assert 'name="high" value="1"' in page


def test_an_illegal_meld_names_its_rule_its_source_and_where_it_would_be_legal(client):
    page = client.get("/check?cards=AH 2H 3H&variant=european")

    assert verdict_of(page).startswith("NOT LEGAL")
    assert "A 2 3" in verdict_of(page)
    assert 'href="/rules/european#ace-high"' in page.text
    assert "Kalooki in Europe, North America and South Africa: Turn by turn play, (2) Melding." in text_of(page)
    assert "Legal in North American Kalooki , Kalooki 51" in text_of(page)


def test_all_broken_rules_are_listed(client):
    # three of the cards are hearts, 4D is not; 2H and 9H leave a gap
    page = text_of(client.get("/check?cards=2H 9H 4D KH"))

    assert "One suit in a run" in page
    assert "Cards in sequence" in page
    assert "4♦" in page


def test_the_joker_is_asked_for_and_each_choice_is_a_link_that_says_it(client):
    page = client.get("/check?cards=7H 8H *")
    links = re.findall(r'class="button" href="([^"]+)"', page.text)

    assert "Which card is the joker?" in page.text
    assert [verdict_of(client.get(link.replace("&amp;", "&"))) for link in links] == [
        "LEGAL Run: ★ =6 ♥ 7 ♥ 8 ♥ – 21 points",
        "LEGAL Run: 7 ♥ 8 ♥ ★ =9 ♥ – 24 points",
    ]


def test_the_jokers_of_an_opening_are_asked_for_meld_by_meld(client):
    page = client.get("/check?check=opening&meld=KH KD KS&meld=7H 8H *")
    links = [link.replace("&amp;", "&") for link in re.findall(r'class="button" href="([^"]+)"', page.text)]

    # 30 + 6 + 7 + 8, 30 + 7 + 8 + 9
    assert [verdict_of(client.get(link)) for link in links] == [
        "LEGAL 51 points; 40 are needed.",
        "LEGAL 54 points; 40 are needed.",
    ]


def test_two_jokers_are_said_together(client):
    page = client.get("/check?cards=7H * *")
    links = [link.replace("&amp;", "&") for link in re.findall(r'class="button" href="([^"]+)"', page.text)]

    assert "Which cards are the jokers?" in page.text
    assert "Which" not in client.get(links[0]).text


def test_a_joker_built_at_either_end_is_asked_for(client):
    page = client.get("/check?check=build&on=5H 6H 7H&cards=*")
    links = [link.replace("&amp;", "&") for link in re.findall(r'class="button" href="([^"]+)"', page.text)]

    assert [verdict_of(client.get(link)).split("then ")[1] for link in links] == [
        "★ =4 ♥ 5 ♥ 6 ♥ 7 ♥",
        "5 ♥ 6 ♥ 7 ♥ ★ =8 ♥",
    ]


def test_an_opening_is_added_up(client):
    assert (
        verdict_of(client.get("/check?check=opening&meld=KH KD KS&meld=4S 5S 6S")) == "LEGAL 45 points; 40 are needed."
    )
    assert verdict_of(client.get("/check?check=opening&meld=KH KD KS&variant=kalooki-51")) == (
        "NOT YET The opening needs 51 points; this comes to 30."
    )


def test_a_jamaican_opening_asks_for_its_hand(client):
    page = client.get(
        "/check?check=opening&variant=jamaican&hand_number=2&meld=5H 5D 5S&meld=9C 9C 9D&meld=2H 3H 4H 5H"
    )

    assert verdict_of(page) == "LEGAL The contract is met: 2 threes + 1 four."
    assert '<option value="2" selected>' in page.text


def test_builds_stand_in_an_opening_where_they_count(client):
    # 45 new and 7 built
    page = client.get(
        "/check?check=opening&variant=north-american&meld=KH KD KS&meld=4S 5S 6S&on=4H 5H 6H&add=7H&on=&add="
    )

    assert verdict_of(page) == "LEGAL 52 points; 51 are needed."
    assert 'name="add"' not in client.get("/check?check=opening&variant=european").text


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

    # the last card has to be thrown, not built
    page = client.get(TURN.format(last="build", on="1"))
    assert verdict_of(page).startswith("NOT LEGAL No card is left to throw")
    assert "step 3" in text_of(page)


@pytest.mark.parametrize(
    ("told", "begins"),
    [("", "LEGAL Going out"), ("&held=2", "LEGAL Going out"), ("&warned=yes", "LEGAL Going out"),
     ("&warned=no", "NOT LEGAL The last turn ended with few cards in hand (3)"),
     ("&warned=no&held=2", "NOT LEGAL The last turn ended with few cards in hand (2)"),
     ("&warned=no&held=4", "LEGAL Going out")],
)  # fmt: skip
def test_a_missing_warning_counts_only_if_somebody_says_there_was_none(client, told, begins):
    page = client.get(TURN.replace("&warned=yes", told).format(last="discard", on=""))
    assert verdict_of(page).startswith(begins)


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        ("cards=KH KD", "A meld has three cards or more: lay the next one."),
        ("check=opening&meld=KH KD KS&meld=4S", "A meld has three cards or more: lay the next one."),
        ("check=opening&variant=north-american&meld=KH KD KS&on=4S 5S&add=6S", "A meld has three cards or more: lay"),
        ("check=build&on=4S 5S&cards=6S", "A meld has three cards or more: lay the next one."),
        ("check=build&on=4S 5S 6S", "Lay the cards to build."),
        ("check=joker&on=4S 5S *", "Lay the cards given for the joker."),
        ("check=turn&hand=4S 5S 6S", "Say what was done, step by step."),
        ("check=turn&hand=4S 5S 6S&table=KH KD&owner=other&do=stock&cards=7S", "A meld has three cards or more: lay"),
        ("check=turn&hand=4S 5S 6S&do=stock&cards=7S&do=meld&cards=4S 5S", "A meld has three cards or more: lay"),
        ("check=turn", "Lay the cards down."),
    ],
)
def test_what_is_still_being_laid_is_not_judged(client, claim, said):
    page = client.get(f"/check?{claim}")

    assert verdict_of(page).startswith(f"Not judged yet {said}")
    assert "Broken rules" not in page.text


def test_a_meld_of_two_before_another_step_is_judged(client):
    page = client.get("/check?check=turn&hand=4S 5S 6S&do=stock&cards=7S&do=meld&cards=4S 5S&do=discard&cards=6S")

    assert verdict_of(page).startswith("NOT LEGAL A run needs 3 cards; this one has 2.")


def test_nothing_is_said_of_jokers_that_were_declared(client):
    undeclared = client.get("/check?check=build&on=6H 7H *&cards=9H")
    declared = client.get("/check?check=build&on=6H 7H *=8H&cards=9H")

    assert "Only if nobody said 5♥" in text_of(undeclared)
    assert "Only if" not in text_of(declared)


def test_a_step_on_a_meld_there_is_not_says_which_step(client):
    assert "Step 3" in verdict_of(client.get(TURN.format(last="build", on="7")))
    assert "Step 3" in verdict_of(client.get(TURN.format(last="build", on="")))


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        ("cards=7H 11H", "“11H” is no card"),
        ("check=opening&meld=KH KD KS&meld=4X", "Meld 2: “4X” is no card"),
        ("check=opening&meld=KH KD KS&hand_number=x", "Hand number: “x” is not a whole number"),
        ("check=build&on=4S 5S 6S&cards=7S&high=many", "Built in this turn: “many”"),
        ("check=turn&hand=2C&do=sing&place=&cards=2C", "Step 1: “sing”"),
    ],
)
def test_what_nobody_can_read_is_named_and_kept(client, claim, said):
    page = client.get(f"/check?{claim}")

    assert said in verdict_of(page)
    assert "LEGAL" not in page.text


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.id)
@pytest.mark.parametrize("check", ["meld", "opening", "build", "joker", "turn", "solve"])
def test_every_tab_opens_in_every_variant(client, variant, check):
    assert f"{variant.name}</option>" in client.get(f"/check?check={check}&variant={variant.id}").text


def test_a_game_is_judged_by_its_own_rules(client, game):
    page = client.get(f"/g/{game['code']}/check?check=opening&meld=KH KD KS&meld=4S 5S 6S")

    assert verdict_of(page) == "NOT YET The opening needs 51 points; this comes to 45."
    assert "Opening: 51 points" in text_of(page)
    assert f'href="/g/{game["code"]}/rules#opening-points"' in page.text


def test_a_claim_at_a_table_is_about_the_hand_played_there(client):
    made = client.post("/api/v1/games", json={"variant": "jamaican", "players": ["Ann", "Ben", "Cat"]}).json
    client.post(
        f"/api/v1/games/{made['code']}/entries",
        json={
            "seen": 1,
            "submission": "first-hand",
            "event": {"kind": "hand", "winner": 1, "ending": "going_out", "left": {"2": "KH", "3": "KD"}},
        },
        headers={"Authorization": f"Bearer {made['scorer']}"},
    )
    opening = f"/g/{made['code']}/check?check=opening&meld=5H 5D 5S&meld=9C 9C 9D&meld=2H 3H 4H 5H"

    page = client.get(opening)
    assert verdict_of(page) == "LEGAL The contract is met: 2 threes + 1 four."
    assert '<option value="2" selected>' in page.text
    assert verdict_of(client.get(f"{opening}&hand_number=1")).startswith("NOT YET")


def test_what_there_is_not_is_not_found(client):
    for address in ("/check?check=song", "/check?variant=whist", "/g/NOSUCHGAME/check"):
        assert client.get(address).status_code == 404


def hidden(page):
    """What the forms of a page carry unseen."""
    fields = re.findall(r'<input[^>]* type="hidden"[^>]*>|<input type="hidden"[^>]*>', page)
    found = [re.search(r'name="([^"]*)".* value="([^"]*)"', field) for field in fields]
    return {each[1]: unescape(each[2]) for each in found if each}


def sent(game, client, **form):
    """The answer to keeping the ruling on A 2 3."""
    address = f"/g/{game['code']}/check?check=meld&cards=AH 2H 3H"
    carried = hidden(client.get(address).text)
    return client.post(address, data={name: carried[name] for name in ("seen", "submission")} | form)


def looked_at(game, client, **form):
    """The page that says what keeping a ruling would do; nothing is recorded by it."""
    before = state_of(game, client)["seen"]
    answer = sent(game, client, **form)
    assert answer.status_code == 303
    assert "/look?" in answer.location
    assert state_of(game, client)["seen"] == before
    return client.get(answer.location)


def pressed(game, client, look, do):
    """The answer to a button of the page looked at, which carries all that was typed."""
    answer = client.post(f"/g/{game['code']}/enter/ruling", data=hidden(look.text) | {"do": do})
    return client.get(answer.location) if "/look?" in (answer.location or "") else answer


def state_of(game, client):
    return client.get(f"/api/v1/games/{game['code']}").json


PUNISHED = {"seat": "2", "upheld": "yes", "note": "at the very end", "points": "10", "amount": "0.50"}


def test_the_scorer_keeps_a_ruling_with_the_claim_and_the_verdict(alice, game):
    look = looked_at(game, alice, **PUNISHED)
    answer = pressed(game, alice, look, "save")
    state = state_of(game, alice)

    assert (answer.status_code, answer.location) == (303, f"/g/{game['code']}")
    event = state["log"][-1]["event"]
    assert event["kind"] == "ruling"
    assert event["check"] == "meld"
    assert event["claim"] == {"cards": "AH 2H 3H"}
    assert event["verdict"]["ok"] is False
    assert event["verdict"]["faults"] == ["ace-high"]
    assert (event["seat"], event["note"], event.get("upheld", True)) == (2, "at the very end", True)
    assert state["players"][1]["total"] == 10
    # three stakes of 0.50 and the penalty
    assert state["pool"] == 200


def test_points_and_money_of_a_ruling_are_looked_at_first(alice, game):
    page = text_of(looked_at(game, alice, **PUNISHED))

    assert "Ruling: Ben" in page
    assert "10 points · 0.50 EUR into the pool · at the very end" in page
    # Ben paid 0.50 at the start
    assert re.search("Ben 0 → 10 −0.50 → −1.00 EUR", page)


def test_points_of_a_ruling_that_end_the_game_say_so(app, client):
    started = {"variant": "european", "players": ["Ann", "Ben"], "stakes": {"currency": "EUR", "initial": 50}}
    game = client.post("/api/v1/games", json=started).json
    client.get(f"/g/{game['code']}/s/{game['scorer']}")
    page = text_of(looked_at(game, client, seat="2", points="150"))

    # with 150 Ben is out, and nobody is left against Ann
    assert "Ben 0 → 150 is out" in page
    assert "This ends the game. Ann wins." in page
    assert "From the pool: Ann 1.00 EUR" in page


def test_a_ruling_looked_at_is_changed_with_all_that_was_typed(alice, game):
    form = pressed(game, alice, looked_at(game, alice, **PUNISHED), "change")
    for name in ("note", "points", "amount"):
        assert f'name="{name}" type="text" value="{PUNISHED[name]}"' in form.text
    assert '<option selected value="2">Ben' in form.text
    assert f'href="/g/{game["code"]}/check?check=meld&amp;cards=AH' in form.text

    changed = hidden(form.text) | PUNISHED | {"points": "5", "do": "preview"}
    look = alice.get(alice.post(f"/g/{game['code']}/enter/ruling", data=changed).location)
    assert "Ben 0 → 5" in text_of(look)
    pressed(game, alice, look, "save")
    event = state_of(game, alice)["log"][-1]["event"]
    assert (event["points"], event["claim"]) == (5, {"cards": "AH 2H 3H"})


def test_a_ruling_looked_at_and_sent_twice_is_kept_once(alice, game):
    look = looked_at(game, alice, **PUNISHED)
    for _ in range(2):
        assert pressed(game, alice, look, "save").status_code == 303

    assert state_of(game, alice)["seen"] == 2
    assert state_of(game, alice)["players"][1]["total"] == 10


def test_a_ruling_looked_at_while_somebody_recorded_is_looked_at_again(alice, game):
    look = looked_at(game, alice, **PUNISHED)
    sent(game, alice, seat="1", upheld="yes", note="meanwhile")
    late = pressed(game, alice, look, "save")

    page = text_of(late, 409)
    assert "Not saved yet: somebody recorded meanwhile. Ruling: Ann" in page
    assert "Ben 0 → 10" in page
    assert pressed(game, alice, late, "save").status_code == 303
    assert state_of(game, alice)["seen"] == 3


def test_a_ruling_without_points_or_money_is_kept_at_once(alice, game):
    answer = sent(game, alice, seat="2", upheld="yes", note="only said", points="0", amount="")

    assert (answer.status_code, answer.location) == (303, f"/g/{game['code']}")
    assert state_of(game, alice)["log"][-1]["event"]["note"] == "only said"


def test_the_hand_of_a_ruling_looked_at_is_the_one_played_at_the_table(client):
    game = client.post("/api/v1/games", json={"variant": "jamaican", "players": ["Ann", "Ben", "Cat"]}).json
    client.get(f"/g/{game['code']}/s/{game['scorer']}")
    address = f"/g/{game['code']}/check?check=opening&meld=KH KD KS"
    typed = {"seen": "1", "submission": "o-1", "seat": "2", "points": "10"}
    look = client.get(client.post(address, data=typed).location)
    pressed(game, client, look, "save")

    event = state_of(game, client)["log"][-1]["event"]
    assert event["claim"] == {"melds": ["KH KD KS"], "builds": [], "hand_number": 1, "kalooki": False}


@pytest.mark.parametrize(
    ("claim", "said"), [("cards=11H", "“11H” is no card"), ("cards=", "claim is missing"), ("check=song", "missing")]
)
def test_a_look_at_a_ruling_on_nothing_anybody_can_read_says_so(alice, game, claim, said):
    typed = urlencode({"query": claim, "seat": "2", "points": "10", "seen": 1})
    assert said in text_of(alice.get(f"/g/{game['code']}/enter/ruling/look?{typed}"), 422)


def test_a_note_too_long_is_kept_as_typed(alice, game):
    answer = sent(game, alice, seat="2", note="x" * 201)

    assert "Write at most 200 characters." in text_of(answer, 422)
    assert "x" * 201 in answer.text


def test_a_claim_too_long_to_look_at_is_refused(alice, game):
    typed = {"seen": "1", "submission": "l-1", "seat": "2", "points": "10"}

    assert alice.post(f"/g/{game['code']}/check?cards=AH 2H 3H&on={'x' * 3500}", data=typed).status_code == 414
    assert state_of(game, alice)["seen"] == 1


def test_a_ruling_the_table_lets_go_costs_nothing(alice, game):
    look = looked_at(game, alice, seat="2", upheld="no", points="10")
    assert "No total changes, and no money." in text_of(look)
    pressed(game, alice, look, "save")
    state = state_of(game, alice)

    assert state["log"][-1]["event"]["upheld"] is False
    assert state["players"][1]["total"] == 0


def test_a_penalty_without_a_player_is_refused_and_what_was_typed_is_kept(alice, game):
    answer = looked_at(game, alice, seat="", points="10", note="nobody")

    assert "needs the player it counts against" in text_of(answer, 422)
    assert 'value="nobody"' in answer.text


def test_a_penalty_that_is_no_number_is_named(alice, game):
    answer = sent(game, alice, seat="2", points="ten")

    assert answer.status_code == 422
    assert "Write a whole number." in answer.text
    assert state_of(game, alice)["seen"] == 1


def test_the_same_ruling_sent_twice_is_kept_once(alice, game):
    code = game["code"]
    sent = {"seen": "1", "submission": "twice", "seat": "1", "upheld": "yes"}
    for _ in range(2):
        assert alice.post(f"/g/{code}/check?cards=AH 2H 3H", data=sent).status_code == 303

    assert alice.get(f"/api/v1/games/{code}").json["seen"] == 2


def test_a_ruling_after_somebody_else_recorded_is_shown_again_and_then_kept(alice, game):
    code = game["code"]
    sent = {"seen": "1", "submission": "first", "seat": "1", "upheld": "yes", "note": "mine"}
    assert alice.post(f"/g/{code}/check?cards=AH 2H 3H", data=sent).status_code == 303

    stale = alice.post(f"/g/{code}/check?cards=AH 2H 3H", data=sent | {"submission": "second"})
    assert stale.status_code == 422
    assert "Somebody recorded meanwhile" in stale.text
    again = dict(re.findall(r'name="(seen|submission)"[^>]*value="([^"]*)"', stale.text))
    assert alice.post(f"/g/{code}/check?cards=AH 2H 3H", data=sent | again).status_code == 303


def test_who_only_watches_may_check_but_not_keep(client, game):
    assert "Keep this ruling" not in client.get(f"/g/{game['code']}/check?cards=AH 2H 3H").text
    assert client.post(f"/g/{game['code']}/check?cards=AH 2H 3H", data={"seen": "1"}).status_code == 403


def test_a_claim_nobody_can_read_is_not_kept(alice, game):
    answer = alice.post(f"/g/{game['code']}/check?cards=11H", data={"seen": "1", "submission": "x", "seat": "1"})

    assert answer.status_code == 422
    assert "“11H” is no card" in answer.text


def test_what_decided_stands_under_the_verdict(client):
    def under(address):
        page = text_of(client.get(address))
        return page[page.index("LEGAL") : page.index("Rules applied")]

    opening = under("/check?check=opening&variant=north-american&meld=KS+KH+KD&meld=AC+2C+3C+4C")
    assert "the source says both Low ace in a run Low ace in a run : The document" in opening
    assert "So says the source: Kalooki in Europe" in under("/check?check=meld&variant=european&cards=2S+3S+4S")
    assert "usual default" in under("/check?check=meld&variant=south-african&cards=2S+3S+4S+5S")
