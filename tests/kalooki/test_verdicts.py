"""Yes or No leads an answer only where it is true of the question as it is put."""

import re

import pytest

from app.kalooki.rules.answers import reply, settle_all
from app.kalooki.rules.wording import verdict, without_verdict
from app.kalooki.variants import all_variants, load
from tests.kalooki.rows import rows
from tests.matrix import some

VARIANTS = some([*all_variants()], load("kalooki-40"), load("jamaican"))
VERDICT = re.compile(r"(?:Yes|No)\b(?! (?:rule|joker|opening|advice|need)\b)")
MAY = re.compile(r"(.*?)\b(?:May|Can|Do) (I|we|somebody|one card|a joker|the last card thrown) (.*)\?")
TURNED = (
    "Can't {who} {does}?",
    "May {who} not {does}?",
    "Isn't it so that {who} may {does}?",
    "Must {who} {does}?",
    "Don't {who} have to {does}?",
    "Is it illegal if {who} {does}?",
    "May {who} {does}, or must they wait?",
    "When may {who} {does}?",
)


def verdicts(variant):
    """Return the answers with a Yes or No, each with that ruling."""
    rulings = [(each, case.ruling) for each in settle_all(variant) for case in each.cases]
    return [(each, ruling) for each, ruling in rulings if VERDICT.match(ruling)]


@pytest.mark.parametrize("variant", [*all_variants()], ids=lambda variant: variant.id)
def test_a_ruling_without_its_yes_or_no_is_a_sentence(variant):
    for each, ruling in verdicts(variant):
        sentence = without_verdict(ruling)
        assert sentence != ruling
        assert re.match(r"[A-Z0-9“]", sentence), each.slug
        assert not re.match(r"(And|But|Or|Unless|Except|Not|Also|It|They|That)\b", sentence), (each.slug, sentence)
        assert len(sentence.split()) > 3, each.slug


@pytest.mark.long
@pytest.mark.no_cover
@pytest.mark.parametrize("variant", VARIANTS)
def test_no_yes_or_no_leads_the_answer_to_a_question_turned_round(variant):
    """Neither the answer whose title it was, nor any other one found; "must I?" has answers of its own."""
    asked = [
        (way, f"{before}{way.format(who=who, does=does)}")
        for each, _ruling in verdicts(variant)
        for before, who, does in MAY.findall(each.title)
        for way in TURNED
    ]
    assert len(asked) > 250
    for way, question in asked:
        for found in reply(question, variant).one_by_one:
            is_own = way.startswith("Must") and re.search(r"have to|[Mm]ust", found.title)
            assert is_own or not VERDICT.match(found.ruling), (question, found.title, found.ruling)


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_question_that_is_a_title_is_answered_yes_or_no(variant):
    for each, ruling in verdicts(variant):
        if len(each.cases) == 1:
            assert ruling in {found.ruling for found in reply(each.title, variant).one_by_one}


@pytest.mark.parametrize(
    ("question", "leads"), rows("verdicts", "a_question_that_fits_opposite_cases_is_answered_neither_yes_nor_no")
)
def test_a_question_that_fits_opposite_cases_is_answered_neither_yes_nor_no(question, leads):
    """Nor is one whether something is so where the title asks what is allowed, or "may I?" where it asks "must I?"."""
    assert verdict(reply(question, load("european")).answers[0].ruling) == leads
