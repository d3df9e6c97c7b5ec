"""Answers to quarrels as plain JSON."""

from __future__ import annotations

from typing import Any

from app.i18n import gettext
from app.kalooki.rules.answers import found, settled
from app.kalooki.rules.disputes import Answer
from app.kalooki.variants import Variant


def disputes(variant: Variant) -> list[dict[str, Any]]:
    """Every dispute and mishap, settled by the rules of a variant or a table, group by group."""
    return [_answer(answer) for answer in settled(variant, gettext)]


def results(question: str, variant: Variant) -> list[dict[str, Any]]:
    """The answers to a question in players' own words, best first."""
    return [_answer(answer) for answer in found(question, variant, gettext)]


def _answer(answer: Answer) -> dict[str, Any]:
    told = {
        "kind": answer.kind,
        "id": answer.slug,
        "group": answer.group,
        "title": answer.title,
        "ruling": answer.ruling,
        "more": f"{answer.more} {answer.note}".strip(),
        "rules": [rule.rule for rule in answer.rules],
        "beside": [rule.rule for rule in answer.beside],
        "standing": answer.standing,
        "sources": [source._asdict() for source in answer.sources],
    }
    if answer.kind == "rule":
        return told
    return told | {"remedy": answer.remedy, "cases": [case._asdict() for case in answer.cases]}
