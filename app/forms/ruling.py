"""A ruling the table keeps: who claimed, whether the table upheld it, and what it cost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wtforms import HiddenField, SelectField, StringField

from app.forms.entry import EntryForm, OneOfField
from app.forms.fields import MoneyField, WholeField, folded, options, short_enough
from app.i18n import N_, _
from app.kalooki.readers import MOST_NOTE, whole_typed

if TYPE_CHECKING:
    from app.kalooki.game.play import Game

NOBODY = ""


def _upheld(told: object) -> str:
    """The choice for a value that was sent or recorded."""
    return "no" if told in ("no", False) else "yes"


class RulingForm(EntryForm):
    """What the table adds to a claim and its verdict when it keeps them, and may correct later."""

    kinds = ("ruling",)
    title = N_("Ruling")
    lead = N_("Points count against the player at once and can knock out; money goes into the pool.")

    query = HiddenField()
    """The claim of a new ruling as the check's query string; a recorded ruling keeps its own claim."""
    seat = SelectField(_("Whose claim"), validate_choice=False)
    upheld = OneOfField(
        _("The table"),
        choices=options([("yes", _("goes by this ruling")), ("no", _("plays on all the same"))]),
        coerce=_upheld,
        default="yes",
    )
    note = StringField(_("Note"), filters=[folded], validators=[short_enough(MOST_NOTE)])
    points = WholeField(_("Penalty in points"))
    amount = MoneyField(_("Penalty into the pool"))

    def __init__(self, game: Game, *args: Any, **kwargs: Any) -> None:
        super().__init__(game, *args, **kwargs)
        players = [(str(player.seat), player) for player in game.players.values()]
        claimants = [(seat, each.name) for seat, each in players if not each.has_left or seat == self.seat.data]
        self.seat.choices = options([(NOBODY, _("nobody in particular")), *claimants])
        if not game.stakes:
            del self.amount

    @property
    def costs(self) -> bool:
        """Whether points or an amount were typed."""
        return bool(self._points or self._amount)

    @property
    def _points(self) -> int:
        return self.points.data or 0

    @property
    def _amount(self) -> int:
        return (self.amount.data or 0) if "amount" in self else 0

    def event(self) -> dict[str, Any]:
        """The ruling without its claim and verdict, which the form does not know."""
        return {
            "kind": "ruling",
            "seat": whole_typed(self.seat.data, digits=2),
            "note": self.note.data or "",
            "points": self._points,
            "amount": self._amount,
            "upheld": self.upheld.data == "yes",
        }
