"""Why an event cannot be recorded in a club, and what is recorded with one that can."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from app.kalooki.club.events import (
    AddGame,
    ClubEvent,
    ClubUndo,
    DropGame,
    Merge,
    SeatPeople,
    SettleUp,
    Usual,
)
from app.kalooki.club.fold import Club, Meeting, seated, twice_in
from app.kalooki.club.league import currencies
from app.kalooki.faults import Fault
from app.kalooki.money import Currency
from app.kalooki.people import identify
from app.kalooki.variants import load, with_house_rules

MOST_PEOPLE = 500
MOST_CLUB_ENTRIES = 10_000


class FoundGame(NamedTuple):
    """The game that an event's code leads to: its id, and the players' names by seat (None if it cannot be read).

    `copies` are the ids of other games that begin with the same two entries at the same times.
    """

    id: int
    names: Mapping[int, str] | None = None
    copies: Collection[int] = ()


Judged = tuple[ClubEvent, list[Fault]]


def judge(
    club: Club,
    event: ClubEvent,
    played: Sequence[Meeting] = (),
    found: FoundGame | None = None,
    *,
    records: bool = False,
) -> Judged:
    """Return an event as it will be recorded, and the faults for which it is refused.

    `played` are the club's games, as `meetings` returns them, and `found` the game that the event's code leads to, if
    any. `records` says whether the event came with a right to record in that game. Raises BadInput for usual rules that
    cannot be played.
    """
    if club.length >= MOST_CLUB_ENTRIES:
        return event, [Fault("club-full", facts={"field": "kind", "what": "entries", "most": MOST_CLUB_ENTRIES})]
    if isinstance(event, Usual):
        with_house_rules(load(event.variant), event.house)
    if isinstance(event, AddGame):
        event = replace(event, game=found.id if found else 0, records=records, seats={}, names={})
    unknown = [(field, person) for field, person in event.named if person not in club.people]
    recorded, faults = event, [Fault("no-such-person", facts={"field": at, "person": who}) for at, who in unknown]
    if not faults:
        recorded, faults = _RULES.get(event.kind, _accept)(club, event, played, found)
    if not faults and recorded.newcomers and len(club.people) + len(recorded.newcomers) > MOST_PEOPLE:
        faults = [Fault("club-full", facts={"field": "people", "what": "people", "most": MOST_PEOPLE})]
    return recorded, faults


def _accept(_club: Club, event: Any, _played: Sequence[Meeting], _found: FoundGame | None) -> Judged:
    return event, []


def _add_game(club: Club, event: AddGame, _played: Sequence[Meeting], found: FoundGame | None) -> Judged:
    fault = _not_found(event.code, found)
    if fault is None and found:
        copied = next((game for game in found.copies if game in club.games), None)
        if found.id in club.games:
            fault = Fault("game-twice", facts={"field": "code", "entry": club.games[found.id].entry})
        elif copied is not None:
            fault = Fault("game-copied", facts={"field": "code", "entry": club.games[copied].entry})
    if fault or found is None or found.names is None:
        return event, [fault] if fault else []
    faults = [*_unknown_seats(event, found.names)]
    names = {seat: who for seat, who in event.people.items() if isinstance(who, str)}
    seats = {seat: who for seat, who in event.people.items() if isinstance(who, int)}
    means = club.named
    for seat, name in found.names.items():
        if seat not in event.people:
            meant = means.get(identify(name), ())
            if len(meant) > 1:
                faults.append(Fault("which-person", facts={"field": f"people.{seat}", "name": name}))
            elif meant:
                seats[seat] = next(iter(meant))
            else:
                names[seat] = name
    seats |= dict(zip(sorted(names), range(club.last_id + 1, club.last_id + 1 + len(names)), strict=True))
    faults += _twice(club, {seat: club.whole(person) for seat, person in seats.items()})
    return replace(event, seats=dict(sorted(seats.items())), names=names), faults


def _not_found(code: str, found: FoundGame | None) -> Fault | None:
    """Return why the game that a code leads to cannot be used."""
    if found is None:
        return Fault("no-such-game", facts={"field": "code", "code": code})
    return Fault("unreadable-game", facts={"field": "code", "code": code}) if found.names is None else None


def _unknown_seats(event: AddGame | SeatPeople, names: Mapping[int, str]) -> Iterator[Fault]:
    for seat in sorted(event.people.keys() - names.keys()):
        yield Fault("no-such-seat-there", facts={"field": f"people.{seat}", "seat": seat})


def _twice(club: Club, people: Mapping[int, int]) -> Iterator[Fault]:
    for person in twice_in(people):
        name = club.people.get(person, str(person))
        yield Fault("person-twice", facts={"field": "people", "name": name})


def _seat_people(club: Club, event: SeatPeople, played: Sequence[Meeting], found: FoundGame | None) -> Judged:
    meeting = _meeting(event.code, played)
    if meeting is None:
        return event, [_not_in_club(event.code)]
    if fault := _not_found(event.code, found):
        return event, [fault]
    names = found.names if found and found.names else {}
    newcomers = range(club.last_id + 1, club.last_id + 1 + len(event.newcomers))
    changes = {seat: club.whole(person) for seat, person in seated(event, newcomers).items()}
    return event, [*_unknown_seats(event, names), *_twice(club, {**meeting.people, **changes})]


def _meeting(code: str, played: Iterable[Meeting]) -> Meeting | None:
    return next((each for each in played if each.game.code == code), None)


def _not_in_club(code: str) -> Fault:
    return Fault("no-such-club-game", facts={"field": "code", "code": code})


def _drop(club: Club, event: DropGame, _played: Sequence[Meeting], _found: FoundGame | None) -> Judged:
    return event, [] if club.game(event.code) else [_not_in_club(event.code)]


def _merge(club: Club, event: Merge, played: Sequence[Meeting], _found: FoundGame | None) -> Judged:
    into = club.whole(event.into)
    facts = {"name": club.people[event.person], "other": club.people[into]}
    together = [each for each in played if {event.person, into} <= {*each.people.values()}]
    if event.person in club.merged:
        facts["other"] = club.people[club.whole(event.person)]
        return event, [Fault("merged-already", facts={"field": "person", **facts})]
    if into == event.person:
        return event, [Fault("merged-ring", facts={"field": "into", **facts})]
    if together:
        return event, [Fault("sat-together", facts={"field": "into", "entry": together[0].game.entry, **facts})]
    return event, []


def _pay(club: Club, event: SettleUp, played: Sequence[Meeting], _found: FoundGame | None) -> Judged:
    called = currencies(club, played)
    decimals = {
        each.currency: called.get(each.currency.casefold(), Currency.called(each.currency)).decimals
        for each in event.payments
    }
    faults = [
        Fault("paid-to-self", facts={"field": f"payments.{number}.to", "name": club.people[club.whole(each.to)]})
        for number, each in enumerate(event.payments)
        if club.whole(each.payer) == club.whole(each.to)
    ]
    return replace(event, decimals=decimals), faults


def _undo(club: Club, event: ClubUndo, _played: Sequence[Meeting], _found: FoundGame | None) -> Judged:
    facts = {"field": "target", "entry": event.target}
    if not 1 < event.target <= club.length:
        return event, [Fault("no-such-club-entry", facts=facts)]
    return event, [Fault("club-undone-already", facts=facts)] if event.target in club.undone_by else []


_RULES: dict[str, Callable[[Club, Any, Sequence[Meeting], FoundGame | None], Judged]] = {
    AddGame.kind: _add_game,
    SeatPeople.kind: _seat_people,
    DropGame.kind: _drop,
    Merge.kind: _merge,
    SettleUp.kind: _pay,
    ClubUndo.kind: _undo,
}
