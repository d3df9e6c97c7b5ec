"""What others recorded since a page was opened, next to the hand typed on it."""

from __future__ import annotations

from typing import NamedTuple

from app.kalooki.game.corrections import new_hands
from app.kalooki.game.events import Event, Hand, Insert
from app.kalooki.game.hands import hand_points, same_hand
from app.kalooki.game.state import PlayedHand
from app.table.recording import Table
from app.telling.story import Chapter


class SavedHand(NamedTuple):
    """A hand recorded since, and whether it is the same as the hand typed."""

    played: PlayedHand
    actor: str
    is_same: bool


class Meanwhile(NamedTuple):
    """What is new since the log had `last` entries: a choice based on it is valid for that log only.

    `entries` is all that was recorded since. `hands` are the hands among it, in the order played; if any match the hand
    typed, only those. `points` is what the hand typed counts for each seat, empty if it cannot be read yet.
    """

    last: int
    entries: tuple[Chapter, ...]
    hands: tuple[SavedHand, ...]
    points: dict[int, int]

    @property
    def is_saved(self) -> bool:
        """Whether the hand typed is already recorded, to the point."""
        return any(hand.is_same for hand in self.hands)

    @property
    def seats(self) -> set[int]:
        """Everybody who played in one of the hands saved."""
        return {seat for hand in self.hands for seat in hand.played.scores}

    @property
    def besides(self) -> tuple[Chapter, ...]:
        """What was recorded since, apart from the hands shown."""
        shown = {hand.played.entry for hand in self.hands}
        return tuple(entry for entry in self.entries if entry.number not in shown)


def meanwhile(table: Table, seen: int, typed: Event | None, saved_as: int = 0) -> Meanwhile:
    """What is new to a page that had seen `seen` entries; the page itself may have saved entry `saved_as`."""
    inner = typed.event if isinstance(typed, Insert) else typed
    mine = inner if isinstance(inner, Hand) else None
    fresh = {*new_hands(table.entries, seen), saved_as}
    played = [each for each in table.game.hands if each.entry in fresh and not each.is_void]
    hands = [_beside(table, each, mine) for each in played]
    same = [hand for hand in hands if hand.is_same]
    return Meanwhile(
        last=table.seen,
        entries=table.story.since(seen),
        hands=tuple((same or hands)[-3:]),  # so many fit next to one's own on a phone
        points=hand_points(table.game.variant, mine) if mine else {},
    )


def _beside(table: Table, played: PlayedHand, mine: Hand | None) -> SavedHand:
    saved = played.event
    is_same = mine is not None and isinstance(saved, Hand) and same_hand(mine, saved, table.game.variant)
    return SavedHand(played, table.log.entries[played.entry - 1].actor, is_same)
