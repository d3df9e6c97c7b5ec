"""Disputes through JSON: every dispute and mishap settled, and what is found by players' words."""

import html

import pytest

from app.kalooki.rules.answers import USUAL_REMEDY
from app.kalooki.rules.disputes import of_kind
from app.kalooki.rules.rulebook import rules_of
from app.kalooki.variants import all_variants, load
from tests.pages import start

pytestmark = pytest.mark.one_app

API = "/api/v1"
VARIANTS = [variant.id for variant in all_variants()]
GROUPS = ["deal", "draw", "lay", "jokers", "out", "score", "mishaps"]
KEYS = {"kind", "id", "group", "title", "ruling", "why", "more", "rules", "beside", "standing", "sources"}
STANDINGS = {"source", "both", "usual", "house"}


def disputes(client, **asked):
    answer = client.get(f"{API}/disputes", query_string=asked or {"variant": "european"})
    assert answer.status_code == 200, answer.json
    return {each["id"]: each for each in answer.json["disputes"]}


def results(client, question, **asked):
    answer = client.get(f"{API}/find", query_string={"variant": "european", "q": question} | asked)
    assert answer.status_code == 200, answer.json
    return answer.json["results"]


@pytest.mark.parametrize("variant_id", VARIANTS)
def test_every_dispute_and_every_mishap_is_told_whole(client, variant_id):
    told = disputes(client, variant=variant_id).values()

    for each in told:
        assert each.keys() == KEYS | {"remedy", "cases"}
        assert each["title"]
        assert each["ruling"]
        assert each["standing"] in STANDINGS
        assert each["group"] in GROUPS
        assert all(source.keys() == {"id", "title", "where"} for source in each["sources"])
        assert each["why"] == each["more"]
    assert {each["id"] for each in told if each["kind"] == "mishap"} == {*of_kind("mishap")}
    assert sum(each["kind"] == "dispute" for each in told) >= 20


@pytest.mark.parametrize("variant_id", VARIANTS)
def test_groups_stand_in_the_order_of_a_hand(client, variant_id):
    places = [GROUPS.index(each["group"]) for each in disputes(client, variant=variant_id).values()]

    assert places == sorted(places)
    assert set(places) == set(range(7))


@pytest.mark.parametrize("variant_id", VARIANTS)
def test_a_mishap_answers_as_its_first_case_and_a_dispute_has_none(client, variant_id):
    for each in disputes(client, variant=variant_id).values():
        if each["kind"] == "dispute":
            assert (each["cases"], each["group"] == "mishaps") == ([], False)
            continue
        assert each["group"] == "mishaps"
        assert (each["ruling"], each["remedy"]) == (each["cases"][0]["ruling"], each["cases"][0]["remedy"])
        assert all(case.keys() == {"when", "ruling", "remedy"} for case in each["cases"])


def test_the_moments_of_a_mishap_are_told_in_order_of_time(client):
    wrong = disputes(client)
    assert [case["when"] for case in wrong["threw-two"]["cases"]] == ["before_next_draw", "later"]
    assert [case["when"] for case in wrong["wrong-dealer"]["cases"]] == ["before_first_draw", "later"]
    assert [case["when"] for case in wrong["takes-discard-back"]["cases"]] == ["any"]


def test_what_cannot_go_wrong_here_says_why(client):
    case = disputes(client, variant="classic")["called-too-late"]["cases"]
    assert (len(case), case[0]["when"], case[0]["remedy"]) == (1, "any", "Play on.")


def test_a_mishap_is_usual_but_for_the_two_a_document_speaks_of(client):
    stated = {
        variant_id: {
            each["id"]: each["sources"][0]["id"]
            for each in disputes(client, variant=variant_id).values()
            if each["kind"] == "mishap" and each["standing"] != "usual"
        }
        for variant_id in VARIANTS
    }
    spoken = {variant_id: found for variant_id, found in stated.items() if found}
    assert spoken == {
        "european": {"declared-joker-wrongly": "S0"},
        "north-american": {"declared-joker-wrongly": "S0"},
        "jamaican": {"throws-a-card-that-fits": "S1"},
    }


def test_a_dispute_stands_as_its_weakest_rule(client):
    settled = disputes(client)
    # no document speaks of another set of the same rank; one says in two ways whether the last card is thrown
    assert (settled["two-alike"]["standing"], settled["two-alike"]["sources"]) == ("usual", [])
    assert settled["nothing-to-throw"]["standing"] == "both"
    assert {source["id"] for source in settled["nothing-to-throw"]["sources"]} == {"S0"}
    assert settled["enough-to-open"]["standing"] == "source"


def test_a_dispute_has_a_remedy_where_something_is_to_be_done(client):
    settled = disputes(client)
    assert settled["nothing-to-throw"]["remedy"].startswith("Pick up a meld, or a card laid this turn")
    assert settled["how-many-jokers"]["remedy"] is None
    assert settled["how-many-jokers"]["ruling"] == "2 jokers in 2 packs."


@pytest.mark.parametrize("variant_id", VARIANTS)
def test_an_answer_says_in_words_how_it_stands(client, variant_id):
    chapters = rules_of(load(variant_id))
    notes = {rule.rule: rule.note for chapter in chapters for rule in chapter.rules if rule.standing == "both"}
    assert all(notes.values())
    for each in disputes(client, variant=variant_id).values():
        usual, mishap = each["standing"] == "usual", each["kind"] == "mishap"
        assert ("Not in the source" in each["more"]) == (usual and not mishap)
        assert ("The source doesn’t cover this" in each["more"]) == (usual and mishap)
        assert (USUAL_REMEDY in each["more"]) == (not usual and not mishap and each["remedy"] is not None)
        if each["standing"] == "both":
            assert [slug for slug in each["rules"] if slug in notes and notes[slug] in each["more"]]


def test_the_old_dispute_about_a_wrong_meld_is_a_mishap(client):
    assert disputes(client).keys() & {"wrong-meld", "wrong-number-of-cards"} == set()
    it_goes_back = "Take it back; so do those who added to it."
    assert disputes(client)["bad-meld-joker-gone"]["ruling"] == it_goes_back


def test_a_game_settles_by_its_house_rules(client):
    game = start(client, house={"joker_from_set": "one"})
    settled = disputes(client, game=game.code)["joker-from-a-set"]

    assert settled["standing"] == "house"
    assert [source["where"] for source in settled["sources"]] == ["The Use and Reuse of Jokers, (1)"]
    assert settled["ruling"].startswith("Yes")


def test_ambiguous_ruling_is_noted_despite_house_rules(client):
    """In Kalooki 51 the dearer Kalooki changes what a rule says of which the book is read in two ways."""
    house = {"limit": 100, "kalooki_points": 50}
    code = start(client, "kalooki-51", ["Ann", "Ben", "Cat"], house=house).code
    assert client.get(f"/g/{code}/disputes").status_code == 200


def test_players_words_find_the_ruling_first(client):
    assert results(client, "steal the joker")[0]["id"] == "joker-from-a-set"
    assert results(client, "he picked up two cards")[0]["id"] == "drew-two"
    assert 0 < len(results(client, "joker")) <= 8


def test_an_answer_is_in_sight_wherever_json_has_one(client):
    """Sure, not sure and so folded among others, and what nothing answers."""
    for question, is_sure in {
        "he picked up two cards": True,
        "the pile": False,
        "sell me a car": None,
    }.items():
        told = results(client, question)
        page = client.get("/disputes", query_string={"variant": "european", "q": question}).text
        found = page.split('id="found"')[1].split("</section>")[0]
        assert ("Nothing in the rules of European Kalooki answers that" in found) is (not told) is (is_sure is None)
        if told:
            assert told[0]["ruling"] in html.unescape(found)
            assert found.startswith(">Which of these?<") is (told[0].get("sure") is False) is (not is_sure)


def test_a_rule_found_is_told_without_cases(client):
    rule = next(each for each in results(client, "round the corner") if each["id"] == "round-the-corner")
    assert rule.keys() == KEYS
    assert (rule["kind"], rule["rules"]) == ("rule", ["round-the-corner"])
    assert rule["group"] == "lay"


def test_a_ruling_on_a_mishap_and_its_price_are_kept(client):
    game = start(client, house={"mishap_points": 10})
    ruling = {"kind": "ruling", "mishap": "drew-two", "noticed": "later", "verdict": "The hand is a card too big."}
    price = {"kind": "penalty", "seat": 2, "points": 10, "rule": "drew-two"}

    state = game.record(ruling, price)
    assert [entry["event"] for entry in state["log"][1:]] == [ruling, price]
    assert [player["total"] for player in state["players"]] == [0, 10]
