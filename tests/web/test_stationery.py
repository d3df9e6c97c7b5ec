"""Blank sheets with the table's own values, names and stakes, and the page that offers what is printed."""

import re
from html import unescape
from urllib.parse import urlsplit

import pypdfium2
import pytest

from app.kalooki.variants import all_variants
from tests.json_scorer import Scorer
from tests.matrix import matrix
from tests.pages import START_FORM, hand
from tests.web.paper_reader import BROWSER, CONTRACTS, STAKES, lines, millimetres, pdf, printed, sizes, texts

pytestmark = pytest.mark.one_app

BLANK = "/api/v1/sheets/blank.pdf"
PAPERS = ["a4", "letter", "a5"]
VARIANTS = [variant.id for variant in all_variants()]
UNITS = re.compile(r"\bunits?\b")

GAME = START_FORM | {"unit": "0.10", "currency": "EUR"}


@pytest.mark.parametrize(("paper", "players", "variant"), matrix(PAPERS, [4, 6, 2], VARIANTS))
def test_every_blank_sheet_is_one_page(client, variant, paper, players):
    assert len(pdf(client, BLANK, variant=variant, players=players, paper=paper).pages) == 1


def test_a_blank_sheet_has_names_stakes_values_and_key_rules(client):
    found = lines(client, BLANK, variant="european", names="Ann, Ben,Cat", unit="0.20", currency="GBP")
    assert "Stakes: call-up £0.20, Kalooki £0.40, stake £1.00, buy-in £1.00" in found
    assert "Hand Ann Ben Cat" in found
    shown = " ".join(found)
    for value in ("Joker 15", "Ace 11", "10 J Q K 10", "40 points or more", "reaches 150", "at most twice in a game"):
        assert value in shown.replace("buy- ins", "buy-ins")


def test_a_blank_sheet_for_a_unit_says_amounts_in_its_rules_too(client):
    # 1 : 2 : 5 : 5 units of 0.20
    shown = " ".join(lines(client, BLANK, variant="european", unit="0.20", currency="GBP"))
    assert "call-up (£0.20), for a Kalooki £0.40 instead" in shown
    assert "Buying in costs £1.00, paid into the pool" in shown
    assert not UNITS.search(shown)


def test_a_blank_sheet_without_stakes_keeps_the_units(client):
    shown = " ".join(lines(client, BLANK, variant="european"))
    assert "call-up (1 unit), for a Kalooki 2 units instead" in shown
    assert "Stakes:" not in shown


def test_the_paper_of_a_table_tells_its_own_stakes(client):
    """A Kalooki of five call-ups, and a buy-in of twenty-five."""
    code = Scorer(client, {"variant": "european", "players": ["Ann", "Ben"], "stakes": STAKES}).code
    for address, asked in ((BLANK, {"game": code}), (f"/api/v1/games/{code}/rules.pdf", {})):
        shown = " ".join(lines(client, address, **asked))
        assert "call-up (£0.20), for a Kalooki £1.00 instead" in shown
        assert "Buying in costs £5.00, paid into the pool" in shown
        assert not UNITS.search(shown)
    assert "Everybody pays £2.00 into the pool at the start." in shown


def test_the_paper_of_a_table_writes_its_stakes_as_its_region_does(client):
    """A call-up of 2.50 rand, asked for by nobody in particular."""
    stakes = {"currency": "ZAR", "call_up": 250, "kalooki": 500, "initial": 0, "buy_in": 0}
    start = {"variant": "european", "players": ["Ann", "Ben"], "stakes": stakes, "zone": "Africa/Johannesburg"}
    code = Scorer(client, start).code
    for address, asked in ((BLANK, {"game": code}), (f"/api/v1/games/{code}/rules.pdf", {})):
        shown = " ".join(lines(client, address, **asked))
        assert "call-up R2,50, Kalooki R5,00" in shown
        assert "call-up (R2,50), for a Kalooki R5,00 instead" in shown


def test_the_paper_of_a_table_without_money_speaks_of_none(client):
    code = Scorer(client, {"variant": "european", "players": ["Ann", "Ben"], "stakes": None}).code
    for address, asked in ((BLANK, {"game": code}), (f"/api/v1/games/{code}/rules.pdf", {})):
        shown = " ".join(lines(client, address, **asked))
        assert "at most twice in a game" in shown.replace("buy- ins", "buy-ins")
        assert not UNITS.search(shown)
        for word in ("call-up", "Paid", "Pool", "Everybody pays", "Stakes"):
            assert word not in shown


@pytest.mark.parametrize(
    ("variant", "rule"),
    [
        ("kalooki-40", "gets 75% of the pool; the others not more than 100 points behind share the other 25%."),
        ("kalooki-51", "gets 75% of the pool; the others with fewer than 100 points share the other 25%."),
        ("european", "The winner of the game takes the pool."),
    ],
)
def test_a_blank_sheet_says_how_the_pool_is_shared(client, variant, rule):
    assert rule in " ".join(lines(client, BLANK, variant=variant))


def test_a_blank_sheet_numbers_as_many_hands_as_a_pen_has_room_for(client):
    (found,) = texts(printed(client, BLANK, variant="european", players=4))
    rows = [line for line in found[found.index("Hand") :] if line.isdecimal()]
    assert rows == [str(number) for number in range(1, len(rows) + 1)]
    assert len(rows) >= 20


def test_the_jamaican_blank_sheet_has_the_nine_contracts(client):
    shown = lines(client, BLANK, variant="jamaican", players=3)
    rows = [" ".join(line.replace("☐", "").split()) for line in shown[shown.index("Hand Contract") + 1 :]]
    assert rows[:9] == CONTRACTS
    assert "Black ace ♠ ♣ 15" in shown


@pytest.mark.parametrize("variant", ["kalooki-51", "european"])
def test_a_blank_sheet_has_a_dot_for_the_dealer(client, variant):
    assert "A dot marks the dealer." in " ".join(lines(client, BLANK, variant=variant))


def test_the_blank_sheet_of_a_table_shows_who_deals_which_hand(client):
    """Cat deals first, then Ann, Ben and Cat again."""
    code = Scorer(client, {"variant": "kalooki-51", "players": ["Ann", "Ben", "Cat"], "dealer": 3}).code
    text = pypdfium2.PdfDocument(printed(client, BLANK, game=code))[0].get_textpage()
    found = text.get_text_range()
    rings = [text.get_charbox(place)[0] for place, sign in enumerate(found) if sign == "○"][:4]
    names = [text.get_charbox(found.index(name))[0] for name in ("Ann", "Ben", "Cat")]
    nearest = [min(range(3), key=lambda at: abs(names[at] - ring)) for ring in rings]
    assert nearest == [2, 0, 1, 2]
    assert "○ deals, as long as nobody is out." in " ".join(lines(client, BLANK, game=code))


def test_the_blank_sheet_of_a_finished_game_begins_with_the_dealer_of_its_rematch(client):
    """Ben dealt the only hand, so Cat deals next."""
    game = Scorer(client, {"variant": "european", "players": ["Ann", "Ben", "Cat"], "dealer": 2})
    game.record(hand(1, s2=150, s3=150))
    found = (text := pypdfium2.PdfDocument(printed(client, BLANK, game=game.code))[0].get_textpage()).get_text_range()
    ring = text.get_charbox(found.index("○"))[0]
    places = {name: abs(text.get_charbox(found.index(name))[0] - ring) for name in ("Ann", "Ben", "Cat")}
    assert min(places, key=places.get) == "Cat"


def test_a_blank_sheet_says_how_many_cards_so_many_players_get(client):
    """North American: 15 cards for 2 to 4 players, 13 for 5, 11 for 6 and more."""
    for players, cards in ((4, 15), (5, 13), (9, 11)):
        assert f"{cards} cards each" in " ".join(lines(client, BLANK, variant="north-american", players=players))


def test_a_blank_sheet_has_lines_for_stakes_and_boxes_for_calls(client):
    european = " ".join(lines(client, BLANK, variant="european"))
    assert "Stakes" in european
    assert "Cross out a total that is out. Circle the score after a buy-in." in european
    assert "Cross out a total that is out." in " ".join(lines(client, BLANK, variant="north-american"))
    jamaican = " ".join(lines(client, BLANK, variant="jamaican", players=3))
    assert jamaican.count("☐☐☐") == 9 * 3
    assert "Tick a box for each call." in jamaican


@pytest.mark.parametrize(("paper", "variant"), matrix(PAPERS, VARIANTS))
def test_a_blank_sheet_is_printed_large_enough_and_within_its_margins(client, variant, paper):
    """8.5 points, 7.5 on A5; and what stands in the margin ends above the foot of the page."""
    page = pypdfium2.PdfDocument(printed(client, BLANK, variant=variant, players=4, paper=paper))[0]
    down = page.get_height() * 25.4 / 72
    boxes = [(size, box) for size, box in sizes(page)]
    foot = max(box[3] for _size, box in boxes)
    assert min(size for size, _box in boxes) > (7.49 if paper == "a5" else 8.49)
    assert max(box[3] for _size, box in boxes if box[3] < foot - 4) < down - (9 if paper == "a5" else 12)


def test_many_players_lay_the_page_on_its_side(client):
    assert millimetres(pdf(client, BLANK, variant="north-american", players=4)) == (210, 297)
    assert millimetres(pdf(client, BLANK, variant="north-american", players=9)) == (297, 210)
    assert millimetres(pdf(client, BLANK, variant="classic", players=3, paper="a5")) == (210, 148)


def test_a_blank_sheet_for_a_table_that_plays_already(client):
    table = {"variant": "european", "players": ["Ann", "Zoë"], "house": {"opening_points": 51, "limit": 200}}
    scorer = Scorer(client, table | {"stakes": {"call_up": 25}})
    shown = " ".join(lines(client, BLANK, game=scorer.code))
    assert "Hand Ann Zoë" in shown
    assert "51 points or more" in shown
    assert "reaches 200" in shown
    assert "call-up €0.25" in shown


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({"variant": "whist"}, "variant"),
        ({"players": "1"}, "players"),
        ({"players": "99"}, "players"),
        ({"players": "many"}, "players"),
        ({"paper": "b4"}, "paper"),
        ({"names": "A" * 41}, "names"),
        ({"names": "Ann,Ben,Cat", "players": "2"}, "names"),
        ({"unit": "much"}, "unit"),
        ({"unit": "1", "currency": "doubloons"}, "currency"),
    ],
)
def test_a_blank_sheet_that_makes_no_sense_is_refused_by_its_field(client, asked, field):
    answer = client.get(BLANK, query_string={"variant": "european"} | asked)
    assert (answer.status_code, answer.json["error"]["field"]) == (422, field)


def test_a_sheet_that_makes_no_sense_is_refused_on_the_page_with_what_was_typed(client):
    typed = {"names": "Ann, Ben, Cat", "players": "2", "unit": "0.20", "currency": "£"}
    answer = client.get("/sheets/blank", query_string=typed | {"variant": "jamaican", "paper": "letter"})
    assert answer.status_code == 422
    assert typed_on(answer.text) == (typed, ["jamaican", "letter"])
    assert re.findall(r'id="names-error-1">([^<]*)', answer.text) == ["3 names are more than 2 players."]


def typed_on(page):
    """What stands in the fields for a blank sheet, and what is selected there."""
    form = page[: page.index("Make the sheet")]
    fields = dict(re.findall(r'<input[^>]* name="(\w+)"[^>]* value="([^"]*)"', form))
    return fields, re.findall(r'<option value="([^"]+)" selected', form)


def test_a_sheet_refused_in_a_browser_leads_back_to_what_was_chosen(client):
    """108 cards deal thirteen to eight players."""
    typed = {"names": "Ann, Ben & Co", "players": "50", "unit": "0.20", "currency": "£"}
    answer = client.get(BLANK, query_string=typed | {"variant": "european", "paper": "a5"}, headers=BROWSER)
    assert answer.status_code == 422
    said = "Number of players: “50” is not a whole number from 2 to 8. Go back and change that: what you chose is kept."
    assert said in answer.text
    back, home = re.findall(r'<a class="button[^"]*" href="([^"]*)"', answer.text)
    assert (urlsplit(back).path, urlsplit(back).fragment, home) == ("/sheets", "blank", "/")
    assert typed_on(unescape(client.get(unescape(back)).text)) == (typed, ["european", "a5"])


def test_a_rules_card_refused_leads_back_to_the_cards(client):
    page = client.get("/api/v1/variants/european/rules.pdf?paper=a5", headers=BROWSER).text
    assert "Paper: “a5” is not one of: a4, letter." in page
    assert 'href="/sheets?paper=a5#cards"' in page


def test_a_sheet_asked_for_on_the_page_is_the_one_of_the_interface(client):
    assert 'action="/sheets/blank"' in client.get("/sheets").text
    typed = {"variant": "european", "names": "Zoë, Ben & Co", "players": "3", "unit": "", "paper": "a5"}
    answer = client.get("/sheets/blank", query_string=typed)
    assert answer.status_code == 303
    assert printed(client, answer.location) == printed(client, BLANK, **typed)


def test_a_blank_sheet_of_no_game_is_not_found(client):
    assert client.get(BLANK, query_string={"game": "AAAAAAAAAAA"}).status_code == 404


def test_what_is_asked_with_nothing_behind_it_is_left_out(client):
    asked = {"variant": "", "players": "", "names": "", "unit": "", "currency": "", "game": ""}
    assert lines(client, BLANK, **asked) == lines(client, BLANK)
    assert millimetres(pdf(client, BLANK, **asked, paper="")) == (210, 297)
    assert millimetres(pdf(client, "/api/v1/variants/european/rules.pdf", paper="")) == (210, 297)
    code = Scorer(client, {"variant": "classic", "players": ["Ann", "Ben"]}).code
    assert millimetres(pdf(client, f"/api/v1/games/{code}/sheet.pdf", paper="")) == (210, 297)


def test_the_page_offers_every_variant(client):
    page = client.get("/sheets").text
    for variant in all_variants():
        assert f'<option value="{variant.id}"' in page
        assert f"/api/v1/variants/{variant.id}/rules.pdf" in page


def test_names_of_the_last_game_are_offered_and_not_put_in(client):
    client.post("/new", data=GAME)
    page = client.get("/sheets").text
    assert typed_on(page)[0] == {"names": "", "players": "", "unit": "", "currency": "€"}
    assert '<option value="Ann, Ben"></option>' in page


def currency_asked(client):
    [field] = re.findall(r'<input[^>]* name="currency"[^>]*>', client.get("/sheets").text)
    return re.search(r'value="([^"]*)"', field)[1]


def test_the_page_asks_for_the_currency_of_the_unit(client):
    # EUR until a game was started here, then what it was played for
    assert currency_asked(client) == "€"
    client.post("/new", data=GAME | {"money": "y", "currency": "JMD"})
    assert currency_asked(client) == "J$"
    client.post("/new", data=GAME | {"submission": "s-2"})
    assert currency_asked(client) == "€"
