"""Irregularities (mishaps): each has a ruling in every variant, by moment and in that variant's words."""

import re

import pytest

from app.kalooki.rules.answers import principles, settle
from app.kalooki.rules.disputes import HEADINGS, MOMENTS, of_kind
from app.kalooki.variants import all_variants, load, with_house_rules

VARIANTS = [*all_variants()]
every_variant = pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.id)


def mishaps(table):
    return [settle(mishap, table) for mishap in of_kind("mishap").values()]


def ruled(slug, variant_id, **house):
    table, _ = with_house_rules(load(variant_id), house)
    return settle(of_kind("mishap")[slug], table)


def moments(slug, variant_id, **house):
    return [case.when for case in ruled(slug, variant_id, **house).cases]


@every_variant
def test_every_mishap_has_a_ruling_in_every_variant(variant):
    for mishap in mishaps(variant):
        assert mishap.title, mishap.slug
        assert mishap.cases, mishap.slug
        assert all(case.ruling and case.remedy for case in mishap.cases), mishap.slug
        assert not re.search(r"[{}]", "".join(case.ruling + case.remedy for case in mishap.cases)), mishap.slug


@every_variant
def test_a_mishap_has_a_one_sentence_ruling_and_a_short_remedy(variant):
    """It is read aloud while everybody waits; further explanation is shown separately."""
    for mishap in mishaps(variant):
        assert len(mishap.title.split()) <= 15, mishap.slug
        for case in mishap.cases:
            assert not re.search(r"[.?!] ", case.ruling), case.ruling
            assert len(case.ruling.split()) <= 25, case.ruling
            assert len(case.remedy.split()) <= 25, case.remedy


@every_variant
def test_the_moments_of_a_mishap_differ_and_are_in_order_of_time(variant):
    for mishap in mishaps(variant):
        places = [MOMENTS.index(case.when) for case in mishap.cases]
        assert places == sorted(set(places)), mishap.slug
        assert "any" not in [case.when for case in mishap.cases] or len(mishap.cases) == 1, mishap.slug


def test_every_mishap_has_a_heading():
    assert {mishap.group for mishap in of_kind("mishap").values()} == {*HEADINGS}


def test_a_faulty_deal_is_thrown_in_before_the_first_draw_only():
    assert moments("card-exposed-in-dealing", "european") == ["before_first_draw", "later"]
    assert moments("wrong-number-dealt", "jamaican") == ["before_first_draw", "later"]


def test_a_discard_kept_before_the_opening_is_wrong_only_where_it_may_not_be_kept():
    assert moments("took-discard-cannot-open", "european") == ["before_next_draw", "later"]
    assert moments("took-discard-cannot-open", "kalooki-51") == ["any"]
    assert ruled("took-discard-cannot-open", "kalooki-51").cases[0].remedy == "Play on."


@pytest.mark.parametrize("slug", ["took-discard-cannot-open", "short-opening-built-on", "changed-mind-after-drawing"])
def test_the_very_first_player_keeps_a_discard_that_opens_nothing(slug):
    def told(variant):
        case = ruled(slug, variant).cases[0]
        return f"{case.ruling} {case.remedy}"

    for variant in ("european", "north-american", "south-african"):
        assert "in the hand’s very first turn you keep it." in told(variant)
    for variant in ("kalooki-40", "kalooki-51", "jamaican", "classic"):
        assert "very first" not in told(variant)


def test_a_mishap_that_cannot_happen_names_the_rule_that_prevents_it():
    assert ruled("buy-in-after-the-deal", "north-american").by.rule == "played-for-points"
    assert ruled("third-card-at-an-end", "jamaican").by.rule == "build-end-limit"
    assert ruled("buy-in-after-the-deal", "european").by is None


def test_an_opening_is_too_small_where_there_is_a_minimum_or_a_contract():
    assert moments("short-opening-built-on", "kalooki-40") == ["before_next_draw", "later"]
    assert moments("short-opening-built-on", "jamaican") == ["before_next_draw", "later"]
    assert moments("short-opening-built-on", "classic") == ["any"]
    assert moments("short-opening-built-on", "european", opening_points=0) == ["any"]
    assert "contract" in ruled("short-opening-built-on", "jamaican").title


def test_only_jamaica_calls_for_the_discard():
    assert moments("took-without-calling", "jamaican") == ["before_next_draw", "later"]
    assert moments("called-too-late", "classic") == ["any"]
    assert "Nobody calls" in ruled("called-too-late", "classic").cases[0].ruling


def test_a_joker_thrown_goes_back_only_where_it_may_not_be_thrown():
    assert moments("joker-thrown-by-mistake", "jamaican") == ["before_next_draw", "later"]
    assert moments("joker-thrown-by-mistake", "european") == ["any"]


def test_a_house_rule_decides_whether_a_late_warning_matters():
    assert moments("warning-late-or-wrong", "european") == ["before_next_draw", "later"]
    assert moments("warning-late-or-wrong", "european", warning_at=0) == ["any"]
    assert moments("warning-late-or-wrong", "kalooki-40") == ["any"]


def test_third_card_at_an_end_counts_in_europe_only():
    assert moments("third-card-at-an-end", "north-american") == ["before_next_draw", "later"]
    assert moments("third-card-at-an-end", "kalooki-51") == ["any"]


def test_a_wrong_finish_is_void_until_the_next_hand_has_begun():
    assert moments("wrong-finish-found-later", "european") == ["before_first_draw", "later"]


def test_a_win_with_a_wrong_number_of_cards_is_void_until_the_next_hand_has_begun():
    assert moments("won-with-a-wrong-number", "kalooki-51") == ["before_first_draw", "later"]
    assert "the hand is void" in ruled("won-with-a-wrong-number", "kalooki-51").cases[0].ruling
    assert ruled("won-with-a-wrong-number", "kalooki-51").cases[1].ruling == "Too late: the win and the scores stand."


def test_a_marked_card_does_not_void_a_hand_that_has_begun():
    assert moments("marked-card", "european") == ["before_first_draw", "later"]
    assert "stands" in ruled("marked-card", "european").cases[1].ruling


def places(slug, variant_id):
    return [(source.id, source.where) for source in ruled(slug, variant_id).sources]


def test_only_the_jamaican_source_states_that_a_card_that_fits_may_be_thrown():
    where = "Tacking on and discarding, paragraph 3"
    assert places("throws-a-card-that-fits", "jamaican") == [(load("jamaican").source, where)]
    assert places("throws-a-card-that-fits", "european") == []


def test_not_every_source_states_that_a_declared_joker_stays_declared():
    where = "The Use and Reuse of Jokers"
    assert places("declared-joker-wrongly", "north-american") == [(load("north-american").source, where)]
    assert places("declared-joker-wrongly", "kalooki-51") == []


@every_variant
def test_there_are_six_principles_in_the_words_of_the_variant(variant):
    said = principles(variant)

    assert len(said) == 6
    assert ("contract" in said["void"]) is bool(variant.contracts)
