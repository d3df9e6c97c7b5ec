"""The settlement in words: who pays whom, what was paid already, and who got the pool."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from app.history.formats import money_format
from app.kalooki.game.apply import if_ended
from app.kalooki.game.events import Paid
from app.kalooki.game.play import Game
from app.kalooki.money import Payment, settlement
from app.kalooki.rules.wording import called


class WhoPaysWhom(NamedTuple):
    """One line of the settlement: who pays whom, how much, and whether it is done."""

    words: str
    amount: str
    is_paid: bool


def pays(payer: str, to: str) -> str:
    """Return who has to pay whom, by name."""
    return f"{payer} pays {to}"


def paid(payer: str, to: str) -> str:
    """Return who paid whom, by name."""
    return f"{payer} paid {to}"


class LeftOpen(NamedTuple):
    """What a player who left early still owes or is owed, in words, and the payment that settles it."""

    words: str
    payment: Payment


def left_open(game: Game) -> Iterator[LeftOpen]:
    """Yield what those who left a game in play owe now or are owed; the pool keeps what they paid in."""
    if game.finish or not game.is_on_account or not game.playing:
        return
    would_get = if_ended(game).balances
    for seat, player in game.players.items():
        amount = game.balances[seat]
        if player.has_left and amount:
            here = sorted(game.playing, key=lambda each: would_get[each.seat])
            payment = Payment(seat, here[-1].seat, -amount) if amount < 0 else Payment(here[0].seat, seat, amount)
            yield LeftOpen(left_words(game, seat), payment)


def left_words(game: Game, seat: int) -> str:
    """Return what a player who leaves owes or is owed; empty if nothing is settled at the end."""
    amount = game.balances[seat]
    if not game.is_on_account or game.finish:
        return ""
    written = money_format(game).amount(abs(amount))
    open_now = f"owes {written}" if amount < 0 else f"is owed {written}" if amount else "owes nothing"
    return f"{game.name(seat)} leaves and {open_now}: what was paid in stays in the pool."


def received_words(game: Game, paid: Paid) -> str:
    """Return what a payment does, before the balances: “Ann has had £0.50 from Ben.”."""
    amount = money_format(game).amount(paid.amount)
    return f"{game.name(paid.to)} has had {amount} from {game.name(paid.payer)}. Their balances now:"


def payments_of(game: Game) -> Iterator[WhoPaysWhom]:
    """Yield cash payments made and, once the game is over, the fewest payments that settle the rest."""
    written = money_format(game)
    for movement in game.movements:
        if movement.why == "paid":
            to, payer = sorted(movement.amounts, key=movement.amounts.__getitem__)
            words = paid(game.name(payer), game.name(to))
            yield WhoPaysWhom(words, written.amount(movement.amounts[payer]), is_paid=True)
    for payment in game.payments:
        words = pays(game.name(payment.payer), game.name(payment.to))
        yield WhoPaysWhom(words, written.amount(payment.amount), is_paid=False)


_POOL = 0
"""Stands for the pool among the seats that hand over money."""


def to_hand_over(now: Game, then: Game) -> tuple[str, ...]:
    """Return who hands over how much to whom, if cash is paid after each hand and a correction changes what was due.

    The pool's cash is on the table, so what it has too much or too little is handed over as well.
    """
    if {now.settle, then.settle} != {"cash"} or not now.stakes or now.currency != then.currency:
        return ()
    written, names = money_format(then), now.names | then.names
    owed = {seat: then.balances.get(seat, 0) - now.balances.get(seat, 0) for seat in names}
    return tuple(
        f"{names[to]} takes {written.amount(amount)} from the pool"
        if payer == _POOL
        else f"{names[payer]} puts {written.amount(amount)} into the pool"
        if to == _POOL
        else f"{names[payer]} gives {names[to]} {written.amount(amount)}"
        for payer, to, amount in settlement(owed | {_POOL: then.pool - now.pool})
    )


def why_nothing(game: Game) -> str:
    """Return why nobody has to pay anybody now; empty if somebody does, and in a game without money."""
    if not game.stakes:
        return ""
    if not game.is_on_account:
        left = "only the pool is left to share out" if game.pool or game.shares else "nothing is left to settle"
        return f"Cash was paid after each hand: {left}."
    if not game.finish:
        return "The game is still on: you settle up at the end."
    if game.payments:
        return ""
    is_paid = any(movement.why == "paid" for movement in game.movements)
    return "Nobody owes anything any more." if is_paid else "Nobody owes anything."


def settlement_lines(game: Game, *, only_open: bool = False) -> Iterator[str]:
    """Yield who paid whom (unless `only_open`) and who still pays whom, or why nobody does."""
    for payment in payments_of(game):
        if not (only_open and payment.is_paid):
            yield f"{payment.words} {payment.amount}{' ✓' if payment.is_paid else ''}"
    if why := why_nothing(game):
        yield why


def pool_goes(game: Game) -> str:
    """Return what became of the pool of a game that is over, within a sentence."""
    way = game.finish.pool if game.finish else ""
    return "the pool shared by the rules" if way == "winners" else called("pools", way, "fact")


def pool_words(game: Game) -> str:
    """Return what is in the pool or, at the end, who got it; empty if there is no pool."""
    if not game.stakes:
        return ""
    written = money_format(game)
    if not game.finish:
        return f"In the pool: {written.amount(game.pool)}" if game.pool else ""
    shares = [(game.name(seat), written.amount(amount)) for seat, amount in game.shares.items() if amount]
    if not shares:
        return ""
    in_pool = written.amount(sum(game.shares.values()))
    parts = ", ".join(f"{name} {amount}" for name, amount in shares)
    words = f"The pool of {in_pool} is already included: {parts}."
    return " ".join(filter(None, (words, _why_shared(game))))


def _why_shared(game: Game) -> str:
    """Return which losers get a part of the pool, and how much; empty if the rules give them nothing."""
    variant, split = game.variant, game.split
    if not split or not split.others:
        return ""
    reasons = {
        "under": "{percent}% of it is for those under {n} points{out}.",
        "behind": "{percent}% of it is for those at most {n} points behind the winner{out}.",
    }
    out = ", knocked out or not" if split.out_of(game.players) else ""
    facts = {"percent": variant.pool_others_percent, "n": variant.pool_others_limit, "out": out}
    return reasons[variant.pool_others].format_map(facts)
