"""Money in whole minor units: movements, balances, the pool, and the payments that settle a game.

The pool holds the money paid in, so the balances of all seats and the pool always add up to zero.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

MINUS = "\u2212"
"""A minus sign as wide as a plus sign, so that columns stay aligned."""


_NO_DECIMALS = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF YEN WON"
_THREE_DECIMALS = "BHD IQD JOD KWD LYD OMR TND"
UNUSUAL_DECIMALS = dict.fromkeys(_NO_DECIMALS.split(), 0) | dict.fromkeys(_THREE_DECIMALS.split(), 3)
"""The decimals of currencies that do not have two (ISO 4217), with "yen" and "won" as players write them."""


class Currency(NamedTuple):
    """A currency, by the name the table gives it, and the number of decimals in an amount."""

    name: str = ""
    decimals: int = 2

    @classmethod
    def called(cls, name: str) -> Currency:
        """Return the currency of that name with its usual decimals, for a new game.

        >>> Currency.called("eur").decimals, Currency.called("JPY").decimals, Currency.called("kwd").decimals
        (2, 0, 3)
        """
        return cls(name, UNUSUAL_DECIMALS.get(name.strip().upper(), 2))

    @classmethod
    def of(cls, stakes: Mapping[str, Any] | None) -> Currency:
        """Return the currency of a game's stakes, or one without a name if the game has no stakes."""
        return cls(stakes["currency"], stakes.get("decimals", 2)) if stakes else cls()

    @property
    def stated(self) -> dict[str, Any]:
        """The currency as a game's stakes have it in JSON, with `decimals` only if there are not two."""
        return {"currency": self.name} | ({} if self.decimals == 2 else {"decimals": self.decimals})

    def __str__(self) -> str:
        return self.name


def sign(number: int, *, plus: bool = False) -> str:
    """Return the sign to write before a number: a minus, nothing, or with `plus` a plus if it is positive.

    >>> sign(-3), sign(3), sign(3, plus=True), sign(0, plus=True)
    ('−', '', '+', '')
    """
    if number < 0:
        return MINUS
    return "+" if plus and number else ""


class Movement(NamedTuple):
    """Money moved by one entry for one reason: what each seat received (negative if paid), in minor units."""

    entry: int
    why: str
    amounts: Mapping[int, int]


class Posting(NamedTuple):
    """One seat's part of a movement: money received (positive) or paid (negative), in minor units."""

    entry: int
    seat: int
    amount: int
    why: str


class Payment(NamedTuple):
    """A payment from one seat to another, in minor units."""

    payer: int
    to: int
    amount: int


MAX_EXACT = 12
"""The most open balances for which the fewest payments are searched; with more, the search would take too long, so the
first debtor pays the first creditor until this many remain.
"""

INTO_POOL = frozenset({"initial-stake", "buy-in", "penalty"})
OUT_OF_POOL = frozenset({"pool", "refund"})
CARRIED = "carried"
"""The balances of a game begun on paper; the pool holds the amount that brings their sum to zero."""


def postings(movements: Iterable[Movement]) -> list[Posting]:
    """Return the postings of these movements, each movement by seat, without zero amounts."""
    return [
        Posting(entry, seat, amount, why)
        for entry, why, amounts in movements
        for seat, amount in sorted(amounts.items())
        if amount
    ]


def balances(movements: Iterable[Movement]) -> dict[int, int]:
    """Return what the table owes each seat, negative if the seat owes the table (minor units)."""
    sums: Counter[int] = Counter()
    for movement in movements:
        sums.update(movement.amounts)
    return dict(sums)


def pool(movements: Iterable[Movement]) -> int:
    """Return the amount in the pool (minor units)."""
    return -sum(sum(amounts.values()) for _, why, amounts in movements if why in INTO_POOL | OUT_OF_POOL | {CARRIED})


def paid_in(movements: Iterable[Movement]) -> dict[int, int]:
    """Return the amount each seat has paid into the pool, without seats that paid nothing (minor units)."""
    received = balances(movement for movement in movements if movement.why in INTO_POOL)
    return {seat: -amount for seat, amount in received.items() if amount}


def split_equally(amount: int, seats: Sequence[int]) -> dict[int, int]:
    """Return an amount split equally among seats; the lowest seats get one odd unit each.

    >>> split_equally(100, [1, 2, 4])
    {1: 34, 2: 33, 4: 33}
    """
    part, odd = divmod(amount, len(seats))
    return {seat: part + (place < odd) for place, seat in enumerate(sorted(seats))}


def split_pool(amount: int, winners: Sequence[int], others: Sequence[int], percent: int) -> dict[int, int]:
    """Split the pool: `others` share `percent` equally, rounded down; `winners` share the rest (rule `pool`).

    >>> split_pool(250, winners=[1], others=[2, 3], percent=25)
    {1: 188, 2: 31, 3: 31}
    """
    part = amount * percent // (100 * len(others)) if others else 0
    rest = split_equally(amount - part * len(others), winners)
    return rest | dict.fromkeys(others, part)


def settlement(owed: Mapping[int, int]) -> list[Payment]:
    """Return the fewest payments that clear all balances (minor units), sorted by payer.

    Of all shortest settlements in which only debtors pay and only creditors receive, this is the first by payer,
    receiver and falling amount. Once one of its payments is made, the others are still the first settlement of the
    remaining balances, so paying in any order never changes the rest.

    >>> settlement({1: 30, 2: -10, 3: -20})
    [Payment(payer=2, to=1, amount=10), Payment(payer=3, to=1, amount=20)]
    """
    open_balances = {seat: amount for seat, amount in sorted(owed.items()) if amount}
    payments = []
    while open_balances:
        payment = _first_payment(open_balances)
        payments.append(payment)
        open_balances[payment.payer] += payment.amount
        open_balances[payment.to] -= payment.amount
        open_balances = {seat: amount for seat, amount in open_balances.items() if amount}
    return sorted(payments)


def _first_payment(owed: Mapping[int, int]) -> Payment:
    """Return the first payment of the first shortest settlement.

    A shortest settlement splits the balances into as many groups with sum zero as possible. Within a group, a payment
    separates the payer's side from the receiver's side, and moves the total that the payer's side owes.
    """
    seats, amounts = list(owed), list(owed.values())
    payer = next(i for i, amount in enumerate(amounts) if amount < 0)
    if len(seats) > MAX_EXACT:
        to = next(i for i, amount in enumerate(amounts) if amount > 0)
        return Payment(seats[payer], seats[to], min(-amounts[payer], amounts[to]))
    sums = [sum(amounts[i] for i in _members(side)) for side in range(1 << len(seats))]
    candidates = [
        (to, sums[side])
        for group in _groups(sums, len(seats))
        for side in _subsets(group)
        for to in _members(group & ~side)
        if side >> payer & 1 and max(amounts[payer], -amounts[to]) <= sums[side] < 0
    ]
    to, owed_by_side = min(candidates)
    return Payment(seats[payer], seats[to], -owed_by_side)


def _groups(sums: Sequence[int], count: int) -> Iterator[int]:
    """Yield, as bit masks, the sets of players that can be one group of a split into the most groups with sum zero."""
    best = [0] * (1 << count)
    for side in range(1, 1 << count):
        best[side] = max(best[side & ~(1 << i)] for i in _members(side)) + (sums[side] == 0)
    everybody = (1 << count) - 1
    for side in range(1, 1 << count):
        if sums[side] == 0 and best[everybody & ~side] + 1 == best[everybody]:
            yield side


def _members(mask: int) -> Iterator[int]:
    return (i for i in range(mask.bit_length()) if mask >> i & 1)


def _subsets(mask: int) -> Iterator[int]:
    side = mask
    while side:
        yield side
        side = (side - 1) & mask
