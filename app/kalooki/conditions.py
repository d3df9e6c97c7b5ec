"""Conditions on the values of a variant, as the .toml files write them: "ace=high limit!=none".

Two tables follow: combinations of values that cannot be played, and values that others make useless. Their sentences
may contain any value of the variant as `{key}`, and the facts that `find` returns.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, NamedTuple

AnyVariant = Any
"""A Variant. Importing the class would be circular: its module reads tables that have conditions."""


def holds(conditions: str, variant: AnyVariant) -> bool:
    """Return whether every condition ("key=value key!=value") is true for this variant."""
    # a loop is faster than all(), and one page calls this hundreds of times
    for key, value, must_equal in parse_conditions(conditions):
        if (plain(getattr(variant, key)) == value) is not must_equal:
            return False
    return True


@cache
def parse_conditions(conditions: str) -> tuple[tuple[str, str, bool], ...]:
    """Return each condition as (key, value, whether they must be equal)."""
    parts = (condition.partition("=") for condition in conditions.split())
    return tuple((key.removesuffix("!"), value, not key.endswith("!")) for key, _, value in parts)


def plain(value: object) -> str:
    """Return a value as conditions write it: `40`, `high`, `true`, or `none` for None and the empty tuple."""
    return "none" if value in (None, ()) else str(value).lower()


ClashFacts = Mapping[str, Any] | bool | None
MOST_JOKERS = 4
"""The most jokers that belong to one pack."""


class Clash(NamedTuple):
    """Two values that may contradict each other.

    If they do, `find` returns the facts for the sentence, or True if it needs none; otherwise something falsy.
    """

    keys: tuple[str, str]
    find: Callable[[AnyVariant], ClashFacts]
    sentence: str


class Useless(NamedTuple):
    """Values that have no use under the conditions in `when`, and the reason; with `drop`, they are not recorded."""

    keys: tuple[str, ...]
    when: str
    why: str
    drop: bool = False


def _contract_too_large(variant: AnyVariant) -> ClashFacts:
    for hand, (sets, runs) in enumerate(variant.contracts, 1):
        needed = 3 * sets + variant.run_least * runs
        dealt = variant.cards_dealt(2, hand) if variant.dealt_by == "contract" else max(variant.dealt)
        if needed > dealt + 1:
            return {"hand": hand, "needed": needed, "cards": dealt, "held": dealt + 1}
    return None


CLASHES = (
    Clash(
        ("run_least", "run_most"),
        lambda variant: variant.run_least > variant.run_most,
        "The shortest run is {run_least} cards, the longest {run_most}: no run would be legal. Make the shortest run "
        "shorter or the longest longer.",
    ),
    Clash(
        ("set_naturals", "set_most"),
        lambda variant: variant.set_most is not None and variant.set_naturals > variant.set_most,
        "A set needs {set_naturals} real cards, but the largest set is {set_most}: ask for fewer real cards, or allow "
        "larger sets.",
    ),
    Clash(
        ("run_naturals", "run_most"),
        lambda variant: variant.run_naturals > variant.run_most,
        "A run needs {run_naturals} real cards, but the longest run is {run_most}: ask for fewer real cards, or allow "
        "longer runs.",
    ),
    Clash(
        ("set_suits", "set_most"),
        lambda variant: variant.set_suits == "different" and (variant.set_most or 0) > 4,
        "The suits in a set are all different, so it ends at 4 cards, but the largest set is {set_most}: make it 3 or "
        "4, or allow any suits.",
    ),
    Clash(
        ("set_suits", "set_most"),
        lambda variant: variant.set_suits == "different" and variant.set_most is None,
        "The suits in a set are all different, so it ends at 4 cards, but the largest set is “any number of cards”: "
        "make it 3 or 4, or allow any suits.",
    ),
    Clash(
        ("players_fewest", "players_most"),
        lambda variant: variant.players_fewest > variant.players_most,
        "The fewest players are {players_fewest}, the most {players_most}: lower the fewest or raise the most.",
    ),
    Clash(
        ("jokers", "packs"),
        lambda variant: variant.jokers > MOST_JOKERS * variant.packs and {"most": MOST_JOKERS * variant.packs},
        "A pack has four jokers at most. Jokers: {jokers}, packs: {packs}. Play with {most} jokers or fewer, or with "
        "more packs.",
    ),
    Clash(
        ("dealt", "packs"),
        lambda variant: (
            2 * max(variant.dealt) > 52 * variant.packs + variant.jokers
            and {"cards": max(variant.dealt), "all": 52 * variant.packs + variant.jokers}
        ),
        "Two hands of {cards} cards are more than there are: packs {packs}, jokers {jokers}, {all} cards in all. Deal "
        "fewer cards, or play with more packs.",
    ),
    Clash(
        ("contracts", "dealt"),
        _contract_too_large,
        "The contract of hand {hand} needs {needed} cards; with {cards} cards dealt and one drawn a player has {held}. "
        "Deal more cards, or ask for less.",
    ),
    Clash(
        ("contracts", "runs_of_one_suit"),
        lambda variant: next(
            (
                {"hand": hand, "runs": runs}
                for hand, (_, runs) in enumerate(variant.contracts, 1)
                if runs > 4 and variant.runs_of_one_suit == "one"
            ),
            None,
        ),
        "The contract of hand {hand} asks for {runs} runs, but a player may lay only one of each of the four suits. "
        "Ask for 4 runs at most, or allow any number of one suit.",
    ),
    Clash(
        ("dealt_by", "contracts"),
        lambda variant: variant.dealt_by == "contract" and not variant.contracts,
        "The cards dealt depend on the hand’s contract, but the contract of each hand is “none”. Let them depend on "
        "the number of players, or set the contracts.",
    ),
    Clash(
        ("dealt_by", "dealt"),
        lambda variant: (
            variant.dealt_by == "contract"
            and variant.contracts
            and len(variant.dealt) not in (1, len(variant.contracts))
            and {"deals": len(variant.dealt), "hands": len(variant.contracts)}
        ),
        "The cards dealt depend on the hand’s contract; for {hands} contracts {deals} numbers of cards are given. Give "
        "one number for all hands, or one for each of the {hands}.",
    ),
    Clash(
        ("game_hands", "contracts"),
        lambda variant: 0 < len(variant.contracts) < (variant.game_hands or 0) and {"hands": len(variant.contracts)},
        "A game of {game_hands} hands is too long: there are contracts for {hands} hands only. Play fewer hands, or "
        "set more contracts.",
    ),
)


_BEFORE_OPENING = ("opening_points", "builds_open", "kalooki_below_opening")
_IN_MELDS = ("high_ace_points", "low_ace_points", "set_ace_points", "court_points", "joker_points")
_OF_JOKERS = (
    *("set_naturals", "run_naturals", "jokers_together", "joker_points", "joker_from_set", "joker_from_full_set"),
    *("joker_from_two_joker_set", "joker_from_run", "joker_discard", "joker_left"),
)
_FIRST_DRAW = ("first_draw_free",)
_COMING_BACK = ("buy_ins", "buy_in_score", "stake_buy_in")
_BY_CONTRACT = "A contract opens the hand here, not points."
_NO_DISCARD = "Nobody takes from the discard pile before the opening here."
_NO_OTHERS = "Nobody but the winner shares in the pool here."
USELESS = (
    Useless(_BEFORE_OPENING, "contracts!=none", _BY_CONTRACT, drop=True),
    Useless(_IN_MELDS, "contracts!=none", _BY_CONTRACT),
    Useless(_BEFORE_OPENING[1:], "contracts=none opening_points=0", "There is no minimum to open here."),
    Useless(("low_ace_points",), "ace=high", "The ace is high only here."),
    Useless(_OF_JOKERS, "jokers=0", "There are no jokers here."),
    Useless(_FIRST_DRAW, "discard_before_opening=free", "The discard pile is free before the opening here."),
    Useless(_FIRST_DRAW, "discard_before_opening=never", _NO_DISCARD),
    Useless(("out_at", *_COMING_BACK), "limit=none", "There is no limit here at which a player is out."),
    Useless(_COMING_BACK, "scoring=winner_collects", "Nobody is knocked out where the winner collects."),
    Useless(_COMING_BACK[1:], "buy_ins=0", "There are no buy-ins here."),
    Useless(("pool_others_percent", "pool_others_limit"), "pool_others=none", _NO_OTHERS),
    Useless(("call_penalty",), "calls=0", "No call is free here: each costs this."),
)
