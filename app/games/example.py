"""A sample game with three hands played, for trying everything out."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, cast

from app import days
from app.games import recording
from app.history.formats import currency_of
from app.kalooki.game.events import Start, from_json, to_json
from app.kalooki.game.play import opening_entry
from app.kalooki.money import Currency
from app.kalooki.readers import CURRENCY

VARIANT = "european"
PLAYERS = ("Alma", "Bruno", "Cleo", "Dario")
STAKES = {"call_up": 10, "kalooki": 20, "initial": 50, "buy_in": 50}
NOTE = "Sample game: deleted when you leave"
HANDS = (
    {"winner": 2, "ending": "going_out", "left": {"1": "KH QD 5C", "3": {"points": 28}, "4": "9S 9D 4H"}},
    {"winner": 1, "ending": "kalooki", "left": {"2": {"points": 17}, "3": "JC 8H 3D 2S", "4": {"points": 34}}},
    {"winner": 3, "ending": "going_out", "left": {"1": {"points": 12}, "2": "10H 10C 4S", "4": "* KD"}},
)


def start_example(zone: str, region: str, submission: str, actor: str) -> recording.Beginning:
    """Start a sample game with its three hands recorded."""
    stakes = Currency.called(currency_of(region) or CURRENCY).stated | STAKES
    first = {"kind": "start", "variant": VARIANT, "players": [*PLAYERS], "stakes": stakes, "note": NOTE}
    place = {"zone": zone if days.is_zone(zone) else "", "region": region}
    start = cast("Start", from_json(first | {key: value for key, value in place.items() if value}))
    recorded, _game, _faults = opening_entry(start)
    events = [to_json(recorded), *({"kind": "hand"} | hand for hand in HANDS)]
    beginning = recording.import_game(
        [_entry(event, len(events) - place, actor) for place, event in enumerate(events)], submission, actor
    )
    assert beginning.secret  # noqa: S101 - a submission of our own, a game that can be played
    return beginning


def _entry(event: dict[str, Any], ago: int, actor: str) -> dict[str, Any]:
    now = days.moment(days.now())
    assert now  # noqa: S101 - the log writes times that can be read
    return {"event": event, "at": f"{now - timedelta(minutes=9 * ago):%Y-%m-%dT%H:%M:%SZ}", "by": actor}
