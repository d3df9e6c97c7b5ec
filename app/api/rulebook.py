"""The rulebook as JSON: variants and their values, rules and broken rules in words, and disputes with answers."""

from __future__ import annotations

from dataclasses import replace
from operator import attrgetter
from typing import Any, NamedTuple

from app.api.writers import ANYTHING, COUNT, FLAG, TEXT, WHOLE, Writer, by_name, fields, listed, one_of, or_null, record
from app.kalooki.faults import Fault
from app.kalooki.rules.answers import Answer, Reply, RuledCase
from app.kalooki.rules.find import MOST_FOUND
from app.kalooki.rules.rulebook import Explained, explain, rules_of
from app.kalooki.rules.wording import value_words
from app.kalooki.variants import Meaning, Variant, differences, differing_values, house_range, meanings

_NOTE = "The last words of `text`: how the rule stands where a reader has to know."
_RULE = fields(Explained, "rule title standing sources", text="in_full")
_BROKEN = record(_RULE | fields(Explained, "cards house_rule", note=TEXT.about(_NOTE)))
_WHERE = {"field": TEXT, "step": or_null(COUNT), "on": COUNT}
"""What a fault may be about: a field, a step of a turn (null: before the turn), a meld on the table."""


class Broken(NamedTuple):
    """A fault, the variant whose rule is broken, and the entry that breaks it, if recorded."""

    fault: Fault
    variant: Variant
    entry: int | None = None


def _write_broken(broken: Broken) -> dict[str, Any]:
    words: dict[str, Any] = _BROKEN(explain(broken.fault, broken.variant))
    words |= {name: broken.fault.facts[name] for name in _WHERE if name in broken.fault.facts}
    return words | ({"entry": broken.entry} if broken.entry else {})


FAULT = Writer(_BROKEN.also(**_WHERE, entry=COUNT).shape, _write_broken, "Fault")


class _PlayedValue(NamedTuple):
    """One value as a variant plays it."""

    variant: Variant
    meaning: Meaning


def _values(variant: Variant) -> dict[str, _PlayedValue]:
    return {key: _PlayedValue(variant, meaning) for key, meaning in meanings().items()}


class Pair(NamedTuple):
    """Two variants, or one value as both play it."""

    a: Any
    b: Any


def _differences(pair: Pair) -> dict[str, Pair]:
    """Return the values that two variants play differently, in the order of `values.toml`."""
    a, b = _values(pair.a), _values(pair.b)
    return {key: Pair(a[key], b[key]) for key in differing_values(pair.a, pair.b)}


def _rules(variant: Variant) -> list[Explained]:
    return [rule for chapter in rules_of(variant) for rule in chapter.rules]


_PLAYED = {
    "value": ANYTHING.of(lambda played: played.variant.plain[played.meaning.key]),
    "words": TEXT.of(lambda played: value_words(played.variant, played.meaning.key)),
    "stated": FLAG.of(lambda played: played.meaning.key in played.variant.stated),
}
_EACH = record({}).also(least=WHOLE, most=WHOLE).shape
_RANGE = Writer(
    record({}).also(choices=listed(ANYTHING), least=WHOLE, most=WHOLE, none=FLAG, each=Writer(_EACH, dict)).shape, dict
)
_HOUSE = or_null(_RANGE).of(lambda played: house_range(played.variant, played.meaning.key))
_IN_SHORT = fields(Variant, "id source name summary")
_DEPENDS = {"depends": listed(TEXT).of(lambda played: played.meaning.depends)}
_VALUES = by_name(record(fields(Meaning, "label unit rule", "meaning") | _PLAYED | {"house": _HOUSE} | _DEPENDS)).of(
    _values
)
VARIANTS = listed(record(_IN_SHORT))
VARIANT = record(_IN_SHORT | {"values": _VALUES, "rules": listed(record(_RULE)).of(_rules)})
"""Every value with its meaning, and the rules that apply, in reading order."""
AT_ODDS = record({"keys": listed(TEXT), "message": TEXT.of(lambda fault: fault.say_alone())})
JUDGED_RULES = record(
    {
        "ok": FLAG.of(lambda judged: not judged.faults),
        "faults": listed(AT_ODDS),
        "warnings": listed(TEXT).of(lambda judged: [explain(odd, judged.table).text for odd in judged.warnings]),
        "differs": listed(TEXT).of(lambda judged: differences(judged.table)),
        "values": replace(_VALUES, get=lambda judged: _values(judged.table)),
    }
)
"""What is wrong or odd with house rules, what they change, and every value (if unplayable, the variant's own)."""
_BOTH = fields(Meaning, "label unit rule", "a.meaning") | {"a": record(_PLAYED), "b": record(_PLAYED)}
_DIFFERING = by_name(record(_BOTH)).of(_differences)
COMPARISON = record({"a": TEXT.of("a.id"), "b": TEXT.of("b.id"), "values": _DIFFERING})
"""The values that two variants play differently, each with what both play, as a value and in words."""

_SLUGS = listed(Writer(TEXT.shape, attrgetter("rule")))
_FOLDED = TEXT.about("What else there is to say; last, how it stands where a reader has to know.")
_WHY = _FOLDED.of(lambda answer: f"{answer.more} {answer.note}".strip())
_ANSWERED = fields(
    Answer,
    "group title standing sources",
    id="slug",
    ruling=TEXT.about("One sentence, with the exception that would turn it."),
    why=_WHY,
    more=_WHY,
    rules=_SLUGS.about("Those that decide; the weakest gives the standing."),
    beside=_SLUGS.about("Those behind what else is said; each has its own standing."),
)
_CASES = listed(record(fields(RuledCase, "when ruling", remedy=TEXT))).of(
    lambda answer: filter(attrgetter("when"), answer.cases)
)
_DISPUTE = record(_ANSWERED | fields(Answer, "remedy", cases=_CASES, kind=one_of("dispute", "mishap")))
_FOUND_RULE = record(_ANSWERED | {"kind": one_of("rule")})
DISPUTES = listed(_DISPUTE)
_DOUBTED = one_of(False).about("Present where another answer may be meant as well.")
_ANSWER = Writer(
    {"oneOf": [_DISPUTE.also(sure=_DOUBTED).schema, _FOUND_RULE.also(sure=_DOUBTED).schema]},
    lambda answer: _FOUND_RULE(answer) if answer.kind == "rule" else _DISPUTE(answer),
)
_RESULTS = listed(_ANSWER)


def _results(reply: Reply) -> list[dict[str, Any]]:
    doubt = {} if reply.sure else {"sure": False}
    return [_ANSWER(answer) | doubt for answer in reply.one_by_one[:MOST_FOUND]]


def _ask_back(reply: Reply) -> str:
    if reply.answers:
        return "Which of these is it?"
    return "Nothing here answers that. What comes nearest:"


_CHOICE = record({"text": TEXT.of("title"), "q": TEXT.of("title")})
_ASK = record({"question": TEXT.of(_ask_back), "choices": listed(_CHOICE)})
_FOUND = record({"results": Writer(_RESULTS.shape | {"maxItems": MOST_FOUND}, _results).of(lambda reply: reply)})
FOUND = replace(
    _FOUND.also(ask=_ASK, variant=TEXT.about("The variant that the question names, where it is not the one asked.")),
    write=lambda reply: (
        _FOUND(reply)
        | ({"ask": _ASK(reply)} if reply.choices else {})
        | ({"variant": reply.named.id} if reply.named else {})
    ),
)
"""The answers to a question; if it is not certain which is meant, also a question in return."""
