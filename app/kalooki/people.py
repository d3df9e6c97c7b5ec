"""Players' names: cleaning them, and telling which names mean the same person."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import count

_MAX_MARKS = 3
"""No script in use puts more marks on a letter; a stack of them would cover the lines above and below."""

_SYMBOL = "[©®‼⁉←-⇿⌀-⏿Ⓜ■-➿⤀-⥿⬀-⯿〰〽㊗㊙\U0001f000-\U0001f1e5\U0001f200-\U0001faff]"
_STYLED_SYMBOL = f"{_SYMBOL}\ufe0f?[\U0001f3fb-\U0001f3ff]?"
_FLAG = "[\U0001f1e6-\U0001f1ff]{2}"
_KEYCAP = "[0-9#*]\ufe0f?\u20e3"
_ONE_EMOJI = f"{_STYLED_SYMBOL}(?:[\U000e0020-\U000e007f]+|(?:\u200d{_STYLED_SYMBOL})*)|{_FLAG}|{_KEYCAP}"
EMOJI = re.compile(_ONE_EMOJI)
"""One emoji, including the invisible characters that are part of it."""

_JOINING = (
    "\u0600-\u0dff\u1000-\u109f\u1780-\u18af\ua840-\ua87f\ua8e0-\ua8ff\ufb50-\ufdff\ufe70-\ufefc\U00010a00-\U00011fff"
)
"""Scripts whose letters change shape when joined: Arabic and related scripts, those of India and beyond, Mongolian."""
_PARTS = re.compile(f"(?P<kept>{_ONE_EMOJI}|(?<=[{_JOINING}])[\u200c\u200d](?=[{_JOINING}]))|.", re.DOTALL)
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0") | {
    chr(code) for first, after in ((0xFE00, 0xFE10), (0xE0100, 0xE01F0)) for code in range(first, after)
}
"""Characters that look blank although Unicode classes them as letters, marks or symbols."""
_APOSTROPHES = dict.fromkeys(map(ord, "`´ʹʻʼʽˈ՚׳‘’‛′‵ꞌ＇｀"), "'")
_HYPHENS = frozenset("⁃−")
"""Hyphens that Unicode does not class as dashes."""


def clean_name(text: str) -> str:
    r"""Return a name without invisible characters, and with at most three marks on a letter; idempotent.

    Invisible characters inside an emoji and between joining letters stay.

    >>> clean_name("  Mary \u200b  Ann\u3164 "), clean_name("👩\u200d🍳 Z\u200doë")
    ('Mary Ann', '👩\u200d🍳 Zoë')
    """
    while True:
        parts = (part[0] if part["kept"] else _without_blanks(part[0]) for part in _PARTS.finditer(text))
        cleaner = _cut_marks(" ".join("".join(parts).split()))
        if cleaner == text:
            return text
        text = cleaner


def is_visible(name: str) -> bool:
    """Return whether a cleaned name has a letter, a digit, a symbol or an emoji.

    >>> is_visible("Ö"), is_visible("7"), is_visible("🦊"), is_visible("…"), is_visible("")
    (True, True, True, False, False)
    """
    return any(unicodedata.category(char)[0] in "LNS" for char in name) or EMOJI.search(name) is not None


@lru_cache(maxsize=2048)
def identify(name: str) -> str:
    r"""Return a key that is equal for all spellings of a person's name.

    >>> identify("O’BRIEN") == identify("o'Brien"), identify("José") == identify("Jose\u0301")
    (True, True)
    """
    plain = unicodedata.normalize("NFKC", _without_blanks(name.translate(_APOSTROPHES)))
    folded = unicodedata.normalize("NFKC", _cut_marks(plain).casefold().translate(_APOSTROPHES))
    visible = _without_blanks(folded)
    hyphened = ("-" if unicodedata.category(char) == "Pd" or char in _HYPHENS else char for char in visible)
    return " ".join("".join(hyphened).split())


def people_of(names: Mapping[int, str]) -> dict[int, str]:
    """Return a key for the person in each seat of one game.

    Two seats are always two people, even in a game of 0.3, which allowed the same name twice.
    """
    doubled = frozenset().union(*find_namesakes(names))
    return {seat: name.casefold() if seat in doubled else identify(name) for seat, name in names.items()}


def find_namesakes(names: Mapping[int, str]) -> frozenset[frozenset[int]]:
    """Return the pairs of seats whose names mean the same person."""
    listed = [(seat, identify(name)) for seat, name in names.items()]
    return frozenset(
        frozenset((seat, other))
        for place, (seat, person) in enumerate(listed)
        for other, same in listed[:place]
        if same == person
    )


def find_doubled(names: Iterable[str]) -> list[str]:
    """Return the names that mean the same person as another name in the list, sorted."""
    listed = list(names)
    people = [identify(name) for name in listed]
    return sorted({name for name, person in zip(listed, people, strict=True) if person and people.count(person) > 1})


def _without_blanks(text: str) -> str:
    visible = (char for char in text if char.isspace() or (char.isprintable() and char not in _BLANK))
    return "".join(" " if char.isspace() else char for char in visible)


def _is_mark(char: str) -> bool:
    return unicodedata.category(char) in ("Mn", "Me") and char not in _BLANK


def _cut_marks(text: str) -> str:
    """Return the text with only the first three marks of each letter, in Unicode's canonical order."""
    clusters: list[str] = []
    for char in text:
        if clusters and _is_mark(char):
            clusters[-1] += char
        else:
            clusters.append(char)
    for place, cluster in enumerate(clusters):
        apart, marks = unicodedata.normalize("NFD", cluster), count(1)
        few = "".join(char for char in apart if not _is_mark(char) or next(marks) <= _MAX_MARKS)
        if few != apart:
            clusters[place] = unicodedata.normalize("NFC", few)
    return "".join(clusters)
