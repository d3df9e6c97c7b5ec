"""The fields on the page of each check, and the claim that a query string, which people can share, makes in them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any, NamedTuple

from werkzeug.datastructures import MultiDict

from app.history.phrases import at_once_words
from app.kalooki.cards import JOKER, BadInput, parse, write
from app.kalooki.claims import (
    CLAIMS,
    BuildClaim,
    Cards,
    Claim,
    CountClaim,
    DeckClaim,
    JokerClaim,
    MeldClaim,
    OpeningClaim,
    OutClaim,
    SolveClaim,
)
from app.kalooki.game.state import Game
from app.kalooki.readers import whole_typed
from app.kalooki.rules.wording import contract_words
from app.kalooki.variants import Variant

Address = MultiDict[str, str]

CHOICES: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "stock": ("card", {"do": "draw", "from": "stock"}),
    "pile": ("card", {"do": "draw", "from": "discard"}),
    "meld": ("cards", {"do": "meld"}),
    "build": ("cards", {"do": "build"}),
    "build_low": ("cards", {"do": "build", "end": "low"}),
    "build_high": ("cards", {"do": "build", "end": "high"}),
    "free_joker": ("give", {"do": "free_joker"}),
    "discard": ("card", {"do": "discard"}),
}
"""What a row of a turn may do: the key for its cards in the step, and the rest of the step."""

LAYING = ("meld", "build", "build_low", "build_high")
ON_A_MELD = ("build", "build_low", "build_high", "free_joker")
ME, SOMEBODY_ELSE = 1, 2


def body(check: str, variant: Variant, address: Address) -> dict[str, Any]:
    """Return the body of a check, with everything it takes.

    Text that is not a number stays as typed, so that the check refuses it.
    """
    return {each.name: each.value for each in _values(check, variant, address) if each.value is not None}


def read(check: str, body: Mapping[str, Any]) -> Claim:
    """Return the claim in a body; raises BadInput if it cannot be read, or has nothing to judge yet."""
    without_meld = next((number for number, step in enumerate(body.get("steps", ()), 1) if _lacks_meld(step)), None)
    if without_meld:
        raise BadInput(f"Step {without_meld}: on which meld? Enter its number; this turn’s melds come last.")
    claim: Claim = CLAIMS[check].read(body, "")
    if missing := _missing(claim):
        raise BadInput(missing)
    return claim


def as_melds(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return the body of a turn in which steps that do not name their meld yet lay a meld instead."""
    steps = body["steps"]
    lay = ({"do": "meld", "cards": step.get("cards", step.get("give"))} for step in steps)
    return {**body, "steps": [meld if _lacks_meld(step) else step for step, meld in zip(steps, lay, strict=True)]}


def at_table(address: Address, game: Game) -> Address:
    """Return the claim as made at a table: about the hand in play, unless it names another one."""
    if not game.variant.contracts or "hand_number" in address:
        return address
    return MultiDict([*address.items(multi=True), ("hand_number", str(game.claimed_hand))])


def _missing(claim: Claim) -> str:
    """Return what the user must do before there is anything to judge; empty if nothing.

    Two cards are not yet a meld, but break no rule.
    """
    if isinstance(claim, CountClaim | SolveClaim) and not claim.cards:
        return NOTHING_YET
    if isinstance(claim, CountClaim):
        return ""
    melds = _melds(claim)
    if not any((*melds, *(getattr(claim, name, ()) for name in ("hand", "thrown", "goal")))):
        return NOTHING_YET
    if any(len(cards) < FEWEST for cards in melds):
        return "A meld has three cards or more: lay the next one."
    if isinstance(claim, SolveClaim) and claim.opened and claim.goal in ("open", "kalooki"):
        return "You’re down, so you can’t open again: ask for something else, or choose “I’m not down yet”."
    return next((words for name, words in _NEXT_STEPS.items() if getattr(claim, name, None) == ()), "")


def _melds(claim: Claim) -> list[Cards]:
    """Return the melds of a claim, new ones and those on the table; of a turn's steps, only the last one's.

    An earlier step is finished, so a fault in its meld is part of the ruling.
    """
    match claim:
        case MeldClaim():
            return [claim.cards]
        case BuildClaim() | JokerClaim():
            return [claim.on]
        case OpeningClaim() | OutClaim():
            return [*claim.melds, *(on for on, _ in claim.builds)]
        case SolveClaim():
            return [*claim.table]
        case CountClaim() | DeckClaim():  # has no melds
            return []
    return [*(meld.cards for meld in claim.table), *(step.cards for step in claim.steps[-1:] if step.do == "meld")]


def with_discard(address: Address, body: dict[str, Any]) -> dict[str, Any] | None:
    """Return the body with the discard added to the hand; None if no discard is named.

    Raises BadInput unless it is exactly one card.
    """
    discard = parse(address.get("discard", ""), "discard")
    if not discard:
        return None
    if len(discard) > 1:
        raise BadInput("{field}: this must be one card.", "discard", write(discard))
    return body | {"cards": f"{body['cards']} {discard[0]}", "taken": str(discard[0])}


def _steps(address: Address, on_table: int) -> list[dict[str, Any]]:
    """Return the steps that have cards; if there is only one meld, cards without a named meld are built on that."""
    steps = []
    for do, place, cards in rows(address, "do", "place", "cards"):
        if cards.strip():
            steps.append(_step(do, place or ("1" if on_table == 1 else ""), cards))
            on_table += do == "meld"
    return steps


def _step(do: str, place: str, cards: str) -> dict[str, Any]:
    name, step = CHOICES.get(do, ("cards", {"do": do}))
    number = _number(place)
    on = {"on": number - 1 if isinstance(number, int) else number} if do in ON_A_MELD and place.strip() else {}
    return {**step, name: cards, **on}


def _lacks_meld(step: Mapping[str, Any]) -> bool:
    return step["do"] in ("build", "free_joker") and "on" not in step


def rows(address: Address, *names: str) -> list[tuple[str, ...]]:
    """Return the rows of repeated fields: the first of each name, the second of each, and so on."""
    return [*zip_longest(*(address.getlist(name) for name in names), fillvalue="")]


def next_step(steps: Sequence[tuple[str, ...]], is_opening: bool = False) -> str:
    """Return what the empty step of a turn suggests: draw a card, lay a meld, and after that throw a card.

    A player who opens in this turn seldom does so with one meld, so another meld is suggested.

    >>> next_step([]), next_step([("stock", "", "KH")]), next_step([("meld", "", "KS KH KD")])
    ('stock', 'meld', 'discard')
    >>> next_step([("meld", "", "KS KH KD")], is_opening=True)
    'meld'
    """
    if not steps:
        return "stock"
    return "discard" if steps[-1][0] in LAYING and not is_opening else "meld"


def _number(text: str) -> int | str:
    number = whole_typed(text, digits=5)
    return text if number is None else number


def _on_the_table(address: Address) -> list[dict[str, Any]]:
    melds = rows(address, "table", "owner")
    return [
        {"cards": cards, "owner": ME if owner == "me" else SOMEBODY_ELSE} for cards, owner in melds if cards.strip()
    ]


_GOALS = {"least_points": "least_after_throw"}
"""The goals that a page asks for by another name than the solver's: at the table, every turn ends with a throw."""

NOTHING_YET = "Tap or type the cards."
"""What the user must do if a claim has no cards at all."""
FEWEST = 3
"""The fewest cards of a meld in any variant."""

_NEXT_STEPS = {
    "cards": "Lay the cards to build.",
    "give": "Lay the cards given for the joker.",
    "steps": "Say what was done, step by step.",
}

_LAID_FIELDS = {"meld": "cards", "opening": "meld", "turn": "cards", "out": "meld"}
"""The field of each check whose cards are laid in this turn; the page asks only about the jokers in it."""


def laid_cards(check: str, address: Address) -> list[str]:
    """Return the cards laid in this turn, as typed."""
    return address.getlist(_LAID_FIELDS[check])


def declare_joker(check: str, address: Address, number: int, choice: str) -> Address:
    """Return the claim with the joker in row `number` of the laid cards declared as `choice`."""
    changed = MultiDict(address)
    texts = laid_cards(check, address)
    changed.setlist(_LAID_FIELDS[check], [*texts[:number], _with_joker(texts[number], choice), *texts[number + 1 :]])
    return changed


def declare_on_table(check: str, address: Address, on: Cards, built: Cards) -> Address:
    """Return the claim about the meld `on`, its jokers declared, on which the jokers `built` are built."""
    changed = MultiDict(address)
    changed["on"] = write(on)
    if check == "build":
        changed["cards"] = write([*(card for card in parse(address["cards"]) if not card.is_joker), *built])
    return changed


def _with_joker(text: str, choice: str) -> str:
    """Return the cards with the joker declared; `choice` is the card it stands for, or the whole meld."""
    if " " in choice:
        return choice
    cards = list(parse(text))
    cards[cards.index(JOKER)] = JOKER._replace(stands_for=parse(choice)[0])
    return write(cards)


def in_words(check: str, variant: Variant, address: Address, error: BadInput) -> str:
    """Return why a claim cannot be judged, with the field named as on the page."""
    name, _dot, place = error.field.partition(".")
    called = next((each.called for each in _values(check, variant, address) if each.name == name), "")
    row = re.match(r"\d+", place)
    if row:
        called = called.format(number=int(row.group()) + 1)
    where = error.field if "{" in called else called or error.field
    words = error.at(where).say()
    return words if where in words else f"{where}: {words}"


Options = tuple[tuple[str, str], ...]
"""The values of a choice, each with its label."""


class ClaimValue(NamedTuple):
    """A value that a field gives the claim, and what messages call it; in a list, with the `number` of the row."""

    name: str
    value: Any
    called: str = ""


class Control(NamedTuple):
    """One field; `widget` says how it is shown. In a row, the `number` of the row is part of its id.

    The label of a field that `is_bare` is for screen readers only. The `placeholder` shows how to type cards. Rules
    under which a field has no use don't ask for it; the claim has what is `for_claim` all the same.
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
    for_claim: tuple[ClaimValue, ...] = ()
    is_asked: bool = True

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
    for_claim: tuple[ClaimValue, ...] = ()
    is_asked: bool = True


def fields_of(check: str, variant: Variant, address: Address) -> list[Control | FieldGroup]:
    """Return the fields on the page of a check under the rules of a variant."""
    return [each for each in _FIELDS[check](_FieldMaker(variant, address)) if each.is_asked]


def _values(check: str, variant: Variant, address: Address) -> Iterator[ClaimValue]:
    for field in _FIELDS[check](_FieldMaker(variant, address)):
        yield from field.for_claim


class _FieldMaker(NamedTuple):
    variant: Variant
    address: Address

    def cards(self, name: str, label: str, hint: str, called: str = "") -> Control:
        text = self.address.get(name, "")
        return Control("cards", name, label, text, hint, for_claim=(ClaimValue(name, text, called or label),))

    def choice(self, name: str, label: str, options: Options) -> Control:
        value = self.address.get(name, "")
        return Control("choice", name, label, value if value in dict(options) else options[0][0], options=options)

    def tick(self, name: str, label: str, hint: str, is_asked: bool) -> Control:
        is_on = name in self.address
        values = (ClaimValue(name, is_on),)
        return Control("tick", name, label, "yes" if is_on else "", hint, for_claim=values, is_asked=is_asked)

    def number(self, name: str, label: str) -> Control:
        return Control("number", name, label, self.address.get(name, ""))

    def opened(self, *options: tuple[str, str]) -> Control:
        field = self.choice("opened", "The player", options or (("yes", "is down"), ("no", "not down yet")))
        return field._replace(is_bare=True, for_claim=(ClaimValue("opened", field.value == "yes"),))

    def contract(self) -> Control:
        """Return the choice of a hand and its contract, asked if the variant has contracts."""
        contracts = enumerate(self.variant.contracts, 1)
        options = tuple((str(n), f"Hand {n}: {contract_words(self.variant, *each)}") for n, each in contracts)
        field = Control("select", "hand_number", "Hand and its contract", self.address.get("hand_number", ""))
        value = ClaimValue("hand_number", _number(self.address.get("hand_number", "1")), "Hand number")
        return field._replace(options=options, for_claim=(value,), is_asked=bool(options))

    def warned(self) -> Control:
        options = (("", "nobody asked"), ("yes", "yes"), ("no", "no"))
        field = self.choice("warned", "Did they say how many cards they had left?", options)
        answer = ClaimValue("warned", {"yes": True, "no": False}.get(field.value))
        return field._replace(for_claim=(answer,), is_asked=bool(self.variant.warning_at))

    def meld(self, name: str, label: str, value: str, number: int) -> Control:
        return Control("cards", name, f"{label} {number}", value, "Its cards", number=number)

    def melds(self, name: str, label: str, list_name: str, called: str) -> FieldGroup:
        texts = [each for each in self.address.getlist(name) if each]
        lines = [[self.meld(name, label, each, number)] for number, each in enumerate([*texts, ""], 1)]
        non_blank = [each for each in texts if each.strip()]
        return FieldGroup(lines, name, for_claim=(ClaimValue(list_name, non_blank, called),))

    def builds(self) -> FieldGroup:
        pairs = [pair for pair in rows(self.address, "on", "add") if pair[1]]
        lines = [
            [
                Control("cards", "on", "On this meld", on, "The meld on the table", number=number),
                Control("cards", "add", "Built", add, "The cards built", number=number),
            ]
            for number, (on, add) in enumerate([*pairs, ("", "")], 1)
        ]
        built = [{"on": on, "cards": add} for on, add in pairs if add.strip()]
        values = (ClaimValue("builds", built, "Build {number}"),)
        return FieldGroup(lines, "builds", "Built on the table", for_claim=values)


def _folded(group: FieldGroup, title: str, detail: str = "") -> FieldGroup:
    """Return a group that is folded away unless something is typed in it."""
    is_open = any(field.value for row in group.rows for field in row if field.widget == "cards")
    return group._replace(title=title, detail=detail, is_folded=True, is_open=is_open)


def _meld(page: _FieldMaker) -> Iterator[Control | FieldGroup]:
    yield page.cards("cards", "Cards", "Its cards")._replace(is_bare=True)


def _opening(page: _FieldMaker) -> Iterator[Control | FieldGroup]:
    is_kalooki = page.variant.kalooki_ending == "kalooki"
    yield page.contract()
    yield page.melds("meld", "Meld", "melds", "Meld {number}")
    yield page.builds()._replace(is_asked=page.variant.builds_open)
    yield page.tick("kalooki", "It was a Kalooki (whole hand at once)", "", is_kalooki)


def _build(page: _FieldMaker) -> Iterator[Control | FieldGroup]:
    to_build = "Cards to tack on" if page.variant.contracts else "Cards to build"
    yield page.cards("on", "Meld on the table", "Its cards")
    yield page.cards("cards", to_build, "The cards built", "Cards")
    yield page.opened()
    ends = [page.number("low", "at the low end"), page.number("high", "at the high end")]
    built = {each.name: _number(each.value) for each in ends if each.value}
    is_asked = page.variant.build_end_limit is not None
    values = (ClaimValue("built_this_turn", built, "Built in this turn"),)
    yield FieldGroup([ends], title="Already built on this run this turn", for_claim=values, is_asked=is_asked)


def _joker(page: _FieldMaker) -> Iterator[Control | FieldGroup]:
    yield page.cards("on", "Meld on the table, with its joker", "Its cards", "Meld on the table")
    yield page.cards("give", "Cards given for the joker", "The real cards", "Cards given")
    yield page.opened()


def _out(page: _FieldMaker) -> Iterator[Control | FieldGroup]:
    thrown = "The card thrown" if page.variant.last_discard else "The card thrown, if any"
    yield page.opened()
    yield page.contract()
    yield page.melds("meld", "New meld", "melds", "Meld {number}")
    yield page.cards("thrown", thrown, "The last card", "The card thrown")
    yield _folded(page.builds(), "Built on the table")
    yield page.warned()


def _count(page: _FieldMaker) -> Iterator[Control | FieldGroup]:
    is_bending = page.variant.kalooki_ending == "bending"
    counted = at_once_words(page.variant.kalooki_times, page.variant.kalooki_points)
    cards = page.cards("cards", "Cards left in the hand", "Every card held", "Cards")
    yield cards._replace(placeholder="K 9 6 *")
    yield page.tick("bending", "The winner bent the table", f"The points: {counted}." if counted else "", is_bending)


def _turn(page: _FieldMaker) -> Iterator[Control | FieldGroup]:
    variant, address = page.variant, page.address
    yield page.cards("hand", "Cards before drawing", "Every card held", "Hand")
    yield page.opened()
    yield page.contract()
    hint = "A discard taken then needn’t be used."
    yield page.tick("first_turn", "First turn of the hand", hint, variant.first_draw_free)
    pairs = [pair for pair in rows(address, "table", "owner") if pair[0]]
    melds = [
        [
            page.meld("table", "Meld", cards, number),
            Control("row-select", "owner", f"Meld {number}: whose", owner, "", _OWNERS, number),
        ]
        for number, (cards, owner) in enumerate([*pairs, ("", "")], 1)
    ]
    on_table = _on_the_table(address)
    values = (ClaimValue("table", on_table, "Meld {number} on the table"), ClaimValue("me", ME))
    yield _folded(FieldGroup(melds, "table", for_claim=values), "Melds on the table", "those built on, or with a joker")
    steps = ClaimValue("steps", _steps(address, len(on_table)), "Step {number}")
    yield FieldGroup(_step_controls(page), "steps", "The turn, step by step", for_claim=(steps,))
    yield _before(page)


def _step_controls(page: _FieldMaker) -> list[list[Control]]:
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
    """Return the questions about what happened before a turn; unanswered, as in a closed fold, they decide nothing.

    The number of cards held decides nothing either unless the claim says something about the warning.
    """
    warned = page.warned()
    count = page.number("held", "Cards held then, if not those above")._replace(is_asked=warned.is_asked)
    calls = page.number("calls", "Calls made in this hand")._replace(is_asked=page.variant.has_calls)
    held_count = _number(count.value) if warned.value and count.value else None
    values = (
        *warned.for_claim,
        ClaimValue("held_after_last_turn", held_count, "Cards held after the last turn"),
        ClaimValue("calls", _number(calls.value or "0"), "Calls"),
    )
    controls = [each for each in (warned, count, calls) if each.is_asked]
    is_open = bool(warned.value or calls.value)
    group = FieldGroup([controls], title="What happened before", is_folded=True, is_open=is_open)
    return group._replace(for_claim=values, is_asked=bool(controls))


def _solve(page: _FieldMaker) -> Iterator[Control | FieldGroup]:
    variant, goal = page.variant, page.address.get("goal", "least_points")
    all_at_once = "bend the table" if variant.kalooki_ending == "bending" else "Kalooki"
    most = () if variant.contracts else (("most_points", "lay most points"),)
    goals = (("least_points", "fewest points left"), ("open", "open"), ("go_out", "go out"), ("kalooki", all_at_once))
    control = page.choice("goal", "What are you after?", (*goals, *most))
    yield control._replace(widget="select", for_claim=(ClaimValue("goal", _GOALS.get(goal, goal), "What is asked"),))
    yield page.cards("cards", "The whole hand", "Every card held", "Cards")
    yield page.opened(("no", "I’m not down yet"), ("yes", "I’m down"))
    yield page.contract()
    table = page.melds("table", "Meld", "table", "Meld {number} on the table")
    yield _folded(table, "Melds on the table", "to build on, or with a joker")
    discard = page.cards("discard", "And with the discard on the pile?", "One card, on top of these")
    yield discard._replace(for_claim=(ClaimValue("discard", None, "The discard"),))


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
