"""Money in words: what each amount is made of, how the pool was shared, and who pays whom."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from app.history.formats import money_format, plural
from app.history.phrases import names_of
from app.history.record import CALL_UPS, History
from app.kalooki.game.apply import if_ended
from app.kalooki.game.events import Hand, Paid, Penalty, Ruling
from app.kalooki.game.play import Game
from app.kalooki.game.state import Split
from app.kalooki.money import CARRIED, INTO_POOL, Payment, Posting, paid_in, settlement
from app.kalooki.rules.wording import called

_RULES = {
    "call-up": "call-up",
    "kalooki": "kalooki-effect",
    "initial-stake": "pool-stake",
    "buy-in": "buy-in",
    "pool": "pool",
    "refund": "breaking-off",
    "penalty": "penalty",
}
"""The rule that says why money moved."""


class AccountItem(NamedTuple):
    """One movement of a player's money in minor units: in which hand (0 between hands), why, and by which rule.

    `more` says from whom or to whom, if `why` alone does not.
    """

    number: int
    why: str
    rule: str
    more: str
    amount: int


class Account(NamedTuple):
    """What a player's balance is made of: amounts won and lost, then cash paid and received."""

    won: tuple[AccountItem, ...]
    cash: tuple[AccountItem, ...]

    @property
    def won_in_all(self) -> int:
        return sum(movement.amount for movement in self.won)

    @property
    def balance(self) -> int:
        return self.won_in_all + sum(movement.amount for movement in self.cash)


def account(history: History, seat: int) -> Account:
    """Return all movements of one player's money, in the order they happened."""
    game, hands = history.game, {hand.entry: hand for hand in history.game.hands}
    won, cash = list[AccountItem](), list[AccountItem]()
    for posting in (each for each in game.postings if each.seat == seat):
        hand = hands.get(posting.entry)
        more = _more(history, posting)
        if hand and posting.why in CALL_UPS:  # paid to the winner of the hand, or by its losers
            losers = hand.event.left if isinstance(hand.event, Hand) else ()
            is_loser = hand.winner and seat != hand.winner
            more = f"to {game.name(hand.winner or 0)}" if is_loser else f"from {names_of(game, losers)}"
        is_ended_early = posting.why == "pool" and game.is_ended_early
        rule = "breaking-off" if is_ended_early else _RULES.get(posting.why, "")
        item = AccountItem(hand.number if hand else 0, _kind(posting), rule, more, posting.amount)
        (cash if posting.why == "paid" else won).append(item)
    return Account(tuple(won), tuple(cash))


def _kind(posting: Posting) -> str:
    return called("postings", posting.why, "one")


def _more(history: History, posting: Posting) -> str:
    """Return whom somebody paid in cash, or why there was a penalty."""
    event = history.effective.get(posting.entry)
    if isinstance(event, Paid):
        name = history.game.name
        return f"paid to {name(event.to)}" if posting.amount > 0 else f"received from {name(event.payer)}"
    if posting.why != "penalty" or not isinstance(event, (Penalty, Ruling)):
        return ""
    return event.reason if isinstance(event, Penalty) else event.note


class PoolPayment(NamedTuple):
    """What a player paid into the pool, and for what."""

    name: str
    why: str
    more: str
    amount: int


def pool_payments(history: History) -> tuple[PoolPayment, ...]:
    """Return everything paid into the pool, in the order it came."""
    into = (posting for posting in history.game.postings if posting.why in INTO_POOL | {CARRIED})
    return tuple(
        PoolPayment(history.game.name(each.seat), _kind(each), _more(history, each), -each.amount) for each in into
    )


class Phrase(NamedTuple):
    """A part of a sentence, and the slug of the rule behind it; empty for none."""

    text: str
    rule: str = ""


def describe_split(game: Game) -> Iterator[tuple[Phrase, ...]]:
    """Yield how the pool was shared out, a sentence at a time; nothing before the game ends."""
    split, finish = game.split, game.finish
    if not split or not finish:
        return
    if not split.main:
        is_stopped = finish.pool == "refund"
        why = "The table ended the game early" if is_stopped else "Nobody who paid in is left to win it"
        yield (Phrase(f"{why}: everybody got back what they had paid in.", "breaking-off"),)
        return
    if finish.pool in _ENDED_EARLY:
        yield (Phrase(_ENDED_EARLY[finish.pool], "breaking-off"),)
    if game.winners and not {*split.main} <= {*game.winners}:
        yield (Phrase("No winner had paid into it, so it goes to the best-placed player who had."),)
    if split.others:
        yield _share_of_others(game, split)
    if out := split.out_of(game.players):
        share = plural("is out of the game but shares", "are out of the game but share", len(out))
        yield (Phrase(f"{names_of(game, out)} {share} too:"), _ONLY_POINTS)
    yield _share_of_winners(game, split)


_ONLY_POINTS = Phrase("by common practice, only points count.", "score-when-out")
_ENDED_EARLY = {
    "equal": "The table ended the game early and shared it equally among the players still in.",
    "leader": "The table ended the game early and gave it to the leader.",
}


def _share_of_others(game: Game, split: Split) -> tuple[Phrase, ...]:
    percent = game.variant.pool_others_percent
    part = money_format(game).amount(game.shares.get(split.others[0], 0))
    who = names_of(game, split.others)
    if len(split.others) == 1:
        shares: tuple[Phrase, ...] = (Phrase(f"{percent}% of it:", "pool"), Phrase(f"{who} {part}."))
    else:
        equally = Phrase("in equal parts:", "pool-equal-shares")
        shares = (Phrase(f"{percent}% of it", "pool"), equally, Phrase(f"{who}, each {part}."))
    is_rounded = split.pool * percent % (100 * len(split.others))
    return (*shares, Phrase("Rounded down; the rest stays with the winner.", "odd-coins")) if is_rounded else shares


def _share_of_winners(game: Game, split: Split) -> tuple[Phrase, ...]:
    variant = game.variant
    if len(split.main) == 1 and not split.others and not game.is_ended_early:  # the heading says who gets it
        return (Phrase("Only the winner gets a part.", "pool-nobody-shares"),) if variant.pool_others != "none" else ()
    rest = split.pool - len(split.others) * (game.shares.get(split.others[0], 0) if split.others else 0)
    rule = "" if game.is_ended_early else "pool-nobody-shares" if variant.pool_others != "none" else "pool"
    first = Phrase("The rest:") if split.others else Phrase("All of it:", rule)
    who = f"{names_of(game, split.main)}, {money_format(game).amount(rest)}"
    odd = rest % len(split.main)
    if len(split.main) == 1 or not odd:
        return (first, Phrase(f"{who}." if len(split.main) == 1 else f"{who} in equal parts."))
    return (
        first,
        Phrase(f"{who} in equal parts;"),
        Phrase(
            plural("the odd coin goes to", "the odd coins go one each to", odd),
            "breaking-off" if game.is_ended_early else "odd-coins",
        ),
        Phrase(f"{names_of(game, split.main[:odd])}, in seat order."),
    )


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


class PaymentRow(NamedTuple):
    """A payment in minor units, and the entry that recorded it; None while it is open."""

    payer: int
    to: int
    amount: int
    entry: int | None = None


def payment_rows(history: History) -> list[PaymentRow]:
    """Return open payments and those already made, in an order that recording one does not change."""
    counting = ((number, event) for number, event in history.effective.items() if number not in history.faults)
    paid = [PaymentRow(each.payer, each.to, each.amount, number) for number, each in counting if isinstance(each, Paid)]
    still_open = [PaymentRow(*payment) for payment in history.game.payments]
    return sorted([*paid, *still_open], key=lambda row: row[:3])


class LeftOpen(NamedTuple):
    """What a player who left early still owes or is owed, in words, and the payment that settles it, if any."""

    words: str
    payment: Payment | None


def left_open(game: Game) -> Iterator[LeftOpen]:
    """Yield what those who left a game in play owe now or are owed; the pool keeps what they paid in."""
    if game.finish or not game.is_on_account or not game.playing:
        return
    would_get = if_ended(game).balances
    here = sorted((player.seat for player in game.playing), key=would_get.__getitem__)
    for seat in (player.seat for player in game.players.values() if player.has_left):
        amount = game.balances[seat]
        if not amount and not would_get[seat]:
            continue
        words, payment = left_words(game, seat), None
        if would_get[seat] != amount:
            words += f" Then {game.name(seat)} {_owing(game, would_get[seat])}, as below."
        if amount < 0:
            payment = Payment(seat, here[-1], -amount)
            words += f" {game.name(here[-1])} would get the most now, and can take it for the table."
        elif amount > 0:
            payment = Payment(here[0], seat, amount)
            words += f" {game.name(here[0])} would pay the most now, and can pay it for the table."
        yield LeftOpen(words, payment)


def left_words(game: Game, seat: int) -> str:
    """Return what a player who leaves owes or is owed; empty if nothing is settled at the end."""
    if not game.is_on_account or game.finish:
        return ""
    amount, in_pool = game.balances[seat], paid_in(game.movements).get(seat, 0)
    won, cash = game.won[seat] + in_pool, amount - game.won[seat]
    written = money_format(game).amount
    parts = [f"{'won' if won > 0 else 'lost'} {written(abs(won))}"] if won else []
    if cash:
        parts.append(f"{'paid' if cash > 0 else 'received'} {written(abs(cash))}")
    if in_pool:
        parts.append(f"{('but ' if won > 0 else 'and ') if parts else ''}{written(in_pool)} stays in the pool")
    made_of = f": {', '.join(parts)}" if parts else ""
    open_now = _owing(game, amount)
    return f"{game.name(seat)} {open_now}{made_of}. The pool keeps what was paid in, unless the game ends early."


def _owing(game: Game, amount: int) -> str:
    """Return what an open amount means: “owes €0.60”."""
    written = money_format(game).amount(abs(amount))
    return f"owes {written}" if amount < 0 else f"is owed {written}" if amount else "owes nothing"


def received_words(game: Game, paid: Paid) -> str:
    """Return what a payment does, before the balances: “Ann has had £0.50 from Ben.”."""
    amount = money_format(game).amount(paid.amount)
    had = f"{game.name(paid.to)} has had {amount} from {game.name(paid.payer)}."
    left = [left_words(game, seat) for seat in (paid.payer, paid.to) if game.players[seat].has_left]
    balances = "Their balances now:" if game.finish else "If the game ended now:"
    return " ".join(filter(None, [had, *left, balances]))


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


def pool_line(game: Game) -> str:
    """Return what the pool holds or held, and who got all of it: “Pool: €2.50, to Ann”."""
    amount = money_format(game).amount(game.pool + sum(game.shares.values()))
    return f"Pool: {amount}, to {game.name(*game.shares)}" if len(game.shares) == 1 else f"Pool: {amount}"


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
