"""What one device remembers in its signed cookie: its games, what it may write, how it played last."""

from __future__ import annotations

from typing import Any

from flask import request, session

MOST_GAMES = 20
"""More would not fit into a cookie; the longest unopened game is forgotten first."""

_GAMES, _SETUP = "games", "setup"
_KINDS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android phone"),
    ("Windows", "Windows computer"),
    ("Macintosh", "Mac"),
    ("CrOS", "Chromebook"),
    ("Linux", "Linux computer"),
)
"""Makes of device as their browsers introduce themselves, and how the history names them."""


def games() -> list[str]:
    """The codes of the games opened on this device, the last opened first."""
    return [code for code, _ in _known()]


def remember(code: str, secret: str = "") -> None:
    """Note that a game was opened here, with the secret that lets this device write, if it has one."""
    kept = secret or secret_of(code)
    others = [known for known in _known() if known[0] != code]
    session[_GAMES] = [[code, kept], *others][:MOST_GAMES]
    session.permanent = True


def rename(code: str, fresh: str) -> None:
    """Keep a game under the code it has now."""
    session[_GAMES] = [[fresh if known == code else known, secret] for known, secret in _known()]


def forget(code: str) -> None:
    """Take a game off this device's list; the game itself stays."""
    session[_GAMES] = [known for known in _known() if known[0] != code]


def secret_of(code: str) -> str:
    """The secret this device holds for a game; empty if it may only watch."""
    return dict(_known()).get(code, "")


def _known() -> list[list[str]]:
    """Code and secret of each game; a list, because a cookie does not keep the order of names."""
    kept: list[list[str]] = session.get(_GAMES, [])
    return kept


def last_setup() -> dict[str, Any] | None:
    """How the last game started here was set up, as a `start` event, or None."""
    setup = session.get(_SETUP)
    return setup if isinstance(setup, dict) else None


def keep_setup(start: dict[str, Any]) -> None:
    """Remember how a game was set up, for the next one."""
    session[_SETUP] = {key: value for key, value in start.items() if key != "rules"}


def name() -> str:
    """How the history names this device: by its make."""
    introduction = request.user_agent.string
    return next((shown for sign, shown in _KINDS if sign in introduction), "another device")
