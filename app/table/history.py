"""Everything recorded in a game, and what later became of it: undone, corrected, inserted late, no longer valid."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from app.i18n import gettext
from app.kalooki.game.corrections import corrections, standing
from app.kalooki.game.events import Amend, Event, Hand, Undo, Void
from app.kalooki.game.play import Game
from app.kalooki.rules.rulebook import explain
from app.kalooki.rules.wording import called, names
from app.log import Entry
from app.table.recording import Table


@dataclass(frozen=True)
class Chapter:
    """One entry as recorded, with the numbers of the entries that undid or replaced it, if any.

    `event` is what was recorded; `stands` what counts now, None if nothing does. `faults` say in words why it no longer
    makes sense.
    """

    recorded: Entry
    event: Event
    stands: Event | None
    undone_by: int | None
    amended_by: int | None
    faults: tuple[str, ...]

    @property
    def number(self) -> int:
        return self.recorded.seq

    @property
    def is_hand(self) -> bool:
        """Whether it stands as a hand or a void hand, which the form for hands corrects."""
        return isinstance(self.stands, (Hand, Void))

    @property
    def is_correction(self) -> bool:
        return isinstance(self.event, (Amend, Undo))


def chronicle(table: Table) -> list[Chapter]:
    """Every entry of a game, newest first."""
    made = corrections(table.entries)
    stands = dict(standing(table.entries))
    faults = faults_told(table.game)
    chapters = [
        Chapter(
            recorded=recorded,
            event=event,
            stands=stands.get(number),
            undone_by=made.undone_by.get(number),
            amended_by=made.amended_by.get(number),
            faults=tuple(faults.get(number, ())),
        )
        for recorded, (number, event) in zip(table.log.entries, table.entries, strict=True)
    ]
    return chapters[::-1]


def did(event: Mapping[str, Any], game: Game) -> str:
    """What an event in JSON says happened, in a few words: "Penalty for Ann". Not for hands and corrections."""
    return _in_words(event, game, "did")


def does(event: Mapping[str, Any], game: Game) -> str:
    """What saving an event in JSON would do, in a few words: "Stops the game"; empty where `did` says it as well."""
    said = "does" in names("kinds").get(event["kind"], {})
    return _in_words(event, game, "does") if said else ""


def _in_words(event: Mapping[str, Any], game: Game, form: str) -> str:
    seat = event.get("seat") or event.get("winner") or event.get("from")
    name = event.get("name") or (game.name(seat) if seat else "")
    to = game.name(event["to"]) if "to" in event else ""
    quarrel = event.get("note") if event.get("mishap") else event.get("claim")
    about = "".join(f": {what}" for what in (name, quarrel) if isinstance(what, str) and what)
    return called("kinds", event["kind"], form, gettext).format(name=name, to=to, about=about)


def faults_told(game: Game) -> dict[int, list[str]]:
    """Why entries no longer make sense, in words, by entry."""
    told: dict[int, list[str]] = {}
    for number, fault in game.faults:
        told.setdefault(number, []).append(explain(fault, game.variant, gettext).text)
    return told
