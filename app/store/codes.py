"""Codes of games, secrets and names, as they are stored."""

from __future__ import annotations

import secrets

ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"  # 5 bits a letter; without I, O, 0 and 1, which people misread
CODE_LETTERS = 11


def is_code(text: str) -> bool:
    """Return whether `text` could be the code of a game."""
    return len(text) == CODE_LETTERS and set(text) <= set(ALPHABET)


def letters(count: int) -> str:
    """Return `count` random letters, 5 bits each, easy to read out and to type."""
    return "".join(secrets.choice(ALPHABET) for _ in range(count))


def printable(name: str) -> str:
    """Return a name that is safe to show and store: printable characters, of limited length.

    >>> printable("Ann's phone" + chr(0))
    "Ann's phone"
    """
    return "".join(letter for letter in name if letter.isprintable())[:60].strip()
