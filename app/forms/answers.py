"""Corrections of answers given with one button on the game page."""

from __future__ import annotations

from typing import Any

from app.forms.entry import EntryForm, OneOfField, chosen, seats
from app.forms.fields import options
from app.i18n import N_, _
from app.kalooki.game.play import Game

BUTTONS = ("buy_in", "decline", "first", "decider")
"""The kinds recorded with a button on the game page."""


class OfferForm(EntryForm):
    """An offer to buy in, accepted or declined."""

    kinds = ("buy_in", "decline")
    title = N_("Buying in")
    lead = N_("The player who could buy in then, and their answer.")

    seat = OneOfField(_("Who?"))
    kind = OneOfField(
        _("What did they answer?"), choices=options([("buy_in", _("Buys in")), ("decline", _("Declines"))])
    )

    def __init__(self, game: Game, *args: Any, **kwargs: Any) -> None:
        super().__init__(game, *args, **kwargs)
        self.seat.choices = seats(game.players[seat] for seat in game.offers)

    def event(self) -> dict[str, Any]:
        """A buy-in, or a declined one."""
        return {"kind": self.kind.data, "seat": chosen(self.seat)}


class FirstForm(EntryForm):
    """Who drew the highest card."""

    kinds = ("first",)
    title = N_("Who plays first?")
    lead = N_("The highest card drawn plays first in the next hand.")

    seat = OneOfField(_("Who drew it?"))

    def __init__(self, game: Game, *args: Any, **kwargs: Any) -> None:
        super().__init__(game, *args, **kwargs)
        self.seat.choices = seats(game.playing)

    def event(self) -> dict[str, Any]:
        """Who plays first."""
        return {"kind": "first", "seat": chosen(self.seat)}


class DeciderForm(EntryForm):
    """Who won the deciding hand of a tie."""

    kinds = ("decider",)
    title = N_("The deciding hand")
    lead = N_("One of those who tied wins the game alone.")

    winner = OneOfField(_("Who won it?"))

    def __init__(self, game: Game, *args: Any, **kwargs: Any) -> None:
        super().__init__(game, *args, **kwargs)
        tied = game.winners if len(game.winners) > 1 else ()
        self.winner.choices = seats(game.players[seat] for seat in tied)

    def event(self) -> dict[str, Any]:
        """The tie decided."""
        return {"kind": "decider", "winner": chosen(self.winner)}
