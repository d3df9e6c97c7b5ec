"""Money and points as sheets write them."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from app.i18n import gettext
from app.kalooki.game.play import Game
from app.kalooki.money import Currency, sign
from app.kalooki.rules.wording import called
from app.kalooki.variants import STAKES


def whole(number: int, *, plus: bool = False) -> str:
    """A whole number with a real minus sign, so that columns line up.

    >>> whole(163), whole(-20), whole(25, plus=True)
    ('163', '−20', '+25')
    """
    return f"{sign(number, plus=plus)}{abs(number)}"


def exact(game: Game, units: int) -> Decimal:
    """An amount of a game as a number for spreadsheets, with the digits of its currency."""
    return Decimal(units).scaleb(-game.currency.decimals)


def stakes_words(stakes: Mapping[str, Any]) -> str:
    """The stakes a table plays for, without those that are zero.

    >>> stakes_words({"currency": "EUR", "call_up": 10, "kalooki": 0, "initial": 50})
    'call-up 0.10, stake 0.50 EUR'
    """
    currency = Currency.of(stakes)
    told = [
        f"{called('stakes', name, 'brief', gettext)} {currency.written(stakes[name])}"
        for name in STAKES
        if stakes.get(name)
    ]
    return f"{', '.join(told)} {currency}"


def stakes_by_value(stakes: Mapping[str, Any] | None) -> dict[str, str]:
    """A table's stakes by the variant's keys, to replace its units when rules are put into words; empty without stakes.

    >>> told = stakes_by_value({"currency": "GBP", "call_up": 20, "kalooki": 100, "initial": 200, "buy_in": 500})
    >>> told["stake_kalooki"], stakes_by_value(None)
    ('1.00 GBP', {})
    """
    return {f"stake_{name}": Currency.of(stakes).amount(stakes[name]) for name in STAKES} if stakes else {}
