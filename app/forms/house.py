"""A table's house rules: one field for each value a table may change, built from that value's meaning."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from wtforms import Field, SelectField
from wtforms.form import BaseForm

from app.forms.fields import WholeField, options
from app.i18n import N_, _, gettext
from app.kalooki.cards import Malformed
from app.kalooki.rules.wording import say
from app.kalooki.variants import Meaning, Value, Variant, meanings

ASKED_OPENLY = "out_at"
"""The one house rule among the first questions."""

EXPLAINED: Mapping[str, str] = {
    "opening_points": N_("The least a player’s first melds in a hand must count."),
    "warning_at": N_("A player with this few cards says how many."),
    "limit": N_("The total that knocks a player out."),
    "buy_ins": N_("How often a player who is out may come back for money."),
    "calls": N_("How often a player gets the discard out of turn."),
}
"""One line for each word that only Kalooki players know."""

CHANGEABLE = tuple(meaning for meaning in meanings().values() if meaning.house and meaning.key != ASKED_OPENLY)


def _field(meaning: Meaning) -> Any:
    """The form field for one value, unbound."""
    choices = (meaning.house or {}).get("choices")
    if choices is None:
        return WholeField(meaning.label)
    words = ((str(choice), say(meaning.key, choice)) for choice in choices)
    return SelectField(meaning.label, choices=options(words))


class HouseForm(BaseForm):
    """Every value a table may change; a blank number means "none" if that is allowed."""

    def __init__(self, formdata: Any = None, obj: Any = None, prefix: str = "", **shown: Any) -> None:
        super().__init__({meaning.key: _field(meaning) for meaning in CHANGEABLE}, prefix)
        self.process(formdata, obj, **shown)

    def of(self, variant: Variant) -> Iterator[Field]:
        """The fields that mean something in a variant."""
        yield from (self[meaning.key] for meaning in CHANGEABLE if meaning.key not in variant.unused)

    def hint_of(self, field: Field) -> str:
        """What a newcomer may ask, and what may be typed: the range, and what a blank means."""
        house = meanings()[field.short_name].house or {}
        explained = gettext(EXPLAINED.get(field.short_name, ""))
        return " ".join(filter(None, [explained, self._range_of(field, house)]))

    def _range_of(self, field: Field, house: Mapping[str, Any]) -> str:
        if "choices" in house:
            return ""
        hint = _("%(least)s to %(most)s") % house
        if not house.get("none"):
            return hint
        return _("%(range)s; blank for “%(none)s”") % {"range": hint, "none": say(field.short_name, None, gettext)}

    def changed(self, variant: Variant) -> dict[str, Value]:
        """The values this table changes; an out-of-range value becomes an error of its field."""
        told = {field.short_name: self._told(field, variant) for field in self.of(variant)}
        return {key: value for key, value in told.items() if value != getattr(variant, key)}

    def _told(self, field: Field, variant: Variant) -> Value:
        meaning = meanings()[field.short_name]
        house = meaning.house or {}
        usual: Value = getattr(variant, meaning.key)
        if field.errors or field.data == "":
            return usual
        if "choices" in house:
            return next((choice for choice in house["choices"] if str(choice) == field.data), usual)
        if field.data is None:
            return None if house.get("none") else usual
        try:
            return meaning.check(field.data)
        except Malformed as error:
            field.errors = [error.say(gettext)]
            return usual


def as_typed(variant: Variant, house: dict[str, Value]) -> dict[str, Any]:
    """The form's data for a variant with some house rules: what the fields show at first."""
    values = dict(variant.values) | house
    return {meaning.key: _shown(meaning, values[meaning.key]) for meaning in CHANGEABLE}


def _shown(meaning: Meaning, value: Value) -> Any:
    return str(value) if "choices" in (meaning.house or {}) else value
