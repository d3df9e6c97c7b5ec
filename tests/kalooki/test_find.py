"""Finding a ruling in players' own words: what real tables ask is answered among the first three."""

import re
from pathlib import Path
from time import process_time
from tomllib import loads

import pytest

from app.kalooki.rules.answers import _index as prepared_for
from app.kalooki.rules.answers import asked, found, make_ready, rule_answers, settled
from app.kalooki.rules.find import MOST_FOUND, Index, Text, same_things, stems
from app.kalooki.rules.quarrels import of_kind
from app.kalooki.rules.rulebook import rules
from app.kalooki.variants import all_variants, load, with_house_rules

ASKED = loads(Path(__file__).with_name("asked.toml").read_text("utf-8"))
EVERYWHERE = [(variant.id, question, slugs) for variant in all_variants() for question, slugs in ASKED["every"].items()]
QUESTIONS = EVERYWHERE + [
    (variant.id, question, slugs) for variant in all_variants() for question, slugs in ASKED.get(variant.id, {}).items()
]


def answers_of(table):
    """The slugs of all answers there are, in their order."""
    return [answer.slug for answer in (*settled(table), *rule_answers(table))]


def first_three(questions, table):
    """The slugs `found` begins with, question by question; the answers are put into words once for all of them."""
    every, index = answers_of(table), prepared_for(table)
    return {question: [every[place] for place in index.find(question, 3)] for question in questions}


def slugs_of(question, variant_id="european"):
    return [answer.slug for answer in found(question, load(variant_id))]


def test_there_are_questions_enough():
    assert len(QUESTIONS) >= 150


def test_wordings_stand_beside_answers_there_are_and_every_quarrel_has_some():
    every = {*of_kind("dispute"), *of_kind("mishap")}
    assert asked().keys() <= every | rules().keys()
    assert {slug for slug in every if len(asked().get(slug, ())) < 5} == set()


def test_no_wording_is_a_question_of_the_tests():
    def plain(text):
        return " ".join(re.findall(r"[a-z0-9]+", text.casefold()))

    wordings = [plain(wording) for wordings in asked().values() for wording in wordings]
    assert {plain(question) for _, question, _ in QUESTIONS} & {*wordings} == set()
    assert len(wordings) == len({*wordings})


def test_every_wording_says_something():
    assert [wording for wordings in asked().values() for wording in wordings if not stems(wording)] == []


@pytest.mark.no_cover  # a thousand questions take the same branches as the few below
@pytest.mark.parametrize("variant", [*all_variants()], ids=lambda variant: variant.id)
def test_what_tables_ask_is_answered_among_the_first_three(variant):
    every = {*answers_of(variant)}
    asked_here = {question: set(slugs) for where, question, slugs in QUESTIONS if where == variant.id}
    assert asked_here
    assert {question for question, slugs in asked_here.items() if not slugs & every} == set()
    first = first_three(asked_here, variant)
    assert {question: first[question] for question, slugs in asked_here.items() if not slugs & {*first[question]}} == {}


@pytest.mark.parametrize("variant", [*all_variants()], ids=lambda variant: variant.id)
@pytest.mark.parametrize(
    "question", ["can I take the joker back with my own card", "my own card for the joker", "joker back"]
)
def test_a_joker_for_a_card_is_what_comes_first(variant, question):
    assert slugs_of(question, variant.id)[0] == "joker-from-a-set"


@pytest.mark.no_cover
@pytest.mark.parametrize("variant", [*all_variants()], ids=lambda variant: variant.id)
def test_every_answer_is_found_by_its_own_title(variant):
    first = first_three([each.title for each in settled(variant)], variant)
    assert [each.title for each in settled(variant) if each.slug not in first[each.title]] == []


@pytest.mark.parametrize("variant", [*all_variants()], ids=lambda variant: variant.id)
def test_what_is_found_is_what_fits_best_in_its_order(variant):
    question = "can I steal the joker"
    assert slugs_of(question, variant.id)[:3] == first_three([question], variant)[question]


@pytest.mark.parametrize("variant", [*all_variants()], ids=lambda variant: variant.id)
@pytest.mark.parametrize(
    "question", ["could she have gone out", "could he have gone out", "could I have opened", "what could be left"]
)
def test_what_cards_could_have_done_leads_to_the_best_lay_down(variant, question):
    assert "solve" in [answer.quarrel.check for answer in found(question, variant)[:3] if answer.quarrel]


@pytest.mark.parametrize(("variant_id", "says"), [
    ("european", "The last player left in the game wins it."),
    ("jamaican", "The game has 9 hands; then the lowest total wins."),
    ("kalooki-51", "The table decides after which hand the game ends, and the lowest total wins."),
])  # fmt: skip
def test_when_a_game_is_over_is_what_ends_it_in_the_variant(variant_id, says):
    first = found("when is the game over", load(variant_id))[0]
    assert (first.slug, first.ruling) == ("game-end", says)


@pytest.mark.parametrize("word", [
    "steal", "swap", "wild", "lay off", "tack", "come down", "bust", "rebuy", "pot", "deck", "misdeal", "replace",
    "identical", "duplicate", "wrap", "group", "bonus", "exposed", "redeal",
])  # fmt: skip
def test_other_names_for_a_thing_find_it(word):
    assert slugs_of(word)


def test_what_fits_far_worse_than_the_best_is_left_out():
    near, far = Text("Who cuts the pack", "", ()), Text("Who shuffles and deals and begins", "", ())
    assert Index([near, far]).find("who cuts the pack") == [0]
    assert Index([near, far]).find("who begins the deal") == [1]


def test_a_word_mistyped_is_understood():
    assert slugs_of("steel teh jokr")[0] in {"joker-from-a-set", "joker-from-set", "joker-from-run"}
    assert "stock-used-up" in slugs_of("reshufle")[:3]


@pytest.mark.parametrize("question", ["wibble", "zzz qqq", "is it", "?!", "ब"])
def test_nothing_fitting_is_nothing_found(question):
    assert slugs_of(question) == []


def test_no_more_are_found_than_a_table_reads():
    assert len(slugs_of("joker")) == MOST_FOUND


def test_a_house_rule_changes_what_is_found():
    table, _ = with_house_rules(load("european"), {"joker_from_set": "one"})
    assert found("steal the joker from a set", table)[0].ruling.startswith("Yes")


@pytest.mark.parametrize(
    "question", ["can I steal the joker if I have not gone down", "jokr dicard reshufle misdeel " * 9, "x " * 5_000]
)
def test_a_question_takes_little_work_however_long_it_is(question):
    """Some milliseconds of the processor's time; a slow machine may take twenty times as long."""
    slugs_of("warm up")
    began = process_time()
    slugs_of(question)
    assert process_time() - began < 0.5


def test_answers_made_ready_need_not_be_prepared_again():
    make_ready()
    prepared = prepared_for.cache_info().misses
    for variant in all_variants():
        found("steal the joker", variant)
    assert prepared_for.cache_info().misses == prepared


def test_the_first_of_equally_good_texts_is_found_first():
    index = Index([Text("Joker", "", ()), Text("Joker", "", ())])
    assert index.find("joker") == [0, 1]


def test_a_phrase_that_says_the_same_comes_before_words_alone():
    index = Index([Text("The stock", "two", ()), Text("Drawing", "", ("two from the stock",))])
    assert index.find("two from the stock")[0] == 1


def test_one_wording_that_fits_beats_many_that_nearly_do():
    near = ("who throws first", "who throws last", "who throws again", "who throws next")
    index = Index([Text("Throwing", "", near), Text("Cutting", "", ("who cuts now",))])
    assert index.find("who cuts now")[0] == 1


def test_other_forms_of_a_word_are_the_same_word():
    assert stems("she threw two") == stems("throws 2")


def test_two_names_of_one_thing_mean_each_other():
    assert "joker" in same_things()["wild"]
    assert "wild" in same_things()["joker"]


@pytest.mark.parametrize("variant", [*all_variants()], ids=lambda variant: variant.id)
@pytest.mark.parametrize(
    "question",
    ["can i lay on others before opening", "can I build before I have opened", "add to others before I opened"],
)
def test_a_question_whose_answer_is_no_is_answered_with_no(variant, question):
    assert found(question, variant)[0].ruling.startswith("No: only a player who has ")


@pytest.mark.parametrize("question", ["opened with 39", "laid down only 39"])
@pytest.mark.parametrize("variant", [*all_variants()], ids=lambda variant: variant.id)
def test_an_opening_of_39_is_one_too_small(variant, question):
    assert found(question, variant)[0].slug == "short-opening-built-on"
