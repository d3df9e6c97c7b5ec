"""The story of a finished game in one sentence: how its winner came to lead, and which hands stood out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from app.history.record import History, gains
from app.kalooki.game.play import Game
from app.kalooki.game.state import PlayedHand

LONG_STREAK, LONG_LEAD, LONG_CHASE, MANY_SCORES = 3, 4, 2, 4
"""How many hands won in a row, led throughout, or played before taking the lead are worth telling; and how many scores
there must be for one of them to stand out."""


class _Part(NamedTuple):
    """What one player did, in words that follow the name, and in which hand at first."""

    seat: int
    hand: int
    did: str


def story(history: History) -> str:
    """Return the story, such as “Ann led from hand 4 on; Ben won hand 3 with a Kalooki.”; empty for none."""
    game = history.game
    if not game.finish:
        return ""
    hands = [hand for hand in game.hands if not hand.is_void]
    winner = game.winners[0] if len(game.winners) == 1 else None
    turn = (_comeback(game, winner) or _lead(history, winner)) if winner else None
    parts = [*filter(None, (turn, _streak(hands) or _only_sign(hands) or _biggest(game, hands)))]
    if len({part.seat for part in parts}) < len(parts):
        done = " and ".join(part.did for part in sorted(parts, key=lambda part: part.hand))
        return f"{game.name(parts[0].seat)} {done}."
    clauses = [f"{game.name(part.seat)} {part.did}" for part in parts]
    return f"{'; '.join(clauses)}." if clauses else ""


def _comeback(game: Game, winner: int) -> _Part | None:
    """Tell that the winner had been knocked out, with the hand after which they last bought in."""
    bought = [each.hands for each in game.changes if each.why == "buy-in" and each.seat == winner]
    hands = [hand.number for hand in game.hands[: bought[-1]] if not hand.is_void] if bought else []
    return _Part(winner, hands[-1], f"bought back in after hand {hands[-1]}") if hands else None


def _lead(history: History, winner: int) -> _Part | None:
    """Tell from which hand on the winner led alone, if that took a while or never changed."""
    leads = [*_leads(history)]
    behind = max((place for place, (_number, ahead) in enumerate(leads, 1) if ahead != {winner}), default=0)
    before, led = ([number for number, _ahead in part if number] for part in (leads[:behind], leads[behind:]))
    if not before:
        always = len(led) >= LONG_LEAD and not history.game.carried
        return _Part(winner, 1, "led from the first hand to the last") if always else None
    if len(before) < LONG_CHASE or not led or not leads[behind][0]:
        return None
    how = f"led from hand {led[0]} on" if len(led) > 1 else "took the lead in the last hand"
    return _Part(winner, led[0], how)


def _leads(history: History) -> Iterator[tuple[int, set[int]]]:
    """Yield the number of each hand won, and 0 whenever somebody leaves, with the seats in front after it."""
    game = history.game
    totals = dict.fromkeys(game.players.keys() - game.joiners.values(), 0)
    best = max if game.variant.scoring == "winner_collects" else min
    hands = {hand.entry: hand.number for hand in game.hands if not hand.is_void}
    for entry, got in gains(history).items():
        for gain in got:
            if gain.out or gain.kind == "leave":
                totals.pop(gain.seat, None)
            elif gain.total is not None:
                totals[gain.seat] = gain.total
        if entry in hands or any(gain.kind == "leave" for gain in got):
            front = best(totals.values(), default=0)
            yield hands.get(entry, 0), {seat for seat, total in totals.items() if total == front}


def _streak(hands: Sequence[PlayedHand]) -> _Part | None:
    """Tell the most hands that one player won in a row."""
    runs = [[*run] for _winner, run in groupby(hands, key=lambda hand: hand.winner)]
    longest = max(runs, key=len, default=[])
    winner = longest[0].winner if len(longest) >= LONG_STREAK else None
    first, last = (longest[0].number, longest[-1].number) if longest else (0, 0)
    return _Part(winner, first, f"won hands {first} to {last}") if winner else None


def _only_sign(hands: Sequence[PlayedHand]) -> _Part | None:
    """Tell the only hand that was won otherwise than by simply going out."""
    special = [hand for hand in hands if hand.ending != "going_out"]
    if len(special) != 1 or not special[0].winner:
        return None
    how = "with a Kalooki" if special[0].ending == "kalooki" else "by bending the table"
    return _Part(special[0].winner, special[0].number, f"won hand {special[0].number} {how}")


def _biggest(game: Game, hands: Sequence[PlayedHand]) -> _Part | None:
    """Tell the highest score of a hand, if it is at least twice the average and nobody else had as much.

    Points that counted against the winner of the game are no feat of theirs.
    """
    collects = game.variant.scoring == "winner_collects"
    scores = [
        (score.points, hand.number, seat)
        for hand in hands
        for seat, score in hand.scores.items()
        if score.points > 0 and (seat == hand.winner) == collects
    ]
    most, number, seat = max(scores, default=(0, 0, 0))
    every = [points for points, _number, _seat in scores]
    is_high = len(every) >= MANY_SCORES and every.count(most) == 1 and most * len(every) >= 2 * sum(every)
    if not is_high or (seat in game.winners and not collects):
        return None
    return _Part(seat, number, f"{'collected' if collects else 'took'} {most} in hand {number}")
