"""A claim as plain JSON, read and judged: the bodies of the checks, and of a kept ruling's `claim`.

`variant`, `house` and `game` of a body are somebody else's to read. Everything unreadable raises Malformed with the
path of the field.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from app.kalooki.building import BuildVerdict, Ends, check_build
from app.kalooki.cards import Card, Malformed, parse, parse_left
from app.kalooki.jokers import JokerVerdict, check_joker
from app.kalooki.opening import OpeningVerdict, check_opening
from app.kalooki.reading import Read, choice, flag, mapping, optional, whole
from app.kalooki.referee import check_deck, check_meld
from app.kalooki.replay import OnTable, Step, TurnClaim
from app.kalooki.turn import TurnVerdict, check_turn
from app.kalooki.variants import Variant
from app.kalooki.verdict import Verdict

MOST_LISTED = 60
"""More melds, steps or holdings than one deal of two packs can have."""
MOST_SEAT = 60
MOST_HELD = 112


def check(kind: str, raw: Mapping[str, Any], variant: Variant) -> Verdict:
    """The ruling on a claim: `kind` is a key of CHECKS, `raw` the body of that check.

    >>> from app.kalooki.variants import load
    >>> check("meld", {"cards": "AS 2S 3S"}, load("european")).faults[0].rule
    'ace-high'
    """
    return CHECKS[kind](raw, variant)


def meld(raw: Mapping[str, Any], variant: Variant) -> Verdict:
    """Body: `cards`."""
    return check_meld(_needed(raw, "cards", parse), variant)


def opening(raw: Mapping[str, Any], variant: Variant) -> OpeningVerdict:
    """Body: `melds`, `builds` (each `on`, `cards`), `hand_number`, `kalooki`."""
    return check_opening(
        _optional(raw, "melds", _listed(parse), ()),
        _optional(raw, "builds", _listed(_build), ()),
        variant,
        _hand_number(raw),
        _optional(raw, "kalooki", flag, False),
    )


def build(raw: Mapping[str, Any], variant: Variant) -> BuildVerdict:
    """Body: `on`, `cards`, `opened`, `built_this_turn` (`low`, `high`)."""
    on, cards = _build(raw, "")
    return check_build(
        on,
        cards,
        variant,
        _optional(raw, "opened", flag, True),
        _optional(raw, "built_this_turn", _ends, Ends()),
    )


def joker(raw: Mapping[str, Any], variant: Variant) -> JokerVerdict:
    """Body: `on`, `give`, `opened`."""
    opened = _optional(raw, "opened", flag, True)
    return check_joker(_needed(raw, "on", parse), _needed(raw, "give", parse), variant, opened)


def turn(raw: Mapping[str, Any], variant: Variant) -> TurnVerdict:
    """Body: `hand`, `steps`, and what TurnClaim has beside them."""
    claim = TurnClaim(
        hand=_needed(raw, "hand", parse),
        steps=_needed(raw, "steps", _listed(_step)),
        table=_optional(raw, "table", _listed(_on_table), ()),
        me=_optional(raw, "me", whole(1, MOST_SEAT), 1),
        opened=_optional(raw, "opened", flag, False),
        first_turn=_optional(raw, "first_turn", flag, False),
        held_after_last_turn=_optional(raw, "held_after_last_turn", whole(0, MOST_HELD), None),
        warned=_optional(raw, "warned", flag, None),
        calls=_optional(raw, "calls", whole(0, 99), 0),
        hand_number=_hand_number(raw),
    )
    return check_turn(claim, variant)


def deck(raw: Mapping[str, Any], variant: Variant) -> Verdict:
    """Body: `holdings`, all hands and melds of one deal; ranks alone will do, but for an ace whose colour scores."""
    read = partial(parse_left, colour_scores=variant.colour_scores)
    return check_deck(_needed(raw, "holdings", _listed(read)), variant)


CHECKS: Mapping[str, Callable[[Mapping[str, Any], Variant], Verdict]] = {
    "meld": meld,
    "opening": opening,
    "build": build,
    "joker": joker,
    "turn": turn,
    "deck": deck,
}


def _needed(raw: Mapping[str, Any], key: str, read: Callable[[Any, str], Any], path: str = "") -> Any:
    where = f"{path}.{key}" if path else key
    if raw.get(key) is None:
        raise Malformed("{field} is missing.", where)
    return read(raw[key], where)


def _optional(raw: Mapping[str, Any], key: str, read: Callable[[Any, str], Any], default: Any, path: str = "") -> Any:
    return _needed(raw, key, read, path) if raw.get(key) is not None else default


def _listed(read: Callable[[Any, str], Any]) -> Read:
    """A list, each item read by `read`."""

    def read_all(raw: object, path: str) -> tuple[Any, ...]:
        if not isinstance(raw, list) or len(raw) > MOST_LISTED:
            raise Malformed("{field}: this has to be a list of at most {most}.", path, raw, most=MOST_LISTED)
        return tuple(read(item, f"{path}.{number}") for number, item in enumerate(raw))

    return read_all


def _hand_number(raw: Mapping[str, Any]) -> int:
    number: int = _optional(raw, "hand_number", whole(1, 99), 1)
    return number


def _build(raw: object, path: str) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    told = mapping(raw, path)
    return _needed(told, "on", parse, path), _needed(told, "cards", parse, path)


def _ends(raw: object, path: str) -> Ends:
    told = mapping(raw, path)
    counted = whole(0, MOST_HELD)
    return Ends(_optional(told, "low", counted, 0, path), _optional(told, "high", counted, 0, path))


def _on_table(raw: object, path: str) -> OnTable:
    told = mapping(raw, path)
    owner = _optional(told, "owner", whole(0, MOST_SEAT), 0, path)
    return OnTable(_needed(told, "cards", parse, path), owner)


def _step(raw: object, path: str) -> Step:
    told = mapping(raw, path)
    kind = _needed(told, "do", choice(*_STEP_CARDS), path)
    key, read = _STEP_CARDS[kind]
    cards = _needed(told, key, read, path)
    source = _needed(told, "from", choice("stock", "discard"), path) if kind == "draw" else "stock"
    on = _needed(told, "on", whole(0, MOST_LISTED), path) if kind in ("build", "free_joker") else 0
    return Step(kind, cards, source, on, _optional(told, "end", optional(choice("low", "high")), None, path))


def _one_card(raw: object, path: str) -> tuple[Card, ...]:
    cards = parse(raw, path)
    if len(cards) != 1:
        raise Malformed("{field}: this has to be one card.", path, raw)
    return cards


_STEP_CARDS: Mapping[str, tuple[str, Callable[[Any, str], Any]]] = {
    "draw": ("card", _one_card),
    "meld": ("cards", parse),
    "build": ("cards", parse),
    "free_joker": ("give", parse),
    "discard": ("card", _one_card),
}
"""Each kind of step with the field that names its cards."""
