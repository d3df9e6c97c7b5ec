"""Forms about one player: their name, and the colour and sign beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wtforms import RadioField, StringField

from app.forms.entry import EntryForm, OneOfField, check_name, chosen, seats
from app.forms.fields import folded, options
from app.i18n import N_, _, gettext
from app.kalooki.game.faces import COLOURS, is_emoji
from app.kalooki.rules.wording import called

if TYPE_CHECKING:
    from app.kalooki.game.play import Game

EMOJI = (
    "🦊",
    "🐻",
    "🐱",
    "🐶",
    "🦁",
    "🐸",
    "🦉",
    "🐝",
    "🌻",
    "🍀",
    "🍋",
    "🍒",
    "☕",
    "⚽",
    "🎸",
    "🚀",
    "⭐",
    "🔥",
    "👑",
    "🎩",
)
"""The emojis offered for a face; one recorded elsewhere is offered too."""


class RenameForm(EntryForm):
    """A player's name, corrected everywhere."""

    kinds = ("rename",)
    title = N_("Correct a name")
    lead = N_("The name changes everywhere: in the hands played, on the sheets and in what is owed.")
    previews = False

    seat = OneOfField(_("Whose name?"))
    name = StringField(_("New name"), filters=[folded])

    def __init__(self, game: Game, *args: Any, **kwargs: Any) -> None:
        super().__init__(game, *args, **kwargs)
        self.seat.choices = seats(game.players[seat] for seat in game.order)

    def validate_name(self, field: StringField) -> None:
        """A name has 1 to 40 characters."""
        check_name(field)

    def event(self) -> dict[str, Any]:
        """The name corrected."""
        return {"kind": "rename", "seat": chosen(self.seat), "name": self.name.data}

    def suggest(self) -> None:
        """Suggest the current name, once a player is chosen."""
        players = self.game.players.values()
        self.name.data = next((player.name for player in players if str(player.seat) == self.seat.data), "")


class FaceForm(EntryForm):
    """The colour and the emoji beside a player's name."""

    kinds = ("face",)
    title = N_("A player’s colour and sign")
    lead = N_("They stand beside the name wherever it is shown: on the board, the chart and the sheet.")
    previews = False

    seat = OneOfField(_("Whose?"))
    colour = OneOfField(
        _("Colour"), choices=options((each, called("colours", each, "choice", gettext)) for each in COLOURS)
    )
    emoji = RadioField(_("Sign"), coerce=str, default="")

    def __init__(self, game: Game, *args: Any, **kwargs: Any) -> None:
        super().__init__(game, *args, **kwargs)
        self.seat.choices = seats(game.players[seat] for seat in game.order)
        own = self.emoji.data if self.emoji.data and is_emoji(self.emoji.data) else ""
        signs = dict.fromkeys([*EMOJI, *filter(None, [own])])
        self.emoji.choices = options([("", _("none")), *((sign, sign) for sign in signs)])

    def event(self) -> dict[str, Any]:
        """The face chosen."""
        face = {"kind": "face", "seat": chosen(self.seat), "colour": self.colour.data}
        return face | ({"emoji": self.emoji.data} if self.emoji.data else {})

    def suggest(self) -> None:
        """Suggest the present face, once a player is chosen."""
        face = next((each.face for each in self.game.players.values() if str(each.seat) == self.seat.data), None)
        if face:
            self.colour.data, self.emoji.data = face.colour, face.emoji or ""
