"""What tables quarrel about: disputes, mishaps and what a few taps settle, in files like `disputes.toml`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from functools import cache
from types import MappingProxyType
from typing import Any, NamedTuple

from app.kalooki.cards import Malformed
from app.kalooki.conditions import holds
from app.kalooki.readers import Reader, choice, flag, known, listed, mapping, text
from app.kalooki.rules.rulebook import rules
from app.kalooki.rules.wording import Sentences, Words, read, sentences, wording
from app.kalooki.variants import Variant, all_variants

FILES = {"dispute": "disputes.toml", "mishap": "mishaps.toml", "quick": "quick.toml"}
GROUPS = tuple(wording()["groups"])
"""The groups of answers, in the order of a hand; mishaps come last."""
HEADINGS = tuple(wording()["headings"])
"""The groups of mishaps among themselves, in the order of a hand."""
MOMENTS = tuple(wording()["moments"])
"""When somebody notices a mishap, in order of time: before the hand's first draw, before the next player's draw."""


class Case(NamedTuple):
    """One way a quarrel goes, and the ruling on it; with `ask`, a yes-or-no question of that name instead.

    It comes up under the values `given` (of several lines one is enough) and after the answers `said` ("laid=yes");
    `when` is the moment a mishap was noticed. `ok` says whether the ruling allows what was asked, `why` what else there
    is to know, `remedy` what to do now. `rules` decide, `beside` are those behind whatever else is said, `by` those
    that keep a mishap from happening here.
    """

    when: str = ""
    given: tuple[str, ...] = ("",)
    said: tuple[str, ...] = ()
    ask: str = ""
    question: Sentences = ()
    ok: bool = False
    ruling: Sentences = ()
    why: Sentences = ()
    remedy: Sentences = ()
    rules: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    by: tuple[str, ...] = ()

    def comes_up(self, variant: Variant, said: Set[str] = frozenset()) -> bool:
        return any(holds(line, variant) for line in self.given) and said >= {*self.said}


class Quarrel(NamedTuple):
    """A dispute, a mishap or a quarrel that a few taps settle (`kind`), with its cases.

    `search` are other words players use for it, `detail` a few words beside its title. A mishap `follows` from
    principles; if its ruling is `stated`, a variant's document that has its rule has the ruling, too. `check` names the
    check that judges the cards themselves, `here` what its game knows about it.
    """

    kind: str
    slug: str
    cases: tuple[Case, ...]
    group: str
    title: Sentences
    search: tuple[str, ...] = ()
    detail: str = ""
    follows: tuple[str, ...] = ()
    stated: bool = False
    check: str = ""
    here: str = ""


def of_kind(kind: str) -> Mapping[str, Quarrel]:
    """The disputes, the mishaps or the quick quarrels by slug, in the order of their file."""
    return {slug: quarrel for slug, quarrel in quarrels().items() if quarrel.kind == kind}


@cache
def quarrels() -> Mapping[str, Quarrel]:
    """Every quarrel by its slug."""
    every = (quarrel for kind, file in FILES.items() for quarrel in read_quarrels(kind, read(file)))
    return MappingProxyType({quarrel.slug: quarrel for quarrel in every})


def read_quarrels(kind: str, entries: Mapping[str, Any]) -> tuple[Quarrel, ...]:
    """The quarrels of a file; raises ValueError naming file, entry, key and reason of every broken one."""
    found, wrong = [], []
    for slug, about in entries.items():
        try:
            found.append(_quarrel(kind, slug, about))
        except Malformed as reason:
            wrong.append(f"{FILES[kind]}: {reason}")
    if wrong:
        raise ValueError("\n".join(wrong))
    return tuple(found)


def _quarrel(kind: str, slug: str, about: Mapping[str, Any]) -> Quarrel:
    """A quarrel; each of its cases has what it does not say itself from the quarrel."""
    contents = _QUARREL({key: raw for key, raw in about.items() if key not in _OF_A_CASE}, slug)
    shared = {key: raw for key, raw in about.items() if key in _OF_A_CASE}
    raw_cases = contents.pop("case", ({},))
    cases = tuple(Case(**_CASE(shared | raw, f"{slug}.case.{number}")) for number, raw in enumerate(raw_cases))
    for key in _missing(contents, cases):
        raise Malformed("{field} is missing.", f"{slug}.{key}")
    return Quarrel(kind, slug, cases, **contents)


def _missing(contents: Mapping[str, Any], cases: tuple[Case, ...]) -> Iterator[str]:
    yield from (key for key in ("group", "title") if key not in contents)
    yield from ("question" if case.ask else "ruling" for case in cases if not (case.question or case.ruling))


def _sentences(raw: Any, path: str) -> Sentences:
    """Texts whose conditions and {names} are values of a variant."""
    words = Words(all_variants()[0])
    try:
        found = sentences(raw)
        for conditions, said in found:
            holds(conditions, words.variant)
            said.format_map(words)
    except (AttributeError, IndexError, TypeError, ValueError) as reason:
        raise Malformed("{field}: this cannot be said of a variant: {word}", path, reason) from reason
    return found


_SENTENCES = Reader(_sentences, {})
_LINE = Reader(lambda raw, path: _sentences([[raw, ""]], path)[0][0], {})
_TEXT = text(1, 80)
_TEXTS = listed(_TEXT, 99)
_RULES = listed(choice(*rules()), 99)
_OF_A_CASE = {
    **dict.fromkeys(("question", "ruling", "why", "remedy"), _SENTENCES),
    **dict.fromkeys(("rules", "beside", "by"), _RULES),
    "when": choice(*MOMENTS),
    "given": listed(_LINE, 9),
    "said": listed(_TEXT, 9),
    "ask": _TEXT,
    "ok": flag,
}
_CASE = known(_OF_A_CASE, "Case")
_QUARREL = known(
    {
        "group": choice(*GROUPS, *HEADINGS),
        "title": _SENTENCES,
        "search": _TEXTS,
        "detail": _TEXT,
        "follows": listed(choice(*wording()["principles"]), 9),
        "stated": flag,
        "check": _TEXT,
        "here": _TEXT,
        "case": listed(Reader(mapping, {}), 99),
    },
    "Quarrel",
)
