"""Hands: their faults and warnings, and the points that each player scores."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from app.kalooki.cards import Card, beyond_pack
from app.kalooki.faults import Fault
from app.kalooki.game.events import Hand
from app.kalooki.game.state import Game, PlayedHand
from app.kalooki.readers import Left
from app.kalooki.scoring import ScoreItem, all_at_once_items, can_be_left, left_lines, points_left
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
    yield from _seat_faults(game, hand, playing)
    for seat, left in hand.left.items():
        if not left.cards and not left.points:
            yield Fault("loser-without-cards", facts={"field": f"left.{seat}", "name": game.name(seat)})
        if variant.colour_scores and _ACE in left.cards:
            yield Fault("ace-without-colour", (_ACE,), {"field": f"left.{seat}", "name": game.name(seat)})
    over = _beyond_pack(hand.cards_left, variant.packs, variant.jokers)
    if over:
        yield Fault("more-than-the-pack", over, {"field": "left"})


def _seat_faults(game: Game, hand: Hand, playing: set[int]) -> Iterator[Fault]:
    """Yield faults for seats that should not be in the hand, and for losers who are missing."""
    if len(playing) < 2:
        yield Fault("too-few-players", facts={"field": "winner"})
    if hand.winner not in playing:
        yield Fault("winner-not-in", facts={"field": "winner", "name": game.name(hand.winner)})
    if hand.winner in hand.left:
        yield Fault("winner-holds-cards", facts={"field": f"left.{hand.winner}", "name": game.name(hand.winner)})
    out = [("left", seat) for seat in sorted(hand.left.keys() - playing)]
    for field, seat in out + [("calls", seat) for seat in sorted(hand.calls.keys() - playing)]:
        yield Fault("score-for-who-is-out", facts={"field": f"{field}.{seat}", "name": game.name(seat)})
    yield from _absence_faults(game, hand, playing)


def _absence_faults(game: Game, hand: Hand, playing: set[int]) -> Iterator[Fault]:
    """Yield faults for seats that cannot be absent, and for calls of those who are."""
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
    points = {seat: _points_of(left, variant) for seat, left in hand.left.items()}
    return hand.winner, hand.ending, points, calls_told(variant, hand)


def _points_of(left: Left, variant: Variant) -> int:
    """Return the points a loser had left: those of the cards if there are any, else the points typed."""
    return points_left(left.cards, variant) if left.cards else left.points or 0


def hand_points(variant: Variant, hand: Hand) -> dict[int, int]:
    """Return each seat's score in the hand, in points."""
    return {seat: sum(line.points for line in lines) for seat, lines in score_lines(variant, hand).items()}


def score_lines(variant: Variant, hand: Hand) -> dict[int, tuple[ScoreItem, ...]]:
    """Return the score of every seat in the hand, including the winner's, itemised by rule.

    If the winner collects (`scoring`), the winner gains what the losers would score, minus their own penalties.
    """
    lines = {seat: _loser_items(variant, hand, seat, left) for seat, left in hand.left.items()}
    own = _call_items(variant, hand, hand.winner)
    if variant.scoring != "winner_collects":
        return {hand.winner: own} | lines
    gained = [
        ScoreItem(sum(line.points for line in items), "who-scores", hand.left[seat].cards)
        for seat, items in lines.items()
    ]
    against = [line._replace(points=-line.points) for line in own]
    return {hand.winner: (*gained, *against)} | dict.fromkeys(lines, ())


def _loser_items(variant: Variant, hand: Hand, seat: int, left: Left) -> tuple[ScoreItem, ...]:
    items = left_lines(left.cards, variant) if left.cards else (ScoreItem(left.points or 0, "points-typed"),)
    times, added = all_at_once(variant, hand)
    return (*items, *all_at_once_items(items, times, added), *_call_items(variant, hand, seat))


def all_at_once(variant: Variant, hand: Hand) -> tuple[int, int]:
    """Return how many times a loser's cards count and the points added, because the winner went out all at once.

    If the winner called too often, they still bend the table but the cards count once (rule `calls`).
    """
    if hand.ending != variant.kalooki_ending:
        return 1, 0
    return 1 if _has_over_called(variant, hand) else variant.kalooki_times, variant.kalooki_points


def _has_over_called(variant: Variant, hand: Hand) -> bool:
    return calls_told(variant, hand).get(hand.winner, 0) > variant.calls


def calls_told(variant: Variant, hand: Hand | PlayedHand) -> dict[int, int]:
    """Return the number of calls of each seat that called, empty in a variant without calls."""
    return {seat: count for seat, count in hand.calls.items() if count} if variant.has_calls else {}


def _call_items(variant: Variant, hand: Hand, seat: int) -> tuple[ScoreItem, ...]:
    points = calls_cost(variant, hand, seat)
    return (ScoreItem(points, "calls"),) if points else ()


def calls_cost(variant: Variant, hand: Hand, seat: int) -> int:
    """Return the penalty, in points, for calls beyond those allowed."""
    over = calls_told(variant, hand).get(seat, 0) - variant.calls
    return max(0, over) * variant.call_penalty
