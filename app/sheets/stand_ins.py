"""What is printed in place of a name that no font on this machine can draw: never a box.

The fonts are the bundled ones and those fontconfig finds, as the press does. They are read once: after a new one is
installed, this module and the press use it from the next start of the server.
"""

from __future__ import annotations

import subprocess
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache, lru_cache
from itertools import count

from markupsafe import escape

from app.bootstrap import ROOT
from app.config import surroundings
from app.kalooki.people import identify
from app.telling.phrases import and_list
from app.telling.story import Story

AFTER_IT = "\u200e"
"""The left-to-right mark, which is invisible."""
_EAST_ASIAN = ("CJK", "HIRAGANA", "KATAKANA", "HANGUL", "BOPOMOFO", "FULLWIDTH", "HALFWIDTH", "IDEOGRAPHIC")
_ASKED = (
    ("fc-list", "--format", "%{charset} "),
    ("fc-query", "--format", "%{charset} ", *map(str, (ROOT / "static/fonts").glob("*.ttf"))),
)
"""Fontconfig's commands, which come with what WeasyPrint needs: the characters of installed and of bundled fonts."""
_DRAWS_NOTHING = {"Cc", "Cf", "Zs", "Zl", "Zp"}
_SELECTORS = range(0xFE00, 0xFE10)
"""Variation selectors, which say how to draw the character before them."""


def stand_ins(names: Iterable[str]) -> dict[str, str]:
    """What is printed in place of each name that cannot be: the part that can, otherwise the player's number.

    The names are in the order of the seats; the same name is the same person.
    """
    listed = list(dict.fromkeys(names))
    taken = {identify(name) for name in listed}
    found = {}
    for number, name in enumerate(listed, 1):
        lacking = unlettered([name])
        if lacking:
            found[name] = _instead(name, lacking, number, taken)
            taken.add(identify(found[name]))
    return found


def _instead(name: str, lacking: frozenset[str], number: int, taken: set[str]) -> str:
    left = _left_of(name, lacking)
    if left and identify(left) not in taken:
        return left
    numbered = (f"Player {tried}" for tried in count(number))
    return next(word for word in numbered if identify(word) not in taken)


def _left_of(name: str, lacking: frozenset[str]) -> str:
    """The name without some characters; empty if what is left is no name."""
    kept = (sign for sign in name if sign not in lacking and unicodedata.category(sign) not in ("Cf", "Mn"))
    left = " ".join("".join(kept).split())
    return left if any(sign.isalnum() for sign in left) else ""


def for_a_pen(names: Sequence[str]) -> list[str]:
    """The names for paper that is written on by hand: an empty line instead of a name that cannot be printed."""
    left = [_left_of(name, unlettered([name])) if unlettered([name]) else name for name in names]
    return [word if word == name or word not in names else "" for word, name in zip(left, names, strict=True)]


def lacking_words(replaced: Mapping[str, str]) -> str:
    """A sentence on the names replaced as `replaced`; empty if every name is printed as it is."""
    changed = [word for name, word in replaced.items() if word.rstrip(AFTER_IT) != name]
    said = "This machine lacks letters for the names printed as {names}."
    return said.format(names=and_list(changed)) if changed else ""


def printable(stories: Sequence[Story]) -> tuple[list[Story], dict[str, str]]:
    """The games with names that can be printed in sentences, and the replacement for each name that was changed."""
    names = [story.game.name(seat) for story in stories for seat in sorted(story.game.players)]
    instead = stand_ins(names)
    printed = {name: in_sentences(instead.get(name, name)) for name in names}
    replaced = {name: word for name, word in printed.items() if name != word}
    return [_renamed(story, replaced) for story in stories], replaced


def readable(story: Story) -> Story:
    """The game with names that keep sentences on a page in order."""
    return _renamed(story, {player.name: in_sentences(player.name) for player in story.game.players.values()})


def in_sentences(name: str) -> str:
    """The name, marked if it runs from right to left, so that the words and numbers after it stay in place.

    >>> in_sentences("Ann"), in_sentences("כהן") == "כהן" + AFTER_IT
    ('Ann', True)
    """
    runs_left = any(unicodedata.bidirectional(sign) in ("R", "AL") for sign in name)
    return name + AFTER_IT if runs_left else name


def _renamed(story: Story, replaced: Mapping[str, str]) -> Story:
    if not replaced:
        return story
    players = {
        seat: replace(player, name=replaced.get(player.name, player.name))
        for seat, player in story.game.players.items()
    }
    return story.of(replace(story.game, players=players))


def without_boxes(html: str, replaced: Mapping[str, str] | None = None) -> str:
    """The page without unprintable characters: names replaced as `replaced`, a letter by `?`, an emoji by nothing."""
    for name, instead in (replaced or {}).items():
        html = html.replace(str(escape(name)), str(escape(instead)))
    return html.translate({ord(sign): "" if _is_picture(sign) else "?" for sign in unlettered([html])})


def packages(names: Iterable[str]) -> list[str]:
    """The Debian packages with the fonts that some names lack."""
    return sorted({_package(sign) for sign in unlettered(names)})


def _package(sign: str) -> str:
    """The package that has a character.

    >>> _package("日"), _package("한"), _package("👧"), _package("ไ")
    ('fonts-noto-cjk', 'fonts-noto-cjk', 'fonts-noto-color-emoji', 'fonts-noto-core')
    """
    if unicodedata.name(sign, "").startswith(_EAST_ASIAN):
        return "fonts-noto-cjk"
    return "fonts-noto-color-emoji" if _is_picture(sign) else "fonts-noto-core"


def _is_picture(sign: str) -> bool:
    return unicodedata.category(sign) in ("So", "Sk")


@lru_cache(4096)
def is_lettered(sign: str) -> bool:
    """Whether some font on this machine can draw a character; also true of invisible ones.

    >>> is_lettered("Ж"), is_lettered("\u200d")
    (True, True)
    """
    if ord(sign) in _SELECTORS or unicodedata.category(sign) in _DRAWS_NOTHING:
        return True
    return any(ord(sign) in signs for signs in _lettered())


def unlettered(texts: Iterable[str]) -> frozenset[str]:
    """The characters in some texts that would be printed as boxes."""
    return frozenset(sign for sign in set("".join(texts)) if not (sign.isascii() or is_lettered(sign)))


@cache
def _lettered() -> frozenset[range]:
    """The characters of all fonts, as ranges; without fontconfig's commands, nothing counts as missing."""
    with suppress(OSError, subprocess.CalledProcessError):
        return frozenset(map(_signs, " ".join(map(_output, _ASKED)).split()))
    return frozenset({range(0x110000)})


def _output(command: tuple[str, ...]) -> str:
    return subprocess.run(command, capture_output=True, check=True, text=True, env=surroundings()).stdout  # noqa: S603 - as written above


def _signs(written: str) -> range:
    """A range of characters as fontconfig writes it: 41-5a or 2660."""
    first, _, last = written.partition("-")
    return range(int(first, 16), int(last or first, 16) + 1)
