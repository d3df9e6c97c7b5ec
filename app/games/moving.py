"""Moving a hand entered at the wrong table: saved at the right one first, then undone where it was.

Between the two the server may stop. Then both tables have the hand, and moving it again only undoes it here: what is
saved there bears a name that follows from the hand, so nothing is saved twice.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from hashlib import sha256
from itertools import count
from typing import NamedTuple

from app.games.recording import RecordedGame
from app.kalooki.game.corrections import effective_entries
from app.kalooki.game.events import Hand
from app.kalooki.game.play import Game
from app.store import games as stored_games


class Copy(NamedTuple):
    """The hand as the right table has it, or would: the name of its submission, and its entry; None if not there."""

    submission: str
    entry: int | None


def find_hand(record: RecordedGame, entry: int) -> Hand | None:
    """Return the hand that counts at an entry; None if there is none, or it is undone."""
    event = dict(effective_entries(record.entries)).get(entry)
    return event if isinstance(event, Hand) else None


def find_copy(source: RecordedGame, entry: int, target: RecordedGame) -> Copy:
    """Return what moving this hand to that table has saved there; a copy undone there does not count."""
    effective = {each.number for each in effective_entries(target.entries)}
    copies = (Copy(name, stored_games.saved_as(target.code, name)) for name in _names(source.code, entry))
    return next(copy for copy in copies if copy.entry is None or copy.entry > target.seen or copy.entry in effective)


def _names(code: str, entry: int) -> Iterator[str]:
    """Yield the submission of each time the hand is moved; they do not tell the code, which lets people watch."""
    return (f"move-{sha256(f'{code} {entry} {time}'.encode()).hexdigest()[:40]}" for time in count())


def seats_of(hand: Hand) -> list[int]:
    """Return the seats that took part in a hand."""
    return sorted({hand.winner, *hand.left, *hand.calls})


def match_seats(hand: Hand, source: Game, target: Game) -> dict[int, int]:
    """Return the seat at the other table of everybody in the hand who sits there by name."""
    there = {person: seat for seat, person in target.people.items()}
    return {seat: there[source.people[seat]] for seat in seats_of(hand) if source.people.get(seat) in there}


def reseat(hand: Hand, seats: Mapping[int, int]) -> Hand:
    """Return the hand with other seats; what players said of it stays behind."""
    return replace(
        hand,
        winner=seats[hand.winner],
        left={seats[seat]: left for seat, left in hand.left.items()},
        calls={seats[seat]: calls for seat, calls in hand.calls.items()},
        agreed=(),
        objected={},
    )
