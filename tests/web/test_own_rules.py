"""Own rules in an address: every page that takes a variant goes by them, and its links keep them."""

import re
from html import unescape
from urllib.parse import parse_qs, quote, urlsplit

import pytest

from app.kalooki.variants import load, with_house_rules
from app.kalooki.variants.own import own_rules, written

pytestmark = pytest.mark.one_app


def text_of(variant_id, name="Sunday", **house):
    return written(own_rules(with_house_rules(load(variant_id), house)[0], name, "2026-11-22"))


OWN = text_of("european", opening_points=51, joker_left=25)
BY_OWN = quote(OWN)
PLACES = ("/check", "/rules", "/disputes", "/wrong", "/quick", "/shown", "/elsewhere")
"""Where links of such pages lead under the same rules."""
FOOT = ("/check", "/rules")
"""What every page ends with."""


def links_of(page):
    """The addresses a page links to that are about somebody's rules."""
    found = [unescape(link) for link in re.findall(r'href="([^"]+)"', page)]
    return [link for link in found if link.startswith(PLACES) and link not in FOOT]


@pytest.mark.parametrize(
    "page",
    [
        "/check",
        "/check?check=count",
        "/rules/european",
        "/disputes",
        "/disputes?q=opening",
        "/wrong",
        "/wrong/deal",
        "/quick",
        "/quick/kalooki",
        "/elsewhere/rule/opening-points",
    ],
)
def test_a_page_goes_by_own_rules_and_its_links_keep_them(client, page):
    answer = client.get(f"{page}{'&' if '?' in page else '?'}own={BY_OWN}")

    assert answer.status_code == 200
    kept = [parse_qs(urlsplit(link).query).get("own") for link in links_of(answer.text)]
    assert kept
    assert all(text == [OWN] for text in kept)


def test_an_opening_is_judged_by_own_rules(client):
    cards = "&meld=KH+KD+KS&meld=5H+6H+7H"  # 30 and 18 points

    by_the_book = client.get(f"/check?check=opening{cards}&variant=european").text
    by_own = client.get(f"/check?check=opening{cards}&own={BY_OWN}").text
    assert "verdict-legal" in by_the_book
    assert "The opening needs 51 points; this comes to 48." in by_own


def test_own_rules_are_chosen_in_the_place_of_a_variant(client):
    page = client.get(f"/check?variant={BY_OWN}").text

    assert f'<option value="{OWN}" selected>Sunday</option>' in unescape(page)
    assert f"/rules/european?own={quote(OWN, safe='~')}" in unescape(page)


def test_the_page_of_rules_says_what_differs(client):
    page = client.get(f"/rules/european?own={BY_OWN}").text

    assert "51 points" in page
    assert '<a href="/rules/european?own=' in page
    assert client.get(f"/rules/jamaican?own={BY_OWN}").status_code == 404


def test_own_rules_are_compared_with_a_variant(client):
    page = client.get(f"/compare?a={BY_OWN}&b=european").text

    assert "2 values differ" in page
    assert "51 points" in page


def test_papers_are_made_by_own_rules(client):
    for paper in ("/api/v1/sheets/blank.pdf?", "/api/v1/variants/european/rules.pdf?"):
        by_the_book = client.get(f"{paper}variant=european").headers["ETag"]
        assert client.get(f"{paper}own={BY_OWN}").headers["ETag"] != by_the_book


@pytest.mark.parametrize("page", ["/check", "/rules/european", "/disputes", "/wrong", "/quick", "/compare"])
def test_what_is_no_set_of_own_rules_is_refused_in_words(client, page):
    name = "a" if page == "/compare" else "own"
    for text in (OWN[:-1], OWN.replace("51", "15"), OWN + "." * 9000, "Sunday.", "%00."):
        answer = client.get(page, query_string={name: text})
        assert answer.status_code == 422
        assert "These own rules are not whole" in answer.text
