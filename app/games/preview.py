"""What an entry would change; and, after a hand, what its losers could have laid."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from app.games.recording import RecordedGame, Refused, preview
from app.history.formats import money_format, number_of, with_amount
from app.history.phrases import and_list, end_words, outcome_words
from app.history.record import CALL_UPS
from app.history.settling import pays, to_hand_over
from app.history.timeline import answers_dropped
from app.kalooki.cards import SUITS, Card
from app.kalooki.game.apply import if_ended
from app.kalooki.game.corrections import is_correction
from app.kalooki.game.events import Amend, Event, Hand, Undo
from app.kalooki.game.play import warnings
from app.kalooki.game.state import Game, PlayedHand, Player
from app.kalooki.points import ScoreItem, points_left
from app.kalooki.referee.melds import points
from app.kalooki.rules.rulebook import explain
from app.kalooki.rules.wording import Difference, all_differences
from app.kalooki.solver.solve import MOST_HELD, Laydown, Problem, solve
from app.kalooki.variants import Variant


class PlayerChange(NamedTuple):
    """One player before and after an entry.

    `points` is what the hand counts, and `points_before` what a corrected hand counted; None for a hand the player was
    not in. `items` add up to the points; `added` are those nobody typed, for a Kalooki or for calls. `fate` is out,
    offer, back, new or "". `offer` is the score that a buy-in would give; `lapses` says that an open offer would end.
    `is_past_limit` says that the total puts the player out; `later` is the player afterwards, None if no longer at the
    table. `buys_in_at` is the score of a buy-in made already, if that changes. `moved` is the money the player gets
    (negative if paid), the pool's included; `money_before` and `money_after` are what they would get if the game ended
    then. Amounts are in minor units.
    """

    seat: int
    name: str
    before: int
    after: int
    points: int | None
    points_before: int | None
    items: tuple[ScoreItem, ...]
    added: tuple[ScoreItem, ...]
    fate: str
    offer: int | None
    lapses: bool
    moved: int
    money_before: int
    money_after: int
    is_past_limit: bool
    later: Player | None
    buys_in_at: int | None
    is_absent: bool

    @property
    def is_same(self) -> bool:
        """Whether the player's total and place in the game would stay the same."""
        return self.before == self.after and not self.fate and not self.lapses

    @property
    def settles_otherwise(self) -> bool:
        """Whether the player would get another sum if the game ended now."""
        return self.money_before != self.money_after

    @property
    def changed(self) -> bool:
        """Whether anything about the player would change, including their money."""
        return not self.is_same or self.moved != 0

    @property
    def is_rescored(self) -> bool:
        """Whether a corrected hand counts differently for the player."""
        return self.points_before is not None and self.points_before != self.points


class CallUp(NamedTuple):
    """What each of several losers pays the winner of a hand, in minor units."""

    payers: tuple[str, ...]
    to: str
    amount: int


class Consequences(NamedTuple):
    """The game as it would be, and what is new in it.

    `is_new` says that the event is a new hand, not a correction. `hand` is the hand recorded or corrected, if the event
    is one. `ends` says that the game would now end, or end with another result; `reopens`, that it would no longer be
    over. `faults` are the entries that would no longer make sense, each with the reason in words; `dropped` says which
    answers would fall away; `restored` are hands that would count again. `rules` are the values that would change, each
    with its present value in place of the variant's. `hand_over` says which cash a correction moves; `hand_over_lead`
    introduces it.
    """

    game: Game
    is_new: bool
    hand: PlayedHand | None
    players: tuple[PlayerChange, ...]
    call_up: CallUp | None
    ends: bool
    reopens: bool
    faults: tuple[tuple[int, str], ...]
    dropped: list[str]
    restored: tuple[PlayedHand, ...]
    rules: tuple[Difference, ...]
    warnings: tuple[str, ...]
    hand_over: tuple[str, ...]
    hand_over_lead: str

    @property
    def changed(self) -> bool:
        """Whether any total, balance or place in the game would change."""
        return any(player.changed for player in self.players)

    @property
    def moves_totals(self) -> bool:
        """Whether any total would change."""
        return any(player.before != player.after for player in self.players)

    @property
    def moves_money(self) -> bool:
        """Whether any balance would change."""
        return any(player.moved for player in self.players)

    @property
    def settles(self) -> bool:
        """Whether the game would end without another hand, and money move."""
        return self.ends and self.hand is None and self.moves_money

    @property
    def read_out(self) -> tuple[PlayerChange, ...]:
        """The players for whom there is anything to read out: all if the game would be settled."""
        return tuple(
            each
            for each in self.players
            if self.is_paid(each) or each.changed or each.points is not None or each.is_absent
        )

    def is_paid(self, player: PlayerChange) -> bool:
        """Whether a player's money would change, that of the pool included if the game is no longer over."""
        return player.moved != 0 or self.settles or (self.reopens and player.settles_otherwise)


def consequences(record: RecordedGame, event: Event) -> Consequences | Refused:
    """Return what recording an event would change, or why it is refused."""
    result = preview(record, event)
    if isinstance(result, Refused):
        return result
    now, then, after = record.game, result.game, record.of(result.game)
    number = record.seen + 1
    place = event.position(number)
    hand, earlier = then.hand_at(place), now.hand_at(place)
    old_faults = {(noted.entry, noted.fault.rule) for noted in now.faults}
    return Consequences(
        game=then,
        is_new=isinstance(event, Hand),
        hand=hand,
        players=tuple(_player(now, then, (earlier, hand), player) for player in _in_order(now, then)),
        call_up=_call_up(then, hand),
        ends=bool(then.finish and (not now.finish or (now.winners, now.shares) != (then.winners, then.shares))),
        reopens=bool(now.finish and not then.finish),
        faults=tuple(
            (noted.entry, explain(noted.fault, then.variant).text)
            for noted in then.faults
            if (noted.entry, noted.fault.rule) not in old_faults and noted.entry in after.faults_to_fix
        ),
        dropped=answers_dropped(record, after),
        restored=tuple(played for played in then.hands if played.entry in now.lapsed_hands),
        rules=() if then.variant is now.variant else all_differences(then.variant, now.variant),
        warnings=tuple(warnings_of(then, {number, place, *newly_unnamed(now, then)})),
        hand_over=to_hand_over(now, then) if is_correction(event) else (),
        hand_over_lead=_hand_over_lead(record, event),
    )


def _in_order(now: Game, then: Game) -> Iterator[Player]:
    """Yield everybody at the table afterwards, then everybody no longer there."""
    yield from (then.players[seat] for seat in then.order)
    yield from (now.players[seat] for seat in now.order if seat not in then.players)


def _player(now: Game, then: Game, hands: tuple[PlayedHand | None, PlayedHand | None], player: Player) -> PlayerChange:
    seat = player.seat
    earlier = now.players.get(seat, player)
    score_before, score = (hand.scores.get(seat) if hand else None for hand in hands)
    return PlayerChange(
        seat=seat,
        name=player.name,
        before=earlier.total,
        after=player.total,
        points=score.points if score else None,
        points_before=score_before.points if score_before else None,
        items=score.items if score else (),
        added=tuple(item for item in score.items if item.rule in ("kalooki-effect", "calls")) if score else (),
        fate=_fate(now, then, player),
        offer=then.offers.get(seat),
        lapses=seat in now.offers and seat not in then.offers and not player.playing,
        moved=then.balances.get(seat, 0) - now.balances.get(seat, 0),
        money_before=if_ended(now).balances.get(seat, 0),
        money_after=if_ended(then).balances.get(seat, 0),
        is_past_limit=seat in then.players and then.variant.is_out(player.total),
        later=then.players.get(seat),
        buys_in_at=_new_level(now, then, seat),
        is_absent=hands[1] is not None and seat in hands[1].absent,
    )


def _new_level(now: Game, then: Game, seat: int) -> int | None:
    """Return the score at which a player who bought in would have done so; None if that stays as it was."""
    before = {each.entry: each.total for each in now.changes if each.why == "buy-in"}
    changes = (each for each in then.changes if each.seat == seat and each.entry in before)
    return next((each.total for each in changes if each.total != before[each.entry]), None)


def _fate(now: Game, then: Game, later: Player) -> str:
    if later.seat not in then.players:
        return "out"
    earlier = now.players.get(later.seat)
    if earlier is None:
        return "new"
    if then.offers.get(later.seat) not in (None, now.offers.get(later.seat)):
        return "offer"
    if earlier.playing == later.playing:
        return ""
    return "back" if later.playing else "out"


def _call_up(game: Game, hand: PlayedHand | None) -> CallUp | None:
    if hand is None or hand.winner is None:
        return None
    of_hand = (posting for posting in game.postings if posting.entry == hand.entry and posting.why in CALL_UPS)
    paid = [posting for posting in of_hand if posting.amount < 0]
    if not paid:
        return None
    return CallUp(tuple(game.name(posting.seat) for posting in paid), game.name(hand.winner), -paid[0].amount)


def call_up_words(game: Game, call_up: CallUp) -> str:
    """Return who pays the winner of a hand, and how much: “Each pays Ann £0.20.”."""
    payers, to, amount = call_up
    who = pays(payers[0], to) if len(payers) == 1 else f"Each pays {to}"
    return f"{who} {money_format(game).amount(amount)}."


def fate_words(now: Game, then: Game) -> str:
    """Return how an entry ended the game, or else who is out by it and may buy in, as a sentence; empty if neither."""
    if then.finish and not now.finish:
        return f"{end_words(then)} {outcome_words(then)}".strip()
    fates = ((_fate(now, then, player), player) for player in then.players.values() if not player.has_left)
    out = [player for fate, player in fates if fate in ("out", "offer")]
    levels = dict.fromkeys(then.offers.get(player.seat) for player in out)
    groups = (([each for each in out if then.offers.get(each.seat) == level], level) for level in levels)
    sentence = "; ".join(_out_words(group, level) for group, level in groups)
    return f"{sentence}." if sentence else ""


def _out_words(players: Sequence[Player], level: int | None) -> str:
    """Return that some players are out with their totals, and at which score all of them may buy in, if they may."""
    if len(players) == 1:
        who = f"{players[0].name} is out with {number_of(players[0].total, 'point')}"
    else:
        who = f"{and_list(f'{each.name} ({each.total})' for each in players)} are out"
    return who if level is None else f"{who} and may buy in at {level}"


def cash_words(record: RecordedGame, then: Game, event: Event, entry: int) -> str:
    """Return what players hand over after an event was recorded at `entry`; empty without cash after each hand."""
    due = to_hand_over(record.game, then)
    if not due:
        return ""
    if is_correction(event):
        return f"{_hand_over_lead(record, event)} {'; '.join(due)}."
    call_up = _call_up(then, then.hand_at(entry))
    return call_up_words(then, call_up) if call_up else f"{'; '.join(due)}."


def _hand_over_lead(record: RecordedGame, event: Event) -> str:
    """Return the words that introduce the cash a correction moves: what was saved last may not have been paid yet."""
    hands = record.game.hands
    newest = {record.seen, hands[-1].entry if hands else 0}
    is_newest = isinstance(event, (Amend, Undo)) and event.target in newest
    is_redone = isinstance(event, Undo) and isinstance(record.entries[event.target - 1].event, Undo)
    return "If you’ve already paid:" if is_newest and not is_redone else "To hand over now:"


def newly_unnamed(now: Game, then: Game) -> Mapping[int, Sequence[int]]:
    """Return the seats, by the entry of a hand, that count as absent from it only since somebody came back."""
    unnamed = {hand.entry: then.unnamed.get(hand.entry, ()) for hand in then.hands}
    more = {
        entry: [seat for seat in seats if seat not in now.unnamed.get(entry, ())] for entry, seats in unnamed.items()
    }
    return {entry: seats for entry, seats in more.items() if seats}


def warnings_of(game: Game, entries: Iterable[int]) -> list[str]:
    """Return the warnings of some entries, as sentences."""
    odd = [fault for entry in sorted(set(entries)) for fault in warnings(game, entry)]
    return [explain(with_amount(fault, game), game.variant).text for fault in odd]


class Hindsight(NamedTuple):
    """One loser in hindsight: the cards left, what they count, and the best lay-down from them.

    `opened` says whether they must have opened, because they had fewer cards than were dealt. A player who had not
    opened needs an opening first; without one, all cards are left. `best` is None if cards were given without suits.
    `reached` is what the melds come to that fall short of the opening.
    """

    seat: int
    cards: tuple[Card, ...]
    points: int
    opened: bool
    variant: Variant
    best: Laydown | None = None
    reached: int = 0

    @property
    def goal(self) -> str:
        """The goal for which the best lay-down is searched."""
        return "least_points" if self.opened else "open"

    @property
    def words(self) -> str:
        """What could have been done with the cards; ends with a colon if melds follow."""
        best, points = self.best, number_of(self.points, "point")
        if best is None:
            return "The suits were not recorded, so nobody can say."
        if best.possible is None:
            return "There are too many ways to check them all."
        if not self.opened:
            short = f" with {self.reached} of {self.variant.opening_points}" if self.reached else ""
            without = f"They could not have opened{short}: none of the {points} could be avoided."
            return "They could have opened with:" if best.possible else without
        if not best.melds:
            return f"None of the {points} could be avoided."
        if not best.points_left:
            unwarned = len(self.cards) <= self.variant.warning_at
            return "All of it could have been laid" + (", if they gave the few-cards warning." if unwarned else ".")
        return f"{number_of(best.points_left, 'point')} could not be avoided."


def can_be_looked_at(hand: PlayedHand) -> bool:
    """Return whether the exact cards of any loser of a hand were recorded."""
    event = hand.event
    return isinstance(event, Hand) and any(_is_searchable(left.cards) for left in event.left.values())


def _is_searchable(cards: tuple[Card, ...]) -> bool:
    """Return whether cards can be searched: at least one, not too many, each with its suit."""
    return 0 < len(cards) <= MOST_HELD and all(card.is_joker or card.suit in SUITS for card in cards)


def hindsight(game: Game, hand: PlayedHand) -> list[Hindsight]:
    """Return hindsight for every loser whose cards were recorded, in the order of play."""
    event = hand.event
    if not isinstance(event, Hand):
        return []
    left = {seat: event.left[seat].cards for seat in game.order if seat in event.left and event.left[seat].cards}
    return [_hindsight_of(seat, cards, hand, event, game.variant) for seat, cards in left.items()]


def _hindsight_of(seat: int, cards: tuple[Card, ...], hand: PlayedHand, event: Hand, variant: Variant) -> Hindsight:
    dealt = hand.dealt + variant.cards_called(event.calls.get(seat, 0))
    plain = Hindsight(seat, cards, points_left(cards, variant), len(cards) < dealt, variant)
    if not _is_searchable(cards):
        return plain
    number = hand.number if variant.contracts else 1
    problem = Problem(cards, plain.goal, opened=plain.opened, hand_number=number, throws=False)
    best = solve(problem, variant)
    falls_short = best.possible is False and not variant.contracts
    dearest = solve(problem._replace(goal="most_points"), variant).melds if falls_short else ()
    return plain._replace(best=best, reached=sum(points(meld, variant) for meld in dearest))
