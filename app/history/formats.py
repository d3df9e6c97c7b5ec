"""Write amounts and days as the region of a table does, and read amounts as people type them there."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from copy import copy
from datetime import date
from decimal import Decimal
from functools import lru_cache
from typing import Any, NamedTuple
from unicodedata import category

from babel import Locale, UnknownLocaleError, localedata
from babel.core import get_global
from babel.dates import format_date
from babel.languages import get_territory_language_info
from babel.numbers import NumberFormatError, NumberPattern, get_territory_currencies, parse_decimal

from app.kalooki.faults import Fault
from app.kalooki.game.state import Game
from app.kalooki.money import Currency, sign
from app.kalooki.points import in_plain_digits


def plural(one: str, many: str, count: int) -> str:
    """Return the singular if `count` is 1, otherwise the plural.

    >>> plural("one card", "several cards", 2)
    'several cards'
    """
    return one if count == 1 else many


def times(count: int) -> str:
    """Return how often something happened.

    >>> times(1), times(2), times(3)
    ('once', 'twice', '3 times')
    """
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


def number_of(count: int, word: str) -> str:
    """Return a count with its noun.

    >>> number_of(1, "hand"), number_of(3, "buy-in")
    ('1 hand', '3 buy-ins')
    """
    return f"{count} {plural(word, f'{word}s', count)}"


_TERRITORIES, _ALIASES = get_global("zone_territories"), get_global("zone_aliases")
_SIGNS = {"JMD": "J$", "TTD": "TT$"}
"""How Jamaica and Trinidad write their dollars; Babel has the bare sign at home and the code elsewhere."""
_LETTER_SIGNS = frozenset({"R"})
"""Currency signs that are a letter."""
_NO_BREAK = "\N{NO-BREAK SPACE}"


def territory_of(zone: str) -> str:
    """Return the territory of a time zone; empty if it has none, like UTC.

    >>> territory_of("Europe/London"), territory_of("Asia/Calcutta"), territory_of("Etc/UTC"), territory_of("")
    ('GB', 'IN', '', '')
    """
    territory: str = _TERRITORIES.get(_ALIASES.get(zone, zone), "")
    return territory if territory not in ("ZZ", "001") else ""


def region_of(game: Game) -> str:
    """Return the region of a game's table; a game recorded before 1.0 has none, and gets that of its time zone."""
    return game.region or territory_of(game.zone)


def currency_of(region: str) -> str:
    """Return the code of the currency used in a region; empty if unknown.

    >>> currency_of("GB"), currency_of("JM"), currency_of("")
    ('GBP', 'JMD', '')
    """
    return next(iter(get_territory_currencies(region)), "") if region else ""


@lru_cache(maxsize=256)
def _locale(region: str) -> Locale:
    name = f"en_{region}"
    return Locale.parse(name if region and localedata.exists(name) else "en")


class MoneyFormat(NamedTuple):
    """How a table writes its amounts: their currency, and its region."""

    currency: Currency
    region: str = ""

    def amount(self, units: int, *, plus: bool = False) -> str:
        return write_amount(units, self.currency, self.region, plus=plus)

    def brief(self, units: int) -> str:
        """Return an amount as people say it, so that less than a whole unit is in cents: 10c.

        >>> pound = MoneyFormat(Currency("GBP"), "GB")
        >>> pound.brief(50), pound.brief(200), MoneyFormat(Currency("JPY", 0), "JP").brief(50)
        ('50p', '£2.00', '¥50')
        """
        cent = _HUNDREDTHS.get(self.currency.name)
        return f"{units}{cent}" if cent and 0 < units < 100 and self.currency.decimals == 2 else self.amount(units)

    def number(self, units: int, *, plus: bool = False) -> str:
        """Return the amount without its currency, for columns that name it."""
        return write_amount(units, self.currency, self.region, plus=plus, is_named=False)

    @property
    def sign(self) -> str:
        """The currency sign written next to amounts; empty for a table's own currency."""
        return _sign_of(self.currency.name, self.region).strip()

    def plain(self, units: int) -> str:
        """Return the amount as shown in an input field: a number without thousands separators."""
        return write_amount(units, self.currency, self.region, is_named=False, is_grouped=False)


_HUNDREDTHS = {"AUD": "c", "CAD": "¢", "EUR": "c", "GBP": "p", "NZD": "c", "USD": "¢", "ZAR": "c"}
"""How a hundredth of a currency is written."""


def money_format(game: Game) -> MoneyFormat:
    """Return how a game's amounts are written."""
    return MoneyFormat(game.currency, region_of(game))


def with_amount(fault: Fault, game: Game) -> Fault:
    """Return the fault with its minor `units`, which come from the core, written as the `amount` its text needs."""
    units: Any = fault.facts.get("units")
    return fault if units is None else fault.with_facts(amount=money_format(game).amount(units))


@lru_cache(maxsize=8192)
def write_amount(
    units: int,
    currency: Currency,
    region: str = "",
    *,
    plus: bool = False,
    is_named: bool = True,
    is_grouped: bool = True,
) -> str:
    """Return minor units written as an amount in the region; with `plus`, a gain has a sign too.

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
    text = pattern.apply(value, locale, currency=char, currency_digits=False, group_separator=is_grouped)
    name = f" {currency.name}" if is_named and currency.name and not char else ""
    return f"{sign(units, plus=plus)}{text}{name}"


@lru_cache(maxsize=1024)
def _pattern(region: str, decimals: int, *, is_money: bool) -> NumberPattern:
    """Return how the region writes a number, or an amount of money, with that many decimals."""
    locale = _locale(region)
    pattern: NumberPattern = copy(locale.currency_formats["standard"] if is_money else locale.decimal_formats[None])
    pattern.frac_prec = (decimals, decimals)
    return pattern


@lru_cache(maxsize=1024)
def _sign_of(name: str, region: str) -> str:
    """Return the sign written next to an amount of a real currency; empty for a table's own currency."""
    locale, code = _locale(region), name.upper()
    if code not in locale.currencies:
        return name if name in _LETTER_SIGNS or (name and category(name[-1]) == "Sc") else ""
    char: str = _SIGNS.get(code) or locale.currency_symbols.get(code, code)
    is_beside = "¤#" in locale.currency_formats["standard"].pattern
    return f"{char}{_NO_BREAK}" if char == code and is_beside else char


OFFERED = ("EUR", "GBP", "USD", "JMD", "CAD", "ZAR", "CHF", "AUD", "JPY")
"""The currencies that pages offer."""


def show_currency(name: str, region: str) -> str:
    """Return the sign of a currency if it is unambiguous in the region, otherwise the name.

    >>> show_currency("GBP", "GB"), show_currency("USD", "GB"), show_currency("KWD", "GB"), show_currency("Beans", "")
    ('£', 'US$', 'KWD', 'Beans')
    """
    char = _sign_of(name, region).strip()
    return char if char and read_currency(char, region) == name else name


def read_currency(text: str, region: str) -> str:
    """Return the code of the currency whose sign or code this is in a region; other text, or a sign of several, as is.

    >>> read_currency("£", "GB"), read_currency("R", "ZA"), read_currency("$", "GB"), read_currency("eur", "")
    ('GBP', 'ZAR', '$', 'eur')
    >>> read_currency("¥", "JP"), read_currency("$", "MX"), read_currency("kr", "DK"), read_currency("Fr.", "CH")
    ('JPY', 'MXN', 'DKK', 'CHF')
    """
    currencies = currencies_with_sign(text, region)
    return currencies[0] if len(currencies) == 1 else text


def currencies_with_sign(text: str, region: str) -> tuple[str, ...]:
    """Return the currencies that have this sign: those of the region, else those offered, else any that are common.

    >>> currencies_with_sign("$", "JM"), currencies_with_sign("¥", "GB"), currencies_with_sign("beans", "GB")
    (('JMD',), ('JPY', 'CNY'), ())
    """
    char = _folded_sign(text)
    at_home = get_territory_currencies(region) if region else ()
    near = [code for code in at_home if char in _signs_at_home(code, region)]
    near = near or [code for code in sorted(OFFERED) if _folded_sign(_sign_of(code, region)) == char]
    return tuple(near) or _SHARED.get(char, ())


_SHARED = {
    "$": ("USD", "CAD", "AUD", "JMD"),
    "¥": ("JPY", "CNY"),
    "kr": ("SEK", "NOK", "DKK"),
    "rs": ("INR", "PKR", "LKR"),
}
"""Signs of several currencies, for regions where it is none of their own."""
_ALSO_WRITTEN = {
    "BHD": "BD", "CHF": "Fr SFr", "DKK": "kr", "EGP": "£ LE", "GHS": "₵", "INR": "Rs", "IQD": "ID", "ISK": "kr",
    "JOD": "JD", "JPY": "¥ 円", "KRW": "₩ 원", "KWD": "KD", "LBP": "£ LL", "LKR": "Rs", "MUR": "Rs", "NPR": "Rs",
    "OMR": "RO", "PKR": "Rs", "SDG": "£", "SYP": "£", "TND": "DT", "TRY": "TL", "XCD": "EC$",
}  # fmt: skip
"""What people write for their own currency and CLDR does not have."""


def _folded_sign(text: str) -> str:
    return in_plain_digits(text).casefold().removesuffix(".").strip()


@lru_cache(maxsize=1024)
def _signs_at_home(code: str, region: str) -> frozenset[str]:
    """Return how the people of a region write a currency: its code, signs in their languages, and the bare sign."""
    languages = sorted(
        get_territory_language_info(region).items(), key=lambda each: -float(each[1]["population_percent"] or 0)
    )
    names = [f"{language}_{region}" for language, _ in languages[:3]]
    symbols = [Locale.parse(name).currency_symbols.get(code, "") for name in names if localedata.exists(name)]
    written = {code, _sign_of(code, region), *symbols, *_ALSO_WRITTEN.get(code, "").split()}
    bare = {each.strip()[-1] for each in written if each.strip() and category(each.strip()[-1]) == "Sc"}
    return frozenset({_folded_sign(each) for each in written | bare} - {""})


_MAX_DIGITS = 8
"""The most digits of an amount."""
_CENTS = 2
"""The decimals of most currencies, which no number with thousands separators ends with."""
_PLAIN_MARKS = str.maketrans("٫٬，．’", ".',.'")
_MARKS = {",": "comma", ".": "point", "'": "apostrophe", " ": "space"}


def read_amount(text: str, currency: Currency, region: str = "") -> int:
    """Return an amount as people write it, in minor units; raises ValueError with the reason if it cannot be read.

    A comma or a point before the last three digits separates thousands if the region writes them so, or if the currency
    has no decimals.

    >>> euro, pound, yen = Currency("EUR"), Currency("GBP"), Currency("JPY", 0)
    >>> read_amount("0.5", euro), read_amount("2,50", pound, "GB"), read_amount("3", euro), read_amount("500.00", yen)
    (50, 250, 300, 500)
    >>> read_amount("€ 2", euro), read_amount("2 eur", euro), read_amount("¥3", yen, "GB"), read_amount("۲٫۵۰", euro)
    (200, 200, 3, 250)
    >>> read_amount("£1,000", pound, "GB"), read_amount("1.000,50", euro, "DE"), read_amount("20.000", yen)
    (100000, 100050, 20000)
    """
    money_format = MoneyFormat(currency, region)
    number = _without_sign(in_plain_digits(text).translate(_PLAIN_MARKS), money_format)
    units = _value_of(number, money_format).scaleb(currency.decimals)
    if units != int(units):
        raise _amount_error(f"“{number}” has too many decimals.", money_format)
    if len(str(int(units))) > _MAX_DIGITS:
        raise _amount_error(f"“{number}” is too large.", money_format)
    return int(units)


def _without_sign(written: str, money_format: MoneyFormat) -> str:
    """Return the number in an amount, without the sign or name of the currency before or after it."""
    names = _names_of(money_format)
    pattern = re.fullmatch(rf"(?:{names})?\.? ?([0-9](?:[0-9., ']*[0-9])?) ?(?:{names})?\.?", written, re.IGNORECASE)
    if pattern:
        return pattern[1]
    rest = re.sub(rf"^(?:{names})|(?:{names})$", "", written, flags=re.IGNORECASE)
    unknown = re.search(r"[^\W\d_]+|[^0-9., ']", rest) or re.search("[., ']", rest.strip())
    raise _amount_error(_describe_unreadable(unknown[0] if unknown else written), money_format)


@lru_cache(maxsize=256)
def _names_of(money_format: MoneyFormat) -> str:
    """Return a pattern of the names and signs of a currency, in the region and in the country of the currency."""
    name, region = money_format.currency.name, money_format.region
    signs = {_folded_sign(_sign_of(name, region)), _folded_sign(name)} - {""}
    code = name.upper()
    signs |= _signs_at_home(code, code[:2]) if code in _locale(region).currencies else set()  # ISO 4217: GB for GBP
    return "|".join(sorted(map(re.escape, signs), key=len, reverse=True)) or "(?!)"


def _value_of(number: str, money_format: MoneyFormat) -> Decimal:
    """Return a number as its region writes it, or else in the only way in which it can be an amount."""
    region, decimals = money_format.region, money_format.currency.decimals
    # a space or an apostrophe before three digits separates thousands everywhere
    plain = re.sub(r"(?<=[0-9])[ '](?=[0-9]{3}(?![0-9]))|^0+(?=[0-9])", "", number)
    own = _parse(plain, _locale(region))
    readings = sorted({value for value in (own, *map(_parse, [plain] * 2, _BY_POINT_AND_COMMA)) if value is not None})
    if not readings:
        raise _amount_error(_describe_unreadable(re.sub("[0-9]", "", plain)[0]), money_format)
    *_, most = readings
    # without an English locale, a region whose own language has a decimal comma may write either mark
    mixes_marks = has_decimal_comma(region) and _locale(region).number_symbols["latn"]["decimal"] == "."
    if len(readings) == 1 or not decimals or (own == most and not mixes_marks):
        return most
    if own == readings[0] and decimals > _CENTS:
        return readings[0]
    raise ValueError(_ask_which(number, readings, money_format))


_BY_POINT_AND_COMMA = (Locale.parse("en"), Locale.parse("en_DE"))
"""Locales with a decimal point and with a decimal comma."""


def _parse(number: str, locale: Locale) -> Decimal | None:
    try:
        return parse_decimal(number, locale, strict=True)
    except NumberFormatError:
        return None


def _ask_which(number: str, readings: Sequence[Decimal], money_format: MoneyFormat) -> str:
    """Return the question which of several numbers is meant; those with too many decimals cannot be."""
    decimals = money_format.currency.decimals
    units = [value.scaleb(decimals) for value in reversed(readings)]
    most, *fewer = [int(each) for each in units if each == int(each)]
    plain = [str(most // 10**decimals), *map(money_format.plain, fewer)]
    mark = next(_MARKS[each] for each in number if each in _MARKS)
    return f"The {mark} in “{number}” can mean two things: write {' or '.join(plain)}."


@lru_cache(maxsize=256)
def has_decimal_comma(region: str) -> bool:
    """Return whether a region writes a decimal comma, in English or, without an English locale, in its own language.

    >>> [has_decimal_comma(region) for region in ("GB", "ZA", "DE", "MX", "CH", "BR", "")]
    [False, True, True, False, False, True, False]
    """
    locale = _locale(region)
    if region and not locale.territory:
        with suppress(UnknownLocaleError, ValueError):
            locale = Locale.parse(f"und_{region}")
    mark: str = locale.number_symbols["latn"]["decimal"]
    return mark == ","


_SEMICOLONS = frozenset({"CH", "LI"})
"""Regions whose spreadsheets put semicolons between cells in spite of a decimal point."""


def csv_marks(region: str) -> tuple[str, str]:
    """Return the cell separator and the decimal mark that the spreadsheets of a region expect.

    >>> [csv_marks(region) for region in ("GB", "ZA", "CH", "")]
    [(',', '.'), (';', ','), (';', '.'), (',', '.')]
    """
    has_comma = has_decimal_comma(region)
    return ";" if has_comma or region in _SEMICOLONS else ",", "," if has_comma else "."


def _describe_unreadable(word: str) -> str:
    named = f"The {_MARKS[word]} cannot be read here." if word in _MARKS else ""
    return named or f"“{word[:60]}” cannot be read."


def _amount_error(why: str, money_format: MoneyFormat) -> ValueError:
    """Return an error that says why an amount cannot be read, and how to write one."""
    currency = money_format.currency
    if not currency.decimals:
        how = f"Write a whole amount such as 10: {currency} has nothing smaller."
    else:
        how = f"Write an amount such as {money_format.plain(10 ** (currency.decimals - 1))} or 2."
    return ValueError(f"{why} {how}")


@lru_cache(maxsize=1024)
def write_day(day: str, region: str = "", today: str = "") -> str:
    """Return a day, or a day and time, as people write it; any other text unchanged.

    The year is left out if it is that of `today`.

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
