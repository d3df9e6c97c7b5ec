"""Every ruling under every value, at the ends of its range: turned by what must turn it, whole, short and in words."""

import re
from functools import cache
from pathlib import Path
from tomllib import loads
from typing import NamedTuple

import pytest

from app.kalooki.cards import BadInput, parse
from app.kalooki.faults import Fault
from app.kalooki.rules.answers import settle, settled
from app.kalooki.rules.disputes import disputes, of_kind
from app.kalooki.rules.rulebook import explain, rule_in_words, rules_of
from app.kalooki.rules.wording import Words, filled, first_filled
from app.kalooki.variants import Variant, all_variants, load, meanings, with_house_rules
from tests.matrix import some

BY_HAND = loads((Path(__file__).parent / "value_by_ruling.toml").read_text("utf-8"))
NONSENSE = re.compile(
    r"None(?!: |, and nobody)|True|False|[{}_]|  |\.\.| ,|\b(\w+) \1\b|\b0 (?!points|units|is|behind)\w"
)
"""A value that went into a sentence unworded, no sentence at all, a word twice, or none of something counted."""
FOURS = re.compile(r"\b(a|no|this|one|same|second|another) (three|four)\b|\b(threes|fours)\b", re.IGNORECASE)
"""Melds called threes and fours."""
CONTRACTS = ([[1, 1]], [[2, 0], [0, 2]], [])
ONE_DEAL = {"dealt_by": "players", "dealt": 13}


def ends_of(meaning):
    """Return both ends of a range, or all choices."""
    house = meaning.house or {"choices": []}
    if "each" in house:
        return CONTRACTS if meaning.of_pairs else (11, [7] * 16)
    bounds = [house[end] for end in ("least", "most") if end in house]
    return [*house.get("choices", bounds), *([None] if house.get("none") else [])]


def tables(variant, odd):
    """Yield the variant with `odd` values and one more value at an end of its range, unless they clash."""
    base, _ = with_house_rules(variant, odd)
    for key, meaning in meanings().items():
        for value in ends_of(meaning):
            more = ONE_DEAL if key == "contracts" and not value else {}
            try:
                table, _ = with_house_rules(variant, odd | {key: value} | more)
            except BadInput:
                continue
            if getattr(table, key) != getattr(base, key):
                yield key, table


def bases():
    """Yield every variant, and the odd tables of the file."""
    yield from ((variant, {}) for variant in all_variants())
    for told_of in BY_HAND["tables"].values():
        yield load(told_of["of"]), {key: value for key, value in told_of.items() if key != "of"}


class Change(NamedTuple):
    """A value that changes an answer: the texts before and after, the table, and whether it is an ordinary one."""

    key: str
    is_alone: bool
    usual: tuple
    saying: tuple
    table: Variant

    @property
    def way(self):
        return "told" if self.usual and self.saying else "out"

    @property
    def changes_the_ruling(self):
        """Whether more than a title or a reason changes."""
        rulings = [[(part.when, part.ruling, part.remedy) for part in each[1:]] for each in (self.usual, self.saying)]
        return rulings[0] != rulings[1]


class MomentTexts(NamedTuple):
    """The texts for one moment."""

    when: str
    ruling: str
    more: str
    remedy: str


def texts_of(dispute, words):
    """Return the title of an answer and all its texts at a table, empty if it does not come up."""
    parts = [
        MomentTexts(case.when, *(filled(words, text) for text in (case.ruling, case.why, case.remedy)))
        for case in dispute.cases
        if case.comes_up(words.variant)
    ]
    return (first_filled(words, dispute.title), *parts) if any(each.ruling for each in parts) else ()


@cache
def collect_texts():
    """Return all texts and, by answer, the values that change it."""
    turned, heard = {slug: [] for slug in disputes()}, set()
    for variant, odd in bases():
        words = Words(with_house_rules(variant, odd)[0])
        usual = {slug: texts_of(dispute, words) for slug, dispute in disputes().items()}
        heard |= {(*each, words.variant.has_fours) for each in usual.items()}
        for key, table in tables(variant, odd):
            words = Words(table)
            now = {(slug, texts_of(dispute, words)) for slug, dispute in disputes().items()}
            heard |= {(*each, table.has_fours) for each in now}
            for slug, saying in now - usual.items():
                turned[slug].append(Change(key, not odd, usual[slug], saying, table))
    return turned, heard


def by_hand():
    """Return, by kind and answer, the values that change it and those that decide whether it comes up."""
    return {
        kind: {slug: {way: {*row.get(way, "").split()} for way in ("told", "out")} for slug, row in rows.items()}
        for kind, rows in BY_HAND.items()
        if kind != "tables"
    }


@pytest.mark.parametrize("kind", ["dispute", "mishap"])
def test_every_answer_has_a_row_in_its_order(kind):
    assert [*by_hand()[kind]] == [*of_kind(kind)], "judge in value_by_ruling.toml which values turn the new answer"


@pytest.mark.no_cover  # others take these branches; measuring every ruling of every table takes its time
def test_every_value_changes_the_expected_rulings_and_no_others():
    turned, _heard = collect_texts()
    wrong = []
    for slug, row in ((slug, row) for rows in by_hand().values() for slug, row in rows.items()):
        for way, turning in (("told", "is told otherwise"), ("out", "comes up or not")):
            found = {each.key for each in turned[slug] if each.way == way}
            wrong += [
                f"{slug} {turning} under another {key}, which by hand must not turn it" for key in found - row[way]
            ]
            wrong += [f"{slug} must be an answer that {turning} under another {key}" for key in row[way] - found]

    assert sorted(wrong) == []


def wrong_with(title, parts, has_fours):
    """Yield what is wrong with the words of an answer, by case."""
    for part in parts:
        if part.ruling and re.search(r"[.?!] ", part.ruling):
            yield f"a ruling is one sentence: {part.ruling!r}"
        if not part.ruling:
            yield f"{part.when or 'this case'} has no ruling"
        for text in (title, part.ruling, part.more, part.remedy):
            if NONSENSE.search(text) or (FOURS.search(text) and not has_fours):
                yield text
        for short in (part.ruling, part.remedy):
            if len(short.split()) > 25:
                yield f"more than 25 words: {short}"


@pytest.mark.no_cover
def test_every_ruling_is_complete_and_short_under_every_value():
    _turned, heard = collect_texts()
    assert len(heard) > 800
    assert [
        f"{slug}: {each}"
        for slug, saying, has_fours in heard
        if saying
        for each in wrong_with(saying[0], saying[1:], has_fours)
    ] == []


@pytest.mark.no_cover
def test_an_answer_changed_by_a_house_rule_names_it():
    turned, _heard = collect_texts()
    told_as_ours = [
        (slug, each.key, settle(disputes()[slug], each.table))
        for slug, turnings in turned.items()
        for each in {each.key: each for each in turnings if each.is_alone}.values()
        if each.way == "told" and each.changes_the_ruling
    ]
    assert len(told_as_ours) > 200
    assert [
        f"{slug} is turned by {key}, and does not say that this is the table’s own rule"
        for slug, key, answer in told_as_ours
        if not answer.own or "Not in the source" in answer.note
    ] == []


@pytest.mark.no_cover
@pytest.mark.parametrize(
    "variant_id", some(["european", "jamaican", "north-american", "kalooki-51", "kalooki-40"], "european", "jamaican")
)
def test_every_rule_is_in_words_under_every_value(variant_id):
    every = [
        (key, rule, table.has_fours)
        for key, table in tables(load(variant_id), {})
        for chapter in rules_of(table)
        for rule in chapter.rules
    ]

    assert len(every) > 5000
    nonsense = [f"{key}: {rule.text}" for key, rule, _ in every if NONSENSE.search(rule.text)]
    nameless = [f"{key}: {rule.rule}" for key, rule, _ in every if rule.standing == "house" and not rule.house_rule]
    fours = [f"{key}: {rule.text}" for key, rule, has_fours in every if not has_fours and FOURS.search(rule.text)]
    assert nonsense + nameless + [each for each in fours if "The two sits on their left" not in each] == []


CONTRACT = {"contracts": [[1, 1]], **ONE_DEAL}
COLLECTS, ONE = {"scoring": "winner_collects"}, {"melds_a_turn": 1}
FULL, TWO = {"joker_from_full_set": "one"}, {"joker_from_two_joker_set": "two"}
# what a table that plays it so is told: written from the meaning of the values, where more than one decides
TOLD = [
    ("european", ONE, "only-one-meld-a-turn", "1 meld a turn at most; any number when you open or go Kalooki."),
    ("classic", {"melds_a_turn": 2}, "only-one-meld-a-turn", "2 melds a turn at most; any number only for a Kalooki."),
    ("jamaican", ONE, "only-one-meld-a-turn", "1 meld a turn at most; any number only in the turn of the contract."),
    ("jamaican", {}, "only-one-meld-a-turn", "As many as you like, even the whole hand."),
    ("european", {}, "only-one-meld-a-turn", "As many as you like, even the whole hand but the discard."),
    ("jamaican", ONE, "more-than-the-contract", "Yes, as many as you like with the contract; in later turns 1 meld"),
    ("european", {"discard_before_opening": "never"}, "took-discard-cannot-open", "Put it back"),
    ("european", {"joker_from_run": "never", "joker_from_set": "never"}, "keeping-a-joker", "No: jokers never leave"),
    ("european", {"joker_from_run": "moves"}, "joker-from-a-run", "No: once you’re down you may put your card in its"),
    ("european", {"joker_from_set": "never", **FULL}, "joker-from-a-set", "No, except from a set of four: there the"),
    (
        "european",
        {"joker_from_set": "never", **TWO},
        "joker-from-a-set",
        "No, except from a set with two jokers, once you",
    ),
    (
        "european",
        {"joker_from_set": "never", **FULL, **TWO},
        "joker-from-a-set",
        "No, except from a set of four or one",
    ),
    ("jamaican", FULL, "joker-from-a-set", "No: in a three it stays; in a four, put the real card in"),
    ("european", {"set_most": 3}, "joker-from-a-set", "No: a joker never leaves a set; in a run, the exact card"),
    ("north-american", {"set_most": 3}, "joker-from-a-set", "Yes, once you’re down: put in the missing suit’s real"),
    ("european", {"set_suits": "free"}, "joker-from-a-set", "No: once you’re down, add two real cards of that rank"),
    ("jamaican", {"joker_from_set": "both"}, "one-card-in-two-melds", "No: a card stays in its one meld; only a"),
    ("european", {"set_suits": "free", "set_most": 8}, "fifth-card-in-a-set", "Yes: a set may have 8 cards."),
    ("european", {"run_least": 5, "ace": "both"}, "ace-low", "Yes: the ace may be low there"),
    ("european", {"run_least": 4, "ace": "both"}, "king-ace-two", "No: an ace is an end of a run, never its middle."),
    ("european", CONTRACT, "joker-from-a-run", "Yes, on your turn once you’re down"),
    (
        "north-american",
        CONTRACT,
        "building-at-once",
        "Yes, this turn; what you add doesn’t count towards the contract.",
    ),
    ("north-american", {"opening_points": 0}, "built-before-opening", "Take the card back."),
    ("european", {"game_hands": 5}, "same-points", "Both: you share the place"),
    ("european", {"limit": None}, "stopping-early", "The lowest total: you may stop after any hand."),
    ("kalooki-51", {"game_hands": 5}, "stopping-early", "The lowest total: you may stop after any hand."),
    ("european", COLLECTS, "stopping-early", "Nobody yet: the first to collect 150 points wins"),
    ("european", COLLECTS, "dealt-in-though-out", "Nobody is knocked out here"),
    ("european", {"limit": None}, "buy-in-after-the-deal", "Nobody buys in here."),
    ("european", {"stake_call_up": 0}, "who-pays", "Nobody, except for a Kalooki: then everyone else dealt in"),
    ("european", {"stake_initial": 0}, "sharing-the-pool", "The winner of the game takes it all; "),
    ("european", {"calls": 3}, "has-drawn-already", "Count their hand and all they have laid, without freed jokers"),
    ("european", {"opening_points": 55}, "short-of-the-opening", "No: an opening needs 55 points."),
    ("european", {"build_end_limit": 3}, "three-cards-on-one-end", "Yes: up to 3 cards in one turn."),
    ("european", {"reshuffles": 2}, "stock-used-up-again", "Shuffle again, twice a hand at most"),
    ("kalooki-51", {"pool_others_limit": 80}, "no-share-of-the-pool", "No: only losers under 80 points share the 25%."),
]


@pytest.mark.parametrize(("variant_id", "house", "slug", "told"), TOLD)
def test_an_answer_follows_the_tables_house_rule(variant_id, house, slug, told):
    table, _ = with_house_rules(load(variant_id), house)
    assert next(each for each in settled(table) if each.slug == slug).ruling.startswith(told)


@pytest.mark.parametrize("variant", [*all_variants()], ids=lambda variant: variant.id)
@pytest.mark.parametrize("most", [None, 1, 2])
def test_answers_about_one_meld_and_about_several_state_the_limit(variant, most):
    table, _ = with_house_rules(variant, {"melds_a_turn": most})
    told = next(each for each in settled(table) if each.slug == "only-one-meld-a-turn").ruling
    assert not told.startswith(("Yes", "No"))


@pytest.mark.parametrize(("house", "asked"), [
    ({}, "Buy in before the next deal."),
    ({"out_at": "over_limit"}, None),
    ({"buy_ins": 0}, None),
])  # fmt: skip
def test_the_answer_about_exactly_the_limit_mentions_a_buy_in_only_if_out(house, asked):
    table, _ = with_house_rules(load("european"), house)
    assert next(each for each in settled(table) if each.slug == "exactly-at-the-limit").remedy == asked


@pytest.mark.parametrize(("variant_id", "house", "counted"), [
    ("european", {"kalooki_times": 2}, "2 times"),
    ("european", {"kalooki_times": 3, "scoring": "winner_collects", "limit": 500}, "3 times"),
    ("jamaican", {}, "2 times (unless the winner made more than 3 calls)"),
])  # fmt: skip
def test_cards_are_multiplied_before_points_are_added(variant_id, house, counted):
    table, _ = with_house_rules(load(variant_id), house | {"kalooki_points": 25})
    rule = rule_in_words("kalooki-effect", table)
    assert rule.first == f"The points of each loser’s cards count {counted}, with 25 points added after that."
    assert "25" not in rule.rest


def test_the_cost_of_all_at_once_is_described_in_the_order_of_computation():
    table, _ = with_house_rules(load("european"), {"kalooki_points": 25, "kalooki_times": 3})
    order = "Losers’ cards count 3 times. Each loser scores 25 points more."
    assert next(each for each in settled(table) if each.slug == "was-it-all-at-once").remedy.startswith(order)


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
    ("european", {}, "closed-set", "Closed sets", "closes it to a fifth card."),
    ("european", {}, "closed-set", "Closed sets", "such a set. Then its joker stays, too."),
    ("european", FULL, "closed-set", "Closed sets", "such a set. It stays closed whatever is done with the joker."),
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
    ("european", {"set_most": 3}, "joker-from-set", "Joker in a set of three", "A joker never leaves a set."),
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
        "pays the agreed amount to a winner who goes",
    ),
    (
        "european",
        {"ended_by_table": True},
        "game-end",
        "The end of the game",
        "The table may end it earlier, after any",
    ),
    *(
        (variant_id, {"limit": 200, **house}, "game-end", "The end of the game", said)
        for variant_id, house, said in [
            ("kalooki-51", {}, "The last player left in the game wins it. The table may end it earlier, after any"),
            ("kalooki-51", COLLECTS, "The first player to collect 200 points wins the game. The table may end it"),
            ("jamaican", {}, "The game has 9 hands, or ends when one player is left; the lowest total of those"),
            ("jamaican", COLLECTS, "The game has 9 hands, or ends once a player has collected 200 points; the highest"),
        ]
    ),
    ("european", COLLECTS | {"out_at": "over_limit"}, "limit", "Out of the game", "more than the limit"),
]


@pytest.mark.parametrize(("variant_id", "house", "slug", "title", "said"), SAID)
def test_a_rule_is_worded_as_the_table_plays_it(variant_id, house, slug, title, said):
    rule = rule_in_words(slug, with_house_rules(load(variant_id), house)[0])

    assert rule.title == title
    assert said in rule.text


@pytest.mark.parametrize(
    ("variant_id", "house", "slug", "case", "said"),
    [
        ("jamaican", {}, "set-or-run", "few", "A♠ alone isn’t a meld: lay a three or a four."),
        ("jamaican", SHORT, "set-or-run", "few", "A♠ alone isn’t a meld: lay a set or a run."),
        ("european", {"run_ends": "high_first"}, "run-ends", "else", "The low end of this run is not open yet:"),
        ("european", LONG, "ace-high", "else", "An ace is high only here: it never comes before the two."),
    ],
)
def test_a_ruling_uses_the_tables_words_for_melds(variant_id, house, slug, case, said):
    table, _ = with_house_rules(load(variant_id), house)

    assert explain(Fault(slug, parse("AS"), {"case": case}), table).text.startswith(said)


def test_a_set_that_may_exceed_four_cards_is_not_said_to_refuse_a_fifth():
    table, _ = with_house_rules(load("north-american"), {"set_suits": "free", "set_most": 6})

    assert rule_in_words("closed-set", table).text == ""
    assert rule_in_words("full-set", table).text == "A set of 6 cards is closed: no more cards can be added to it."


def test_without_jokers_no_rule_is_about_them():
    table, _ = with_house_rules(load("european"), {"jokers": 0})
    told = [rule.rule for chapter in rules_of(table) for rule in chapter.rules if "joker" in rule.rule]

    assert told == ["number-of-jokers"]
