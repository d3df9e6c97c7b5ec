"""An answer is short: what a page shows of it before any tap, counted in words on the page itself."""

from copy import deepcopy
from itertools import cycle
from statistics import median

import pytest
from lxml import html

from app.kalooki.rules.answers import settle_all
from app.kalooki.variants import all_variants, load
from tests.examples import IS_SHORT
from tests.web.words_in_sight import words_in_sight

pytestmark = pytest.mark.one_app

VARIANTS = [variant.id for variant in all_variants()]
SAID, TITLE, BADGE = 25, 15, 3
WHOLE, MEDIAN, THREE = 60, 35, 95
OTHER_READING = 25
"""Added where a ruling is turned to the table: how its document is read otherwise."""


def count(*elements):
    """The words to read: none of a button’s."""
    total = 0
    for each in map(deepcopy, elements):
        for button in part(each, "button"):
            button.drop_tree()
        total += len(words_in_sight(html.tostring(each, encoding="unicode", with_tail=False)))
    return total


def main_of(client, path):
    answer = client.get(path)
    assert answer.status_code == 200, path
    return html.fromstring(answer.text).xpath("//main")[0]


unfolded = {}


def answers_on(client, variant_id):
    """The box of every dispute, unfolded as if it were found."""
    if variant_id in unfolded:
        return unfolded[variant_id]
    every = {
        box.get("id"): box for box in main_of(client, f"/disputes/all?variant={variant_id}").xpath("//details[@id]")
    }
    disputes = {each.slug: every[each.slug] for each in settle_all(load(variant_id)) if each.kind == "dispute"}
    for box in disputes.values():
        box.set("open", "")
    return unfolded.setdefault(variant_id, disputes)


def part(box, css_class):
    return box.xpath(f".//*[contains(concat(' ', @class, ' '), ' {css_class} ')]")


@pytest.mark.parametrize("variant_id", VARIANTS)
def test_every_dispute_is_short_on_the_page(client, variant_id):
    for slug, box in answers_on(client, variant_id).items():
        [ruling], remedies, badges = part(box, "ruling"), part(box, "remedy"), part(box, "badge")
        assert 1 <= count(ruling) <= SAID, slug
        assert count(*remedies) <= SAID, slug
        assert count(*box.xpath("./summary")) <= TITLE, slug
        assert badges or "The source is unclear" in box.text_content(), slug
        assert all(len(badge.text_content().split()) <= BADGE for badge in badges), slug
        assert count(box) <= WHOLE, slug


def test_half_of_all_disputes_have_forty_words_or_fewer(client):
    counts = [count(box) for variant_id in VARIANTS for box in answers_on(client, variant_id).values()]
    assert len(counts) > 500
    assert median(counts) <= MEDIAN


@pytest.mark.parametrize("variant_id", VARIANTS)
def test_a_ruling_is_one_sentence(variant_id):
    for each in settle_all(load(variant_id)):
        if each.kind == "dispute":
            inside = each.ruling.removesuffix(".")
            assert inside != each.ruling, each.slug
            assert not any(end in inside for end in (". ", "? ", "! ")), each.slug


def found(client, variant_id, title):
    """What is found of a title: the answers that are open, best first."""
    page = client.get("/disputes", query_string={"variant": variant_id, "q": title}).text
    return html.fromstring(page).xpath("//section[@aria-labelledby='found']/div/article")


def test_the_first_answer_is_read_in_ten_seconds_and_the_first_three_in_half_a_minute(client):
    """Disputes and irregularities asked for by their own titles, the variants in turn: in the long run every one."""
    first, together = [], []
    every_third = range(0, len(settle_all(load("jamaican"))), 3 if IS_SHORT else 1)
    for number, variant_id in zip(every_third, cycle(VARIANTS), strict=False):
        every = settle_all(load(variant_id))
        answers = found(client, variant_id, every[number % len(every)].title)
        assert 1 <= len(answers) <= 3
        assert all(count(each) <= WHOLE for each in answers), every[number % len(every)].title
        first.append(count(answers[0]))
        together.append(count(*answers))
    if not IS_SHORT:
        assert median(first) <= MEDIAN
        assert median(together) <= THREE


turned = set()


@pytest.mark.parametrize("variant_id", VARIANTS)
def test_what_is_turned_to_the_table_is_as_short(client, variant_id):
    """What several variants rule alike is turned once."""
    for each in settle_all(load(variant_id)):
        if each.kind == "dispute" and repr(each) not in turned:
            turned.add(repr(each))
            shown = part(main_of(client, f"/shown/dispute/{each.slug}?variant={variant_id}"), "shown")[0]
            assert each.ruling in " ".join(shown.text_content().split()), each.slug
            assert count(shown) <= WHOLE + OTHER_READING, each.slug
