"""A ruling the table keeps: who claimed, whether it was upheld, and what it cost."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import uuid4

from werkzeug.datastructures import MultiDict
from wtforms import Form, HiddenField, RadioField, SelectField, StringField

from app.forms.fields import MoneyField, WholeField, options, whole_typed
from app.kalooki.reading import MOST_NOTE
from app.kalooki.table import Game
from app.recording import Table
from app.words import _

NOBODY = ""


class RulingForm(Form):
    """What is added to a claim and its verdict when the table keeps them."""

    submission = HiddenField()
    seen = HiddenField()
    seat = SelectField(_("Whose claim"), validate_choice=False)
    upheld = RadioField(
        _("The table"), choices=options([("yes", _("upholds it")), ("no", _("lets it go"))]), default="yes"
    )
    note = StringField(_("Note"))
    points = WholeField(_("Penalty in points"))
    amount = MoneyField(_("Penalty into the pool"))

    def event(self, check: str, claim: Mapping[str, Any], ruling: Mapping[str, Any]) -> dict[str, Any]:
        """The ruling as an event in JSON, whatever was typed."""
        faults = list(dict.fromkeys(fault["rule"] for fault in ruling["faults"]))
        return {
            "kind": "ruling",
            "check": check,
            "claim": claim,
            "verdict": {"ok": ruling["ok"], "rules": ruling["rules"], "faults": faults},
            "seat": whole_typed(self.seat.data, digits=2),
            "note": (self.note.data or "")[:MOST_NOTE],
            "points": self.points.data or 0,
            "amount": self.amount.data or 0,
            "upheld": self.upheld.data != "no",
        }


def ruling_form(table: Table, typed: MultiDict[str, str] | None = None) -> RulingForm:
    """The form for one game: empty, or as it was sent; a game without money asks for no amount."""
    form = RulingForm(formdata=typed)
    form.seat.choices = options([(NOBODY, _("nobody in particular")), *_seats(table.game)])
    if table.game.stakes is None:
        del form.amount
    form.seen.data = str(table.seen)
    form.submission.data = form.submission.data or str(uuid4())
    return form


def _seats(game: Game) -> list[tuple[str, str]]:
    return [(str(player.seat), player.name) for player in game.players.values() if not player.has_left]
