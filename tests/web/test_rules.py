"""The rules pages: every variant's rules with an anchor each, a game's with its house rules, what differs, disputes."""

import re
from functools import cache
from html import unescape

import pytest

from app.kalooki.rules.rulebook import documents, rule_in_words, rules_of
from app.kalooki.variants import all_variants, load
from tests.json_scorer import Scorer
from tests.kalooki.rule_talk import WITH_A_DOCUMENT
from tests.pages import start, words
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


def test_what_is_said_beside_a_ruling_carries_its_own_mark(client):
    answer = client.get("/elsewhere/dispute/using-the-discard?variant=kalooki-40").text.partition("</ul>")[0]

    assert "<cite>Kalooki 40:</cite> How to Play a Game of Kalooki 40, the three steps." in answer
    assert re.search(r"The card that was taken</a>\s*<span[^>]*>common practice", answer)
    assert not re.search(r"The discard before the opening</a>\s*<span", answer)


def test_a_remedy_for_a_sourced_ruling_is_called_usual(client):
    remedied = client.get("/elsewhere/dispute/using-the-discard?variant=european").text
    assert "the source doesn’t say" in remedied.partition("</ul>")[0]
    plain = client.get("/elsewhere/dispute/how-many-jokers?variant=european").text
    assert "the source doesn’t say" not in plain.partition("</ul>")[0]


def test_a_games_rules_name_its_house_rules(client, code):
    page = text_of(client.get(f"/g/{code}/rules"))

    assert "House rules of this table" in page
    assert "Opening 51 points" in page
    assert "come to 51 points or more" in page
    assert "gives the real card of one missing suit takes the joker of a set of three" in page


def test_who_writes_a_game_gets_from_its_rules_to_where_house_rules_are_changed(client, code):
    assert "Change house rules" not in client.get(f"/g/{code}/rules").text
    alice = start(client)
    client.get(f"/g/{alice.code}/s/{alice.secret}")
    [door] = re.findall(r'href="([^"]*)">Change house rules', client.get(f"/g/{alice.code}/rules").text)
    page = client.get(unescape(door).removesuffix("#house")).text
    assert '<details class="fold" id="house" open>' in page


def test_a_games_rules_name_what_it_is_played_for(client):
    stakes = {"currency": "GBP", "call_up": 20, "kalooki": 100, "initial": 200, "buy_in": 500}
    code = start(client, stakes=stakes).code
    page = text_of(client.get(f"/g/{code}/rules"))

    assert "the call-up (£0.20), for a Kalooki £1.00 instead" in page
    assert "Buying in costs £5.00, paid into the pool." in page
    assert "Everybody pays £2.00 into the pool at the start." in page
    assert not re.search(r"\d units?\b", page)
    assert "the call-up (1 unit), for a Kalooki 2 units instead" in text_of(client.get("/rules/european"))


def test_a_game_without_money_has_no_rules_of_money(client, code):
    page = text_of(client.get(f"/g/{code}/rules"))
    settled = text_of(client.get(f"/g/{code}/disputes/all"))

    assert "call-up" not in page
    assert "into the pool at the start" not in page
    assert "it is worth no more than going out. house rule Played without money" in page
    assert "the game is played for points. house rule Played without money" in page
    assert "no buying in" not in page
    assert "Nobody: by these rules you play for points." in settled


def test_an_ace_has_one_text_where_its_colour_does_not_matter(client):
    told = {variant: rule_in_words("ace-left", load(variant)).text for variant in ("european", "jamaican")}
    assert all(text in text_of(client.get(f"/rules/{variant}")) for variant, text in told.items())
    assert [" red " in text for text in told.values()] == [False, True]


def test_a_game_by_the_book_says_there_are_none(client):
    code = start(client, "classic", stakes=None).code

    assert "No house rules: this table plays by the book." in client.get(f"/g/{code}/rules").text


def glance(client, variant):
    page = client.get(f"/rules/{variant}").text
    return words(re.search(r'<dl class="facts glance[^"]*">(.*?)</dl>', page, re.DOTALL)[1])


def test_yes_or_no_at_a_glance_answers_what_stands_before_it(client):
    # in Jamaica a player may go out without a discard
    assert "The last card must be thrown no" in glance(client, "jamaican")
    assert "The last card must be thrown yes" in glance(client, "kalooki-51")
    assert "The opening no minimum" in glance(client, "classic")


@pytest.mark.parametrize(
    ("variant", "said"),
    [
        # calling too often cancels the doubling; a four grows at its high end first, and so does its joker's place
        ("jamaican", "points doubled, unless the player called more than 3 times"),
        ("jamaican", "any number; at the low end only once the high end has reached the ace"),
        ("jamaican", "never; it moves to the high end or, after the ace, to the front"),
        ("kalooki-51", "51 points; none for a Kalooki"),
        ("kalooki-51", "25 points more for each loser"),
        ("european", "only to open in the same turn; free in the hand’s first turn"),
        ("european", "twice, while at least two players are still in"),
        ("european", "3 cards or fewer"),
        ("european", "2 cards in a turn"),
        ("european", "150 points or more"),
        ("north-american", "yes, beside a new meld of your own"),
        ("kalooki-40", "only to open in the same turn The discard"),  # nobody’s first draw is free there
        ("classic", "for both missing suits; with two jokers"),
    ],
)
def test_a_glance_keeps_the_exception_that_would_turn_the_answer(client, variant, said):
    assert said in glance(client, variant)


def test_a_default_carries_its_mark_at_a_glance(client):
    # of South Africa the document has the card values only
    told = glance(client, "south-african")
    assert "Joker left in hand 25 points written rule Ace left in hand 11 points written rule Out of the game" in told
    assert told.count("written rule") == 2
    assert "Jokers in the pack 2 jokers common practice Ace in a run high only common practice" in glance(
        client, "classic"
    )
    assert "The last card must be thrown yes The source is unclear" in glance(client, "european")


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


def test_a_games_disputes_follow_its_house_rules(client, code):
    page = text_of(client.get(f"/g/{code}/disputes/all"))

    assert "put in the missing suit" in page
    assert "your own new melds must make 51 points" in page
    assert f"/g/{code}/rules#joker-from-set" in client.get(f"/g/{code}/elsewhere/dispute/joker-from-a-set").text


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
