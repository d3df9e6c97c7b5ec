"""The ranking in words: each player's place, state and money; and the game in a few lines for a chat."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import NamedTuple

from app.history.formats import money_format, number_of, region_of, times, write_day
from app.history.phrases import hands_words, headline, limit_words, no_buy_in, whole
from app.history.record import History
from app.history.settling import Phrase, pool_words, settlement_lines
from app.history.story import story
from app.kalooki.game.apply import if_ended
from app.kalooki.game.finish import ahead, places
from app.kalooki.game.play import Game
from app.kalooki.game.state import Player


class Standing(NamedTuple):
    """One player in the ranking, with their money in words (empty without money).

    The place is as in `place_words`; the notes are words such as “out”.
    """

    place: str
    player: Player
    notes: tuple[str, ...]
    money: str


def money(game: Game) -> dict[int, int]:
    """Return the amount shown next to each player in a result, in minor units.

    After the end it is what they won or lost, whatever was paid since; before, it is what they would get or pay if the
    game ended now.
    """
    return game.won if game.finish else if_ended(game).balances


def place_words(game: Game) -> dict[int, str]:
    """Return each player's place among those who stayed, the best first; empty for those who left."""
    ranks, left = places(game), {seat for seat, player in game.players.items() if player.has_left}
    stayed = [place for seat, place in ranks.items() if seat not in left]
    return {seat: "" if seat in left else str(sum(place < own for place in stayed) + 1) for seat, own in ranks.items()}


def standings(game: Game, amounts: Mapping[int, int] | None = None) -> tuple[Standing, ...]:
    """Return all players in the order of their places, with `amounts`, if given, instead of their `money`."""
    beside = money(game) if amounts is None else amounts
    ranking = []
    for seat, place in place_words(game).items():
        player = game.players[seat]
        notes = [] if player.playing else ["left" if player.has_left else "out"]
        if player.buy_ins:
            notes.append(number_of(player.buy_ins, "buy-in"))
        written = money_format(game).amount(beside[seat], plus=True) if game.stakes else ""
        ranking.append(Standing(place, player, tuple(notes), written))
    return tuple(ranking)


def is_later_out_ahead(game: Game) -> bool:
    """Return whether somebody out later is placed before somebody out with fewer points."""
    out = [player for seat in places(game) if not ((player := game.players[seat]).playing or player.has_left)]
    return any(one.total > next_.total for one, next_ in pairwise(out))


class Badge(NamedTuple):
    """A word for a player's state, and its `look`: won, out or offer; both empty for a player simply still in."""

    word: str = ""
    look: str = ""


def badge_of(game: Game, seat: int) -> Badge:
    """Return a player's present state: winner, left, may buy in, out, or in front."""
    player = game.players[seat]
    if seat in game.winners:
        return Badge("winner" if len(game.winners) == 1 else "tied", "won")
    if player.has_left:
        return Badge("left", "out")
    if seat in game.offers:
        return Badge("may buy in", "offer")
    if not player.playing:
        return Badge("out", "out")
    return Badge("in front", "won") if game.hands and seat in ahead(game) else Badge()


def is_near_limit(game: Game, player: Player) -> bool:
    """Return whether a player still in is within a fifth of the limit from it."""
    limit = game.variant.limit
    if limit is None or game.variant.scoring != "losers" or not player.playing:
        return False
    return (limit - player.total) * 5 <= limit


def notes_on(game: Game, player: Player) -> Iterator[Phrase]:
    """Yield what the limit and buy-ins mean for a player, each with the rule that says so."""
    limit = game.variant.limit
    if limit is not None and not player.has_left:
        if not player.playing:
            yield Phrase(limit_words(game.variant), "limit")
        elif player.total:
            remaining = limit - player.total
            yield Phrase(f"{remaining} left") if remaining > 0 else Phrase(f"still in at {limit}", "limit")
    if not player.playing and not player.has_left and player.no_offer:
        yield Phrase(no_buy_in(player), "buy-in")
    if player.buy_ins:
        yield Phrase(f"bought in {times(player.buy_ins)}")


def late_offer(game: Game, player: Player) -> str:
    """Return the text of the link to buy in late; after another hand only for an offer that nobody answered."""
    if player.seat not in game.late_offers:
        return ""
    if not game.hands or (player.missed or 0) > game.hands[-1].entry:
        return "Buy in now"
    has_lapsed = player.missed in [hand.entry for hand in game.hands]
    return f"Did {player.name} buy in?" if has_lapsed else ""


def chat_text(history: History, address: str, *, only_open: bool = False) -> str:
    """Return the game as text for a chat: its story, the ranking, money won and lost, payments made and due, the pool.

    With `only_open`, the money is what is still due, and the payments are those not yet made.
    """
    game, hands = history.game, hands_words(history.game)
    lines = [f"{game.variant.name}, {write_day(history.evening, region_of(game))}"]
    lines += filter(None, [f"{headline(game)} after {hands}" if game.finish else hands, story(history)])
    lines.append("")
    for place, player, notes, amount in standings(game, if_ended(game).balances if only_open else None):
        ranked_name = f"{place}. {player.name}" if place else player.name
        lines.append(", ".join(filter(None, [f"{ranked_name} {whole(player.total)}", *notes, amount])))
    if game.stakes and not game.finish:
        lines += ["", "The money is what each would get (+) or pay (−) if the game ended now."]
        lines += [f"In the pool: {money_format(game).amount(game.pool)}"]
    if game.stakes and game.finish:
        lines.append("")
        if only_open and game.balances != game.won:
            lines.append("These amounts are still to be paid: payments already made are taken off.")
        lines += [*settlement_lines(game, only_open=only_open), *filter(None, [pool_words(game)])]
    return "\n".join([*lines, "", address, ""])
