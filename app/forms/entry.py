"""Forms for everything recorded besides hands; each makes one event."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar
from uuid import uuid4

from wtforms import BooleanField, Field, Form, HiddenField, RadioField, SelectChoice, SelectField, StringField  # type: ignore[attr-defined]
from wtforms.form import BaseForm
from wtforms.validators import ValidationError

from app.history.formats import (
    OFFERED,
    MoneyFormat,
    currencies_with_sign,
    money_format,
    read_amount,
    read_currency,
    show_currency,
)
from app.kalooki import readers
from app.kalooki.cards import BadInput
from app.kalooki.faults import Fault
from app.kalooki.game.events import COLOURS, NOTE, is_emoji
from app.kalooki.game.play import Game
from app.kalooki.game.state import Player
from app.kalooki.money import Currency
from app.kalooki.points import read_points, read_signed_points
from app.kalooki.readers import Reader, usable_submission, whole_typed
from app.kalooki.rules.rulebook import explain
from app.kalooki.rules.wording import called, names
from app.kalooki.variants import Variant


def folded(text: str | None) -> str:
    """Return the text without surrounding white space and with single spaces inside.

    >>> folded("  Mary   Ann ")
    'Mary Ann'
    """
    return " ".join((text or "").split())


def blame(form: BaseForm, field: Field | None, text: str) -> None:
    """Show an error at its field, or above the form without one."""
    if field is None:
        form.form_errors.append(text)
    else:
        field.errors = [*field.errors, text]


class TextField(StringField):
    """A line of text, no longer than its reader allows."""

    def __init__(self, label: str, reader: Reader, **kwargs: Any) -> None:
        super().__init__(label, filters=[folded], render_kw={"maxlength": reader.shape["maxLength"]}, **kwargs)


class CurrencyField(TextField):
    """A currency, shown and typed by its sign if the region of the form has one for it."""

    region = ""

    def process_formdata(self, valuelist: Sequence[Any]) -> None:
        if valuelist:
            self.data = read_currency(folded(valuelist[0]), self.region)
            *others, last = currencies_with_sign(self.data, self.region) or [""]
            if others:
                which = f"{', '.join(others)} or {last}"
                raise ValueError(f"“{self.data}” is the sign of several currencies: write {which}.")

    def _value(self) -> str:
        return show_currency(str(self.data or ""), self.region)

    @property
    def offered(self) -> list[tuple[str, str]]:
        """The currencies a page offers, each as it is shown and by its code."""
        return [(show_currency(code, self.region), code) for code in OFFERED]


class WholeField(StringField):
    """A whole number, or None if blank; unreadable text is kept and shown again.

    It is a text field that brings up the keypad, because type=number rounds, scrolls and drops what it cannot read.
    """

    inputmode = "numeric"
    reads = staticmethod(read_points)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.render_kw = {"inputmode": self.inputmode, "autocomplete": "off"}

    def process_formdata(self, valuelist: Sequence[Any]) -> None:
        if valuelist:
            text = folded(valuelist[0])
            self.data: Any = self.read(text) if text else None

    def _value(self) -> str:
        if self.raw_data:
            return str(self.raw_data[0])
        return "" if self.data is None else self.write(self.data)

    def read(self, text: str) -> int:
        number = self.reads(text)
        if number is None:
            message = "“{word}” cannot be read. Write a whole number such as 43, or a sum such as 10+7."
            raise ValueError(message.format(word=text[:60]))
        return number

    def write(self, value: int) -> str:
        return str(value)


class SignedField(WholeField):
    """A whole number that may be below 0."""

    inputmode = "text"
    reads = staticmethod(read_signed_points)


class MoneyField(WholeField):
    """An amount of money, in minor units of the form's currency."""

    inputmode = "decimal"
    written_as = MoneyFormat(Currency())

    def read(self, text: str) -> int:
        return read_amount(text, *self.written_as)

    def write(self, value: int) -> str:
        return self.written_as.plain(value)


class MoneyForm(Form):
    """A form that is saved once, by its submission, and whose amounts are in one currency."""

    submission = HiddenField()

    def money_format(self, contents: Mapping[str, Any], /) -> MoneyFormat:
        """Return how amounts are written; `contents` is what was sent or, if nothing was, what is shown at first."""
        raise NotImplementedError

    def process(
        self, formdata: Any = None, obj: Any = None, data: Any = None, extra_filters: Any = None, **more: Any
    ) -> None:
        """Read the fields, after finding out the currency of the amounts."""
        if fields := [field for field in self if isinstance(field, (MoneyField, CurrencyField))]:
            written_as = self.money_format(ChainMap(formdata or {}, data or {}))
            for field in fields:
                if isinstance(field, MoneyField):
                    field.written_as = written_as
                else:
                    field.region = written_as.region
        super().process(formdata, obj, data, extra_filters, **more)
        if not usable_submission(str(self.submission.data or "")):
            self.start_afresh()

    def start_afresh(self) -> None:
        """Give the form a new submission, so that it is saved as another one."""
        self.submission.data = str(uuid4())

    def blame(self, error: BadInput | Fault, variant: Variant) -> None:
        """Show an error from a reader or the game at the field it is about, or above the form without one."""
        if isinstance(error, BadInput):
            path, text = error.field, error.sentence
        else:
            path, text = str(error.facts.get("field", "")), explain(error, variant).text
        blame(self, self.field_at(path.removeprefix("event.")), text)

    def field_at(self, path: str) -> Field | None:
        """Return the field for a path in the event, such as `stakes.call_up` or `name`."""
        *_, name = path.split(".")
        return next((field for field in self if field.short_name == name), None)


BUTTONS = ("buy_in", "decline", "first", "decider")
"""The kinds of entry that are recorded with a button on the game page."""

FORMS: dict[str, type[EntryForm]] = {}
"""The form of each kind of entry except hands; each form class registers its kinds."""


class EntryForm(MoneyForm):
    """A form that records an entry; it sends along its submission and the newest entry that its page showed."""

    seen = HiddenField()
    seen_entry: int
    """The newest entry that the page showed, as it says in `seen`; 0, which is always too old, if unreadable."""

    kinds: ClassVar[tuple[str, ...]] = ()
    """The kinds of entry this form is for."""
    title: ClassVar[str] = ""
    lead: ClassVar[str] = ""
    lead_with_stakes: ClassVar[str] = ""
    """What is added to the lead at a table that plays for money."""
    save: ClassVar[str] = "Save"
    previews: ClassVar[bool] = True
    """Whether a preview comes before saving."""
    chosen_from: ClassVar[Mapping[str, Callable[[Game], Iterable[Player]]]] = {}
    """The fields that name a player by seat, each with the players it offers."""
    only_with_stakes: ClassVar[tuple[str, ...]] = ()
    """The fields that are left out at a table without money."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        FORMS.update(dict.fromkeys(cls.kinds, cls))

    def __init__(self, game: Game, *args: Any, **kwargs: Any) -> None:
        self.game = game
        super().__init__(*args, **kwargs)
        self.seen_entry = whole_typed(self.seen.data) or 0
        for name, offered in self.chosen_from.items():
            field: Any = self[name]
            field.choices = [SelectChoice(str(player.seat), player.name) for player in offered(game)]
        for name in () if game.stakes else self.only_with_stakes:
            del self[name]

    def money_format(self, _contents: Mapping[str, Any], /) -> MoneyFormat:
        """Return how the game's amounts are written."""
        return money_format(self.game)

    @property
    def questions(self) -> list[Field]:
        """The fields a person fills in."""
        return [field for field in self if not isinstance(field, HiddenField)]

    def plain(self) -> dict[str, Any]:
        """Return the entry in JSON: its kind, and the value of every field."""
        values = {
            field.name: int(field.data) if field.name in self.chosen_from else field.data for field in self.questions
        }
        return {"kind": self.kinds[0]} | values

    def suggest(self) -> None:
        """Fill in the usual values for a new entry."""

    def field_at(self, path: str) -> Field | None:
        return super().field_at({"from": "payer", "kind": ""}.get(path, path))


class OneOfField(RadioField):
    """A choice from a few large rows, with our own message if none is chosen."""

    def __init__(self, label: str, missing: str = "Choose one.", **kwargs: Any) -> None:
        super().__init__(label, **kwargs)
        self.invalid_choice_message = missing


def at_the_table(game: Game) -> list[Player]:
    """Return everybody with a seat, in the order of seats."""
    return [game.players[seat] for seat in game.order]


def still_here(game: Game) -> list[Player]:
    """Return everybody who has not left."""
    return [player for player in game.players.values() if not player.has_left]


def tied_players(game: Game) -> list[Player]:
    """Return those who share first place."""
    return [game.players[seat] for seat in game.winners] if len(game.winners) > 1 else []


class MidHandForm(EntryForm):
    """A form for what may happen during a hand; the button that saves says whether a hand is being played."""

    effect: ClassVar[str] = "count it"
    """What the two buttons say will happen now or after the hand."""
    after_hand = HiddenField()

    @property
    def asks_when(self) -> bool:
        """Whether a hand may be in play, for which this entry would have to wait."""
        return not self.game.finish and len(self.game.playing) > 1

    def plain(self) -> dict[str, Any]:
        """Return the entry; while anything waits for the hand in play, this waits too."""
        waits = self.after_hand.data == "yes" or bool(self.game.pending)
        return super().plain() | ({"after_hand": True} if waits and self.asks_when else {})


class ChargingForm(MidHandForm):
    """A form for points and an amount of money; blank means 0."""

    lead = "Points count against the player."
    lead_with_stakes = "Money goes into the pool."
    only_with_stakes = ("amount",)

    def plain(self) -> dict[str, Any]:
        values = super().plain()
        return values | {"points": values["points"] or 0, "amount": values.get("amount") or 0}


class PenaltyForm(ChargingForm):
    """Points against a player, or money into the pool."""

    kinds = ("penalty",)
    title = "Penalty"
    chosen_from: ClassVar = {"seat": still_here}

    seat = OneOfField("Who?")
    points = SignedField("Points")
    amount = MoneyField("Into the pool")
    rule = HiddenField()
    """The slug of the irregularity for which this is the price, if it is for one."""
    reason = TextField("What for?", NOTE)

    def plain(self) -> dict[str, Any]:
        """Return a penalty."""
        return super().plain() | ({"rule": self.rule.data} if self.rule.data else {})


class VoidForm(EntryForm):
    """A hand that does not count."""

    title = "Redeal – nobody scores"
    save = "Redeal – nobody scores"

    reason = TextField("Why? (optional)", NOTE)


class LeaveForm(MidHandForm):
    """A player leaves the game."""

    kinds = ("leave",)
    title = "Somebody leaves"
    lead = "A player who leaves is not dealt in again."
    lead_with_stakes = (
        "They pay for no later hand. "
        "What they paid stays in the pool; they get it back only if the game ends early and everybody does."
    )
    effect = "they leave"
    chosen_from: ClassVar = {"seat": still_here}

    seat = OneOfField("Who leaves?")


class JoinForm(MidHandForm):
    """A player joins late."""

    kinds = ("join",)
    title = "Somebody joins"
    lead = "The table agrees on the score to start at; usually the highest total still in."
    effect = "deal them in"
    chosen_from: ClassVar = {"after": at_the_table}
    only_with_stakes = ("stake",)

    name = TextField("Name", readers.name)
    points = WholeField("Starts at")
    stake = BooleanField("Pays the stake")
    after = SelectField("Sits after")

    def plain(self) -> dict[str, Any]:
        """Return the entry of joining; a blank score means the usual one."""
        return {"stake": False} | super().plain()

    def suggest(self) -> None:
        """Suggest the last seat and the usual score, paying the stake."""
        self.points.data = max((player.total for player in self.game.playing), default=0)
        self.after.data = str(self.game.order[-1])
        if "stake" in self:
            self.stake.data = True


class EndForm(EntryForm):
    """The players end an open-ended game."""

    kinds = ("end",)
    title = "End the game"
    lead = "The hands played decide. The rules of this game say who wins and who gets the pool."
    save = "End the game"


class StopForm(EntryForm):
    """The players end the game early and, if the pool has money, say what happens to it."""

    kinds = ("stop",)
    title = "End the game early"
    lead = "The game ends early. Its hands still count."
    save = "End the game"

    pool = OneOfField(
        "What happens to the pool?",
        choices=[SelectChoice(pool, called("pools", pool, "choice")) for pool in names("pools")],
    )

    def __init__(self, game: Game, *args: Any, **kwargs: Any) -> None:
        super().__init__(game, *args, **kwargs)
        if not game.pool and not game.finish:
            del self.pool

    def suggest(self) -> None:
        """Suggest paying everybody back, the mildest outcome."""
        if "pool" in self:
            self.pool.data = "refund"


class PaidForm(EntryForm):
    """Cash paid by one player to another."""

    kinds = ("paid",)
    title = "Record a payment"
    lead = "Money one player gives another now, towards what they owe in this game."
    chosen_from: ClassVar = {"payer": at_the_table, "to": at_the_table}

    payer = OneOfField("Who pays?")
    to = OneOfField("Who receives?")
    amount = MoneyField("How much?")

    def validate_amount(self, field: MoneyField) -> None:
        """Refuse an amount of zero."""
        if not field.data and not field.process_errors:
            raise ValidationError("Write the amount, such as 0.50 or 2.")

    def plain(self) -> dict[str, Any]:
        """Return a payment."""
        values = super().plain()
        return values | {"from": values.pop("payer")}


EMOJI = "🦊🐻🐱🐶🦁🐸🦉🐝🌻🍀🍋🍒☕⚽🎸🚀⭐🔥👑🎩"
"""The emojis offered for a player; one recorded elsewhere is offered too."""


class RenameForm(EntryForm):
    """A player's name, corrected everywhere."""

    kinds = ("rename",)
    title = "Correct a name"
    lead = "The name changes everywhere: in the hands played, on the sheets and in what is owed."
    previews = False
    chosen_from: ClassVar = {"seat": at_the_table}

    seat = OneOfField("Whose name?")
    name = TextField("New name", readers.name)

    def suggest(self) -> None:
        """Suggest the current name, once a player is chosen."""
        players = self.game.players.values()
        self.name.data = next((player.name for player in players if str(player.seat) == self.seat.data), "")


class FaceForm(EntryForm):
    """The colour and the emoji shown with a player's name."""

    kinds = ("face",)
    title = "A player’s colour and emoji"
    lead = "They appear beside the name everywhere: on the board, the chart and the sheet."
    previews = False
    chosen_from: ClassVar = {"seat": at_the_table}

    seat = OneOfField("Whose?")
    colour = OneOfField("Colour", choices=[SelectChoice(each, called("colours", each)) for each in COLOURS])
    emoji = RadioField("Emoji", coerce=str, default="")

    def __init__(self, game: Game, *args: Any, **kwargs: Any) -> None:
        super().__init__(game, *args, **kwargs)
        own = self.emoji.data if self.emoji.data and is_emoji(self.emoji.data) else ""
        chars = dict.fromkeys([*EMOJI, *filter(None, [own])])
        self.emoji.choices = [SelectChoice("", "none"), *(SelectChoice(char) for char in chars)]

    def plain(self) -> dict[str, Any]:
        """Return the avatar chosen."""
        values = super().plain()
        return {name: value for name, value in values.items() if name != "emoji" or value}

    def suggest(self) -> None:
        """Suggest the present avatar, once a player is chosen."""
        avatar = next((each.avatar for each in self.game.players.values() if str(each.seat) == self.seat.data), None)
        if avatar:
            self.colour.data, self.emoji.data = avatar.colour, avatar.emoji or ""


class OfferForm(EntryForm):
    """An offer to buy in, accepted or declined."""

    kinds = ("buy_in", "decline")
    title = "Buying in"
    lead = "The player who could buy in then, and their answer."
    chosen_from: ClassVar = {"seat": lambda game: [game.players[seat] for seat in game.offers]}

    seat = OneOfField("Who?")
    kind = OneOfField(
        "What did they answer?", choices=[SelectChoice("buy_in", "Buys in"), SelectChoice("decline", "Declines")]
    )


class FirstForm(EntryForm):
    """Who drew the highest card."""

    kinds = ("first",)
    title = "Who plays first?"
    lead = "The highest card drawn plays first in the next hand."
    chosen_from: ClassVar = {"seat": lambda game: game.playing}

    seat = OneOfField("Who drew it?")


class DeciderForm(EntryForm):
    """Who won the deciding hand of a tie."""

    kinds = ("decider",)
    title = "The deciding hand"
    lead = "One of those who tied wins the game alone."
    chosen_from: ClassVar = {"winner": tied_players}

    winner = OneOfField("Who won it?")


class RulingForm(ChargingForm):
    """What the players add to a claim and its verdict when they record it as a ruling; they may correct it later."""

    kinds = ("ruling",)
    title = "Ruling"

    query = HiddenField()
    """The claim of a new ruling, as the query string of its check; a recorded ruling keeps its own claim."""
    seat = SelectField("Whose claim?", validate_choice=False)
    upheld = OneOfField(
        "The table",
        choices=[SelectChoice("yes", "goes by this ruling"), SelectChoice("no", "plays on anyway")],
        coerce=lambda value: "no" if value in ("no", False) else "yes",  # as sent, or as recorded
        default="yes",
    )
    note = TextField("Note", NOTE)
    points = WholeField("Penalty in points")
    amount = MoneyField("Penalty into the pool")

    def __init__(self, game: Game, *args: Any, **kwargs: Any) -> None:
        super().__init__(game, *args, **kwargs)
        players = [(str(player.seat), player) for player in game.players.values()]
        claimants = [
            SelectChoice(seat, each.name) for seat, each in players if not each.has_left or seat == self.seat.data
        ]
        self.seat.choices = [SelectChoice("", "nobody in particular"), *claimants]

    @property
    def costs(self) -> bool:
        """Whether points or an amount were typed."""
        return bool(self.points.data or ("amount" in self and self.amount.data))

    @property
    def asks_when(self) -> bool:
        return super().asks_when and self.costs and self.upheld.data == "yes"

    def plain(self) -> dict[str, Any]:
        """Return the ruling without its claim and verdict, which are not in the form."""
        seat = whole_typed(self.seat.data, digits=2)
        return super().plain() | {"seat": seat, "upheld": self.upheld.data == "yes"}
