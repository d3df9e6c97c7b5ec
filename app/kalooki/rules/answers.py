"""Answers for one table: to its disputes and mishaps and about its rules, in groups or found by players' words.

Disputes, mishaps and rules have the same type of answer, so that search, lists and pages treat them alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache, partial
from math import inf
from typing import NamedTuple

from app.kalooki.conditions import holds
from app.kalooki.rules import find, rulebook
from app.kalooki.rules.disputes import GROUPS, Case, Dispute, of_kind
from app.kalooki.rules.rulebook import NO_AMOUNTS, Amounts, Explained, Source, mark, rule_in_words, rules, rules_of
from app.kalooki.rules.wording import (
    Words,
    fill,
    fill_first,
    hand_words,
    sentences,
    split_first_sentence,
    verdict,
    without_verdict,
    wording,
)
from app.kalooki.variants import Variant, all_variants, meanings

USUAL_REMEDY = "What to do now is common practice; the source doesn’t say."
"""A note on the remedy, if a document states the ruling but not the remedy."""
PROMINENT = 3
"""How many of the answers found are shown in full; the others are folded."""
MOST_CHOICES = 4
"""The most answers to choose from if the question is unclear."""
MOST_ASKED = 6
"""How many of the likeliest questions are offered."""
MOST_TABLES = 16
"""How many tables' answers are cached: enough for all variants, and as many tables with house rules."""

ONCE_DOWN = "once you’re down"
"""What a ruling requires whose Yes is not true of a player who has not opened yet."""
OF_A_HAND = ("that-is-not-the-contract", "contract", "the-deal")
"""The answers that differ from hand to hand where there are contracts."""

_Rules = Sequence[Explained]
_WEAKEST_FIRST = ("usual", "both", "source")


class RuledCase(NamedTuple):
    """The ruling on a case: one sentence, `more` explanation, the `remedy` (what to do now), and `when` as in Case."""

    when: str
    ruling: str
    more: str
    remedy: str | None


class Answer(NamedTuple):
    """A dispute, a mishap or a rule (`kind`) answered for one table.

    A mishap has one case for each moment; the ruling and remedy of the answer are those of its first case. `rules` are
    the rules that decide, `beside` those behind the further explanation, and `own` the house rules that decide,
    including any that only change the wording. `standing` and `sources` mean the same as for a rule; the weakest
    deciding rule gives the standing. `on_sources` are notes on what the documents say about the rules, `of_remedy` one
    that none of them states the remedy. `by` is the rule that prevents the mishap in this variant. `dispute` is None
    for a rule. In search results, `behind` has the other answers of the same family.
    """

    kind: str
    slug: str
    group: str
    title: str
    cases: tuple[RuledCase, ...]
    rules: tuple[Explained, ...]
    beside: tuple[Explained, ...]
    own: tuple[Explained, ...]
    standing: str
    sources: tuple[Source, ...]
    on_sources: tuple[str, ...]
    searched_by: tuple[str, ...]
    of_remedy: str = ""
    by: Explained | None = None
    dispute: Dispute | None = None
    behind: tuple[Answer, ...] = ()

    @property
    def remark(self) -> str:
        """The remarks on the rules that give the standing."""
        return " ".join(rule.remark for rule in self.rules if rule.standing == self.standing and rule.remark)

    @property
    def disagrees(self) -> bool:
        """Whether the document has only one reading of such a rule, which is not the one played."""
        return any(rule.disagrees for rule in self.rules if rule.standing == self.standing)

    @property
    def is_mishap(self) -> bool:
        return self.kind == "mishap"

    @property
    def is_compared(self) -> bool:
        """Whether a page compares it between variants."""
        return self.kind in ("dispute", "rule")

    @property
    def ruling(self) -> str:
        return self.cases[0].ruling

    @property
    def more(self) -> str:
        return self.cases[0].more

    @property
    def remedy(self) -> str | None:
        return self.cases[0].remedy

    @property
    def house_rules(self) -> tuple[str, ...]:
        """The house rules that decide or that the further explanation rests on, such as "Opening: 51 points"."""
        named = dict.fromkeys(rule.house_rule for rule in (*self.own, *self.beside))
        return tuple(filter(None, named))

    @property
    def keys(self) -> tuple[str, ...]:
        """The values of the deciding rules, and those values of rules beside them that the ruling mentions."""
        turned_by = {
            name for case in (self.dispute.cases if self.dispute else ()) for name in rulebook.names_in(case.ruling)
        }
        deciding = (key for rule in (*self.rules, *self.own, self.by) if rule for key in rules()[rule.rule].keys)
        beside = (key for rule in self.beside for key in rules()[rule.rule].keys if key in turned_by)
        return tuple(dict.fromkeys((*deciding, *beside)))

    @property
    def text(self) -> str:
        """The ruling and its explanation, without the remedy."""
        return f"{self.ruling} {self.more}".strip()

    @property
    def note(self) -> str:
        """The standing in words, empty if a document states everything."""
        return " ".join((*self.on_sources, self.of_remedy)).strip()


def settle_all(variant: Variant, amounts: Amounts = NO_AMOUNTS) -> tuple[Answer, ...]:
    """Return answers to all disputes that can come up in this variant, by group, and to all mishaps.

    The most frequent come first within a group.
    """
    disputes = [settle(dispute, variant, amounts) for dispute in of_kind("dispute").values()]
    coming_up = (answer for answer in disputes if answer.ruling)
    mishaps = (settle(dispute, variant, amounts) for dispute in of_kind("mishap").values())
    return (*sorted(coming_up, key=lambda answer: GROUPS.index(answer.group)), *mishaps)


def rule_answers(variant: Variant, amounts: Amounts = NO_AMOUNTS) -> tuple[Answer, ...]:
    """Return all rules that apply in this variant as answers."""
    return tuple(_rule(rule) for chapter in rules_of(variant, amounts) for rule in chapter.rules)


def answer_of(kind: str, slug: str, variant: Variant, amounts: Amounts = NO_AMOUNTS) -> Answer | None:
    """Return the dispute, mishap or rule with this slug; None if it does not exist or cannot come up in the variant."""
    if kind == "rule":
        rule = rule_in_words(slug, variant, amounts) if slug in rules() and rules()[slug].chapter else None
        return _rule(rule) if rule and rule.text else None
    dispute = of_kind(kind).get(slug) if kind in ("dispute", "mishap") else None
    answer = settle(dispute, variant, amounts) if dispute else None
    return answer if answer and answer.ruling else None


def settle(dispute: Dispute, variant: Variant, amounts: Amounts = NO_AMOUNTS) -> Answer:
    """Return the answer to a dispute for this variant, with an empty ruling if it cannot come up."""
    cases = [case for case in dispute.cases if case.comes_up(variant)] or [Case()]
    slugs = (cases[0].rules, cases[0].beside, cases[0].by)
    deciding, beside, by = ([rule_in_words(slug, variant, amounts) for slug in each] for each in slugs)
    is_mishap, words = dispute.kind == "mishap", Words(variant, amounts)
    own = _house_rules(dispute, cases, by if is_mishap else deciding, words, amounts)
    parts = _mishap_standing(dispute, deciding) if is_mishap else _dispute_standing(deciding, beside, own, variant.id)
    standing, sources, on_sources = parts
    ruled = tuple(_ruling(case, words) for case in cases)
    is_usual_remedy = dispute.kind == "dispute" and ruled[0].remedy and standing != "usual"
    return Answer(
        kind=dispute.kind,
        slug=dispute.slug,
        group="mishaps" if is_mishap else dispute.group,
        title=fill_first(words, dispute.title),
        cases=ruled,
        rules=_with_text(deciding),
        beside=_with_text(beside),
        own=own,
        standing=standing,
        sources=sources,
        on_sources=on_sources,
        searched_by=dispute.search,
        of_remedy=USUAL_REMEDY if is_usual_remedy else "",
        by=next(iter(_with_text(by)), None),
        dispute=dispute,
    )


def _house_rules(
    dispute: Dispute, cases: Iterable[Case], deciding: _Rules, words: Words, amounts: Amounts
) -> tuple[Explained, ...]:
    """Return the house rules behind a ruling: those that decide it or that change its cases or words.

    This excludes a deciding rule whose text differs only because of another rule's value.
    """
    variant, without_money = words.variant, rulebook.WITHOUT_MONEY
    own = [rule for rule in deciding if rule.standing == "house"]
    direct = [r for r in own if r.house_rule == without_money or not variant.house.isdisjoint(rules()[r.rule].keys)]
    lines = tuple((line, line) for case in dispute.cases for line in case.conditions)
    texts = (lines, *((*case.ruling, *case.remedy) for case in cases))
    keys = dict.fromkeys(key for text in texts for key in rulebook.values_changing(text, variant))
    wording_it = [rule_in_words(meanings()[key].rule, variant, amounts) for key in keys]
    return tuple({rule.house_rule: rule for rule in (*direct, *wording_it) if rule.standing == "house"}.values())


def _ruling(case: Case, words: Words) -> RuledCase:
    ruling, why, remedy = (fill(words, text) for text in (case.ruling, case.why, case.remedy))
    return RuledCase(case.when, ruling, why, remedy or None)


def _with_text(behind: Iterable[Explained]) -> tuple[Explained, ...]:
    return tuple(rule for rule in behind if rule.text)


_StandingParts = tuple[str, tuple[Source, ...], tuple[str, ...]]
"""The standing, the sources, and the notes on them of an answer."""


def _mishap_standing(dispute: Dispute, rules: Sequence[Explained]) -> _StandingParts:
    """Return the standing of a mishap's ruling: "source" if the variant's own document has it, else "usual"."""
    if dispute.stated and rules[0].standing == "source":
        return "source", rules[0].sources, ()
    return "usual", (), ("The source doesn’t cover this; common practice.",)


def _dispute_standing(deciding: _Rules, beside: _Rules, own: _Rules, of: str) -> _StandingParts:
    """Return the standing of a ruling: that of the weakest deciding rule, "usual" without any.

    House rules decide even if they leave their rule without a text; the notes then state the base variant's rule.
    `of` is the id of the variant.
    """
    if own:
        return "house", _sources(own), tuple(dict.fromkeys(rule.note for rule in own if rule.note))
    counted = (
        mark(rule.rule, of).standing if rule.standing == "house" else rule.standing for rule in deciding if rule.text
    )
    standing = min(counted, key=_WEAKEST_FIRST.index, default="usual")
    sources = _sources(_with_text(deciding)) if standing in ("source", "both") else ()
    return standing, sources, _notes_on_sources(_with_text(deciding), _with_text(beside), standing)


def _sources(deciding: Iterable[Explained]) -> tuple[Source, ...]:
    return rulebook.merge_sources(source for rule in deciding for source in rule.sources)


def _notes_on_sources(deciding: _Rules, beside: _Rules, standing: str) -> tuple[str, ...]:
    """Return notes on documents that are silent about the rules of a ruling or have two readings, each note once.

    A note on a rule that is only `beside` the ruling starts with that rule's title.
    """
    silent = [rulebook.NOT_STATED] if standing == "usual" else []
    near = (rule.remark for rule in deciding if rule.standing == standing == "usual")
    both = (rule.note for rule in deciding if rule.standing == "both")
    aside = (f"{rule.title}: {rule.note}" for rule in beside if rule.standing == "both")
    unsaid = [] if standing == "usual" else [rule.title for rule in beside if rule.standing == "usual"]
    some = [f"Common practice, not in the source: {'; '.join(unsaid)}."] if unsaid else []
    return tuple(dict.fromkeys(filter(None, (*silent, *near, *both, *aside, *some))))


def _rule(rule: Explained) -> Answer:
    """Return a rule as an answer, in the group listed for the rule, else for its chapter."""
    grouped = wording()["grouped"]
    return Answer(
        kind="rule",
        slug=rule.rule,
        group=str(grouped.get(rule.rule, grouped[rules()[rule.rule].chapter])),
        title=rule.title,
        cases=(RuledCase("", *split_first_sentence(rule.text), None),),
        rules=(rule,),
        beside=(),
        own=(rule,) if rule.standing == "house" else (),
        standing=rule.standing,
        sources=rule.sources,
        on_sources=(rule.note,) if rule.note else (),
        searched_by=rules()[rule.rule].searched_by,
    )


def principles(variant: Variant) -> Mapping[str, str]:
    """Return the principles behind the rulings on mishaps by slug, in reading order."""
    words = Words(variant)
    return {slug: fill(words, sentences(text)) for slug, text in wording()["principles"].items()}


def asked_most(variant: Variant) -> list[tuple[str, str]]:
    """Return the questions that players ask most, each after the slug of the answer that it gets.

    >>> from app.kalooki.variants import load
    >>> asked_most(load("jamaican"))[3]
    ('called-too-late', 'Called too late')
    """
    come_up = {answer.slug for answer in _every(variant)}
    questions = [(slug, words) for when, slug, words in wording()["asked"] if holds(when, variant) and slug in come_up]
    return questions[:MOST_ASKED]


class Reply(NamedTuple):
    """The reply to a question: the `answers` that fit, best first.

    Unless it is `sure`, the question may mean any of the first few answers. If none fits, `nearest` has the closest
    ones. If the question fits an answer that cannot come up at this table much better, `elsewhere` has the variants in
    which it can. `named` is the other variant that the question names, whose rules then give the answers.
    """

    answers: tuple[Answer, ...]
    sure: bool = True
    elsewhere: tuple[Variant, ...] = ()
    nearest: tuple[Answer, ...] = ()
    named: Variant | None = None

    @property
    def one_by_one(self) -> tuple[Answer, ...]:
        """All answers in order: the prominent ones, the other answers of their families, and the rest."""
        leading, others = self.answers[:PROMINENT], self.answers[PROMINENT:]
        return (*leading, *(each for answer in leading for each in answer.behind), *others)

    @property
    def choices(self) -> tuple[Answer, ...]:
        """The answers to choose from if the question is unclear, else none."""
        return (() if self.sure else self.answers)[:MOST_CHOICES] or self.nearest


def reply(question: str, variant: Variant, amounts: Amounts = NO_AMOUNTS) -> Reply:
    """Return the reply to a question, by the table's rules or those of the one other variant that it names."""
    named = named_in(question, variant)
    return _reply(question, named, NO_AMOUNTS)._replace(named=named) if named else _reply(question, variant, amounts)


def named_in(question: str, variant: Variant) -> Variant | None:
    """Return the other variant that a question names, None if it names none or several.

    >>> from app.kalooki.variants import load
    >>> named_in("is A 2 3 a run in jamaica", load("european")).id
    'jamaican'
    """
    named = find.variants_in(question)
    return next((each for each in all_variants() if [each.id] == named and each.id != variant.id), None)


def _reply(question: str, variant: Variant, amounts: Amounts) -> Reply:
    """Return the reply by one variant's rules; each family of answers is one result, its first answer in front."""
    every, here = _every(variant, tuple(amounts.items())), _families_here(variant)
    question = find.with_hand_number(find.without_variant(question))
    learned = find.substitute_families(find.fitting(question), here)
    nothing = learned.pop(find.NOTHING)
    titled = {find.family_of(answer.slug) for answer in every if _is_titled(answer, question)}
    scores = {family: learned[family] for family in here if family in learned}
    scores |= {family: _similarity(question, every, here[family]) for family in here if family not in learned}
    scores |= dict.fromkeys(titled, find.CERTAIN)
    likeliest, *_others = learned_order = find.rank_families(scores)
    best, second, *_others = ranked = _with_facts(question, variant, learned_order)
    answers = partial(_answers, question, scores=scores, every=every, here=here, variant=variant)
    absent = {family: score for family, score in learned.items() if family not in here and find.fits(score, nothing)}
    away = _elsewhere(absent, scores[best])
    befores = {others for family, others in find.outranking(question, variant) if family == best}
    is_certain = bool(befores)
    if not is_certain and not find.fits(scores[best], nothing) and (away or not absent):
        named = families_named_like(question, variant)
        near = () if named or nothing == inf else answers(ranked[:MOST_CHOICES])
        return Reply(answers(named), elsewhere=() if named else away, nearest=near)
    is_sure = find.is_clear(scores[best], scores[second]) or (
        is_certain and (best == likeliest or find.EVERY in befores)
    )
    return Reply(answers(ranked), is_sure, away)


def _with_facts(question: str, variant: Variant, ranked: Sequence[str]) -> list[str]:
    """Return the families as ranked, after any family that a fact in the question puts before the best one."""
    named_by_facts = find.outranking(question, variant)
    outranking = (family for family, others in named_by_facts if ranked[0] in others or others == find.EVERY)
    first = next((family for family in outranking if family in ranked), ranked[0])
    return [first, *(family for family in ranked if family != first)]


def _answers(
    question: str,
    ranked: Sequence[str],
    *,
    scores: find.Scores,
    every: Sequence[Answer],
    here: Mapping[str, Sequence[int]],
    variant: Variant,
) -> tuple[Answer, ...]:
    """Return the most likely answers of all ranked families, then the first answer of each remaining family.

    The first answer of each family gets the other answers of the family, unless they are among the most likely, in
    `behind`.
    """
    likely, facts = find.fitting(question, find.learned_members()), [*find.leading_facts(question, variant)]
    families = {
        family: _fit_family(question, [every[place] for place in here[family]], likely, facts, variant)
        for family in ranked[: find.MOST_FOUND]
    }
    worth = {
        slug: scores[family] - lag
        for family, answers in families.items()
        for slug, lag in find.lags([answer.slug for answer in answers], likely).items()
    }
    ordered = [answer for answers in families.values() for answer in answers]
    prominent = [*ordered[:1], *sorted(ordered[1:], key=lambda answer: -worth[answer.slug])[: PROMINENT - 1]]
    others = (answers[0] for answers in families.values() if answers[0] not in prominent)
    leading = [*prominent, *others][: find.MOST_FOUND]
    rest = {family: [each for each in answers if each not in leading] for family, answers in families.items()}
    return tuple(answer._replace(behind=tuple(rest.pop(find.family_of(answer.slug), ()))) for answer in leading)


def _fit_family(
    question: str, answers: Sequence[Answer], likely: find.Scores, facts: Sequence[find.TypedFact], variant: Variant
) -> list[Answer]:
    """Return the answers of a family in order, as they fit the question.

    The first one leads with neither Yes nor No if an opposite answer is nearly as likely, unless a fact decides.
    """
    moment = find.moment_in(question)
    first, *others = ordered = _order_family(question, answers, likely, facts)
    fitting = [_fit(answer, question, moment, variant) for answer in ordered]
    is_decided = _is_titled(first, question) or any(fact.leads == first.slug for fact in facts)
    if not is_decided and _is_contested(first, others, likely):
        fitting[0] = _without_verdict(fitting[0])
    return fitting


def _is_contested(answer: Answer, others: Iterable[Answer], likely: find.Scores) -> bool:
    """Return whether another answer of its family has the opposite verdict and is nearly as likely."""
    likely_enough = likely.get(answer.slug, inf) - find.CONTESTED
    contesting = (each for each in others if likely.get(each.slug, -inf) >= likely_enough)
    return {verdict(answer.ruling), *(verdict(each.ruling) for each in contesting)} >= {"Yes", "No"}


def _without_verdict(answer: Answer) -> Answer:
    return answer._replace(cases=tuple(case._replace(ruling=without_verdict(case.ruling)) for case in answer.cases))


def _order_family(
    question: str, answers: Sequence[Answer], likely: find.Scores, facts: Sequence[find.TypedFact]
) -> Sequence[Answer]:
    """Return the answers with one first: that with the question as its title, decided by a fact, or the likeliest."""
    titled = [answer for answer in answers if _is_titled(answer, question)]
    scored = [answer for answer in answers if answer.slug in likely]
    first = titled[0] if titled else max(scored, key=lambda answer: likely[answer.slug], default=answers[0])
    if not titled:
        is_general = first.kind == "rule" or find.family_of(first.slug) == first.slug
        by_slug = {answer.slug: answer for answer in answers}
        decided = (
            by_slug[fact.leads]
            for fact in facts
            if fact.leads in by_slug and fact.decides(first.slug, is_general, first.is_mishap)
        )
        first = next(decided, first)
    return [first, *(answer for answer in answers if answer is not first)]


def _fit(answer: Answer, question: str, moment: str, variant: Variant) -> Answer:
    """Return the answer as it fits the question.

    It has only the case of the moment that the question names, if there is such a case, and leads with Yes or No only
    if the question is its own and not about a player who does not meet its condition. If the question names a hand, the
    contract of that hand comes first.
    """
    cases = tuple(case for case in answer.cases if case.when == moment) or answer.cases
    fitting = answer._replace(cases=cases)
    is_conditional = ONCE_DOWN in answer.ruling and "notdown" in find.states_in(question)
    is_put_otherwise = is_conditional or not find.leads_with_verdict(question, answer.title)
    if is_put_otherwise and not _is_titled(answer, question):
        fitting = _without_verdict(fitting)
    hand = find.hand_in(question, len(variant.contracts))
    if answer.slug in OF_A_HAND and variant.contract(hand):
        named = f"Hand {hand}: {hand_words(variant, hand)}."
        cases = tuple(case._replace(ruling=named, more=f"{case.ruling} {case.more}".strip()) for case in fitting.cases)
        return fitting._replace(cases=cases)
    return fitting


def _is_titled(answer: Answer, question: str) -> bool:
    """Return whether the question equals the title of an answer or one of its search phrases, ignoring case."""
    return question.casefold() in (answer.title.casefold(), *map(str.casefold, answer.searched_by))


def families_named_like(question: str, variant: Variant) -> list[str]:
    """Return the families that have an answer with a title or search phrases close to the question, closest first."""
    every, here, words = _every(variant), _families_here(variant), find.telling(question)
    near = {place for place, answer in enumerate(every) if _has_most_words(answer, words)}
    scores = {
        family: _similarity(question, every, places) for family, places in here.items() if near.intersection(places)
    }
    return [family for family in find.rank_families(scores) if scores[family] >= find.NEARLY]


def _has_most_words(answer: Answer, words: Sequence[str]) -> bool:
    text = " ".join((answer.title, *answer.searched_by)).casefold()
    return sum(word in text for word in words) * 2 > len(words)


def _elsewhere(absent: find.Scores, best: find.Score) -> tuple[Variant, ...]:
    """Return the variants that have an answer absent here, if it fits clearly better than the best answer here."""
    other = next(iter(find.rank_families(absent)), "")
    clear = other and find.is_clear(absent[other], best)
    return tuple(variant for variant in all_variants() if clear and other in _families_here(variant))


def _similarity(question: str, every: Sequence[Answer], places: Sequence[int]) -> find.Score:
    return max(find.alike(question, (every[place].title, *every[place].searched_by)) for place in places)


def warm_up() -> None:
    """Load the weights and cache the answers of every variant, so that no request waits for it."""
    find.learned_weights()
    find.learned_members()
    for variant in all_variants():
        _families_here(variant)


@lru_cache(MOST_TABLES)
def _every(variant: Variant, amounts: tuple[tuple[str, str], ...] = ()) -> tuple[Answer, ...]:
    return settle_all(variant, dict(amounts)) + rule_answers(variant, dict(amounts))


@lru_cache(MOST_TABLES)
def _families_here(variant: Variant) -> Mapping[str, Sequence[int]]:
    """Return, for each family, the indices in `_every` of its answers at this table, in the family's order."""
    slugs = [answer.slug for answer in _every(variant)]
    here: dict[str, list[int]] = {}
    for place, slug in enumerate(slugs):
        here.setdefault(find.family_of(slug), []).append(place)
    order = {slug: at for lead, others in find.families().items() for at, slug in enumerate((lead, *others))}
    return {family: sorted(places, key=lambda place: order.get(slugs[place], 0)) for family, places in here.items()}
