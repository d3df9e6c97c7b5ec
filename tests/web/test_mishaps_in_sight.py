"""What a page about a mishap shows before any tap: few words, and among them whatever would turn the ruling."""

from statistics import median

import pytest

from app.kalooki.rules.answers import settle
from app.kalooki.rules.disputes import of_kind
from app.kalooki.variants import all_variants
from tests.pages import Alice
from tests.web.words_in_sight import exceptions, words_in_sight

pytestmark = pytest.mark.one_app

BUTTON = 4  # words: “Show to the table”
MOST, USUAL = 60 + BUTTON, 40 + BUTTON
"""The words in sight: at most, and in the middle of all cases."""

NO_EXCEPTION = {"joker-upcard", "hand-exposed", "joker-thrown-by-mistake"}
"""Mishaps whose rulings nothing turns but the moment and the variant."""

EXPECTED = [each for each in exceptions() if each.when]

cached = {}


def in_sight(client, variant):
    """The words in sight of every mishap and moment, by slug and moment."""
    if variant.id not in cached:
        cached[variant.id] = {
            (mishap.slug, case.when): seen(client, f"{where(mishap, case)}?variant={variant.id}")
            for mishap in of_kind("mishap").values()
            for case in settle(mishap, variant).cases
        }
    return cached[variant.id]


def where(mishap, case):
    return f"/wrong/{mishap.group}/{mishap.slug}/{case.when}"


def seen(client, path):
    page = client.get(path).text
    return words_in_sight(page[page.index("<main") : page.index("</main>")])


every_variant = pytest.mark.parametrize("variant", [*all_variants()], ids=lambda variant: variant.id)


@every_variant
def test_a_ruling_on_a_mishap_is_read_in_a_few_seconds(client, variant):
    counts = {place: len(words) for place, words in in_sight(client, variant).items()}
    assert {place: count for place, count in counts.items() if count > MOST} == {}
    assert median(counts.values()) <= USUAL


def test_with_the_buttons_of_a_scorer_it_is_hardly_longer(app):
    alice = Alice(app)
    variant = alice.table.game.variant
    for mishap in of_kind("mishap").values():
        for case in settle(mishap, variant).cases:
            words = seen(alice.client, f"/g/{alice.code}{where(mishap, case)}")
            assert "Add to history" in " ".join(words)
            assert len(words) <= MOST, mishap.slug


@every_variant
def test_what_would_turn_a_ruling_is_in_sight(client, variant):
    said = {place: " ".join(words) for place, words in in_sight(client, variant).items()}
    here = [each for each in EXPECTED if variant.id in each.played]
    assert [each for each in here if each.words not in said[each.slug, each.when]] == []


def test_every_mishap_was_asked_what_would_turn_it():
    turned = {each.slug for each in EXPECTED}
    assert turned | NO_EXCEPTION == {*of_kind("mishap")}
    assert not turned & NO_EXCEPTION


def test_in_sight_stand_title_moment_ruling_remedy_and_badge(client):
    words = seen(client, "/wrong/draw/drew-two/later?variant=european")
    assert " ".join(words) == (
        "Two cards were drawn! Noticed: later Keep it and skip your next draw. Show to the table What to do now "
        "Until then you can’t lay, add or go out. Why common practice"
    )


def test_a_ruling_of_a_document_names_it_in_sight(client):
    words = seen(client, "/wrong/out/throws-a-card-that-fits?variant=jamaican")
    assert words[-6:] == ["Why", "written", "rule", "Kalooki", "in", "Jamaica"]
