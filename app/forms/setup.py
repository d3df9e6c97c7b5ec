"""What a table plays for, where, and its house rules: asked when a game starts, and when somebody corrects them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from werkzeug.datastructures import MultiDict
from wtforms import BooleanField, Field, FormField, RadioField, SelectField, StringField
from wtforms.form import BaseForm
from wtforms.validators import ValidationError

from app.forms.entry import EntryForm, OneOfField
from app.forms.fields import MoneyField, MoneyForm, WholeField, folded, options, short_enough
from app.i18n import N_, _, gettext
from app.kalooki.cards import Malformed
from app.kalooki.game.events import Start
from app.kalooki.game.play import Game
from app.kalooki.money import UNLIKE_MOST, Currency
from app.kalooki.readers import CURRENCY, MOST_CURRENCY, MOST_NOTE, MOST_PLACE
from app.kalooki.rules.wording import called, say
from app.kalooki.variants import STAKES, Meaning, Value, Variant, has_use, meanings

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

CHANGEABLE = tuple(
    meanings()[key]
    for key in (
        *(
            "jokers",
            "ace",
            "sets_of_one_rank",
            "opening_points",
            "discard_after_opening",
            "build_same_turn",
            "joker_from_set",
        ),
        *("last_discard", "warning_at", "kalooki_points", "scoring", "limit", "buy_ins", "buy_in_score", "game_hands"),
        "mishap_points",
    )
)
"""The house rules this page asks for; the others are chosen by JSON."""


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
        yield from (self[meaning.key] for meaning in CHANGEABLE if has_use(variant, meaning.key))

    def hint_of(self, field: Field) -> str:
        """What a newcomer may ask, and what may be typed: the range, and what a blank means."""
        house = meanings()[field.short_name].house or {}
        explained = gettext(EXPLAINED.get(field.short_name, ""))
        return " ".join(filter(None, [explained, self._range_of(field, house)]))

    def _range_of(self, field: Field, house: Mapping[str, Any]) -> str:
        if "choices" in house:
            return ""
        hint = _("{least} to {most}").format(least=house["least"], most=house["most"])
        if not house.get("none"):
            return hint
        return _("{range}; blank for “{none}”").format(range=hint, none=say(field.short_name, None, gettext))

    def changed(self, variant: Variant) -> dict[str, Value]:
        """The values this table changes; an out-of-range value becomes an error of its field."""
        values = {field.short_name: self._chosen(field, variant) for field in self.of(variant)}
        return {key: value for key, value in values.items() if value != getattr(variant, key)}

    def _chosen(self, field: Field, variant: Variant) -> Value:
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
    return {meaning.key: _as_choice(meaning, values[meaning.key]) for meaning in CHANGEABLE}


def _as_choice(meaning: Meaning, value: Value) -> Any:
    return str(value) if "choices" in (meaning.house or {}) else value


class TermsForm(MoneyForm):
    """Money, the limit and house rules of one variant, and where the table plays."""

    out_at = RadioField(_("When is a player out of the game?"), choices=[])
    money = BooleanField(_("Play for money"))
    currency = StringField(
        _("Currency"), filters=[folded], render_kw={"data-decimals": json.dumps(UNLIKE_MOST, separators=(",", ":"))}
    )
    call_up = MoneyField(called("stakes", "call_up", "title", gettext))
    kalooki = MoneyField(called("stakes", "kalooki", "title", gettext))
    initial = MoneyField(called("stakes", "initial", "title", gettext))
    buy_in = MoneyField(called("stakes", "buy_in", "title", gettext))
    settle = RadioField(
        _("How is it paid?"),
        choices=options(
            (("account", _("On account, settled at the end")), ("cash", _("Thrown on the table as it falls due")))
        ),
    )
    house = FormField(HouseForm)
    place = StringField(_("Where do you play?"), filters=[folded], validators=[short_enough(MOST_PLACE)])
    note = StringField(_("Note to this game"), filters=[folded], validators=[short_enough(MOST_NOTE)])

    def counted_in(self, contents: Mapping[str, Any], /) -> Currency:
        """The currency chosen, with its own decimals."""
        return Currency.called(folded(contents.get("currency")))

    def offer_limits(self) -> None:
        """Word the two readings of the limit with the limit now in the form."""
        words = (("limit", _("At {limit} or more")), ("over_limit", _("Only over {limit}")))
        self.out_at.choices = options((value, text.format(limit=self.limit)) for value, text in words)

    @property
    def played(self) -> Variant:
        """The variant the answers are for."""
        raise NotImplementedError

    @property
    def limit(self) -> int | None:
        """The total at which a player is out under these house rules; None if nobody goes out."""
        typed = self.house.form["limit"]
        limit: int | None = self.played.limit if typed.errors else typed.data
        return limit

    @property
    def stakes_typed(self) -> dict[str, int | None]:
        """What was typed for each stake of the variant, in minor units; None if blank."""
        return {stake: self[stake].data for stake in STAKES if getattr(self.played, f"stake_{stake}")}

    def validate_currency(self, field: StringField) -> None:
        """Require a few letters, such as EUR."""
        if self.money.data and not 0 < len(field.data or "") <= MOST_CURRENCY:
            raise ValidationError(_("Write the currency in 1 to 8 characters, such as EUR."))


class SetupForm(TermsForm, EntryForm):
    """Dealer, stakes, house rules, place and note as they should have been; only differences are recorded."""

    kinds = ("setup",)
    title = N_("Correct the dealer, stakes or house rules")
    lead = N_("As if it had been so from the start: every total and all money is computed again.")

    dealer = OneOfField(_("Who dealt first?"))

    def __init__(self, game: Game, start: Start, formdata: MultiDict[str, str] | None) -> None:
        self.start = start
        super().__init__(game, formdata=formdata, data=as_set(game, start))
        self.dealer.choices = options((str(seat), game.name(seat)) for seat in range(1, len(start.players) + 1))
        self.offer_limits()

    @property
    def played(self) -> Variant:
        """The variant as this table plays it."""
        return self.game.variant

    def counted_in(self, contents: Mapping[str, Any], /) -> Currency:
        """What the game counts in already; the currency chosen if it had no money so far."""
        return self.game.currency if self.game.stakes else super().counted_in(contents)

    def event(self) -> dict[str, Any]:
        """What differs from the current setup; out-of-range house rules become errors of their fields."""
        told = self.house.form.changed(self.played)
        if self.limit is not None and self.out_at.data != self.played.out_at:
            told[ASKED_OPENLY] = self.out_at.data
        event: dict[str, Any] = {"kind": "setup"}
        if int(self.dealer.data) != self.start.dealer:
            event["dealer"] = int(self.dealer.data)
        if self.settle.data != self.start.settle:
            event["settle"] = self.settle.data
        said = {"place": self.place.data or "", "note": self.note.data or ""}
        event |= {name: text for name, text in said.items() if text != getattr(self.start, name)}
        return event | self._stakes() | ({"house": told} if told else {})

    def validate(self, extra_validators: Any = None) -> bool:
        """Require readable answers, at least one of them different from the current setup."""
        if super().validate(extra_validators) and len(self.event()) == 1 and not self.errors:
            self.form_errors.append(_("Nothing here differs from how the table already plays."))
        return not self.errors

    def _stakes(self) -> dict[str, Any]:
        """The stakes that differ; null if the game no longer has money."""
        if not self.played.has_stakes:
            return {}
        now = self.game.stakes
        if not self.money.data:
            return {"stakes": None} if now else {}
        typed = {stake: amount for stake, amount in self.stakes_typed.items() if amount is not None}
        counted_in = {"currency": self.currency.data} if now else Currency.called(self.currency.data or "").stated
        stakes = counted_in | typed
        changed = {key: value for key, value in stakes.items() if now is None or now[key] != value}
        return {"stakes": changed} if changed else {}


def as_set(game: Game, start: Start) -> dict[str, Any]:
    """The current setup as the form's data."""
    return {
        "dealer": start.dealer,
        "out_at": game.variant.out_at,
        "money": game.stakes is not None,
        "settle": start.settle,
        "place": start.place,
        "note": start.note,
        "house": as_typed(game.variant, {}),
        **(game.stakes or {"currency": CURRENCY}),
    }
