"""Text for people: where texts are marked, and where a translation would go."""

from __future__ import annotations


def language() -> str:
    """The reader's language; so far always English."""
    return "en"


def gettext(text: str) -> str:
    """The text in the reader's language; texts are written in English."""
    return text


def ngettext(one: str, many: str, count: int) -> str:
    """The singular or the plural, as `count` asks.

    >>> ngettext("one card", "several cards", 2)
    'several cards'
    """
    return one if count == 1 else many


def N_(text: str) -> str:  # noqa: N802 - the customary name, known to message extractors
    """Mark a text that is translated later, when it is shown."""
    return text


_ = gettext
