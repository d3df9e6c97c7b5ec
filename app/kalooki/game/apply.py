"""What each event does to a game: a hand with its scores, everything between hands, and several events at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Any

from app.kalooki.cards import Card, beyond_pack
from app.kalooki.faults import Fault
from app.kalooki.game import events
from app.kalooki.game.corrections import Entry
from app.kalooki.game.events import Hand
from app.kalooki.game.finish import (
    close_offers,
    declare_winners,
    end,
    finish_if_over,
    knock_out,
    let_offers_lapse,
    share_pool,
)
from app.kalooki.game.state import EntryFault, Finish, Game, PlayedHand, Player, Score
from app.kalooki.points import ScoreItem, all_at_once_items, can_be_left, left_items, points_left
from app.kalooki.readers import Left
from app.kalooki.variants import Variant

_ACE = Card("A")
_beyond_pack = lru_cache(maxsize=4096)(beyond_pack)
"""Cached, because a game is replayed for each entry, with the same cards."""


def hand_faults(game: Game, hand: Hand) -> Iterator[Fault]:
    """Yield all faults that make the hand impossible."""
    variant = game.variant
    playing = {seat for seat, player in game.players.items() if player.playing}
    if hand.ending not in variant.endings:
        endings = ", ".join(variant.endings)
        yield Fault("no-such-ending", facts={"field": "ending", "ending": hand.ending, "endings": endings})
    yield from _dealt_in_faults(game, hand, playing)
    for seat, left in hand.left.items():
        if not left.cards and not left.points:
            yield Fault("loser-without-cards", facts={"field": f"left.{seat}", "name": game.name(seat)})
        if variant.colour_scores and _ACE in left.cards:
            yield Fault("ace-without-colour", (_ACE,), {"field": f"left.{seat}", "name": game.name(seat)})
    cards_left = tuple([card for left in hand.left.values() for card in left.cards])
    over = _beyond_pack(cards_left, variant.packs, variant.jokers)
    if over:
        yield Fault("more-than-the-pack", over, {"field": "left"})


def _dealt_in_faults(game: Game, hand: Hand, playing: set[int]) -> Iterator[Fault]:
    """Yield faults for seats that should not be in the hand or cannot be absent, and for losers who are missing."""
    if len(playing) < 2:
        yield Fault("too-few-players", facts={"field": "winner"})
    if hand.winner not in playing:
        yield Fault("winner-not-in", facts={"field": "winner", "name": game.name(hand.winner)})
    if hand.winner in hand.left:
        yield Fault("winner-holds-cards", facts={"field": f"left.{hand.winner}", "name": game.name(hand.winner)})
    out = [("left", seat) for seat in sorted(hand.left.keys() - playing)]
    for field, seat in out + [("calls", seat) for seat in sorted(hand.calls.keys() - playing)]:
        yield Fault("score-for-who-is-out", facts={"field": f"{field}.{seat}", "name": game.name(seat)})
    if hand.winner in hand.absent:
        yield Fault("winner-absent", facts={"field": "absent", "name": game.name(hand.winner)})
    for seat in sorted(set(hand.absent) & hand.left.keys()):
        yield Fault("absent-with-cards", facts={"field": f"left.{seat}", "name": game.name(seat)})
    for seat in sorted(hand.calls.keys() & playing - hand.left.keys() - {hand.winner}):
        yield Fault("absent-with-calls", facts={"field": f"calls.{seat}", "name": game.name(seat)})
    if not hand.left.keys() - {hand.winner}:
        unnamed = unnamed_seats(game, hand)
        yield from missing_losers(game, unnamed)
        if not unnamed and len(playing) > 1:
            yield Fault("too-few-dealt-in", facts={"field": "absent"})


def unnamed_seats(game: Game, hand: Hand) -> tuple[int, ...]:
    """Return the seats of players still in whom a hand names neither among those with cards left nor as absent."""
    named = {hand.winner, *hand.left, *hand.absent}
    return tuple(seat for seat in sorted(game.players) if game.players[seat].playing and seat not in named)


def missing_losers(game: Game, seats: Iterable[int]) -> Iterator[Fault]:
    """Yield a fault for each seat that a hand has to name."""
    for seat in seats:
        yield Fault("loser-missing", facts={"field": f"left.{seat}", "name": game.name(seat)})


def new_hand_faults(game: Game, entry: int, hand: Hand) -> Iterator[Fault]:
    """Yield why a hand that an entry has just recorded or corrected cannot stay so in the game after it.

    It has to name everybody still in, and nobody who is out; later corrections may change who is.
    """
    yield from missing_losers(game, game.unnamed.get(entry, ()))
    played = game.hand_at(entry)
    for seat in sorted(set(hand.absent) - set(played.absent)) if played else ():
        yield Fault("score-for-who-is-out", facts={"field": "absent", "name": game.name(seat)})


def hand_warnings(game: Game, played: PlayedHand) -> Iterator[Fault]:
    """Yield warnings: calls that do not count or undo bending, an unpaid Kalooki, more cards than dealt, odd sums."""
    hand, variant = played.event, game.variant
    if not isinstance(hand, Hand):
        return
    for seat in game.unnamed.get(played.entry, ()):
        yield Fault("counted-absent", facts={"name": game.name(seat), "seat": seat, "number": played.number})
    if any(hand.calls.values()) and not variant.has_calls:
        yield Fault("calls-ignored")
    if hand.ending == variant.kalooki_ending and variant.kalooki_times > 1 and _has_over_called(variant, hand):
        facts = {"name": game.name(hand.winner), "calls": hand.calls[hand.winner], "most": variant.calls}
        yield Fault("over-called-bending", facts=facts)
    if hand.ending == variant.kalooki_ending and game.stakes and game.stakes["call_up"] and not game.stakes["kalooki"]:
        yield Fault("kalooki-unpaid", facts={"name": game.name(hand.winner)})
    for seat, left in hand.left.items():
        dealt = played.dealt + variant.cards_called(hand.calls.get(seat, 0))
        counted = points_left(left.cards, variant)
        facts = {"name": game.name(seat), "typed": left.points, "counted": counted, "dealt": dealt}
        if len(left.cards) > dealt:
            yield Fault("more-cards-than-dealt", facts=facts | {"held": len(left.cards)})
        if left.cards and left.points not in (None, counted):
            yield Fault("cards-and-sum-differ", left.cards, facts)
        if left.points and not left.cards and not can_be_left(left.points, variant, dealt):
            yield Fault("sum-no-cards-make", facts=facts)


def is_same_hand(one: Hand, other: Hand, variant: Variant) -> bool:
    """Return whether two hands have the same winner, ending and calls, and the same points left for each loser."""
    return _comparable(one, variant) == _comparable(other, variant)


def _comparable(hand: Hand, variant: Variant) -> tuple[object, ...]:
    points = {seat: points_held(left, variant) for seat, left in hand.left.items()}
    return hand.winner, hand.ending, points, calls_by_seat(variant, hand)


def points_held(left: Left, variant: Variant) -> int:
    """Return the points a loser had left: those of the cards if there are any, else the points typed."""
    return points_left(left.cards, variant) if left.cards else left.points or 0


def hand_points(variant: Variant, hand: Hand) -> dict[int, int]:
    """Return each seat's score in the hand, in points."""
    return {seat: sum(item.points for item in items) for seat, items in score_items(variant, hand).items()}


def score_items(variant: Variant, hand: Hand) -> dict[int, tuple[ScoreItem, ...]]:
    """Return the score of every seat in the hand, including the winner's, itemised by rule.

    If the winner collects (`scoring`), the winner gains what the losers would score, minus their own penalties.
    """
    scores: dict[int, tuple[ScoreItem, ...]] = {}
    times, added = all_at_once(variant, hand)
    for seat, left in hand.left.items():
        items = left_items(left.cards, variant) if left.cards else (ScoreItem(left.points or 0, "points-typed"),)
        scores[seat] = (*items, *all_at_once_items(items, times, added), *_call_items(variant, hand, seat))
    own = _call_items(variant, hand, hand.winner)
    if variant.scoring != "winner_collects":
        return {hand.winner: own} | scores
    gained = [
        ScoreItem(sum(item.points for item in items), "who-scores", hand.left[seat].cards)
        for seat, items in scores.items()
    ]
    against = [item._replace(points=-item.points) for item in own]
    return {hand.winner: (*gained, *against)} | dict.fromkeys(scores, ())


def all_at_once(variant: Variant, hand: Hand) -> tuple[int, int]:
    """Return how many times a loser's cards count and the points added, because the winner went out all at once.

    If the winner called too often, they still bend the table but the cards count once (rule `calls`).
    """
    if hand.ending != variant.kalooki_ending:
        return 1, 0
    return 1 if _has_over_called(variant, hand) else variant.kalooki_times, variant.kalooki_points


def _has_over_called(variant: Variant, hand: Hand) -> bool:
    return calls_by_seat(variant, hand).get(hand.winner, 0) > variant.calls


def calls_by_seat(variant: Variant, hand: Hand | PlayedHand) -> dict[int, int]:
    """Return the number of calls of each seat that called, empty in a variant without calls."""
    return {seat: count for seat, count in hand.calls.items() if count} if variant.has_calls else {}


def _call_items(variant: Variant, hand: Hand, seat: int) -> tuple[ScoreItem, ...]:
    points = calls_cost(variant, hand, seat)
    return (ScoreItem(points, "calls"),) if points else ()


def calls_cost(variant: Variant, hand: Hand, seat: int) -> int:
    """Return the penalty, in points, for calls beyond those allowed."""
    over = calls_by_seat(variant, hand).get(seat, 0) - variant.calls
    return max(0, over) * variant.call_penalty


Faults = list[Fault]


def apply_entry(game: Game, number: int, event: events.Event) -> Faults:
    """Apply one event, and return the faults that prevent it.

    An event of the hand in play is only added to `game.pending`; it is applied after that hand.
    """
    if event.is_mid_hand and not game.finish and number not in game.counts_with:
        game.pending.append(Entry(number, event))
        return []
    hand = game.counts_with.get(number)
    last = game.finish.entry if game.finish else None  # that hand itself, or another entry of the same hand
    if hand and last and (hand.number == last or game.counts_with.get(last) == hand):
        return _apply_after_last_hand(game, number, event)
    faults = _apply(game, number, event)
    if not faults and not game.finish and not (hand and isinstance(hand.event, _ENDINGS)):
        finish_if_over(game, number)
    return faults


def _apply(game: Game, number: int, event: events.Event) -> Faults:
    """Apply one event without checking whether the game is then over, and return the faults that prevent it."""
    if game.finish and (not isinstance(event, _AFTER_THE_END) or _has_cost(event)):
        field = "points" if isinstance(event, events.Ruling) else "kind"
        return [Fault("game-over", facts={"field": field, "kind": event.kind})]
    faults = _seat_faults(game, event) or EFFECTS[type(event)](game, number, event)
    if not faults and not game.finish:
        close_offers(game)
    return faults


def _apply_after_last_hand(game: Game, number: int, event: events.Event) -> Faults:
    """Apply an event recorded during the hand that ended the game.

    Points and amounts count but knock nobody out; leaving and joining have no effect.
    """
    if isinstance(event, (events.Leave, events.Join)):
        game.ineffective.append(number)
        return []
    faults = _seat_faults(game, event) or EFFECTS[type(event)](game, number, event)
    declare_winners(game)
    return faults


def count_pending(game: Game) -> Game:
    """Return a copy of the game with all pending entries applied; they do not end it."""
    if not game.pending:
        return game
    counted = game.copy()
    counted.pending = []
    for number, event in game.pending:
        _apply(counted, number, between_hands(event))
    return counted


def if_ended(game: Game) -> Game:
    """Return the game as it would be if the table ended it now; a game that is over stays as it is.

    The pool goes by the rules where the table decides when the game ends. Elsewhere everybody gets back what they paid
    in or, if paper does not say who paid what, the players still in share it equally.
    """
    if game.finish:
        return game
    ended = count_pending(game).copy()
    is_paid_back = not (game.carried and game.carried.balances is not None)
    pool = "winners" if game.variant.ends_at_will else "refund" if is_paid_back else "equal"
    end(ended, Finish(0, pool))
    share_pool(ended)
    return ended


def between_hands(event: events.Event) -> events.Event:
    """Return the event as if it had been recorded between hands."""
    return replace(event, after_hand=False) if event.is_mid_hand else event  # type: ignore[call-arg]


def timing_faults(game: Game, event: events.Event) -> Faults:
    """Return why an event cannot be recorded during a hand, or while entries of the hand in play are pending."""
    if event.is_mid_hand:
        return _seat_faults(game, event) or _apply(count_pending(game).copy(), 0, between_hands(event))
    if game.pending and (isinstance(event, _BETWEEN_HANDS) or _has_cost(event)):
        return [Fault("hand-in-play", facts={"field": "after_hand"})]
    if game.pending and isinstance(event, events.Rename) and event.seat in game.players:
        return [*_name_faults(count_pending(game), event.name, event.seat)]
    return []


def _has_cost(event: events.Event) -> bool:
    return isinstance(event, events.Ruling) and event.costs


_ENDINGS = (events.Stop, events.End)
_BETWEEN_HANDS = (events.Penalty, events.Leave, events.Join)
_AFTER_THE_END = (events.Ruling, events.Paid, events.Rename, events.NewAvatar, events.Decider, events.Setup)
SEATS = {"seat": "seat", "after": "after", "payer": "from", "to": "to"}
"""The fields of events that must name an existing seat, and their names in JSON; hands check their own seats."""


def _seat_faults(game: Game, event: events.Event) -> Faults:
    return [
        Fault("no-such-seat", facts={"field": name, "seat": seat})
        for field, name in SEATS.items()
        if (seat := getattr(event, field, None)) is not None and seat not in game.players
    ]


def _hand(game: Game, number: int, event: events.Hand) -> Faults:
    if unnamed := unnamed_seats(game, event):
        game.unnamed[number] = unnamed
    faults = [*hand_faults(game, event)]
    if faults:
        return faults
    game.lapsed.clear()
    let_offers_lapse(game, number)
    hand = _score(game, number, event)
    _pay(game, number, event)
    game.number += 1
    game.drawn_first = None
    out = [game.players[seat] for seat, score in sorted(hand.scores.items()) if score.out]
    if out:
        knock_out(game, number, out)
    game.deal_open = True
    return []


def _score(game: Game, number: int, event: events.Hand) -> PlayedHand:
    variant, scores = game.variant, {}
    for seat, items in score_items(variant, event).items():
        player = game.players[seat]
        player.total += sum(item.points for item in items)
        scores[seat] = Score(items, player.total, variant.is_out(player.total))
    dealt = variant.cards_dealt(len(scores), game.number)
    absent = tuple(sorted(player.seat for player in game.playing if player.seat not in scores))
    hand = PlayedHand(number, game.number, game.dealer, dealt, event, scores, absent)
    game.hands.append(hand)
    if game.first in absent and game.drawn_first:
        game.warnings.append(EntryFault(number, Fault("first-absent", facts={"name": game.name(game.drawn_first)})))
    return hand


def _pay(game: Game, number: int, event: events.Hand) -> None:
    """Record what every loser pays the winner, including losers whom the hand knocks out (rule `call-up`)."""
    if not game.stakes:
        return
    all_at_once = event.ending == game.variant.kalooki_ending
    stake = game.stakes["kalooki" if all_at_once else "call_up"]
    amounts = dict.fromkeys(event.left, -stake)
    amounts[event.winner] = stake * len(event.left)
    game.post(number, "kalooki" if all_at_once else "call-up", amounts)


def _void(game: Game, number: int, event: events.Void) -> Faults:
    if len(game.playing) < 2:
        return [Fault("too-few-players", facts={"field": "kind"})]
    game.lapsed |= dict.fromkeys(game.offers, number)
    let_offers_lapse(game, number)
    game.hands.append(PlayedHand(number, game.number, game.dealer, game.dealt, event))
    game.drawn_first = None
    return []


def _buy_in(game: Game, number: int, event: events.BuyIn) -> Faults:
    player = game.players[event.seat]
    if event.seat not in game.offers:
        return [Fault("no-offer", facts={"field": "seat", "name": player.name})]
    player.total = game.offers.pop(event.seat)
    player.playing, player.out_since, player.missed = True, None, None
    player.staked |= bool(game.stakes and game.stakes["buy_in"])
    player.buy_ins += 1
    game.note_change(number, player, "buy-in")
    if game.stakes:
        game.post(number, "buy-in", {player.seat: -game.stakes["buy_in"]})
    return []


def _decline(game: Game, number: int, event: events.Decline) -> Faults:
    if event.seat not in game.offers:
        return [Fault("no-offer", facts={"field": "seat", "name": game.name(event.seat)})]
    del game.offers[event.seat]
    game.players[event.seat].missed = number
    return []


def _penalty(game: Game, number: int, event: events.Penalty) -> Faults:
    if not event.points and not event.amount:
        return [Fault("empty-penalty", facts={"field": "points"})]
    return _charge(game, number, event, event.seat)


def _charge(game: Game, number: int, event: events.Penalty | events.Ruling, seat: int) -> Faults:
    """Add points to the player's total, which can knock them out, and move money into the pool.

    An event recorded during a hand also charges a player whom that hand knocked out.
    """
    player = game.players[seat]
    faults = []
    if player.has_left or (event.points and not player.playing and not event.is_mid_hand):
        faults.append(Fault("score-for-who-is-out", facts={"field": "seat", "name": player.name}))
    if event.amount and not game.stakes:
        faults.append(Fault("no-money", facts={"field": "amount"}))
    if faults:
        return faults
    player.total += -event.points if game.variant.scoring == "winner_collects" else event.points
    game.post(number, "penalty", {seat: -event.amount})
    if event.points:
        game.note_change(number, player, "penalty")
        if player.playing and not game.finish and game.variant.is_out(player.total):
            knock_out(game, number, [player])
    return []


def _ruling(game: Game, number: int, event: events.Ruling) -> Faults:
    if event.after_hand and not event.costs:
        return [Fault("costs-nothing", facts={"field": "after_hand"})]
    if event.costs and event.seat is None:
        return [Fault("ruling-without-seat", facts={"field": "seat"})]
    faults = _charge(game, number, event, event.seat) if event.costs and event.seat else []
    if not faults:
        game.rulings.append(number)
    return faults


def _leave(game: Game, number: int, event: events.Leave) -> Faults:
    player = game.players[event.seat]
    if player.has_left:
        return [Fault("has-left", facts={"field": "seat", "name": player.name})]
    player.playing, player.has_left, player.lasted = False, True, len(game.hands)
    game.offers.pop(event.seat, None)
    game.note_change(number, player, "left")
    return []


def _join(game: Game, number: int, event: events.Join) -> Faults:
    totals = [player.total for player in game.playing]
    points = max(totals, default=0) if event.points is None else event.points
    faults = []
    if game.variant.reaches(points):
        faults.append(Fault("joins-over-the-limit", facts={"field": "points", "points": points}))
    if len(game.playing) + len(game.offers) >= game.variant.most_players:
        faults.append(Fault("too-many-players", facts={"field": "name", "most": game.variant.most_players}))
    faults += _name_faults(game, event.name, 0)
    if faults:
        return faults
    last = max(game.players)
    seat = game.joiners.get(number, last + 1)
    seat = seat if seat not in game.players else last + 1
    behind = event.after if event.after is not None else last
    game.order.insert(game.order.index(behind) + 1, seat)
    joined = Player(seat, event.name, events.default_avatar(seat), total=points, staked=event.stake)
    game.players = dict(sorted([*game.players.items(), (seat, joined)]))
    game.note_change(number, joined, "joined")
    if event.stake and game.stakes:
        game.post(number, "initial-stake", {seat: -game.stakes["initial"]})
    warnings = player_count_warnings(game.variant, len(game.playing) + len(game.offers))
    game.warnings += [EntryFault(number, fault) for fault in warnings]
    return []


def player_count_warnings(variant: Variant, players: int) -> Iterator[Fault]:
    """Yield a warning if a variant is not meant for this number of players."""
    if not variant.players_fewest <= players <= variant.players_most:
        usual = f"{variant.players_fewest}–{variant.players_most}"
        yield Fault("unusual-number-of-players", facts={"variant": variant.name, "count": players, "usual": usual})


def _name_faults(game: Game, name: str, own_seat: int) -> Iterator[Fault]:
    """Yield a fault if another seat has this name, ignoring case.

    Releases before 1.0 compared names in this way, so their games stay valid; `judge` is stricter with new entries.
    """
    if any(player.name.casefold() == name.casefold() for player in game.players.values() if player.seat != own_seat):
        yield Fault("name-taken", facts={"field": "name", "taken": name})


def _rename(game: Game, number: int, event: events.Rename) -> Faults:
    faults = [*_name_faults(game, event.name, event.seat)]
    if not faults:
        player = game.players[event.seat]
        game.faults = [EntryFault(entry, fault.renamed(player.name, event.name)) for entry, fault in game.faults]
        player.name = event.name
    return faults


def _avatar(game: Game, number: int, event: events.NewAvatar) -> Faults:
    game.players[event.seat].avatar = events.Avatar(event.colour, event.emoji)
    return []


def _setup(game: Game, number: int, event: events.Setup) -> Faults:
    """Do nothing: `play` applies the correction to the start of the game before any other entry."""
    return []


def _paid(game: Game, number: int, event: events.Paid) -> Faults:
    if not game.is_on_account:
        return [Fault("nothing-to-settle", facts={"field": "amount"})]
    if event.payer == event.to:
        return [Fault("pays-himself", facts={"field": "to", "name": game.name(event.to)})]
    game.post(number, "paid", {event.payer: event.amount, event.to: -event.amount})
    return []


def _first(game: Game, number: int, event: events.First) -> Faults:
    if game.variant.plays_first != "highest_card":
        return [Fault("first-not-drawn", facts={"field": "kind"})]
    if not game.players[event.seat].playing:
        return [Fault("score-for-who-is-out", facts={"field": "seat", "name": game.name(event.seat)})]
    game.drawn_first = event.seat
    return []


def _end(game: Game, number: int, event: events.End) -> Faults:
    if not game.variant.ends_at_will:
        return [Fault("ends-by-itself", facts={"field": "kind"})]
    end(game, Finish(number))
    return []


def _stop(game: Game, number: int, event: events.Stop) -> Faults:
    is_refund = event.pool == "refund" or (event.outcome == "refund" and game.pool)
    if is_refund and game.carried and game.carried.balances is not None:
        return [Fault("refund-unknown", facts={"field": "pool"})]
    end(game, Finish(number, event.outcome))
    return []


def _decider(game: Game, number: int, event: events.Decider) -> Faults:
    if not game.finish or len(game.winners) < 2:
        return [Fault("no-tie", facts={"field": "kind"})]
    if event.winner not in game.winners:
        return [Fault("not-tied", facts={"field": "winner", "name": game.name(event.winner)})]
    game.winners = (event.winner,)
    return []


EFFECTS: dict[type[Any], Callable[[Game, int, Any], Faults]] = {
    events.Hand: _hand,
    events.Void: _void,
    events.BuyIn: _buy_in,
    events.Decline: _decline,
    events.Penalty: _penalty,
    events.Ruling: _ruling,
    events.Leave: _leave,
    events.Join: _join,
    events.Rename: _rename,
    events.NewAvatar: _avatar,
    events.Setup: _setup,
    events.Paid: _paid,
    events.First: _first,
    events.End: _end,
    events.Stop: _stop,
    events.Decider: _decider,
}
