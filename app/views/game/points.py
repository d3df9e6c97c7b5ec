"""How one player's points in one hand add up: every line with its rule and the document that states it."""

from __future__ import annotations

from flask import abort, render_template

from app.i18n import gettext
from app.kalooki.game.hands import calls_told
from app.kalooki.game.state import Game, PlayedHand
from app.kalooki.rules.rulebook import Explained, rule_in_words, rules
from app.telling.phrases import stakes_by_value
from app.views import access
from app.views.game import pages


@pages.get("/points/<int:entry>/<int:seat>")
def points(code: str, entry: int, seat: int) -> str:
    """The lines of a player's points in a recorded hand, and what the total then meant."""
    game = access.table_or_404(code).game
    hand = next((hand for hand in game.hands if hand.entry == entry), None)
    if hand is None or seat not in hand.scores:
        abort(404)
    lines = {line.rule for line in hand.scores[seat].lines}
    calls = calls_told(game.variant, hand).get(seat, 0)
    told = lines | {"calls"} if calls else lines
    return render_template(
        "table/points.html",
        game=game,
        code=code,
        may_write=access.may_write(code),
        hand=hand,
        seat=seat,
        score=hand.scores[seat],
        player=game.players[seat],
        calls=calls,
        rules={slug: _told(slug, game) for slug in rules().keys() & told},
        follows=_follows(game, hand, seat),
    )


def _follows(game: Game, hand: PlayedHand, seat: int) -> list[Explained]:
    """The rules that say what a total meant: out, still in at exactly the limit, allowed to buy in."""
    score, player = hand.scores[seat], game.players[seat]
    slugs = ["limit"] if score.out or score.total == game.variant.limit else []
    slugs += ["buy-in"] if score.out and (player.no_offer or seat in game.offers) else []
    return [_told(slug, game) for slug in slugs]


def _told(slug: str, game: Game) -> Explained:
    """A rule as this table plays it, with its own stakes."""
    return rule_in_words(slug, game.played_for, gettext, stakes_by_value(game.stakes))
