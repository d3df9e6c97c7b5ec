"""The events that can be recorded of a club, one class for each kind: how each is read from JSON and written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from app.kalooki import readers
from app.kalooki.cards import BadInput
from app.kalooki.kinds import AnyEvent, read_by, read_event, schema_of, to_json
from app.kalooki.readers import LAST_ENTRY, MOST_DECIMALS, MOST_MONEY, Key, Reader, Schema, Stakes
from app.kalooki.variants import Value

MOST_PAYMENTS = 100
MOST_LEAST = 999


class ClubPayment(NamedTuple):
    """A payment by hand from one person to another, in minor units of a currency."""

    payer: int
    to: int
    amount: int
    currency: str

    @property
    def plain(self) -> dict[str, Any]:
        """The value as JSON."""
        return {"from": self.payer, "to": self.to, "amount": self.amount, "currency": self.currency}


def _season(raw: object, path: str) -> str:
    try:
        return "" if raw == "" else str(readers.day(f"2001-{raw}", path))[5:]  # a year without 29 February
    except BadInput as error:
        message = "{field}: “{word}” isn’t the first day of a season. Write it as 09-01; not 02-29."
        raise BadInput(message, path, raw) from error


def _payments(raw: object, path: str) -> Any:
    payments = _LISTED.read(raw, path)
    if payments:
        return payments
    raise BadInput("{field}: list at least one payment.", path)


NAME = Reader(readers.new_name, readers.name.shape)
SEASON = Reader(_season, {"type": "string", "pattern": "^([0-9]{2}-[0-9]{2})?$"})
PERSON = readers.whole(1, LAST_ENTRY)
_ENTRY = readers.whole(1, LAST_ENTRY)
_CODE = readers.text(1, 60)
_WHO = Reader(
    lambda raw, path: (NAME if isinstance(raw, str) else PERSON).read(raw, path),
    {"anyOf": [PERSON.schema, NAME.schema]},
)
_PEOPLE = readers.by_seat(_WHO)
_PAYMENT = {"from": Key(PERSON), "to": Key(PERSON), "amount": Key(readers.whole(1, MOST_MONEY))}
_PAYMENT |= {"currency": Key(readers.currency)}


def _payment(raw: object, path: str) -> ClubPayment:
    readers.only(readers.mapping(raw, path), _PAYMENT, path)
    return ClubPayment(*readers.record(_PAYMENT).read(raw, path).values())


_LISTED = readers.listed(Reader(_payment, readers.closed_schema(_PAYMENT)), MOST_PAYMENTS)
_DECIMALS = Reader(
    lambda raw, path: {
        name: readers.whole(0, MOST_DECIMALS).read(value, path) for name, value in readers.mapping(raw, path).items()
    },
    readers.map_schema(readers.whole(0, MOST_DECIMALS).schema),
)


@dataclass(frozen=True)
class ClubEvent(AnyEvent):
    """Something that can be recorded of a club.

    `recorded` names the fields that are found out when it is recorded: no request has them, and the event compares
    without them (`as_sent`). `newcomers` are the names of the people it brings into the club, in the order of their
    ids; `named` are the ids of people it names, each with its field.
    """

    recorded: ClassVar[frozenset[str]] = frozenset()

    @property
    def newcomers(self) -> tuple[str, ...]:
        return ()

    @property
    def named(self) -> Iterable[tuple[str, int]]:
        return ()

    @property
    def as_sent(self) -> dict[str, Any]:
        """The event as JSON, as somebody sent it."""
        return {name: value for name, value in to_json(self).items() if name not in self.recorded}


def _named_in(people: Mapping[int, int | str]) -> list[tuple[str, int]]:
    return [(f"people.{seat}", who) for seat, who in sorted(people.items()) if isinstance(who, int)]


class ClubStart(ClubEvent, kind="start"):
    """The first entry of every club: its name and its time zone, which tells on which day a game began."""

    name: str = read_by(NAME)
    zone: str = read_by(readers.text(0, 64), "")


class ClubName(ClubEvent, kind="name"):
    """A new name of the club."""

    name: str = read_by(NAME)


class Usual(ClubEvent, kind="usual"):
    """What a new game of the club begins with, and what its page shows first.

    That is the table since the first day of the year's `season` (MM-DD; empty for the calendar year), with those ranked
    who played at least `least` games.
    """

    variant: str = read_by(readers.recorded_id)
    house: Mapping[str, Value] = read_by(readers.house, {})
    stakes: Stakes | None = read_by(readers.stakes, {})
    settle: str = read_by(readers.choice("account", "cash"), "account")
    season: str = read_by(SEASON, "")
    least: int = read_by(readers.whole(1, MOST_LEAST), 1)


class NewPerson(ClubEvent, kind="person"):
    """A new person, who gets the next id."""

    name: str = read_by(NAME)

    @property
    def newcomers(self) -> tuple[str, ...]:
        return (self.name,)


class PersonName(ClubEvent, kind="person_name"):
    """A new name of a person."""

    id: int = read_by(PERSON)
    name: str = read_by(NAME)

    @property
    def named(self) -> Iterable[tuple[str, int]]:
        return [("id", self.id)]


class AddGame(ClubEvent, kind="game"):
    """A game that counts in the club, and who sat where: people's ids or, for new people, their names.

    Recorded with it: the `game`'s id in the database, whether keepers may record in it (`records`), the id of whoever
    sat in each of its `seats`, and the `names` by seat of those who were new.
    """

    recorded: ClassVar[frozenset[str]] = frozenset({"game", "records", "seats", "names"})
    code: str = read_by(_CODE)
    people: Mapping[int, int | str] = read_by(_PEOPLE, {})
    game: int = read_by(readers.whole(0, 2**63 - 1), 0)
    records: bool = read_by(readers.flag, False)
    seats: Mapping[int, int] = read_by(readers.by_seat(PERSON), {})
    names: Mapping[int, str] = read_by(readers.by_seat(readers.name), {})

    @property
    def newcomers(self) -> tuple[str, ...]:
        return tuple(self.names[seat] for seat in sorted(self.names))

    @property
    def named(self) -> Iterable[tuple[str, int]]:
        return (*_named_in(self.people), *(("seats", person) for person in self.seats.values()))


class SeatPeople(ClubEvent, kind="people"):
    """A correction of who sat where in a game, which is named by the code with which it was added."""

    code: str = read_by(_CODE)
    people: Mapping[int, int | str] = read_by(_PEOPLE)

    @property
    def newcomers(self) -> tuple[str, ...]:
        return tuple(who for _, who in sorted(self.people.items()) if isinstance(who, str))

    @property
    def named(self) -> Iterable[tuple[str, int]]:
        return _named_in(self.people)


class DropGame(ClubEvent, kind="drop"):
    """A game no longer counts, and keepers may no longer record in it."""

    code: str = read_by(_CODE)


class Merge(ClubEvent, kind="merge"):
    """A person who is really another one: their games are the other's, until this is undone."""

    person: int = read_by(PERSON)
    into: int = read_by(PERSON)

    @property
    def named(self) -> Iterable[tuple[str, int]]:
        return [("person", self.person), ("into", self.into)]


class SettleUp(ClubEvent, kind="paid"):
    """Payments made by hand. Recorded with them: the decimals of their currencies in the club at that time."""

    recorded: ClassVar[frozenset[str]] = frozenset({"decimals"})
    payments: tuple[ClubPayment, ...] = read_by(Reader(_payments, _LISTED.shape | {"minItems": 1}))
    decimals: Mapping[str, int] = read_by(_DECIMALS, {})

    @property
    def named(self) -> Iterable[tuple[str, int]]:
        payers = [(f"payments.{number}.from", each.payer) for number, each in enumerate(self.payments)]
        return [*payers, *((f"payments.{number}.to", each.to) for number, each in enumerate(self.payments))]


class ClubUndo(ClubEvent, kind="undo"):
    """The undoing of an entry of any kind but the start, even of an undo."""

    target: int = read_by(_ENTRY)


class ClubEntry(NamedTuple):
    """One entry of a club's log: its number, counted from 1, and what was recorded."""

    number: int
    event: ClubEvent


def read_recorded(raw: object, path: str = "") -> ClubEvent:
    """Return a recorded event; raises BadInput naming the field that cannot be read."""
    return read_event(ClubEvent, raw, path)


def read_sent(raw: object, path: str = "") -> ClubEvent:
    """Return a new event as somebody sent it: any but a start, without the fields that are found out."""
    event = read_event(ClubEvent, raw, path)
    if isinstance(event, ClubStart):
        raise BadInput("{field}: a club starts once; an event of the kind “{word}” cannot follow.", path, event.kind)
    readers.only(readers.mapping(raw, path), readers.mapping(raw, path).keys() - event.recorded, path)
    return event


def schemas() -> dict[str, Schema]:
    """Return the schema of what `read_sent` reads, by kind."""
    return {kind: schema_of(of, of.recorded) for kind, of in ClubEvent.kinds.items() if of is not ClubStart}
