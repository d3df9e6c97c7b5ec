"""The best lay-down found by brute force, with the referee deciding what is legal.

`partitions` tries every way to lay cards of a hand as new melds, `Turns` every possible turn, step by step.
"""

from collections import Counter
from functools import cache
from itertools import combinations

from app.kalooki.cards import JOKER
from app.kalooki.referee.melds import readings
from app.kalooki.referee.turn import OnTable, Step, TurnClaim, check_turn, repetition_faults, replay


def legal_melds(held, variant):
    """Return the readings of every legal meld in a hand, by (indices of its naturals, number of jokers)."""
    cards = list(held)
    jokers = [at for at, card in enumerate(cards) if card.is_joker]
    alike = {}
    for at, card in enumerate(cards):
        if not card.is_joker:
            alike.setdefault(card.rank, set()).add(at)
            alike.setdefault(card.suit, set()).add(at)
    found = {}
    for group in alike.values():
        for size in range(1, len(group) + 1):
            for naturals in combinations(sorted(group), size):
                for more in range(len(jokers) + 1):
                    chosen = (*naturals, *jokers[:more])
                    read = readings([cards[at] for at in chosen], variant)
                    if read:
                        found[naturals, more] = read
    return found


def partitions(held, variant):
    """Yield every set of melds that a hand can lay together as (melds, left), with one reading of each kind."""
    held = tuple(sorted(held))
    melds = [
        (
            Counter(held[at] for at in naturals) + Counter({JOKER: more}),
            tuple({m.kind: m for m in reversed(read)}.values()),
        )
        for (naturals, more), read in legal_melds(held, variant).items()
    ]
    unique = {tuple(sorted(bag.items())): (bag, read) for bag, read in melds}
    options = list(unique.values())

    def choose(first, left):
        yield (), left
        for at in range(first, len(options)):
            bag, read = options[at]
            if all(left[card] >= count for card, count in bag.items()):
                for laid, rest in choose(at, left - bag):
                    for meld in read:
                        yield (meld, *laid), rest

    for laid, left in choose(0, Counter(held)):
        if not any(repetition_faults(laid, variant)):
            yield laid, left


def least_by_mask(held, variant):
    """Return the least points a hand of up to sixteen cards can leave, by dynamic programming over sets of its cards.

    The first remaining natural is left, or goes into one of its melds. Only for variants in which a player may lay any
    number of runs of a suit and of sets of a rank.
    """
    cards = list(held)
    at_first = {}
    for chosen, more in legal_melds(cards, variant):
        at_first.setdefault(chosen[0], []).append((sum(1 << at for at in chosen), more))

    @cache
    def least(mask, jokers):
        if not mask:
            return jokers * variant.joker_left
        first = (mask & -mask).bit_length() - 1
        best = variant.worth_left[cards[first]] + least(mask & (mask - 1), jokers)
        for meld, more in at_first.get(first, ()):
            if meld & mask == meld and more <= jokers:
                best = min(best, least(mask ^ meld, jokers - more))
        return best

    return least(sum(1 << at for at, card in enumerate(cards) if not card.is_joker), cards.count(JOKER))


class TooMany(Exception):
    """Raised if there are more turns than a test has time for."""


class Turns:
    """All turns of a hand after its draw.

    `ends` has those that the referee allows as (hand after it, ending, steps); `held` has every hand on the way.
    """

    def __init__(self, asked, variant, most):
        self.asked, self.variant, self.most = asked, variant, most
        self.seen = set()
        self.ends = []
        self.held = []
        self._explore(())

    def _explore(self, steps):
        self.most -= 1
        if self.most < 0:
            raise TooMany
        turn = replay(claim(self.asked, steps), self.variant)
        lying = tuple((each.ways, each.laid_at is None) for each in turn.table)
        state = tuple(sorted(turn.hand)), len(turn.loose), lying
        if turn.faults or state in self.seen:
            return
        self.seen.add(state)
        if not turn.loose:
            self.held.append(tuple(turn.hand))
        for end in (steps, *((*steps, Step("discard", (card,))) for card in dict.fromkeys(turn.hand))):
            verdict = check_turn(claim(self.asked, end), self.variant)
            if verdict.ok:
                self.ends.append((verdict.hand, verdict.ending, end))
        for step in self._steps(sorted([*turn.hand, *[JOKER] * len(turn.loose)]), turn.table):
            self._explore((*steps, step))

    def _steps(self, held, table):
        """Yield every possible next step; cards are built one by one."""
        for bag in sorted({bag for size in range(1, len(held) + 1) for bag in combinations(held, size)}):
            if readings(bag, self.variant):
                yield Step("meld", bag)
            for on in range(len(table)):
                if len(bag) == 1:
                    yield from (Step("build", bag, on=on, end=end) for end in (None, "low", "high"))
                if JOKER not in bag:
                    yield Step("free_joker", bag, on=on)


def claim(asked, steps):
    """Return a turn with these steps; the first card is the one drawn."""
    return TurnClaim(
        hand=asked.cards[1:],
        steps=(Step("draw", asked.cards[:1]), *steps),
        table=tuple(OnTable(tuple(cards)) for cards in asked.table),
        opened=asked.opened,
        hand_number=asked.hand_number,
    )
