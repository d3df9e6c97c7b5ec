"""History: who recorded what, with every correction; how points add up; what could have been laid."""

from __future__ import annotations

from flask import abort

from app.games.hindsight import look_back
from app.history.formats import region_of
from app.history.phrases import stakes_by_value
from app.history.timeline import timeline
from app.kalooki.cards import write
from app.kalooki.game.hands import calls_told
from app.kalooki.game.state import Game, PlayedHand
from app.kalooki.rules.rulebook import Explained, rule_in_words, rules
from app.views import access, limits
from app.views.game import page_of, pages
from app.views.game.board import latest_correction
from app.views.game.move import other_games


@pages.get("/history")
def history(code: str) -> str:
    """Every entry in words, newest first."""
    record = access.get_game(code)
    return page_of(
        record,
        "table/history.html",
        items=timeline(record)[::-1],
        hands={hand.entry: hand for hand in record.game.hands},
        may_move=access.may_write(code) and bool(other_games(code)),
        correction=latest_correction(record),
    )


@pages.get("/points/<int:entry>/<int:seat>")
def points(code: str, entry: int, seat: int) -> str:
    """Return the lines of a player's points in a recorded hand, and what the total then meant."""
    record = access.get_game(code)
    game = record.game
    hand = next((hand for hand in game.hands if hand.entry == entry), None)
    if hand is None or seat not in hand.scores:
        abort(404)
    lines = {line.rule for line in hand.scores[seat].lines}
    calls = calls_told(game.variant, hand).get(seat, 0)
    slugs = lines | {"calls"} if calls else lines
    return page_of(
        record,
        "table/points.html",
        hand=hand,
        seat=seat,
        score=hand.scores[seat],
        player=game.players[seat],
        calls=calls,
        rules={slug: _in_words(slug, game) for slug in rules().keys() & slugs},
        follows=_follows(game, hand, seat),
    )


def _follows(game: Game, hand: PlayedHand, seat: int) -> list[Explained]:
    """Return the rules that say what a total meant: out, still in at exactly the limit, allowed to buy in."""
    score, player = hand.scores[seat], game.players[seat]
    slugs = ["limit"] if score.out or score.total == game.variant.limit else []
    slugs += ["buy-in"] if score.out and (player.no_offer or seat in game.offers) else []
    return [_in_words(slug, game) for slug in slugs]


def _in_words(slug: str, game: Game) -> Explained:
    """Return a rule as this table plays it, with its own stakes."""
    return rule_in_words(slug, game.played_for, stakes_by_value(game.stakes, region_of(game)))


@pages.get("/hands/<int:entry>/best")
def hindsight(code: str, entry: int) -> str:
    """Each loser's cards of one hand, next to the best that could have been done with them."""
    record = access.get_game(code)
    hand = next((hand for hand in record.game.hands if hand.entry == entry), None)
    with limits.heavy():
        losers = look_back(record.game, hand) if hand else []
    if hand is None or not losers:
        abort(404)
    return page_of(record, "table/hindsight.html", hand=hand, losers=losers, write=write)
