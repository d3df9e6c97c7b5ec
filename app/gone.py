"""What an earlier release had: its commands and settings, each with one sentence that says what there is instead."""

from __future__ import annotations

from collections.abc import Mapping

_RULED_ON_CARDS = "Cards are checked in the browser only: start the app with python3 -m app and open its page “Check”."
COMMANDS: Mapping[str, str] = {
    "count": _RULED_ON_CARDS,
    "sheet": "A saved game is shown in the browser only: bring it in on the page “Bring in a saved game”.",
    "solve": _RULED_ON_CARDS,
}
"""The commands that are gone."""
