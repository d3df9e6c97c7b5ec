"""Fields that WTForms lacks: amounts of money, and whole numbers that may be blank."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any
from uuid import uuid4

from wtforms import Field, Form, HiddenField, SelectChoice, StringField  # type: ignore[attr-defined]
from wtforms.form import BaseForm
from wtforms.validators import ValidationError

from app.kalooki.money import Currency
from app.kalooki.people import clean_name
from app.kalooki.points import read_points, read_signed_points
from app.kalooki.readers import usable_submission

_LONGEST = 8
"""The most digits of an amount."""
_HUNDREDTHS = 2
"""The decimals of a currency whose minor unit is a cent or a penny."""
_WRITTEN = {
    ("EUR", "€"): "ct|c|cents?",
    ("GBP", "£"): "p|pence|penny",
    ("JMD", "J$", "$"): "¢|c|cents?",
    ("USD", "$"): "¢|c|cents?",
    ("ZAR", "R"): "c|cents?",
}
"""How amounts of a currency are written: its names, by any of which a table may call it, and its hundredths."""


def folded(text: str | None) -> str:
    """The text without white space around it and with single spaces inside.

    >>> folded("  Mary   Ann ")
    'Mary Ann'
    """
    return " ".join((text or "").split())


def cleaned(name: str | None) -> str:
    """Return a player's name as it is recorded."""
    return clean_name(name or "")


def options(words: Iterable[tuple[str, str]]) -> Any:
    """The choices of a select or radio field: each value and its label."""
    return [SelectChoice(value, shown) for value, shown in words]


def minor_units(text: str, currency: Currency) -> int:
    """An amount as people write it, in minor units; raises ValueError for anything else.

    Two digits after the point are read where the currency has fewer, if they are zero; 1.000 yen could mean a thousand.

    >>> euro, pound, yen = Currency("EUR"), Currency("GBP"), Currency("JPY", 0)
    >>> minor_units("0.5", euro), minor_units("1,20", euro), minor_units("3", euro), minor_units("500.00", yen)
    (50, 120, 300, 500)
    >>> minor_units("€ 2", euro), minor_units("2 eur", euro), minor_units("30p", pound), minor_units("10 pence", pound)
    (200, 200, 30, 10)
    """
    decimals = currency.decimals
    found = _written_in(currency).fullmatch(text)
    whole, part, hundredths = found.groups("") if found else ("", "", "")
    too_long = len(whole) > _LONGEST - decimals or len(part) > max(2, decimals)
    if not whole or too_long or part[decimals:].strip("0") or (part and hundredths):
        raise ValueError(_such_as(currency))
    return int(whole) if hundredths else int(whole + part[:decimals].ljust(decimals, "0"))


def _written_in(currency: Currency) -> re.Pattern[str]:
    """Reads what stands before and after the point, and a word for hundredths, beside the currency's name or sign."""
    known = {currency.name: ((currency.name,), "")} | {name: each for each in _WRITTEN.items() for name in each[0]}
    names, hundredths = known[currency.name] if currency.decimals == _HUNDREDTHS else ((currency.name,), "")
    named, number = "|".join(map(re.escape, names)), r"(\d{1,8})(?:[.,](\d{1,3}))?"
    return re.compile(rf"(?:{named})?? ?{number} ?(?:{named}|({hundredths}))?", re.ASCII | re.IGNORECASE)


def _such_as(currency: Currency) -> str:
    if not currency.decimals:
        return f"Write a whole amount such as 10: {currency} has nothing smaller."
    return "Write an amount such as {amount} or 2.".format(amount=f"0.{'1'.ljust(currency.decimals, '0')}")


def short_enough(most: int) -> Callable[[object, Field], None]:
    """A validator that limits a text's length."""

    def check(_form: object, field: Field) -> None:
        if len(field.data or "") > most:
            raise ValidationError(f"Write at most {most} characters.")

    return check


def blame(form: BaseForm, field: Field | None, text: str) -> None:
    """Show what is wrong at its field, or above the form if it has none there."""
    if field is None:
        form.form_errors.append(text)
    else:
        field.errors = [*field.errors, text]


class WholeField(StringField):
    """A whole number, or None if blank; unreadable text is kept and shown again.

    It brings up the keypad: type=number rounds, scrolls and drops what it cannot read.
    """

    inputmode = "numeric"
    reads = staticmethod(read_points)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.render_kw = {"inputmode": self.inputmode, "autocomplete": "off"}

    def process_formdata(self, valuelist: Sequence[Any]) -> None:
        if valuelist:
            typed = folded(valuelist[0])
            self.data: Any = self.read(typed) if typed else None

    def _value(self) -> str:
        if self.raw_data:
            return str(self.raw_data[0])
        return "" if self.data is None else self.write(self.data)

    def read(self, typed: str) -> int:
        number = self.reads(typed)
        if number is None:
            message = "“{word}” cannot be read. Write a whole number such as 43, or a sum such as 10+7."
            raise ValueError(message.format(word=typed[:60]))
        return number

    def write(self, value: int) -> str:
        return str(value)


class SignedField(WholeField):
    """A whole number that may be below 0."""

    inputmode = "text"
    reads = staticmethod(read_signed_points)


class MoneyField(WholeField):
    """An amount of money, in minor units of the form's currency."""

    inputmode = "decimal"
    counted_in = Currency()

    def read(self, typed: str) -> int:
        return minor_units(typed, self.counted_in)

    def write(self, value: int) -> str:
        return self.counted_in.written(value)


class MoneyForm(Form):
    """A form saved once, by its submission, whose amounts are all counted in one currency."""

    submission = HiddenField()

    def counted_in(self, contents: Mapping[str, Any], /) -> Currency:
        """The currency of the amounts, where `contents` is what was sent or, before that, what is shown at first."""
        raise NotImplementedError

    def process(
        self, formdata: Any = None, obj: Any = None, data: Any = None, extra_filters: Any = None, **more: Any
    ) -> None:
        """Read the amounts, once it is known what they are counted in."""
        currency = self.counted_in(formdata or data or {})
        for field in self:
            if isinstance(field, MoneyField):
                field.counted_in = currency
        super().process(formdata, obj, data, extra_filters, **more)
        if not usable_submission(str(self.submission.data or "")):
            self.start_afresh()

    def start_afresh(self) -> None:
        """Give the form a new submission, different from the one sent before."""
        self.submission.data = str(uuid4())
