"""The players' rows of the new-game form: moved, added or drawn, with everything else kept as typed."""

from __future__ import annotations

import random
import re
from typing import NamedTuple

from werkzeug.datastructures import MultiDict

from app.kalooki.cards import RANKS, SUITS

KNOWN = "known-"
"""Begins the button that seats a player of an earlier game."""
MOST_PLAYERS = len(RANKS)
"""Each player draws another rank; the packs cannot deal to so many anyway."""

FEWEST_SEATS = 2

_NAME = re.compile(r"players-(0|[1-9][0-9]{0,3})-name")
_FIELD = re.compile(r"players-(0|[1-9][0-9]{0,3})-(name|drawn)")
_WHERE = re.compile(r"(?P<what>\w+)-(?P<row>\d{1,4})")


class Seat(NamedTuple):
    """One row as typed: the player's name, the card drawn for the seat, and whether this player deals first."""

    name: str
    drawn: str = ""
    deals: bool = False


def rearranged(typed: MultiDict[str, str], do: str) -> MultiDict[str, str]:
    """The form's contents after the button `do`: `add`, `draw`, `remove-2` or `up-2` (rows count from 0).

    `known-Ann` seats a player of an earlier game in the first empty row.
    """
    known = do.removeprefix(KNOWN)
    seats = _after(do, _seats(typed)) if known == do else _undrawn(_joined(known, _seats(typed)))
    rest = [(key, value) for key, value in typed.items(multi=True) if not key.startswith("players-")]
    contents = MultiDict((key, value) for key, value in rest if key != "dealer")
    for row, seat in enumerate(seats):
        contents[f"players-{row}-name"] = seat.name
        contents[f"players-{row}-drawn"] = seat.drawn
        if seat.deals:
            contents["dealer"] = str(row)
    return contents


def readable(typed: MultiDict[str, str]) -> MultiDict[str, str]:
    """The form's contents without seat names that no page sends and that would break the form.

    >>> readable(MultiDict({"players-0-name": "Ann", "players-²-name": "Ben", "unit": "10"})).to_dict()
    {'players-0-name': 'Ann', 'unit': '10'}
    """
    every = typed.items(multi=True)
    return MultiDict((key, value) for key, value in every if _FIELD.fullmatch(key) or not key.startswith("players-"))


def seated(typed: MultiDict[str, str]) -> MultiDict[str, str]:
    """The form's contents without empty seats at the end, which the keyboard's Next key leaves behind.

    >>> seated(MultiDict({"players-0-name": "Ann", "players-1-name": "Ben", "players-2-name": " "})).to_dict()
    {'players-0-name': 'Ann', 'players-1-name': 'Ben'}
    """
    rows = _rows(typed)
    while len(rows) > 2 and not typed[f"players-{rows[-1]}-name"].strip():
        rows.pop()
    kept = tuple(f"players-{row}-" for row in rows)
    every = typed.items(multi=True)
    return MultiDict((key, value) for key, value in every if key.startswith(kept) or not key.startswith("players-"))


def _seats(typed: MultiDict[str, str]) -> list[Seat]:
    return [_seat(typed, row) for row in _rows(typed)[:MOST_PLAYERS]]


def _rows(typed: MultiDict[str, str]) -> list[int]:
    return sorted(int(found[1]) for key in typed if (found := _NAME.fullmatch(key)))


def _seat(typed: MultiDict[str, str], row: int) -> Seat:
    drawn = typed.get(f"players-{row}-drawn", "")
    return Seat(typed[f"players-{row}-name"], drawn, typed.get("dealer") == str(row))


def _after(do: str, seats: list[Seat]) -> list[Seat]:
    if do == "add":
        return [*_undrawn(seats), Seat("")][:MOST_PLAYERS]
    if do == "draw":
        return draw(seats, random.SystemRandom())
    where = _WHERE.fullmatch(do)
    row = int(where["row"]) if where else -1
    if not where or not 0 <= row < len(seats):
        return seats
    if where["what"] == "remove":
        return _undrawn(seats[:row] + seats[row + 1 :])
    if where["what"] == "up" and row > 0:
        return _undrawn([*seats[: row - 1], seats[row], seats[row - 1], *seats[row + 1 :]])
    return seats


def _joined(name: str, seats: list[Seat]) -> list[Seat]:
    """The seats with one more player, in the first empty row or a new one; nobody sits down twice."""
    if any(seat.name.strip().casefold() == name.casefold() for seat in seats):
        return seats
    row = next((row for row, seat in enumerate(seats) if not seat.name.strip()), len(seats))
    deals = seats[row].deals if row < len(seats) else False
    return [*seats[:row], Seat(name, deals=deals), *seats[row + 1 :]][:MOST_PLAYERS]


def _undrawn(seats: list[Seat]) -> list[Seat]:
    """Seats changed by hand no longer match the cards drawn."""
    return [seat._replace(drawn="") for seat in seats]


def draw(seats: list[Seat], chance: random.Random) -> list[Seat]:
    """The players with a card each, from as many ranks, counting from the ace, as there are players (rule `seats`).

    They sit in the order of the ranks, and the ace deals first. Rows without a name draw nothing.
    """
    players = [seat.name for seat in seats if seat.name.strip()]
    chance.shuffle(players)
    return [
        Seat(name, rank + chance.choice(SUITS), deals=rank == RANKS[0])
        for name, rank in zip(players, RANKS, strict=False)
    ]
