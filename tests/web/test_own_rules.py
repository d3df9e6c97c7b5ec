"""Own rules in an address: every page that takes a variant goes by them, and its links keep them."""

import re
from datetime import UTC, datetime
from html import unescape
from io import BytesIO
from urllib.parse import parse_qs, quote, urlsplit

import pytest

from app.kalooki.variants import load, with_house_rules
from app.kalooki.variants.own import own_rules
from tests.json_scorer import Scorer
from tests.pages import words
from tests.web.printed import pages

pytestmark = pytest.mark.one_app


def text_of(variant_id, name="Sunday", **house):
    return own_rules(with_house_rules(load(variant_id), house)[0], name, "2026-11-22").text


OWN = text_of("european", opening_points=51, joker_left=25)
BY_OWN = quote(OWN)
PLACES = ("/check", "/rules", "/disputes", "/wrong", "/shown", "/elsewhere")
"""Where links of such pages lead under the same rules."""
FOOT = ("/check", "/rules")
"""What every page ends with."""


def links_of(page):
    """The addresses a page links to that are about somebody's rules."""
    found = [unescape(link) for link in re.findall(r'href="([^"]+)"', page)]
    return [link for link in found if link.startswith(PLACES) and link not in FOOT]


@pytest.mark.parametrize("page", [
    "/check", "/check?check=count", "/rules/european", "/disputes", "/disputes?q=opening", "/wrong", "/wrong/deal",
    "/elsewhere/rule/opening-points",
])  # fmt: skip
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


def test_a_set_for_two_offers_two_seats(client):
    """Jamaican Kalooki is usually played by three or more."""
    for_two = text_of("jamaican", players_fewest=2)
    page = client.get("/new", query_string={"own": for_two}).text
    assert len(re.findall(r'name="players-\d-name"', page)) == 2


def test_papers_are_made_by_own_rules(client):
    for paper in ("/api/v1/sheets/blank.pdf?", "/api/v1/variants/european/rules.pdf?"):
        by_the_book = client.get(f"{paper}variant=european").headers["ETag"]
        assert client.get(f"{paper}own={BY_OWN}").headers["ETag"] != by_the_book


@pytest.mark.parametrize("page", ["/check", "/rules/european", "/disputes", "/wrong", "/compare"])
def test_what_is_no_set_of_own_rules_is_refused_in_words(client, page):
    name = "a" if page == "/compare" else "own"
    for text in (OWN[:-1], OWN.replace("51", "15"), OWN + "." * 9000, "Sunday.", "%00."):
        answer = client.get(page, query_string={name: text})
        assert answer.status_code == 422
        assert "These own rules are not whole" in answer.text


def test_a_link_shows_what_it_changes_before_anything_is_taken_over(client):
    page = client.get(f"/own?own={BY_OWN}").text

    assert "<h1>Sunday</h1>" in page
    assert '<a href="/check">' in page
    assert "<svg" in page
    assert "51 points" in page
    assert "usually 40 points" in page
    assert "25 points" in page
    assert "usually 15 points" in page
    assert f'href="/new?own={quote(OWN, safe="~")}"' in page
    assert f'href="/check?own={quote(OWN, safe="~")}"' in page


def test_a_game_starts_with_own_rules(client):
    page = client.get(f"/new?own={BY_OWN}").text

    field = re.search(r'<input[^>]*name="house-opening_points"[^>]*>', page)
    assert field
    assert 'value="51"' in field[0]


def test_a_new_game_names_the_set_it_plays_by(client):
    page = client.get(f"/new?own={BY_OWN}").text

    assert f'href="/own?own={quote(OWN, safe="~")}">Sunday</a>' in page
    assert load("european").summary not in unescape(page)


def test_rules_typed_for_a_new_game_are_kept_as_a_set_before_it_starts(client):
    typed = {"variant": "european", "asked_of": "european", "do": "set", "house-joker_left": "40"}
    page = client.post("/new", data=typed, follow_redirects=True).text
    assert "Keep them on this device" in page
    assert "40 points" in page

    # two packs have eight jokers at most
    page = client.post("/new", data=typed | {"house-jokers": "9"}, follow_redirects=True).text
    assert "Keep them on this device" not in page
    assert "What this table plays differently" in page


def test_no_stake_of_the_book_is_stated_as_the_tables_own(client):
    """The book suggests 1, 2, 5 and 5 units; of those the table chose none, and one of its own."""
    own = quote(text_of("european", limit=200, stake_kalooki=3))
    printed = " ".join(pages(client, f"/api/v1/variants/european/rules.pdf?own={own}"))
    for text in (words(client.get(f"/rules/european?own={own}").text), printed):
        assert "pays its winner the call-up (the agreed amount), for a Kalooki 3 units instead." in text
        assert "Everybody pays the agreed amount into the pool at the start." in text
        assert "Buying in costs the agreed amount, paid into the pool." in text
    told = "Amounts of money are agreed with each game; where rules name units, the game says what one is worth."
    assert told in printed
    assert told in words(client.get(f"/own?own={own}").text)


def test_the_rules_of_a_game_as_a_set_say_what_the_game_is_played_for(client):
    start = {"variant": "european", "players": ["Ann", "Ben"], "house": {"limit": 200}}
    stakes = {"currency": "GBP", "call_up": 20, "kalooki": 100, "initial": 500, "buy_in": 500}
    page = words(client.get(f"/g/{Scorer(client, start | {'stakes': stakes}).code}/own").text)
    assert "This game is played for: call-up £0.20, Kalooki £1.00, stake £5.00, buy-in £5.00." in page
    assert "Amounts of money are agreed with each game" in page

    without = words(client.get(f"/g/{Scorer(client, start | {'stakes': None}).code}/own").text)
    assert "What they change Limit 200 points usually 150 points Amounts of money" in without


def test_a_game_tells_its_real_amounts_wherever_it_tells_its_rules(client):
    """Of its Kalooki stake of three units it made a pound."""
    stakes = {"currency": "GBP", "call_up": 20, "kalooki": 100, "initial": 500, "buy_in": 500}
    start = {"variant": "european", "players": ["Ann", "Ben"], "house": {"stake_kalooki": 3}, "stakes": stakes}
    code = Scorer(client, start).code
    for page in (f"/g/{code}", f"/g/{code}/rules"):
        assert "Kalooki stake £1.00 usually 2 units" in words(client.get(page).text)
    card = " ".join(pages(client, f"/api/v1/games/{code}/rules.pdf"))
    assert "Kalooki stake. £1.00 (usually 2 units)" in card
    assert "call-up (£0.20), for a Kalooki £1.00 instead." in card
    assert "3 units" not in card


def test_what_comes_to_the_same_is_no_difference(client):
    """Thirteen cards for two and for three players are the variant's thirteen cards for all."""
    page = client.post("/new/rules", data={"variant": "european", "house-dealt": "13, 13"}).text
    assert "plays differently" not in page
    asked = {"variant": "european", "house": {"dealt": [13, 13]}}
    assert client.post("/api/v1/variants/check", json=asked).json["differs"] == []
    assert own_rules(with_house_rules(load("european"), {"dealt": [13, 13]})[0]).house == {}
    typed = {"variant": "european", "asked_of": "european", "do": "keep", "house-dealt": "13, 13"}
    page = client.post("/new", data=typed).text
    assert load("european").summary in unescape(page)
    assert "With rules of your own" not in page
    page = client.post("/new/rules", data={"variant": "european", "house-dealt": "13, 11"}).text
    assert "Cards dealt" in page


def test_how_many_may_play_follows_the_packs(client):
    """Of two packs and two jokers 8 times 13 cards are dealt (104 of 106), of three packs 12 times (156 of 158)."""
    for packs, most in (("2", 8), ("3", 12)):
        page = client.post("/new/rules", data={"variant": "european", "house-packs": packs}).text
        assert f'data-most-seats="{most}"' in page
        assert f"the packs can deal to {most} at most." in page


def test_a_set_gets_another_name(client):
    answer = client.get(f"/own?own={BY_OWN}&name=Monday", follow_redirects=True)

    assert "<h1>Monday</h1>" in answer.text
    assert client.get(f"/own?own={BY_OWN}&name={'a' * 41}").status_code == 422


def test_a_file_brings_the_same_set_back(client):
    sent = client.get(f"/own.toml?own={BY_OWN}")
    assert "opening_points = 51" in sent.text
    assert 'extends = "european"' in sent.text
    assert sent.headers["Content-Disposition"] == "attachment; filename=Sunday.toml"

    page = client.post("/own", data={"file": (BytesIO(sent.data), "Sunday.toml")}, follow_redirects=True).text
    assert "<h1>Sunday</h1>" in page
    assert "51 points" in page


@pytest.mark.parametrize(
    ("file", "sentences"),
    [
        (b'extends = "european"\n[stated]\nlimit = -1\nbeer = 2', ["limit (line 3)", "beer (line 4)"]),
        (b'extends = "euchre"', ["extends (line 1): name one of this server’s variants."]),
        (b'extends = "european"\nstated = 3', ["stated (line 2)"]),
        (b'extends = "european"\nrules = 3', ["rules (line 2)"]),
        (b"\xff", ["line 1 is no text"]),
        (b"a = " + b"[" * 40_000, ["nested too deeply"]),
        (b"#" * 70_000, ["longer than 64 kB"]),
        (b"", ["extends"]),
    ],
)
def test_a_file_that_is_no_set_is_refused_with_its_lines(client, file, sentences):
    answer = client.post("/own", data={"file": (BytesIO(file), "own.toml")})

    assert answer.status_code == 422
    [fault] = re.findall(r'(?s)role="alert">(.*?)</div>', unescape(answer.text))
    rows = re.findall(r"<li>(.*?)</li>", fault)
    for row, sentence in zip(rows, sentences, strict=True):  # a row for each mistake
        assert sentence in row


def test_the_rules_of_a_game_become_a_set(client):
    game = {"variant": "european", "house": {"limit": 200}, "players": ["Ann", "Ben"], "dealer": 1, "stakes": None}
    code = client.post("/api/v1/games", json=game).json["code"]

    assert "200 points" in client.get(f"/g/{code}/own", follow_redirects=True).text
    again = client.get(f"/new?like={code}").text
    assert 'value="Ann"' in again
    assert 'value="200"' in again


def test_a_set_has_the_day_at_its_table(app, client, monkeypatch):
    monkeypatch.setitem(app.config, "CLOCK", lambda: datetime(2026, 11, 22, 4, 30, tzinfo=UTC))  # 23:30 in Kingston
    zone = "America/Jamaica"
    game = {"variant": "european", "house": {"limit": 200}, "players": ["Ann", "Ben"], "stakes": None, "zone": zone}
    code = client.post("/api/v1/games", json=game).json["code"]
    assert "European Kalooki · 2026-11-21" in client.get(f"/g/{code}/own").text

    file = b'extends = "european"\n[stated]\nlimit = 200'
    brought = client.post("/own", data={"file": (BytesIO(file), "own.toml"), "zone": zone})
    assert ".2026-11-21." in brought.headers["Location"]


def test_paper_is_chosen_for_own_rules(client):
    page = unescape(client.get(f"/sheets?own={BY_OWN}").text)

    assert f'<option value="{OWN}" selected>Sunday</option>' in page
    assert f"/api/v1/variants/european/rules.pdf?own={quote(OWN, safe='~')}" in page
    (first, *_others) = re.findall(r'role="group" aria-label="([^"]+)"', page)
    assert first == "Sunday"


def test_two_sets_of_one_variant_are_compared(client):
    other = text_of("european", name="Monday", opening_points=60)
    page = client.get("/compare", query_string={"a": OWN, "b": other}).text

    assert "<strong>Sunday</strong><strong>Monday</strong>" in page
    assert "2 values differ" in page
    assert "51 points" in page
    assert "60 points" in page


def test_a_glance_and_a_card_have_no_contract_of_a_hand_that_is_not_played(client):
    """Six hands of the Jamaican nine: the last contract is three threes and a four, 3 × 3 + 4 = 13 cards."""
    six = quote(text_of("jamaican", game_hands=6))
    page = client.get(f"/rules/jamaican?own={six}").text
    glance = words(re.search(r'<dl class="facts glance[^"]*">(.*?)</dl>', page, re.DOTALL)[1])
    assert "Hand 6 3 threes + 1 four (13 cards)" in glance
    assert "Hand 7" not in glance
    card = " ".join(pages(client, f"/api/v1/variants/jamaican/rules.pdf?own={six}"))
    assert "Hand 6 3 threes + 1 four, 13 cards" in card
    assert "Hand 7 2 threes" not in card
