"""What can be recorded at the table: one class for each kind of event, read from JSON and written back.

`from_json` checks shapes and ranges only; `game.judge` decides whether an event makes sense in its game.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import MISSING, Field, dataclass, field, fields
from typing import Any, ClassVar, NamedTuple, cast

from app.kalooki import readers
from app.kalooki.any_json import any_json
from app.kalooki.cards import Card, Malformed
from app.kalooki.readers import MOST_MONEY, MOST_NAME, MOST_NOTE, MOST_POINTS, Left, Reader, Schema, Stakes
from app.kalooki.rules.mishaps import MOMENTS, slugs
from app.kalooki.variants import Value

UNCHANGED = "unchanged"
NO_CLAIM: Any = frozenset()
"""Stands for no claim, since any JSON may be one: a ruling on a mishap has none."""
MOST_ZONE = 64


def _event(*kinds: str) -> Reader:
    """Reads an event inside a correction, of one of the kinds allowed there."""

    def read(raw: object, path: str) -> Event:
        kind = readers.mapping(raw, path).get("kind")
        if isinstance(kind, str) and kind in KINDS and kind not in kinds:
            raise Malformed("{field}: an event of the kind “{word}” cannot stand here.", path, kind)
        return from_json(raw, path)

    return Reader(read, one_of(kinds))


def one_of(kinds: Iterable[str]) -> Schema:
    """The schema of an event of any of some kinds."""
    return {"oneOf": [readers.component(component_name(kind)) for kind in kinds]}


def component_name(kind: str) -> str:
    """The name of a kind of event in the API document: BuyInEvent."""
    return f"{kind.title().replace('_', '')}Event"


_SEAT = readers.whole(1, readers.MOST_SEATS)
_ENTRY = readers.whole(1, readers.MOST_ENTRIES)
_RULES = Reader(readers.mapping, readers.mapped({}) | {"description": "The variant's values as they were then."})


def _from(reader: Reader, default: Any = MISSING, name: str = "") -> Any:
    """A field of an event: its reader, its default when left out, its name in JSON where Python forbids it."""
    metadata = {"reader": reader, "name": name}
    if default is MISSING:
        return field(metadata=metadata)
    if isinstance(default, dict):
        return field(default_factory=dict, metadata=metadata)
    return field(default=default, metadata=metadata)


KINDS: dict[str, type[_Recorded]] = {}
"""Every class of event, by its `kind` in JSON."""


@dataclass(frozen=True)
class _Recorded:
    kind: ClassVar[str]
    asks: ClassVar[Schema] = {}

    def __init_subclass__(cls, kind: str) -> None:
        cls.kind = kind
        KINDS[kind] = cls


@dataclass(frozen=True)
class Start(_Recorded, kind="start"):
    """The first entry: who plays what for which stakes; `rules` are the variant's values at that time.

    `zone` is the table's time zone; empty if nobody has given it.
    """

    variant: str = _from(readers.variant_id)
    players: tuple[str, ...] = _from(readers.players)
    house: Mapping[str, Value] = _from(readers.house, {})
    dealer: int = _from(_SEAT, 1)
    stakes: Stakes | None = _from(readers.stakes, {})
    settle: str = _from(readers.choice("account", "cash"), "account")
    zone: str = _from(readers.text(1, MOST_ZONE), "")
    rules: Mapping[str, Any] = _from(_RULES, {})


@dataclass(frozen=True)
class Hand(_Recorded, kind="hand"):
    """A hand somebody won: what every other player still in has left, and the calls made (Jamaican)."""

    winner: int = _from(_SEAT)
    ending: str = _from(readers.choice("going_out", "kalooki", "bending"))
    left: Mapping[int, Left] = _from(readers.by_seat(readers.left))
    calls: Mapping[int, int] = _from(readers.by_seat(readers.whole(0, readers.MOST_CALLS)), {})

    @property
    def held(self) -> list[Card]:
        """All cards left, of all losers together."""
        return [card for left in self.left.values() for card in left.cards]


@dataclass(frozen=True)
class Void(_Recorded, kind="void"):
    """A hand that does not count: no score, no payment, the same deal again."""

    reason: str = _from(readers.text(0, MOST_NOTE), "")


@dataclass(frozen=True)
class BuyIn(_Recorded, kind="buy_in"):
    """A player who was knocked out pays to play on."""

    seat: int = _from(_SEAT)


@dataclass(frozen=True)
class Decline(_Recorded, kind="decline"):
    """A player who was knocked out does not buy in."""

    seat: int = _from(_SEAT)


@dataclass(frozen=True)
class Penalty(_Recorded, kind="penalty"):
    """Points against a player, or money they pay into the pool, in minor units."""

    seat: int = _from(_SEAT)
    points: int = _from(readers.whole(0, MOST_POINTS), 0)
    amount: int = _from(readers.whole(0, MOST_MONEY), 0)
    reason: str = _from(readers.text(0, MOST_NOTE), "")
    rule: str = _from(readers.text(0, 60), "")


@dataclass(frozen=True)
class Ruling(_Recorded, kind="ruling"):
    """A ruling on a claim, or on a mishap and when it was noticed; its points and amount count if `upheld`."""

    asks: ClassVar[Schema] = {"oneOf": [{"required": ["claim"]}, {"required": ["mishap", "noticed"]}]}
    verdict: Any = _from(any_json)
    claim: Any = _from(any_json, NO_CLAIM)
    mishap: str = _from(readers.choice(*slugs()), "")
    noticed: str = _from(readers.choice(*MOMENTS), "")
    check: str = _from(readers.text(0, 20), "")
    seat: int | None = _from(readers.optional(_SEAT), None)
    note: str = _from(readers.text(0, MOST_NOTE), "")
    points: int = _from(readers.whole(0, MOST_POINTS), 0)
    amount: int = _from(readers.whole(0, MOST_MONEY), 0)
    upheld: bool = _from(readers.flag, True)

    def __post_init__(self) -> None:
        if (self.claim != NO_CLAIM) == bool(self.mishap and self.noticed):
            raise Malformed("{field}: a ruling is on a claim, or on a mishap and when it was noticed.", "claim")


@dataclass(frozen=True)
class Leave(_Recorded, kind="leave"):
    """A player goes home; what they paid stays in the pool."""

    seat: int = _from(_SEAT)


@dataclass(frozen=True)
class Join(_Recorded, kind="join"):
    """A late player: the score they start at (None: the highest total still in), and whether they pay the stake."""

    name: str = _from(readers.text(1, MOST_NAME))
    points: int | None = _from(readers.optional(readers.whole(0, MOST_POINTS)), None)
    stake: bool = _from(readers.flag, False)
    after: int | None = _from(readers.optional(_SEAT), None)


@dataclass(frozen=True)
class Rename(_Recorded, kind="rename"):
    """A player's name, corrected everywhere."""

    seat: int = _from(_SEAT)
    name: str = _from(readers.text(1, MOST_NAME))


@dataclass(frozen=True)
class Setup(_Recorded, kind="setup"):
    """Corrects the setup: the values it names replace those of the start."""

    dealer: int | None = _from(readers.optional(_SEAT), None)
    stakes: Stakes | str | None = _from(readers.stakes, UNCHANGED)
    house: Mapping[str, Value] = _from(readers.house, {})
    settle: str | None = _from(readers.optional(readers.choice("account", "cash")), None)


@dataclass(frozen=True)
class Paid(_Recorded, kind="paid"):
    """Cash paid at the table: raises the payer's balance, lowers the receiver's."""

    payer: int = _from(_SEAT, name="from")
    to: int = _from(_SEAT)
    amount: int = _from(readers.whole(1, MOST_MONEY))


@dataclass(frozen=True)
class First(_Recorded, kind="first"):
    """Who drew the highest card and plays first in the next hand."""

    seat: int = _from(_SEAT)


@dataclass(frozen=True)
class End(_Recorded, kind="end"):
    """The table ends an open-ended game."""


@dataclass(frozen=True)
class Stop(_Recorded, kind="stop"):
    """The table stops the game early and says what becomes of the pool."""

    pool: str | None = _from(readers.choice("refund", "equal", "leader"), None)

    @property
    def outcome(self) -> str:
        """What becomes of the pool; by default everybody gets back what they paid in."""
        return self.pool or "refund"


@dataclass(frozen=True)
class Decider(_Recorded, kind="decider"):
    """Who won the deciding hand among the tied players."""

    winner: int = _from(_SEAT)


@dataclass(frozen=True)
class Insert(_Recorded, kind="insert"):
    """A forgotten hand that belongs before entry `before`."""

    before: int = _from(readers.whole(2, readers.MOST_ENTRIES))
    event: Event = _from(_event("hand", "void"))


@dataclass(frozen=True)
class Amend(_Recorded, kind="amend"):
    """The whole event that should have stood at entry `target`."""

    target: int = _from(_ENTRY)
    # every kind so far: neither another amendment nor an undo
    event: Event = _from(_event(*(kind for kind in KINDS if kind != "start")))


@dataclass(frozen=True)
class Undo(_Recorded, kind="undo"):
    """Undoes an entry of any kind, even a correction."""

    target: int = _from(_ENTRY)


Event = (
    Start
    | Hand
    | Void
    | BuyIn
    | Decline
    | Penalty
    | Ruling
    | Leave
    | Join
    | Rename
    | Setup
    | Paid
    | First
    | End
    | Stop
    | Decider
    | Amend
    | Insert
    | Undo
)


class _Field(NamedTuple):
    """One field of an event: its name in JSON and in Python, its reader, its default (MISSING: it is required)."""

    name: str
    attribute: str
    reader: Reader
    default: Any


def _field(told: Field[Any]) -> _Field:
    default = told.default if told.default_factory is MISSING else told.default_factory()
    return _Field(told.metadata["name"] or told.name, told.name, told.metadata["reader"], default)


_SHAPES = {kind: tuple(map(_field, fields(event))) for kind, event in KINDS.items()}
_KNOWN = {kind: {"kind", *(each.name for each in shape)} for kind, shape in _SHAPES.items()}


def from_json(raw: object, path: str = "") -> Event:
    """The event a JSON object describes; raises Malformed naming the field that cannot be read.

    >>> from_json({"kind": "hand", "winner": 2, "ending": "going_out", "left": {"1": "KH QD *"}}).winner
    2
    """
    told = readers.mapping(raw, path or "event")
    kind = told.get("kind")
    if not isinstance(kind, str) or kind not in KINDS:
        raise Malformed("There is no event of the kind “{word}”.", readers.within(path, "kind"), kind)
    readers.only(told, _KNOWN[kind], path)
    values = {}
    for name, attribute, reader, default in _SHAPES[kind]:
        if name in told:
            values[attribute] = reader.read(told[name], readers.within(path, name))
        elif default is MISSING:
            raise Malformed("{field} is missing.", readers.within(path, name))
    return cast("Event", KINDS[kind](**values))


def schemas() -> dict[str, Schema]:
    """What `from_json` reads, by kind."""
    return {kind: _schema(kind, shape) for kind, shape in _SHAPES.items()}


def _schema(kind: str, shape: Iterable[_Field]) -> Schema:
    keys = {each.name: (each.reader, each.default is MISSING) for each in shape}
    return readers.shape_of({"kind": (Reader(readers.mapping, {"const": kind}), True)} | keys) | KINDS[kind].asks


def to_json(event: Event) -> dict[str, Any]:
    """The event as JSON, without values at their default: `from_json(to_json(event)) == event`."""
    raw: dict[str, Any] = {"kind": event.kind}
    for name, attribute, _, default in _SHAPES[event.kind]:
        value = getattr(event, attribute)
        if default is MISSING or value != default:
            raw[name] = _plain(value)
    return raw


def _plain(value: object) -> Any:
    if isinstance(value, Left):
        return value.plain
    if isinstance(value, _Recorded):
        return to_json(cast("Event", value))
    if isinstance(value, Mapping):
        return {str(key): _plain(inner) for key, inner in value.items()}
    if isinstance(value, (tuple, list)):
        return [_plain(inner) for inner in value]
    return value
