"""A player's first melds in a hand: points against the minimum, or the contract.

The readings of all melds are chosen together: first those that break the fewest rules, then the dearest. Neither the
order of the melds nor the order of their cards matters.
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

MOST_UNSURE = 8
"""A meld that can be a set or a run has at least two jokers, and there are at most sixteen."""


class Reading(NamedTuple):
    """One way to read a meld: as it was when first laid, as it is now, and what this turn built on it.

    `built` counts the cards at each end of a run, `gained` the points they add.
    """

    first: Meld
    now: Meld
    built: Ends = UNBUILT
    gained: int = 0

    def grow(self, way: Built, variant: Variant) -> Reading:
        """Return the reading after something more was built on the meld."""
        ends = Ends(self.built.low + way.ends.low, self.built.high + way.ends.high)
        return Reading(self.first, way.after, ends, self.gained + way.gain(variant))


class Opening(NamedTuple):
    """What a player lays to open: the melds in their best reading, their points with the builds that count, faults."""

    melds: tuple[Meld, ...]
    points: int
    faults: tuple[Fault, ...]


def contract_of(variant: Variant, hand_number: int) -> tuple[int, int] | None:
    """Return sets and runs of the hand's contract, None if the variant has none; BadInput for a hand without one."""
    contract = variant.contract(hand_number)
    if variant.contracts and contract is None:
        raise BadInput(
            "There is no hand {word}; hands are 1 to {most}.", "hand_number", hand_number, most=len(variant.contracts)
        )
    return contract


def opening_is_asked(variant: Variant, hand_number: int) -> bool:
    """Whether points or a contract are needed to open: such a turn may lay any number of melds."""
    return bool(variant.opening_points) or variant.contract(hand_number) is not None


def melds_over_the_limit(count: int, variant: Variant) -> Iterator[Fault]:
    """More new melds than one turn may have, unless the turn is free of that (rule `one-meld-a-turn`)."""
    if variant.melds_a_turn is not None and count > variant.melds_a_turn:
        yield Fault("one-meld-a-turn", facts={"count": count})


def open_with(
    choices: Sequence[Sequence[Reading]], gained: int, variant: Variant, contract: tuple[int, int] | None, exempt: bool
) -> Opening:
    """Return the best opening with one reading of each new meld; builds on other melds add `gained` points."""
    dearest = [sorted(ways, key=lambda new: -_points_of(new, variant)) for ways in choices]
    return min(
        (_judge(new, gained, variant, contract, exempt) for new in assignments(dearest)),
        key=lambda opening: (len(opening.faults), -opening.points),
    )


def _points_of(new: Reading, variant: Variant) -> int:
    """Return what a new meld counts in an opening, including what is built on it."""
    return points(new.first, variant) + (new.gained if variant.builds_count else 0)


def assignments(choices: Sequence[Sequence[Reading]]) -> Iterator[tuple[Reading, ...]]:
    """Return every way to read some melds together: as set or run, in the first reading of each kind."""
    options = [list({new.first.kind: new for new in reversed(ways)}.values())[::-1] for ways in choices]
    unsure = [number for number, kinds in enumerate(options) if len(kinds) > 1]
    for number in unsure[MOST_UNSURE:]:
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
    """Yield runs of one suit and sets of one rank beyond what one player may lay in a hand."""
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
