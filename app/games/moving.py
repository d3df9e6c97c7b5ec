"""Move a hand entered at the wrong table: save it at the right one first, then undo it where it was.

If the server stops between the two, both tables have the hand, and moving it again only undoes it here: the submission
saved there is derived from the hand, so nothing is saved twice.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from hashlib import sha256
from itertools import count
from typing import NamedTuple

from app.games.recording import RecordedGame
from app.kalooki.game.events import Hand
from app.kalooki.game.play import Game
from app.store import games as stored_games


class Copy(NamedTuple):
    """The moved hand at the right table: its submission, and its entry, None if it is not saved there."""

    submission: str
    entry: int | None


def find_hand(record: RecordedGame, entry: int) -> Hand | None:
    """Return the hand that counts at an entry; None if there is none, or it is undone."""
    event = record.effective.get(entry)
    return event if isinstance(event, Hand) else None


def find_copy(source: RecordedGame, entry: int, target: RecordedGame) -> Copy:
    """Return the copy that moving this hand saved, or would save, at that table; one undone there does not count."""
    effective = target.effective
    copies = (Copy(each, stored_games.saved_as(target.code, each)) for each in _submissions(source.code, entry))
    return next(copy for copy in copies if copy.entry is None or copy.entry > target.seen or copy.entry in effective)


def _submissions(code: str, entry: int) -> Iterator[str]:
    """Yield a submission for each time the hand is moved; none reveals the code, which would let people watch."""
    return (f"move-{sha256(f'{code} {entry} {time}'.encode()).hexdigest()[:40]}" for time in count())


def seats_of(hand: Hand) -> list[int]:
    """Return the seats that took part in a hand."""
    return sorted({hand.winner, *hand.left, *hand.calls})


def match_seats(hand: Hand, source: Game, target: Game) -> dict[int, int]:
    """Return, by their seats in the hand, the seats at the target table of players with the same names."""
    there = {person: seat for seat, person in target.people.items()}
    return {seat: there[source.people[seat]] for seat in seats_of(hand) if source.people.get(seat) in there}


def reseat(hand: Hand, seats: Mapping[int, int]) -> Hand:
    """Return the hand with other seats, and without what players agreed or objected to."""
    return replace(
        hand,
        winner=seats[hand.winner],
        left={seats[seat]: left for seat, left in hand.left.items()},
        calls={seats[seat]: calls for seat, calls in hand.calls.items()},
        agreed=(),
        objected={},
    )
