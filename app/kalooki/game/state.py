"""The state of a game: seats and totals, hands played, the next deal, money."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from app.kalooki.cards import Card
from app.kalooki.faults import Fault
from app.kalooki.game.corrections import Entry
from app.kalooki.game.events import Avatar, Hand, Void
from app.kalooki.money import (
    Currency,
    Movement,
    Payment,
    Posting,
    balances,
    pool,
    postings,
    settlement,
)
from app.kalooki.people import people_of
from app.kalooki.points import ScoreItem
from app.kalooki.readers import Carried, Stakes
from app.kalooki.variants import STAKES, Variant


class EntryFault(NamedTuple):
    """A fault or a warning, with the number of the entry it is about."""

    entry: int
    fault: Fault


class Score(NamedTuple):
    """One player's score in a hand: its items, the total after the hand, and whether that total is out."""

    items: tuple[ScoreItem, ...]
    total: int
    out: bool

    @property
    def points(self) -> int:
        """The points of the hand, all items together."""
        return sum(item.points for item in self.items)


class PlayedHand(NamedTuple):
    """A recorded hand, won or void, with the scores by seat, including the winner's; a void hand has none.

    `absent` are the seats of players still in who were not dealt in.
    """

    entry: int
    number: int
    dealer: int
    dealt: int
    event: Hand | Void
    scores: Mapping[int, Score] = {}
    absent: tuple[int, ...] = ()

    @property
    def totals(self) -> dict[int, int]:
        """The totals after the hand, by seat."""
        return {seat: score.total for seat, score in self.scores.items()}

    @property
    def is_void(self) -> bool:
        return isinstance(self.event, Void)

    @property
    def winner(self) -> int | None:
        return self.event.winner if isinstance(self.event, Hand) else None

    @property
    def ending(self) -> str | None:
        return self.event.ending if isinstance(self.event, Hand) else None

    @property
    def calls(self) -> Mapping[int, int]:
        return self.event.calls if isinstance(self.event, Hand) else {}

    def cards(self, seat: int) -> tuple[Card, ...]:
        """Return the cards a seat had left, empty if they were not recorded."""
        left = self.event.left.get(seat) if isinstance(self.event, Hand) else None
        return left.cards if left else ()

    @property
    def note(self) -> str:
        """The table's note on the hand."""
        return self.event.note if isinstance(self.event, Hand) else ""

    @property
    def reason(self) -> str:
        """Why the hand is void."""
        return self.event.reason if isinstance(self.event, Void) else ""


class Change(NamedTuple):
    """A change of a player between hands: `why` is buy-in, penalty, joined, carried or left.

    `total` is the player's total after it, and `hands` the number of hands before it.
    """

    entry: int
    seat: int
    total: int
    why: str
    hands: int

    @property
    def totals(self) -> dict[int, int]:
        """The total after the change, by seat, like the totals of a hand."""
        return {self.seat: self.total}


class LapsedHand(NamedTuple):
    """A hand that no longer counts, with the number it would have.

    `absent` has the seats in the hand whose players were out but could have bought in. Each has the entry before which
    the offer was open: the hand itself, or a void hand before it.
    """

    number: int
    is_void: bool
    absent: Mapping[int, int]


class LateBuyIn(NamedTuple):
    """A late buy-in that would let a hand count again: that hand's entry, and the entry the buy-in belongs before."""

    hand: int
    before: int


class Finish(NamedTuple):
    """The entry that ended the game, and who gets the pool: the winners, or as chosen for a game ended early."""

    entry: int
    pool: str = "winners"


class Split(NamedTuple):
    """How the pool was shared: its amount in minor units, the seats that share the main part, and the `others`.

    The others share a smaller part equally. If `main` is empty, all players got back what they had paid in.
    """

    pool: int
    main: tuple[int, ...] = ()
    others: tuple[int, ...] = ()

    def out_of(self, players: Mapping[int, Player]) -> tuple[int, ...]:
        """Return the seats among `others` whose players were knocked out."""
        return tuple(seat for seat in self.others if not players[seat].playing)


@dataclass
class Player:
    """One seat and its player, who is `playing` while still in the game.

    `out_since` is the entry that knocked the player out. `lasted` is how many totals had been recorded by then, or
    hands when the player left; entry numbers do not show who lasted longer, because hands can be inserted later.
    `no_offer` says why a player who was knocked out got no offer to buy in: "few" (fewer than two still in), "often"
    (no buy-ins left), "level" (the score to buy in at would be out), or "" if there are no buy-ins or an offer was
    made. `missed` is the entry that ended the player's last offer, while they are out: they declined, or a hand was
    dealt without them.
    """

    seat: int
    name: str
    avatar: Avatar
    total: int = 0
    playing: bool = True
    buy_ins: int = 0
    out_since: int | None = None
    lasted: int = 0
    has_left: bool = False
    staked: bool = True
    no_offer: str = ""
    missed: int | None = None


@dataclass
class Game:
    """The state of a game after its recorded entries.

    `base` is the variant as it was when the game began, and `variant` the same with this table's house rules. `order`
    lists the seats in order of play. Stakes are minor units, None in a game without money. `day` is
    the day of the game if it was corrected, else empty. `carried` is the part played
    on paper.

    `offers` has, by seat, the scores at which players who were knocked out may buy in now. While `deal_open`, `dealer`
    is the one who dealt the last hand, and the next deal waits for the open offers. `lapsed` has, by seat, the entries
    of void hands since the last hand that let an offer lapse. `joiners` has the seats of joining players by entry.

    `lapsed_hands` are the hands among the `faults`, by entry. `unnamed` has, by the entry of a hand, the seats of
    players still in whom it does not name, because a correction brought them back; they count as absent.

    `rulings` are the entries of recorded rulings. `pending` are the entries recorded during the hand in play,
    `counts_with` the entry with which each such entry counts, and `ineffective` those that came too late.
    """

    variant: Variant
    base: Variant
    players: dict[int, Player]
    order: list[int]
    dealer: int
    stakes: Stakes | None
    settle: str
    zone: str = ""
    region: str = ""
    place: str = ""
    note: str = ""
    day: str = ""
    carried: Carried | None = None
    number: int = 1
    offers: dict[int, int] = field(default_factory=dict)
    deal_open: bool = False
    drawn_first: int | None = None
    joiners: dict[int, int] = field(default_factory=dict)
    hands: list[PlayedHand] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    movements: list[Movement] = field(default_factory=list)
    finish: Finish | None = None
    winners: tuple[int, ...] = ()
    shares: dict[int, int] = field(default_factory=dict)
    split: Split | None = None
    faults: list[EntryFault] = field(default_factory=list)
    lapsed_hands: dict[int, LapsedHand] = field(default_factory=dict)
    unnamed: dict[int, tuple[int, ...]] = field(default_factory=dict)
    lapsed: dict[int, int] = field(default_factory=dict)
    rulings: list[int] = field(default_factory=list)
    counts_with: dict[int, Entry] = field(default_factory=dict)
    pending: list[Entry] = field(default_factory=list)
    ineffective: list[int] = field(default_factory=list)
    warnings: list[EntryFault] = field(default_factory=list)

    def copy(self) -> Game:
        """Return a copy that can be changed without changing this game."""
        own: dict[str, Any] = {
            name: value.copy() for name, value in vars(self).items() if isinstance(value, (dict, list))
        }
        own["players"] = {seat: replace(player) for seat, player in self.players.items()}
        return replace(self, **own)

    @property
    def explained_variant(self) -> Variant:
        """The variant by which to explain this table's rules: without stakes if the game has no money."""
        nothing: dict[str, Any] = {f"stake_{name}": 0 for name in STAKES} | {"base": self.variant.base_variant}
        return self.variant if self.stakes else replace(self.variant, **nothing)

    def hand_at(self, entry: int) -> PlayedHand | None:
        """Return the hand that counts at an entry; None if there is none."""
        return next((hand for hand in self.hands if hand.entry == entry), None)

    @property
    def playing(self) -> list[Player]:
        """The players still in the game, in order of play."""
        return [self.players[seat] for seat in self.order if self.players[seat].playing]

    @property
    def late_buy_ins(self) -> dict[int, LateBuyIn]:
        """The late buy-ins without which hands no longer count, by seat, each with the first such hand."""
        first: dict[int, LateBuyIn] = {}
        for entry, lapsed in self.lapsed_hands.items():
            for seat, before in lapsed.absent.items():
                first.setdefault(seat, LateBuyIn(entry, before))
        return first

    @property
    def late_offers(self) -> dict[int, int]:
        """For each player who is out but may still buy in late, by seat: the entry the buy-in belongs before."""
        out = () if self.finish else (player for player in self.players.values() if not player.has_left)
        return {player.seat: player.missed for player in out if player.missed and not player.playing}

    @property
    def status(self) -> str:
        if self.finish:
            return "over"
        return "buy_ins" if self.offers else "playing"

    @property
    def currency(self) -> Currency:
        """The currency of the game's amounts, without a name in a game without money."""
        return Currency.of(self.stakes)

    @property
    def postings(self) -> list[Posting]:
        """All money that moved, in the order of the entries."""
        return postings(self.movements)

    @property
    def pool(self) -> int:
        """The amount in the pool, in minor units."""
        return pool(self.movements)

    @property
    def balances(self) -> dict[int, int]:
        """What the table owes each seat, in minor units."""
        return dict.fromkeys(self.players, 0) | balances(self.movements)

    @property
    def is_ended_early(self) -> bool:
        """Whether the table ended the game early."""
        return bool(self.finish and self.finish.pool != "winners")

    @property
    def is_on_account(self) -> bool:
        """Whether the game has money that is settled at the end, rather than paid in cash after each hand."""
        return bool(self.stakes) and self.settle == "account"

    @property
    def can_be_settled(self) -> bool:
        """Whether the game is over and has money to settle."""
        return bool(self.finish and self.is_on_account)

    @property
    def payments(self) -> list[Payment]:
        """The fewest payments that settle a game that is over; empty before that."""
        return settlement(self.balances) if self.can_be_settled else []

    @property
    def won(self) -> dict[int, int]:
        """The amount each seat won (positive) or lost, in minor units, before any cash payments."""
        moved = balances(movement for movement in self.movements if movement.why != "paid")
        return dict.fromkeys(self.players, 0) | moved

    @property
    def claimed_hand(self) -> int:
        """The number of the hand whose contract claims are about: the one in play, or the last one after the end."""
        return max(1, min(self.number, len(self.variant.contracts_played)))

    @property
    def next_dealer(self) -> int:
        passes = self.deal_open or not self.players[self.dealer].playing
        return self.after(self.dealer) if passes else self.dealer

    @property
    def cutter(self) -> int:
        """The seat that cuts: that of the player still in to the dealer's right (rule `the-cut`)."""
        place = self.order.index(self.next_dealer)
        before = [*self.order[place + 1 :], *self.order[:place]]
        return next((seat for seat in reversed(before) if self.players[seat].playing), self.next_dealer)

    @property
    def first(self) -> int | None:
        """The seat that plays first; None if the highest card decides and is not drawn, or its player is out."""
        if self.variant.plays_first == "highest_card":
            drawn = self.drawn_first
            return drawn if drawn is not None and self.players[drawn].playing else None
        return self.after(self.next_dealer)

    @property
    def dealt(self) -> int:
        """The number of cards each player is dealt in the next hand."""
        return self.variant.cards_dealt(len(self.playing), self.number)

    def after(self, seat: int) -> int:
        """Return the next seat still in, clockwise from `seat`, or that seat itself if no other is."""
        place = self.order.index(seat)
        others = self.order[place + 1 :] + self.order[:place]
        return next((other for other in others if self.players[other].playing), seat)

    @property
    def names(self) -> dict[int, str]:
        return {seat: player.name for seat, player in self.players.items()}

    @property
    def people(self) -> dict[int, str]:
        """A key for the person in each seat, the same in all games (`people.people_of`)."""
        return people_of(self.names)

    def name(self, seat: int) -> str:
        return self.players[seat].name if seat in self.players else str(seat)

    def post(self, entry: int, why: str, amounts: Mapping[int, int]) -> None:
        """Record money that moved, in minor units by seat, positive if received; ignored if all amounts are 0."""
        if any(amounts.values()):
            self.movements.append(Movement(entry, why, amounts))

    def note_change(self, entry: int, player: Player, why: str) -> None:
        """Record a player's total after a change that was not a hand."""
        self.changes.append(Change(entry, player.seat, player.total, why, len(self.hands)))
