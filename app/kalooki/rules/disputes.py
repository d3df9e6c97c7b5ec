"""Disputes and irregularities (mishaps), read from two files of the same format (see `disputes.toml`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, NamedTuple

from app.kalooki.cards import BadInput
from app.kalooki.conditions import holds
from app.kalooki.readers import Reader, choice, flag, listed, mapping, optional_keys, text
from app.kalooki.rules.rulebook import rules
from app.kalooki.rules.wording import Sentences, Words, read, sentences, wording
from app.kalooki.variants import Variant, all_variants

FILES = {"dispute": "disputes.toml", "mishap": "mishaps.toml"}
GROUPS = tuple(wording()["groups"])
"""The groups of answers, in the order of a hand with mishaps last."""
HEADINGS = tuple(wording()["headings"])
"""The groups of mishaps, in the order of a hand."""
MOMENTS = tuple(wording()["moments"])
"""The moments at which a mishap may be noticed, in order of time, such as "before_next_draw"."""


class Case(NamedTuple):
    """One case of a dispute and the ruling on it.

    It can come up if any line of `conditions` is true. `when` is the moment at which a mishap was noticed.
    `why` is further explanation, `remedy` what to do now. `rules` are the slugs of the rules that decide, `beside` of
    those behind the further explanation, `by` of those that prevent the mishap in this variant.
    """

    when: str = ""
    conditions: tuple[str, ...] = ("",)
    ruling: Sentences = ()
    why: Sentences = ()
    remedy: Sentences = ()
    rules: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    by: tuple[str, ...] = ()

    def comes_up(self, variant: Variant) -> bool:
        return any(holds(line, variant) for line in self.conditions)


class Dispute(NamedTuple):
    """A dispute or a mishap (`kind`), with its cases.

    `search` are other words that players use for it. A mishap `follows` from principles; if it is `stated`, a document
    that states its rule also states the ruling. `check` names the check that judges such cards, `here` the facts that a
    running game can add.
    """

    kind: str
    slug: str
    cases: tuple[Case, ...]
    group: str
    title: Sentences
    search: tuple[str, ...] = ()
    follows: tuple[str, ...] = ()
    stated: bool = False
    check: str = ""
    here: str = ""


def of_kind(kind: str) -> Mapping[str, Dispute]:
    """Return all disputes or all mishaps by slug, in the order of their file."""
    return {slug: dispute for slug, dispute in disputes().items() if dispute.kind == kind}


@cache
def disputes() -> Mapping[str, Dispute]:
    """Return all disputes and mishaps by slug."""
    every = (dispute for kind, file in FILES.items() for dispute in read_disputes(kind, read(file)))
    return MappingProxyType({dispute.slug: dispute for dispute in every})


def read_disputes(kind: str, entries: Mapping[str, Any]) -> tuple[Dispute, ...]:
    """Return the disputes of one file; raises ValueError naming file, entry, key and reason for each broken entry."""
    disputes_read, wrong = [], []
    for slug, about in entries.items():
        try:
            disputes_read.append(_dispute(kind, slug, about))
        except BadInput as reason:
            wrong.append(f"{FILES[kind]}: {reason}")
    if wrong:
        raise ValueError("\n".join(wrong))
    return tuple(disputes_read)


def _dispute(kind: str, slug: str, about: Mapping[str, Any]) -> Dispute:
    """Return a dispute whose cases inherit from it whatever they do not define themselves."""
    contents = _DISPUTE({key: raw for key, raw in about.items() if key not in _OF_A_CASE}, slug)
    shared = {key: raw for key, raw in about.items() if key in _OF_A_CASE}
    raw_cases = contents.pop("case", ({},))
    cases = tuple(Case(**_CASE(shared | raw, f"{slug}.case.{number}")) for number, raw in enumerate(raw_cases))
    for key in _missing(contents, cases):
        raise BadInput("{field} is missing.", f"{slug}.{key}")
    return Dispute(kind, slug, cases, **contents)


def _missing(contents: Mapping[str, Any], cases: tuple[Case, ...]) -> Iterator[str]:
    yield from (key for key in ("group", "title") if key not in contents)
    yield from ("ruling" for case in cases if not case.ruling)


def _sentences(raw: Any, path: str) -> Sentences:
    """Read texts, and check that their conditions and {names} are values of a variant."""
    words = Words(all_variants()[0])
    try:
        texts = sentences(raw)
        for conditions, text in texts:
            holds(conditions, words.variant)
            text.format_map(words)
    except (AttributeError, IndexError, TypeError, ValueError) as reason:
        raise BadInput("{field}: this cannot be said of a variant: {word}", path, reason) from reason
    return texts


_SENTENCES = Reader(_sentences, {})
_LINE = Reader(lambda raw, path: _sentences([[raw, ""]], path)[0][0], {})
_TEXT = text(1, 80)
_TEXTS = listed(_TEXT, 99)
_RULES = listed(choice(*rules()), 99)
_OF_A_CASE = {
    **dict.fromkeys(("ruling", "why", "remedy"), _SENTENCES),
    **dict.fromkeys(("rules", "beside", "by"), _RULES),
    "when": choice(*MOMENTS),
    "conditions": listed(_LINE, 9),
}
_CASE = optional_keys(_OF_A_CASE, "Case")
_DISPUTE = optional_keys(
    {
        "group": choice(*dict.fromkeys((*GROUPS, *HEADINGS))),
        "title": _SENTENCES,
        "search": _TEXTS,
        "follows": listed(choice(*wording()["principles"]), 9),
        "stated": flag,
        "check": _TEXT,
        "here": _TEXT,
        "case": listed(Reader(mapping, {}), 99),
    },
    "Dispute",
)
