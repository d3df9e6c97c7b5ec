"""Quarrels settled by a few taps: only what a table's values tell apart is asked, and the referee rules the same."""

from dataclasses import replace
from itertools import product

import pytest

from app.kalooki.claims import check
from app.kalooki.rules.answers import NO, YES, settled_by, titles
from app.kalooki.variants import all_variants, load, with_house_rules

VARIANTS = [*all_variants()]
CHOICES = {
    "discard_before_opening": ("open", "free"),
    "discard_after_opening": ("free", "meld", "never"),
    "kalooki_builds": (True, False),
    "kalooki_below_opening": (True, False),
}
"""The values the questions come from, in every way they may meet."""


def settled(slug, variant_id="european", house=None, **said):
    table, _ = with_house_rules(load(variant_id), house or {})
    return settled_by(said, slug, table)


def ways(slug, table, said=()):
    """Every way through the questions, each with its end."""
    reached = settled_by(dict(said), slug, table)
    if reached.question is None:
        yield dict(said), reached
        return
    for answer in (YES, NO):
        yield from ways(slug, table, (*said, (reached.question.name, answer)))


def tables():
    for variant in VARIANTS:
        for values in product(*CHOICES.values()):
            yield replace(variant, **dict(zip(CHOICES, values, strict=True)))


def test_every_way_of_every_table_ends_in_a_ruling_within_three_taps():
    for table in tables():
        most = 4 if table.calls and table.discard_before_opening == "open" else 3  # no variant plays both
        for slug in titles(table):
            for said, reached in ways(slug, table):
                assert len(said) <= most, (table.id, slug, said)
                assert [*said] == [question.name for question in reached.answered]
                assert reached.ruling.ruling
                assert reached.ruling.rules
                assert "{" not in reached.ruling.text


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.id)
def test_no_question_is_asked_that_decides_nothing(variant):
    """Of two answers to one question at least one leads elsewhere than the other."""
    for slug in titles(variant):
        ends = {tuple(said.items()): (reached.ok, reached.ruling.text) for said, reached in ways(slug, variant)}
        for said in ends:
            for place, (name, answer) in enumerate(said):
                other = NO if answer == YES else YES
                beside = {end for way, end in ends.items() if way[: place + 1] == (*said[:place], (name, other))}
                here = {end for way, end in ends.items() if way[: place + 1] == said[: place + 1]}
                assert here != beside, (slug, name)


def test_three_questions_tell_a_kalooki_in_europe():
    asked = [settled("kalooki").question.name, settled("kalooki", laid=NO).question.name]
    asked.append(settled("kalooki", laid=NO, built=NO).question.name)
    assert asked == ["laid", "built", "joker"]
    assert settled("kalooki", laid=NO, built=NO, joker=NO).ok is True
    assert settled("kalooki", laid=YES).ok is False
    assert settled("kalooki", laid=NO, built=YES).ruling.rules[0].rule == "kalooki-without-builds"
    assert settled("kalooki", laid=NO, built=NO, joker=YES).ruling.rules[0].rule == "kalooki-without-joker"


def test_one_question_tells_whether_the_table_was_bent():
    bent = settled("kalooki", "jamaican", laid=NO)
    assert bent.title == "Did they bend the table?"
    assert bent.ok is True
    assert bent.ruling.remedy == "The points of each loser's cards are doubled."
    assert "after more than 3 calls in the hand nothing is doubled" in bent.ruling.ruling


@pytest.mark.parametrize(("variant_id", "brings"), [
    ("european", "pays the Kalooki stake"), ("north-american", "no more than going out"),
    ("kalooki-51", "25 points more"), ("kalooki-40", "25 points more"), ("classic", "no more than going out"),
])  # fmt: skip
def test_a_kalooki_says_what_it_brings(variant_id, brings):
    ruled = settled("kalooki", variant_id, laid=NO, built=NO, joker=NO).ruling
    assert brings in f"{ruled.remedy} {ruled.more}"


def test_without_jokers_nobody_asks_for_one():
    assert settled("kalooki", house={"jokers": 0}, laid=NO, built=NO).ok is True


def test_a_discard_that_is_free_to_all_needs_no_question():
    free = settled("discard", "kalooki-51")
    assert (free.question, free.ok) == (None, True)


def test_before_opening_the_discard_is_for_opening_or_for_the_first_player():
    assert settled("discard", opened=NO, use=YES).ok is True
    assert settled("discard", opened=NO, use=NO, first=YES).ok is True
    assert settled("discard", opened=NO, use=NO, first=NO).ok is False
    # nobody is first in Kalooki 40: its document knows no free first draw
    assert settled("discard", "kalooki-40", opened=NO, use=NO).ok is False


def test_in_jamaica_a_call_is_for_who_has_not_laid_down_and_speaks_in_time():
    assert settled("discard", "jamaican", turn=NO, down=YES).ruling.rules[0].rule == "calling"
    assert settled("discard", "jamaican", turn=NO, down=NO, drawn=YES).ruling.rules[0].rule == "call-in-time"
    assert settled("discard", "jamaican", turn=NO, down=NO, drawn=NO).ok is True
    assert settled("discard", "jamaican", turn=YES, opened=YES).ok is False


def test_a_house_rule_is_named_by_the_ruling():
    ruled = settled("discard", house={"discard_after_opening": "meld"}, opened=YES, meld=NO)
    assert (ruled.ok, ruled.ruling.standing) == (False, "house")


@pytest.mark.parametrize("said", [{"laid": "perhaps"}, {"laid": ""}, {"joker": YES}, {"nonsense": YES}])
def test_what_is_no_answer_decides_nothing(said):
    assert settled("kalooki", **said).question.name == "laid"


# six and seven of hearts are held, the eight lies on the pile: 21 points, opened before or not
LAY = {"do": "meld", "cards": "6H 7H 8H"}
THROW = {"do": "discard", "card": "2C"}
KEPT = ["6H", "7H", "2C", "3D", "4C", "KS", "JD", "9C", "QH", "5S", "10C", "AD", "JC"]


def judged(table, *, opened, lays, first=False):
    """The referee on the eight of hearts taken from the pile and laid in a new meld, or kept."""
    steps = [{"do": "draw", "from": "discard", "card": "8H"}, *([LAY] if lays else []), THROW]
    turn = {"hand": " ".join(KEPT), "opened": opened, "first_turn": first, "steps": steps}
    faults = {fault.rule for fault in check("turn", turn, table).faults}
    return not faults & {"discard-before-opening", "discard-after-opening"}


def test_taps_and_the_referee_agree_on_the_discard():
    for table in tables():
        for said, reached in ways("discard", table):
            if said.get("turn") == NO or said.get("use") == YES:
                continue  # a call is no turn, and these cards open nowhere
            opened = (said["opened"] == YES,) if "opened" in said else (True, False)
            for each in opened:
                lays, first = said.get("meld") == YES, said.get("first") == YES
                assert judged(table, opened=each, lays=lays, first=first) is reached.ok, (table.id, said)


NEW = "KS KD KH", "QC QD QH", "7S 8S 9S 10S"
ON_TABLE = [{"cards": "4H *=5H 6H", "owner": 2}, {"cards": "JS JD JC", "owner": 2}]


def ending(table, *, laid, built, joker):
    """How the referee calls the end of a hand that goes out with or without a build and a joker of the table."""
    melds = [{"do": "meld", "cards": cards} for cards in NEW]
    builds = [{"do": "build", "on": 1, "cards": "JH"}] if built else []
    freed = [{"do": "free_joker", "on": 0, "give": "5H"}, {"do": "meld", "cards": "2C 3C *"}] if joker else []
    hand = [*" ".join(NEW).split(), *(["JH"] if built else []), *(["5H", "2C", "3C"] if joker else []), "9D"]
    draw = {"do": "draw", "from": "stock", "card": hand.pop()}
    turn = {"hand": " ".join(hand), "table": ON_TABLE, "opened": laid}
    steps = [draw, *melds, *freed, *builds, {"do": "discard", "card": "9D"}]
    verdict = check("turn", turn | {"steps": steps}, table)
    assert verdict.ok, verdict.faults
    return verdict.ending


def test_taps_and_the_referee_agree_on_a_kalooki():
    for table in tables():
        if table.contracts:
            continue
        for said, reached in ways("kalooki", table):
            told = {name: said.get(name) == YES for name in ("laid", "built", "joker")}
            assert (ending(table, **told) == "kalooki") is reached.ok, (table.id, said)
