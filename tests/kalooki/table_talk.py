"""Helpers for tests that play a game event by event."""

from app.kalooki.game.events import from_json
from app.kalooki.game.play import Entry, judge, opening_entry, play


def begin(variant="european", players=("Ann", "Ben", "Cat"), **more):
    """Return the log of a new game."""
    start = from_json({"kind": "start", "variant": variant, "players": list(players)} | more)
    recorded, _, faults = opening_entry(start)
    assert not faults, faults
    return [Entry(1, recorded)]


def record(log, *events):
    """Return the log with more events, each of which must be accepted."""
    for event in events:
        _, faults = judge(log, from_json(event))
        assert not faults, faults
        log = [*log, Entry(len(log) + 1, from_json(event))]
    return log


def refusal(log, event):
    """Return the slugs of the faults for which an event is refused."""
    _, faults = judge(log, from_json(event))
    return [fault.rule for fault in faults]


def hand(winner, ending="going_out", calls=None, **left):
    """Return the event of a hand: in `hand(1, s2=35, s3="KH QD")` seat 2 has 35 points left and seat 3 has cards."""
    written = {
        seat.removeprefix("s"): held if isinstance(held, str) else {"points": held} for seat, held in left.items()
    }
    event = {"kind": "hand", "winner": winner, "ending": ending, "left": written}
    return event | ({"calls": calls} if calls else {})


def totals(log):
    return [player.total for player in play(log).players.values()]
