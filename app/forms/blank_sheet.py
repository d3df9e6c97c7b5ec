"""What a blank sheet is asked for with, on the page of all paper."""

from __future__ import annotations

from wtforms import Form, StringField

from app.forms.fields import blame
from app.i18n import _, gettext
from app.kalooki.cards import Malformed


class BlankSheetForm(Form):
    """Who plays, and for how much; the address of the sheet reads and refuses it."""

    names = StringField(_("Names, with commas between"))
    players = StringField(_("Number of players"))
    unit = StringField(_("One unit of the stakes"))
    currency = StringField(_("Currency"))

    def blame(self, wrong: Malformed) -> None:
        """Show what cannot be read at its field, whose label names it."""
        text = wrong.say(gettext).removeprefix(f"{wrong.field}: ")
        blame(self, next((each for each in self if each.name == wrong.field), None), text)
