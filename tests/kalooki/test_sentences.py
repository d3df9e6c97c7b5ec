"""What players are told: every rule, ruling, breach and value in words, at every table, as `sentences.txt` has it.

The file is for reading. Under each heading stand its texts; above each, the tables that are told so: variants as they
are, and those with a house rule that changes the text. After a change of words that is meant, `WRITE_SENTENCES=1`
writes the file anew: read the difference before committing it.
"""

import os
import re
from collections import defaultdict
from contextlib import suppress
from difflib import unified_diff
from functools import cache
from itertools import product
from pathlib import Path
from tomllib import loads
from typing import NamedTuple

import pytest

from app.kalooki.cards import BadInput, parse
from app.kalooki.conditions import plain
from app.kalooki.faults import Fault
from app.kalooki.rules.answers import settle
from app.kalooki.rules.disputes import MOMENTS, disputes, of_kind
from app.kalooki.rules.rulebook import explain, rule_in_words, rules
from app.kalooki.rules.wording import Words, fill, fill_first, say, split_first_sentence, value_words
from app.kalooki.variants import all_variants, load, meanings, with_house_rules

FILE = Path(__file__).with_name("sentences.txt")
ODD_TABLES = loads(FILE.with_name("odd_tables.toml").read_text("utf-8"))
BY_HAND = loads(FILE.with_name("value_by_ruling.toml").read_text("utf-8"))
PLAY = [slug for slug, rule in rules().items() if rule.chapter]
FACTS = ["count", "points", "missing", "needed", "held", "over", "sets", "runs", "laid_sets", "laid_runs", "melds"]
ENDS = {"contracts": ([[1, 1]], [[2, 0], [0, 2]], []), "dealt": (3, 11, [7] * 16)}
ABOUT = "What players are told, and above each text at which tables. test_sentences.py writes and compares it.\n"
ONE_DEAL = {"dealt_by": "players", "dealt": 13}
NONSENSE = re.compile(
    r"None(?!: |, and nobody)|True|False|[{}_]|  |\.\.| ,|\b(\w+) \1\b|\b0 (?!points|units|is|behind)\w"
)
"""A value that went into a sentence unworded, no sentence at all, a word twice, or none of something counted."""
FOURS = re.compile(r"\b(a|no|this|one|same|second|another) (three|four)\b|\b(threes|fours)\b", re.IGNORECASE)
"""Melds called threes and fours."""

pytestmark = pytest.mark.no_cover  # others take these branches; measuring every sentence of every table takes its time


class Told(NamedTuple):
    """What is told under a heading: for each moment when it is, the ruling, the remedy, and what else."""

    title: str
    parts: tuple[tuple[str, str, str, str], ...]

    @property
    def lines(self):
        moments = ((f"{when.replace('_', ' ')}:" if when else "", *texts) for when, *texts in self.parts)
        return [line for line in (self.title, *(text for texts in moments for text in texts)) if line]


def single(title, text):
    return Told(title, (("", text, "", ""),))


NOT_TOLD = single("", "(not told)")


def ends_of(key):
    """Return both ends of a value's range, or all choices."""
    house = meanings()[key].house or {"choices": []}
    bounds = [house[end] for end in ("least", "most") if end in house]
    return ENDS.get(key) or [*house.get("choices", bounds), *([None] if house.get("none") else [])]


def tables_of(variant, odd):
    """Return a table with each value at each end of its range, unless they clash: the value, its key, and the table."""
    base, found = with_house_rules(variant, odd)[0], {}
    for key, value in ((each, value) for each in meanings() for value in ends_of(each)):
        more = ONE_DEAL if key == "contracts" and not value else {}
        with suppress(BadInput):
            table, _ = with_house_rules(variant, odd | {key: value} | more)
            if getattr(table, key) != getattr(base, key):
                found[written({key: value})] = (key, table)
    return found


def written(house):
    return ", ".join(f"{key}={plain(None if value == [] else value)}" for key, value in house.items())


def told_at(table, *, only_disputes=False):
    """Yield what a table is told: a heading, and what is told under it."""
    words = Words(table)
    for slug in () if only_disputes else PLAY:
        rule = rules()[slug]
        if text := fill(words, rule.sentences):
            yield f"rule {slug}", single(fill_first(words, rule.title), text)
        for case in rule.faults:
            fault = Fault(slug, parse("7H *=8H"), dict.fromkeys(FACTS, 7) | {"case": case})
            yield f"breach {slug}, {case}", single("", explain(fault, table).text)
    for slug, dispute in disputes().items():
        cases = [case for case in dispute.cases if case.comes_up(table)]
        parts = tuple((case.when, *(fill(words, of) for of in (case.ruling, case.remedy, case.why))) for case in cases)
        if any(ruling for _, ruling, *_ in parts):
            yield f"{dispute.kind} {slug}", Told(fill_first(words, dispute.title), parts)


def noted_at(variant):
    """Yield what stands beside it at a table without house rules: where it comes from, and its values."""
    for slug in PLAY:
        if (rule := rule_in_words(slug, variant)).text:
            yield f"note on rule {slug}", single("", f"{rule.standing}. {rule.note}".strip())
    for slug, dispute in disputes().items():
        if (answer := settle(dispute, variant)).ruling:
            behind = " ".join(f"({each.rule}: {each.standing})" for each in (*answer.rules, *answer.beside))
            yield f"note on {dispute.kind} {slug}", single(f"{answer.standing}. {answer.note}".strip(), behind)
    for key, meaning in meanings().items():
        yield f"value {key}", single("", f"{meaning.label}: {value_words(variant, key)}")


@cache
def every_table():
    """Return what each variant is told, and each of its tables with one house rule: key, table, what is told."""
    found = {variant: {"as usual": ("", variant, dict(told_at(variant)))} for variant in all_variants()}
    for variant, tables in found.items():
        tables |= {own: (key, table, dict(told_at(table))) for own, (key, table) in tables_of(variant, {}).items()}
    return found


@cache
def everything():
    """Return every heading with everything told under it anywhere, and whether that table has fours."""
    tables = [table for tables in every_table().values() for table in tables.values()]
    return {(heading, each, table.has_fours) for _, table, told in tables for heading, each in told.items()}


def sentences():
    """Return by heading every text, and for each the tables that are told it: house rules, and the variant.

    What a house rule changes only in a number is left out.
    """
    found, alike = defaultdict(lambda: defaultdict(list)), defaultdict(set)

    def add(heading, told, own, variant):
        found[heading][told].append((own, variant.id))
        alike[heading].add(numberless(told))

    for variant, tables in every_table().items():
        for heading, told in (*tables["as usual"][2].items(), *noted_at(variant)):
            add(heading, told, "as usual", variant)
    for variant, tables in every_table().items():
        usual = tables["as usual"][2]
        odd = [(written(house), with_house_rules(variant, house)[0]) for house in ODD_TABLES.get(variant.id, ())]
        own_rules = [(own, told) for own, (key, _, told) in tables.items() if key]
        for own, now in (*own_rules, *((own, dict(told_at(table))) for own, table in odd)):
            for heading in usual | now:
                told = now.get(heading, NOT_TOLD)
                is_new = numberless(told) not in alike[heading]
                if told != usual.get(heading) and (is_new or (own in tables and told in found[heading])):
                    add(heading, told, own, variant)
    return found


def numberless(told):
    return re.sub(r"\d+", "0", "\n".join(told.lines))


def whose(tables):
    """Return the tables that are told a text, for the line above it: house rules, and in which variants."""
    by_variants = defaultdict(list)
    for own in dict.fromkeys(own for own, _ in tables):
        by_variants[" ".join(variant for each, variant in tables if each == own)].append(own)
    return "; ".join(f"{', '.join(owns)} [{variants}]" for variants, owns in by_variants.items())


def in_full():
    for heading, texts in sorted(sentences().items()):
        yield f"\n== {heading}\n"
        for told, tables in texts.items():
            yield f"\n  {whose(tables)}\n"
            yield from (f"{line}\n" for line in told.lines)


def test_players_are_told_what_the_file_says():
    now = f"{ABOUT}{''.join(in_full())}"
    if os.environ.get("WRITE_SENTENCES"):
        FILE.write_text(now, "utf-8")
        pytest.fail("The sentences were written anew: read the difference.")
    changed = [*unified_diff(FILE.read_text("utf-8").splitlines(), now.splitlines(), "was", "is", n=3)]
    assert changed[:60] == [], "written anew by WRITE_SENTENCES=1 python3 -m tests tests/kalooki/test_sentences.py"


# ---- Laws of all texts, at every table


def test_every_text_is_whole_and_in_the_tables_own_words():
    assert {f"rule {slug}" for slug in PLAY} <= {heading for heading, _, _ in everything()}
    every = {(heading, line, has_fours) for heading, told, has_fours in everything() for line in told.lines}
    nonsense = [(heading, line) for heading, line, _ in every if NONSENSE.search(line.replace("0 jokers.", "jokers."))]
    fours = [(heading, line) for heading, line, has_fours in every if FOURS.search(line) and not has_fours]
    assert nonsense + [each for each in fours if "The two sits on their left" not in each[1]] == []


def test_a_ruling_and_a_remedy_are_short_enough_to_be_read_aloud():
    for heading, told, _ in everything():
        kind = heading.split()[0]
        for when, ruling, remedy, _more in told.parts if kind in ("dispute", "mishap") else ():
            assert ruling, (heading, when)
            assert not re.search(r"[.?!] ", ruling), ruling
            assert max(len(ruling.split()), len(remedy.split())) <= 25, (heading, ruling, remedy)
            assert remedy or kind == "dispute", heading
        assert len(told.title.split()) <= 15, heading


def test_the_first_sentence_of_a_rule_is_short():
    rule_texts = [(heading, told.parts[0][1]) for heading, told, _ in everything() if heading.startswith("rule ")]
    long = {heading for heading, text in rule_texts if len(split_first_sentence(text)[0].split()) > 25}
    assert long <= {"rule the-deal"}  # as long as a table's own list


def test_the_moments_of_a_mishap_differ_and_are_in_order_of_time():
    for heading, told, _ in everything():
        if heading.startswith("mishap "):
            places = [MOMENTS.index(when) for when, *_ in told.parts]
            assert places == sorted(set(places)), heading
            assert len(places) == 1 or MOMENTS.index("any") not in places, heading


def test_every_mishap_is_ruled_and_most_disputes_are_in_every_variant():
    for tables in every_table().values():
        told = tables["as usual"][2]
        assert {f"mishap {slug}" for slug in of_kind("mishap")} <= told.keys()
        assert sum(heading.startswith("dispute ") for heading in told) >= 20


def test_every_choice_of_a_house_rule_and_every_value_has_words():
    for key, choice in ((each, choice) for each in meanings() for choice in ends_of(each)):
        words = say(key, tuple(choice) if isinstance(choice, list) else choice)
        assert words not in ("", "None", "True", "False")
    for variant, key in product(all_variants(), meanings()):
        assert not re.search(r"None|True|False|_|\(|\[|^$", value_words(variant, key)), key


# ---- What a house rule turns


@cache
def turned():
    """Return by dispute what turns it: the key of the house rule, both texts, and the table."""
    found = defaultdict(list)

    def compare(usual, key, table, now):
        for slug, dispute in disputes().items():
            before, after = usual.get(f"{dispute.kind} {slug}"), now.get(f"{dispute.kind} {slug}")
            if before != after:
                found[slug].append((key, before, after, table))

    for tables in every_table().values():
        for key, table, now in tables.values():
            compare(tables["as usual"][2], key, table, now)
    for odd in BY_HAND["tables"].values():
        variant, house = load(odd["of"]), {key: value for key, value in odd.items() if key != "of"}
        usual = dict(told_at(with_house_rules(variant, house)[0], only_disputes=True))
        for key, table in tables_of(variant, house).values():
            compare(usual, key, None, dict(told_at(table, only_disputes=True)))
    return found


@pytest.mark.parametrize("kind", ["dispute", "mishap"])
def test_every_value_changes_the_expected_rulings_and_no_others(kind):
    """`value_by_ruling.toml` says by hand which values turn an answer, and which decide whether it comes up."""
    assert [*BY_HAND[kind]] == [*of_kind(kind)], "judge in value_by_ruling.toml which values turn the new answer"
    for slug, row in BY_HAND[kind].items():
        ways = {True: set(), False: set()}
        for key, before, after, _table in turned()[slug]:
            ways[bool(before and after)].add(key)
        assert ways == {True: {*row.get("told", "").split()}, False: {*row.get("out", "").split()}}, slug


def test_an_answer_or_rule_changed_by_a_house_rule_names_it():
    changed = {
        (slug, key): (before, after, table)
        for slug, each in turned().items()
        for key, before, after, table in each
        if table
    }
    told_as_ours = [
        (slug, key, settle(disputes()[slug], table))
        for (slug, key), (before, after, table) in changed.items()
        if before and after and [part[:3] for part in before.parts] != [part[:3] for part in after.parts]
    ]
    assert len(told_as_ours) > 200
    silent = [(slug, key) for slug, key, answer in told_as_ours if not answer.own or "Not in the source" in answer.note]
    assert silent == []
    for tables in every_table().values():
        usual = tables["as usual"][2]
        for own, (_, table, now) in tables.items():
            for heading in (each for each in now if each.startswith("rule ") and now[each] != usual.get(each)):
                rule = rule_in_words(heading.removeprefix("rule "), table)
                assert rule.house_rule or rule.standing != "house", (own, heading)
