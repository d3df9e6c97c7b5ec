"""Games begun on paper: the totals, buy-ins and money they start with."""

from __future__ import annotations

from collections.abc import Iterator

from app.kalooki.faults import Fault
from app.kalooki.game.events import Start
from app.kalooki.game.finish import close_offers
from app.kalooki.game.state import Game
from app.kalooki.money import CARRIED
from app.kalooki.readers import Carried
from app.kalooki.variants import Variant


def carried_faults(start: Start, variant: Variant) -> Iterator[Fault]:
    """Yield why a game cannot continue from what was played on paper."""
    carried, players = start.carried, len(start.players)
    if not carried:
        return
    for name, column in zip(carried._fields[1:], carried[1:], strict=True):
        if column is not None and len(column) != players:
            yield Fault("carried-length", facts={"field": f"carried.{name}", "count": players})
    last = min(variant.game_hands or carried.hands + 1, len(variant.contracts) or carried.hands + 1)
    if carried.hands >= last:
        yield Fault("carried-to-the-end", facts={"field": "carried.hands", "hands": last})
    if variant.scoring == "winner_collects" and any(map(variant.reaches, carried.totals)):
        yield Fault("carried-target", facts={"field": "carried.totals", "limit": variant.limit})
    elif sum(not variant.is_out(total) for total in carried.totals) < 2 <= len(carried.totals):
        yield Fault("carried-too-few", facts={"field": "carried.totals"})
    allowed = variant.buy_ins if variant.buys_in else 0
    if max(carried.buy_ins or (), default=0) > allowed:
        yield Fault("carried-buy-ins", facts={"field": "carried.buy_ins", "most": allowed})
    if sum(carried.balances or ()) > 0:
        yield Fault("carried-balances", facts={"field": "carried.balances"})


def carry_over(game: Game, carried: Carried) -> None:
    """Set the new game to the state on paper; players already out are offered no buy-in."""
    game.number += carried.hands
    used = dict(zip(game.players, carried.buy_ins or (0,) * len(game.players), strict=False))
    for player, total in zip(game.players.values(), carried.totals, strict=False):
        player.total = total
        player.buy_ins = used.get(player.seat, 0)
        game.note_change(1, player, CARRIED)
        if game.variant.is_out(total):
            player.playing, player.out_since = False, 1
    close_offers(game)
    if not game.stakes:
        return
    if carried.balances is not None:
        game.post(1, CARRIED, dict(zip(game.players, carried.balances, strict=False)))
        return
    game.post(1, "initial-stake", dict.fromkeys(game.players, -game.stakes["initial"]))
    game.post(1, "buy-in", {seat: -bought * game.stakes["buy_in"] for seat, bought in used.items()})
