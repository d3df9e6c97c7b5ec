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


def test_a_broken_rule_decides_with_its_standing():
    assert deciding_rules("meld", cards="AS 2S 3S") == [("ace-high", "source")]
    assert deciding_rules("meld", "classic", cards="AS 2S 3S") == [("ace-high", "usual")]
    assert deciding_rules("opening", house={"opening_points": 51}, melds=["10S JS QS KS"]) == [
        ("opening-points", "house")
    ]


def test_a_refused_claim_names_the_reading_that_would_allow_it():
    # 21 and 6 are short of 40; with a joker of 15, as the document of Kalooki 40 has it, 21, 4 and 15 come to 40
    short = ["7H 7S 7D", "2H 2S *"]
    assert deciding_rules("opening", "kalooki-40", melds=short) == [
        ("opening-points", "source"),
        ("joker-points", "both"),
    ]
    assert deciding_rules("opening", "european", melds=short) == [("opening-points", "source")]
    # 21, 2 and twice 15 come to 53
    shorter = deciding_rules("opening", "kalooki-40", melds=["7H 7S 7D", "2H * *"])
    assert shorter == [("opening-points", "source"), ("joker-points", "both")]
    # 18, 4 and 15 are short, too
    assert deciding_rules("opening", "kalooki-40", melds=["6H 6S 6D", "2H 2S *"]) == [("opening-points", "source")]


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


def test_a_claim_allowed_by_every_document_rests_on_no_doubtful_rule():
    assert deciding_rules("meld", cards="2S 3S 4S") == []
    assert deciding_rules("opening", melds=["10S JS QS KS"]) == []


def test_a_low_ace_of_fifteen_decides_in_north_america():
    # thirty and twenty-four are enough; with a low ace of one, as Kalooki 51 counts it, thirty and ten are not
    assert ("low-ace", "both") in deciding_rules("opening", "north-american", melds=["KS KH KD", "AC 2C 3C 4C"])
    assert ("low-ace", "both") not in deciding_rules(
        "opening", "north-american", melds=["KS KH KD KC", "AC 2C 3C 4C 5C"]
    )


def test_an_ace_in_a_set_decides_in_kalooki_51():
    # thirty-three and eighteen come to 51; three and eighteen do not
    assert deciding_rules("opening", "kalooki-51", melds=["AS AH AD", "5C 6C 7C"]) == [("ace-in-a-set", "usual")]


def test_two_melds_in_one_turn_decide_where_the_document_speaks_of_one():
    melds = ["10S JS QS KS", "4H 5H 6H"]
    assert deciding_rules("opening", melds=melds) == [("one-meld-a-turn", "both")]
    assert deciding_rules("opening", "kalooki-40", melds=melds) == []
    draw, lay, lay_more, throw = steps_of("draw stock 2D", "meld 4H 5H 6H", "meld 9S 9D 9C", "discard 2D")
    turn = {"hand": "4H 5H 6H 9S 9D 9C 7C 8D JC QC", "opened": True}
    assert deciding_rules("turn", **turn, steps=[draw, lay, lay_more, throw]) == [("one-meld-a-turn", "both")]
    assert deciding_rules("turn", **turn, steps=[draw, lay, throw]) == []


@pytest.mark.parametrize(
    ("variant", "claim", "decider"),
    [
        ("north-american", {"on": "8S 8H 8D *", "give": "8C"}, ("joker-from-full-set", "both")),
        ("north-american", {"on": "8S *=8H *=8D", "give": "8C"}, ("joker-from-two-joker-set", "both")),
        ("european", {"on": "6H 7H *", "give": "5H"}, ("joker-not-declared", "usual")),
    ],
)
def test_a_joker_is_taken_by_a_rule_in_doubt(variant, claim, decider):
    assert deciding_rules("joker", variant, **claim) == [decider]


def test_the_fourth_suit_on_a_jokers_set_decides_in_kalooki_40():
    assert deciding_rules("build", "kalooki-40", on="8S 8H *", cards="8D") == [("closed-set", "both")]
    assert deciding_rules("build", "kalooki-40", on="8S 8H 8C", cards="8D") == []
    turn = {"hand": "8D 2C 5D", "opened": True, "table": [{"cards": "8S 8H *", "owner": 2}]}
    turn["steps"] = steps_of("draw stock JC", "build 0 8D", "discard JC")
    assert deciding_rules("turn", "kalooki-40", **turn) == [("closed-set", "both")]
    assert deciding_rules("turn", **turn) == []


def test_a_set_of_aces_decides_in_kalooki_40():
    assert deciding_rules("meld", "kalooki-40", cards="AS AH AD") == [("ace-in-a-set", "both")]
    assert deciding_rules("meld", "kalooki-40", cards="QS KS AS") == []
    assert deciding_rules("meld", "kalooki-40", cards="QS * AS") == []
    assert deciding_rules("build", "kalooki-40", on="AS AH AD", cards="AC") == [("ace-in-a-set", "both")]
    # thirty-three and ten come to 43; the document elsewhere has aces in no set
    assert deciding_rules("opening", "kalooki-40", melds=["AS AH AD", "2C 3C 5C *"]) == [("ace-in-a-set", "both")]
    assert deciding_rules("meld", cards="AS AH AD") == []


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


def test_a_house_rule_is_never_in_doubt():
    assert deciding_rules("joker", "european", {"joker_from_set": "one"}, on="8S 8H 8D *", give="8C") == []
