"""The exception that would turn a ruling stands in the ruling or in what to do now, before any tap."""

import pytest
from lxml import html

from app.kalooki.variants import all_variants
from tests.web.words_in_sight import exceptions, words_in_sight

pytestmark = pytest.mark.one_app
EXCEPTIONS = [each for each in exceptions() if not each.when]


def in_sight(box):
    box.set("open", "")
    return " ".join(words_in_sight(html.tostring(box, encoding="unicode", with_tail=False)))


def test_enough_rulings_are_watched():
    assert len({(variant_id, each.slug) for each in EXCEPTIONS for variant_id in each.played}) >= 100
    assert len({each.slug for each in EXCEPTIONS}) >= 40


@pytest.mark.parametrize("variant", [*all_variants()], ids=lambda variant: variant.id)
def test_the_exception_that_would_turn_a_ruling_is_in_sight(client, variant):
    page = html.fromstring(client.get(f"/disputes/all?variant={variant.id}").text)
    boxes = {box.get("id"): in_sight(box) for box in page.xpath("//details[@id]")}
    listed = [each for each in EXCEPTIONS if variant.id in each.played]
    assert len(listed) >= 15
    assert [each for each in listed if each.words not in boxes[each.slug]] == []
