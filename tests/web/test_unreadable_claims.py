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


@pytest.mark.parametrize("address", ["/variants/whist", "/compare?a=whist&b=classic", "/compare?a=classic"])
def test_a_variant_there_is_not_is_named(client, address):
    answer = client.get(API + address)

    assert answer.status_code == 422
    assert answer.json["error"]["field"]


def test_what_is_no_json_is_refused_in_words(client):
    answer = client.post(f"{API}/count", data="{", content_type="application/json")

    assert answer.status_code == 422
    assert answer.json["error"]["field"] == "body"
