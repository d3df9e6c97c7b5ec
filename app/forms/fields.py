"""Fields that WTForms lacks, such as amounts of money and whole numbers that may be blank."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from uuid import uuid4

from wtforms import Field, Form, HiddenField, SelectChoice, StringField  # type: ignore[attr-defined]
from wtforms.form import BaseForm

from app.history.formats import OFFERED, MoneyFormat, currencies_meant, read_amount, read_currency, show_currency
from app.kalooki.cards import BadInput
from app.kalooki.faults import Fault
from app.kalooki.money import Currency
from app.kalooki.points import read_points, read_signed_points
from app.kalooki.readers import Reader, usable_submission
from app.kalooki.rules.rulebook import explain
from app.kalooki.variants import Variant


def folded(text: str | None) -> str:
    """Return the text without surrounding white space and with single spaces inside.

    >>> folded("  Mary   Ann ")
    'Mary Ann'
    """
    return " ".join((text or "").split())


def options(words: Iterable[tuple[str, str]]) -> Any:
    """Return the choices of a select or radio field: each value and its label."""
    return [SelectChoice(value, label) for value, label in words]


def blame(form: BaseForm, field: Field | None, text: str) -> None:
    """Show an error at its field, or above the form without one."""
    if field is None:
        form.form_errors.append(text)
    else:
        field.errors = [*field.errors, text]


class TextField(StringField):
    """A line of text, no longer than its reader allows."""

    def __init__(self, label: str, reader: Reader, **kwargs: Any) -> None:
        super().__init__(label, filters=[folded], render_kw={"maxlength": reader.shape["maxLength"]}, **kwargs)


class CurrencyField(TextField):
    """A currency, shown and typed by its sign if the region of the form has one for it."""

    region = ""

    def process_formdata(self, valuelist: Sequence[Any]) -> None:
        if valuelist:
            self.data = read_currency(folded(valuelist[0]), self.region)
            *others, last = currencies_meant(self.data, self.region) or [""]
            if others:
                which = f"{', '.join(others)} or {last}"
                raise ValueError(f"“{self.data}” is the sign of several currencies: write {which}.")

    def _value(self) -> str:
        return show_currency(str(self.data or ""), self.region)

    @property
    def offered(self) -> list[tuple[str, str]]:
        """The currencies a page offers, each as it is shown and by its code."""
        return [(show_currency(code, self.region), code) for code in OFFERED]


class WholeField(StringField):
    """A whole number, or None if blank; unreadable text is kept and shown again.

    It is a text field that brings up the keypad, because type=number rounds, scrolls and drops what it cannot read.
    """

    inputmode = "numeric"
    reads = staticmethod(read_points)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.render_kw = {"inputmode": self.inputmode, "autocomplete": "off"}

    def process_formdata(self, valuelist: Sequence[Any]) -> None:
        if valuelist:
            text = folded(valuelist[0])
            self.data: Any = self.read(text) if text else None

    def _value(self) -> str:
        if self.raw_data:
            return str(self.raw_data[0])
        return "" if self.data is None else self.write(self.data)

    def read(self, text: str) -> int:
        number = self.reads(text)
        if number is None:
            message = "“{word}” cannot be read. Write a whole number such as 43, or a sum such as 10+7."
            raise ValueError(message.format(word=text[:60]))
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
    written_as = MoneyFormat(Currency())

    def read(self, text: str) -> int:
        return read_amount(text, *self.written_as)

    def write(self, value: int) -> str:
        return self.written_as.plain(value)


class MoneyForm(Form):
    """A form that is saved once, by its submission, and whose amounts are in one currency."""

    submission = HiddenField()

    def money_format(self, contents: Mapping[str, Any], /) -> MoneyFormat:
        """Return how amounts are written; `contents` is what was sent or, if nothing was, what is shown at first."""
        raise NotImplementedError

    def process(
        self, formdata: Any = None, obj: Any = None, data: Any = None, extra_filters: Any = None, **more: Any
    ) -> None:
        """Read the fields, after finding out the currency of the amounts."""
        written_as = self.money_format(ChainMap(formdata or {}, data or {}))
        for field in self:
            if isinstance(field, MoneyField):
                field.written_as = written_as
            elif isinstance(field, CurrencyField):
                field.region = written_as.region
        super().process(formdata, obj, data, extra_filters, **more)
        if not usable_submission(str(self.submission.data or "")):
            self.start_afresh()

    def start_afresh(self) -> None:
        """Give the form a new submission, so that it is saved as another one."""
        self.submission.data = str(uuid4())

    def blame(self, error: BadInput | Fault, variant: Variant) -> None:
        """Show an error from a reader or the game at the field it is about, or above the form without one."""
        if isinstance(error, BadInput):
            path, text = error.field, error.sentence
        else:
            path, text = str(error.facts.get("field", "")), explain(error, variant).text
        blame(self, self.field_at(path.removeprefix("event.")), text)

    def field_at(self, path: str) -> Field | None:
        """Return the field for a path in the event, such as `stakes.call_up` or `name`."""
        *_, name = path.split(".")
        return next((field for field in self if field.short_name == name), None)
