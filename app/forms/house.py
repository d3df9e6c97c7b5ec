"""The form for house rules, whose fields are made once from the values that a table may choose."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, cached_property, lru_cache
from itertools import zip_longest
from math import ceil
from typing import Any, NamedTuple, cast

from wtforms import Field, Form, RadioField, SelectChoice, SelectField  # type: ignore[attr-defined]

from app.forms.entry import WholeField, blame, folded
from app.kalooki.rules.rulebook import explain, rules
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

OUT_AT = "out_at"
"""The one value asked together with the limit, with choices that name it."""
KALOOKI_STAKE, BUY_IN_STAKE = "stake_kalooki", "stake_buy_in"
_PAID_WITH = {KALOOKI_STAKE: "stake_call_up", BUY_IN_STAKE: "buy_ins"}
"""The value with which a table starts to pay each of these stakes."""


def where_asked(variant: Variant, keys: Iterable[str]) -> list[tuple[str, str]]:
    """Return the labels of the values that this table's form asks for, each with the end of an address to open it."""
    used = (meanings()[key] for key in keys if has_use(variant, key) and (key != OUT_AT or variant.limit))
    return [(each.label, f"open={each.key}#house-{each.key}") for each in used if each.house]


class RowsField(WholeField):
    """A list of numbers or of pairs of numbers; all cells have the same name, and blank rows are left out."""

    def __init__(self, label: str, columns: int, **kwargs: Any) -> None:
        super().__init__(label, **kwargs)
        self.columns = columns

    def answer(self, value: Any) -> None:
        """Set the value from a list as stored in a game, in JSON or as a tuple."""
        rows = value if isinstance(value, (list, tuple)) else filter(None, [value])
        self.data = tuple(tuple(row) if isinstance(row, list) else row for row in rows) or None

    def process_formdata(self, valuelist: Sequence[str]) -> None:
        if valuelist:
            cells = [self.read(text) if text else None for text in map(folded, valuelist)]
            rows = [*zip_longest(*[iter(cells)] * self.columns)]
            numbers = [tuple(number or 0 for number in row) for row in rows if {*row} != {None}]
            self.data = tuple(row if self.columns > 1 else row[0] for row in numbers) or None

    @property
    def texts(self) -> list[str]:
        """The text of each cell, without blank ones at the end."""
        texts = list(self.raw_data or _flat(self.data))
        while texts and not texts[-1].strip():
            texts.pop()
        return texts


def _flat(rows: Any) -> list[str]:
    """Return the numbers of a list, or of a list of pairs, as the text of cells."""
    return [str(number) for row in rows or () for number in (row if isinstance(row, (list, tuple)) else (row,))]


@cache
def _search_words(key: str) -> str:
    """Return players' words for a value, each once, for the box that searches the questions."""
    meaning = meanings()[key]
    return " ".join(dict.fromkeys(" ".join((meaning.search, *rules()[meaning.rule].searched_by)).split()))


class Questions(NamedTuple):
    """Questions that belong together, and how many of their values differ from the variant's."""

    name: str
    title: str
    differ: int
    fields: Sequence[Field]
    is_open: bool


class HouseForm(Form):
    """The rules of a table that plays the variant `base` with the values of `house` in place of its own.

    Each value that a table may choose is a field. What is not sent stays as it is. The group or question
    `opened` is unfolded. For a game not yet started there is no `house`; rules already chosen are given as `answers`.
    """

    def __init__(
        self,
        formdata: Any = None,
        prefix: str = "",
        *,
        base: Variant,
        house: Mapping[str, Value],
        answers: Mapping[str, Any] | None = None,
        opened: str = "",
        **form: Any,  # given by the FormField
    ) -> None:
        self.base, self.house, self.opened = base, dict(house), opened
        self.prefix = prefix
        self.now = judge_rules(base, self.house).table
        self.is_answered = formdata is not None
        paid = {KALOOKI_STAKE: self.now.stake_call_up, BUY_IN_STAKE: self.now.buys_in}
        self.unpaid = [key for key, so_far in paid.items() if not (so_far or getattr(self.now, key))]
        now = {key: self._now_at(each) for key, each in meanings().items()} | dict.fromkeys(self.unpaid)
        super().__init__(formdata, prefix=prefix, data=now, **form)
        for key in base.unused & self.data.keys():
            del self[key]
        preset = {} if self.is_answered else dict(answers or {})
        preset = {key: 0 for key in self.unpaid if preset.get(_PAID_WITH[key])} | preset
        for field in [field for field in self if field.short_name in preset]:
            answer = field.answer if isinstance(field, RowsField) else field.process_data
            answer(preset[field.short_name])
        if OUT_AT in self:
            readings: Any = self[OUT_AT]
            limit = self.knock_out or 0
            readings.choices = [
                SelectChoice("limit", f"At {limit} or more"),
                SelectChoice("over_limit", f"Only over {limit}"),
            ]

    def _now_at(self, meaning: Meaning) -> Any:
        """Return the value of a field that nobody has changed."""
        is_choice = "choices" in (meaning.house or {})
        if meaning.follows and meaning.key not in self.house:
            return "" if is_choice else None
        value = getattr(self.now, meaning.key)
        return value or None if isinstance(value, tuple) else value

    @cached_property
    def changes(self) -> dict[str, Any]:
        """The values that differ from what the table plays so far; a blank field means none, or no change.

        A stake that nobody paid so far is the suggested one: for a Kalooki the call-up, for a buy-in the stake each.
        """
        values: dict[str, Any] = {}
        for field in self:
            meaning = meanings()[field.short_name]
            if (
                field.process_errors
                or field.data == field.object_data
                or (meaning.key in self.unpaid and not field.data)
            ):
                continue
            if field.data not in (None, ""):
                values[meaning.key] = field.data
            elif meaning.of_pairs or (meaning.house or {}).get("none"):
                values[meaning.key] = () if meaning.of_pairs else None
        if values.get("limit", self.now.limit) is None:
            values.pop(OUT_AT, None)
        stake_each = values.get("stake_initial", self.now.stake_initial)
        suggested = {KALOOKI_STAKE: values.get("stake_call_up"), BUY_IN_STAKE: values.get("buy_ins") and stake_each}
        blank = [key for key in self.unpaid if key not in self or self[key].data is None]
        return {key: suggested[key] for key in blank if suggested[key]} | values

    @cached_property
    def judgement(self) -> JudgedRules:
        """What is wrong with the rules as answered, and the variant they make."""
        return judge_rules(self.base, {**self.house, **self.changes})

    @property
    def table(self) -> Variant:
        """The variant with the rules as answered; if they cannot be played, the variant as it was before."""
        return self.judgement.variant or self.now

    @property
    def knock_out(self) -> int | None:
        """The total at which a player is out; None if nobody is."""
        return cast("int | None", self.judgement.fitting.get("limit", self.now.limit))

    def is_another(self, key: str) -> bool:
        """Return whether the answers change a value; dealing 13 and 13 cards is the same as dealing 13."""
        then, now = ((key in each.house, getattr(each, key)) for each in (self.table, self.now))
        return then != now

    @property
    def first(self) -> Iterator[Field]:
        """The questions asked first, except the one asked together with the limit."""
        yield from (field for field in self if self._is_first(field.short_name) and field.short_name != OUT_AT)

    @property
    def groups(self) -> Iterator[Questions]:
        """The other questions, grouped as players think of them."""
        for name, title in wording()["questions"].items():
            fields = [field for field in self if self._is_in(name, field.short_name)]
            differ = sum(self._is_in(name, each.key) for each in self.differences)
            has_answers = self.is_answered and any(field.short_name in self.changes for field in fields)
            is_open = self.opened == name or has_answers or any(self.is_unfolded(field) for field in fields)
            yield Questions(name, title, differ, fields, is_open)

    @property
    def is_open(self) -> bool:
        """Whether the questions are unfolded: one of them has been answered or is linked to."""
        return bool(self.opened or self.errors or (self.is_answered and self.changes))

    def _is_in(self, group: str, key: str) -> bool:
        return meanings()[key].group == group and not self._is_first(key)

    def _is_first(self, key: str) -> bool:
        return key == OUT_AT or (meanings()[key].first and has_use(self.now, key))

    @cached_property
    def differences(self) -> list[Difference]:
        """What the table plays differently from the variant, including what follows from that.

        Rules that cannot be played are shown as answered. `rule` is the id of the field here, and lists are in figures.
        """
        own: dict[str, Any] = {**self.judgement.fitting, "house": frozenset(self.judgement.fitting)}
        table = self.judgement.variant or replace(self.now, **own)
        return [self._at_its_field(each, table) for each in differing(table, self.base)]

    def _at_its_field(self, each: Difference, table: Variant) -> Difference:
        here = each._replace(rule=f"{self.prefix}{each.key}")
        if not meanings()[each.key].of_pairs:
            return here
        own, base = (_value_in_words(each.key, getattr(rules, each.key)) for rules in (table, self.base))
        return here._replace(own=own, base=base)

    @property
    def contradictions(self) -> list[tuple[str, list[tuple[str, str]]]]:
        """The values that cannot be played, together or at all: the reason, and the label and field of each."""
        wrong: list[tuple[Sequence[str], str]]
        wrong = [((field.short_name,), text) for field in self for text in field.process_errors]
        wrong += [(fault.keys, fault.say_alone()) for fault in self.judgement.faults]
        at = {key: (each.label, f"{self.prefix}{key}") for key, each in meanings().items()}
        return [(text, [at[key] for key in keys]) for keys, text in wrong]

    @property
    def without_use(self) -> list[str]:
        """The values that are set but have no effect, with the reason."""
        return [explain(warning, self.now).text for warning in self.judgement.warnings]

    def validate(self, *args: Any, **kwargs: Any) -> bool:
        """Return whether values are within their ranges and do not contradict each other."""
        super().validate(*args, **kwargs)
        for fault in self.judgement.faults if self.changes else ():
            for field in [self[key] for key in fault.keys if key in self] or (None,):
                blame(self, field, fault.say_alone())
        return not self.errors

    def is_unfolded(self, field: Field) -> bool:
        """Return whether a question is open: it is linked to, or its answer is wrong."""
        return bool(field.errors) or field.short_name == self.opened

    def words_of(self, field: Field) -> str:
        """Return the present answer to a question in words."""
        key = field.short_name
        return _value_in_words(key, self.judgement.fitting.get(key, getattr(self.table, key)))

    def is_usual(self, field: Field) -> bool:
        """Return whether a field has the variant's value, is folded, and nobody has typed anything else."""
        key = field.short_name
        is_touched = field.data != field.object_data or field.errors or field.process_errors
        is_own = key in self.house or getattr(self.table, key) != getattr(self.base, key)
        return not (is_own or is_touched or self.is_unfolded(field) or isinstance(field, RowsField))

    def search_words(self, field: Field) -> str:
        """Return players' words that find a field's question."""
        return _search_words(field.short_name)

    def attributes(self, field: Any) -> dict[str, Any]:
        """Return the attributes of a field's control: search words and a placeholder."""
        meaning = meanings()[field.short_name]
        house = house_range(self.base, meaning.key) or {}
        about = {"data_words": self.search_words(field)}
        suggested = getattr(self.table, meaning.key)
        is_suggested = suggested if meaning.key in self.unpaid else meaning.follows and suggested is not None
        if is_suggested and "choices" not in house:
            about["placeholder"] = field.write(suggested)
        return about if "least" not in house else about | {"class_": "input-number"}

    def bounds_of(self, field: Field) -> Mapping[str, int]:
        """Return the range of a number, by `least` and `most`."""
        house = house_range(self.base, field.short_name) or {}
        bounds: Mapping[str, int] = house.get("each", house)
        return bounds

    def rows_of(self, field: RowsField) -> Iterator[tuple[str, list[tuple[str, str, str]]]]:
        """Yield the rows of a list and a blank one by name; a cell is its label, its text and its meaning while blank.

        Melds have the names that this table uses.
        """
        key, texts, words = field.short_name, field.texts, Words(self.now)
        about = wording()["lists"][key]
        name, first = about["rows"][self.table.dealt_by]
        columns = [str(words[each]) if each in MELDS else each for each in about["columns"]]
        follow = _flat(getattr(self.table, key)) if meanings()[key].follows and not texts else []
        most: int = (meanings()[key].house or {})["most"]
        rows = min(ceil(max(len(texts), len(follow)) / len(columns)) + 1, most)
        blank = [""] * rows * len(columns)
        cells = zip([*texts, *blank], [*follow, *blank], strict=False)
        for number in range(first, first + rows):
            yield name.format(n=number), [(column, *next(cells)) for column in columns]

    def hint_of(self, field: Field) -> str:
        """Return an explanation for newcomers, the range, and what is usual in this variant and in others."""
        meaning = meanings()[field.short_name]
        house = house_range(self.base, meaning.key) or {}
        more = wording()["lists"].get(meaning.key, {}).get("hint", "")
        return " ".join(
            filter(None, (meaning.about, self._range_of(meaning, house), more, self._usual_values(meaning.key)))
        )

    def _usual_values(self, key: str) -> str:
        usual = getattr(self.base, key)
        others = [(who, value) for who, value in _group_by_value(key, all_variants()) if value != usual]
        played = [("Usual", usual), *others]
        return "; ".join(f"{who}: {_value_in_words(key, value)}" for who, value in played) + "."

    def _range_of(self, meaning: Meaning, house: Mapping[str, Any]) -> str:
        if "choices" in house or meaning.of_pairs:
            return ""
        hint = "{least} to {most}.".format_map(house.get("each", house))
        if meaning.follows:
            label = meanings()[meaning.follows].label
            return f"{hint} Blank: as usual with “{label}”."
        if not house.get("none"):
            return hint
        return f"{hint} Blank for “{say(meaning.key, None)}”."


def _field(meaning: Meaning) -> Any:
    """Return the field for one value, unbound."""
    house = meaning.house or {}
    if "each" in house:
        return RowsField(meaning.label, columns=1 + meaning.of_pairs)
    if "choices" not in house:
        return WholeField(meaning.label)
    if meaning.key == OUT_AT:
        return RadioField("When is a player out of the game?", choices=[], validate_choice=False)
    choices = {str(choice): choice for choice in house["choices"]}
    options = [SelectChoice("", "as usual")] if meaning.follows else []
    options += [SelectChoice(text, in_short(meaning.key, choice)) for text, choice in choices.items()]
    return SelectField(meaning.label, choices=options, coerce=_read_as(choices), validate_choice=False)


def _read_as(choices: Mapping[str, Value]) -> Callable[[Any], Any]:
    """Return a function that turns a choice as sent into its value; anything else stays as sent and is refused."""
    return lambda answer: choices.get(str(answer), answer)


for _meaning in meanings().values():
    if _meaning.house:
        setattr(HouseForm, _meaning.key, _field(_meaning))


MOST_NAMED = 3


def in_brief(table: Variant, amounts: Mapping[str, str]) -> str:
    """Return what a table plays differently: the first values and how many more; empty without house rules.

    `amounts` are stakes by key, shown in place of units.
    """
    base, house = as_house_rules(table)
    if not house:
        return ""
    words = {key: f" {amounts[key]}" if key in amounts else _in_brief(key, value) for key, value in house.items()}
    labels = {key: meanings()[key].label for key in words}
    values = [
        f"{label if label.startswith('Kalooki') else label[0].lower() + label[1:]}{words[key]}"
        for key, label in labels.items()
    ]
    more = [f"{len(values) - MOST_NAMED} more"] if len(values) > MOST_NAMED else []
    return f"{base.name.removesuffix(' Kalooki')}: {', '.join(values[:MOST_NAMED] + more)}"


def _in_brief(key: str, value: Value) -> str:
    is_number = isinstance(value, (int, tuple)) and not isinstance(value, bool)
    return f" {_in_figures(value, ' ')}" if is_number and value else f": {in_short(key, value)}"


def _in_figures(value: Any, between: str = ", ") -> str:
    """Return a value in figures: 25, at_will, “3+0, 2+1”."""
    if isinstance(value, (tuple, list)):
        return between.join(_in_figures(each, "+") for each in value)
    return "" if value is None else str(value)


def _value_in_words(key: str, value: Any) -> str:
    """Return a value in words, a list in figures: “25 points”, “3+0, 2+1”."""
    is_list = isinstance(value, tuple) and len(value) > 1
    return _in_figures(value) if is_list else in_short(key, value)


@lru_cache(maxsize=256)
def _group_by_value(key: str, variants: Iterable[Variant]) -> list[tuple[str, Value]]:
    """Return each value that variants play for a key, with the names of the variants that play it."""
    played: dict[Value, list[str]] = {}
    for variant in variants:
        if has_use(variant, key):
            played.setdefault(getattr(variant, key), []).append(variant.name.removesuffix(" Kalooki"))
    return [(", ".join(names), value) for value, names in played.items()]
