"""The events that can be recorded, one class for each kind: how each is read from JSON, written, and described."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from app.kalooki import readers
from app.kalooki.cards import BadInput
from app.kalooki.kinds import AnyEvent, read_by, read_event, schema_of, to_json
from app.kalooki.people import EMOJI
from app.kalooki.readers import (
    MOST_MONEY,
    MOST_NOTE,
    MOST_PLACE,
    MOST_POINTS,
    Carried,
    Left,
    Reader,
    Schema,
    Stakes,
)
from app.kalooki.rules.disputes import MOMENTS, of_kind
from app.kalooki.variants import Value

__all__ = ["KINDS", "Event", "Left", "from_json", "read_new", "schemas", "to_json"]
"""The names that other modules import from here, besides the classes of events."""

COLOURS = ("blue", "red", "green", "orange", "purple", "teal", "pink", "brown", "yellow", "grey")
"""All colours in the order in which seats get them, starting again after the last."""

MOST_EMOJI = 16
"""The most code points of one emoji; a family of four with skin tones has eleven."""


class Avatar(NamedTuple):
    """The avatar of a seat; the JSON contract calls it `face`."""

    colour: str
    emoji: str | None = None


def default_avatar(seat: int) -> Avatar:
    """Return the default avatar of a seat.

    >>> default_avatar(1), default_avatar(11).colour
    (Avatar(colour='blue', emoji=None), 'blue')
    """
    return Avatar(COLOURS[(seat - 1) % len(COLOURS)])


def is_emoji(text: str) -> bool:
    """Return whether a text is exactly one emoji, which may have several code points.

    >>> [is_emoji(text) for text in ("🦊", "👩‍🍳", "🇯🇲", "♠️", "🦊🦊", "A", "")]
    [True, True, True, True, False, False, False]
    """
    return len(text) <= MOST_EMOJI and EMOJI.fullmatch(text) is not None


def _emoji(raw: object, path: str) -> str:
    if isinstance(raw, str) and is_emoji(raw):
        return raw
    raise BadInput("{field}: “{word}” is not one emoji.", path, raw)


colour = readers.choice(*COLOURS)
_FOREIGN = "[^\\x00-\\x7f]"
"""The pattern in the API document: every emoji contains a character outside ASCII."""
emoji = readers.optional(
    Reader(_emoji, {"type": "string", "minLength": 1, "maxLength": MOST_EMOJI, "pattern": _FOREIGN})
)
"""Read one emoji, or null."""
avatar = readers.optional_keys({"colour": colour, "emoji": emoji}, "Face")


@dataclass(frozen=True)
class Event(AnyEvent):
    """Something that can be recorded of a game."""

    @property
    def inner(self) -> Event:
        """The event itself or, for an insert or amendment, the event it puts into the log."""
        return self

    def position(self, number: int) -> int:
        """Return the number of the entry it takes effect at: `number` itself, or the target of an amendment."""
        return number

    @property
    def is_mid_hand(self) -> bool:
        """Whether it was recorded during a hand and counts only after that hand."""
        return getattr(self, "after_hand", False)

    @property
    def belongs_before(self) -> int | None:
        """The entry it belongs before, if it was recorded late."""
        return None


KINDS: Mapping[str, type[Event]] = Event.kinds
"""All classes of events by their `kind` in JSON."""


def from_json(raw: object, path: str = "") -> Event:
    """Return the event described by a JSON object; raises BadInput naming the field that cannot be read."""
    return read_event(Event, raw, path)


def read_new(raw: object, path: str = "") -> Event:
    """Return a new event as `from_json` reads it, with players' names cleaned; recorded events keep theirs."""
    return from_json(_with_clean_names(raw, path), path)


def _with_clean_names(raw: object, path: str) -> object:
    if not isinstance(raw, dict):
        return raw
    for kind, of in KINDS.items():
        if raw.get("kind") == kind:
            readers.only(raw, raw.keys() - of.legacy, path)
    clean = {}
    if isinstance(raw.get("event"), dict):
        inside = readers.within(path, "event")
        clean["event"] = _with_clean_names(raw["event"], inside)
    if raw.get("kind") in ("join", "rename") and "name" in raw:
        clean["name"] = readers.new_name(raw["name"], readers.within(path, "name"))
    if raw.get("kind") == "start" and isinstance(raw.get("players"), list):
        at = readers.within(path, "players")
        clean["players"] = [readers.new_name(name, f"{at}.{seat}") for seat, name in enumerate(raw["players"], 1)]
    return raw | clean


def schemas() -> dict[str, Schema]:
    """Return the schema of what `from_json` reads, by kind."""
    return {kind: schema_of(of) for kind, of in KINDS.items()}


MOST_BONUS = 1_000
UNCHANGED = "unchanged"
NO_CLAIM: Any = frozenset()
"""The claim of a ruling on a mishap, which has none; no JSON value equals it."""


def _event(*kinds: str) -> Reader:
    """Read an event inside a correction, which must be of one of these kinds."""

    def read(raw: object, path: str) -> Event:
        kind = readers.mapping(raw, path).get("kind")
        if isinstance(kind, str) and kind in KINDS and kind not in kinds:
            raise BadInput("{field}: an event of the kind “{word}” isn’t allowed here.", path, kind)
        return from_json(raw, path)

    return Reader(read, one_of(kinds))


def one_of(kinds: Iterable[str]) -> Schema:
    """Return the schema of an event of any of these kinds."""
    return {"oneOf": [readers.component(component_name(kind)) for kind in kinds]}


def component_name(kind: str) -> str:
    """Return the name of a kind's schema in the API document, such as BuyInEvent."""
    return f"{kind.title().replace('_', '')}Event"


NOTE = readers.text(0, MOST_NOTE)
PLACE = readers.text(0, MOST_PLACE)
_ENTRY = readers.whole(1, readers.LAST_ENTRY)
_BEFORE = readers.whole(2, readers.LAST_ENTRY)
_RULES = Reader(readers.mapping, readers.map_schema({}) | {"description": "The variant's values as they were then."})


class Start(Event, kind="start"):
    """The first entry of every game: variant, players, house rules and stakes (minor units).

    `rules` are the variant's values at that time. `texts` has the texts of a server's own variant, so that the game no
    longer needs its file. `zone` is the table's time zone, `region` the territory whose formats it uses for amounts
    and days, `place` where the table is; each is empty if unknown. The usual stakes are worked out from `unit`; 0 if
    unknown. `avatars` are those that players have chosen, by seat. `carried` is the part of the game that was
    played on paper.
    """

    variant: str = read_by(readers.recorded_id)
    players: tuple[str, ...] = read_by(readers.players)
    house: Mapping[str, Value] = read_by(readers.house, {})
    dealer: int = read_by(readers.seat, 1)
    stakes: Stakes | None = read_by(readers.stakes, {})
    unit: int = read_by(readers.whole(0, readers.MOST_MONEY), 0)
    settle: str = read_by(readers.choice("account", "cash"), "account")
    zone: str = read_by(readers.text(1, 64), "")
    region: str = read_by(readers.region, "")
    place: str = read_by(PLACE, "")
    note: str = read_by(NOTE, "")
    avatars: Mapping[int, Mapping[str, Any]] = read_by(readers.by_seat(avatar), {}, "faces")
    carried: Carried | None = read_by(readers.optional(readers.carried), None)
    rules: Mapping[str, Any] = read_by(_RULES, {})
    texts: Mapping[str, Any] = read_by(readers.texts, {}, "book")


class Hand(Event, kind="hand"):
    """A hand with a winner: what every other player still in has left, and the calls made (Jamaican).

    `absent` are players still in who were not dealt into it. Somebody who came back into the game by a correction is
    named nowhere, and counts as absent too.
    `agreed` and `objected` are players' answers to it, recorded by release 0.3 only and not shown.
    """

    legacy: ClassVar[frozenset[str]] = frozenset({"agreed", "objected"})
    winner: int = read_by(readers.seat)
    ending: str = read_by(readers.choice("going_out", "kalooki", "bending"))
    left: Mapping[int, Left] = read_by(readers.by_seat(readers.left))
    absent: tuple[int, ...] = read_by(readers.listed(readers.seat, readers.MOST_SEATS), ())
    calls: Mapping[int, int] = read_by(readers.by_seat(readers.calls), {})
    note: str = read_by(NOTE, "")
    agreed: tuple[int, ...] = read_by(readers.listed(readers.seat, readers.MOST_SEATS), ())
    objected: Mapping[int, str] = read_by(readers.by_seat(NOTE), {})


class Void(Event, kind="void"):
    """A hand without a winner: no score, no payment, and the same player deals again."""

    reason: str = read_by(NOTE, "")


class BuyIn(Event, kind="buy_in"):
    """A player who was knocked out buys in; a late buy-in names the entry that it belongs `before`."""

    seat: int = read_by(readers.seat)
    before: int | None = read_by(readers.optional(_BEFORE), None)

    @property
    def belongs_before(self) -> int | None:
        return self.before


class Decline(Event, kind="decline"):
    """A player who was knocked out declines to buy in."""

    seat: int = read_by(readers.seat)


class Penalty(Event, kind="penalty"):
    """Points against a player (negative for a bonus), or money they pay into the pool, in minor units."""

    seat: int = read_by(readers.seat)
    points: int = read_by(readers.whole(-MOST_BONUS, MOST_POINTS), 0)
    amount: int = read_by(readers.whole(0, MOST_MONEY), 0)
    reason: str = read_by(NOTE, "")
    rule: str = read_by(readers.text(0, 60), "")
    after_hand: bool = read_by(readers.flag, False)


class Ruling(Event, kind="ruling"):
    """A ruling on a claim, or on a mishap and when it was noticed.

    Its points and its amount (minor units) count if it is `upheld`.
    """

    extra_schema: ClassVar[Schema] = {"oneOf": [{"required": ["claim"]}, {"required": ["mishap", "noticed"]}]}
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
        """Whether it costs its seat points or money."""
        return self.upheld and bool(self.points or self.amount)

    @property
    def is_mid_hand(self) -> bool:
        return self.after_hand and self.costs

    def __post_init__(self) -> None:
        if (self.claim != NO_CLAIM) == bool(self.mishap and self.noticed):
            raise BadInput("{field}: a ruling is on a claim, or on a mishap and when it was noticed.", "claim")


class Leave(Event, kind="leave"):
    """A player leaves the game; their money stays in the pool."""

    seat: int = read_by(readers.seat)
    after_hand: bool = read_by(readers.flag, False)


class Join(Event, kind="join"):
    """A player who joins late: their first score, and whether they pay the stake.

    Without `points` they start at the highest total still in.
    """

    name: str = read_by(readers.name)
    points: int | None = read_by(readers.optional(readers.whole(0, MOST_POINTS)), None)
    stake: bool = read_by(readers.flag, False)
    after: int | None = read_by(readers.optional(readers.seat), None)
    after_hand: bool = read_by(readers.flag, False)


class Rename(Event, kind="rename"):
    """The corrected name of a player."""

    seat: int = read_by(readers.seat)
    name: str = read_by(readers.name)


class NewAvatar(Event, kind="face"):
    """A player's new avatar."""

    seat: int = read_by(readers.seat)
    colour: str = read_by(colour)
    emoji: str | None = read_by(emoji, None)


class Setup(Event, kind="setup"):
    """A correction of the start: its values replace those of the start, and those it leaves out stay.

    An empty place or note removes the one of the start. `day` is the day of the game, if the clock was wrong.
    """

    dealer: int | None = read_by(readers.optional(readers.seat), None)
    stakes: Stakes | str | None = read_by(readers.stakes, UNCHANGED)
    house: Mapping[str, Value] = read_by(readers.house, {})
    settle: str | None = read_by(readers.optional(readers.choice("account", "cash")), None)
    place: str | None = read_by(readers.optional(PLACE), None)
    note: str | None = read_by(readers.optional(NOTE), None)
    day: str | None = read_by(readers.optional(readers.day), None)

    @property
    def is_heading(self) -> bool:
        """Whether it corrects the day, the place or the note only, which stand at the head of a sheet."""
        return not (self.dealer or self.house or self.settle) and self.stakes == UNCHANGED


class Paid(Event, kind="paid"):
    """A cash payment between players (minor units): raises the payer's balance, lowers the receiver's."""

    legacy: ClassVar[frozenset[str]] = frozenset({"together"})
    payer: int = read_by(readers.seat, name="from")
    to: int = read_by(readers.seat)
    amount: int = read_by(readers.whole(1, MOST_MONEY))


class First(Event, kind="first"):
    """The player who drew the highest card and plays first in the next hand."""

    seat: int = read_by(readers.seat)


class End(Event, kind="end"):
    """The end of an open-ended game, decided by the table."""


class Stop(Event, kind="stop"):
    """The early end of a game, and what becomes of the pool."""

    pool: str | None = read_by(readers.choice("refund", "equal", "leader"), None)

    @property
    def outcome(self) -> str:
        """What becomes of the pool; by default all players get back what they paid in."""
        return self.pool or "refund"


class Decider(Event, kind="decider"):
    """The winner of the deciding hand between tied players."""

    winner: int = read_by(readers.seat)


class Insert(Event, kind="insert"):
    """A forgotten hand, which belongs before entry `before`."""

    before: int = read_by(_BEFORE)
    event: Event = read_by(_event("hand", "void"))

    @property
    def inner(self) -> Event:
        return self.event

    @property
    def belongs_before(self) -> int:
        return self.before


class Amend(Event, kind="amend"):
    """A correction of entry `target`, with the whole event that replaces it."""

    target: int = read_by(_ENTRY)
    # Amend and Undo are not in KINDS yet, so an amendment cannot contain either of them
    event: Event = read_by(_event(*(kind for kind in KINDS if kind != "start")))

    @property
    def inner(self) -> Event:
        return self.event.inner

    def position(self, number: int) -> int:  # noqa: ARG002 - it replaces another entry
        return self.target


class Undo(Event, kind="undo"):
    """The undoing of an entry of any kind, even a correction."""

    target: int = read_by(_ENTRY)
