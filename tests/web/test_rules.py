"""The rules pages: every variant's rules with an anchor each, a game's with its house rules, what differs, disputes."""

import re
from functools import cache
from html import unescape

import pytest

from app.kalooki.rules.rulebook import documents, rule_in_words, rules_of
from app.kalooki.variants import all_variants, load
from tests.json_scorer import Scorer
from tests.kalooki.rule_talk import WITH_A_DOCUMENT
from tests.pages import start
from tests.web.referee_words import text_of
from tests.web.words_in_sight import words_in_sight

pytestmark = pytest.mark.one_app

VARIANTS = [*all_variants()]


@pytest.fixture
def code(client):
    """A European game whose table opens with 51 points and frees a joker with one suit."""
    game = {"variant": "european", "players": ["Ann", "Ben", "Cat"], "stakes": None}
    return Scorer(client, game | {"house": {"opening_points": 51, "joker_from_set": "one"}}).code


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.id)
def test_every_rule_has_an_anchor_and_its_sources(client, variant):
    page = client.get(f"/rules/{variant.id}").text
    told = [rule for chapter in rules_of(variant) for rule in chapter.rules]

    assert len(told) > 40
    for rule in told:
        assert page.count(f'id="{rule.rule}"') == 1
    assert variant.source not in text_of(client.get(f"/rules/{variant.id}")).split()
    assert (f"<cite>{documents()[variant.source].title}:</cite> " in page) is (variant in WITH_A_DOCUMENT)


HALF = {
    "european": 2406,
    "north-american": 2395,
    "south-african": 2445,
    "jamaican": 1686,
    "kalooki-51": 2230,
    "kalooki-40": 2237,
    "classic": 1971,
}
"""Half the words each page showed when every rule named its document in sight."""


def main_of(answer):
    return re.search(r"<main.*</main>", answer.text, re.DOTALL)[0]


@pytest.mark.parametrize(("variant", "most"), HALF.items())
def test_a_page_of_rules_shows_no_more_words_than_half_of_what_it_holds(client, variant, most):
    assert len(words_in_sight(main_of(client.get(f"/rules/{variant}")))) <= most


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.id)
def test_a_rule_keeps_what_folds_away_under_it(client, variant):
    page = main_of(client.get(f"/rules/{variant.id}"))
    articles = dict(re.findall(r'<article class="rule[^"]*" id="([^"]+)">(.*?)</article>', page, re.DOTALL))

    for rule in (rule for chapter in rules_of(variant) for rule in chapter.rules):
        seen, shown = words_in_sight(articles[rule.rule]), whole(articles[rule.rule])
        assert " ".join(words_in_sight(rule.first)) in " ".join(seen), rule.rule
        assert whole(rule.text) in shown, rule.rule
        assert whole(rule.remark) in shown, rule.rule
        assert all(whole(place) in shown for source in rule.sources for place in source.where.split("; ")), rule.rule


def whole(html):
    """The words of some HTML, folded or not."""
    return " ".join(words_in_sight(html.replace("<details", "<details open")))


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.id)
def test_a_page_says_once_where_its_rules_come_from_and_marks_only_what_differs(client, variant):
    page = main_of(client.get(f"/rules/{variant.id}"))
    seen = " ".join(words_in_sight(page))
    document = documents()[variant.source]
    rules = {rule.rule: rule.standing for chapter in rules_of(variant) for rule in chapter.rules}
    unmarked = "usual" if variant.id == "south-african" else "source"
    headings = re.findall(r'<article class="rule[^"]*" id="([^"]+)">\s*<h3>(.*?)</h3>', page, re.DOTALL)

    assert page.count(document.published) == 2  # at the top, and in the list of the documents named
    assert " ".join(words_in_sight(document.published)) in seen
    assert "The source doesn’t say" not in seen
    assert {rule for rule, heading in headings if "badge" in heading} == {
        rule for rule, standing in rules.items() if standing != unmarked
    }


def test_a_rule_the_source_is_silent_on_says_so(client):
    page = text_of(client.get("/rules/south-african"))

    assert "The ace is" not in page
    silent = "common practice The source doesn’t say. The same in Kalooki 40: How to Build Melds, item 2."
    assert f"{rule_in_words('ace-high', load('south-african')).text} {silent}" in page


def test_who_writes_a_game_gets_from_its_rules_to_where_house_rules_are_changed(client, code):
    assert "Change house rules" not in client.get(f"/g/{code}/rules").text
    alice = start(client)
    client.get(f"/g/{alice.code}/s/{alice.secret}")
    [door] = re.findall(r'href="([^"]*)">Change house rules', client.get(f"/g/{alice.code}/rules").text)
    page = client.get(unescape(door).removesuffix("#house")).text
    assert '<details class="fold" id="house" open>' in page


def test_an_ace_has_one_text_where_its_colour_does_not_matter(client):
    told = {variant: rule_in_words("ace-left", load(variant)).text for variant in ("european", "jamaican")}
    assert all(text in text_of(client.get(f"/rules/{variant}")) for variant, text in told.items())
    assert [" red " in text for text in told.values()] == [False, True]


@pytest.mark.parametrize("other", ["european", "north-american", "jamaican", "kalooki-51", "classic"])
def test_a_comparison_marks_a_value_as_its_rule_is_marked(client, other):
    page = client.get(f"/compare?a=south-african&b={other}").text
    for side in ("south-african", other):
        marks = {rule.rule: rule.standing for chapter in rules_of(load(side)) for rule in chapter.rules}
        shown = re.findall(rf'<a href="/rules/{side}#([^"]+)">[^<]*</a>(.*?)</dd>', page, re.DOTALL)
        assert shown
        for rule, mark in shown:
            assert bool(re.search(r'<span class="(?:badge|muted)[^>]*>[^<]+</span>', mark)) is (
                marks[rule] != "source"
            ), rule


def test_links_between_the_pages_lead_somewhere(client, code):
    seen = cache(client.get)
    for address in (
        "/rules",
        "/rules/jamaican",
        "/compare",
        "/disputes",
        "/disputes/all",
        f"/g/{code}/rules",
        f"/g/{code}/disputes",
        f"/g/{code}/disputes/all",
    ):
        for link in re.findall(
            r'href="(/(?:rules|compare|disputes|g/\w+/(?:rules|disputes))[^"]*)"', seen(address).text
        ):
            target, _, anchor = link.replace("&amp;", "&").partition("#")
            page = seen(target)
            assert page.status_code == 200, link
            assert not anchor or f'id="{anchor}"' in page.text, link
