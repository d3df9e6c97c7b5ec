"""A club from its log: its people, the games that count, the payments made; and who sat where, once games are known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from app.kalooki.club import events
from app.kalooki.club.events import ClubEntry, ClubPayment
from app.kalooki.club.summary import UNKNOWN, Summary
from app.kalooki.people import identify


class ClubGame(NamedTuple):
    """A game that counts: the entry that added it, the game's id, the code it was added with, and who sat where.

    `records` says whether keepers may record in it as long as it has that code. `seats` are as told; `Club.whole` finds
    whom the people are merged into.
    """

    entry: int
    id: int
    code: str
    records: bool
    seats: Mapping[int, int]


@dataclass(frozen=True)
class Club:
    """The state of a club after its entries, without the results of its games.

    `people` has all names by id, also of people merged; `merged` the id that each of those is merged into directly.
    `games` are those that count, by the game's id. `paid` are the payments that count, each with the decimals of its
    amount. `undone_by` has the undo of each entry that does not count. `last_id` is the highest id ever given.
    """

    name: str
    zone: str
    usual: events.Usual | None
    people: Mapping[int, str]
    merged: Mapping[int, int]
    games: Mapping[int, ClubGame]
    paid: Sequence[tuple[ClubPayment, int]]
    undone_by: Mapping[int, int]
    last_id: int
    length: int

    def whole(self, person: int) -> int:
        """Return the id under which a person's games count: their own, or that at the end of a chain of merges."""
        return _end_of(person, self.merged)

    def game(self, code: str) -> ClubGame | None:
        """Return the game that counts and was added with this code."""
        return _game_of(code, self.games)

    @property
    def named(self) -> Mapping[str, frozenset[int]]:
        """The ids of all people whom a name means, by its key; a merged person's name means whom they end up as."""
        means: dict[str, set[int]] = {}
        for person, name in self.people.items():
            means.setdefault(identify(name), set()).add(self.whole(person))
        return {key: frozenset(ids) for key, ids in means.items()}


def fold(log: Sequence[ClubEntry]) -> Club:
    """Return the club of a log, which begins with its start; what was undone counts as never said.

    People's ids follow the entries, within one entry the seats, and are never given twice. A person who came by an
    entry that is undone is gone unless an entry that counts names the id.
    """
    undone_by = _undone(log)
    newcomers, last_id = _newcomers(log)
    counting = [entry for entry in log if entry.number not in undone_by]
    effective = [event for _, event in counting]
    starts = [event for event in effective if isinstance(event, events.ClubStart)]
    usuals = [event for event in effective if isinstance(event, events.Usual)]
    return Club(
        name=[event.name for event in effective if isinstance(event, (events.ClubStart, events.ClubName))][-1],
        zone=starts[0].zone,
        usual=usuals[-1] if usuals else None,
        people=_people(counting, newcomers),
        merged=_merges(counting),
        games=_games(counting, newcomers),
        paid=[
            (payment, event.decimals[payment.currency])
            for event in effective
            if isinstance(event, events.SettleUp)
            for payment in event.payments
        ],
        undone_by=undone_by,
        last_id=last_id,
        length=len(log),
    )


def _undone(log: Sequence[ClubEntry]) -> dict[int, int]:
    """Return the undo of each entry that does not count; undos only target earlier entries."""
    undone_by: dict[int, int] = {}
    for number, event in reversed(log):
        if isinstance(event, events.ClubUndo) and number not in undone_by:
            undone_by.setdefault(event.target, number)
    return undone_by


def _newcomers(log: Sequence[ClubEntry]) -> tuple[dict[int, dict[int, str]], int]:
    """Return the names of the people whom each entry brought into the club, by id, and the highest id."""
    newcomers: dict[int, dict[int, str]] = {}
    last_id = 0
    for number, event in log:
        newcomers[number] = dict(enumerate(event.newcomers, last_id + 1))
        last_id += len(newcomers[number])
    return newcomers, last_id


def _people(counting: Iterable[ClubEntry], newcomers: Mapping[int, Mapping[int, str]]) -> dict[int, str]:
    first_names = {person: name for names in newcomers.values() for person, name in names.items()}
    ids = {person for number, event in counting for person in (*newcomers[number], *(each for _, each in event.named))}
    renamed = {event.id: event.name for _, event in counting if isinstance(event, events.PersonName)}
    return {person: renamed.get(person, first_names[person]) for person in sorted(ids)}


def _merges(counting: Iterable[ClubEntry]) -> dict[int, int]:
    """Return whom people are merged into; a later merge of the same person, or one that makes a ring, is ignored."""
    merged: dict[int, int] = {}
    for _, event in counting:
        if (
            isinstance(event, events.Merge)
            and event.person not in merged
            and _end_of(event.into, merged) != event.person
        ):
            merged[event.person] = event.into
    return merged


def _end_of(person: int, merged: Mapping[int, int]) -> int:
    while person in merged:
        person = merged[person]
    return person


def _games(counting: Iterable[ClubEntry], newcomers: Mapping[int, Mapping[int, str]]) -> dict[int, ClubGame]:
    """Return the games that count; of two entries that add one, the later holds."""
    games: dict[int, ClubGame] = {}
    for number, event in counting:
        if isinstance(event, events.AddGame):
            games.pop(event.game, None)
            games[event.game] = ClubGame(number, event.game, event.code, event.records, event.seats)
        elif isinstance(event, (events.DropGame, events.SeatPeople)) and (game := _game_of(event.code, games)):
            if isinstance(event, events.DropGame):
                del games[game.id]
            else:
                games[game.id] = game._replace(seats={**game.seats, **ids_by_seat(event, newcomers[number])})
    return games


def _game_of(code: str, games: Mapping[int, ClubGame]) -> ClubGame | None:
    return next((each for each in games.values() if each.code == code), None)


def ids_by_seat(event: events.AddGame | events.SeatPeople, newcomers: Iterable[int]) -> dict[int, int]:
    """Return the id of the person in each seat that an event names; new people have the ids of `newcomers`."""
    ids = iter(newcomers)
    return {seat: who if isinstance(who, int) else next(ids) for seat, who in sorted(event.people.items())}


class LeftOut(NamedTuple):
    """Why a game is left out: gone, unreadable, person-twice or seat-unknown; and the names of whom it is about."""

    why: str
    names: tuple[str, ...] = ()


class Meeting(NamedTuple):
    """A game of the club with its summary (UNKNOWN if it is gone or unreadable) and, by seat, the people who sat there.

    Each has the id under which their games count; somebody unknown is not among them.
    """

    game: ClubGame
    summary: Summary
    people: Mapping[int, int]
    problem: LeftOut | None

    @property
    def counts(self) -> bool:
        """Whether it counts in the table: it is over and not left out."""
        return self.summary.is_over and self.problem is None


def meetings(club: Club, summaries: Mapping[int, Summary | None]) -> tuple[Meeting, ...]:
    """Return the games of a club in the order of their days, on one day in that of their entries.

    `summaries` has each game's by its id: None if it cannot be read; a game that is gone is missing. Who is seated in a
    game but not in the log, because they joined later, is found by name.
    """
    named = club.named
    played = (_meeting(club, game, summaries, named) for game in club.games.values())
    return tuple(sorted(played, key=lambda each: (each.summary.day, each.game.entry)))


def _meeting(
    club: Club, game: ClubGame, summaries: Mapping[int, Summary | None], named: Mapping[str, frozenset[int]]
) -> Meeting:
    people = {seat: club.whole(person) for seat, person in game.seats.items()}
    summary = summaries.get(game.id)
    if summary is None:
        return Meeting(game, UNKNOWN, people, LeftOut("unreadable" if game.id in summaries else "gone"))
    for seat in summary.names.keys() - people.keys():
        namesakes = named.get(identify(summary.names[seat]), frozenset())
        people |= dict.fromkeys([seat], next(iter(namesakes))) if len(namesakes) == 1 else {}
    people = {seat: people[seat] for seat in summary.names if seat in people}
    problem = None
    if twice := twice_in(people):
        problem = LeftOut("person-twice", tuple(club.people[each] for each in twice))
    elif unknown := tuple(name for seat, name in summary.names.items() if seat not in people):
        problem = LeftOut("seat-unknown", unknown)
    return Meeting(game, summary, people, problem)


def twice_in(people: Mapping[int, int]) -> list[int]:
    """Return the people who have several of these seats."""
    return [person for person, seats in Counter(people.values()).items() if seats > 1]
