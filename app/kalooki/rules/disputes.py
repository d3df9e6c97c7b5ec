"""Quarrels answered for one table, from the values it plays.

Disputes, mishaps and rules share one shape of answer, so search, lists and pages treat them alike.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Any, NamedTuple

from app.kalooki.rules.mishaps import Case, Mishap, mishaps
from app.kalooki.rules.rulebook import NOT_STATED, Explained, Source, remark, rule_in_words, rules, rules_of
from app.kalooki.rules.sources import documents
from app.kalooki.rules.wording import Gettext, Sentences, Words, first_told, read, sentences, told
from app.kalooki.variants import Variant

GROUPS = ("deal", "draw", "lay", "jokers", "out", "score", "mishaps")
"""The groups of answers, in the order of a hand; mishaps come last."""

NO_SOURCE = "No source settles this; usual ruling."
SOME_USUAL = "Usual, but not stated by the source: {rules}."
"""Said of an answer that a document states, except for what the rules beside it add."""
USUAL_REMEDY = "What to do now is the usual remedy; no document says it."
"""Said of a remedy for a ruling that is not itself a usual default."""

_WEAKEST_FIRST = ("house", "usual", "both", "source")
_SENTENCE_END = re.compile(r"(?<=[.?!]) ")


class Quarrel(NamedTuple):
    """A question at the table, and the sentences that may answer it, each with the values it needs.

    `remedy` says what to do, if anything; `rules` are the slugs of the rules that decide, `beside` of those behind
    whatever else is said. `check` names the check that judges the cards themselves, if there is one.
    """

    slug: str
    group: str
    question: Sentences
    sentences: Sentences
    remedy: Sentences
    rules: tuple[str, ...]
    beside: tuple[str, ...]
    searched_by: tuple[str, ...]
    check: str = ""


class Answer(NamedTuple):
    """A dispute, a mishap or a rule (`kind`), settled for one table.

    `ruling` is one sentence, `more` the rest. A mishap has `cases`, one for each moment (its `ruling` and `remedy` are
    the first case's), a `heading`, and the `principles` it follows from. `rules` are those that decide here, `beside`
    those behind whatever else is said, `house_rules` the table's own among them ("Opening: 51 points"). `standing` and
    `sources` mean the same as for a rule; the weakest rule that decides gives the standing. `readings` says what the
    documents have on the rules behind the answer, `of_remedy` that none of them says what to do. `by` names the rules
    that keep a mishap from happening here. `check` names the check that judges the cards themselves.
    """

    kind: str
    slug: str
    group: str
    title: str
    ruling: str
    more: str
    remedy: str | None
    cases: tuple[Case, ...]
    rules: tuple[Explained, ...]
    house_rules: tuple[str, ...]
    standing: str
    sources: tuple[Source, ...]
    searched_by: tuple[str, ...]
    beside: tuple[Explained, ...] = ()
    by: Explained | None = None
    heading: str = ""
    principles: tuple[str, ...] = ()
    readings: tuple[str, ...] = ()
    of_remedy: str = ""
    check: str = ""

    @property
    def text(self) -> str:
        """The whole answer, without what to do."""
        return f"{self.ruling} {self.more}".strip()

    @property
    def note(self) -> str:
        """How the answer stands, in words; empty if its document simply says it and nothing is to be done."""
        return " ".join((*self.readings, self.of_remedy)).strip()


def answers(variant: Variant, gettext: Gettext = str) -> tuple[Answer, ...]:
    """Every dispute possible in this variant, settled: group by group, the most frequent first."""
    settled = [settle(quarrel, variant, gettext) for quarrel in quarrels().values()]
    coming_up = (_of_remedy(answer, gettext) for answer in settled if answer.ruling)
    return tuple(sorted(coming_up, key=lambda answer: GROUPS.index(answer.group)))


def mishap_answers(variant: Variant, gettext: Gettext = str) -> tuple[Answer, ...]:
    """Every mishap, ruled as this variant plays."""
    return tuple(_mishap(mishap, variant, gettext) for mishap in mishaps(variant, gettext))


def rule_answers(variant: Variant, gettext: Gettext = str) -> tuple[Answer, ...]:
    """Every rule that applies in this variant, as an answer."""
    return tuple(_rule(rule) for chapter in rules_of(variant, gettext) for rule in chapter.rules)


def settle(quarrel: Quarrel, variant: Variant, gettext: Gettext = str) -> Answer:
    """One quarrel answered for this variant; its ruling is empty if it cannot come up."""
    deciding = [rule_in_words(slug, variant, gettext) for slug in quarrel.rules]
    beside = [rule_in_words(slug, variant, gettext) for slug in quarrel.beside]
    ruling, more = _parted(told(quarrel.sentences, variant, gettext))
    standing = _weakest(deciding)
    return Answer(
        kind="dispute",
        slug=quarrel.slug,
        group=quarrel.group,
        title=first_told(Words(variant, gettext), quarrel.question),
        ruling=ruling,
        more=more,
        remedy=told(quarrel.remedy, variant, gettext) or None,
        cases=(),
        rules=_applying(deciding),
        house_rules=tuple(dict.fromkeys(rule.house_rule for rule in (*deciding, *beside) if rule.house_rule)),
        standing=standing,
        sources=_sources(_applying(deciding), standing),
        searched_by=quarrel.searched_by,
        beside=_applying(beside),
        readings=_readings(_applying(deciding), _applying(beside), standing, gettext),
        check=quarrel.check,
    )


def _of_remedy(answer: Answer, gettext: Gettext) -> Answer:
    """The answer; unless its ruling is only a usual default, with a note that no document states the remedy."""
    return answer._replace(of_remedy=gettext(USUAL_REMEDY)) if answer.remedy and answer.standing != "usual" else answer


def _applying(behind: Iterable[Explained]) -> tuple[Explained, ...]:
    return tuple(rule for rule in behind if rule.text)


def _parted(text: str) -> tuple[str, str]:
    """The first sentence, and the rest.

    >>> _parted("No: it goes back. Throw another card.")
    ('No: it goes back.', 'Throw another card.')
    """
    first, *others = _SENTENCE_END.split(text, maxsplit=1)
    return first, "".join(others)


def _weakest(deciding: Iterable[Explained]) -> str:
    """The standing of a ruling, from the rules that decide it; "usual" if there are none.

    A house rule that leaves its rule without a text decides all the same.
    """
    counted = (rule.standing for rule in deciding if rule.text or rule.standing == "house")
    return min(counted, key=_WEAKEST_FIRST.index, default="usual")


def _sources(deciding: Sequence[Explained], standing: str) -> tuple[Source, ...]:
    """Where the variant's own document states a ruling, each document once; empty for a usual default."""
    if standing not in ("source", "both"):
        return ()
    every = [source for rule in deciding for source in rule.sources]
    wheres: dict[tuple[str, str], dict[str, None]] = {}
    for source in every:
        wheres.setdefault((source.id, source.title), {}).update(dict.fromkeys(source.where.split("; ")))
    return tuple(Source(*document, "; ".join(places)) for document, places in wheres.items())


def _readings(
    deciding: Sequence[Explained], beside: Sequence[Explained], standing: str, gettext: Gettext
) -> tuple[str, ...]:
    """What the documents have on the rules behind a ruling: that they are silent, or two readings; each note once.

    A note on a rule that is only `beside` the ruling names that rule.
    """
    silent = [gettext(NOT_STATED)] if standing == "usual" else []
    near = (remark(rule.note, gettext) for rule in deciding if rule.standing == standing == "usual")
    both = (rule.note for rule in deciding if rule.standing == "both")
    aside = (f"{rule.title}: {rule.note}" for rule in beside if rule.standing == "both")
    unsaid = [] if standing == "usual" else [rule.title for rule in beside if rule.standing == "usual"]
    some = [gettext(SOME_USUAL).format(rules="; ".join(unsaid))] if unsaid else []
    return tuple(dict.fromkeys(filter(None, (*silent, *near, *both, *aside, *some))))


def _mishap(mishap: Mishap, variant: Variant, gettext: Gettext) -> Answer:
    behind = (rule_in_words(slug, variant, gettext) for slug in mishap.rules)
    why_not = (rule_in_words(slug, variant, gettext) for slug in mishap.by)
    source = Source(variant.source, gettext(documents()[variant.source].title), gettext(mishap.stated_in))
    return Answer(
        kind="mishap",
        slug=mishap.slug,
        group="mishaps",
        title=mishap.title,
        ruling=mishap.cases[0].ruling,
        more="",
        remedy=mishap.cases[0].remedy,
        cases=mishap.cases,
        rules=_applying(behind),
        house_rules=(),
        standing="source" if mishap.stated_in else "usual",
        sources=(source,) if mishap.stated_in else (),
        searched_by=mishap.searched_by,
        by=next(iter(_applying(why_not)), None),
        heading=mishap.heading,
        readings=() if mishap.stated_in else (gettext(NO_SOURCE),),
        principles=mishap.principles,
    )


def _rule(rule: Explained) -> Answer:
    ruling, more = _parted(rule.text)
    return Answer(
        kind="rule",
        slug=rule.rule,
        group=_group_of(rule.rule),
        title=rule.title,
        ruling=ruling,
        more=more,
        remedy=None,
        cases=(),
        rules=(rule,),
        house_rules=(rule.house_rule,) if rule.house_rule else (),
        standing=rule.standing,
        sources=rule.sources,
        searched_by=rules()[rule.rule].searched_by,
        readings=(rule.note,) if rule.note else (),
    )


def _group_of(rule: str) -> str:
    """The group where people look for a rule: its own, or that of its chapter."""
    own = (group for group, slugs in _groups()["rules"].items() if rule in slugs)
    return str(next(own, _groups()["chapters"][rules()[rule].chapter]))


@cache
def _groups() -> Mapping[str, Any]:
    """The group of each chapter of the rulebook, and of single rules that belong elsewhere."""
    return MappingProxyType(read("find.toml")["groups"])


@cache
def quarrels() -> Mapping[str, Quarrel]:
    """Every dispute by its slug, the most frequent first."""
    return MappingProxyType({slug: _quarrel(slug, about) for slug, about in read("disputes.toml").items()})


def _quarrel(slug: str, about: Mapping[str, Any]) -> Quarrel:
    return Quarrel(
        slug=slug,
        group=about["group"],
        question=sentences(about["question"]),
        sentences=sentences(about["answer"]),
        remedy=sentences(about.get("remedy", [])),
        rules=tuple(map(str, about["rules"])),
        beside=tuple(map(str, about.get("beside", ()))),
        searched_by=tuple(about.get("search", ())),
        check=about.get("check", ""),
    )
