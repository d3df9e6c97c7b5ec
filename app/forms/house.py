"""The rules a table plays its own way: a field for each value of a variant."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from json import dumps
from typing import Any, NamedTuple

from werkzeug.datastructures import MultiDict
from wtforms import Field, SelectField
from wtforms.form import BaseForm

from app.forms.fields import WholeField, blame, options
from app.kalooki.cards import BadInput
from app.kalooki.readers import whole_typed
from app.kalooki.rules.rulebook import explain
from app.kalooki.rules.wording import MELDS, Difference, Words, differing, in_short, say, wording
from app.kalooki.variants import (
    JudgedRules,
    Meaning,
    Value,
    Variant,
    all_variants,
    as_house_rules,
    has_use,
    house_range,
    judge_rules,
    meanings,
)

ASKED_OPENLY = "out_at"
"""The one value asked beside these, in words that name the limit typed."""


def where_asked(variant: Variant, keys: Iterable[str]) -> list[tuple[str, str]]:
    """Return the labels of the values a form of this table asks for, each with the end of an address that opens it."""
    asked = (meanings()[key] for key in keys if has_use(variant, key) and (key != ASKED_OPENLY or variant.limit))
    return [
        (each.label, f"open={each.group}#{'' if each.key == ASKED_OPENLY else 'house-'}{each.key}")
        for each in asked
        if each.house
    ]


class NumbersField(WholeField):
    """A list of numbers, or of pairs of them, as people write it: “13, 13, 11” and “3+0, 2+1”."""

    inputmode = "text"

    def read(self, typed: str) -> Any:
        return tuple(_element(each) for each in typed.replace(",", " ").split())

    def write(self, value: Any) -> str:
        return _in_field(value)


def _element(typed: str) -> Any:
    numbers = tuple(map(whole_typed, typed.split("+")))
    if None in numbers:
        raise ValueError("Write whole numbers with commas between, such as 13, 11; two that belong together as 3+0.")
    return numbers if len(numbers) > 1 else numbers[0]


class Questions(NamedTuple):
    """Questions that belong together, and how many of them differ from the book."""

    name: str
    title: str
    differ: int
    fields: Sequence[Field]
    is_open: bool


class HouseForm(BaseForm):
    """The rules of a table that plays the variant `book` with the values of `house` in place of its own.

    What is not sent stays as it is; the group `opened` is unfolded. A table that does not play yet has no `house`: its
    rules stand here as if `typed`.
    """

    def __init__(
        self,
        formdata: Any = None,
        prefix: str = "",
        *,
        book: Variant,
        house: Mapping[str, Value],
        typed: Mapping[str, Value] | None = None,
        opened: str = "",
        **_meta: Any,  # given by the field that holds this form
    ) -> None:
        self.book, self.house, self.prefix = book, dict(house), prefix
        self.now = judge_rules(book, self.house).table
        if formdata is None and typed:
            formdata = as_typed(typed, prefix)
        self.sent = formdata or {}
        asked = [each for each in meanings().values() if each.house and each.key not in book.unused | {ASKED_OPENLY}]
        self._first = {each.key for each in asked if each.first and has_use(self.now, each.key)}
        self._groups = {each.group for each in asked if each.key not in self._first}
        self.opened = opened
        super().__init__({each.key: _field(each) for each in asked}, prefix)
        self.process(formdata, data={each.key: self._shown(each) for each in asked})

    @property
    def first(self) -> Iterator[Field]:
        """The questions asked first."""
        yield from (field for field in self if field.short_name in self._first)

    @property
    def groups(self) -> Iterator[Questions]:
        """The other questions, in groups as players think of them."""
        for name in (each for each in wording()["questions"] if each in self._groups):
            fields = [field for field in self if self._is_in(name, field.short_name)]
            differ = sum(self._is_in(name, each.key) for each in self.differing)
            is_open = self.opened == name or any(field.errors for field in fields)
            yield Questions(name, wording()["questions"][name], differ, fields, is_open)

    def _is_in(self, group: str, key: str) -> bool:
        return meanings()[key].group == group and key not in self._first

    @property
    def changed(self) -> Mapping[str, Value]:
        """What the fields say otherwise than the table plays so far."""
        return self._sorted_out[0]

    def is_another(self, key: str) -> bool:
        """Whether the table plays a value otherwise by what the fields say: cards dealt of 13, 13 are as of 13."""
        then, now = ((key in each.house, getattr(each, key)) for each in (self.table, self.now))
        return then != now

    @cached_property
    def _sorted_out(self) -> tuple[dict[str, Value], dict[str, str]]:
        """What is changed and within its range, and what is wrong with the rest; each by key."""
        values: dict[str, Value] = {}
        wrong: dict[str, str] = {}
        for field in self:
            meaning = meanings()[field.short_name]
            if field.process_errors or field.data == self._shown(meaning):
                continue
            try:
                values[meaning.key] = self._read(meaning, field.data)
            except BadInput as error:
                wrong[meaning.key] = error.say()
        return values | self._openly(values), wrong

    def _openly(self, values: Mapping[str, Value]) -> dict[str, Value]:
        """Return what is answered beside these questions, if there is a limit and the answer another than so far."""
        answer = self.sent.get(ASKED_OPENLY)
        known = answer in (meanings()[ASKED_OPENLY].house or {})["choices"] and answer != self.now.out_at
        return {ASKED_OPENLY: answer} if known and values.get("limit", self.now.limit) is not None else {}

    @cached_property
    def rules(self) -> dict[str, Value]:
        """All the table's own values: those it has, and those typed."""
        return {**self.house, **self.changed}

    @cached_property
    def judged(self) -> JudgedRules:
        """What these rules are worth together."""
        return judge_rules(self.book, self.rules)

    @cached_property
    def differing(self) -> list[Difference]:
        """What the table plays otherwise than the book, with what follows from it; as typed if it cannot be so.

        `rule` is the id of its field here, and lists are in figures.
        """
        typed: dict[str, Any] = {**self.changed, "house": frozenset(self.rules)}
        table = self.judged.variant or replace(self.now, **typed)
        return [self._at_its_field(each, table) for each in differing(table, self.book)]

    @property
    def table(self) -> Variant:
        """The variant by the rules typed; as it was before where they cannot be played."""
        return self.judged.variant or self.now

    @property
    def following(self) -> list[tuple[str, str]]:
        """The values nobody set, by the ids of their fields, as they follow from the other rules."""
        unset = [key for key, each in meanings().items() if each.follows and key not in self.rules]
        values = [(self._id(key), getattr(self.table, key)) for key in unset]
        return [(at, _in_field(value)) for at, value in values if value]

    def _at_its_field(self, each: Difference, table: Variant) -> Difference:
        here = each._replace(rule=self._id(each.key))
        if not meanings()[each.key].of_pairs:
            return here
        own, book = (_words(each.key, getattr(rules, each.key)) for rules in (table, self.book))
        return here._replace(own=own, book=book)

    @property
    def contradictions(self) -> list[tuple[str, list[tuple[str, str]]]]:
        """The values that cannot be played, together or at all: why, and the label and field of each."""
        wrong: list[tuple[Sequence[str], str]] = [((key,), text) for key, text in self._sorted_out[1].items()]
        wrong += [((field.short_name,), text) for field in self for text in field.process_errors]
        wrong += [(fault.keys, fault.say_alone()) for fault in self.judged.faults]
        at = {key: (each.label, self._id(key)) for key, each in meanings().items()}
        return [(text, [at[key] for key in keys]) for keys, text in wrong]

    @property
    def without_use(self) -> list[str]:
        """What the table sets though its rules never ask for it, and why they do not."""
        return [explain(warning, self.now).text for warning in self.judged.warnings]

    def _id(self, key: str) -> str:
        return key if key == ASKED_OPENLY else f"{self.prefix}{key}"

    def validate(self, *args: Any, **kwargs: Any) -> bool:
        """Require values within their ranges that do not contradict each other."""
        super().validate(*args, **kwargs)
        for key, text in self._sorted_out[1].items():
            self[key].errors = [text]
        for fault in self.judged.faults if self.changed else ():
            for field in [self[key] for key in fault.keys if key in self] or (None,):
                blame(self, field, fault.say_alone())
        return not self.errors

    def is_usual(self, field: Field) -> bool:
        """Whether a field shows what the book says, and nobody has typed anything else."""
        meaning = meanings()[field.short_name]
        is_own = meaning.key in self.house or getattr(self.now, meaning.key) != getattr(self.book, meaning.key)
        return not (is_own or field.errors or field.process_errors) and bool(field.data == self._shown(meaning))

    def attributes(self, field: Any) -> dict[str, Any]:
        """Return what the control of a field tells the page: what it says untouched, and what may be typed."""
        meaning = meanings()[field.short_name]
        about: dict[str, Any] = {"data_usual": _in_field(self._shown(meaning))}
        house = house_range(self.book, meaning.key) or {}
        if isinstance(field, NumbersField):
            about["data_list"] = dumps({**house, **self._rows_of(meaning.key)}, separators=(",", ":"))
        elif "least" in house:
            about["class_"] = "input-number"
        usual = getattr(self.book, meaning.key)
        if meaning.follows and isinstance(field, WholeField) and usual is not None:
            about["placeholder"] = field.write(usual)
        return about

    def _rows_of(self, key: str) -> Mapping[str, Any]:
        """Return what the rows of a list and the numbers in them are called, melds as this table calls them."""
        rows, words = wording()["lists"][key], Words(self.now)
        columns = [[words[each] if each in MELDS else each for each in column] for column in rows["columns"]]
        return {**rows, "columns": columns}

    def hint_of(self, field: Field) -> str:
        """Return what a newcomer may ask, what may be typed, and what is usual here and elsewhere."""
        meaning = meanings()[field.short_name]
        house = house_range(self.book, meaning.key) or {}
        about = meaning.about or ""
        return " ".join(filter(None, (about, self._range_of(meaning, house), self._played_here(meaning.key))))

    def _played_here(self, key: str) -> str:
        usual = getattr(self.book, key)
        others = [(who, value) for who, value in _played(key, all_variants()) if value != usual]
        played = [("Usual", usual), *others]
        return "; ".join(f"{who}: {_words(key, value)}" for who, value in played) + "."

    def _range_of(self, meaning: Meaning, house: Mapping[str, Any]) -> str:
        if "choices" in house or meaning.of_pairs:
            return ""
        within = house.get("each", house)
        hint = "{least} to {most}.".format(least=within["least"], most=within["most"])
        if meaning.follows:
            label = meanings()[meaning.follows].label
            return f"{hint} Blank: as it goes with “{label}”."
        if not house.get("none"):
            return hint
        return f"{hint} Blank for “{say(meaning.key, None)}”."

    def _shown(self, meaning: Meaning) -> Any:
        """Return the field's contents as long as nobody changes them."""
        is_choice = "choices" in (meaning.house or {})
        if meaning.follows and meaning.key not in self.house:
            return "" if is_choice else None
        value = getattr(self.now, meaning.key)
        return str(value) if is_choice else value or None if isinstance(value, tuple) else value

    def _read(self, meaning: Meaning, typed: Any) -> Any:
        house = meaning.house or {}
        if "choices" in house:
            return next((each for each in house["choices"] if str(each) == typed), getattr(self.now, meaning.key))
        if typed is not None:
            return meaning.check(typed)
        if meaning.of_pairs:
            return ()
        return None if house.get("none") else getattr(self.now, meaning.key)


MOST_NAMED = 3


def in_brief(table: Variant) -> str:
    """Return what a table plays differently, the first values and how many more; empty where it plays by the book."""
    book, house = as_house_rules(table)
    if not house:
        return ""
    values = [f"{_inside(meanings()[key].label)}{_in_figures(key, value)}" for key, value in house.items()]
    more = [f"{len(values) - MOST_NAMED} more"] * (len(values) > MOST_NAMED)
    return f"{book.name.removesuffix(' Kalooki')}: {', '.join(values[:MOST_NAMED] + more)}"


def _inside(label: str) -> str:
    """Return a label inside a sentence."""
    return label if label.startswith("Kalooki") else label[0].lower() + label[1:]


def _in_figures(key: str, value: Value) -> str:
    is_number = isinstance(value, (int, tuple)) and not isinstance(value, bool)
    return f" {_in_field(value, ' ')}" if is_number and value else f": {in_short(key, value)}"


def as_typed(rules: Mapping[str, Value], prefix: str) -> MultiDict[str, str]:
    """Values as a page sends them."""
    sent = {("" if key == ASKED_OPENLY else prefix) + key: _in_field(value) for key, value in rules.items()}
    return MultiDict(sent)


def _in_field(value: Any, between: str = ", ") -> str:
    """Return a value as its field holds it, also as a game keeps it, with lists: 25, at_will, “3+0, 2+1”."""
    if isinstance(value, (tuple, list)):
        return between.join(_in_field(each, "+") for each in value)
    return "" if value is None else str(value)


def _field(meaning: Meaning) -> Any:
    """Return the form field for one value, unbound."""
    house = meaning.house or {}
    if "each" in house:
        return NumbersField(meaning.label)
    if "choices" not in house:
        return WholeField(meaning.label)
    words = [(str(choice), in_short(meaning.key, choice)) for choice in house["choices"]]
    return SelectField(meaning.label, choices=options([("", "as usual"), *words] if meaning.follows else words))


def _words(key: str, value: Any) -> str:
    """Return a value in words, a list in figures: “25 points”, “3+0, 2+1”."""
    is_list = isinstance(value, tuple) and len(value) > 1
    return _in_field(value) if is_list else in_short(key, value)


@lru_cache(maxsize=256)
def _played(key: str, variants: Iterable[Variant]) -> list[tuple[str, Value]]:
    """Return what variants play for one value: each value with the names of those that play it."""
    played: dict[Value, list[str]] = {}
    for variant in variants:
        if has_use(variant, key):
            played.setdefault(getattr(variant, key), []).append(variant.name.removesuffix(" Kalooki"))
    return [(", ".join(names), value) for value, names in played.items()]
