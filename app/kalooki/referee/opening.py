"""Openings: a player's first melds in a hand, which must reach a minimum of points or the contract.

The readings of all melds are chosen together: those that break the fewest rules and, among these, those with the most
points. Neither the order of the melds nor the order of their cards matters.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import NamedTuple

from app.kalooki.cards import BadInput, in_a_sentence
from app.kalooki.faults import Fault
from app.kalooki.referee.building import UNBUILT, Built, Ends
from app.kalooki.referee.melds import Meld, face, points
from app.kalooki.variants import Variant

MAX_AMBIGUOUS = 8
"""The most melds that can each be a set or a run: such a meld has at least two of the at most sixteen jokers."""


class Reading(NamedTuple):
    """One reading of a meld: as it was at `first`, and as it is now after this turn's builds.

    `built` counts the cards this turn built on each end of a run, `gained` the points that builds added.
    """

    first: Meld
    now: Meld
    built: Ends = UNBUILT
    gained: int = 0

    def grow(self, way: Built, variant: Variant) -> Reading:
        """Return the reading after another build on the meld."""
        ends = Ends(self.built.low + way.ends.low, self.built.high + way.ends.high)
        return Reading(self.first, way.after, ends, self.gained + way.gain(variant))


class Opening(NamedTuple):
    """An opening: the melds in their best reading, the points including builds that count, and the faults."""

    melds: tuple[Meld, ...]
    points: int
    faults: tuple[Fault, ...]


def contract_of(variant: Variant, hand_number: int) -> tuple[int, int] | None:
    """Return the hand's contract as (sets, runs), None if the variant has no contracts.

    Raises BadInput if the variant has contracts but none for this hand.
    """
    contract = variant.contract(hand_number)
    if variant.contracts and contract is None:
        raise BadInput(
            "There is no hand {word}; hands are 1 to {most}.", "hand_number", hand_number, most=len(variant.contracts)
        )
    return contract


def opening_has_minimum(variant: Variant, hand_number: int) -> bool:
    """Return whether opening needs points or a contract, in which case the turn may lay any number of melds."""
    return bool(variant.opening_points) or variant.contract(hand_number) is not None


def melds_over_the_limit(count: int, variant: Variant) -> Iterator[Fault]:
    """Yield a fault if a turn has more new melds than allowed (rule `one-meld-a-turn`)."""
    if variant.melds_a_turn is not None and count > variant.melds_a_turn:
        yield Fault("one-meld-a-turn", facts={"count": count})


def open_with(
    choices: Sequence[Sequence[Reading]], gained: int, variant: Variant, contract: tuple[int, int] | None, exempt: bool
) -> Opening:
    """Return the best opening with one reading of each new meld.

    `choices` are the readings of each new meld, `gained` the points of builds on other melds. If `exempt`, the opening
    needs no minimum of points.
    """
    dearest = [sorted(ways, key=lambda new: -_points_of(new, variant)) for ways in choices]
    return min(
        (_judge(new, gained, variant, contract, exempt) for new in assignments(dearest)),
        key=lambda opening: (len(opening.faults), -opening.points),
    )


def _points_of(new: Reading, variant: Variant) -> int:
    """Return the points of a new meld in an opening, including builds on it if they count."""
    return points(new.first, variant) + (new.gained if variant.builds_count else 0)


def assignments(choices: Sequence[Sequence[Reading]]) -> Iterator[tuple[Reading, ...]]:
    """Return every combination of readings of some melds, with the first reading of each kind (set or run)."""
    options = [list({new.first.kind: new for new in reversed(ways)}.values())[::-1] for ways in choices]
    ambiguous = [number for number, kinds in enumerate(options) if len(kinds) > 1]
    for number in ambiguous[MAX_AMBIGUOUS:]:
        options[number] = options[number][:1]
    return product(*options)


def _judge(
    new: tuple[Reading, ...], gained: int, variant: Variant, contract: tuple[int, int] | None, exempt: bool
) -> Opening:
    melds = tuple(each.first for each in new)
    total = gained + sum(_points_of(each, variant) for each in new)
    faults = [*repetition_faults(melds, variant)]
    if not melds:
        faults.append(Fault("builds-open"))
    if contract:
        faults += _contract_faults(melds, contract)
    elif total < variant.opening_points and not exempt:
        faults.append(Fault("opening-points", facts={"points": total}))
    return Opening(melds, total, tuple(faults))


def _contract_faults(melds: Sequence[Meld], contract: tuple[int, int]) -> Iterator[Fault]:
    kinds = Counter(meld.kind for meld in melds)
    sets, runs = contract
    if kinds["set"] < sets or kinds["run"] < runs:
        facts = {"sets": sets, "runs": runs, "laid_sets": kinds["set"], "laid_runs": kinds["run"]}
        yield Fault("contract", facts=facts)


def repetition_faults(melds: Iterable[Meld], variant: Variant) -> Iterator[Fault]:
    """Yield a fault for each suit or rank in which a player has more runs or sets than allowed in a hand."""
    by_kind: dict[tuple[str, str], list[Meld]] = {}
    for meld in melds:
        first = next(face(card) for card in meld.cards if face(card).rank != "*")
        by_kind.setdefault((meld.kind, first.suit if meld.kind == "run" else first.rank), []).append(meld)
    allowed = {"run": variant.runs_of_one_suit, "set": variant.sets_of_one_rank}
    slugs = {"run": "runs-of-one-suit", "set": "sets-of-one-rank"}
    for (kind, _), alike in by_kind.items():
        if allowed[kind] == "one" and len(alike) > 1:
            apart = " / ".join(in_a_sentence(meld.cards) for meld in alike)
            yield Fault(slugs[kind], tuple(card for meld in alike for card in meld.cards), {"melds": apart})
