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
from pathlib import Path
from tomllib import loads

import pytest

from app.kalooki.cards import BadInput, parse
from app.kalooki.conditions import plain
from app.kalooki.faults import Fault
from app.kalooki.rules.answers import settle
from app.kalooki.rules.disputes import disputes
from app.kalooki.rules.rulebook import explain, rule_in_words, rules
from app.kalooki.rules.wording import Words, filled, first_filled, value_words
from app.kalooki.variants import all_variants, load, meanings, with_house_rules

FILE = Path(__file__).with_name("sentences.txt")
ODD_TABLES = loads(FILE.with_name("odd_tables.toml").read_text("utf-8"))
PLAY = [slug for slug, rule in rules().items() if rule.chapter]
FACTS = ["count", "points", "missing", "needed", "held", "over", "sets", "runs", "laid_sets", "laid_runs", "melds"]
ENDS = {"contracts": ([[1, 1]], [[2, 0], [0, 2]], []), "dealt": (3, 11, [7] * 16)}
NOT_TOLD = ("(not told)",)
ABOUT = "What players are told, and above each text at which tables. test_sentences.py writes and compares it.\n"
ONE_DEAL = {"dealt_by": "players", "dealt": 13}


def ends_of(key):
    """Return both ends of a value's range, or all choices."""
    house = meanings()[key].house or {"choices": []}
    bounds = [house[end] for end in ("least", "most") if end in house]
    return ENDS.get(key) or [*house.get("choices", bounds), *([None] if house.get("none") else [])]


@cache
def tables_of(variant_id):
    """Return the variant with each value at each end of its range: the value, its key, and the table."""
    found = {}
    for key, value in ((each, value) for each in meanings() for value in ends_of(each)):
        more = ONE_DEAL if key == "contracts" and not value else {}
        with suppress(BadInput):
            table, _ = with_house_rules(load(variant_id), {key: value} | more)
            if getattr(table, key) != getattr(load(variant_id), key):
                found[written({key: value})] = (key, table)
    return found


def written(house):
    return ", ".join(
        f"{key}={plain(value or None if isinstance(value, list) else value)}" for key, value in house.items()
    )


def told_at(table):
    """Yield what a table is told: a heading, and the lines under it."""
    words = Words(table)
    for slug in PLAY:
        rule = rules()[slug]
        if text := filled(words, rule.sentences):
            yield f"rule {slug}", (first_filled(words, rule.title), text)
        for case in rule.faults:
            fault = Fault(slug, parse("7H *=8H"), dict.fromkeys(FACTS, 7) | {"case": case})
            yield f"breach {slug}, {case}", (explain(fault, table).text,)
    for slug, dispute in disputes().items():
        cases = [case for case in dispute.cases if case.comes_up(table)]
        told = [[filled(words, text) for text in (case.ruling, case.remedy, case.why)] for case in cases]
        if any(ruling for ruling, *_ in told):
            when = [f"{case.when}:" if case.when else "" for case in cases]
            lines = (each for moment, texts in zip(when, told, strict=True) for each in (moment, *texts) if each)
            yield f"{dispute.kind} {slug}", (first_filled(words, dispute.title), *lines)


def noted_at(variant):
    """Yield what stands beside it at a table without house rules: where it comes from, and its values."""
    for slug in PLAY:
        if (rule := rule_in_words(slug, variant)).text:
            yield f"note on rule {slug}", (f"{rule.standing}. {rule.note}".strip(),)
    for slug, dispute in disputes().items():
        if (answer := settle(dispute, variant)).ruling:
            behind = [f"({each.rule}: {each.standing})" for each in (*answer.rules, *answer.beside)]
            lines = (f"{answer.standing}. {answer.note}".strip(), " ".join(behind))
            yield f"note on {dispute.kind} {slug}", tuple(filter(None, lines))
    for key, meaning in meanings().items():
        yield f"value {key}", (f"{meaning.label}: {value_words(variant, key)}",)


@cache
def sentences():
    """Return by heading every text, and for each the tables that are told it: house rules, and the variant.

    What a house rule changes only in a number is left out.
    """
    found = defaultdict(lambda: defaultdict(list))
    alike = defaultdict(set)
    for variant in all_variants():
        for heading, lines in (*told_at(variant), *noted_at(variant)):
            found[heading][lines].append(("as usual", variant.id))
            alike[heading].add(numberless(lines))
    for variant in all_variants():
        usual = dict(told_at(variant))
        own_rules = {own: table for own, (_key, table) in tables_of(variant.id).items()}
        odd = {written(house): with_house_rules(variant, house)[0] for house in ODD_TABLES.get(variant.id, ())}
        for own, table in (own_rules | odd).items():
            told = dict(told_at(table))
            for heading in usual | told:
                lines = told.get(heading, NOT_TOLD)
                is_new = numberless(lines) not in alike[heading]
                if lines != usual.get(heading) and (is_new or (own in own_rules and lines in found[heading])):
                    found[heading][lines].append((own, variant.id))
                    alike[heading].add(numberless(lines))
    return found


def numberless(lines):
    return re.sub(r"\d+", "0", "\n".join(lines))


def whose(tables):
    """Return the tables that are told a text, for the line above it: house rules, and in which variants."""
    by_variants = defaultdict(list)
    for own in dict.fromkeys(own for own, _ in tables):
        by_variants[" ".join(variant for each, variant in tables if each == own)].append(own)
    return "; ".join(f"{', '.join(owns)} [{variants}]" for variants, owns in by_variants.items())


def in_full():
    for heading, told in sorted(sentences().items()):
        yield f"\n== {heading}\n"
        for lines, tables in told.items():
            yield f"\n  {whose(tables)}\n"
            yield from (f"{line}\n" for line in lines)


def test_players_are_told_what_the_file_says():
    written_now = f"{ABOUT}{''.join(in_full())}"
    if os.environ.get("WRITE_SENTENCES"):
        FILE.write_text(written_now, "utf-8")
        pytest.fail("The sentences were written anew: read the difference.")
    changed = [*unified_diff(FILE.read_text("utf-8").splitlines(), written_now.splitlines(), "was", "is", n=3)]
    assert changed[:60] == []
