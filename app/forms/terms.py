"""What a table plays for, where, and its house rules: asked when a game starts, and when somebody corrects them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from wtforms import BooleanField, FormField, RadioField, StringField
from wtforms.validators import ValidationError

from app.forms.fields import MoneyField, MoneyForm, folded, options, short_enough
from app.forms.house import HouseForm
from app.i18n import _, gettext
from app.kalooki.money import UNLIKE_MOST, Currency
from app.kalooki.readers import MOST_CURRENCY, MOST_NOTE, MOST_PLACE
from app.kalooki.rules.wording import called
from app.kalooki.variants import STAKES, Variant


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

    def counted_in(self, told: Mapping[str, Any], /) -> Currency:
        """The currency chosen, with its own decimals."""
        return Currency.called(folded(told.get("currency")))

    def offer_limits(self) -> None:
        """Word the two readings of the limit with the limit now in the form."""
        words = (("limit", _("At %(limit)s or more")), ("over_limit", _("Only over %(limit)s")))
        self.out_at.choices = options((value, text % {"limit": self.limit}) for value, text in words)

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
