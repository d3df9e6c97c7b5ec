"""“We play a different rule”: from every answer to the field that says what decides it otherwise."""

import re
from html import unescape

import pytest

from app.forms.house import where_asked
from app.kalooki.rules.answers import settle_all
from app.kalooki.variants import all_variants, has_use, house_range, meanings
from tests.pages import Alice

pytestmark = pytest.mark.one_app


def ways(page):
    """The links on the page of an answer, by their words, that lead to a field."""
    return {
        unescape(label): unescape(to)
        for to, label in re.findall(r'href="([^"]*(?:&amp;|[?])open=[^"]*)">([^<]*)<', page)
    }


def opened(page, key):
    """Whether a field is in sight, with every fold that it lies in open."""
    field = re.search(rf'<(?:input|select|fieldset)[^>]* id="house-{key}"', page)
    folds = re.findall(r"<details[^>]*>|</details>", page[: field.start()]) if field else ["<details>"]
    around = []
    for fold in folds:
        if fold == "</details>":
            around.pop()
        else:
            around.append(fold)
    return all(re.search(r" open\b", fold) for fold in around)


def test_one_value_decides_and_one_link_leads_to_it(client):
    there = ways(client.get("/elsewhere/dispute/ace-low?variant=european").text)

    assert there == {"We play a different rule": "/new?variant=european&open=ace#house-ace"}


def test_each_of_several_values_that_decide_has_a_link(client):
    there = ways(client.get("/elsewhere/dispute/using-the-discard?variant=european").text)

    keys = {
        "Discard pile before the opening": "discard_before_opening",
        "The first player’s first draw is free": "first_draw_free",
        "Discard pile after the opening": "discard_after_opening",
    }
    assert there == {label: f"/new?variant=european&open={key}#house-{key}" for label, key in keys.items()}


def test_the_scorer_is_led_to_the_rules_of_the_game_and_others_to_a_game_like_it(client, app):
    alice = Alice(app)
    page = client.get(f"/g/{alice.code}/elsewhere/dispute/ace-low").text
    assert ways(page) == {"We play a different rule": f"/new?rules={alice.code}&open=ace#house-ace"}
    assert opened(client.get(f"/new?rules={alice.code}&open=ace").text, "ace")

    setup = f"/g/{alice.code}/enter/setup?open=ace"
    page = alice.client.get(f"/g/{alice.code}/elsewhere/dispute/ace-low").text
    assert ways(page) == {"We play a different rule": f"{setup}#house-ace"}
    assert opened(alice.client.get(setup).text, "ace")
    assert not opened(alice.client.get(f"/g/{alice.code}/enter/setup").text, "ace")


def test_what_went_wrong_leads_there_too(client):
    assert "We play a different rule" in client.get("/wrong/lay/third-card-at-an-end/later").text


def test_what_no_table_may_choose_has_no_link(client):
    # that cards stay in one meld is no value, and what going out all at once is called follows the variant
    page = client.get("/elsewhere/dispute/one-card-in-two-melds?variant=european").text
    assert ways(page) == {}
    called = client.get("/elsewhere/rule/kalooki?variant=european").text
    assert "kalooki_ending" not in called


@pytest.mark.parametrize("variant", [*all_variants()], ids=lambda variant: variant.id)
def test_every_link_of_every_answer_leads_to_a_field_in_sight(client, variant):
    asked = {where for answer in settle_all(variant) for _label, where in where_asked(variant, answer.keys)}
    links = {f"/new?variant={variant.id}&{where}" for where in asked}
    pages = {link.partition("#")[0]: client.get(link.partition("#")[0]).text for link in links}
    fields = {link: link.partition("#")[2].removeprefix("house-") for link in links}

    assert [link for link, key in fields.items() if not opened(pages[link.partition("#")[0]], key)] == []
    assert {*fields.values()} >= decided_in_an_answer(variant)


def decided_in_an_answer(variant):
    """The values behind the disputes and mishaps of a variant that its tables may choose and have a use for."""
    rules = {rule.rule for answer in settle_all(variant) for rule in answer.rules}
    keys = {key for key, meaning in meanings().items() if meaning.rule in rules and has_use(variant, key)}
    return {key for key in keys if house_range(variant, key)} - ({"out_at"} if variant.limit is None else set())
