"""Money and points as sheets write them."""

from __future__ import annotations

MINUS = "\u2212"


def money(units: int, *, plus: bool = False) -> str:
    """Minor units as an amount; `plus` writes the sign of a gain too.

    >>> money(1200), money(-5), money(30, plus=True), money(0, plus=True)
    ('12.00', '−0.05', '+0.30', '0.00')
    """
    whole, cents = divmod(abs(units), 100)
    return f"{_sign(units, plus=plus)}{whole}.{cents:02}"


def whole(number: int, *, plus: bool = False) -> str:
    """A whole number with a real minus, so that columns line up.

    >>> whole(163), whole(-20), whole(25, plus=True)
    ('163', '−20', '+25')
    """
    return f"{_sign(number, plus=plus)}{abs(number)}"


def _sign(number: int, *, plus: bool) -> str:
    if number < 0:
        return MINUS
    return "+" if plus and number else ""
