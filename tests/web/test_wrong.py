"""Something went wrong: a heading, what happened, when it was noticed, the ruling; and the disputes found and shown."""

import re
from functools import cache
from html import unescape

import pytest

from app.kalooki.rules.answers import asked_most, reply, settle
from app.kalooki.rules.disputes import HEADINGS, of_kind
from app.kalooki.variants import all_variants, load
from tests.pages import Alice, see, words
from tests.web.referee_words import links

pytestmark = pytest.mark.one_app

RULED = "/wrong/draw/drew-two/before_next_draw"


@pytest.fixture
def alice(app):
    return Alice(app, house={"mishap_points": 10})


def test_six_headings_and_the_six_principles_open_the_flow(client):
    assert client.get("/wrong").location == "/disputes?variant=european#wrong"
    assert [link for link in links(client, "/disputes") if re.match(r"/wrong/\w+\?", link)] == [
        f"/wrong/{heading}?variant=european" for heading in HEADINGS
    ]
    assert see(client, "/disputes").count("Something went wrong") == 1
    assert "Nobody is charged for an honest mistake" in see(client, "/disputes/all")


@pytest.mark.parametrize("variant", [*all_variants()], ids=lambda variant: variant.id)
def test_every_mishap_is_ruled_at_most_three_taps_from_the_headings(client, variant):
    asked = f"?variant={variant.id}"
    offered_below = cache(lambda heading: links(client, f"/wrong/{heading}{asked}"))
    for mishap in of_kind("mishap").values():
        cases = settle(mishap, variant).cases
        where = f"/wrong/{mishap.group}/{mishap.slug}"
        assert where + asked in offered_below(mishap.group)
        if len(cases) > 1:
            offered = [link for link in links(client, where + asked) if link.startswith(where + "/")]
            assert offered == [f"{where}/{case.when}{asked}" for case in cases]
            where = f"{where}/{cases[-1].when}"
        page = see(client, where + asked)
        assert cases[-1].ruling in page
        assert cases[-1].remedy in page


def test_the_scorer_keeps_a_ruling_with_one_tap(alice):
    assert alice.send(RULED, do="keep").status_code == 303
    kept = alice.table.log.entries[-1].event

    assert (kept["mishap"], kept["noticed"]) == ("drew-two", "before_next_draw")
    assert kept["verdict"] == "Put the second card back."
    assert "Put the second card back." in alice.see("/history")


def test_the_price_is_charged_with_one_tap_and_names_the_mishap(alice):
    assert "Ben pays 10 points" in alice.see(RULED)
    assert alice.send(RULED, do="charge-2").status_code == 303

    assert alice.table.log.entries[-1].event == {
        "kind": "penalty", "seat": 2, "points": 10, "reason": "Two cards were drawn!", "rule": "drew-two",
        "after_hand": True,
    }  # fmt: skip
    assert alice.table.game.players[2].total == 0  # until the hand in play is recorded
    assert [(each["seat"], each["points"]) for each in alice.scorer.state()["pending"]] == [(2, 10)]


@pytest.mark.parametrize("path", ["/disputes", "/disputes/all"])
def test_a_phone_that_has_the_page_gets_no_second_copy(alice, path):
    tag = alice.get(path).headers["ETag"]
    again = alice.client.get(f"/g/{alice.code}{path}", headers={"If-None-Match": tag})
    assert (again.status_code, again.data) == (304, b"")
    alice.send(RULED, do="keep")
    assert alice.client.get(f"/g/{alice.code}{path}", headers={"If-None-Match": tag}).status_code == 200


def test_the_referees_page_is_small(client, alice):
    for page in (client.get("/disputes"), alice.client.get(f"/g/{alice.code}/disputes")):
        assert len(page.data) < 15_000


@pytest.mark.parametrize("variant", [*all_variants()], ids=lambda variant: variant.id)
def test_each_of_the_six_likeliest_questions_gets_the_answer_it_is_meant_for(client, variant):
    asked = asked_most(variant)
    answered = {words: reply(words, variant) for _slug, words in asked}
    assert [(answered[words].answers[0].slug, answered[words].sure) for _slug, words in asked] == [
        (slug, True) for slug, _words in asked
    ]
    assert len(asked) == 6
    page = unescape(client.get(f"/disputes?variant={variant.id}").text)
    assert re.findall(r'<a class="chip" href="[^"]+">([^<]+)</a>', page) == [words for _slug, words in asked]


def test_a_chip_leads_to_its_ruling_alone(client):
    shown, folded = found_for(client, "Took two cards").split("See also")
    assert re.findall("<h3[^>]*>(?:<a [^>]*>)?([^<]+)", shown) == ["Two cards were drawn!"]
    assert "Few-cards warning" in folded


def test_what_cards_could_have_done_is_looked_for_by_the_check(alice, client):
    link = r'href="([^"]*)">Check the cards: My hand<'
    found = client.get("/disputes?variant=jamaican&q=could+she+have+gone+out").text.split('id="found"')[1]
    led = unescape(re.search(link, found)[1])
    assert led == "/check?check=solve&variant=jamaican"
    assert 'name="goal"' in client.get(led).text
    found = alice.get("/disputes?q=could+I+have+opened").text.split('id="found"')[1]
    assert unescape(re.search(link, found)[1]) == f"/g/{alice.code}/check?check=solve"


def found_for(client, question, **place):
    page = client.get("/disputes", query_string={"variant": "european", "q": question} | place).text
    return page.split('id="found"')[1].split("</section>")[0]


def test_what_stands_behind_the_first_answer_unfolds(client):
    shown = found_for(client, "he built before he had opened")
    title = settle(of_kind("dispute")["building-before-opening"], load("european")).title
    assert f"<summary>{title}</summary>" in unescape(shown)


def test_where_it_is_not_sure_it_asks_which_is_meant_and_opens_none(client):
    choices = found_for(client, "the pile").split("More answers")[0]
    assert choices.startswith(">Which of these?<")
    assert " open>" not in choices
    assert choices.count("<article") == choices.count("<summary><h3>") == 4
    ask = client.get("/api/v1/find?variant=european&q=the+pile").json["ask"]
    assert ask["question"] == "Which of these?"
    titles = re.findall("<summary><h3>(.*?)</h3>", unescape(choices))
    assert [choice["text"] for choice in ask["choices"]] == titles
    doubted = client.get("/api/v1/find?variant=european&q=the+pile").json["results"]
    assert all(answer["sure"] is False for answer in doubted)
    again = client.get("/api/v1/find", query_string={"variant": "european", "q": ask["choices"][1]["q"]}).json
    assert again["results"][0]["title"] == ask["choices"][1]["text"]
    assert "ask" not in again
    assert not any("sure" in answer for answer in again["results"])


def test_what_no_rule_is_about_is_not_answered_but_offers_what_comes_nearest(client):
    told = found_for(client, "who brings the snacks")
    assert "Nothing in the rules of European Kalooki answers that." in told
    nearest = unescape(told.split("What comes nearest:")[1])
    assert 1 < nearest.count("<article") == nearest.count("<summary><h3>") <= 4
    asked = client.get("/api/v1/find?variant=european&q=who+brings+the+snacks").json
    assert asked["results"] == []
    assert asked["ask"]["question"].startswith("Nothing here answers that.")
    assert [choice["text"] for choice in asked["ask"]["choices"]] == re.findall("<summary><h3>(.*?)</h3>", nearest)


def test_what_only_another_variant_has_leads_there(client):
    found = found_for(client, "how many calls does each player get in a hand")
    assert "The rules of European Kalooki say nothing about that." in found
    led = unescape(re.search(r'href="(/disputes[^"]*variant=jamaican[^"]*)"', found)[1])
    assert "say nothing about that" not in client.get(led).text


def test_cards_in_a_question_lead_to_their_check(client):
    led = unescape(re.search(r'href="(/check[^"]*)"', found_for(client, "can I lay K K joker"))[1])
    assert "meld=KS+KH+%2A" in led or "meld=KS+KH+*" in led
    assert client.get(led).status_code == 200


def test_a_ruling_is_shown_to_the_whole_table(client):
    page = see(client, "/shown/mishap/drew-two?when=later&variant=european")
    later = settle(of_kind("mishap")["drew-two"], load("european")).cases[1]
    assert "Flip" in page
    assert later.ruling in page
    assert later.remedy in page
    assert "2 jokers in 2 packs." in see(client, "/shown/dispute/how-many-jokers?variant=european")
    # where the moment was not said, the first one is shown
    assert "Put the second card back." in see(client, "/shown/mishap/drew-two")


def told_of(client, path):
    sections = client.get(path).text.split("<main", 1)[1].split("</main>")[0].split("<section")[1:]
    return {
        re.search("<h[23][^>]*>([^<]+)<", each)[1]: words(re.split("</h[23]>", each)[1].split("</section>")[0])
        for each in sections
    }


def test_an_answer_leads_to_what_every_variant_says_side_by_side(client):
    page = client.get("/disputes?variant=european&q=ace+low").text
    assert 'href="/elsewhere/dispute/ace-low?variant=european">In every variant<' in page
    told = told_of(client, "/elsewhere/dispute/ace-low?variant=european")
    assert list(told) == [variant.name for variant in all_variants()]
    assert told["European Kalooki"].startswith("No: the ace is high only")
    assert (
        "Kalooki in Europe, North America and South Africa: Turn by turn play, (2) Melding." in told["European Kalooki"]
    )
    assert told["Jamaican Kalooki"].startswith("Yes: an ace may be low, before the two")
    assert told["Classic Kalooki"].endswith("common practice")


def test_a_variant_that_has_no_such_rule_says_so_beside_the_others(client):
    told = told_of(client, "/elsewhere/rule/calling?variant=jamaican")
    assert told["European Kalooki"] == "It doesn’t come up."
    assert "Kalooki in Jamaica: Game play, paragraph 2" in told["Jamaican Kalooki"]
    assert client.get("/elsewhere/rule/no-such").status_code == 404
    assert client.get("/elsewhere/nothing/kalooki").status_code == 404


def test_a_table_compares_what_it_plays_itself(app):
    alice = Alice(app, house={"ace": "both"})
    told = told_of(alice.client, f"/g/{alice.code}/elsewhere/dispute/ace-low")
    assert next(iter(told)) == "This game"
    assert told["This game"].startswith("Yes: an ace may be low, before the two")
    assert "house rule" in told["This game"]
    assert told["European Kalooki"].startswith("No: the ace is high only")
