"""What it costs to fold a log into its game: that it grows with the log, and how it compares with reading its JSON."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from time import perf_counter
from typing import Any

from app.kalooki.cards import RANKS, SUITS
from app.kalooki.game.events import from_json, to_json
from app.kalooki.game.play import MOST_ENTRIES, from_record, opening_entry, play

PACKS = [rank + suit for suit in SUITS for rank in RANKS] * 2 + ["*", "*"]
SHORT, LONG = 200, MOST_ENTRIES
ROUNDS = 15


def main(*, tiny: bool = False) -> None:
    chance = random.Random(51)
    short, long = (SHORT // 10, LONG // 10) if tiny else (SHORT, LONG)
    folds = {}
    for length in (short, long):
        record = a_record(length, chance)
        text = json.dumps(record, separators=(",", ":"))
        log = from_record(record)
        folds[length] = best(lambda log=log: play(log))
        loads = best(lambda text=text: json.loads(text))
        events = best(lambda record=record: from_record(record))
        print(f"{length} entries: folded in {folds[length] / loads:.1f} times what json.loads takes on their log")
        print(f"{length} entries: read as events in {events / loads:.1f} times that")
    print(f"{long} entries fold in {folds[long] / folds[short]:.1f} times the time of {short}")


def a_record(length: int, chance: random.Random) -> list[dict[str, Any]]:
    """A long open-ended game of four: hands of one to nine cards left, dealt from the packs."""
    players = {"players": ["Ann", "Ben", "Cat", "Dot"]}
    start, _, _ = opening_entry(from_json({"kind": "start", "variant": "kalooki-51"} | players))  # type: ignore[arg-type]
    return [to_json(start), *(a_hand(chance) for _ in range(length - 1))]


def a_hand(chance: random.Random) -> dict[str, Any]:
    winner = chance.randint(1, 4)
    deal = iter(chance.sample(PACKS, 27))
    losers = [seat for seat in range(1, 5) if seat != winner]
    left = {str(seat): " ".join(next(deal) for _ in range(chance.randint(1, 9))) for seat in losers}
    return {"kind": "hand", "winner": winner, "ending": "going_out", "left": left}


def best(work: Callable[[], object]) -> float:
    """The seconds of the quickest of several rounds."""
    times = []
    for _ in range(ROUNDS):
        began = perf_counter()
        work()
        times.append(perf_counter() - began)
    return min(times)
