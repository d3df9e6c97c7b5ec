"""A hand as the table records it: who won, how, and what everybody else has left; and what a player counts alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from werkzeug.datastructures import MultiDict
from wtforms import Field, RadioField, StringField
from wtforms.form import BaseForm

from app.forms.entry import EntryForm
from app.forms.fields import folded, options
from app.i18n import _, gettext
from app.kalooki.cards import JOKER, RANKS, Card, Malformed, parse_left, write
from app.kalooki.game.events import Hand
from app.kalooki.game.state import Game
from app.kalooki.readers import whole_typed
from app.kalooki.rules.wording import called
from app.kalooki.scoring import dearest_left, gaps_left
from app.kalooki.variants import Variant

MOST_DIGITS = 6
PARTS = ("cards", "points", "calls")


class SeatRow(NamedTuple):
    """The fields of one player; `calls` is None if the variant has no calls."""

    seat: int
    name: str
    cards: Field
    points: Field
    calls: Field | None

    @property
    def errors(self) -> list[str]:
        """The errors in this player's row, each once."""
        fields = [self.cards, self.points, *([self.calls] if self.calls else [])]
        return list(dict.fromkeys(str(error) for field in fields for error in field.errors))


class HandForm(EntryForm):
    """A hand of one game: who won and how, and a row of fields for each player.

    A player who is not in keeps their row if something was typed in it: nothing typed is lost.
    """

    winner = RadioField(_("Who won?"), validate_choice=False)
    ending = RadioField(_("How did it end?"), validate_choice=False)
    note = StringField(_("Note to this hand"), filters=[folded])

    rows: tuple[SeatRow, ...] = ()

    def __init__(self, game: Game, typed: MultiDict[str, str] | None, **shown: Any) -> None:
        super().__init__(game, formdata=typed, data=shown)
        self.winner.choices = options((str(row.seat), row.name) for row in self.rows)
        endings = game.variant.endings
        self.ending.choices = options((ending, called("endings", ending, "choice", gettext)) for ending in endings)
        if self.ending.data not in endings:
            self.ending.data = endings[0]

    def process(self, formdata: Any = None, obj: object = None, data: Any = None, *more: Any, **named: Any) -> None:
        """Read what was typed, including the players' rows."""
        players = self.game.players
        seats = [seat for seat in self.game.order if players[seat].playing or _has(formdata, seat)]
        self.rows = tuple(self._row(seat, self.game.name(seat)) for seat in seats)
        super().process(formdata, obj, data, *more, **named)

    def _row(self, seat: int, name: str) -> SeatRow:
        """The fields of a player, added to the form."""
        cards = self._added(f"cards-{seat}", _("{name}: cards left").format(name=name))
        points = self._added(f"points-{seat}", _("{name}: points").format(name=name))
        has_calls = self.game.variant.has_calls
        calls = self._added(f"calls-{seat}", _("{name}: calls made").format(name=name)) if has_calls else None
        return SeatRow(seat, name, cards, points, calls)

    def _added(self, name: str, label: str) -> Field:
        unbound: Any = StringField(label)
        BaseForm.__setitem__(self, name, unbound)  # which `Form` refuses
        return self[name]

    def is_won_by(self, seat: int) -> bool:
        """Whether that player is ticked as the winner."""
        return str(self.winner.data) == str(seat)

    def event(self) -> dict[str, Any]:
        """The hand as an event in JSON, exactly as typed; only numbers are read here.

        Raises Malformed for an unreadable number.
        """
        hand = {
            "kind": "hand",
            "winner": _whole(self.winner.data, "winner"),
            "ending": self.ending.data,
            "left": dict(_left_of(self.rows)),
            "calls": {
                str(row.seat): _whole(row.calls.data, f"calls.{row.seat}")
                for row in self.rows
                if row.calls is not None and row.calls.data
            },
        }
        return hand | ({"note": self.note.data} if self.note.data else {})

    def _field_at(self, path: str) -> Field | None:
        """The field for a path in the event: `left.2`, `left.2.points`, `calls.3`, `winner`."""
        what, _dot, rest = path.partition(".")
        seat, _dot, part = rest.partition(".")
        if what == "left" and seat:
            row = next((row for row in self.rows if str(row.seat) == seat), None)
            at_points = row is not None and (part == "points" or not row.cards.data)
            return None if row is None else row.points if at_points else row.cards
        return super()._field_at(f"calls-{seat}" if what == "calls" else what)


def as_typed(hand: Hand) -> dict[str, Any]:
    """The form's data for a hand already recorded."""
    shown: dict[str, Any] = {"winner": str(hand.winner), "ending": hand.ending, "note": hand.note}
    for seat, left in hand.left.items():
        shown[f"cards-{seat}"] = write(left.cards)
        shown[f"points-{seat}"] = "" if left.points is None else str(left.points)
    return shown | {f"calls-{seat}": str(calls) for seat, calls in hand.calls.items()}


def swapped(typed: MultiDict[str, str], one: str, other: str) -> MultiDict[str, str]:
    """What was typed, with the hands of two seats swapped; if one of them won, the other has won instead.

    >>> swapped(MultiDict({"winner": "1", "cards-1": "", "cards-2": "KH"}), "1", "2").to_dict()
    {'winner': '2', 'cards-1': 'KH', 'cards-2': ''}
    """
    seats = {one: other, other: one}
    contents = typed.copy()
    contents["winner"] = seats.get(typed.get("winner", ""), typed.get("winner", ""))
    for part in PARTS:
        for seat, from_seat in seats.items():
            if f"{part}-{seat}" in typed or f"{part}-{from_seat}" in typed:
                contents[f"{part}-{seat}"] = typed.get(f"{part}-{from_seat}", "")
    return contents


def _has(typed: MultiDict[str, str] | None, seat: int) -> bool:
    return typed is not None and any(typed.get(f"{part}-{seat}", "").strip() for part in PARTS)


def _left_of(rows: tuple[SeatRow, ...]) -> Iterator[tuple[str, Any]]:
    """What each player has left, as the event writes it; skips empty rows."""
    for row in rows:
        cards, points = sorted_out(str(row.cards.data or "").strip(), str(row.points.data or "").strip())
        if points:
            as_cards = {"cards": cards} if cards else {}
            yield str(row.seat), as_cards | {"points": _whole(points, f"left.{row.seat}.points")}
        elif cards:
            yield str(row.seat), cards


def sorted_out(cards: str, points: str) -> tuple[str, str]:
    """Cards and points, even if one was typed in the other's field.

    >>> sorted_out("43", ""), sorted_out("", "KH QD"), sorted_out("K K 10", "30")
    (('', '43'), ('KH QD', ''), ('K K 10', '30'))
    """
    if not points and cards.isdigit() and not _are_cards(cards):
        return "", cards
    if not cards and not points.isdigit() and _are_cards(points):
        return points, ""
    return cards, points


def _are_cards(text: str) -> bool:
    try:
        return bool(parse_left(text))
    except Malformed:
        return False


def _whole(text: object, path: str) -> int:
    """A number as typed; raises Malformed naming the path."""
    number = whole_typed(text, MOST_DIGITS)
    if number is None:
        message = _("Say who won.") if path == "winner" else _("“{word}” is no whole number.")
        raise Malformed(message, path, str(text or "").strip())
    return number


MOST_POINTS_DIGITS = 4
SUM = "="
"""Marks points, because 10 is also a card."""
OUT = "out"
"""Says that the player went out."""


def count_of(cards: str, points: str, variant: Variant) -> str:
    """The count as stored: cards in canonical notation, or points such as `=35`; empty if nothing was typed.

    Raises Malformed naming the field.
    """
    cards, points = sorted_out(cards.strip(), points.strip())
    if cards:
        return write(parse_left(cards, "cards", variant.colour_scores))
    if not points:
        return ""
    number = whole_typed(points, MOST_POINTS_DIGITS)
    if number is None:
        raise Malformed("“{word}” is no whole number.", "points", points)
    return f"{SUM}{number}"


def as_fields(counts: dict[int, str]) -> dict[str, str]:
    """Players' own counts as fields of the hand form; if several say that they went out, none is believed.

    >>> as_fields({2: "K Q", 3: "=35", 4: "out"})
    {'cards-2': 'K Q', 'points-3': '35', 'winner': '4'}
    >>> as_fields({2: "out", 4: "out"})
    {}
    """
    out = [seat for seat, kept in counts.items() if kept == OUT]
    counted = {
        f"points-{seat}" if kept.startswith(SUM) else f"cards-{seat}": kept.removeprefix(SUM)
        for seat, kept in counts.items()
        if kept != OUT
    }
    return counted | ({"winner": str(out[0])} if len(out) == 1 else {})


HANDS_BEFORE = 3
"""How far back a table's habit reaches: one hand counted differently does not change it, two do."""


def counting(game: Game) -> dict[str, Any]:
    """Card points by key, copies in the packs, possible sums by calls, the dearest ever, the table's habit."""
    variant = game.variant
    worths = _worths(variant)
    return {
        "keys": list(worths),
        "worths": worths,
        "ranks": 4 * variant.packs,
        "jokers": variant.jokers,
        "colours": variant.colour_scores,
        "dealt": game.dealt,
        "sums": [_sums(variant, game.dealt + 2 * calls) for calls in range(variant.calls + 1)],
        "dearest": dearest_left(variant, max(variant.dealt) + 2 * variant.calls),
        "mode": _habit(game),
    }


def _worths(variant: Variant) -> dict[str, int]:
    """The points of each card under the name of its key: suits do not matter, but the colour of an ace may."""
    aces = (Card("A", "red"), Card("A", "black")) if variant.colour_scores else (Card("A"),)
    cards = [*aces, *(Card(rank) for rank in RANKS if rank != "A"), *([JOKER] if variant.jokers else [])]
    return {str(card): variant.worth_left[card] for card in cards}


def _sums(variant: Variant, most_cards: int) -> dict[str, Any]:
    """The dearest hand of that many cards, and the lower sums that no cards make."""
    return {"dearest": dearest_left(variant, most_cards), "gaps": gaps_left(variant, most_cards)}


def _habit(game: Game) -> str:
    """How most losers were counted lately, `cards` or `points`; empty before the first hand."""
    hands = [hand.event for hand in game.hands if isinstance(hand.event, Hand)][-HANDS_BEFORE:]
    by_cards = [bool(left.cards) for hand in hands for left in hand.left.values()]
    if not by_cards:
        return ""
    return "cards" if 2 * sum(by_cards) > len(by_cards) else "points"
