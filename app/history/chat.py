"""A game as a few lines of text for a chat."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from app.history.formats import money_format, region_of, write_day
from app.history.phrases import hands_words, headline, whole
from app.history.record import History
from app.history.settling import pool_words, settlement_lines
from app.history.standings import Standing, standings
from app.kalooki.game.apply import if_ended
from app.kalooki.game.play import Game


def chat_text(history: History, address: str) -> str:
    """Return the game as text for a chat: the ranking, money won and lost, payments made and due, and the pool."""
    game = history.game
    return _text(history, _standings(standings(game)), settlement_lines(game), address)


def open_text(history: History, address: str) -> str:
    """Return the same text with only what is still open: the money due, and the payments not yet made."""
    game = history.game
    return _text(history, _standings(standings(game, if_ended(game).balances)), _open(game), address)


def _open(game: Game) -> Iterator[str]:
    if game.balances != game.won:
        yield "These amounts are still to be paid: payments already made are taken off."
    yield from settlement_lines(game, only_open=True)


def _text(history: History, ranking: Iterable[str], settled: Iterable[str], address: str) -> str:
    game = history.game
    head = f"{game.variant.name}, {write_day(history.day, region_of(game))}"
    lines = [head, _progress(game), "", *ranking]
    if game.stakes and not game.finish:
        lines += ["", "The money is what each would get (+) or pay (−) if the game ended now."]
        lines += [f"In the pool: {money_format(game).amount(game.pool)}"]
    if game.finish and game.stakes:
        lines += ["", *settled, *filter(None, [pool_words(game)])]
    return "\n".join([*lines, "", address, ""])


def _progress(game: Game) -> str:
    hands = hands_words(game)
    if not game.finish:
        return hands
    return f"{headline(game)} after {hands}"


def _standings(ranked: Iterable[Standing]) -> Iterator[str]:
    """Yield one line for each player, in the order of their places."""
    for place, player, notes, money in ranked:
        ranked_name = f"{place}. {player.name}" if place else player.name
        yield ", ".join(filter(None, [f"{ranked_name} {whole(player.total)}", *notes, money]))
