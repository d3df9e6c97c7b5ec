"""The quarrels of real tables, answered for one table from the values it plays."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, NamedTuple

from app.kalooki.rulebook import Explained, rule_in_words
from app.kalooki.variants import Variant
from app.kalooki.wording import Gettext, Sentences, Words, first_told, read, sentences, told


class Quarrel(NamedTuple):
    """What is asked at the table, and the sentences that may answer it, all with the values under which each is said.

    `rules` are the slugs of the rules the answer rests on.
    """

    slug: str
    question: Sentences
    sentences: Sentences
    rules: tuple[str, ...]


class Answer(NamedTuple):
    """A quarrel settled for one table.

    `rules` are those of the quarrel that apply here; `house_rules` the table's own that decided ("Opening: 51 points").
    """

    slug: str
    question: str
    text: str
    rules: tuple[Explained, ...]
    house_rules: tuple[str, ...]


def answers(variant: Variant, gettext: Gettext = str) -> tuple[Answer, ...]:
    """Every quarrel that can come up in this variant, settled, the most frequent first."""
    settled = (_answer(quarrel, variant, gettext) for quarrel in quarrels().values())
    return tuple(answer for answer in settled if answer.text)


def _answer(quarrel: Quarrel, variant: Variant, gettext: Gettext) -> Answer:
    rules = [rule_in_words(slug, variant, gettext) for slug in quarrel.rules]
    applying = tuple(rule for rule in rules if rule.text)
    own = tuple(dict.fromkeys(rule.house_rule for rule in rules if rule.house_rule))
    text = told(quarrel.sentences, variant, gettext)
    return Answer(quarrel.slug, first_told(Words(variant, gettext), quarrel.question), text, applying, own)


@cache
def quarrels() -> Mapping[str, Quarrel]:
    """Every quarrel by its slug, the most frequent first."""
    return MappingProxyType({slug: _quarrel(slug, about) for slug, about in read("disputes.toml").items()})


def _quarrel(slug: str, about: Mapping[str, Any]) -> Quarrel:
    return Quarrel(slug, sentences(about["question"]), sentences(about["answer"]), tuple(map(str, about["rules"])))
