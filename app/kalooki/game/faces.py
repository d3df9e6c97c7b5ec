"""Avatars: the colour and the optional emoji of a seat, which are always shown with the player's name."""

from __future__ import annotations

from typing import NamedTuple

from app.kalooki import readers
from app.kalooki.cards import BadInput
from app.kalooki.people import EMOJI
from app.kalooki.readers import Reader

COLOURS = ("blue", "red", "green", "orange", "purple", "teal", "pink", "brown", "yellow", "grey")
"""All colours in the order in which seats get them, starting again after the last."""

MOST_EMOJI = 16
"""The most code points of one emoji; a family of four with skin tones has eleven."""


class Face(NamedTuple):
    """The avatar of a seat; the JSON contract calls it `face`."""

    colour: str
    emoji: str | None = None


def usual(seat: int) -> Face:
    """Return the default avatar of a seat.

    >>> usual(1), usual(11).colour
    (Face(colour='blue', emoji=None), 'blue')
    """
    return Face(COLOURS[(seat - 1) % len(COLOURS)])


def is_emoji(text: str) -> bool:
    """Return whether a text is exactly one emoji, which may have several code points.

    >>> [is_emoji(text) for text in ("🦊", "👩‍🍳", "🇯🇲", "♠️", "🦊🦊", "A", "")]
    [True, True, True, True, False, False, False]
    """
    return len(text) <= MOST_EMOJI and EMOJI.fullmatch(text) is not None


def _emoji(raw: object, path: str) -> str:
    if isinstance(raw, str) and is_emoji(raw):
        return raw
    raise BadInput("{field}: “{word}” is not one emoji.", path, raw)


colour = readers.choice(*COLOURS)
_FOREIGN = "[^\\x00-\\x7f]"
"""The pattern in the API document: every emoji contains a character outside ASCII."""
emoji = readers.optional(
    Reader(_emoji, {"type": "string", "minLength": 1, "maxLength": MOST_EMOJI, "pattern": _FOREIGN})
)
"""Read one emoji, or null."""
face = readers.optional_keys({"colour": colour, "emoji": emoji}, "Face")
