"""Reading claims from JSON, the body of a check, and judging them.

Other modules read `variant`, `house` and `game` from the same body. Whatever cannot be read raises BadInput with the
path of the field.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from app.kalooki.cards import JOKER, MOST_CARDS, BadInput, Card, parse, pattern, require_colours, write
from app.kalooki.faults import Fault
from app.kalooki.points import ScoreItem, all_at_once_items, left_items
from app.kalooki.readers import CARDS, LEFT_CARDS, Key, Reader, calls, choice, flag, listed, owner, record, seat, whole
from app.kalooki.referee.building import Ends, check_build, check_joker
from app.kalooki.referee.melds import Verdict, check_deck, check_meld, pack_faults, question, readings, rules_applied
from app.kalooki.referee.turn import (
    Build,
    OnTable,
    Step,
    TurnClaim,
    check_going_out,
    check_opening,
    check_turn,
    last_turn,
)
from app.kalooki.solver.moves import MOST_TABLE
from app.kalooki.solver.solve import GOALS, MOST_HELD, LaydownVerdict, Problem, best_laydown
from app.kalooki.variants import Variant

Cards = tuple[Card, ...]


@dataclass(frozen=True, kw_only=True)
class MeldClaim:
    """The claim that some cards are a meld."""

    cards: Cards


@dataclass(frozen=True, kw_only=True)
class OpeningClaim:
    """The claim that new melds and builds (each a meld and the cards built on it) make an opening."""

    melds: tuple[Cards, ...]
    builds: tuple[Build, ...]
    hand_number: int
    kalooki: bool


@dataclass(frozen=True, kw_only=True)
class BuildClaim:
    """The claim that some cards can be built on a meld."""

    on: Cards
    cards: Cards
    opened: bool
    built_this_turn: Ends


@dataclass(frozen=True, kw_only=True)
class JokerClaim:
    """The claim that some naturals free or move the jokers of a meld."""

    on: Cards
    give: Cards
    opened: bool


@dataclass(frozen=True, kw_only=True)
class OutClaim:
    """The claim that a player goes out with these melds, builds and discard."""

    melds: tuple[Cards, ...]
    builds: tuple[Build, ...]
    thrown: Cards
    opened: bool
    warned: bool | None
    hand_number: int


@dataclass(frozen=True, kw_only=True)
class CountClaim:
    """The question what cards left in a hand count, in particular if the winner bent the table."""

    cards: Cards
    bending: bool


@dataclass(frozen=True, kw_only=True)
class DeckClaim:
    """The claim that all hands and melds of one deal fit in the packs."""

    holdings: tuple[Cards, ...]


@dataclass(frozen=True, kw_only=True)
class SolveClaim:
    """The question what the best lay-down of some cards is; `taken` is the one from the discard pile, if any."""

    cards: Cards
    goal: str
    table: tuple[Cards, ...]
    opened: bool
    hand_number: int
    taken: Cards

    def __post_init__(self) -> None:
        if any(card not in self.cards for card in self.taken):
            raise BadInput("{field}: “{word}” isn’t one of the cards.", "taken", write(self.taken))


Claim = MeldClaim | OpeningClaim | BuildClaim | JokerClaim | TurnClaim | OutClaim | CountClaim | DeckClaim | SolveClaim

MOST_LISTED = 60
"""More melds, steps or holdings than one deal of two packs can have."""


def _one_card(raw: object, path: str) -> tuple[Card, ...]:
    cards = parse(raw, path)
    if len(cards) != 1:
        raise BadInput("{field}: this must be one card.", path, raw)
    return cards


_CARD = Reader(_one_card, CARDS.shape | {"pattern": pattern(1, 1)})
_CARD_OR_NONE = Reader(
    lambda raw, path: _one_card(raw, path) if parse(raw, path) else (), CARDS.shape | {"pattern": pattern(0, 1)}
)
_CARDS = Key(CARDS)
_ON = Key(whole(0, MOST_LISTED))
_STEPS: Mapping[str, dict[str, Key]] = {
    "draw": {"card": Key(_CARD), "from": Key(choice("stock", "discard"))},
    "meld": {"cards": _CARDS},
    "build": {"cards": _CARDS, "on": _ON, "end": Key(choice("low", "high"), None)},
    "free_joker": {"give": _CARDS, "on": _ON},
    "discard": {"card": Key(_CARD)},
}
"""The fields of each kind of step in a turn."""


def _as_step(values: Mapping[str, Any]) -> Step:
    (cards,) = (values[name] for name in ("card", "cards", "give") if name in values)
    return Step(values["do"], cards, values.get("from", "stock"), values.get("on", 0), values.get("end"))


STEPS: Mapping[str, Reader] = {
    do: record({"do": Key(Reader(choice(do).read, {"const": do}))} | keys, _as_step) for do, keys in _STEPS.items()
}
_DO = record({"do": Key(choice(*STEPS))})
STEP = Reader(
    lambda raw, path: STEPS[_DO.read(raw, path)["do"]].read(raw, path),
    {"oneOf": [step.schema for step in STEPS.values()]},
    "Step",
    lambda raw: STEPS[raw["do"]].ignored(raw),
)

_COUNTED = whole(0, MOST_CARDS)
_NO, _YES = Key(flag, False), Key(flag, True)
_BUILD = record({"on": _CARDS, "cards": _CARDS}, lambda values: (values["on"], values["cards"]))
_ENDS = record({"low": Key(_COUNTED, 0), "high": Key(_COUNTED, 0)}, lambda values: Ends(**values))
_ON_TABLE = record({"cards": _CARDS, "owner": Key(owner, 0)}, lambda values: OnTable(**values))
_FIELDS: Mapping[str, Key] = {
    **dict.fromkeys(("cards", "on", "give", "hand"), _CARDS),
    **dict.fromkeys(("opened", "first_turn", "kalooki", "bending"), _NO),
    "melds": Key(listed(CARDS, MOST_LISTED), ()),
    "builds": Key(listed(_BUILD, MOST_LISTED), ()),
    "built_this_turn": Key(_ENDS, Ends()),
    "steps": Key(listed(STEP, MOST_LISTED)),
    "table": Key(listed(_ON_TABLE, MOST_LISTED), ()),
    "thrown": Key(_CARD_OR_NONE, ()),
    "me": Key(seat, 1),
    "held_after_last_turn": Key(_COUNTED, None),
    "warned": Key(flag, None),
    "calls": Key(calls, 0),
    "hand_number": Key(whole(1, 99), 1),
    "holdings": Key(listed(LEFT_CARDS, MOST_LISTED)),
    "goal": Key(choice(*GOALS)),
    "taken": Key(_CARD, ()),
}
"""The readers of fields that have the same meaning in all claims."""


def _reader(claim: type, **others: Key) -> Reader:
    """Return the reader of a claim; `others` are fields that it reads differently."""
    keys = {each.name: others.get(each.name, _FIELDS[each.name]) for each in fields(claim)}
    return record(keys, lambda values: claim(**values))


def _few_cards(raw: object, path: str) -> tuple[Card, ...]:
    cards = parse(raw, path)
    if len(cards) > MOST_HELD:
        raise BadInput(
            "{count} cards are too many to search; give at most {most}.",
            path,
            cards[MOST_HELD],
            count=len(cards),
            most=MOST_HELD,
        )
    return cards


_FEW_CARDS = Key(Reader(_few_cards, CARDS.shape | {"pattern": pattern(0, MOST_HELD)}))
CLAIMS: Mapping[str, Reader] = {
    "meld": _reader(MeldClaim),
    "opening": _reader(OpeningClaim),
    "build": _reader(BuildClaim, opened=_YES),
    "joker": _reader(JokerClaim, opened=_YES),
    "turn": _reader(TurnClaim),
    "out": _reader(OutClaim),
    "count": _reader(CountClaim, cards=Key(LEFT_CARDS)),
    "deck": _reader(DeckClaim),
    "solve": _reader(SolveClaim, cards=_FEW_CARDS, table=Key(listed(CARDS, MOST_TABLE), ())),
}
"""The reader of each check's claim."""

CHECKS = CLAIMS.keys() - {"count", "solve"}
"""The checks that rule on whether something is allowed; the others answer questions."""


def judge(claim: Claim, variant: Variant) -> Verdict:
    """Return the ruling on a claim; raises BadInput for what the variant cannot judge, such as a missing contract."""
    return _JUDGES[type(claim)](claim, variant)


def check(kind: str, raw: Mapping[str, Any], variant: Variant) -> Verdict:
    """Return the ruling on the claim in the body of a check of this kind.

    >>> from app.kalooki.variants import load
    >>> check("meld", {"cards": "AS 2S 3S"}, load("european")).faults[0].rule
    'ace-high'
    """
    return judge(CLAIMS[kind].read(raw, ""), variant)


def _deck(claim: DeckClaim, variant: Variant) -> Verdict:
    """Return the ruling on a deck; aces need a colour if red and black aces count differently."""
    for place, cards in enumerate(claim.holdings if variant.colour_scores else ()):
        require_colours(cards, f"holdings.{place}")
    return check_deck(claim.holdings, variant)


def _solve(claim: SolveClaim, variant: Variant) -> LaydownVerdict:
    problem = Problem(claim.cards, claim.goal, claim.table, claim.opened, claim.hand_number)
    return best_laydown(problem, next(iter(claim.taken), None), variant)


class CountVerdict(Verdict):
    """What cards left in a hand count, itemised by rule."""

    items: tuple[ScoreItem, ...]

    @property
    def points(self) -> int:
        return sum(item.points for item in self.items)


def _count(claim: CountClaim, variant: Variant) -> CountVerdict:
    if variant.colour_scores:
        require_colours(claim.cards, "cards")
    bends = variant.kalooki_ending == "bending"
    items = left_items(claim.cards, variant)
    items += all_at_once_items(items, variant.kalooki_times, variant.kalooki_points) if claim.bending and bends else ()
    faults = pack_faults(claim.cards, variant)
    rules = rules_applied((item.rule for item in items), faults)
    warnings = (Fault("bending-ignored"),) if claim.bending and not bends else ()
    return CountVerdict(faults=faults, rules=rules, warnings=warnings, items=items)


_JUDGES: Mapping[type, Callable[[Any, Variant], Verdict]] = {
    MeldClaim: lambda claim, variant: check_meld(claim.cards, variant),
    OpeningClaim: lambda claim, variant: check_opening(**vars(claim), variant=variant),
    BuildClaim: lambda claim, variant: check_build(**vars(claim), variant=variant),
    JokerClaim: lambda claim, variant: check_joker(**vars(claim), variant=variant),
    TurnClaim: check_turn,
    OutClaim: lambda claim, variant: check_going_out(last_turn(**vars(claim)), variant),
    CountClaim: _count,
    DeckClaim: _deck,
    SolveClaim: _solve,
}


def asks_about(kind: str, cards: str, choices: Sequence[str], variant: Variant) -> bool:
    """Return whether a ruling's question about a joker, with these choices, is about these cards laid in the turn."""
    try:
        cards_laid = parse(cards)
    except BadInput:
        return False
    own = question(cards_laid, readings(cards_laid, variant))
    if own:
        return own.choices == tuple(choices)
    return kind == "turn" and cards_laid.count(JOKER) == 1 and " " not in choices[0]
