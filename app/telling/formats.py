"""Amounts and days as the region of a table writes them, and amounts as people type them there.

A region is a territory of ISO 3166 such as GB; an empty or unknown one writes as `en` does.
"""

from __future__ import annotations

from copy import copy
from datetime import date
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple
from unicodedata import category

from babel import Locale, localedata
from babel.core import get_global
from babel.dates import format_date
from babel.numbers import NumberPattern, get_territory_currencies

from app.kalooki.game.state import Game
from app.kalooki.money import Currency, sign

_TERRITORIES, _ALIASES = get_global("zone_territories"), get_global("zone_aliases")
_SIGNS = {"JMD": "J$", "TTD": "TT$"}
"""How the islands write their dollars; Babel has the bare sign at home and the code elsewhere."""
_LETTER_SIGNS = frozenset({"R"})
"""Signs of money that are a letter."""
_NO_BREAK = "\N{NO-BREAK SPACE}"


def territory_of(zone: str) -> str:
    """Return the territory of a time zone; empty for none, as of UTC.

    >>> territory_of("Europe/London"), territory_of("Asia/Calcutta"), territory_of("Etc/UTC"), territory_of("")
    ('GB', 'IN', '', '')
    """
    found: str = _TERRITORIES.get(_ALIASES.get(zone, zone), "")
    return found if found not in ("ZZ", "001") else ""


def region_of(game: Game) -> str:
    """Return the region of a game's table; a game without one, as before 1.0, has that of its time zone."""
    return game.region or territory_of(game.zone)


def currency_of(region: str) -> str:
    """Return the currency that is tender in a region; empty if unknown.

    >>> currency_of("GB"), currency_of("JM"), currency_of("")
    ('GBP', 'JMD', '')
    """
    return next(iter(get_territory_currencies(region)), "") if region else ""


@lru_cache(maxsize=256)
def _locale(region: str) -> Locale:
    name = f"en_{region}"
    return Locale.parse(name if region and localedata.exists(name) else "en")


class MoneyFormat(NamedTuple):
    """How a table writes its amounts: what they are counted in, and its region."""

    currency: Currency
    region: str = ""

    def amount(self, units: int, *, plus: bool = False) -> str:
        return write_amount(units, self.currency, self.region, plus=plus)

    def number(self, units: int, *, plus: bool = False) -> str:
        """Return the amount without its currency, for columns that name it."""
        return write_amount(units, self.currency, self.region, plus=plus, is_named=False)


def money_format(game: Game) -> MoneyFormat:
    """Return how a game's amounts are written."""
    return MoneyFormat(game.currency, region_of(game))


@lru_cache(maxsize=8192)
def write_amount(units: int, currency: Currency, region: str = "", *, plus: bool = False, is_named: bool = True) -> str:
    """Return minor units as an amount of the region; `plus` also signs a gain.

    >>> pound, rand, beans = Currency("GBP"), Currency("ZAR"), Currency("Beans")
    >>> write_amount(123450, pound, "GB"), write_amount(-250, pound, "GB"), write_amount(250, rand, "ZA", plus=True)
    ('£1,234.50', '−£2.50', '+R2,50')
    >>> write_amount(250, Currency("JPY"), "JP"), write_amount(250, Currency("JPY", 0), "JP")
    ('¥2.50', '¥250')
    >>> write_amount(250, Currency("JMD"), "JM"), write_amount(10000, Currency("USD"), "US")
    ('J$2.50', '$100.00')
    >>> write_amount(250, beans, "GB"), write_amount(250, beans, "ZA"), write_amount(250, rand, "ZA", is_named=False)
    ('2.50 Beans', '2,50 Beans', '2,50')
    """
    locale, char = _locale(region), _sign_of(currency.name, region) if is_named else ""
    pattern = _pattern(region, currency.decimals, is_money=bool(char))
    value = Decimal(abs(units)).scaleb(-currency.decimals)
    text = pattern.apply(value, locale, currency=char, currency_digits=False)
    name = f" {currency.name}" if is_named and currency.name and not char else ""
    return f"{sign(units, plus=plus)}{text}{name}"


@lru_cache(maxsize=1024)
def _pattern(region: str, decimals: int, *, is_money: bool) -> NumberPattern:
    """Return how the region writes a number, or an amount of a currency, with so many decimals."""
    locale = _locale(region)
    pattern: NumberPattern = copy(locale.currency_formats["standard"] if is_money else locale.decimal_formats[None])
    pattern.frac_prec = (decimals, decimals)
    return pattern


@lru_cache(maxsize=1024)
def _sign_of(name: str, region: str) -> str:
    """Return what stands beside an amount of a currency of the world; empty for a table's own currency."""
    locale, code = _locale(region), name.upper()
    if code not in locale.currencies:
        return name if name in _LETTER_SIGNS or (name and category(name[-1]) == "Sc") else ""
    char: str = _SIGNS.get(code) or locale.currency_symbols.get(code, code)
    is_beside = "¤#" in locale.currency_formats["standard"].pattern
    return f"{char}{_NO_BREAK}" if char == code and is_beside else char


@lru_cache(maxsize=1024)
def write_day(day: str, region: str = "", today: str = "") -> str:
    """Return a day, or a day and its time, as people say it; any other text unchanged.

    The year is left out where it is that of `today`.

    >>> write_day("2026-11-26", "GB", "2026-12-01"), write_day("2026-11-26", "GB", "2027-01-01"), write_day("long ago")
    ('Thu 26 Nov', 'Thu 26 Nov 2026', 'long ago')
    >>> write_day("2026-11-26 20:15", "ZA")
    'Thu 26 Nov 2026 20:15'
    """
    try:
        read = date.fromisoformat(day[:10])
    except ValueError:
        return day
    year = "" if day[:4] == today[:4] else " y"
    return format_date(read, f"EEE d MMM{year}", locale=_locale(region)) + day[10:]
