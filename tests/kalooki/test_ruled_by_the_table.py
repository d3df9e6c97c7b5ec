"""Every ruling and every rule under every value, at the ends of its range: whole, short and in words."""

import re
from functools import cache

import pytest

from app.kalooki.cards import Malformed, parse
from app.kalooki.faults import Fault
from app.kalooki.rules.answers import NO, YES, settled, settled_by, titles
from app.kalooki.rules.rulebook import explain, rule_in_words, rules_of
from app.kalooki.variants import load, meanings, with_house_rules
from tests.matrix import some

NONSENSE = re.compile(
    r"None(?!: |, and nobody)|True|False|[{}_]|  |\.\.| ,|\b(\w+) \1\b|\b0 (?!points|units|is|behind)\w"
)
"""A value that went into a sentence unworded, no sentence at all, a word twice, or none of something counted."""
FOURS = re.compile(r"\b(a|no|this|one|same|second|another) (three|four)\b|\b(threes|fours)\b", re.IGNORECASE)
"""Melds called threes and fours."""
CONTRACTS = ([[1, 1]], [[2, 0], [0, 2]], [])
ONE_DEAL = {"dealt_by": "players", "dealt": 13}
FULL, TWO = {"joker_from_full_set": "one"}, {"joker_from_two_joker_set": "two"}


def ends_of(meaning):
    """The values at the ends of a range, and all of a choice."""
    house = meaning.house or {"choices": []}
    if "each" in house:
        return CONTRACTS if meaning.of_pairs else (11, [7] * 16)
    bounds = [house[end] for end in ("least", "most") if end in house]
    return [*house.get("choices", bounds), *([None] if house.get("none") else [])]


@cache
def ruled(variant_id):
    """Every table of a variant, named by its value, with the answers settled for it."""
    return [(named, table, settled(table)) for named, table in tables(load(variant_id))]


def tables(variant):
    """The variant with one value at one end of its range; values that contradict the others are left out."""
    for key, meaning in meanings().items():
        for value in ends_of(meaning):
            more = ONE_DEAL if key == "contracts" else {}
            try:
                table, _ = with_house_rules(variant, {key: value} | more)
            except Malformed:
                continue
            if table.house:
                yield f"{key} {value}", table


def quick_ends(slug, table, said=()):
    reached = settled_by(dict(said), slug, table)
    if reached.question is None:
        return [reached.ruling]
    asked = reached.question.name
    return [each for answer in (YES, NO) for each in quick_ends(slug, table, (*said, (asked, answer)))]


def wrong_with(answer):
    """What is wrong with the words of an answer, case by case."""
    for case in answer.cases:
        if not case.ruling or re.search(r"[.?!] ", case.ruling):
            yield f"{answer.slug}: a ruling is one sentence: {case.ruling!r}"
        for said in (answer.title, case.ruling, case.more, case.remedy or ""):
            if NONSENSE.search(said):
                yield f"{answer.slug}: {said}"
        for short in (case.ruling, case.remedy or ""):
            if len(short.split()) > 25:
                yield f"{answer.slug}: more than 25 words: {short}"


@pytest.mark.no_cover  # others take these branches; measuring every ruling of every table takes its time
@pytest.mark.parametrize(
    "variant_id",
    some(["european", "jamaican", "north-american", "kalooki-51", "kalooki-40"], "european", "jamaican"),
)
def test_every_ruling_is_whole_and_short_under_every_value(variant_id):
    wrong, seen = [], 0
    for named, table, answers in ruled(variant_id):
        seen += 1
        quick = (each for slug in titles(table) for each in quick_ends(slug, table))
        for answer in (*answers, *quick):
            wrong += [f"{named}: {each}" for each in wrong_with(answer)]
        for rule in (rule for chapter in rules_of(table) for rule in chapter.rules):
            if not table.has_fours and FOURS.search(
                rule.text.replace("The two sits on their left, the three next", "")
            ):
                wrong.append(f"{named}: {rule.rule} speaks of fours: {rule.text}")
            if NONSENSE.search(rule.text) or (rule.standing == "house" and not rule.house_rule):
                wrong.append(f"{named}: {rule.rule}: {rule.text}")

    assert seen > 90
    assert wrong == []


GOES_AWAY = {
    ("european", "contracts"): {"no-contracts"},
    ("european", "scoring"): {"score-of-who-is-out"},
    ("european", "limit"): {"score-of-who-is-out"},
    ("jamaican", "contracts"): {"that-is-not-the-contract"},
    ("jamaican", "calls"): {"call-withdrawn", "penalty-card-forgotten"},
}
"""The disputes that cannot come up under a value."""


@pytest.mark.no_cover
@pytest.mark.parametrize("variant_id", ["european", "jamaican"])
def test_a_value_leaves_out_only_what_cannot_come_up(variant_id):
    usual = {answer.slug for answer in settled(load(variant_id))}
    gone = {}
    for named, _table, answers in ruled(variant_id):
        left_out = usual - {answer.slug for answer in answers}
        if left_out:
            gone.setdefault((variant_id, named.split()[0]), set()).update(left_out)

    assert gone == {key: slugs for key, slugs in GOES_AWAY.items() if key[0] == variant_id}, (
        "say in GOES_AWAY which disputes cannot come up under the new value, or give them a wording for it"
    )


# what a table that plays it so is told: written from the meaning of the value
TOLD = [
    (
        "european",
        {"melds_a_turn": 1},
        "only-one-meld-a-turn",
        "Yes, except in the turn of the opening and for a Kalooki",
    ),
    ("classic", {"melds_a_turn": 2}, "only-one-meld-a-turn", "No: 2 melds in one turn at most, but any number for a"),
    ("jamaican", {"melds_a_turn": 1}, "only-one-meld-a-turn", "Yes, except in the turn of the contract"),
    ("jamaican", {"melds_a_turn": 1}, "more-than-the-contract", "Yes: with the contract as many as you like; in later"),
    (
        "european",
        {"joker_points": 15},
        "enough-to-open",
        "Yes, if your new melds reach 40 points, a joker as 15 points",
    ),
    ("european", {"discard_before_opening": "never"}, "first-upcard", "No: before the opening"),
    ("european", {"discard_before_opening": "never"}, "using-the-discard", "Before the opening nobody may take it"),
    ("european", {"discard_before_opening": "never"}, "took-discard-cannot-open", "The discard goes back"),
    ("european", {"joker_from_run": "never"}, "joker-from-a-run", "No: a joker never leaves a run"),
    ("european", {"joker_from_run": "never", "joker_from_set": "never"}, "keeping-a-joker", "No joker ever leaves"),
    ("european", {"joker_from_set": "never", **FULL}, "joker-from-a-set", "Only out of a set of four: there the real"),
    ("european", {"joker_from_set": "never", **TWO}, "joker-from-a-set", "Only out of a set with two jokers, once you"),
    ("european", {"joker_from_set": "never", **FULL, **TWO}, "joker-from-a-set", "Only out of a set of four, or one"),
    ("european", {"joker_from_run": "moves"}, "joker-from-a-run", "No: give it and the joker moves"),
    ("european", {"reshuffles": 0}, "no-end-in-sight", "Play on until the stock runs out: then the hand is void"),
    ("european", {"reshuffles": 0}, "stock-used-up", "The hand is void"),
    ("european", {"set_most": 3}, "fifth-card-in-a-set", "No: a set has at most 3 cards."),
    ("european", {"set_suits": "free", "set_most": 8}, "fifth-card-in-a-set", "Yes: a set may have 8 cards at most."),
    ("european", {"packs": 3}, "suit-twice", "No: the cards of a set have different suits."),
    ("european", {"run_least": 5, "ace": "both"}, "ace-low", "A run may begin A 2 and may end K A"),
    ("european", {"run_least": 4, "ace": "both"}, "ace-low", "A 2 3 4 is one, J Q K A too; K A 2 3 never is"),
    ("european", {"run_least": 4}, "adding-to-a-run", "At both ends, at most 2 cards at each in one turn; enough"),
    ("european", {"jokers": 0}, "how-many-jokers", "None: this table plays without jokers."),
    ("european", {"decided_by": "points"}, "stopping-early", "By the rules nobody yet: the game is not over"),
    ("european", {"contracts": [[1, 1]], **ONE_DEAL}, "later-melds", "Yes: once the contract lies"),
    ("european", {"contracts": [[1, 1]], **ONE_DEAL}, "joker-from-a-run", "Yes, in your turn, once you have laid down"),
    ("jamaican", {"joker_from_set": "both"}, "one-card-in-two-melds", "No: every card lies in one meld and stays"),
]


@pytest.mark.parametrize(("variant_id", "house", "slug", "told"), TOLD)
def test_a_table_is_told_its_own_rule(variant_id, house, slug, told):
    table, _ = with_house_rules(load(variant_id), house)
    answer = next(each for each in settled(table) if each.slug == slug)

    assert answer.ruling.startswith(told)
    assert answer.kind == "mishap" or answer.standing == "house"
    assert answer.own
    assert "Not stated by the source" not in answer.note


SHORT, LONG = {"run_least": 3}, {"run_least": 5}
NO_CONTRACTS = {"contracts": [], **ONE_DEAL}
MIXED = {"contracts": [[2, 1], [0, 3]]}
FOUR = {**MIXED, "run_least": 4}

# "fours" are runs of four where contracts count them; any other table has sets and runs, whatever its variant says
SAID = [
    ("jamaican", {}, "runs-of-one-suit", "Fours of one suit", "A player may lay only one four of each suit in a hand."),
    (
        "jamaican",
        SHORT,
        "set-or-run",
        "Sets and runs",
        "A meld is a set, cards of one rank, or a run, cards of one suit",
    ),
    ("jamaican", SHORT, "runs-of-one-suit", "Runs of one suit", "may lay only one run of each suit in a hand."),
    ("jamaican", SHORT, "ace-high", "Ace in a run", "An ace is high or low: Q K A and A 2 3 are runs."),
    ("jamaican", LONG, "run-length", "Length of a run", "A run has at least 5 cards."),
    ("jamaican", LONG, "contract", "The contract", "Hand 1: 3 sets. Hand 2: 2 sets + 1 run. Hand 3: 1 set + 2 runs."),
    ("jamaican", NO_CONTRACTS, "run-ends", "Where a run may be built", "Cards are built at the high end of a run;"),
    ("jamaican", NO_CONTRACTS, "joker-built", "Building a joker", "but not beside another joker in a run."),
    (
        "jamaican",
        NO_CONTRACTS,
        "naturals",
        "Real (natural) cards in a meld",
        "A set needs at least 2 cards that are real",
    ),
    ("jamaican", {"set_naturals": 1}, "naturals", "Real (natural) cards in a meld", "a three needs only one real"),
    ("european", MIXED, "contract", "The contract", "Hand 1: 2 sets + 1 run. Hand 2: 3 runs. More melds may"),
    ("european", FOUR, "contract", "The contract", "Hand 1: 2 threes + 1 four. Hand 2: 3 fours. More melds may"),
    ("european", FOUR, "joker-from-run", "Joker in a four", "the very card that a joker of a four stands for takes"),
    ("european", {"jokers_together": False}, "jokers-together", "Jokers side by side", "side by side in a run."),
    ("european", {"runs_of_one_suit": "one"}, "runs-of-one-suit", "Runs of one suit", "only one run of each suit"),
    # what is true at one end of a range only
    (
        "jamaican",
        {"calls": 0},
        "calls",
        "Calls in a hand",
        "Nobody has a call: every attempt gets no card and costs 50",
    ),
    (
        "jamaican",
        {"call_penalty": 0},
        "calls",
        "Calls in a hand",
        "3 calls in a hand, refused ones not counted; an attempt",
    ),
    (
        "jamaican",
        {"kalooki_builds": False},
        "kalooki-without-builds",
        "Tacking on to bend the table",
        "is not bent if a",
    ),
    ("jamaican", {"joker_from_set": "one"}, "joker-from-set", "Joker in a three", "a real card of its rank takes the"),
    (
        "european",
        {"set_suits": "free"},
        "joker-from-set",
        "Joker in a set of three",
        "gives two real cards of its rank",
    ),
    ("european", {"set_most": 3}, "joker-from-full-set", "Joker in a full set", "The joker of a full set stays there"),
    ("european", {"kalooki_builds": True}, "kalooki-without-builds", "Builds in a Kalooki", "do not spoil a Kalooki."),
    ("european", {"players_most": 2}, "players", "Players", "The game is meant for 2 players."),
    ("european", {"run_most": 7}, "longest-run", "Longest run", "A run has at most 7 cards."),
    (
        "european",
        {"reshuffles": 0},
        "stock-runs-out",
        "The stock runs out",
        "When the stock is used up, there is no new",
    ),
    ("european", {"dealt": [9, 9, 9]}, "the-deal", "Cards dealt", "Each player is dealt 9 cards."),
    ("european", {"pool_others": "under"}, "pool", "The pool", "The winner of the game takes the pool."),
    (
        "european",
        {"stake_call_up": 0},
        "call-up",
        "Payments to the winner of a hand",
        "pays 2 units to a winner who goes",
    ),
    ("european", {"ended_by_table": True}, "game-end", "The end of the game", "The table may end it before, after any"),
    (
        "european",
        {"scoring": "winner_collects", "out_at": "over_limit"},
        "limit",
        "Out of the game",
        "more than the limit",
    ),
]


@pytest.mark.parametrize(("variant_id", "house", "slug", "title", "said"), SAID)
def test_a_rule_is_told_as_the_table_plays_it(variant_id, house, slug, title, said):
    rule = rule_in_words(slug, with_house_rules(load(variant_id), house)[0])

    assert rule.title == title
    assert said in rule.text


@pytest.mark.parametrize(
    ("variant_id", "house", "slug", "case", "said"),
    [
        ("jamaican", {}, "set-or-run", "few", "AS alone is no meld: lay a three or a four."),
        ("jamaican", SHORT, "set-or-run", "few", "AS alone is no meld: lay a set or a run."),
        ("european", {"run_ends": "high_first"}, "run-ends", "else", "The low end of this run is not open yet:"),
        ("european", LONG, "ace-high", "else", "An ace is high only here: it never comes before the two."),
    ],
)
def test_a_ruling_has_the_tables_words_for_melds(variant_id, house, slug, case, said):
    table, _ = with_house_rules(load(variant_id), house)

    assert explain(Fault(slug, parse("AS"), {"case": case}), table).text.startswith(said)


def test_without_jokers_nobody_reads_what_becomes_of_them():
    table, _ = with_house_rules(load("european"), {"jokers": 0})
    told = [rule.rule for chapter in rules_of(table) for rule in chapter.rules if "joker" in rule.rule]

    assert told == ["number-of-jokers"]
