"""Where money comes from and goes to: what each player's amounts are made of, and how the pool was shared out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from app.history.formats import money_format
from app.history.gains import CALL_UPS
from app.history.phrases import names_of
from app.history.plurals import plural
from app.history.record import History
from app.kalooki.game.events import Hand, Paid, Penalty, Ruling
from app.kalooki.game.play import Game
from app.kalooki.game.state import PlayedHand, Split
from app.kalooki.money import CARRIED, INTO_POOL, Posting
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
_EXPLAINED = {
    "call-up": "what each loser pays the winner of a hand",
    "kalooki": "paid instead of the call-up for a Kalooki",
    "initial-stake": "what everybody put into the pool at the start",
    "buy-in": "what it cost to come back into the game",
}
"""Explanations of words that newcomers may not know."""


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
    hands = {hand.entry: hand for hand in history.game.hands}
    won, cash = list[AccountItem](), list[AccountItem]()
    for posting in history.game.postings:
        if posting.seat == seat:
            (cash if posting.why == "paid" else won).append(_movement(history, posting, hands.get(posting.entry)))
    return Account(tuple(won), tuple(cash))


def _movement(history: History, posting: Posting, hand: PlayedHand | None) -> AccountItem:
    is_ended_early = posting.why == "pool" and history.game.is_ended_early
    more = _of_call_up(history.game, posting, hand) if hand and posting.why in CALL_UPS else _more(history, posting)
    return AccountItem(
        number=hand.number if hand else 0,
        why=_kind(posting),
        rule="breaking-off" if is_ended_early else _RULES.get(posting.why, ""),
        more=more,
        amount=posting.amount,
    )


def _kind(posting: Posting) -> str:
    return called("postings", posting.why, "one")


def _of_call_up(game: Game, posting: Posting, hand: PlayedHand) -> str:
    """Return who paid the winner of a hand, or whom a loser paid."""
    if hand.winner and posting.seat != hand.winner:
        return f"to {game.name(hand.winner)}"
    losers = hand.event.left if isinstance(hand.event, Hand) else ()
    return f"from {names_of(game, losers)}"


def _more(history: History, posting: Posting) -> str:
    """Return whom somebody paid in cash, or why there was a penalty."""
    event = history.effective.get(posting.entry)
    if isinstance(event, Paid):
        name = history.game.name
        return f"paid to {name(event.to)}" if posting.amount > 0 else f"received from {name(event.payer)}"
    if posting.why != "penalty" or not isinstance(event, (Penalty, Ruling)):
        return ""
    return event.reason if isinstance(event, Penalty) else event.note


def explain_postings(game: Game) -> Iterator[str]:
    """Yield a sentence for each kind of posting in a game that newcomers may not know."""
    used = {posting.why for posting in game.postings}
    for why, words in _EXPLAINED.items():
        if why in used:
            yield f"{called('postings', why, 'one')}: {words}."


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
