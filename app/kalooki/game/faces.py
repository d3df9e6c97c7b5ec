"""The face of a seat: a colour and, if the player likes, an emoji. Both only ever appear beside a name."""

from __future__ import annotations

from typing import NamedTuple

from app.kalooki import readers
from app.kalooki.cards import BadInput
from app.kalooki.people import EMOJI
from app.kalooki.readers import Reader

COLOURS = ("blue", "red", "green", "orange", "purple", "teal", "pink", "brown", "yellow", "grey")
"""All colours, in the order of the seats that get them; after the last they begin again."""

MOST_EMOJI = 16
"""Code points: a family of four with skin tones has eleven."""


class Face(NamedTuple):
    """The colour and the emoji beside a player's name."""

    colour: str
    emoji: str | None = None


def usual(seat: int) -> Face:
    """Return the face of a seat whose player has not chosen one.

    >>> usual(1), usual(11).colour
    (Face(colour='blue', emoji=None), 'blue')
    """
    return Face(COLOURS[(seat - 1) % len(COLOURS)])


def is_emoji(text: str) -> bool:
    """Whether a text is one emoji, however many code points draw it.

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
"""A pattern for the API document: every emoji contains a character outside ASCII."""
emoji = readers.optional(
    Reader(_emoji, {"type": "string", "minLength": 1, "maxLength": MOST_EMOJI, "pattern": _FOREIGN})
)
"""One emoji, or null."""
face = readers.optional_keys({"colour": colour, "emoji": emoji}, "Face")
