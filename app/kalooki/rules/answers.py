"""Everything this app can answer about one table: listed by group, and found by the words players use."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from types import MappingProxyType

from app.kalooki.rules.disputes import Answer, answers, mishap_answers, rule_answers
from app.kalooki.rules.find import MOST_FOUND, Index, Text
from app.kalooki.rules.wording import Gettext, read
from app.kalooki.variants import Variant, all_variants

MOST_INDEXES = 16
"""Tables whose search index stays cached: the variants, and as many with their own house rules."""


def settled(variant: Variant, gettext: Gettext = str) -> tuple[Answer, ...]:
    """Every dispute and every mishap, in the order of `disputes.GROUPS`."""
    return answers(variant, gettext) + mishap_answers(variant, gettext)


def found(question: str, variant: Variant, gettext: Gettext = str, most: int = MOST_FOUND) -> tuple[Answer, ...]:
    """The answers to a question in players' own words, best first; none if nothing fits.

    >>> from app.kalooki.variants import load
    >>> [answer.slug for answer in found("I drew two by mistake", load("european"))][0]
    'drew-two'
    """
    places = _index(variant).find(question, most)
    every = [*_every(variant, gettext)] if places else []
    return tuple(every[place] for place in places)


def make_ready() -> None:
    """Index the answers of every variant now, so that nobody waits for it."""
    for variant in all_variants():
        _index(variant)


def _every(variant: Variant, gettext: Gettext) -> Iterator[Answer]:
    yield from settled(variant, gettext)
    yield from rule_answers(variant, gettext)


@lru_cache(MOST_INDEXES)
def _index(variant: Variant) -> Index[int]:
    """The places of a table's answers, by the words of the source texts."""
    return Index(
        Text(place, answer.title, _said(answer), answer.searched_by + asked().get(answer.slug, ()))
        for place, answer in enumerate(_every(variant, str))
    )


def _said(answer: Answer) -> str:
    cases = (f"{case.ruling} {case.remedy}" for case in answer.cases)
    return " ".join((answer.text, answer.remedy or "", *cases))


@cache
def asked() -> Mapping[str, tuple[str, ...]]:
    """How people at a table ask for each answer, by its slug."""
    return MappingProxyType({slug: tuple(wordings) for slug, wordings in read("asked.toml").items()})
