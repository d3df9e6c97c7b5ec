"""Players' names: which ones are one person's, and what of a name is kept."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import count

_MOST_MARKS = 3
"""Letters of living scripts carry no more marks; a tower of them covers the lines above and below."""

_SIGN = "[©®‼⁉←-⇿⌀-⏿Ⓜ■-➿⤀-⥿⬀-⯿〰〽㊗㊙\U0001f000-\U0001f1e5\U0001f200-\U0001faff]"
_DRAWN = f"{_SIGN}\ufe0f?[\U0001f3fb-\U0001f3ff]?"
_FLAG = "[\U0001f1e6-\U0001f1ff]{2}"
_KEYCAP = "[0-9#*]\ufe0f?\u20e3"
_ONE_EMOJI = f"{_DRAWN}(?:[\U000e0020-\U000e007f]+|(?:\u200d{_DRAWN})*)|{_FLAG}|{_KEYCAP}"
EMOJI = re.compile(_ONE_EMOJI)
"""One emoji, with whatever invisible characters draw it."""

_JOINING = (
    "\u0600-\u0dff\u1000-\u109f\u1780-\u18af\ua840-\ua87f\ua8e0-\ua8ff\ufb50-\ufdff\ufe70-\ufefc\U00010a00-\U00011fff"
)
"""Arabic and its neighbours, the scripts of India and beyond, Mongolian: their letters change shape side by side."""
_PARTS = re.compile(f"(?P<kept>{_ONE_EMOJI}|(?<=[{_JOINING}])[\u200c\u200d](?=[{_JOINING}]))|.", re.DOTALL)
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0") | {
    chr(code) for first, after in ((0xFE00, 0xFE10), (0xE0100, 0xE01F0)) for code in range(first, after)
}
"""Nothing is drawn for them, although Unicode counts them as letters, marks or symbols."""
_APOSTROPHES = dict.fromkeys(map(ord, "`´ʹʻʼʽˈ՚׳‘’‛′‵ꞌ＇｀"), "'")
_HYPHENS = frozenset("⁃−")
"""Hyphens that Unicode does not count among the dashes."""


def clean_name(text: str) -> str:
    r"""Return a name without what nobody sees, and with at most three marks on a letter; idempotent.

    Invisible characters stay inside an emoji and between letters that join.

    >>> clean_name("  Mary \u200b  Ann\u3164 "), clean_name("👩\u200d🍳 Z\u200doë")
    ('Mary Ann', '👩\u200d🍳 Zoë')
    """
    while (cleaner := _cut_marks(_drop_unseen(text))) != text:
        text = cleaner
    return text


def is_visible(name: str) -> bool:
    """Whether a clean name has a letter, a digit or a symbol.

    >>> is_visible("Ö"), is_visible("7"), is_visible("🦊"), is_visible("…"), is_visible("")
    (True, True, True, False, False)
    """
    return any(unicodedata.category(char)[0] in "LNS" for char in name) or EMOJI.search(name) is not None


@lru_cache(maxsize=2048)
def identify(name: str) -> str:
    r"""Return what all spellings of a person's name have in common.

    >>> identify("O’BRIEN") == identify("o'Brien"), identify("José") == identify("Jose\u0301")
    (True, True)
    """
    plain = unicodedata.normalize("NFKC", _without_blanks(name.translate(_APOSTROPHES)))
    folded = unicodedata.normalize("NFKC", _cut_marks(plain).casefold().translate(_APOSTROPHES))
    return " ".join("".join("-" if _is_hyphen(char) else char for char in _without_blanks(folded)).split())


def people_of(names: Mapping[int, str]) -> dict[int, str]:
    """Return whose each seat of a game is. Two seats are two people, also where 0.3 let one name sit down twice."""
    doubled = frozenset().union(*find_namesakes(names))
    return {seat: name.casefold() if seat in doubled else identify(name) for seat, name in names.items()}


def find_namesakes(names: Mapping[int, str]) -> frozenset[frozenset[int]]:
    """Return the pairs of seats whose names are one person's."""
    listed = [(seat, identify(name)) for seat, name in names.items()]
    return frozenset(
        frozenset((seat, other))
        for place, (seat, person) in enumerate(listed)
        for other, same in listed[:place]
        if same == person
    )


def find_doubled(names: Iterable[str]) -> list[str]:
    """Return the names that stand for a person more than once, sorted."""
    listed = list(names)
    people = [identify(name) for name in listed]
    return sorted({name for name, person in zip(listed, people, strict=True) if person and people.count(person) > 1})


def _drop_unseen(text: str) -> str:
    """Drop the invisible characters that no emoji and no script needs, and fold white space."""
    parts = (part[0] if part["kept"] else _without_blanks(part[0]) for part in _PARTS.finditer(text))
    return " ".join("".join(parts).split())


def _without_blanks(text: str) -> str:
    return "".join(" " if char.isspace() else char for char in text if char.isspace() or _is_seen(char))


def _is_seen(char: str) -> bool:
    return char.isprintable() and char not in _BLANK


def _is_hyphen(char: str) -> bool:
    return unicodedata.category(char) == "Pd" or char in _HYPHENS


def _is_mark(char: str) -> bool:
    return unicodedata.category(char) in ("Mn", "Me") and char not in _BLANK


def _cut_marks(text: str) -> str:
    """Keep the first marks of each letter, in the order Unicode gives equal spellings."""
    clusters: list[str] = []
    for char in text:
        if clusters and _is_mark(char):
            clusters[-1] += char
        else:
            clusters.append(char)
    return "".join(map(_cut_cluster, clusters))


def _cut_cluster(cluster: str) -> str:
    apart = unicodedata.normalize("NFD", cluster)
    marks = count(1)
    few = "".join(char for char in apart if not _is_mark(char) or next(marks) <= _MOST_MARKS)
    return cluster if few == apart else unicodedata.normalize("NFC", few)
