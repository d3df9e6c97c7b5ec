"""Whether people find their answer: each writer's questions, asked of weights learned from all the others.

It then makes `find.weights` and `find.members` in `app/kalooki/rules` from all of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from math import inf
from time import process_time
from typing import NamedTuple

from app.kalooki.rules import find
from app.kalooki.rules.answers import MOST_CHOICES, PROMINENT, families_named_like, rule_answers, settle_all
from app.kalooki.variants import all_variants, load
from tests import questions
from tests.questions import Asked

TURNED_AWAY = 0.01
"""The part of answerable questions that may be told nothing fits."""
CLEAR = 0.3
"""The lead from which a question is clear: half of the wrong answers have less, and one in twelve of the right ones."""
FEW = 200
LOW = 0.08
"""The part of the questions, those that fit least, that are looked up among the answers' own words."""


class Found(NamedTuple):
    """How a question went in a variant: what came first, its score, its lead, and the place of the right family.

    A question that hardly fits is answered all the same where it is nearly an answer's own words: `named`.
    """

    writer: str
    variant: str
    asked: Asked
    first: str
    score: float
    lead: float
    place: int
    named: bool = False

    def fits(self, least: float) -> bool:
        return self.score >= least or self.named


def main(*, tiny: bool = False) -> None:
    writers = questions.by_writer()
    if tiny:
        return speed([asked for every in writers.values() for asked in every][:FEW])
    went, strange = left_out(writers)
    low = bound([each.score for each in went], LOW * len(went))
    tried = [by_name(each) if each.score < low else each for each in went]
    least = bound([each.score for each in tried if not each.named], TURNED_AWAY * len(went))
    went = [after if after.score < least else before for before, after in zip(went, tried, strict=True)]
    for writer in writers:
        say(writer, [each for each in went if each.writer == writer], least, CLEAR)
    for variant in all_variants():
        say(variant.id, [each for each in went if each.variant == variant.id], least, CLEAR)
    say("all", went, least, CLEAR)
    told = share(score < least and not known for score, known in strange)
    print(f"no answer: {told} of {len(strange)} are told that nothing fits")
    every = questions.learned()
    find.MEMBERS.write_bytes(members(every, questions.made_from("slug")))
    find.learned_members.cache_clear()
    find.WEIGHTS.write_bytes(weights(every, questions.made_from(), least, CLEAR))
    find.learned_weights.cache_clear()
    return speed(every[:FEW])


def weights(asked: Iterable[Asked], *told: str | float) -> bytes:
    from tests.bench._learning import learn

    return learn([(each.family, each.text) for each in asked], *told)


def members(asked: Iterable[Asked], *told: str) -> bytes:
    from tests.bench._learning import learn_members

    return learn_members([(each.slug, each.text) for each in asked if each.slug], *told)


def left_out(writers: dict[str, list[Asked]]) -> tuple[list[Found], list[tuple[float, bool]]]:
    """How every question went with the weights of the other writers.

    And of what nothing answers, the best scores, and whether some answer is nearly named so.
    """
    here = {variant.id: slugs_of(variant) for variant in all_variants()}
    went, strange = [], []
    for writer, asked in writers.items():
        others = [each for other, every in writers.items() if other != writer for each in every]
        learned = find.read_weights(weights(others + questions.ours()))
        for each in asked:
            scores = find.fitting(each.text, learned)
            went += [
                how_it_went(writer, variant, each, scores, slugs)
                for variant, slugs in here.items()
                if each.slug in slugs
            ]
        strange += [(best_of(find.fitting(text, learned)), bool(named(text))) for text in questions.unanswerable()]
        say(f"{writer}, by the others", [each for each in went if each.writer == writer], -9, -9)
    return went, strange


def best_of(scores: dict[str, float]) -> float:
    """How much the best family of any variant fits better than nothing."""
    return max(score for family, score in scores.items() if family != find.NOTHING) - scores[find.NOTHING]


def slugs_of(variant) -> set[str]:
    """What can be answered in a variant."""
    return {answer.slug for answer in (*settle_all(variant), *rule_answers(variant))}


def how_it_went(writer, variant, asked, scores, slugs) -> Found:
    families = {find.family_of(slug) for slug in slugs}
    ranked = find.rank_families({family: score for family, score in scores.items() if family in families})
    first, second = ranked[:2]
    lead = scores[first] - scores[second]
    return Found(writer, variant, asked, first, best_of(scores), lead, ranked.index(asked.family))


@cache
def named(text: str, variant: str = "european") -> list[str]:
    return families_named_like(text, load(variant))


def by_name(each: Found) -> Found:
    """How a question that hardly fits goes once the answers' own words are looked at."""
    nearly = named(each.asked.text, each.variant)
    if not nearly:
        return each
    place = nearly.index(each.asked.family) if each.asked.family in nearly else MOST_CHOICES
    return each._replace(first=nearly[0], lead=inf, place=place, named=True)


def bound(values: Iterable[float], under: float) -> float:
    """The value that so many are under."""
    return round(sorted(values)[int(under)], 4)


def say(what: str, went: list[Found], least: float, clear: float) -> None:
    fits = [each for each in went if each.fits(least)]
    asked_back = sum(each.lead < clear for each in fits)
    first = sum(not each.place for each in fits)
    at_once = sum(not each.place and each.lead >= clear for each in fits)
    among = sum(each.place < PROMINENT for each in fits)
    behind = sum(each.place < (PROMINENT if each.fits(least) and each.lead >= clear else MOST_CHOICES) for each in went)
    of = len(went) or 1
    print(
        f"{what}: first {first / of:.1%}, among three {among / of:.1%}; asking back {asked_back / of:.1%}: "
        f"first {at_once / of:.1%}, among three or choices {behind / of:.1%}; turned away {1 - len(fits) / of:.1%}",
        flush=True,
    )


def share(told: Iterable[bool]) -> str:
    every = [*told]
    return f"{sum(every) / (len(every) or 1):.0%}"


def speed(asked: list[Asked]) -> None:
    find.learned_weights()
    find.learned_members()
    began = process_time()
    first = [find.rank_families(find.fitting(each.text))[0] for each in asked]
    for each in asked:
        find.fitting(each.text, find.learned_members())
    spent = process_time() - began
    size = sum(file.stat().st_size for file in (find.WEIGHTS, find.MEMBERS))
    print(f"a question takes {1000 * spent / len(asked):.1f} ms; {size / 1e6:.1f} MB of weights")
    assert sum(each.family == family for each, family in zip(asked, first, strict=True)) > len(asked) / 2
