"""The rules of a game: what it plays differently, and another game that begins with them."""

import re
from html import unescape
from urllib.parse import urlsplit

import pytest

from app.kalooki.variants import load
from app.views.sheets import copying_address
from tests.pages import start, start_by_form, words
from tests.web.paper_reader import pages
from tests.web.test_new_game import ANN_BEN

pytestmark = pytest.mark.one_app

STAKES = {"currency": "GBP", "call_up": 20, "kalooki": 100, "initial": 500, "buy_in": 500}


def filled_in(page):
    """The house rules and players of a form, where it shows any; the variant chosen."""
    fields = re.findall(r'<input[^>]*name="([a-z0-9_-]+)"[^>]*? value="([^"]+)"', page)
    choices = re.findall(r'(?s)<select[^>]*name="([a-z_-]+)"(?:(?!</select>).)*?<option selected value="([^"]+)"', page)
    return {key: value for key, value in fields + choices if re.match(r"house-|variant$|players-\d-name", key)}


def offered(page):
    """The rules of earlier games that New game offers: their addresses by what they change."""
    listed = page.partition('id="rules-played"')[2].partition("</ul>")[0]
    return {unescape(text): to for to, text in re.findall(r'<a href="([^"]*)">(.*?)</a>', listed)}


def test_another_game_is_filled_in_with_the_rules_of_one_but_not_its_players(client):
    code = start(client, house={"opening_points": 51, "joker_left": 25, "limit": None, "ace": "both"}).code
    visitor = client.application.test_client()
    link = f'href="/new?rules={code}">New game with these rules'
    assert link in visitor.get(f"/g/{code}/more").text

    shown = filled_in(visitor.get(f"/new?rules={code}").text)
    expected = {"variant": "european", "house-opening_points": "51", "house-joker_left": "25", "house-ace": "both"}
    assert shown.items() >= expected.items()
    assert not [key for key in shown if key.startswith("players")]


def test_a_game_by_the_book_gives_its_variant(client):
    page = client.get(f"/new?rules={start(client, 'jamaican').code}").text
    assert filled_in(page)["variant"] == "jamaican"
    assert "What this table plays differently" not in page


def test_rules_of_earlier_games_here_are_offered_by_what_they_change(app):
    device = app.test_client()
    assert offered(device.get("/new").text) == {}

    def begin(**typed):
        return start_by_form(device, ANN_BEN, **typed, do="start").code

    begin()
    assert offered(device.get("/new").text) == {}
    begin(**{"house-limit": "90"})
    many = {"house-limit": "", "house-packs": "3", "house-jokers": "4", "house-dealt": "11"}
    codes = [
        begin(**{"house-limit": "200", "house-jokers": "4"}),
        begin(variant="jamaican", **{"house-contracts": ["2", "0", "1", "1"], "house-joker_discard": "True"}),
        begin(**many, **{"house-joker_discard": "False"}),
    ]
    begin()
    again = begin(**{"house-jokers": "4", "house-limit": "200"})
    assert offered(device.get("/new").text) == {
        "European: jokers 4, limit 200": f"/new?rules={again}",
        "European: packs 3, jokers 4, cards dealt 11, 2 more": f"/new?rules={codes[2]}",
        "Jamaican: contract of each hand 2+0 1+1, a joker may be thrown: yes": f"/new?rules={codes[1]}",
    }
    assert offered(app.test_client().get("/new").text) == {}


def test_a_game_for_two_says_that_two_may_play(client):
    """Jamaican Kalooki is usually played by three or more."""
    for house, room in (({}, "3 to 6 players"), ({"players_fewest": 2}, "2 to 6 players")):
        page = client.get("/new", query_string={"rules": start(client, "jamaican", house=house).code}).text
        assert re.search(r"data-room>([^<,]*)", page)[1] == room


def test_the_code_of_a_blank_sheet_leads_to_a_table_by_its_rules(app, client):
    code = start(client, house={"opening_points": 60}).code
    with app.test_request_context():
        shown = urlsplit(copying_address(load("european"), ["Ann", "Ben", ""], None, code))
    page = client.get(f"{shown.path}?{shown.query}").text
    assert filled_in(page)["house-opening_points"] == "60"
    assert 'value="Ann, Ben"' in page


def test_a_game_tells_its_real_amounts_wherever_it_tells_its_rules(client):
    """Of its Kalooki stake of three units it made a pound."""
    code = start(client, stakes=STAKES, house={"stake_kalooki": 3}).code
    assert "Kalooki stake £1.00 usually 2 units" in words(client.get(f"/g/{code}/rules").text)
    card = " ".join(pages(client, f"/api/v1/games/{code}/rules.pdf"))
    assert "Kalooki stake. £1.00 (usually 2 units)" in card
    assert "call-up (£0.20), for a Kalooki £1.00 instead." in card
    assert "3 units" not in card


def test_what_comes_to_the_same_is_no_difference(client):
    """Thirteen cards for two and for three players are the variant’s thirteen cards for all."""
    page = client.post("/new/rules", data={"variant": "european", "house-dealt": ["13", "13"]}).text
    assert "What this table plays differently" not in page
    asked = {"variant": "european", "house": {"dealt": [13, 13]}}
    assert client.post("/api/v1/variants/check", json=asked).json["differs"] == []
    typed = {"variant": "european", "asked_of": "european", "do": "keep", "house-dealt": ["13", "13"]}
    page = client.post("/new", data=typed).text
    assert load("european").summary in unescape(page)
    assert "With rules of your own" not in page
    page = client.post("/new/rules", data={"variant": "european", "house-dealt": ["13", "11"]}).text
    assert "What this table plays differently" in page


def test_a_glance_and_a_card_have_no_contract_of_a_hand_that_is_not_played(client):
    """Six hands of the Jamaican nine: the last contract is three threes and a four, 3 × 3 + 4 = 13 cards."""
    code = start(client, "jamaican", house={"game_hands": 6}).code
    page = client.get(f"/g/{code}/rules").text
    glance = words(re.search(r'<dl class="facts glance[^"]*">(.*?)</dl>', page, re.DOTALL)[1])
    assert "Hand 6 3 threes + 1 four (13 cards)" in glance
    assert "Hand 7" not in glance
    card = " ".join(pages(client, f"/api/v1/games/{code}/rules.pdf"))
    assert "Hand 6 † 3 threes + 1 four, 13 cards" in card or "Hand 6 3 threes + 1 four, 13 cards" in card
    assert "Hand 7 2 threes" not in card
