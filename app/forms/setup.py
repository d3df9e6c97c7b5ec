"""Corrections to the setup: the game is computed again from the start."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.forms.entry import EntryForm, OneOfField
from app.forms.fields import options
from app.forms.house import ASKED_OPENLY, as_typed
from app.forms.terms import TermsForm
from app.i18n import N_, _
from app.kalooki.money import Currency
from app.kalooki.readers import CURRENCY

if TYPE_CHECKING:
    from collections.abc import Mapping

    from werkzeug.datastructures import MultiDict

    from app.kalooki.game.events import Start
    from app.kalooki.game.play import Game
    from app.kalooki.variants import Variant


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

    def counted_in(self, told: Mapping[str, Any], /) -> Currency:
        """What the game counts in already; the currency chosen if it had no money so far."""
        return self.game.currency if self.game.stakes else super().counted_in(told)

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
        told = counted_in | typed
        changed = {key: value for key, value in told.items() if now is None or now[key] != value}
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
