"""Claims through JSON that are empty, impossible or unreadable: each is answered in words."""

import pytest

from tests.web.json_checks import API, ask, refused

pytestmark = pytest.mark.one_app

EMPTY_CLAIMS = [
    ("meld", {"cards": ""}, "set-or-run"),
    ("meld", {"cards": "* *"}, "set-or-run"),
    ("meld", {"cards": "7H 7H 7H"}, "more-than-the-pack"),
    ("opening", {"melds": []}, "opening-points"),
    ("opening", {"melds": [""]}, "opening-points"),
    ("build", {"on": "", "cards": ""}, "set-or-run"),
    ("joker", {"on": "", "give": ""}, "joker-for-naturals"),
    ("turn", {"hand": "", "steps": []}, "draw-first"),
]


def test_every_check_answers_with_the_common_part(client):
    claims = [(f"check/{check}", claim) for check, claim, _ in EMPTY_CLAIMS]
    for path, claim in [*claims, ("count", {"cards": ""}), ("deck", {"holdings": []})]:
        assert ask(client, path, **claim).keys() >= {"ok", "faults", "rules", "ask", "warnings"}


@pytest.mark.parametrize(
    ("check", "claim", "field"),
    [
        ("meld", {"cards": "7H *=11H"}, "cards"),
        ("meld", {"cards": "*=*"}, "cards"),
        ("meld", {}, "cards"),
        ("opening", {"melds": "KH KD KS"}, "melds"),
        ("opening", {"melds": ["KH KD KS", "4X"]}, "melds.1"),
        ("opening", {"melds": ["7H " * 300]}, "melds.0"),
        ("opening", {"melds": [""] * 200}, "melds"),
        ("opening", {"melds": [], "builds": [{"on": "4S 5S 6S"}]}, "builds.0.cards"),
        ("opening", {"melds": [], "hand_number": 0}, "hand_number"),
        ("opening", {"melds": [], "hand_number": True}, "hand_number"),
        ("opening", {"variant": "jamaican", "melds": [], "hand_number": 10}, "hand_number"),
        ("opening", {"melds": [], "kalooki": 1}, "kalooki"),
        ("build", {"on": "4S 5S 6S", "cards": 7}, "cards"),
        ("build", {"on": "4S 5S 6S", "cards": "7S", "built_this_turn": {"high": -1}}, "built_this_turn.high"),
        ("build", {"on": "4S 5S 6S", "cards": "7S", "opened": "no"}, "opened"),
        ("joker", {"on": "4S 4H *"}, "give"),
        ("turn", {"steps": []}, "hand"),
        ("turn", {"hand": ""}, "steps"),
        ("turn", {"hand": "", "steps": [{"do": "sing"}]}, "steps.0.do"),
        ("turn", {"hand": "", "steps": [{"do": "draw", "from": "sleeve", "card": "2C"}]}, "steps.0.from"),
        ("turn", {"hand": "", "steps": [{"do": "draw", "from": "stock", "card": "2C 3C"}]}, "steps.0.card"),
        ("turn", {"hand": "", "steps": [{"do": "build", "on": 3, "cards": "2C"}]}, "steps.0.on"),
        ("turn", {"hand": "", "steps": [{"do": "build", "on": 0, "cards": "2C", "end": "top"}]}, "steps.0.end"),
        ("turn", {"hand": "", "steps": [], "table": [{"owner": 1}]}, "table.0.cards"),
        ("turn", {"hand": "", "steps": [], "table": [{"cards": "", "owner": "Ann"}]}, "table.0.owner"),
    ],
)
def test_a_part_of_a_claim_nobody_can_read_is_named(client, check, claim, field):
    assert refused(client, f"check/{check}", {"variant": "european"} | claim)["field"] == field


@pytest.mark.parametrize(
    ("claim", "field", "word"),
    [
        ({"variant": "european", "cards": "7H 11H"}, "cards", "11H"),
        ({"variant": "european", "cards": "7H " * 300}, "cards", "7H"),
        ({"variant": "european", "cards": ["7H"]}, "cards", "['7H']"),
        ({"variant": "european"}, "cards", ""),
        ({"variant": "jamaican", "cards": "A"}, "cards", "A"),
        ({"variant": "whist", "cards": "7H"}, "variant", "whist"),
        ({"variant": 7, "cards": "7H"}, "variant", "7"),
        ({"cards": "7H"}, "variant", ""),
        ({"variant": "european", "cards": "", "bending": "yes"}, "bending", "yes"),
        ({"variant": "european", "cards": "", "house": []}, "house", "[]"),
        ({"variant": "european", "cards": "", "house": {"jokers": 17}}, "house.jokers", "17"),
        (
            {"variant": "european", "cards": "", "house": {"kalooki_ending": "bending"}},
            "house.kalooki_ending",
            "kalooki_ending",
        ),
        ({"variant": "european", "cards": "", "house": {"ace": "low"}}, "house.ace", "low"),
        ({"game": 7, "cards": ""}, "game", "7"),
    ],
)
def test_what_nobody_can_read_is_named_with_its_field(client, claim, field, word):
    error = refused(client, "count", claim)

    assert error["code"] == "unreadable"
    assert (error["field"], error["word"]) == (field, word)
    assert error["message"]


def test_an_ace_in_a_deal_tells_its_colour_where_that_scores(client):
    ask(client, "deck", variant="european", holdings=["A KH"])
    error = refused(client, "deck", {"variant": "jamaican", "holdings": ["K K", "A KH"]})
    assert (error["code"], error["field"], error["word"]) == ("unreadable", "holdings.1", "A")
    assert ask(client, "deck", variant="jamaican", holdings=["Ared Ablack AS", "K K"])["ok"] is True


@pytest.mark.parametrize("address", ["/variants/whist", "/compare?a=whist&b=classic", "/compare?a=classic"])
def test_a_variant_there_is_not_is_named(client, address):
    answer = client.get(API + address)

    assert answer.status_code == 422
    assert answer.json["error"]["field"]


def test_what_is_no_json_is_refused_in_words(client):
    answer = client.post(f"{API}/count", data="{", content_type="application/json")

    assert answer.status_code == 422
    assert answer.json["error"]["field"] == "body"
