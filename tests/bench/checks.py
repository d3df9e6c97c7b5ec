"""The server's CPU time for a check through HTTP, against an empty answer of a bare Flask application."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.bench._served import Answer, Served, side_by_side, times_empty

REQUESTS, ROUNDS = 1_000, 5
CLAIMS: Mapping[str, Mapping[str, Any]] = {
    "meld": {"cards": "7H 8H *"},
    "meld, broken": {"cards": "AH 2H 3H"},
    "opening": {"melds": ["KH KD KS", "4S 5S 6S"]},
    "build": {"on": "4S 5S 6S", "cards": "7S"},
    "joker": {"on": "4S 4H *", "give": "4D 4C"},
    "turn": {
        "hand": "5H 6H 7H 2C",
        "opened": True,
        "steps": [
            {"do": "draw", "from": "stock", "card": "KC"},
            {"do": "meld", "cards": "5H 6H 7H"},
            {"do": "discard", "card": "KC"},
        ],
    },
}


def main(*, tiny: bool = False) -> None:
    requests, rounds = (5, 1) if tiny else (REQUESTS, ROUNDS)
    with side_by_side() as (empty, product):
        for name, claim in CLAIMS.items():
            assert b'"ok"' in ask(product, name, claim).body
            cost = times_empty(
                empty,
                product,
                lambda _, name=name, claim=claim: ask(product, name, claim),  # type: ignore[misc]
                requests,
                rounds,
                posts=True,
            )
            print(f"{name}: {cost:.2f} times the CPU of an empty answer")


def ask(product: Served, name: str, claim: Mapping[str, Any]) -> Answer:
    return product.post(f"/api/v1/check/{name.partition(',')[0]}", {"variant": "european"} | claim)
