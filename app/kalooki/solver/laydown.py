"""The lay-down to propose: what the search found, as a turn that the referee allows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from app.kalooki.cards import JOKER, Card
from app.kalooki.referee.melds import Meld, in_order
from app.kalooki.referee.turn_steps import Step, undeclared
from app.kalooki.referee.verdict import Verdict
from app.kalooki.scoring import points_left
from app.kalooki.solver.deals import Deal, FreshMeld, OnMeld
from app.kalooki.solver.growing import Growth
from app.kalooki.variants import Variant


class Build(NamedTuple):
    """Cards built in one step on a meld.

    `on` is the meld's index on the table, where new melds come last; `end` is the end of a run, else None.
    """

    on: int
    cards: tuple[Card, ...]
    end: str | None


class Release(NamedTuple):
    """Naturals given for jokers of a meld on the table."""

    on: int
    give: tuple[Card, ...]


class Laydown(NamedTuple):
    """The best lay-down for a goal; `possible` is None if the search gave up. Unless it is True, nothing is laid.

    `left` are the cards that stay in the hand without the `discard`, and `points_left` what they count. `released` is
    the number of jokers freed. `steps` is the turn in an order that the referee allows, without the draw.
    """

    possible: bool | None
    melds: tuple[Meld, ...] = ()
    builds: tuple[Build, ...] = ()
    releases: tuple[Release, ...] = ()
    released: int = 0
    left: tuple[Card, ...] = ()
    points_left: int = 0
    discard: Card | None = None
    steps: tuple[Step, ...] = ()


class LaydownVerdict(Verdict):
    """The best lay-down, or faults if the cards and the table are impossible."""

    laydown: Laydown


def nothing_laid(cards: Sequence[Card], possible: bool | None, variant: Variant) -> Laydown:
    """Return a lay-down that lays nothing."""
    return Laydown(possible, left=in_order(cards), points_left=points_left(cards, variant))


def throw_only(cards: Sequence[Card], variant: Variant) -> Laydown:
    """Return a turn that lays nothing and throws the card with the most points, if any can be thrown."""
    able = [card for card in in_order(cards) if variant.joker_discard or not card.is_joker]
    thrown = sorted(able, key=variant.worth_left.__getitem__)[-1:]
    left = list((Counter(cards) - Counter(thrown)).elements())
    steps = tuple(Step("discard", (card,)) for card in thrown)
    return nothing_laid(left, True, variant)._replace(discard=next(iter(thrown), None), steps=steps)


class Arrangement(NamedTuple):
    """A result of the search: its value (more is better), its hand and table, its moves and its discard.

    `throws` is "natural" (the one with the most points that is left, if any), "joker", or "" for none.
    """

    value: int
    deal: Deal
    moves: tuple[FreshMeld | OnMeld, ...]
    throws: str


def lay_down(cards: Sequence[Card], arrangement: Arrangement, opened: bool, variant: Variant) -> Laydown:
    """Return the arrangement as a turn: the opening, the exchanges of jokers, what these allow, and the discard."""
    melds = sorted((move for move in arrangement.moves if isinstance(move, FreshMeld)), key=lambda new: not new.opens)
    early, late = _growths(arrangement, melds)
    releases = tuple(Release(on, swaps[0].give) for on, swaps in enumerate(arrangement.deal.melds) if swaps[0].give)
    first = [new.meld for new in melds if new.opens and not opened]
    if opened:
        early, late = [], early + late
    before, after = ([Build(on, *part) for on, growth in some for part in growth.parts] for some in (early, late))
    steps = [
        *(Step("meld", meld.cards) for meld in first),
        *(Step("build", build.cards, on=build.on, end=build.end) for build in before),
        *(Step("free_joker", give, on=on) for on, give in releases),
        *(Step("meld", new.meld.cards) for new in melds[len(first) :]),
        *(Step("build", build.cards, on=build.on, end=build.end) for build in after),
    ]
    released = arrangement.deal.freed
    used = Counter(undeclared(card) for step in steps for card in step.cards)
    left = list((Counter(cards) + Counter({JOKER: released}) - used).elements())
    thrown = _choose_throw(left, arrangement.throws, variant)
    if thrown:
        left.remove(thrown)
        steps.append(Step("discard", (thrown,)))
    return Laydown(
        possible=True,
        melds=tuple(new.meld for new in melds),
        builds=(*before, *after),
        releases=releases,
        released=released,
        left=in_order(left),
        points_left=points_left(left, variant),
        discard=thrown,
        steps=tuple(steps),
    )


def _growths(
    arrangement: Arrangement, melds: list[FreshMeld]
) -> tuple[list[tuple[int, Growth]], list[tuple[int, Growth]]]:
    """Return the builds before and after jokers are freed, each with the index of its meld on the table."""
    table = len(arrangement.deal.melds)
    on_table = sorted((move for move in arrangement.moves if isinstance(move, OnMeld)), key=lambda build: build.on)
    early = [(build.on, build.before) for build in on_table if build.before]
    late = [(table + number, new.growth) for number, new in enumerate(melds) if new.growth]
    return early, late + [(build.on, build.after) for build in on_table if build.after]


def _choose_throw(left: Sequence[Card], throws: str, variant: Variant) -> Card | None:
    """Return the card to throw: a joker, the natural with the most points, or None."""
    if throws == "joker":
        return JOKER
    able = [card for card in in_order(left) if not card.is_joker] if throws else []
    return max(able, key=variant.worth_left.__getitem__, default=None)
