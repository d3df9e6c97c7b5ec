"""Reads and judges a claim given as JSON: the body of a check, or the `claim` of a kept ruling.

Other modules read `variant`, `house` and `game` from the body. Anything unreadable raises Malformed with the path of
the field.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from app.kalooki.cards import JOKER, MOST_CARDS, Card, Malformed, parse, pattern, require_colours
from app.kalooki.faults import Fault
from app.kalooki.readers import CARDS, LEFT_CARDS, Key, Reader, calls, choice, flag, listed, owner, record, seat, whole
from app.kalooki.referee.brief import check_going_out, check_opening, last_turn
from app.kalooki.referee.building import Ends, check_build
from app.kalooki.referee.checks import check_deck, check_meld
from app.kalooki.referee.jokers import check_joker
from app.kalooki.referee.melds import readings
from app.kalooki.referee.turn import check_turn
from app.kalooki.referee.turn_steps import OnTable, Step, TurnClaim
from app.kalooki.referee.verdict import Verdict, pack_faults, question, rules_applied
from app.kalooki.scoring import Line, all_at_once_lines, left_lines
from app.kalooki.solver.holding import MOST_TABLE
from app.kalooki.solver.laydown import LaydownVerdict
from app.kalooki.solver.solve import GOALS, MOST_HELD, Asked, best_laydown
from app.kalooki.variants import Variant

MOST_LISTED = 60
"""More melds, steps or holdings than one deal of two packs can have."""


def _one_card_or_none(raw: object, path: str) -> tuple[Card, ...]:
    return _one_card(raw, path) if parse(raw, path) else ()


def _one_card(raw: object, path: str) -> tuple[Card, ...]:
    cards = parse(raw, path)
    if len(cards) != 1:
        raise Malformed("{field}: this has to be one card.", path, raw)
    return cards


_CARD = Reader(_one_card, CARDS.shape | {"pattern": pattern(1, 1)})
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
)

_COUNTED = whole(0, MOST_CARDS)
_NO, _YES = Key(flag, False), Key(flag, True)
_HAND_NUMBER = Key(whole(1, 99), 1)
_BUILD = record({"on": _CARDS, "cards": _CARDS}, lambda values: (values["on"], values["cards"]))
_ENDS = record({"low": Key(_COUNTED, 0), "high": Key(_COUNTED, 0)}, lambda values: Ends(**values))
_ON_TABLE = record({"cards": _CARDS, "owner": Key(owner, 0)}, lambda values: OnTable(**values))


def _few_cards(raw: object, path: str) -> tuple[Card, ...]:
    cards = parse(raw, path)
    if len(cards) > MOST_HELD:
        raise Malformed(
            "{count} cards are more than can be looked through; tell at most {most}.",
            path,
            cards[MOST_HELD],
            count=len(cards),
            most=MOST_HELD,
        )
    return cards


_SOLVE = {
    "cards": Key(Reader(_few_cards, CARDS.shape | {"pattern": pattern(0, MOST_HELD)})),
    "goal": Key(choice(*GOALS)),
    "table": Key(listed(CARDS, MOST_TABLE), ()),
    "opened": _NO,
    "hand_number": _HAND_NUMBER,
    "taken": Key(_CARD, None),
}
_TURN = {
    "hand": _CARDS,
    "steps": Key(listed(STEP, MOST_LISTED)),
    "table": Key(listed(_ON_TABLE, MOST_LISTED), ()),
    "me": Key(seat, 1),
    "opened": _NO,
    "first_turn": _NO,
    "held_after_last_turn": Key(_COUNTED, None),
    "warned": Key(flag, None),
    "calls": Key(calls, 0),
    "hand_number": _HAND_NUMBER,
}
_LAID = {"melds": Key(listed(CARDS, MOST_LISTED), ()), "builds": Key(listed(_BUILD, MOST_LISTED), ())}
_OPENING = _LAID | {"hand_number": _HAND_NUMBER, "kalooki": _NO}
_LAST_TURN = _LAID | {
    "thrown": Key(Reader(_one_card_or_none, CARDS.shape | {"pattern": pattern(0, 1)}), ()),
    "opened": _NO,
    "warned": Key(flag, None),
    "hand_number": _HAND_NUMBER,
}


CLAIMS: Mapping[str, Reader] = {
    "meld": record({"cards": _CARDS}),
    "opening": record(_OPENING),
    "build": record({"on": _CARDS, "cards": _CARDS, "opened": _YES, "built_this_turn": Key(_ENDS, Ends())}),
    "joker": record({"on": _CARDS, "give": _CARDS, "opened": _YES}),
    "turn": record(_TURN, lambda values: {"claim": TurnClaim(**values)}),
    "out": record(_LAST_TURN, lambda values: {"claim": last_turn(**values)}),
    "count": record({"cards": Key(LEFT_CARDS), "bending": _NO}),
    "deck": record({"holdings": Key(listed(LEFT_CARDS, MOST_LISTED))}),
    "solve": record(_SOLVE),
}
"""What each check takes, read into the arguments of the function that judges it."""


def _deck(holdings: tuple[tuple[Card, ...], ...], variant: Variant) -> Verdict:
    """All hands and melds of one deal; ranks alone are enough, except for an ace whose colour scores."""
    for place, cards in enumerate(holdings if variant.colour_scores else ()):
        require_colours(cards, f"holdings.{place}")
    return check_deck(holdings, variant)


CHECKS: Mapping[str, Callable[..., Verdict]] = {
    "meld": check_meld,
    "opening": check_opening,
    "build": check_build,
    "joker": check_joker,
    "turn": check_turn,
    "out": check_going_out,
    "deck": _deck,
}


def check(kind: str, raw: Mapping[str, Any], variant: Variant) -> Verdict:
    """The ruling on a claim: `kind` is a key of CHECKS, `raw` the body of that check.

    >>> from app.kalooki.variants import load
    >>> check("meld", {"cards": "AS 2S 3S"}, load("european")).faults[0].rule
    'ace-high'
    """
    return CHECKS[kind](**CLAIMS[kind].read(raw, ""), variant=variant)


def asks_about(kind: str, cards: str, choices: Sequence[str], variant: Variant) -> bool:
    """Whether a ruling that asks which of these a joker is, asks it of these cards laid in the turn."""
    try:
        laid = parse(cards)
    except Malformed:
        return False
    own = question(laid, readings(laid, variant))
    if own:
        return own.choices == tuple(choices)
    return kind in ("build", "turn") and laid.count(JOKER) == 1 and " " not in choices[0]


def solve(raw: Mapping[str, Any], variant: Variant) -> LaydownVerdict:
    """The best lay-down for the question; also raises Malformed if the card taken is not among the cards."""
    claim = CLAIMS["solve"].read(raw, "")
    held, (taken,) = claim.pop("cards"), claim.pop("taken") or (None,)
    if taken and taken not in held:
        raise Malformed("{field}: “{word}” is none of the cards.", "taken", taken)
    return best_laydown(Asked(held, **claim), taken, variant)


class Counted(Verdict):
    """What cards left in a hand count, line by line."""

    lines: tuple[Line, ...]

    @property
    def points(self) -> int:
        return sum(line.points for line in self.lines)


def count(raw: Mapping[str, Any], variant: Variant) -> Counted:
    """What cards left in a hand count; doubled if the winner bent the table."""
    asked = CLAIMS["count"].read(raw, "")
    cards, bent = asked["cards"], asked["bending"]
    if variant.colour_scores:
        require_colours(cards, "cards")
    bends = variant.kalooki_ending == "bending"
    lines = left_lines(cards, variant)
    lines += all_at_once_lines(lines, variant.kalooki_times, 0) if bent and bends else ()
    faults = pack_faults(cards, variant)
    rules = rules_applied((line.rule for line in lines), faults)
    warnings = (Fault("bending-ignored"),) if bent and not bends else ()
    return Counted(faults=faults, rules=rules, warnings=warnings, lines=lines)
