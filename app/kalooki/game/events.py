"""What can be recorded at the table: one class for each kind of event, read from JSON and written back.

`from_json` checks shapes and ranges only; `read_new` also cleans the names of what comes in; `game.judge` decides
whether an event makes sense in its game.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from app.kalooki import readers
from app.kalooki.cards import BadInput, Card
from app.kalooki.game import faces
from app.kalooki.game.recorded import KINDS, Event, from_json, read_by, read_new, schemas, to_json
from app.kalooki.readers import MOST_MONEY, MOST_NOTE, MOST_PLACE, MOST_POINTS, Carried, Left, Reader, Schema, Stakes
from app.kalooki.rules.disputes import MOMENTS, of_kind
from app.kalooki.variants import Value

__all__ = ["KINDS", "Event", "Left", "from_json", "read_new", "schemas", "to_json"]
"""What others import from here, besides the classes of events."""

MOST_BONUS = 1_000
UNCHANGED = "unchanged"
NO_CLAIM: Any = frozenset()
"""Stands for no claim, since any JSON may be one: a ruling on a mishap has none."""


def _event(*kinds: str) -> Reader:
    """Read an event inside a correction, of one of the kinds allowed there."""

    def read(raw: object, path: str) -> Event:
        kind = readers.mapping(raw, path).get("kind")
        if isinstance(kind, str) and kind in KINDS and kind not in kinds:
            raise BadInput("{field}: an event of the kind “{word}” cannot stand here.", path, kind)
        return from_json(raw, path)

    return Reader(read, one_of(kinds))


def one_of(kinds: Iterable[str]) -> Schema:
    """Return the schema of an event of any of some kinds."""
    return {"oneOf": [readers.component(component_name(kind)) for kind in kinds]}


def component_name(kind: str) -> str:
    """Return the name of a kind of event in the API document: BuyInEvent."""
    return f"{kind.title().replace('_', '')}Event"


NOTE = readers.text(0, MOST_NOTE)
PLACE = readers.text(0, MOST_PLACE)
_ENTRY = readers.whole(1, readers.LAST_ENTRY)
_BEFORE = readers.whole(2, readers.LAST_ENTRY)
_RULES = Reader(readers.mapping, readers.mapped({}) | {"description": "The variant's values as they were then."})


class Start(Event, kind="start"):
    """The first entry: who plays what for which stakes; `rules` are the variant's values at that time.

    `book` is what a server's own variant says beside them: with both, the game needs its file no more.
    `zone` is the table's time zone, `region` its territory, which says how amounts and days are written there, and
    `place` where the table sits; each empty if nobody has given it.
    `faces` are colours and emojis by seat, for players who have chosen. `carried` is what was played on paper before.
    """

    variant: str = read_by(readers.recorded_id)
    players: tuple[str, ...] = read_by(readers.players)
    house: Mapping[str, Value] = read_by(readers.house, {})
    dealer: int = read_by(readers.seat, 1)
    stakes: Stakes | None = read_by(readers.stakes, {})
    settle: str = read_by(readers.choice("account", "cash"), "account")
    zone: str = read_by(readers.text(1, 64), "")
    region: str = read_by(readers.region, "")
    place: str = read_by(PLACE, "")
    note: str = read_by(NOTE, "")
    faces: Mapping[int, Mapping[str, Any]] = read_by(readers.by_seat(faces.face), {})
    carried: Carried | None = read_by(readers.optional(readers.carried), None)
    rules: Mapping[str, Any] = read_by(_RULES, {})
    book: Mapping[str, Any] = read_by(readers.book, {})


class Hand(Event, kind="hand"):
    """A hand somebody won: what every other player still in has left, and the calls made (Jamaican).

    `agreed` and `objected` are what seats said to it under 0.3: kept in old logs, and not shown.
    """

    winner: int = read_by(readers.seat)
    ending: str = read_by(readers.choice("going_out", "kalooki", "bending"))
    left: Mapping[int, Left] = read_by(readers.by_seat(readers.left))
    calls: Mapping[int, int] = read_by(readers.by_seat(readers.calls), {})
    note: str = read_by(NOTE, "")
    agreed: tuple[int, ...] = read_by(readers.listed(readers.seat, readers.MOST_SEATS), ())
    objected: Mapping[int, str] = read_by(readers.by_seat(NOTE), {})

    @property
    def cards_left(self) -> tuple[Card, ...]:
        """All cards left, of all losers together."""
        return tuple([card for left in self.left.values() for card in left.cards])


class Void(Event, kind="void"):
    """A hand that does not count: no score, no payment, the same deal again."""

    reason: str = read_by(NOTE, "")


class BuyIn(Event, kind="buy_in"):
    """A player who was knocked out pays to play on; `before` is the entry it belongs before, if it was told late."""

    seat: int = read_by(readers.seat)
    before: int | None = read_by(readers.optional(_BEFORE), None)

    @property
    def belongs_before(self) -> int | None:
        return self.before


class Decline(Event, kind="decline"):
    """A player who was knocked out does not buy in."""

    seat: int = read_by(readers.seat)


class Penalty(Event, kind="penalty"):
    """Points against a player, or money they pay into the pool, in minor units; points below 0 are a bonus."""

    seat: int = read_by(readers.seat)
    points: int = read_by(readers.whole(-MOST_BONUS, MOST_POINTS), 0)
    amount: int = read_by(readers.whole(0, MOST_MONEY), 0)
    reason: str = read_by(NOTE, "")
    rule: str = read_by(readers.text(0, 60), "")
    after_hand: bool = read_by(readers.flag, False)


class Ruling(Event, kind="ruling"):
    """A ruling on a claim, or on a mishap and when it was noticed; its points and amount count if `upheld`."""

    asks: ClassVar[Schema] = {"oneOf": [{"required": ["claim"]}, {"required": ["mishap", "noticed"]}]}
    verdict: Any = read_by(readers.any_json)
    claim: Any = read_by(readers.any_json, NO_CLAIM)
    mishap: str = read_by(readers.choice(*of_kind("mishap")), "")
    noticed: str = read_by(readers.choice(*MOMENTS), "")
    check: str = read_by(readers.text(0, 20), "")
    seat: int | None = read_by(readers.optional(readers.seat), None)
    note: str = read_by(NOTE, "")
    points: int = read_by(readers.whole(0, MOST_POINTS), 0)
    amount: int = read_by(readers.whole(0, MOST_MONEY), 0)
    upheld: bool = read_by(readers.flag, True)
    after_hand: bool = read_by(readers.flag, False)

    @property
    def costs(self) -> bool:
        """Whether its points or amount count against its seat."""
        return self.upheld and bool(self.points or self.amount)

    @property
    def is_mid_hand(self) -> bool:
        return self.after_hand and self.costs

    def __post_init__(self) -> None:
        if (self.claim != NO_CLAIM) == bool(self.mishap and self.noticed):
            raise BadInput("{field}: a ruling is on a claim, or on a mishap and when it was noticed.", "claim")


class Leave(Event, kind="leave"):
    """A player goes home; what they paid stays in the pool."""

    seat: int = read_by(readers.seat)
    after_hand: bool = read_by(readers.flag, False)


class Join(Event, kind="join"):
    """A late player: the score they start at (None: the highest total still in), and whether they pay the stake."""

    name: str = read_by(readers.name)
    points: int | None = read_by(readers.optional(readers.whole(0, MOST_POINTS)), None)
    stake: bool = read_by(readers.flag, False)
    after: int | None = read_by(readers.optional(readers.seat), None)
    after_hand: bool = read_by(readers.flag, False)


class Rename(Event, kind="rename"):
    """A player's name, corrected everywhere."""

    seat: int = read_by(readers.seat)
    name: str = read_by(readers.name)


class NewFace(Event, kind="face"):
    """The colour, and the emoji if any, beside a player's name."""

    seat: int = read_by(readers.seat)
    colour: str = read_by(faces.colour)
    emoji: str | None = read_by(faces.emoji, None)


class Setup(Event, kind="setup"):
    """Corrects the setup: the values it names replace those of the start; an empty place or note takes it away."""

    dealer: int | None = read_by(readers.optional(readers.seat), None)
    stakes: Stakes | str | None = read_by(readers.stakes, UNCHANGED)
    house: Mapping[str, Value] = read_by(readers.house, {})
    settle: str | None = read_by(readers.optional(readers.choice("account", "cash")), None)
    place: str | None = read_by(readers.optional(PLACE), None)
    note: str | None = read_by(readers.optional(NOTE), None)


class Paid(Event, kind="paid"):
    """Cash paid at the table: raises the payer's balance, lowers the receiver's.

    `together`: settled with other games, so that other people may have handed over other amounts.
    """

    payer: int = read_by(readers.seat, name="from")
    to: int = read_by(readers.seat)
    amount: int = read_by(readers.whole(1, MOST_MONEY))
    together: bool = read_by(readers.flag, False)


class First(Event, kind="first"):
    """Who drew the highest card and plays first in the next hand."""

    seat: int = read_by(readers.seat)


class End(Event, kind="end"):
    """The table ends an open-ended game."""


class Stop(Event, kind="stop"):
    """The table stops the game early and says what becomes of the pool."""

    pool: str | None = read_by(readers.choice("refund", "equal", "leader"), None)

    @property
    def outcome(self) -> str:
        """What becomes of the pool; by default everybody gets back what they paid in."""
        return self.pool or "refund"


class Decider(Event, kind="decider"):
    """Who won the deciding hand among the tied players."""

    winner: int = read_by(readers.seat)


class Insert(Event, kind="insert"):
    """A forgotten hand that belongs before entry `before`."""

    before: int = read_by(_BEFORE)
    event: Event = read_by(_event("hand", "void"))

    @property
    def inner(self) -> Event:
        return self.event

    @property
    def belongs_before(self) -> int:
        return self.before


class Amend(Event, kind="amend"):
    """The whole event that should have stood at entry `target`."""

    target: int = read_by(_ENTRY)
    # every kind so far: neither another amendment nor an undo
    event: Event = read_by(_event(*(kind for kind in KINDS if kind != "start")))

    @property
    def inner(self) -> Event:
        return self.event.inner

    def stands_at(self, number: int) -> int:  # noqa: ARG002 - it has that of another
        return self.target


class Undo(Event, kind="undo"):
    """Undoes an entry of any kind, even a correction."""

    target: int = read_by(_ENTRY)
