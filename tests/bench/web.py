"""The server's CPU time for pages and JSON during a game, against an empty answer of a bare Flask application.

The games have four players and 20 hands, and take turns, so that no game is asked twice in a row. The phone that keeps
the score asks for pages, compressed as browsers want them.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import count
from typing import Any, NamedTuple

from tests.bench._served import Answer, Served, side_by_side, times_empty
from tests.bench.fold import a_hand, a_record

GAMES, HANDS, ROUNDS = 100, 20, 5
PACKED = "gzip, deflate"


@dataclass
class Game:
    """A game kept by one phone; `seen` is its newest entry, `tag` that of its page as last read."""

    code: str
    secret: str
    seen: int
    cookie: str
    tag: str = ""


class Goal(NamedTuple):
    """One kind of request and how many empty answers it may cost."""

    name: str
    most: float
    ask: Callable[[Served, Game], Answer]
    status: int = 200
    posts: bool = False


def page(product: Served, game: Game) -> Answer:
    answer = product.get(f"/g/{game.code}", Cookie=game.cookie, Accept_Encoding=PACKED)
    game.tag = answer.headers.get("ETag", "")
    game.cookie = cookie_of(answer) or game.cookie
    return answer


def cookie_of(answer: Answer) -> str:
    return answer.headers.get("Set-Cookie", "").partition(";")[0]


def page_unchanged(product: Served, game: Game) -> Answer:
    return product.get(f"/g/{game.code}", Cookie=game.cookie, Accept_Encoding=PACKED, If_None_Match=game.tag)


def state(product: Served, game: Game) -> Answer:
    return product.get(f"/api/v1/games/{game.code}")


def poll(product: Served, game: Game) -> Answer:
    return product.get(f"/g/{game.code}/version", If_None_Match=f'"{game.seen}.0"')


def home(product: Served, game: Game) -> Answer:
    return product.get("/", Cookie=game.cookie, Accept_Encoding=PACKED)


def meld(product: Served, _: Game) -> Answer:
    return product.post("/api/v1/check/meld", {"variant": "european", "cards": "7H 8H *"})


def save(product: Served, game: Game) -> Answer:
    chance = random.Random(f"{game.code} {game.seen}")
    answer = record(product, game, a_hand(chance))
    game.seen += 1
    return answer


def record(product: Served, game: Game, event: Mapping[str, Any]) -> Answer:
    sent = {"event": event, "seen": game.seen, "submission": f"bench-{game.seen}"}
    return product.post(f"/api/v1/games/{game.code}/entries", sent, Authorization=f"Bearer {game.secret}")


GOALS = (
    Goal("the game page", 6, page),
    Goal("the same page unchanged", 2.5, page_unchanged, 304),
    Goal("the state in JSON", 5, state),
    Goal("a poll for the version", 2.5, poll, 304),
    Goal("Home", 3, home),
    Goal("a meld check in JSON", 2.5, meld, posts=True),
    Goal("saving a hand through JSON", 8, save, 201, posts=True),
)


def main(*, tiny: bool = False) -> None:
    games, rounds = (2, 1) if tiny else (GAMES, ROUNDS)
    with side_by_side() as (empty, product):
        tables = [a_game(product, number) for number in range(games)]
        for goal in GOALS:
            wrong = {answer.status for game in tables if (answer := goal.ask(product, game)).status != goal.status}
            cost = times_empty(
                empty,
                product,
                lambda turn, goal=goal: goal.ask(product, tables[turn % games]),  # type: ignore[misc]
                games,
                rounds,
                posts=goal.posts,
            )
            note = f"; answered {wrong} instead of {goal.status}" if wrong else ""
            print(f"{goal.name}: {cost:.2f} times the CPU of an empty answer (aim: at most {goal.most:g}){note}")


def a_game(product: Served, number: int) -> Game:
    """A game of 20 hands brought in whole, and the phone that may write in it."""
    events = a_record(HANDS + 1, random.Random(number))
    log = [
        {"entry": entry, "at": "2025-12-31T20:15:00Z", "by": "bench", "event": event}
        for entry, event in zip(count(1), events)
    ]
    made = json.loads(product.post("/api/v1/games/import", {"log": log}).body)
    entered = product.get(f"/g/{made['code']}/s/{made['scorer']}")
    return Game(made["code"], made["scorer"], made["seen"], cookie_of(entered))
