"""The fields on the page of each check, filled in with what the address says already."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from app.forms.claim import Address, next_step, rows
from app.history.phrases import at_once_words
from app.kalooki.rules.wording import contract_words
from app.kalooki.variants import Variant

Options = tuple[tuple[str, str], ...]
"""The values of a choice, each with its label."""


class Control(NamedTuple):
    """One field; `widget` says how it is shown. In a row, the `number` of the row is part of its id.

    The label of a field that `is_bare` is for screen readers only. The `placeholder` shows how to type cards.
    """

    widget: str
    name: str
    label: str
    value: str = ""
    hint: str = ""
    options: Options = ()
    number: int = 0
    is_bare: bool = False
    placeholder: str = "7H 8H *=9H"

    @property
    def id(self) -> str:
        return f"{self.name}-{self.number}" if self.number else self.name


class FieldGroup(NamedTuple):
    """Rows of fields under a title, folded away or not; a list of rows has a `name`, and its last row is empty."""

    rows: list[list[Control]]
    name: str = ""
    title: str = ""
    detail: str = ""
    is_folded: bool = False
    is_open: bool = False


def fields_of(check: str, variant: Variant, address: Address) -> list[Control | FieldGroup]:
    """Return the fields on the page of a check under the rules of a variant."""
    return [*_FIELDS[check](_FieldMaker(variant, address))]


class _FieldMaker(NamedTuple):
    variant: Variant
    address: Address

    def cards(self, name: str, label: str, hint: str) -> Control:
        return Control("cards", name, label, self.address.get(name, ""), hint)

    def choice(self, name: str, label: str, options: Options) -> Control:
        value = self.address.get(name, "")
        return Control("choice", name, label, value if value in dict(options) else options[0][0], options=options)

    def tick(self, name: str, label: str, hint: str = "") -> Control:
        return Control("tick", name, label, "yes" if name in self.address else "", hint)

    def number(self, name: str, label: str) -> Control:
        return Control("number", name, label, self.address.get(name, ""))

    def opened(self) -> Control:
        options = (("yes", "is down"), ("no", "not down yet"))
        return self.choice("opened", "The player", options)._replace(is_bare=True)

    def contract(self) -> Iterator[Control]:
        """Yield the choice of a hand and its contract, if the variant has contracts."""
        contracts = enumerate(self.variant.contracts, 1)
        options = tuple((str(n), f"Hand {n}: {contract_words(self.variant, *each)}") for n, each in contracts)
        if options:
            value = self.address.get("hand_number", "")
            yield Control("select", "hand_number", "Hand and its contract", value, options=options)

    def warned(self) -> Control:
        options = (("", "nobody asked"), ("yes", "yes"), ("no", "no"))
        return self.choice("warned", "Did they say how many cards they had left?", options)

    def meld(self, name: str, label: str, value: str, number: int) -> Control:
        return Control("cards", name, f"{label} {number}", value, example(self.variant), number=number)

    def melds(self, name: str, label: str = "Meld") -> FieldGroup:
        texts = [each for each in self.address.getlist(name) if each]
        return FieldGroup([[self.meld(name, label, each, n)] for n, each in enumerate([*texts, ""], 1)], name)

    def builds(self) -> FieldGroup:
        pairs = [pair for pair in rows(self.address, "on", "add") if pair[1]]
        lines = [
            [
                Control("cards", "on", "On this meld", on, "The meld on the table", number=number),
                Control("cards", "add", "Built", add, "The cards built", number=number),
            ]
            for number, (on, add) in enumerate([*pairs, ("", "")], 1)
        ]
        return FieldGroup(lines, "builds", "Built on the table")


def example(variant: Variant) -> str:
    """Return an example of how to enter a meld with the keys."""
    if variant.has_fours:
        return "K ♠ ♥ ♦ for a three, ♥ 6 7 8 9 for a four"
    return "K ♠ ♥ ♦ for a set" + (", ♥ 7 8 9 for a run" if variant.run_least == 3 else "")


def _folded(group: FieldGroup, title: str, detail: str = "") -> FieldGroup:
    """Return a group that is folded away unless something is typed in it."""
    is_open = any(field.value for row in group.rows for field in row if field.widget == "cards")
    return group._replace(title=title, detail=detail, is_folded=True, is_open=is_open)


def _meld(page: _FieldMaker) -> Iterator[Control | FieldGroup]:
    yield page.cards("cards", "Cards", example(page.variant))._replace(is_bare=True)


def _opening(page: _FieldMaker) -> Iterator[Control | FieldGroup]:
    yield from page.contract()
    yield page.melds("meld")
    if page.variant.builds_open:
        yield page.builds()
    if page.variant.kalooki_ending == "kalooki":
        yield page.tick("kalooki", "A Kalooki: the whole hand at once", "Everything except the card to throw is here.")


def _build(page: _FieldMaker) -> Iterator[Control | FieldGroup]:
    yield page.cards("on", "Meld on the table", example(page.variant))
    yield page.cards("cards", "Cards to tack on" if page.variant.contracts else "Cards to build", "The cards built")
    yield page.opened()
    if page.variant.build_end_limit is not None:
        ends = [page.number("low", "at the low end"), page.number("high", "at the high end")]
        yield FieldGroup([ends], title="Already built on this run this turn")


def _joker(page: _FieldMaker) -> Iterator[Control | FieldGroup]:
    yield page.cards("on", "Meld on the table, with its joker", example(page.variant))
    yield page.cards("give", "Cards given for the joker", "The real cards")
    yield page.opened()


def _out(page: _FieldMaker) -> Iterator[Control | FieldGroup]:
    yield page.opened()
    yield from page.contract()
    yield page.melds("meld", "New meld")
    thrown = "The card thrown" if page.variant.last_discard else "The card thrown, if any"
    yield page.cards("thrown", thrown, "The last card")
    yield _folded(page.builds(), "Built on the table")
    if page.variant.warning_at:
        yield page.warned()


def _count(page: _FieldMaker) -> Iterator[Control | FieldGroup]:
    yield page.cards("cards", "Cards left in the hand", "Every card held")._replace(placeholder="K 9 6 *")
    if page.variant.kalooki_ending == "bending":
        counted = at_once_words(page.variant.kalooki_times, page.variant.kalooki_points)
        yield page.tick("bending", "The winner bent the table", f"The points: {counted}." if counted else "")


def _turn(page: _FieldMaker) -> Iterator[Control | FieldGroup]:
    variant, address = page.variant, page.address
    yield page.cards("hand", "Cards before drawing", "Every card held")
    yield page.opened()
    yield from page.contract()
    if variant.first_draw_free:
        yield page.tick("first_turn", "First turn of the hand", "A discard taken then needn’t be used.")
    on_table = [pair for pair in rows(address, "table", "owner") if pair[0]]
    melds = [
        [
            page.meld("table", "Meld", cards, number),
            Control("row-select", "owner", f"Meld {number}: whose", owner, "", _OWNERS, number),
        ]
        for number, (cards, owner) in enumerate([*on_table, ("", "")], 1)
    ]
    yield _folded(FieldGroup(melds, "table"), "Melds on the table", "those built on, or with a joker")
    yield FieldGroup(_steps(page), "steps", "The turn, step by step")
    if variant.warning_at or variant.has_calls:
        yield _before(page)


def _steps(page: _FieldMaker) -> list[list[Control]]:
    steps = [step for step in rows(page.address, "do", "place", "cards") if step[2]]
    empty = (next_step(steps, page.address.get("opened") == "no"), "", "")
    return [
        [
            Control("row-select", "do", f"Step {number}", do, "", _STEPS, number),
            Control("place", "place", "meld", place, "?", number=number),
            Control("cards", "cards", f"Step {number}: cards", cards, _OF_STEP, number=number, is_bare=True),
        ]
        for number, (do, place, cards) in enumerate([*steps, empty], 1)
    ]


def _before(page: _FieldMaker) -> FieldGroup:
    """Return the questions about what happened before a turn; unanswered, as in a closed fold, they decide nothing."""
    fields = []
    if page.variant.warning_at:
        fields += [page.warned(), page.number("held", "Cards held then, if not those above")]
    if page.variant.has_calls:
        fields.append(page.number("calls", "Calls made in this hand"))
    is_open = page.address.get("warned") in ("yes", "no") or bool(page.address.get("calls"))
    return FieldGroup([fields], title="What happened before", is_folded=True, is_open=is_open)


def _solve(page: _FieldMaker) -> Iterator[Control | FieldGroup]:
    variant = page.variant
    all_at_once = "bend the table" if variant.kalooki_ending == "bending" else "Kalooki"
    most = () if variant.contracts else (("most_points", "lay most points"),)
    goals = (("least_points", "fewest points left"), ("open", "open"), ("go_out", "go out"), ("kalooki", all_at_once))
    opened = (("no", "I’m not down yet"), ("yes", "I’m down"))
    yield page.choice("goal", "What are you after?", (*goals, *most))._replace(widget="select")
    yield page.cards("cards", "The whole hand", "Every card held")
    yield page.choice("opened", "The player", opened)._replace(is_bare=True)
    yield from page.contract()
    yield _folded(page.melds("table"), "Melds on the table", "to build on, or with a joker")
    yield page.cards("discard", "And with the discard on the pile?", "One card, on top of these")


_OF_STEP = "The cards of this step"
_OWNERS = (("other", "somebody else’s"), ("me", "the player’s own"))
_STEPS = (
    ("stock", "draws from the stock"),
    ("pile", "takes the discard"),
    ("meld", "lays a meld"),
    ("build", "builds on"),
    ("build_low", "builds, low end, on"),
    ("build_high", "builds, high end, on"),
    ("free_joker", "frees the joker of"),
    ("discard", "throws"),
)

_FIELDS: Mapping[str, Callable[[_FieldMaker], Iterator[Control | FieldGroup]]] = {
    "meld": _meld,
    "opening": _opening,
    "build": _build,
    "joker": _joker,
    "out": _out,
    "count": _count,
    "turn": _turn,
    "solve": _solve,
}
