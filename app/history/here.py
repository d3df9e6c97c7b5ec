"""What a game adds to a dispute at its table: the contract in play, who deals, who is out, who bought in."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from app.history.formats import money_format, region_of
from app.history.phrases import and_list, names_of, stakes_words
from app.kalooki.game.play import Game
from app.kalooki.rules.wording import contract_words


def known_here(about: str, game: Game) -> str:
    """Return what this game adds to a dispute or a rule; empty for nothing.

    `about` is the value of `here` in a dispute, or the name of a rule.
    """
    return HERE[about](game) if about in HERE else ""


def _contract(game: Game) -> str:
    if not game.variant.contracts:
        return ""
    contract = contract_words(game.variant, *game.variant.contracts[game.claimed_hand - 1])
    return f"Hand {game.claimed_hand} here: {contract}."


def _deal(game: Game) -> str:
    if game.finish:
        return ""
    dealt = f"{game.name(game.next_dealer)} deals hand {game.number} here."
    first = f"{game.name(game.first)} plays first." if game.first else ""
    return f"{dealt} {first}".strip()


def _out(game: Game) -> str:
    out = [seat for seat, player in game.players.items() if not player.playing]
    return f"Out of this game: {names_of(game, out)}." if out else ""


def _totals(game: Game) -> str:
    totals = (f"{game.name(seat)} {player.total}" for seat, player in game.players.items() if player.playing)
    return f"Here: {and_list(totals)}."


def _buy_ins(game: Game) -> str:
    counts = ((game.name(seat), player.buy_ins) for seat, player in game.players.items() if player.buy_ins)
    players = and_list(f"{name} {'once' if count == 1 else f'{count} times'}" for name, count in counts)
    return f"{_price_of_a_buy_in(game)} Bought in here so far: {players or 'nobody'}.".strip()


def _price_of_a_buy_in(game: Game) -> str:
    price = game.stakes["buy_in"] if game.stakes and game.variant.buys_in else 0
    return f"A buy-in costs {money_format(game).amount(price)} here." if price else ""


def _stakes(game: Game) -> str:
    return f"Here: {stakes_words(game.stakes, region_of(game))}." if game.stakes else ""


HERE: Mapping[str, Callable[[Game], str]] = {
    "contract": _contract,
    "deal": _deal,
    "out": _out,
    "totals": _totals,
    "buy_ins": _buy_ins,
    "stakes": _stakes,
}
"""What a game knows, by the word that disputes use for it or by the name of a rule."""
