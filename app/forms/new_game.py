"""The form that starts a game; its players can be moved, added or drawn, and everything else stays as typed."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, cast

from werkzeug.datastructures import MultiDict
from wtforms import (  # type: ignore[attr-defined]
    BooleanField,
    Field,
    FieldList,
    Form,
    FormField,
    HiddenField,
    RadioField,
    SelectChoice,
    SelectField,
    StringField,
)
from wtforms.validators import ValidationError

from app.days import is_zone
from app.forms.entry import (
    CurrencyField,
    EntryForm,
    MoneyField,
    MoneyForm,
    OneOfField,
    TextField,
    blame,
    folded,
)
from app.forms.house import HouseForm
from app.history.formats import MoneyFormat, currency_of, money_format, read_currency, region_of, territory_of
from app.kalooki import readers
from app.kalooki.cards import RANKS, SUITS, BadInput, Card, parse
from app.kalooki.game.events import NOTE, PLACE, Start, read_new
from app.kalooki.game.play import UNIT, Game, recorded_variant
from app.kalooki.money import Currency
from app.kalooki.people import identify
from app.kalooki.points import read_signed_points
from app.kalooki.readers import CURRENCY, whole_typed
from app.kalooki.rules.wording import Difference, called, names
from app.kalooki.variants import STAKES, Variant, all_variants, as_house_rules, ids, load, with_house_rules


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
        choices=[SelectChoice(value, words) for value, words in names("settle").items()],
    )
    house = FormField(HouseForm)
    """Data: `{"base": variant, "house": values}`, what the table plays so far."""
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
        self, game: Game, start: Start, day: str, formdata: MultiDict[str, str] | None, opened: str = ""
    ) -> None:
        self.start, self.day_so_far = start, day
        super().__init__(game, formdata=formdata, data=current_terms(game, start, opened) | {"day": day})
        self.dealer.choices = [SelectChoice(str(seat), game.name(seat)) for seat in range(1, len(start.players) + 1)]

    def money_format(self, contents: Mapping[str, Any], /) -> MoneyFormat:
        """Return how the game's amounts are written; those of the chosen currency if it had no stakes so far."""
        return money_format(self.game) if self.game.stakes else super().money_format(contents)

    def region_of(self, _contents: Mapping[str, Any], /) -> str:
        """Return the region of the game."""
        return region_of(self.game)

    def plain(self) -> dict[str, Any]:
        """Return the entry with everything that differs from the current setup."""
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
            if len(self.plain()) == 1 and not self.errors:
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


def current_terms(game: Game, start: Start, opened: str = "") -> dict[str, Any]:
    """Return the current setup as the form's data, with one group of house rules open."""
    return {
        "dealer": start.dealer,
        "money": game.stakes is not None,
        "settle": start.settle,
        "place": start.place,
        "note": start.note,
        "house": {"base": recorded_variant(start), "house": start.house, "opened": opened},
        **(game.stakes or {"currency": currency_of(region_of(game)) or CURRENCY}),
    }


UNITS = (5, 10, 20, 50)
"""The stakes offered at a tap, in minor units."""

MOST_PLAYERS = len(RANKS)
"""Each player draws a different rank; the packs could not deal to so many anyway."""

FEWEST_SEATS, SEATS_SHOWN = 2, 4

_FIELD = re.compile(r"players-(0|[1-9][0-9]{0,3})-(name|drawn)")


class PlayerForm(Form):
    """One seat: the player's name, and the card drawn for the seat, if any."""

    name = TextField("Name", readers.name)
    drawn = HiddenField()

    def validate_name(self, field: TextField) -> None:
        """Refuse a seat without a name."""
        if not field.data:
            raise ValidationError("Give this player a name, or remove them.")

    @property
    def card(self) -> Card | None:
        """The card drawn for this seat."""
        try:
            return parse(self.drawn.data or "")[0]
        except (BadInput, IndexError):
            return None


class NewGameForm(TermsForm):
    """Who plays what, in which order, for how much."""

    money = BooleanField("Stakes", false_values=("", "none", "false", False))
    """What a tap chose: none, a unit of UNITS, or other; pages of 1.0's first days send y."""
    variant = SelectField("Which version?")
    asked_of = HiddenField()
    rematch_of = HiddenField()
    club = HiddenField()
    zone = HiddenField()
    players = FieldList(FormField(PlayerForm), "Players", max_entries=MOST_PLAYERS)
    dealer = OneOfField("Who deals first", "Say who deals first.")
    unit = MoneyField("Stake")
    hands = StringField("Hands played", filters=[folded])
    totals = StringField("Totals", filters=[folded])
    buy_ins = StringField("Buy-ins used", filters=[folded])
    balances = StringField("Balances", filters=[folded])

    def __init__(self, formdata: MultiDict[str, str] | None, data: dict[str, Any], region: str = "") -> None:
        """Read the form; `region` is the device's, used if no time zone determines the table's."""
        self.device_region = region
        self.currency_is_free = False
        super().__init__(formdata=None if formdata is None else readable(formdata), data=data)
        self.variant.choices = [SelectChoice(variant.id, variant.name) for variant in all_variants()]
        self._label_seats()

    def rearrange(self, do: str) -> None:
        """Change the seats as a button says: `add`, `draw`, `remove-2` or `up-2` (rows count from 0).

        `known-Ann` seats a player of an earlier game in the first empty row. `start` removes empty seats.
        """
        rows = enumerate(self.players.data)
        seats = _rearrange(do, [Seat(row["name"], row["drawn"] or "", self.dealer.data == str(n)) for n, row in rows])
        self.players.process(None, seats)
        if do != "start" or any(seat.deals for seat in seats):  # otherwise an invalid dealer is reported
            self.dealer.data = next((str(row) for row, seat in enumerate(seats) if seat.deals), "0")
        self._label_seats()

    def is_seated(self, name: str) -> bool:
        """Return whether a player of that name has a seat."""
        return identify(name) in [identify(row["name"] or "") for row in self.players.data]

    def show_seats(self, least: int) -> None:
        """Show at least `least` seats, even if fewer were sent."""
        while len(self.players) < least:
            self.players.append_entry()
        self._label_seats()

    def _label_seats(self) -> None:
        self.dealer.choices = [SelectChoice(str(row), "") for row in range(len(self.players))]
        for number, player in enumerate(self.players, 1):
            player.form.name.label.text = f"Player {number}"

    @property
    def asks_of_another(self) -> bool:
        """Whether the answers are for another variant than the one now chosen."""
        return bool(self.asked_of.data != self.played.id)

    @property
    def names_stakes(self) -> bool:
        """Whether the table's house rules set the stakes."""
        return any(f"stake_{stake}" in self.house.form.judgement.fitting for stake in self.stakes)

    def region_of(self, contents: Mapping[str, Any], /) -> str:
        """Return the territory of the table's time zone, or the region of the device if it has none."""
        return territory_of(str(contents.get("zone") or "")) or self.device_region

    @property
    def suggestions(self) -> dict[str, str]:
        """The amounts used for blank stakes; empty for a stake these rules lack, and if the unit cannot be read."""
        amounts = {
            stake: self.unit.written_as.plain(units * self._unit) for stake, units in self.stakes.items() if units
        }
        return dict.fromkeys(self.stakes, "") | ({} if self.unit.process_errors else amounts)

    @property
    def usual_unit(self) -> str:
        """The amount of a unit if none is chosen."""
        return self.unit.written_as.plain(UNIT)

    @property
    def chosen(self) -> str:
        """The choice of stakes: none, a unit of UNITS, or other."""
        sent = self.money.raw_data[0] if self.money.raw_data else ""
        if not self.money.data or sent in _UNITS_SENT:
            return sent or "none"
        is_usual = sent != "other" and self._unit in UNITS and {*self.stake_amounts.values()} <= {None}
        return str(self._unit) if is_usual and not self.unit.process_errors else "other"

    @property
    def offered(self) -> list[tuple[str, str]]:
        """The choices of stakes, each with its words."""
        units = [(sent, self.unit.written_as.brief(unit)) for sent, unit in _UNITS_SENT.items()]
        return [("none", "none"), *units, ("other", "other")]

    @property
    def stakes_in_words(self) -> str:
        """What the stakes are for: “10c call-up a hand, 20c a Kalooki, 50c each into the pool, 50c to buy in”."""
        written_as, amounts = self.unit.written_as, self.amounts
        return ", ".join(
            f"{written_as.brief(amount)} {called('stakes', stake, 'pays')}"
            for stake, amount in amounts.items()
            if amount
        )

    @property
    def _unit(self) -> int:
        sent = self.money.raw_data[0] if self.money.raw_data else ""
        if sent in _UNITS_SENT:
            return _UNITS_SENT[sent]
        return UNIT if self.unit.data is None else self.unit.data

    def start(self) -> Start | None:
        """Return the game's first event; None if it is not possible, and then the form says why."""
        if not self.validate():
            return None
        start = {
            "kind": "start",
            "variant": self.variant.data,
            "players": [row["name"] for row in self.players.data],
            "house": dict(self.house.form.changes),
            "dealer": int(self.dealer.data) + 1,
            "stakes": self._stakes() if self.money.data and self.played.has_stakes else None,
            "settle": self.settle.data,
            "place": self.place.data or "",
            "note": self.note.data or "",
        }
        # a browser may know a zone that this server does not: then the server’s is used
        if is_zone(self.zone.data or ""):
            start["zone"] = self.zone.data
        if start["stakes"]:
            start["unit"] = self._unit
        if region := self.unit.written_as.region:
            start["region"] = region
        try:
            return cast("Start", read_new(start | {"carried": self._read_carried()}))
        except BadInput as error:
            column = _COLUMNS_IN_WORDS.get(error.field)
            self.blame(BadInput(column, error.field) if column else error, self.played)
            return None

    def _read_carried(self) -> dict[str, Any] | None:
        """Return what was played on paper before, column by column; raises BadInput with the name of the field."""
        texts = {name: (self[name].data or "").split() for name in COLUMNS}
        if not any(texts.values()):
            return None
        columns = {name: [self._number(name, word) for word in words] for name, words in texts.items() if words}
        return columns | ({"hands": columns["hands"][0]} if len(columns.get("hands", ())) == 1 else {})

    def _number(self, name: str, word: str) -> int:
        try:
            sign = -1 if name == "balances" and word[0] in "-−" else 1
            number = sign * self.unit.read(word.lstrip("-−")) if name == "balances" else read_signed_points(word)
        except ValueError:
            number = None
        if number is None:
            raise BadInput(
                "“{word}” can’t be read here. Write numbers with spaces between them.", f"carried.{name}.0", word
            )
        return number

    def field_at(self, path: str) -> Field | None:
        what, _dot, rest = path.partition(".")
        if what == "players" and rest:
            return self.players[int(rest) - 1].form.name
        return self[rest.partition(".")[0] or COLUMNS[0]] if what == "carried" else super().field_at(path)

    def _stakes(self) -> dict[str, Any]:
        return Currency.called(self.currency.data or "").stated | self.amounts

    @property
    def amounts(self) -> dict[str, int]:
        """The amount of each stake; the usual one if it is blank."""
        usual = {stake: units * self._unit for stake, units in self.stakes.items()}
        return {stake: usual[stake] if amount is None else amount for stake, amount in self.stake_amounts.items()}


_UNITS_SENT = {str(unit): unit for unit in UNITS}
COLUMNS = ("hands", "totals", "buy_ins", "balances")
"""The fields about a game begun on paper."""
_COLUMNS_IN_WORDS = {
    "carried.hands": "Write how many hands were played, such as 5.",
    "carried.totals": "Write each player’s total, in the order they sit.",
}
"""Messages for errors that concern a whole column."""


def known_variant(variant_id: object) -> Variant:
    """Return the variant with that id, or the first in the menu if there is none."""
    return load(variant_id) if isinstance(variant_id, str) and variant_id in ids() else all_variants()[0]


def blank(variant: Variant) -> dict[str, Any]:
    """Return the data of an empty form."""
    return {
        "variant": variant.id,
        "asked_of": variant.id,
        "players": [{}] * min(max(variant.players_fewest, SEATS_SHOWN), variant.most_players),
        "dealer": "0",
        "unit": UNIT,
        "settle": "account",
        "house": {"base": variant, "house": {}},
    }


def by_rules_of(table: Variant) -> dict[str, Any]:
    """Return the form's data for a new game with the rules of a table."""
    variant, house = as_house_rules(table)
    players: list[Any] = [{}] * min(max(table.players_fewest, SEATS_SHOWN), table.most_players)
    return blank(variant) | {"house": {"base": variant, "house": {}, "answers": house}, "players": players}


def as_before(start: dict[str, Any]) -> dict[str, Any]:
    """Return the form's data for a table that plays as it did in its last game; the next player deals."""
    variant = load(start["variant"])
    stakes = start.get("stakes")
    return blank(variant) | {
        "players": [{"name": name} for name in start["players"]],
        "dealer": str(start.get("dealer", 1) % len(start["players"])),
        "money": stakes is not None,
        "settle": start.get("settle", "account"),
        "zone": start.get("zone", ""),
        "place": start.get("place", ""),
        "house": {"base": variant, "house": {}, "answers": start.get("house", {})},
        **(_convert_stakes(start, with_house_rules(variant, start.get("house", {}))[0]) if stakes else {}),
    }


def _convert_stakes(start: Mapping[str, Any], variant: Variant) -> dict[str, Any]:
    """Return a game's stakes and unit in the decimals that a game gets now, leaving out what cannot be paid in them.

    If the game does not store its unit, it is the one from which most of the stakes follow, preferably the usual one.
    """
    stakes = start["stakes"]
    now, then = Currency.called(stakes["currency"]), Currency.of(stakes)
    values = {name: stakes[name] for name in STAKES if name in stakes}
    values |= {"unit": start["unit"]} if start.get("unit") else {}
    smallest = 10**then.decimals
    amounts = {name: divmod(amount * 10**now.decimals, smallest) for name, amount in values.items()}
    paid = {name: amount for name, (amount, rest) in amounts.items() if not rest}
    sizes = [(amount, getattr(variant, f"stake_{name}", 0)) for name, amount in paid.items()]
    units = Counter(amount // size for amount, size in sizes if amount and size and amount % size == 0)
    unit = max(units, key=lambda each: (units[each], each == UNIT), default=UNIT)
    unit = paid.pop("unit", unit)
    unusual = {name: amount for name, amount in paid.items() if amount != unit * getattr(variant, f"stake_{name}", 0)}
    return now.stated | {"unit": unit} | unusual


class Seat(NamedTuple):
    """One row as typed: the player's name, the card drawn for the seat, and whether the player deals first."""

    name: str
    drawn: str = ""
    deals: bool = False


def readable(contents: MultiDict[str, str]) -> MultiDict[str, str]:
    """Return the form's contents without field names for seats that no page sends and that would break the form.

    >>> readable(MultiDict({"players-0-name": "Ann", "players-²-name": "Ben", "unit": "10"})).to_dict()
    {'players-0-name': 'Ann', 'unit': '10'}
    """
    every = contents.items(multi=True)
    return MultiDict((key, value) for key, value in every if _FIELD.fullmatch(key) or not key.startswith("players-"))


def _rearrange(do: str, seats: list[Seat]) -> list[Seat]:
    what, _dash, whom = do.partition("-")
    if do in _CHANGES:
        return _CHANGES[do](seats)
    if what == "known":
        return _without_cards(_seat_player(whom, seats))
    row = whole_typed(whom, digits=4)
    if row is None or row >= len(seats):
        return seats
    if what == "remove":
        return _without_cards(seats[:row] + seats[row + 1 :])
    if what == "up" and row > 0:
        return _without_cards([*seats[: row - 1], seats[row], seats[row - 1], *seats[row + 1 :]])
    return seats


def _seat_player(name: str, seats: list[Seat]) -> list[Seat]:
    """Return the seats with one more player, in the first empty row or a new one, unless they have a seat."""
    if any(identify(seat.name) == identify(name) for seat in seats):
        return seats
    row = next((row for row, seat in enumerate(seats) if not seat.name), len(seats))
    deals = seats[row].deals if row < len(seats) else False
    return [*seats[:row], Seat(name, deals=deals), *seats[row + 1 :]][:MOST_PLAYERS]


def _without_cards(seats: list[Seat]) -> list[Seat]:
    """Return the seats without the cards drawn, which do not apply after a change by hand."""
    return [seat._replace(drawn="") for seat in seats]


def draw(seats: list[Seat], chance: random.Random) -> list[Seat]:
    """Return the players in the order of the cards they drew (rule `seats`); rows without a name draw nothing.

    There is one card of each rank, ace first, for as many ranks as there are players; the ace deals first.
    """
    players = [seat.name for seat in seats if seat.name.strip()]
    chance.shuffle(players)
    return [
        Seat(name, rank + chance.choice(SUITS), deals=rank == RANKS[0])
        for name, rank in zip(players, RANKS, strict=False)
    ]


def _without_empty(seats: list[Seat]) -> list[Seat]:
    """Return the seats with a name, and empty ones if they are too few; if an empty one deals, the next player does."""
    dealer = next((row for row, seat in enumerate(seats) if seat.deals), None)
    if dealer is not None:
        deals = next((row for row in [*range(dealer, len(seats)), *range(dealer)] if seats[row].name), dealer)
        seats = [seat._replace(deals=row == deals) for row, seat in enumerate(seats)]
    named = [seat for seat in seats if seat.name]
    return named + [Seat("")] * (min(FEWEST_SEATS, len(seats)) - len(named))


_CHANGES: dict[str, Callable[[list[Seat]], list[Seat]]] = {
    "start": _without_empty,
    "add": lambda seats: [*_without_cards(seats), Seat("")][:MOST_PLAYERS],
    "draw": lambda seats: draw(seats, random.SystemRandom()),
}
"""Changes of all seats, by the value of their button."""
