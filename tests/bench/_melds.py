"""Every meld a hand can lay, found without the product: what the integer programme chooses from.

A hand is a list of [suit 0-3, place 2-14], a joker [-1, 0]. A long run is two short ones, so naturals more than five
places apart are never needed in one; jokers may lie beyond them.
"""

import json
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from itertools import combinations
from time import process_time_ns
from typing import TextIO

JOKER_POINTS = 15

Card = tuple[int, int]
Meld = tuple[tuple[Card, ...], int]
Solve = Callable[[Mapping[Card, int], int, list[Meld]], tuple[int, int]]


def points(place: int) -> int:
    """What a card left costs in European Kalooki."""
    return 11 if place == 14 else min(place, 10)


def columns(naturals: Iterable[Card], jokers: int) -> list[Meld]:
    """Each meld as (the naturals in it, its jokers), naturals being (suit, place)."""
    found = set()
    held = set(naturals)
    for suit in range(4):
        places = sorted(place for its, place in held if its == suit)
        for size in range(1, 6):
            for chosen in combinations(places, size):
                span = chosen[-1] - chosen[0] + 1
                if span <= 5:
                    room = 13 - span
                    least = max(span, 3) - size
                    found |= {
                        (tuple((suit, place) for place in chosen), more)
                        for more in range(least, min(jokers, span - size + room) + 1)
                    }
    for place in range(2, 15):
        suits = [suit for suit in range(4) if (suit, place) in held]
        for size in range(1, 5):
            for chosen in combinations(suits, size):
                found |= {
                    (tuple((suit, place) for suit in chosen), more)
                    for more in range(max(0, 3 - size), min(jokers, 4 - size) + 1)
                }
    return sorted(found)


def worth(meld: Meld) -> int:
    """The points a meld takes off the hand."""
    naturals, jokers = meld
    return sum(points(place) for _, place in naturals) + JOKER_POINTS * jokers


def answers() -> TextIO:
    """Where the answer goes; whatever a library prints goes to standard error from here on."""
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    return out


def serve(solve: Solve) -> None:
    """Answer hands on standard input with the nanoseconds of this process and the points laid of each.

    `solve` gets the number of each natural, the jokers and the melds, and returns its own time and the points.
    """
    told = []
    out = answers()
    for hand in json.load(sys.stdin):
        start = process_time_ns()
        naturals = Counter((suit, place) for suit, place in hand if suit >= 0)
        jokers = len(hand) - naturals.total()
        alone, laid = solve(naturals, jokers, columns(naturals, jokers))
        told.append((process_time_ns() - start, alone, laid))
    json.dump(told, out)
    out.close()
