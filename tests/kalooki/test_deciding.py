"""The rules that decided a ruling: broken ones, and those that another document reads differently."""

import pytest

from app.kalooki.claims import CLAIMS, judge
from app.kalooki.decided_by import DecidingRule, JudgedClaim, broken_rules
from app.kalooki.faults import Fault
from app.kalooki.variants import load, with_house_rules
from tests.kalooki.rule_talk import steps_of


def judged(kind, variant="european", house=None, **claim):
    table, _ = with_house_rules(load(variant), house or {})
    read = CLAIMS[kind].read(claim, "")
    return JudgedClaim(read, table, judge(read, table))


def deciding_rules(kind, variant="european", house=None, **claim):
    return [tuple(decider) for decider in judged(kind, variant, house, **claim).decided_by]


def test_a_judged_claim_puts_its_verdict_into_words():
    # 6 and 7 and an 8, or a 5
    readings = judged("meld", cards="6H 7H *").readings
    assert [(str(each.meld), each.points) for each in readings] == [("6H 7H *=8H", 21), ("*=5H 6H 7H", 18)]
    broken_twice = judged("opening", melds=["7H 7S 7D", "AS 2S 3S"])
    assert [(each.rule, bool(each.text)) for each in broken_twice.faults] == [
        ("ace-high", True),
        ("opening-points", True),
    ]
    # nothing bends the table in European Kalooki, and there are two of a card
    three_sevens = judged("count", cards="7H 7H 7H", bending=True)
    assert (three_sevens.decided_by, len(three_sevens.warnings)) == ((DecidingRule("more-than-the-pack", "source"),), 1)
    assert (three_sevens.verdict.points, three_sevens.why) == (21, None)
    assert judged("count", "jamaican", cards="7H KH", bending=True).verdict.points == 2 * 17
    # 30 and 16 open with a card built: no Kalooki
    out = judged("out", melds=["KS KD KH", "3H 4H 5H 6H"], builds=[{"on": "7C 8C 9C", "cards": "10C"}], thrown="2C")
    assert "a card was built on a meld" in out.why


def test_the_limit_on_a_new_run_has_its_own_standing():
    # three cards on one end: the document speaks of a run that is on the table already
    steps = steps_of("draw stock 2D", "meld 10H JH QH KH", "build 0 7H 8H 9H", "discard 2D")
    turn = {"hand": "10H JH QH KH 7H 8H 9H 3C 5C", "opened": True}
    assert deciding_rules("turn", **turn, steps=steps)[0] == ("build-end-limit", "usual")
    table = [{"cards": "10H JH QH KH", "owner": 2}]
    on_the_table = deciding_rules("turn", **turn, table=table, steps=[steps[0], *steps[2:]])
    assert on_the_table[0] == ("build-end-limit", "source")


def test_a_rule_broken_twice_decides_once():
    faults = [Fault("joker-from-run", facts={"case": "wrong"}), Fault("joker-from-run", facts={"case": "wrong"})]
    assert broken_rules(faults, load("european")) == (DecidingRule("joker-from-run", "source"),)


def test_a_low_ace_of_fifteen_decides_in_north_america():
    # thirty and twenty-four are enough; with a low ace of one, as Kalooki 51 counts it, thirty and ten are not
    assert ("low-ace", "both") in deciding_rules("opening", "north-american", melds=["KS KH KD", "AC 2C 3C 4C"])
    assert ("low-ace", "both") not in deciding_rules(
        "opening", "north-american", melds=["KS KH KD KC", "AC 2C 3C 4C 5C"]
    )


def test_building_in_the_turn_of_the_first_meld_decides_in_classic_kalooki():
    turn = {"hand": "4H 5H 6H 7C 8D JC QC 2S 3D 9C 9D KS KD", "table": [{"cards": "7S 8S 9S", "owner": 2}]}
    turn["steps"] = steps_of("draw stock 10S", "meld 4H 5H 6H", "build 0 10S", "discard 2S")
    found = deciding_rules("turn", "classic", **turn)
    assert ("build-same-turn", "both") in found
    assert ("opening-points", "usual") in found


def test_building_before_the_opening_decides_in_north_america():
    # 10S and JS built are twenty, four kings are forty: sixty of the 51 points needed
    draw, build, meld, throw = steps_of("draw stock 2D", "build 0 10S JS", "meld KS KH KD KC", "discard 2D")
    turn = {"hand": "10S JS KS KH KD KC 2H 3H 5H 6D 7D 9D 2C 4C 6C", "table": [{"cards": "7S 8S 9S", "owner": 2}]}
    order = ("build-order", "both")
    assert order in deciding_rules("turn", "north-american", **turn, steps=[draw, build, meld, throw])
    assert order not in deciding_rules("turn", "north-american", **turn, steps=[draw, meld, build, throw])


@pytest.mark.parametrize(
    ("kind", "claim", "is_new"),
    [
        ("meld", {"cards": "7H 8H * *"}, True),
        ("build", {"on": "7H 8H * *", "cards": "10H"}, False),
    ],
)
def test_a_meld_that_lies_in_another_order_is_legal_only_in_its_own(kind, claim, is_new):
    """No two jokers side by side: with one at each end the run is 6 7 8 9, which a card of the same suit extends."""
    told = [
        ([str(meld) for meld in order.readings], order.is_new) for order in judged(kind, "jamaican", **claim).orders
    ]
    assert told == [(["*=6H 7H 8H *=9H"], is_new)]


@pytest.mark.parametrize(
    ("kind", "claim"),
    [
        ("meld", {"cards": "6H 7H *"}),  # as it lies, the joker is the 8
        ("joker", {"on": "7H 8H *", "give": "9H"}),
        ("joker", {"on": "7H 8H *=9H", "give": "9H"}),
    ],
)
def test_a_legal_meld_that_lies_in_order_says_none(kind, claim):
    legal = judged(kind, **claim)
    assert (legal.verdict.ok, legal.orders) == (True, ())


def test_an_opening_short_of_the_contract_says_both_numbers():
    (short,) = judged("opening", "jamaican", melds=["7H 7S 7D"], contract=0).faults
    assert short.text == "The contract of this hand is 3 threes. Laid: 1 three."
