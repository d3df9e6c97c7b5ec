"""How players drop out and a game ends: knock-outs, offers to buy in, the winners, the pool, who is ahead."""

from __future__ import annotations

from collections.abc import Sequence

from app.kalooki.game.state import Finish, Game, Player, Split
from app.kalooki.money import paid_in, split_pool


def knock_out(game: Game, entry: int, players: Sequence[Player]) -> None:
    """Knock out the players who reached the limit, and offer each a buy-in if allowed (rule `buy-in`).

    Who may buy in, and at what score, depends on the players still in before any of them buys in.
    """
    for player in players:
        player.playing, player.out_since, player.lasted = False, entry, len(game.hands) + len(game.changes)
        player.missed = None
    totals = [player.total for player in game.playing]
    score = max(totals, default=0) + (game.variant.buy_in_score == "highest_plus_one")
    for player in players:
        if not game.variant.buy_ins:
            player.no_offer = ""
        elif len(game.playing) < 2:
            player.no_offer = "few"
        elif player.buy_ins >= game.variant.buy_ins:
            player.no_offer = "often"
        elif game.variant.is_out(score):
            player.no_offer = "level"
        else:
            player.no_offer, game.offers[player.seat] = "", score
    game.offers = dict(sorted(game.offers.items()))


def close_offers(game: Game) -> None:
    """Set the next dealer once no offer is open: the deal passes after a hand, and if the dealer is out."""
    if not game.offers:
        game.dealer, game.deal_open = game.next_dealer, False


def let_offers_lapse(game: Game, entry: int) -> None:
    """Withdraw all open offers, because the next hand (that entry) was recorded."""
    for seat in game.offers:
        game.players[seat].missed = entry
    if game.offers:
        game.offers.clear()
        close_offers(game)


def finish_if_over(game: Game, entry: int) -> None:
    """End the game if its rules say so: after the last hand, at the target, or with only one player left.

    One player left ends only knock-out games and games with a limit, and not while an offer to buy in is open.
    """
    variant, still_in = game.variant, game.playing
    all_hands_played = variant.game_hands is not None and game.number > variant.game_hands
    target_reached = variant.scoring == "winner_collects" and any(variant.reaches(each.total) for each in still_in)
    knocks_out = variant.decided_by == "knock_out" or variant.limit is not None
    one_left = knocks_out and not game.offers and len(still_in) < 2
    if all_hands_played or target_reached or one_left:
        end(game, Finish(entry))


def end(game: Game, finish: Finish) -> None:
    """End the game: withdraw open offers, and declare the winners."""
    game.offers.clear()
    game.finish = finish
    declare_winners(game)


def declare_winners(game: Game) -> None:
    """Declare the leaders of a game that is over the winners; nobody wins if the pool is paid back or shared."""
    leaders = _best_placed(game, [player for player in game.players.values() if not player.has_left])
    is_won = game.finish and game.finish.pool in ("winners", "leader")
    game.winners = tuple(player.seat for player in leaders) if is_won else ()


def _best_placed(game: Game, players: Sequence[Player]) -> list[Player]:
    """Return the players still in who have the best total; if none are in, those knocked out last."""
    best = min((rank(game, player) for player in players), default=None)
    return [player for player in players if rank(game, player) == best]


def rank(game: Game, player: Player) -> tuple[bool, int, int]:
    """Return the sort key of a player: players still in come first, then those knocked out last, then the best total.

    The lowest total is best unless the winner collects.
    """
    total = -player.total if game.variant.scoring == "winner_collects" else player.total
    return (False, 0, total) if player.playing else (True, -player.lasted, total)


def share_pool(game: Game) -> None:
    """Pay out the pool of a game that is over; players who did not pay in get nothing (rule `pool`)."""
    if not game.finish or not game.pool:
        return
    takers = [] if game.finish.pool == "refund" else _takers(game)
    main, others = tuple(sorted(player.seat for player in takers)), tuple[int, ...]()
    if takers and game.finish.pool == "winners":  # losers get a part only if the game was played to its end
        losers = [player for player in game.players.values() if player not in takers]
        others = tuple(player.seat for player in losers if _gets_a_part(game, player))
    game.split = Split(game.pool, main, others)
    percent = game.variant.pool_others_percent
    shares = split_pool(game.pool, main, others, percent) if main else paid_in(game.movements)
    game.shares = {seat: amount for seat, amount in sorted(shares.items()) if amount}
    game.post(game.finish.entry, "pool" if main else "refund", game.shares)


def _takers(game: Game) -> list[Player]:
    """Return who shares the main part of the pool: all players still in, or the winners.

    If no winner paid in, they are the best placed of the players who did.
    """
    staked = [player for player in game.players.values() if player.staked and not player.has_left]
    if game.finish and game.finish.pool == "equal":
        return [player for player in staked if player.playing]
    return [player for player in staked if player.seat in game.winners] or _best_placed(game, staked)


def _gets_a_part(game: Game, player: Player) -> bool:
    """Return whether a loser gets a part of the pool: with a total under the limit, or close enough to the winner's."""
    variant = game.variant
    if not player.staked or player.has_left or player.seat in game.winners or variant.pool_others == "none":
        return False
    if variant.pool_others == "under":
        return player.total < variant.pool_others_limit
    behind = abs(player.total - game.players[game.winners[0]].total)
    return behind <= variant.pool_others_limit


def places(game: Game) -> dict[int, int]:
    """Return the place of each seat, from 1, the best first; tied players share a place."""
    ranks = {player.seat: _place(game, player) for player in game.players.values()}
    ordered = sorted(ranks.values())
    places = {seat: ordered.index(each) + 1 for seat, each in ranks.items()}
    return dict(sorted(places.items(), key=lambda each: (each[1], each[0])))


def ahead(game: Game) -> list[int]:
    """Return the seats in first place: the winners, or the leaders so far."""
    return [seat for seat, place in places(game).items() if place == 1]


def _place(game: Game, player: Player) -> tuple[bool, bool, tuple[bool, int, int]]:
    """Return the sort key of a player: winners (also of a decider) come first, players who left come last."""
    return bool(game.finish) and player.seat not in game.winners, player.has_left, rank(game, player)
