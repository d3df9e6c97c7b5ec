"""The form for a hand (who won, how, what everybody else has left), and a player's own count."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any, NamedTuple

from werkzeug.datastructures import MultiDict
from wtforms import BooleanField, Field, HiddenField, RadioField, SelectChoice, StringField  # type: ignore[attr-defined]
from wtforms.form import BaseForm

from app.forms.entry import EntryForm, TextField
from app.kalooki import readers
from app.kalooki.cards import JOKER, RANKS, BadInput, Card, require_colours, write
from app.kalooki.game.events import NOTE, Event, Hand, from_json
from app.kalooki.game.state import Game
from app.kalooki.points import in_plain_digits, max_points_left, read_cards, read_points
from app.kalooki.readers import Left, whole_typed
from app.kalooki.rules.wording import called
from app.kalooki.variants import Variant

PARTS = ("left", "calls")
_THREE_DIGITS = re.compile(r"[1-9][0-9][1-9]")
"""The digits of two sums, as no sum begins with 0."""


class SeatRow(NamedTuple):
    """The fields of one player; `calls` is None if the variant has no calls, `absent` says not dealt in."""

    seat: int
    name: str
    left: Field
    calls: Field | None
    absent: Field

    @property
    def errors(self) -> list[str]:
        """The errors in this player's row, each once."""
        fields = [self.left, *([self.calls] if self.calls else [])]
        return list(dict.fromkeys(str(error) for field in fields for error in field.errors))


class HandForm(EntryForm):
    """A hand of one game: who won and how, and a row of fields for each player.

    A player who is not in has a row only if something was typed there, so that no typing is lost.
    """

    number = HiddenField()
    """The number that a new hand had on the page where it was typed."""
    copies = HiddenField()
    """The number of copies in which the game continued when that page was rendered."""
    known_copies: int
    """That number; 0 if unreadable."""
    winner = RadioField("Who won?", validate_choice=False)
    ending = RadioField("How did it end?", validate_choice=False)
    note = TextField("Note on this hand", NOTE)

    rows: tuple[SeatRow, ...] = ()
    left: dict[int, Left]
    calls: dict[int, int]
    """What `validate` has read in the rows, by seat."""

    def process(self, formdata: Any = None, obj: object = None, data: Any = None, *more: Any, **named: Any) -> None:
        """Read the form, including the players' rows, whose fields are added first."""
        rows, variant = [], self.game.variant
        formdata = formdata and in_one_field(formdata)
        kinds = {"left": StringField, "calls": StringField, "absent": BooleanField}
        for seat in self.game.order:
            name, is_playing = self.game.players[seat].name, self.game.players[seat].playing
            if is_playing or (formdata and any(formdata.get(f"{part}-{seat}", "").strip() for part in PARTS)):
                for part, kind in kinds.items():
                    if part != "calls" or variant.has_calls:
                        unbound: Any = kind(name)
                        BaseForm.__setitem__(self, f"{part}-{seat}", unbound)  # which `Form` refuses
                fields: dict[str, Any] = {part: self._fields.get(f"{part}-{seat}") for part in kinds}
                rows.append(SeatRow(seat, name, **fields))
        self.rows = tuple(rows)
        super().process(formdata, obj, data, *more, **named)
        self.known_copies = whole_typed(self.copies.data) or 0
        self.winner.choices = [SelectChoice(str(row.seat), row.name) for row in self.rows]
        self.ending.choices = [SelectChoice(each, called("endings", each, "choice")) for each in variant.endings]
        if self.ending.data not in variant.endings:
            self.ending.data = variant.endings[0]

    @property
    def typed_as(self) -> int:
        """The number under which the hand was typed, if the next hand now has a lower one; otherwise 0."""
        number = whole_typed(self.number.data) or 0
        return number if number > self.game.number else 0

    def is_won_by(self, seat: int) -> bool:
        """Return whether that player is chosen as the winner."""
        return str(self.winner.data) == str(seat)

    def validate(self, extra_validators: Any = None) -> bool:
        """Read the rows and return whether everything can be read; each row shows what cannot."""
        is_valid = super().validate(extra_validators)
        self.left, self.calls = {}, {}
        for row in self.rows:
            try:
                if (row.left.data or "").strip():
                    self.left[row.seat] = read_cards(row.left.data, f"left.{row.seat}")
            except BadInput as error:
                self.blame(error, self.game.variant)
                is_valid = False
            try:
                if row.calls and (row.calls.data or "").strip():
                    self.calls[row.seat] = _number(row.calls.data, f"calls.{row.seat}")
            except BadInput as error:
                self.blame(error, self.game.variant)
                is_valid = False
        return is_valid

    def event(self) -> Event:
        """Return the hand, as `validate` has read it; raises BadInput for what cannot be recorded."""
        winner = whole_typed(self.winner.data)
        if winner is None:
            raise BadInput("Say who won.", "winner")
        hand = {
            "kind": "hand",
            "winner": winner,
            "ending": self.ending.data,
            "left": {str(seat): left.plain for seat, left in self.left.items()},
            "calls": {str(seat): calls for seat, calls in self.calls.items()},
            "absent": [row.seat for row in self.rows if row.absent.data],
            "note": self.note.data or "",
        }
        return from_json(hand)

    @property
    def losers(self) -> list[SeatRow]:
        """The rows of everybody who was dealt in and did not win."""
        return [row for row in self.rows if not (self.is_won_by(row.seat) or row.absent.data)]

    @property
    def run_together(self) -> list[str]:
        """The sums of three digits that are two if Next was forgotten after the first two, as questions."""
        entries = [(in_plain_digits(row.left.data), after.name) for row, after in pairwise(self.losers)]
        return [
            f"{points}? Or {points[:2]}, and {points[2]} for {name}?"
            for points, name in entries
            if _THREE_DIGITS.fullmatch(points)
        ]

    def field_at(self, path: str) -> Field | None:
        """Return the field for a path in the event, such as `left.2`, `left.2.points`, `calls.3` or `winner`."""
        what, _dot, rest = path.partition(".")
        seat = rest.partition(".")[0]
        return super().field_at(f"{what}-{seat}" if seat and what in ("left", "calls") else what)


def as_typed(hand: Hand) -> dict[str, Any]:
    """Return the form's data for a recorded hand."""
    data: dict[str, Any] = {"winner": str(hand.winner), "ending": hand.ending, "note": hand.note}
    data |= {f"absent-{seat}": True for seat in hand.absent}
    for seat, left in hand.left.items():
        data[f"left-{seat}"] = as_text(left)
    return data | {f"calls-{seat}": str(calls) for seat, calls in hand.calls.items()}


def as_text(left: Left) -> str:
    """Return what is left as the field for it shows it; a comma tells one number card from points.

    >>> [as_text(read_cards(typed)) for typed in ("k Q7", "4 10", "10,", "10")]
    ['K Q 7', '4 10', '10,', '10']
    """
    cards = write(left.cards)
    return f"{cards}," if cards.isdigit() else cards or str(left.points)


def in_one_field(typed: MultiDict[str, str]) -> MultiDict[str, str]:
    """Return a form with one field for what a player has left, though its page had two: for cards and for points.

    >>> sorted(in_one_field(MultiDict({"cards-2": "10", "points-2": "", "points-3": "28"})).items())
    [('left-2', '10,'), ('left-3', '28')]
    """
    fields = MultiDict(typed)
    for seat in {match[1] for name in typed if (match := _TWO_FIELDS.fullmatch(name))}:
        texts = [fields.pop(f"{part}-{seat}", "") for part in ("cards", "points")]
        fields.setdefault(f"left-{seat}", _one_text(*texts))
    return fields


_TWO_FIELDS = re.compile(r"(?:cards|points)-([0-9]+)")


def _one_text(cards: str, points: str) -> str:
    """Return what was typed in a field for cards and in one for points as one text; two numbers stay side by side."""
    if not cards.strip():
        return points
    is_one_rank = in_plain_digits(cards) in RANKS and cards.strip().isdecimal()
    text = f"{cards.strip()}," if is_one_rank else cards
    try:
        is_cards = bool(read_cards(text).cards)
    except BadInput:
        is_cards = False
    return text if is_cards else f"{cards} {points}".strip()


def _number(text: object, path: str) -> int:
    """Return a typed number; raises BadInput with `path` as its field."""
    number = read_points(text)
    if number is None:
        message = "“{word}” cannot be read. Write a whole number such as 4, or a sum such as 10+7."
        raise BadInput(message, path, str(text or "").strip())
    return number


SUM = "="
"""Marks a stored count as points, because 10 is also a card."""
OUT = "out"
"""The stored count of a player who went out."""


def count_of(text: str, variant: Variant) -> str:
    """Return the count as stored: cards in canonical notation, or points such as `=35`; empty if nothing was typed.

    Raises BadInput.
    """
    if not text.strip():
        return ""
    left = read_cards(text, "left")
    if variant.colour_scores:
        require_colours(left.cards, "left")
    readers.left(left.plain, "left")
    return write(left.cards) or f"{SUM}{left.points}"


def typed_count(count: str) -> str:
    """Return a stored count as it can be typed; `OUT` stays.

    >>> [typed_count(count) for count in ("K Q", "10", "=10", "out")]
    ['K Q', '10,', '10', 'out']
    """
    return f"{count}," if count.isdigit() else count.removeprefix(SUM)


def as_fields(counts: dict[int, str]) -> dict[str, str]:
    """Return players' own counts as fields of the hand form; if several say that they went out, ignore that.

    >>> as_fields({2: "K Q", 3: "35", 4: "out"})
    {'left-2': 'K Q', 'left-3': '35', 'winner': '4'}
    >>> as_fields({2: "out", 4: "out"})
    {}
    """
    out = [seat for seat, count in counts.items() if count == OUT]
    counted = {f"left-{seat}": count for seat, count in counts.items() if count != OUT}
    return counted | ({"winner": str(out[0])} if len(out) == 1 else {})


def counting(game: Game) -> dict[str, Any]:
    """Return what the page needs to count cards: points by key, copies in the packs and the dearest hand.

    Suits do not matter for the points of a key, but the colour of an ace may.
    """
    variant = game.variant
    aces = (Card("A", "red"), Card("A", "black")) if variant.colour_scores else (Card("A"),)
    cards = [*aces, *(Card(rank) for rank in RANKS if rank != "A"), *([JOKER] if variant.jokers else [])]
    worths = {str(card): variant.worth_left[card] for card in cards}
    return {
        "keys": list(worths),
        "worths": worths,
        "ranks": 4 * variant.packs,
        "jokers": variant.jokers,
        "colours": variant.colour_scores,
        "dearest": max_points_left(variant, max(variant.dealt) + variant.cards_called(variant.calls)),
    }
