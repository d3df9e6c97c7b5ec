"""A hand as it was recorded: what makes it impossible, what is odd about it, and what it counts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from app.kalooki.cards import Card, beyond_pack
from app.kalooki.events import Hand
from app.kalooki.faults import Fault
from app.kalooki.reading import Left
from app.kalooki.scoring import Line, can_be_left, left_lines
from app.kalooki.table import Game
from app.kalooki.variants import Variant


def hand_faults(game: Game, hand: Hand) -> list[Fault]:
    """Everything that makes the hand impossible, seat by seat."""
    faults = [*_ending_faults(game, hand), *_seat_faults(game, hand)]
    for seat, left in hand.left.items():
        faults += _left_faults(game, seat, left)
    held = [card for left in hand.left.values() for card in left.cards]
    over = beyond_pack(held, game.variant.packs, game.variant.jokers)
    if over:
        faults.append(Fault("more-than-the-pack", over, {"field": "left"}))
    return faults


def _ending_faults(game: Game, hand: Hand) -> Iterator[Fault]:
    if len(game.playing) < 2:
        yield Fault("too-few-players", facts={"field": "winner"})
    if hand.ending not in game.variant.endings:
        endings = ", ".join(game.variant.endings)
        yield Fault("no-such-ending", facts={"field": "ending", "ending": hand.ending, "endings": endings})


def _seat_faults(game: Game, hand: Hand) -> Iterator[Fault]:
    """Who is named and should not be, and who is missing."""
    playing = {player.seat for player in game.playing}
    if hand.winner not in playing:
        yield Fault("winner-not-in", facts={"field": "winner", "name": game.name(hand.winner)})
    if hand.winner in hand.left:
        yield Fault("winner-holds-cards", facts={"field": f"left.{hand.winner}", "name": game.name(hand.winner)})
    for seat in sorted(hand.left.keys() - playing):
        yield Fault("score-for-who-is-out", facts={"field": f"left.{seat}", "name": game.name(seat)})
    for seat in sorted(hand.calls.keys() - playing):
        yield Fault("score-for-who-is-out", facts={"field": f"calls.{seat}", "name": game.name(seat)})
    for seat in sorted(playing - hand.left.keys() - {hand.winner}):
        yield Fault("loser-missing", facts={"field": f"left.{seat}", "name": game.name(seat)})


def _left_faults(game: Game, seat: int, left: Left) -> Iterator[Fault]:
    where = {"field": f"left.{seat}", "name": game.name(seat)}
    if not left.cards and not left.points:
        yield Fault("loser-without-cards", facts=where)
    if game.variant.colour_scores and Card("A") in left.cards:
        yield Fault("ace-without-colour", (Card("A"),), where)


def warn_of_hand(game: Game, number: int, hand: Hand) -> None:
    """What is odd but allowed: hands larger than dealt, sums no cards can make, sums that differ from the cards."""
    variant = game.variant
    if any(hand.calls.values()) and not variant.calls:
        game.warn(number, "calls-ignored")
    for seat, left in hand.left.items():
        name = game.name(seat)
        most = game.dealt + 2 * min(hand.calls.get(seat, 0), variant.calls)
        counted = sum(line.points for line in left_lines(left.cards, variant))
        if len(left.cards) > most:
            game.warn(number, "more-cards-than-dealt", name=name, held=len(left.cards), dealt=most)
        if left.cards and left.points not in (None, counted):
            game.warn(number, "cards-and-sum-differ", left.cards, name=name, typed=left.points, counted=counted)
        if left.points and not left.cards and not can_be_left(left.points, variant, most):
            game.warn(number, "sum-no-cards-make", name=name, typed=left.points, dealt=most)


def score_lines(variant: Variant, hand: Hand) -> dict[int, tuple[Line, ...]]:
    """The lines of points for every seat of the hand, the winner's included."""
    calls = hand.calls if variant.calls else {}
    lines = {seat: (*_cards_left(left, variant),) for seat, left in hand.left.items()}
    lines = {seat: (*own, *_all_at_once(variant, hand, own)) for seat, own in lines.items()}
    lines = {seat: (*own, *_over_calls(variant, calls.get(seat, 0))) for seat, own in lines.items()}
    winners_own = _over_calls(variant, calls.get(hand.winner, 0))
    if variant.scoring == "winner_collects":
        return _collected(hand, lines, winners_own)
    return {hand.winner: winners_own} | lines


def _cards_left(left: Left, variant: Variant) -> tuple[Line, ...]:
    return left_lines(left.cards, variant) if left.cards else (Line(left.points or 0, "points-typed"),)


def _all_at_once(variant: Variant, hand: Hand, own: tuple[Line, ...]) -> tuple[Line, ...]:
    """What going out all at once adds to a loser: points, or his cards counted more than once.

    A winner who called too often has still bent the table, but nothing is doubled (rule `calls`).
    """
    if hand.ending != variant.kalooki_ending:
        return ()
    over_called = variant.calls and hand.calls.get(hand.winner, 0) > variant.calls
    times = 1 if over_called else variant.kalooki_times
    added = variant.kalooki_points + (times - 1) * sum(line.points for line in own)
    return (Line(added, "kalooki-effect"),) if added else ()


def _over_calls(variant: Variant, calls: int) -> tuple[Line, ...]:
    beyond = max(0, calls - variant.calls) if variant.calls else 0
    return (Line(beyond * variant.call_penalty, "calls"),) if beyond else ()


def _collected(
    hand: Hand, lines: Mapping[int, tuple[Line, ...]], winners_own: tuple[Line, ...]
) -> dict[int, tuple[Line, ...]]:
    """House rule `scoring`: the winner gains what the losers would score, and what counts against him comes off."""
    gained = [
        Line(sum(line.points for line in own), "who-scores", hand.left[seat].cards) for seat, own in lines.items()
    ]
    against = [line._replace(points=-line.points) for line in winners_own]
    return {hand.winner: (*gained, *against)} | dict.fromkeys(lines, ())
