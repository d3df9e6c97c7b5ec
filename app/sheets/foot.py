"""The foot of a score sheet: last totals, places, tallies, and each player's money line by line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from app.i18n import _, gettext
from app.kalooki.game.play import Game
from app.kalooki.money import balances
from app.kalooki.rules.wording import called, names
from app.sheets.rows import figures
from app.telling.standings import place_words


class Foot(NamedTuple):
    """A line below the hands with a value for every player; the columns in `struck` are struck through."""

    label: str
    values: tuple[str, ...]
    strong: bool = False
    struck: frozenset[int] = frozenset()


def totals(game: Game) -> Foot:
    """The last totals; those of players who are out are struck through."""
    players = [game.players[seat] for seat in game.order]
    out = (column for column, player in enumerate(players) if not player.playing and not player.has_left)
    return Foot(_("Total"), figures(player.total for player in players), strong=True, struck=frozenset(out))


def tallies(game: Game) -> Iterator[Foot]:
    """Each player's place, and how often they won in each way; ways in which nobody won are left out."""
    if any(not hand.is_void for hand in game.hands):
        yield Foot(_("Place"), place_words(game))
    for ending in game.variant.endings:
        counted = _counted(game, ending)
        won = [hand.winner for hand in game.hands if hand.ending in counted]
        if won:
            yield Foot(_ending(game, ending), tuple(str(won.count(seat) or "") for seat in game.order))


def ledger(game: Game) -> list[Foot]:
    """What each player paid and received, kind by kind, and last the balance; empty in a game without money.

    Cash payments come below “Won and lost”: they settle those amounts and do not change them.
    """
    return [*_ledger(game)] if game.stakes else []


def ledger_below_counts(game: Game) -> Iterator[Foot]:
    """The ledger as printed below the tallies: every label names the currency, lest money be taken for a count."""
    for line in ledger(game):
        yield line._replace(label=_("{what}, {currency}").format(what=line.label, currency=game.currency))


def _ledger(game: Game) -> Iterator[Foot]:
    for why in names("postings"):
        sums = balances(movement for movement in game.movements if movement.why == why)
        if any(sums.values()):
            if why == "paid":
                yield _sums(game, _("Won and lost"), game.won)
            cells = (game.currency.written(sums[seat], plus=True) if sums.get(seat) else "" for seat in game.order)
            yield Foot(called("postings", why, "sum", gettext), tuple(cells))
    yield _sums(game, _("Balance"), game.balances)


def _sums(game: Game, label: str, amounts: Mapping[int, int]) -> Foot:
    return Foot(label, tuple(game.currency.written(amounts[seat], plus=True) for seat in game.order), strong=True)


def won_columns(game: Game) -> frozenset[int]:
    """The columns of the winners; none before the end."""
    return frozenset(column for column, seat in enumerate(game.order) if seat in game.winners)


def _counted(game: Game, ending: str) -> tuple[str, ...]:
    """The endings that one line counts: without call-ups, “Hands won” counts both."""
    of_all = ending != game.variant.kalooki_ending and not game.variant.stake_call_up
    return tuple(game.variant.endings) if of_all else (ending,)


def _ending(game: Game, ending: str) -> str:
    if ending != game.variant.kalooki_ending:
        return _("Call-ups won") if game.variant.stake_call_up else _("Hands won")
    return _("Bent the table") if ending == "bending" else _("Kalookis won")
