"""Help: the four tasks with a picture each, and a place for every word that is dotted elsewhere."""

import re

import pytest

from tests.pages import Alice, hand

pytestmark = pytest.mark.one_app

TASKS = ("score", "dispute", "fix", "print")


def test_help_shows_each_task_with_a_picture_that_is_there(client):
    page = client.get("/help").text
    assert re.findall(r'<h2 id="(\w+)"', page) == [*TASKS, "join", "club", "gone", "own", "words"]
    assert re.findall(r'<li><a href="#(\w+)"', page) == [*TASKS, "join", "club", "gone", "own", "words"]
    for address in re.findall(r'<img class="help-picture" src="([^"]+)"', page):
        answer = client.get(address)
        assert (answer.status_code, answer.mimetype) == (200, "image/png")
        assert len(answer.data) < 40_000


def test_a_dotted_word_opens_what_it_means(app):
    page = Alice(app).get("/hand").text
    terms = re.findall(r'<a href="/help#([\w-]+)"', page)
    explained = re.findall(r'<dt id="([\w-]+)"', app.test_client().get("/help").text)
    assert terms
    assert set(terms) <= set(explained)


def test_an_open_offer_leads_to_its_rule_and_not_away_from_its_buttons(app):
    alice = Alice(app)
    alice.record(hand(1, s2=150, s3=10))
    asking = re.search(r'(?s)<div class="[^"]*asking">(.*?)</div>', alice.get().text)[1]
    assert re.findall(r'href="([^"]*)"', asking) == [f"/g/{alice.code}/rules#buy-in"]


@pytest.mark.parametrize("path", ["/nothing", "/offline", "/games"])
def test_a_page_with_nothing_to_show_says_what_to_do(client, path):
    page = client.get(path).text
    assert 'class="fan laid"' in page
    assert 'class="button button-primary"' in page
