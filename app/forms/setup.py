"""The form for stakes, place and house rules, used when a game starts and when somebody corrects them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from werkzeug.datastructures import MultiDict
from wtforms import BooleanField, Field, FormField, RadioField, StringField

from app.forms.entry import (
    CurrencyField,
    EntryForm,
    MoneyField,
    MoneyForm,
    OneOfField,
    TextField,
    blame,
    folded,
    options,
)
from app.forms.house import HouseForm
from app.history.formats import MoneyFormat, currency_of, money_format, read_currency, region_of
from app.kalooki import readers
from app.kalooki.game.events import NOTE, PLACE, Start
from app.kalooki.game.play import Game, recorded_variant
from app.kalooki.money import Currency
from app.kalooki.readers import CURRENCY
from app.kalooki.rules.wording import Difference, called, names
from app.kalooki.variants import STAKES, Variant


class TermsForm(MoneyForm):
    """Stakes, limit and house rules in one variant, and where the table plays."""

    money = BooleanField("Play for money")
    currency = CurrencyField("Currency", readers.currency)
    call_up = MoneyField(called("stakes", "call_up", "title"))
    kalooki = MoneyField(called("stakes", "kalooki", "title"))
    initial = MoneyField(called("stakes", "initial", "title"))
    buy_in = MoneyField(called("stakes", "buy_in", "title"))
    settle = RadioField(
        "How is it paid?",
        choices=options(names("settle").items()),
    )
    house = FormField(HouseForm)
    """Data: `{"book": variant, "house": values}`, what the table plays so far."""
    place = TextField("Where do you play?", PLACE)
    note = TextField("Note on this game", NOTE)

    def money_format(self, contents: Mapping[str, Any], /) -> MoneyFormat:
        """Return how this table writes amounts of the chosen currency."""
        region = self.region_of(contents)
        return MoneyFormat(Currency.called(read_currency(folded(contents.get("currency")), region)), region)

    def region_of(self, contents: Mapping[str, Any], /) -> str:
        """Return the region of the table."""
        raise NotImplementedError

    @property
    def played(self) -> Variant:
        """The variant with the typed rules; with the rules so far if the typed ones cannot be played."""
        rules: HouseForm = self.house.form
        return rules.table

    @property
    def stakes(self) -> dict[str, int]:
        """Each stake in units under these house rules; 0 if they have no such stake."""
        return {stake: getattr(self.played, f"stake_{stake}") for stake in STAKES}

    @property
    def stake_amounts(self) -> dict[str, int | None]:
        """The amount typed for each stake of the variant, in minor units; None if blank."""
        return {stake: self[stake].data for stake, units in self.stakes.items() if units}

    @property
    def amounts(self) -> dict[str, int]:
        """The amount of each stake, as typed; a stake that is blank is left out."""
        return {stake: amount for stake, amount in self.stake_amounts.items() if amount is not None}

    @property
    def differences(self) -> list[Difference]:
        """What the table plays differently from the variant; stakes are amounts of money if it plays for money."""
        written_as = self.initial.written_as
        amounts = {f"stake_{stake}": written_as.amount(amount) for stake, amount in self.amounts.items()}
        differences: list[Difference] = self.house.form.differences
        own = amounts if self.money.data else {}
        return [each._replace(own=own.get(each.key, each.own)) for each in differences]

    def field_at(self, path: str) -> Field | None:
        rules: HouseForm = self.house.form
        what, _dot, key = path.partition(".")
        if what == "house":
            return next((field for field in rules if field.short_name == key), None)
        return super().field_at(path)


class SetupForm(TermsForm, EntryForm):
    """Corrects the dealer, stakes, house rules, place, note and day of a game; only differences are recorded."""

    kinds = ("setup",)
    title = "Change the dealer, stakes or house rules"
    lead = "All totals and money are worked out again, from the first hand."

    dealer = OneOfField("Who dealt first?")
    day = StringField("Played on")

    def __init__(
        self, game: Game, start: Start, day: str, formdata: MultiDict[str, str] | None, open_group: str = ""
    ) -> None:
        self.start, self.day_so_far = start, day
        super().__init__(game, formdata=formdata, data=current_terms(game, start, open_group) | {"day": day})
        self.dealer.choices = options((str(seat), game.name(seat)) for seat in range(1, len(start.players) + 1))

    def money_format(self, contents: Mapping[str, Any], /) -> MoneyFormat:
        """Return how the game's amounts are written; those of the chosen currency if it had no stakes so far."""
        return money_format(self.game) if self.game.stakes else super().money_format(contents)

    def region_of(self, _contents: Mapping[str, Any], /) -> str:
        """Return the region of the game."""
        return region_of(self.game)

    def event(self) -> dict[str, Any]:
        """Return the event with everything that differs from the current setup."""
        rules: HouseForm = self.house.form
        house = {key: value for key, value in rules.changes.items() if rules.is_another(key)}
        answers = {name: self[name].data or "" for name in ("settle", "place", "note")}
        answers["dealer"] = int(self.dealer.data)
        event = {name: answer for name, answer in answers.items() if answer != getattr(self.start, name)}
        if self.day.data and self.day.data != self.day_so_far:
            event["day"] = self.day.data
        return {"kind": "setup"} | event | self._stakes() | ({"house": house} if house else {})

    def validate(self, extra_validators: Any = None) -> bool:
        """Return whether answers can be read, one of them differs, and every new stake has an amount."""
        if super().validate(extra_validators):
            for stake, amount in self.stake_amounts.items():
                if self.money.data and not amount and self.house.form.is_another(f"stake_{stake}"):
                    blame(self, self[stake], "The table has this stake now: write its amount.")
            if len(self.event()) == 1 and not self.errors:
                self.form_errors.append("Nothing here differs from how the table already plays.")
        return not self.errors

    def _stakes(self) -> dict[str, Any]:
        """Return the stakes that differ; null if the game is no longer for money."""
        if not self.played.has_stakes:
            return {}
        now = self.game.stakes
        if not self.money.data:
            return {"stakes": None} if now else {}
        amounts = self.amounts
        currency = self.currency.data or ""
        if now and currency == read_currency(now["currency"], self.currency.region):
            currency = now["currency"]
        counted_in = {"currency": currency} if now else Currency.called(currency).stated
        stakes = counted_in | amounts
        different = {key: value for key, value in stakes.items() if now is None or now[key] != value}
        return {"stakes": different} if different else {}


def current_terms(game: Game, start: Start, open_group: str = "") -> dict[str, Any]:
    """Return the current setup as the form's data, with one group of house rules open."""
    return {
        "dealer": start.dealer,
        "money": game.stakes is not None,
        "settle": start.settle,
        "place": start.place,
        "note": start.note,
        "house": {"book": recorded_variant(start), "house": start.house, "open_group": open_group},
        **(game.stakes or {"currency": currency_of(region_of(game)) or CURRENCY}),
    }
