"""Quarrels settled by a few taps: asks only what changes the ruling at this table, then rules."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, NamedTuple

from app.kalooki.rules.disputes import Answer, Quarrel, settle
from app.kalooki.rules.wording import Gettext, Sentences, Words, first_told, holds, read, sentences
from app.kalooki.variants import Variant

YES, NO = "yes", "no"
Said = Mapping[str, str]
"""The answers, YES or NO, by the name of the question."""


class Question(NamedTuple):
    """A yes-or-no question; `said` is the answer, empty while there is none."""

    name: str
    text: str
    said: str = ""


class Settled(NamedTuple):
    """A quarrel so far: the answers, and then either the next question or the ruling.

    `ok` says whether the ruling allows it; None while a question is open.
    """

    title: str
    answered: tuple[Question, ...]
    question: Question | None
    ok: bool | None
    ruling: Answer | None


class _Step(NamedTuple):
    """A question (`ask` is its name) or a ruling, with the values and answers that make it come up."""

    conditions: tuple[str, ...]
    said: tuple[tuple[str, str], ...]
    ask: str
    text: Sentences
    ok: bool
    ruling: Quarrel


class _Walk(NamedTuple):
    """The steps in order; the last is the ruling if no other ends the walk."""

    title: Sentences
    detail: str
    steps: tuple[_Step, ...]


def titles(variant: Variant, gettext: Gettext = str) -> Mapping[str, tuple[str, str]]:
    """The quarrels that a few taps settle, by slug: the question, and a few words more."""
    words = Words(variant, gettext)
    return {slug: (first_told(words, walk.title), gettext(walk.detail)) for slug, walk in _walks().items()}


def settled_by(said: Said, slug: str, variant: Variant, gettext: Gettext = str) -> Settled:
    """The next question, or the ruling, after some answers; answers to questions that do not come up are ignored.

    >>> from app.kalooki.variants import load
    >>> settled_by({}, "kalooki", load("european")).question.name
    'laid'
    >>> settled_by({"laid": "yes"}, "kalooki", load("european")).ok
    False
    """
    words = Words(variant, gettext)
    walk = _walks()[slug]
    title = first_told(words, walk.title)
    answered: dict[str, Question] = {}
    *steps, last = walk.steps
    for step in steps:
        if not _comes_up(step, answered, variant):
            continue
        if not step.ask:
            last = step
            break
        question = Question(step.ask, first_told(words, step.text), _answer_to(step.ask, said))
        if not question.said:
            return Settled(title, tuple(answered.values()), question, None, None)
        answered[step.ask] = question
    return Settled(title, tuple(answered.values()), None, last.ok, settle(last.ruling, variant, gettext))


def _answer_to(name: str, said: Said) -> str:
    return said[name] if said.get(name) in (YES, NO) else ""


def _comes_up(step: _Step, answered: Mapping[str, Question], variant: Variant) -> bool:
    if not any(holds(conditions, variant) for conditions in step.conditions):
        return False
    return all(name in answered and answered[name].said == answer for name, answer in step.said)


@cache
def _walks() -> Mapping[str, _Walk]:
    return MappingProxyType({slug: _walk(slug, about) for slug, about in read("quick.toml").items()})


def _walk(slug: str, about: Mapping[str, Any]) -> _Walk:
    title = sentences(about["title"])
    steps = tuple(_step(slug, about["group"], title, step) for step in about["step"])
    return _Walk(title, about["detail"], steps)


def _step(slug: str, group: str, title: Sentences, about: Mapping[str, Any]) -> _Step:
    ruling = Quarrel(
        slug=slug,
        group=group,
        question=title,
        sentences=sentences(about.get("ruling", [])),
        remedy=sentences(about.get("remedy", [])),
        rules=tuple(about.get("rules", ())),
        beside=tuple(about.get("beside", ())),
        searched_by=(),
    )
    said = tuple((name, answer) for name, _, answer in (each.partition("=") for each in about.get("said", "").split()))
    return _Step(
        conditions=tuple(about.get("if", ("",))),
        said=said,
        ask=about.get("ask", ""),
        text=sentences(about.get("text", [])),
        ok=about.get("ok", False),
        ruling=ruling,
    )
