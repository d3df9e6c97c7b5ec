"""History: who recorded what, with every correction; and one hand, with what could have been laid."""

from __future__ import annotations

from typing import NamedTuple

from flask import abort, request
from markupsafe import Markup

from app import days
from app.games import recording
from app.games.preview import look_back
from app.games.recording import RecordedGame
from app.history.formats import region_of
from app.history.phrases import stakes_by_value
from app.history.timeline import timeline
from app.kalooki.cards import write
from app.kalooki.game.hands import calls_told
from app.kalooki.game.state import Game, PlayedHand, Score
from app.kalooki.rules.rulebook import Explained, rule_in_words, rules
from app.views import access, limits
from app.views.game import page_of, pages
from app.views.game.board import latest_correction


@pages.get("/history")
def history(code: str) -> str:
    """Show every entry in words, newest first."""
    record = access.get_game(code)
    return page_of(record, "table/history.html", entries=_entries(record))


def _entries(record: RecordedGame) -> Markup:
    """Return the list of entries, rendered once for all phones that may do the same with them."""

    def render() -> str:
        return page_of(
            record,
            "fragments/entries.html",
            items=timeline(record)[::-1],
            hands={hand.entry: hand for hand in record.game.hands},
            correction=latest_correction(record),
        )

    cache_key = ("entries", access.may_write(record.code), request.script_root, days.now()[:4])
    return Markup(recording.render_once(record, cache_key, render))  # noqa: S704 - rendered by a template that escapes


class PlayerPoints(NamedTuple):
    """A player's points in a hand, the calls made, and the rules that explain the total's consequences."""

    seat: int
    score: Score
    calls: int
    has_free_calls: bool
    follows: list[str]


@pages.get("/hands/<int:entry>", defaults={"best": False})
@pages.get("/hands/<int:entry>/best", defaults={"best": True}, endpoint="hindsight")
def hand(code: str, entry: int, *, best: bool) -> str:
    """Show how every player's points in a hand are made up; with `best`, also what could have been laid."""
    record = access.get_game(code)
    game = record.game
    played = game.hand_at(entry)
    if played is None or played.is_void:
        abort(404)
    calls = calls_told(game.variant, played)
    players = [_points(game, played, seat, calls.get(seat, 0)) for seat in game.order if seat in played.scores]
    lines = [line.rule for each in players for line in each.score.lines]
    slugs = [*lines, *(["calls"] if calls else []), *(slug for each in players for slug in each.follows)]
    losers = []
    if best:
        limits.take("checks", limits.SOLUTION_COST)
        with limits.heavy():
            losers = look_back(game, played)
    return page_of(
        record,
        "table/hand.html",
        hand=played,
        players=players,
        rules={slug: _in_words(slug, game) for slug in dict.fromkeys(slugs) if slug in rules()},
        best={each.seat: each for each in losers},
        write=write,
    )


def _points(game: Game, hand: PlayedHand, seat: int, calls: int) -> PlayerPoints:
    """Return a player's points; the rules say if the total is out, exactly at the limit, or allows a buy-in."""
    score, player = hand.scores[seat], game.players[seat]
    follows = ["limit"] if score.out or score.total == game.variant.limit else []
    follows += ["buy-in"] if score.out and (player.no_offer or seat in game.offers) else []
    return PlayerPoints(seat, score, calls, 0 < calls <= game.variant.calls, follows)


def _in_words(slug: str, game: Game) -> Explained:
    """Return a rule as this table plays it, with its own stakes."""
    return rule_in_words(slug, game.played_for, stakes_by_value(game.stakes, region_of(game)))
