"""Why an event cannot be recorded in a club, and what is recorded with one that can."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from app.kalooki.club.events import AddGame, ClubEvent, ClubUndo, DropGame, Merge, SeatPeople, SettleUp, Usual
from app.kalooki.club.fold import Club, Meeting, ids_by_seat, twice_in
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


Played = Sequence[Meeting]


def judge(
    club: Club,
    event: ClubEvent,
    played: Played = (),
    found: FoundGame | None = None,
    *,
    records: bool = False,
) -> tuple[ClubEvent, list[Fault]]:
    """Return an event as it will be recorded, and the faults for which it is refused.

    `played` are the club's games, as `meetings` returns them, and `found` the game that the event's code leads to, if
    any. `records` says whether the event came with a right to record in that game. Raises BadInput for usual rules that
    cannot be played.
    """
    if isinstance(event, Usual):
        with_house_rules(load(event.variant), event.house)
    unknown = [(field, person) for field, person in event.named if person not in club.people]
    faults = [_fault("no-such-person", field, person=person) for field, person in unknown]
    if club.length >= MOST_CLUB_ENTRIES:
        faults = [_fault("club-full", "kind", what="entries", most=MOST_CLUB_ENTRIES)]
    if faults:
        return event, faults
    if isinstance(event, AddGame) and found:
        event = replace(_seat(club, event, found.names or {}), game=found.id, records=records)
    elif isinstance(event, SettleUp):
        called = currencies(club, played)
        used = {each.currency: Currency.called(each.currency) for each in event.payments}
        event = replace(event, decimals={key: called.get(key.casefold(), own).decimals for key, own in used.items()})
    faults += _faults(club, event, played, found)
    if event.newcomers and len(club.people) + len(event.newcomers) > MOST_PEOPLE:
        faults.append(_fault("club-full", "people", what="people", most=MOST_PEOPLE))
    return event, faults


def _fault(rule: str, field: str, **facts: object) -> Fault:
    return Fault(rule, facts={"field": field, **facts})


def _fault_of_game(rule: str, field: str, entry: int, **facts: object) -> Fault:
    """Return a fault about a game that counts, named by the entry that added it; pages name it by its day."""
    return _fault(rule, field, entry=entry, game=f"the game of entry {entry}", **facts)


def _seat(club: Club, event: AddGame, names: Mapping[int, str]) -> AddGame:
    """Return the event with the people in all seats: those it names, those found by name, and new ones.

    A seat is left out if several people have its name.
    """
    means, sent = club.named, event.people
    new = {seat: who for seat, who in sent.items() if isinstance(who, str)}
    seats = {seat: who for seat, who in sent.items() if isinstance(who, int)}
    for seat in names.keys() - sent.keys():
        namesakes = means.get(identify(names[seat]), frozenset())
        if not namesakes:
            new[seat] = names[seat]
        elif len(namesakes) == 1:
            seats[seat] = next(iter(namesakes))
    seats |= {seat: club.last_id + number for number, seat in enumerate(sorted(new), 1)}
    return replace(event, seats=dict(sorted(seats.items())), names=new)


def _faults(club: Club, event: ClubEvent, played: Played, found: FoundGame | None) -> Iterator[Fault]:
    match event:
        case AddGame():
            yield from _faults_of_game(club, event, found)
        case SeatPeople() | DropGame() if not club.game(event.code):
            yield _fault("no-such-club-game", "code", code=event.code)
        case SeatPeople():
            [people] = [each.people for each in played if each.game.code == event.code]
            newcomers = range(club.last_id + 1, club.last_id + 1 + len(event.newcomers))
            changes = {seat: club.whole(person) for seat, person in ids_by_seat(event, newcomers).items()}
            yield from _faults_of_seats(club, event, found, {**people, **changes})
        case Merge():
            yield from _faults_of_merge(club, event, played)
        case SettleUp():
            for number, each in enumerate(event.payments):
                if club.whole(each.payer) == club.whole(each.to):
                    yield _fault("paid-to-self", f"payments.{number}.to", name=club.people[club.whole(each.to)])
        case ClubUndo() if not 1 < event.target <= club.length:
            yield _fault("no-such-club-entry", "target", entry=event.target)
        case ClubUndo() if event.target in club.undone_by:
            yield _fault("club-undone-already", "target")


def _faults_of_game(club: Club, event: AddGame, found: FoundGame | None) -> Iterator[Fault]:
    names = (found and found.names) or {}
    copied = [game for game in found.copies if game in club.games] if found and names else []
    if found and names and found.id in club.games:
        yield _fault_of_game("game-twice", "code", club.games[found.id].entry)
    elif copied:
        yield _fault_of_game("game-copied", "code", club.games[copied[0]].entry)
    else:
        yield from _faults_of_seats(club, event, found, {seat: club.whole(each) for seat, each in event.seats.items()})
        for seat, name in sorted(((found and found.names) or {}).items()):
            if seat not in event.seats:
                yield _fault("which-person", f"people.{seat}", name=name)


def fault_of_return(club: Club, copies: Collection[int]) -> list[Fault]:
    """Return the fault of an undo with which a game would count again, if one of its `copies`, by id, counts."""
    entries = [club.games[each].entry for each in copies if each in club.games]
    return [_fault_of_game("game-copied", "target", entries[0])] if entries else []


def _faults_of_seats(
    club: Club, event: AddGame | SeatPeople, found: FoundGame | None, people: Mapping[int, int]
) -> Iterator[Fault]:
    """Yield why `people` cannot have sat in the game that was found."""
    if found is None or found.names is None:
        yield _fault("no-such-game" if found is None else "unreadable-game", "code", code=event.code)
        return
    for seat in sorted(event.people.keys() - found.names.keys()):
        yield _fault("no-such-seat-there", f"people.{seat}", seat=seat)
    for person in twice_in(people):
        yield _fault("person-twice", "people", name=club.people.get(person, str(person)))


def _faults_of_merge(club: Club, event: Merge, played: Played) -> Iterator[Fault]:
    into, own = club.whole(event.into), club.whole(event.person)
    names = {"name": club.people[event.person], "other": club.people[into if own == event.person else own]}
    together = [each.game.entry for each in played if {event.person, into} <= {*each.people.values()}]
    if own != event.person:
        yield _fault("merged-already", "person", **names)
    elif into == event.person:
        yield _fault("merged-ring", "into", **names)
    elif together:
        yield _fault_of_game("sat-together", "into", together[0], **names)
