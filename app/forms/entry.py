"""Forms for everything recorded besides hands: each makes one event."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar
from uuid import uuid4

from wtforms import BooleanField, HiddenField, RadioField, SelectField, StringField
from wtforms.validators import ValidationError

from app.forms.fields import MoneyField, MoneyForm, WholeField, folded, options, short_enough
from app.i18n import N_, _, gettext
from app.kalooki.cards import Malformed
from app.kalooki.readers import LAST_ENTRY, MOST_NAME, MOST_NOTE, usable_submission, whole_typed
from app.kalooki.rules.rulebook import explain
from app.kalooki.rules.wording import called, names

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from wtforms import Field
    from wtforms.form import BaseForm

    from app.kalooki.faults import Fault
    from app.kalooki.game.play import Game
    from app.kalooki.game.state import Player
    from app.kalooki.money import Currency
    from app.kalooki.variants import Variant


def seen_told(typed: object) -> int:
    """The number of the newest entry a page says it has seen; for anything unreadable 0, which is always too old.

    >>> seen_told("12"), seen_told(""), seen_told("-1")
    (12, 0, 0)
    """
    return min(whole_typed(typed, digits=9) or 0, LAST_ENTRY)


FORMS: dict[str, type[EntryForm]] = {}
"""The form of each kind of entry except hands; each form class registers its kinds."""


class EntryForm(MoneyForm):
    """What every recording form carries: the newest entry its page had seen, and its submission."""

    submission = HiddenField()
    seen = HiddenField()

    kinds: ClassVar[tuple[str, ...]] = ()
    """The kinds of entry this form is for."""
    title: ClassVar[str] = ""
    lead: ClassVar[str] = ""
    save: ClassVar[str] = N_("Save")
    previews: ClassVar[bool] = True
    """Whether a preview comes before saving."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        FORMS.update(dict.fromkeys(cls.kinds, cls))

    def __init__(self, game: Game, *args: Any, **kwargs: Any) -> None:
        self.game = game
        super().__init__(*args, **kwargs)
        if not usable_submission(str(self.submission.data or "")):
            self.start_afresh()

    def counted_in(self, _told: Mapping[str, Any], /) -> Currency:
        """The currency of the game."""
        return self.game.currency

    def start_afresh(self) -> None:
        """Give the form a new submission, different from the one sent before."""
        self.submission.data = str(uuid4())

    @property
    def seen_entry(self) -> int:
        """The newest entry the page had seen; if missing 0, which is always too old."""
        return seen_told(self.seen.data)

    @property
    def asked(self) -> list[Field]:
        """The fields a person fills in."""
        return [field for field in self if not isinstance(field, HiddenField)]

    def event(self) -> dict[str, Any]:
        """What the form records, as an event in JSON."""
        raise NotImplementedError

    def suggest(self) -> None:
        """Fill in the usual values, for an entry not recorded before."""

    def blame(self, error: Malformed | Fault, variant: Variant) -> None:
        """Show an error at the field it is about, or above the form if it is about none."""
        if isinstance(error, Malformed):
            path, text = error.field, error.say(gettext)
        else:
            path, text = str(error.facts.get("field", "")), explain(error, variant, gettext).text
        field = self._field_at(path.removeprefix("event."))
        if field is None:
            self.form_errors.append(text)
        else:
            field.errors = [*field.errors, text]

    def _field_at(self, path: str) -> Field | None:
        name = {"from": "payer", "kind": ""}.get(path, path)
        return next((field for field in self if field.name == name), None)


class OneOfField(RadioField):
    """A choice from a few large rows; our own text says when it is missing."""

    def pre_validate(self, form: BaseForm) -> None:
        """Require one of the choices."""
        try:
            super().pre_validate(form)
        except ValidationError as cause:
            raise ValidationError(_("Choose one.")) from cause


def seats(players: Iterable[Player]) -> Any:
    """Players to choose from, by seat."""
    return options((str(player.seat), player.name) for player in players)


def chosen(field: Field) -> int:
    """The seat chosen in a field."""
    return int(field.data)


class PenaltyForm(EntryForm):
    """Points against a player, or money into the pool."""

    kinds = ("penalty",)
    title = N_("Penalty")
    lead = N_("Points count against the player at once and can knock out; money goes into the pool.")

    seat = OneOfField(_("Who?"))
    points = WholeField(_("Points"))
    amount = MoneyField(_("Into the pool"))
    reason = StringField(_("What for?"), filters=[folded], validators=[short_enough(MOST_NOTE)])

    def __init__(self, game: Game, *args: Any, **kwargs: Any) -> None:
        super().__init__(game, *args, **kwargs)
        self.seat.choices = seats(player for player in game.players.values() if not player.has_left)
        if not game.stakes:
            del self.amount

    def event(self) -> dict[str, Any]:
        """A penalty."""
        amount = self.amount.data if "amount" in self else 0
        event = {"kind": "penalty", "seat": chosen(self.seat), "points": self.points.data or 0}
        return event | {"amount": amount or 0, "reason": self.reason.data or ""}


class VoidForm(EntryForm):
    """A hand that does not count."""

    title = N_("Void hand")
    save = N_("The hand is void")

    reason = StringField(_("Why? (optional)"), filters=[folded], validators=[short_enough(MOST_NOTE)])


class LeaveForm(EntryForm):
    """A player goes home."""

    kinds = ("leave",)
    title = N_("Somebody goes home")
    lead = N_(
        "A player who leaves is not dealt in again and pays nothing more. "
        "What they paid stays in the pool; they get it back only if the table stops early and everybody does."
    )

    seat = OneOfField(_("Who leaves?"))

    def __init__(self, game: Game, *args: Any, **kwargs: Any) -> None:
        super().__init__(game, *args, **kwargs)
        self.seat.choices = seats(player for player in game.players.values() if not player.has_left)

    def event(self) -> dict[str, Any]:
        """The player leaving."""
        return {"kind": "leave", "seat": chosen(self.seat)}


class JoinForm(EntryForm):
    """A player comes late."""

    kinds = ("join",)
    title = N_("Somebody joins")
    lead = N_("The table agrees on the score to start at; usual is the highest total still in.")

    name = StringField(_("Name"), filters=[folded])
    points = WholeField(_("Starts at"))
    stake = BooleanField(_("Pays the initial stake"))
    after = SelectField(_("Sits behind"))

    def __init__(self, game: Game, *args: Any, **kwargs: Any) -> None:
        super().__init__(game, *args, **kwargs)
        self.after.choices = seats(game.players[seat] for seat in game.order)
        if not game.stakes:
            del self.stake

    def validate_name(self, field: StringField) -> None:
        """A name has 1 to 40 characters."""
        check_name(field)

    def event(self) -> dict[str, Any]:
        """The player joining; a blank score is the usual one."""
        event = {"kind": "join", "name": self.name.data, "points": self.points.data, "after": chosen(self.after)}
        return event | {"stake": "stake" in self and bool(self.stake.data)}

    def suggest(self) -> None:
        """Suggest the last seat and the usual score, paying the stake."""
        self.points.data = max((player.total for player in self.game.playing), default=0)
        self.after.data = str(self.game.order[-1])
        if "stake" in self:
            self.stake.data = True


class EndForm(EntryForm):
    """The table ends an open-ended game."""

    kinds = ("end",)
    title = N_("End the game now")
    lead = N_("The hands played decide. The winner and the pool are as the rules of this game say.")
    save = N_("End the game")

    def event(self) -> dict[str, Any]:
        """The end."""
        return {"kind": "end"}


class StopForm(EntryForm):
    """The table stops the game early; if the pool has money, it says what becomes of it."""

    kinds = ("stop",)
    title = N_("Stop here")
    lead = N_("The game is broken off before its end. What has been paid for hands stays paid.")
    save = N_("Stop the game")

    pool = OneOfField(_("What becomes of the pool?"))

    def __init__(self, game: Game, *args: Any, **kwargs: Any) -> None:
        super().__init__(game, *args, **kwargs)
        self.pool.choices = options((pool, called("pools", pool, "choice", gettext)) for pool in names("pools"))
        if not game.pool and not game.finish:
            del self.pool

    def event(self) -> dict[str, Any]:
        """The end, with what becomes of the pool."""
        return {"kind": "stop", "pool": self.pool.data} if "pool" in self else {"kind": "stop"}

    def suggest(self) -> None:
        """Suggest paying everybody back, the gentlest way."""
        if "pool" in self:
            self.pool.data = "refund"


class PaidForm(EntryForm):
    """Cash paid by one player to another."""

    kinds = ("paid",)
    title = N_("Paid in cash")
    lead = N_("Money one player gives another now, towards what they owe in this game.")

    payer = OneOfField(_("Who pays?"))
    to = OneOfField(_("Who receives?"))
    amount = MoneyField(_("How much?"))

    def __init__(self, game: Game, *args: Any, **kwargs: Any) -> None:
        super().__init__(game, *args, **kwargs)
        self.payer.choices = self.to.choices = seats(game.players[seat] for seat in game.order)

    def validate_amount(self, field: MoneyField) -> None:
        """The amount must be more than zero."""
        if not field.data:
            raise ValidationError(_("Write the amount, such as 0.50 or 2."))

    def event(self) -> dict[str, Any]:
        """A payment."""
        return {"kind": "paid", "from": chosen(self.payer), "to": chosen(self.to), "amount": self.amount.data}


def check_name(field: StringField) -> None:
    """Say what is wrong with a player's name."""
    if not field.data:
        raise ValidationError(_("Write the name."))
    if len(field.data) > MOST_NAME:
        raise ValidationError(_("This name is too long: a name has 1 to 40 characters."))
