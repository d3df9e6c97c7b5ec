"""What goes wrong at a table, with the usual ruling for each variant and moment."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from tomllib import loads
from typing import Any, NamedTuple

from app.kalooki.rules.sources import mark
from app.kalooki.rules.wording import FOLDER, Gettext, holds, sentences, told
from app.kalooki.variants import Variant

HEADINGS = ("deal", "draw", "lay", "out", "talk", "score")
"""The headings of mishaps, in the order of a hand."""

MOMENTS = ("before_first_draw", "before_next_draw", "later", "any")
"""When somebody notices a mishap, in order of time: before the hand's first draw, before the next player's draw."""


class Case(NamedTuple):
    """The ruling for one moment, and what to do now: two sentences in the reader's language."""

    when: str
    ruling: str
    remedy: str


class Mishap(NamedTuple):
    """One thing that goes wrong, ruled for one table.

    `cases` are in order of time, one for each moment that has its own ruling. `principles`, `rules` and `by` are slugs:
    of the principles it follows from, of the rules behind it, and of those that keep it from happening here.
    `stated_in` is the place in the variant's own document that gives the ruling itself, empty if none does.
    `searched_by` are other words for it.
    """

    slug: str
    heading: str
    title: str
    cases: tuple[Case, ...]
    principles: tuple[str, ...]
    rules: tuple[str, ...]
    by: tuple[str, ...]
    stated_in: str
    searched_by: tuple[str, ...]


def mishaps(variant: Variant, gettext: Gettext = str) -> tuple[Mishap, ...]:
    """Every mishap, ruled as this variant plays; one that cannot happen has a single case that says why."""
    return tuple(_ruled(slug, about, variant, gettext) for slug, about in _book()["mishap"].items())


def slugs() -> tuple[str, ...]:
    """The slug of every mishap, in the order of a hand."""
    return tuple(_book()["mishap"])


def principles(variant: Variant, gettext: Gettext = str) -> Mapping[str, str]:
    """The principles behind every ruling, by slug, in the order to read them."""
    return {slug: told(sentences(text), variant, gettext) for slug, text in _book()["principles"].items()}


def _ruled(slug: str, about: Mapping[str, Any], variant: Variant, gettext: Gettext) -> Mishap:
    def say(text: str | list[list[str]]) -> str:
        return told(sentences(text), variant, gettext)

    given = [case for case in about["case"] if holds(case.get("if", ""), variant)]
    return Mishap(
        slug=slug,
        heading=about["heading"],
        title=say(about["title"]),
        cases=tuple(Case(case["when"], say(case["ruling"]), say(case["remedy"])) for case in given),
        principles=tuple(about.get("follows", ())),
        rules=tuple(about.get("rules", ())),
        by=tuple(given[0].get("by", ())),
        stated_in=_place(about.get("stated_in", ""), variant),
        searched_by=tuple(about.get("search", ())),
    )


def _place(rule: str, variant: Variant) -> str:
    """Where the variant's own document gives a ruling, if it does."""
    said = mark(rule, variant.id)
    return said.where if said.standing == "source" else ""


@cache
def _book() -> dict[str, Any]:
    return loads((FOLDER / "mishaps.toml").read_text("utf-8"))
