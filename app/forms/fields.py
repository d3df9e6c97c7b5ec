"""Fields that WTForms lacks: amounts of money, and whole numbers that may be blank."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from wtforms import SelectChoice, StringField  # type: ignore[attr-defined]
from wtforms.validators import ValidationError
from wtforms.widgets import TextInput

from app.i18n import _
from app.kalooki.money import written

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from wtforms import Field

_AMOUNT = re.compile(r"(\d{1,6})(?:[.,](\d{1,2}))?")


def folded(text: str | None) -> str:
    """The text without white space around it and with single spaces inside.

    >>> folded("  Mary   Ann ")
    'Mary Ann'
    """
    return " ".join((text or "").split())


def whole_typed(text: object, digits: int = 6) -> int | None:
    """A whole number as typed; None for anything else, and for more than `digits` digits.

    >>> whole_typed(" 35 "), whole_typed("-1"), whole_typed("1000", digits=3), whole_typed("٣")
    (35, None, None, None)
    """
    typed = str(text or "").strip()
    return int(typed) if typed.isascii() and typed.isdigit() and len(typed) <= digits else None


def options(words: Iterable[tuple[str, str]]) -> Any:
    """The choices of a select or radio field: each value and its label."""
    return [SelectChoice(value, shown) for value, shown in words]


def minor_units(text: str) -> int:
    """An amount as people write it, in minor units; raises ValueError for anything else.

    >>> minor_units("0.5"), minor_units("1,20"), minor_units("3")
    (50, 120, 300)
    """
    found = _AMOUNT.fullmatch(text)
    if not found:
        raise ValueError(_("Write an amount such as 0.10 or 2."))
    whole, cents = found.groups()
    return int(whole) * 100 + int((cents or "").ljust(2, "0"))


def short_enough(most: int) -> Callable[[object, Field], None]:
    """A validator that limits a text's length."""

    def check(_form: object, field: Field) -> None:
        if len(field.data or "") > most:
            raise ValidationError(_("Write at most %(most)s characters.") % {"most": most})

    return check


class _NumberInput(TextInput):
    """A text input that brings up the keypad: type=number rounds, scrolls and drops what it cannot read."""

    def __init__(self, inputmode: str) -> None:
        super().__init__()
        self.inputmode = inputmode

    def __call__(self, field: Any, **attributes: Any) -> Any:
        attributes.setdefault("inputmode", self.inputmode)
        attributes.setdefault("autocomplete", "off")
        return super().__call__(field, **attributes)


class _NumberField(StringField):
    """The number, or None if blank; unreadable text is kept and shown again."""

    def process_formdata(self, valuelist: Sequence[Any]) -> None:
        if valuelist:
            typed = folded(valuelist[0])
            self.data: Any = self.read(typed) if typed else None

    def _value(self) -> str:
        if self.raw_data:
            return str(self.raw_data[0])
        return "" if self.data is None else self.write(self.data)

    def read(self, typed: str) -> int:
        raise NotImplementedError

    def write(self, value: int) -> str:
        raise NotImplementedError


class MoneyField(_NumberField):
    """An amount of money, in minor units."""

    widget = _NumberInput("decimal")

    def read(self, typed: str) -> int:
        return minor_units(typed)

    def write(self, value: int) -> str:
        return written(value)


class WholeField(_NumberField):
    """A whole number."""

    widget = _NumberInput("numeric")

    def read(self, typed: str) -> int:
        number = whole_typed(typed)
        if number is None:
            raise ValueError(_("Write a whole number."))
        return number

    def write(self, value: int) -> str:
        return str(value)
