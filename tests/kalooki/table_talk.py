"""Short words for tests: a game at the table, played event by event."""

from app.kalooki.game.events import from_json
from app.kalooki.game.play import Entry, judge, opening_entry, play


def begin(variant="european", players=("Ann", "Ben", "Cat"), **more):
    """The log of a game that has just begun."""
    start = from_json({"kind": "start", "variant": variant, "players": list(players)} | more)
    recorded, _, faults = opening_entry(start)
    assert not faults, faults
    return [Entry(1, recorded)]


def record(log, *events):
    """The log with more events, each of which must be accepted."""
    for event in events:
        _, faults = judge(log, from_json(event))
        assert not faults, faults
        log = [*log, Entry(len(log) + 1, from_json(event))]
    return log


def refusal(log, event):
    """The slugs for which an event is refused."""
    _, faults = judge(log, from_json(event))
    return [fault.rule for fault in faults]


def hand(winner, ending="going_out", calls=None, **left):
    """A hand: `hand(1, s2=35, s3="KH QD")` – seat 2 typed 35 points, seat 3 shows cards."""
    written = {
        seat.removeprefix("s"): held if isinstance(held, str) else {"points": held} for seat, held in left.items()
    }
    event = {"kind": "hand", "winner": winner, "ending": ending, "left": written}
    return event | ({"calls": calls} if calls else {})


def totals(log):
    return [player.total for player in play(log).players.values()]
