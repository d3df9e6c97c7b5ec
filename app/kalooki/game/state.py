"""The game as it stands at the table: who sits where with what total, whose deal it is, what was paid.

`game.play` builds it from the log, entry by entry; nothing else changes it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from app.kalooki.cards import Card
from app.kalooki.faults import Fault
from app.kalooki.game.corrections import Entry
from app.kalooki.game.events import Hand, Void
from app.kalooki.game.faces import Face
from app.kalooki.money import Currency, Movement, Payment, Posting, balances, pool, postings, settlement
from app.kalooki.people import people_of
from app.kalooki.readers import Carried, Stakes
from app.kalooki.scoring import ScoreItem
from app.kalooki.variants import STAKES, Variant


class Noted(NamedTuple):
    """A fault or a warning, and the number of the entry it is about."""

    entry: int
    fault: Fault


class Score(NamedTuple):
    """What a hand did to one player: the lines of its points, the total after it, whether that total is out."""

    lines: tuple[ScoreItem, ...]
    total: int
    out: bool

    @property
    def points(self) -> int:
        """What the hand counts, with everything added."""
        return sum(line.points for line in self.lines)


class PlayedHand(NamedTuple):
    """A recorded hand, won or void; scores are by seat, including the winner's, and a void hand has none."""

    entry: int
    number: int
    dealer: int
    dealt: int
    event: Hand | Void
    scores: Mapping[int, Score] = {}

    @property
    def totals(self) -> dict[int, int]:
        """Each player's total after the hand, by seat."""
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
        """Return the cards a seat had left, if they were recorded."""
        left = self.event.left.get(seat) if isinstance(self.event, Hand) else None
        return left.cards if left else ()

    @property
    def note(self) -> str:
        """What the table wrote down about the hand."""
        return self.event.note if isinstance(self.event, Hand) else ""

    @property
    def reason(self) -> str:
        """Why the hand is void."""
        return self.event.reason if isinstance(self.event, Void) else ""


class Change(NamedTuple):
    """What changed between hands: `why` is buy-in, penalty, joined or left, whose total stays.

    `hands` counts the hands before it.
    """

    entry: int
    seat: int
    total: int
    why: str
    hands: int

    @property
    def totals(self) -> dict[int, int]:
        """The total it set, by seat, as a hand has those it set."""
        return {self.seat: self.total}


class Fallen(NamedTuple):
    """A hand that counts no longer: the number it would have, and who of it was out but could have bought in.

    `absent` are their seats, each with the entry before which the offer was open: the hand, or a void one before it.
    """

    number: int
    is_void: bool
    absent: Mapping[int, int]


class LateBuyIn(NamedTuple):
    """A buy-in that would let a hand count again: the entry of that hand, and the entry the buy-in belongs before."""

    hand: int
    before: int


class Finish(NamedTuple):
    """How the game ended: played out, or stopped early with a choice about the pool."""

    entry: int
    pool: str = "winners"


class Split(NamedTuple):
    """How the pool was shared out: what was in it, who shared the main part, who else got an equal part of the rest.

    An empty `main` means that everybody got back what they had paid in.
    """

    pool: int
    main: tuple[int, ...] = ()
    others: tuple[int, ...] = ()


@dataclass
class Player:
    """One seat: `playing` while still in the game.

    `lasted` is how many totals had been set when the player was knocked out: entry numbers cannot say, because hands
    can be inserted later. `no_offer` says why a player knocked out got no offer to buy in: "few" (fewer than two still
    in), "often" (no buy-ins left), "level" (the score to buy in at would be out), "" if nobody buys in or one was made.
    `missed` is the entry that ended the last offer while the player is out: their no, or the hand dealt without them.
    """

    seat: int
    name: str
    face: Face
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
    """Everything the recorded entries add up to.

    `book` is the variant as it was when the game began; `variant` is that with the house rules of this table.
    `order` lists the seats in order of play. `offers` are the scores at which players knocked out may buy in now, by
    seat. `deal_open`: `dealer` dealt the last hand, and the next deal waits until the last offer is answered. `joiners`
    are the seats of players who join, by entry. Stakes are minor units, None in a game without money. `fallen` are the
    hands among the `faults`, by entry; `lapsed` the entries of void hands that let an offer lapse since the last hand,
    by its seat. `rulings` are the entries of the rulings kept, `settled_together` those of payments settled with
    other games. `pending` are the entries that wait for the hand in play; `counts_with` is what such entries count
    with, by entry, `ineffective` those that came too late. `carried` is what was played on paper before.
    """

    variant: Variant
    book: Variant
    players: dict[int, Player]
    order: list[int]
    dealer: int
    stakes: Stakes | None
    settle: str
    zone: str = ""
    region: str = ""
    place: str = ""
    note: str = ""
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
    faults: list[Noted] = field(default_factory=list)
    fallen: dict[int, Fallen] = field(default_factory=dict)
    lapsed: dict[int, int] = field(default_factory=dict)
    rulings: list[int] = field(default_factory=list)
    settled_together: list[int] = field(default_factory=list)
    counts_with: dict[int, Entry] = field(default_factory=dict)
    pending: list[Entry] = field(default_factory=list)
    ineffective: list[int] = field(default_factory=list)
    warnings: list[Noted] = field(default_factory=list)

    def copied(self) -> Game:
        """Return a game of its own, in which the next entry may change what it likes."""
        own: dict[str, Any] = {
            name: value.copy() for name, value in vars(self).items() if isinstance(value, (dict, list))
        }
        own["players"] = {seat: replace(player) for seat, player in self.players.items()}
        return replace(self, **own)

    @property
    def played_for(self) -> Variant:
        """The variant in which to word this table's rules: without stakes if the game has no money."""
        nothing: dict[str, Any] = {f"stake_{name}": 0 for name in STAKES} | {"book": self.variant.base_variant}
        return self.variant if self.stakes else replace(self.variant, **nothing)

    @property
    def playing(self) -> list[Player]:
        """The players still in, in order of play."""
        return [self.players[seat] for seat in self.order if self.players[seat].playing]

    @property
    def late_buy_ins(self) -> dict[int, LateBuyIn]:
        """By seat, the buy-in for want of which hands count no longer; of those hands, the first."""
        first: dict[int, LateBuyIn] = {}
        for entry, fallen in self.fallen.items():
            for seat, before in fallen.absent.items():
                first.setdefault(seat, LateBuyIn(entry, before))
        return first

    @property
    def late_offers(self) -> dict[int, int]:
        """By seat, the entry that ended the offer to a player who is out, and before which it could still be taken."""
        out = () if self.finish else (player for player in self.players.values() if not player.has_left)
        return {player.seat: player.missed for player in out if player.missed and not player.playing}

    def lacking(self, seat: int) -> list[int]:
        """Return the entries of hands that do not count because nobody said what the player at a seat held."""
        faults = [noted for noted in self.faults if noted.fault.rule == "loser-missing"]
        return [noted.entry for noted in faults if noted.fault.facts["field"] == f"left.{seat}"]

    @property
    def status(self) -> str:
        if self.finish:
            return "over"
        return "buy_ins" if self.offers else "playing"

    @property
    def currency(self) -> Currency:
        """What the game's amounts are counted in; nameless in a game without money."""
        return Currency.of(self.stakes)

    @property
    def postings(self) -> list[Posting]:
        """All money that moved, in order."""
        return postings(self.movements)

    @property
    def pool(self) -> int:
        """What the pool holds, in minor units."""
        return pool(self.movements)

    @property
    def balances(self) -> dict[int, int]:
        """What the table owes each seat, in minor units."""
        return dict.fromkeys(self.players, 0) | balances(self.movements)

    @property
    def is_broken_off(self) -> bool:
        """Whether the table stopped it before its end."""
        return bool(self.finish and self.finish.pool != "winners")

    @property
    def is_on_account(self) -> bool:
        """Whether there is money that is kept on account, rather than thrown on the table as it falls due."""
        return bool(self.stakes) and self.settle == "account"

    @property
    def can_be_settled(self) -> bool:
        """Whether it is over, and its money was kept on account."""
        return bool(self.finish and self.is_on_account)

    @property
    def payments(self) -> list[Payment]:
        """Who still pays whom: the fewest payments that settle the game, once it is over."""
        return settlement(self.balances) if self.can_be_settled else []

    @property
    def won(self) -> dict[int, int]:
        """What each seat won or lost in the game in minor units, before any cash payments."""
        moved = balances(movement for movement in self.movements if movement.why != "paid")
        return dict.fromkeys(self.players, 0) | moved

    @property
    def claimed_hand(self) -> int:
        """The hand whose contract a claim at the table is about: the one in play, or the last one after the end."""
        return max(1, min(self.number, len(self.variant.contracts_played)))

    @property
    def next_dealer(self) -> int:
        passes = self.deal_open or not self.players[self.dealer].playing
        return self.after(self.dealer) if passes else self.dealer

    @property
    def cutter(self) -> int:
        """Who cuts: the player on the dealer's right, of those still in (rule `the-cut`)."""
        place = self.order.index(self.next_dealer)
        before = [*self.order[place + 1 :], *self.order[:place]]
        return next((seat for seat in reversed(before) if self.players[seat].playing), self.next_dealer)

    @property
    def first(self) -> int | None:
        """Who plays first; None if a high card decides and is not yet drawn, or if the player who drew it is out."""
        if self.variant.plays_first == "highest_card":
            drawn = self.drawn_first
            return drawn if drawn is not None and self.players[drawn].playing else None
        return self.after(self.next_dealer)

    @property
    def dealt(self) -> int:
        """Cards each player gets in the next hand."""
        return self.variant.cards_dealt(len(self.playing), self.number)

    def after(self, seat: int) -> int:
        """Return the next seat still in, clockwise from `seat`; that seat itself if nobody else is in."""
        place = self.order.index(seat)
        others = self.order[place + 1 :] + self.order[:place]
        return next((other for other in others if self.players[other].playing), seat)

    @property
    def names(self) -> dict[int, str]:
        return {seat: player.name for seat, player in self.players.items()}

    @property
    def people(self) -> dict[int, str]:
        """Whose each seat is, over all games (`people.people_of`)."""
        return people_of(self.names)

    def name(self, seat: int) -> str:
        return self.players[seat].name if seat in self.players else str(seat)

    def post(self, entry: int, why: str, amounts: Mapping[int, int]) -> None:
        """Record money that moved: minor units by seat, positive if received; nothing if nobody paid."""
        if any(amounts.values()):
            self.movements.append(Movement(entry, why, amounts))

    def note_change(self, entry: int, player: Player, why: str) -> None:
        """Record a total that something other than a hand has just set or, of who leaves, has ended."""
        self.changes.append(Change(entry, player.seat, player.total, why, len(self.hands)))
