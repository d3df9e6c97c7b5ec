"""Money: postings, the pool, and the fewest payments that settle a table."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.kalooki.money import (
    Currency,
    Movement,
    Payment,
    Posting,
    balances,
    paid_in,
    pool,
    postings,
    settlement,
    split_equally,
    split_pool,
)
from tests.slow_club import fewest

BALANCES = st.lists(st.integers(-6, 6).map(lambda amount: amount * 10), min_size=1, max_size=5).map(
    lambda amounts: dict(enumerate([*amounts, -sum(amounts)], 1))
)


def test_balances_and_pool_add_up_the_movements():
    movements = [
        Movement(1, "initial-stake", {1: -50, 2: -50}),
        Movement(2, "call-up", {2: -10, 1: 10}),
        Movement(3, "penalty", {2: -5, 1: 0}),
    ]

    assert balances(movements) == {1: -40, 2: -65}
    assert pool(movements) == 105
    assert paid_in(movements) == {1: 50, 2: 55}
    assert postings(movements)[2:] == [
        Posting(2, 1, 10, "call-up"),
        Posting(2, 2, -10, "call-up"),
        Posting(3, 2, -5, "penalty"),
    ]


@pytest.mark.parametrize(
    ("amount", "seats", "parts"),
    [(100, [1, 2, 4], {1: 34, 2: 33, 4: 33}), (5, [3, 1], {1: 3, 3: 2}), (0, [2], {2: 0})],
)
def test_odd_cents_go_one_each_in_seat_order(amount, seats, parts):
    assert split_equally(amount, seats) == parts


@pytest.mark.parametrize(
    ("amount", "winners", "others", "shares"),
    [
        (200, [1], [2, 3], {1: 150, 2: 25, 3: 25}),
        (250, [1], [2, 3], {1: 188, 2: 31, 3: 31}),  # 62.5 rounds down to 31 each, the winner gets the rest
        (200, [1], [], {1: 200}),  # nobody qualifies
        (150, [1, 3], [2], {1: 57, 3: 56, 2: 37}),  # a quarter is 37, the odd cent of 113 goes to seat 1
    ],
)
def test_losers_share_a_quarter_of_the_pool_and_the_winner_gets_the_rest(amount, winners, others, shares):
    assert split_pool(amount, winners, others, percent=25) == shares


def test_everybody_pays_the_only_winner():
    assert settlement({1: 30, 2: -10, 3: -20, 4: 0}) == [Payment(2, 1, 10), Payment(3, 1, 20)]


def test_two_pairs_settle_in_two_payments():
    # 1 owes 3, and 2 owes 4: nobody needs a third payment
    assert settlement({1: -50, 2: -30, 3: 50, 4: 30}) == [Payment(1, 3, 50), Payment(2, 4, 30)]


def test_without_debts_there_are_no_payments():
    assert settlement({1: 0, 2: 0}) == []


@given(BALANCES)
def test_the_settlement_clears_every_balance_with_the_fewest_payments(owed):
    payments = settlement(owed)
    left = dict(owed)
    for payer, to, amount in payments:
        assert amount > 0
        assert owed[payer] < 0 < owed[to]
        left[payer] += amount
        left[to] -= amount

    assert not any(left.values())
    assert len(payments) == fewest([amount for amount in owed.values() if amount])


@given(BALANCES)
def test_making_one_payment_changes_no_other(owed):
    payments = settlement(owed)
    for paid in payments:
        after = dict(owed)
        after[paid.payer] += paid.amount
        after[paid.to] -= paid.amount
        assert settlement(after) == [payment for payment in payments if payment != paid]


def test_too_many_balances_to_search_are_settled_in_seat_order():
    """With thirteen open balances, no group is split into smaller ones with sum zero."""
    owed = {1: -15, 2: -100} | dict.fromkeys(range(3, 14), 10) | {14: 5}
    assert settlement(owed) == [
        (1, 3, 10), (1, 4, 5), (2, 4, 5),
        *((2, seat, 10) for seat in range(5, 14)), (2, 14, 5),
    ]  # fmt: skip


@settings(max_examples=10)
@given(st.lists(st.integers(-500, 500), min_size=20, max_size=30))
def test_a_very_large_group_is_settled(amounts):
    owed = dict(enumerate([*amounts, -sum(amounts)], 1))
    for payer, to, amount in settlement(owed):
        owed[payer] += amount
        owed[to] -= amount

    assert not any(owed.values())


# ---- The currency's own decimals


def test_a_currency_states_its_decimals_unless_there_are_two():
    assert Currency("JPY", 0).stated == {"currency": "JPY", "decimals": 0}
    assert Currency("EUR").stated == {"currency": "EUR"}
    assert Currency("KWD", 3).stated == {"currency": "KWD", "decimals": 3}
