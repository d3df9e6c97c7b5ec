"""A recorded ruling says everything that decided it, wherever it is read."""

import pytest

from tests.pages import Alice

pytestmark = pytest.mark.one_app

BUILD = {"on": "7h 8h 9h", "cards": "6h"}
CLAIMS = {
    "builds of an opening": ("opening", {"melds": ["AS AH AD"], "builds": [BUILD]},
        "opening A♠ A♥ A♦ / 6♥ on 7♥ 8♥ 9♥: legal"),
    "builds alone": ("opening", {"builds": [BUILD], "kalooki": True},
        "opening 6♥ on 7♥ 8♥ 9♥, the whole hand at once: legal"),
    "a build": ("build", {"on": "7H 8H 9H", "cards": "10H"}, "build 10♥ on 7♥ 8♥ 9♥: legal"),
    "before opening": ("build", {"on": "7H 8H 9H", "cards": "10H", "opened": False, "built_this_turn": {"high": 2}},
        "build 10♥ on 7♥ 8♥ 9♥, not opened yet, 2 built at the high end before: legal"),
    "a joker": ("joker", {"on": "7S 7H *", "give": "7D"}, "joker 7♦ for the joker of 7♠ 7♥ ★: legal"),
    "going out": ("out", {"melds": ["KH KD KS"], "builds": [BUILD], "thrown": "2C", "opened": True, "warned": False},
        "going out K♥ K♦ K♠ / 6♥ on 7♥ 8♥ 9♥ / throws 2♣, did not warn: legal"),
    "nothing thrown": ("out", {"melds": ["KH KD KS"]},
        "going out K♥ K♦ K♠ / throws nothing, not opened yet: legal"),
    "a turn": ("turn", {
        "hand": "KH KD 4C 2C", "opened": True, "first_turn": True, "held_after_last_turn": 3, "warned": True,
        "table": [{"cards": "7H 8H 9H", "owner": 1}, {"cards": "4S 4H *", "owner": 2}],
        "steps": [{"do": "draw", "card": "6H", "from": "discard"},
                  {"do": "build", "cards": "6H", "on": 0, "end": "low"},
                  {"do": "free_joker", "give": "4C", "on": 1},
                  {"do": "meld", "cards": "KH KD *"},
                  {"do": "build", "cards": "KS", "on": 2},
                  {"do": "build", "cards": "QS", "on": 9},
                  {"do": "discard", "card": "2C"}]},
        ("turn holds K♥ K♦ 4♣ 2♣ / on the table 7♥ 8♥ 9♥ (their own) / on the table 4♠ 4♥ ★ / takes the discard 6♥"
        " / builds 6♥ at the low end on 7♥ 8♥ 9♥ / frees the joker of 4♠ 4♥ ★ with 4♣ / lays K♥ K♦ ★"
        " / builds K♠ on K♥ K♦ ★ / builds Q♠ on meld 10 / throws 2♣,"
        " the first turn of the hand, 3 cards held after the last turn, warned: legal")),
    "a count": ("count", {"cards": "K 9 *", "bending": True}, "count K 9 ★: legal"),
    "a lay-down": ("solve", {"cards": "KH KD KS 2C", "goal": "go_out", "table": ["7H 8H 9H"], "opened": True,
                             "taken": "2C"},
        "what could be laid K♥ K♦ K♠ 2♣ / on the table 7♥ 8♥ 9♥, to go out, 2♣ taken from the pile: legal"),
    "packs": ("deck", {"holdings": ["KH", "", "KD KS"]}, "deck K♥ / K♦ K♠: legal"),
    "what no check reads": ("opening", {"cards": "KH KD KS"}, "opening KH KD KS: legal"),
}  # fmt: skip
"""Claims of every kind in a European game, as recorded, and what the history says of them."""


@pytest.mark.parametrize(("check", "claim", "told"), CLAIMS.values(), ids=CLAIMS)
def test_a_ruling_names_everything_that_decided_it(app, check, claim, told):
    alice = Alice(app)
    alice.record({"kind": "ruling", "check": check, "claim": claim, "verdict": {"ok": True}, "seat": 3})
    assert f"Ruling: Cat {told}" in alice.see("/history")
