"""Blank sheets and rules cards, with the table's own values, names and stakes."""

import io
import re

import pypdf
import pypdfium2
import pytest
from pypdfium2 import raw

from app.kalooki.variants import all_variants
from tests.json_scorer import Scorer
from tests.web.test_sheet_edges import CONTRACTS

BLANK = "/api/v1/sheets/blank.pdf"
STAKES = {"currency": "GBP", "call_up": 20, "kalooki": 100, "initial": 200, "buy_in": 500}
UNITS = re.compile(r"\bunits?\b")

GAME = {"variant": "european", "players-0-name": "Ann", "players-1-name": "Ben", "dealer": "0", "out_at": "limit"}
GAME |= {"settle": "account", "unit": "0.10", "currency": "EUR", "submission": "s-1", "do": "start"}


def pdf(client, address, **asked):
    answer = client.get(address, query_string=asked)
    assert answer.status_code == 200, answer.text
    return pypdf.PdfReader(io.BytesIO(answer.data))


def lines(client, address, **asked):
    return [line for page in pdf(client, address, **asked).pages for line in page.extract_text().splitlines()]


def pages(client, address, **asked):
    """The text of each page, without the ends of its lines."""
    return [" ".join(page.extract_text().split()) for page in pdf(client, address, **asked).pages]


def millimetres(reader):
    box = reader.pages[0].mediabox
    return round(float(box.width) / 72 * 25.4), round(float(box.height) / 72 * 25.4)


@pytest.mark.parametrize("variant", [variant.id for variant in all_variants()])
@pytest.mark.parametrize("paper", ["a4", "letter", "a5"])
def test_every_blank_sheet_is_one_page(client, variant, paper):
    for players in (2, 4, 6):
        assert len(pdf(client, BLANK, variant=variant, players=players, paper=paper).pages) == 1


def test_a_blank_sheet_has_names_stakes_values_and_key_rules(client):
    found = lines(client, BLANK, variant="european", names="Ann, Ben,Cat", unit="0.20", currency="GBP")
    assert "Stakes: call-up 0.20, Kalooki 0.40, stake 1.00, buy-in 1.00 GBP" in found
    assert "Hand Ann Ben Cat" in found
    shown = " ".join(found)
    for value in ("Joker 15", "Ace 11", "10 J Q K 10", "40 points or more", "reaches 150", "at most twice in a game"):
        assert value in shown.replace("buy- ins", "buy-ins")


def test_a_blank_sheet_for_a_unit_says_amounts_in_its_rules_too(client):
    # 1 : 2 : 5 : 5 units of 0.20
    shown = " ".join(lines(client, BLANK, variant="european", unit="0.20", currency="GBP"))
    assert "call-up (0.20 GBP), for a Kalooki 0.40 GBP instead" in shown
    assert "Buying in costs 1.00 GBP, paid into the pool" in shown
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
        assert "call-up (0.20 GBP), for a Kalooki 1.00 GBP instead" in shown
        assert "Buying in costs 5.00 GBP, paid into the pool" in shown
        assert not UNITS.search(shown)
    assert "Everybody pays 2.00 GBP into the pool at the start." in shown


def test_a_card_follows_the_stakes_that_are_mended(client):
    scorer = Scorer(client, {"variant": "european", "players": ["Ann", "Ben"], "stakes": STAKES})
    card = f"/api/v1/games/{scorer.code}/rules.pdf"
    before = client.get(card).headers["ETag"]
    scorer.record({"kind": "setup", "stakes": {"kalooki": 40}})
    assert client.get(card).headers["ETag"] != before
    assert "for a Kalooki 0.40 GBP instead" in " ".join(lines(client, card))


def test_the_paper_of_a_table_without_money_speaks_of_none(client):
    code = Scorer(client, {"variant": "european", "players": ["Ann", "Ben"], "stakes": None}).code
    for address, asked in ((BLANK, {"game": code}), (f"/api/v1/games/{code}/rules.pdf", {})):
        shown = " ".join(lines(client, address, **asked))
        assert "at most twice in a game" in shown.replace("buy- ins", "buy-ins")
        assert not UNITS.search(shown)
        for word in ("call-up", "Paid", "Pool", "Everybody pays", "Stakes"):
            assert word not in shown


def test_a_blank_sheet_numbers_as_many_hands_as_a_pen_has_room_for(client):
    found = lines(client, BLANK, variant="european", players=4)
    rows = [line for line in found[found.index("Hand") :] if line.isdecimal()]
    assert rows == [str(number) for number in range(1, len(rows) + 1)]
    assert len(rows) >= 20


def test_the_jamaican_blank_sheet_has_the_nine_contracts(client):
    (shown,) = pages(client, BLANK, variant="jamaican", players=3)
    places = [shown.index(contract) for contract in CONTRACTS]
    assert places == sorted(places)
    assert "Black ace ♠ ♣ 15" in shown


@pytest.mark.parametrize("variant", ["kalooki-51", "european"])
def test_a_blank_sheet_has_a_dot_for_the_dealer(client, variant):
    assert "A dot marks the dealer." in " ".join(lines(client, BLANK, variant=variant))


def test_the_blank_sheet_of_a_table_shows_who_deals_which_hand(client):
    """Cat deals first, then Ann, Ben and Cat again."""
    code = Scorer(client, {"variant": "kalooki-51", "players": ["Ann", "Ben", "Cat"], "dealer": 3}).code
    answer = client.get(BLANK, query_string={"game": code})
    text = pypdfium2.PdfDocument(answer.data)[0].get_textpage()
    found = text.get_text_range()
    rings = [text.get_charbox(place)[0] for place, sign in enumerate(found) if sign == "○"][:4]
    names = [text.get_charbox(found.index(name))[0] for name in ("Ann", "Ben", "Cat")]
    nearest = [min(range(3), key=lambda at: abs(names[at] - ring)) for ring in rings]
    assert nearest == [2, 0, 1, 2]
    assert "○ deals, as long as nobody is out." in " ".join(lines(client, BLANK, game=code))


def test_a_blank_sheet_says_how_many_cards_so_many_players_get(client):
    """North American: 15 cards for 2 to 4 players, 13 for 5, 11 for 6 and more."""
    for players, cards in ((4, 15), (5, 13), (9, 11)):
        assert f"{cards} cards each" in " ".join(lines(client, BLANK, variant="north-american", players=players))


def test_a_blank_sheet_has_lines_for_stakes_and_signatures_and_boxes_for_calls(client):
    european = " ".join(lines(client, BLANK, variant="european"))
    assert "Stakes" in european
    assert "Signed" in european
    assert "Strike out a total that is out. Circle the score after a buy-in." in european
    assert "Strike out a total that is out." in " ".join(lines(client, BLANK, variant="north-american"))
    jamaican = " ".join(lines(client, BLANK, variant="jamaican", players=3))
    assert jamaican.count("☐☐☐") == 9 * 3
    assert "Tick a box for each call." in jamaican


@pytest.mark.parametrize("variant", [variant.id for variant in all_variants()])
@pytest.mark.parametrize("paper", ["a4", "letter", "a5"])
def test_a_blank_sheet_is_printed_large_enough_and_within_its_margins(client, variant, paper):
    """8.5 points; and what stands in the margin ends above the foot of the page."""
    answer = client.get(BLANK, query_string={"variant": variant, "players": 4, "paper": paper})
    page = pypdfium2.PdfDocument(answer.data)[0]
    down = page.get_height() * 25.4 / 72
    boxes = [(size, box) for size, box in sizes(page)]
    foot = max(box[3] for _size, box in boxes)
    assert min(size for size, _box in boxes) > 8.49
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
    assert "call-up 0.25" in shown


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({"variant": "whist"}, "variant"),
        ({"players": "1"}, "players"),
        ({"players": "99"}, "players"),
        ({"players": "many"}, "players"),
        ({"paper": "b4"}, "paper"),
        ({"names": "A" * 21}, "names"),
        ({"names": "Ann,Ben,Cat", "players": "2"}, "names"),
        ({"unit": "much"}, "unit"),
        ({"unit": "1", "currency": "doubloons"}, "currency"),
    ],
)
def test_a_blank_sheet_that_makes_no_sense_is_refused_by_its_field(client, asked, field):
    answer = client.get(BLANK, query_string={"variant": "european"} | asked)
    assert (answer.status_code, answer.json["error"]["field"]) == (422, field)


def test_a_blank_sheet_of_no_game_is_not_found(client):
    assert client.get(BLANK, query_string={"game": "AAAAAAAAAAA"}).status_code == 404


CARDS = [{}, {"paper": "letter"}, {"folded": "1"}, {"paper": "letter", "folded": "1"}]


@pytest.mark.parametrize("variant", [variant.id for variant in all_variants()])
@pytest.mark.parametrize("asked", CARDS)
def test_a_rules_card_is_a_glance_and_two_pages_of_rules(client, variant, asked):
    glance, *behind = pages(client, f"/api/v1/variants/{variant}/rules.pdf", **asked)
    for title in ("Left in hand", "Going out.", "Jokers are wild.", "The end of the game."):
        assert title in glance
    assert len(behind) == 2
    for title in ("Going out", "Two to nine", "Joker left in hand"):
        assert title in " ".join(behind)
        assert title == "Going out" or title not in glance


def sizes(page):
    """The letters of a page in points, each with its box in millimetres from the upper left."""
    text = page.get_textpage()
    for place in range(text.count_chars()):
        if raw.FPDFText_GetUnicode(text, place) > 32:
            left, bottom, right, top = (edge * 25.4 / 72 for edge in text.get_charbox(place))
            down = page.get_height() * 25.4 / 72
            yield raw.FPDFText_GetFontSize(text, place), (left, down - top, right, down - bottom)


@pytest.mark.parametrize("variant", [variant.id for variant in all_variants()])
@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_the_glance_is_read_across_the_table(client, variant, paper):
    """Twelve points but for the foot of the page; what is behind is no smaller than a newspaper's small print."""
    answer = client.get(f"/api/v1/variants/{variant}/rules.pdf", query_string={"paper": paper})
    glance, *behind = pypdfium2.PdfDocument(answer.data)
    foot = glance.get_height() * 25.4 / 72 - 15
    assert min(size for size, box in sizes(glance) if box[1] < foot) > 11.99
    for page in behind:
        assert min(size for size, _box in sizes(page)) > 7


@pytest.mark.parametrize("variant", [variant.id for variant in all_variants()])
@pytest.mark.parametrize(("paper", "width", "height"), [("a4", 297, 210), ("letter", 279.4, 215.9)])
def test_no_letter_of_a_folded_card_lies_near_a_fold(client, variant, paper, width, height):
    answer = client.get(f"/api/v1/variants/{variant}/rules.pdf", query_string={"paper": paper, "folded": 1})
    for page in pypdfium2.PdfDocument(answer.data):
        for _size, (left, top, right, bottom) in sizes(page):
            for fold in (width / 4, width / 2, width * 3 / 4):
                assert right < fold - 4 or left > fold + 4
            assert bottom < height / 2 - 4 or top > height / 2 + 4
            assert 4 < top < bottom < height - 3


def test_cards_are_drawn_at_a_glance(client):
    """9♠ 9♥ 9♦ and the others of the first rule stand in frames of their own, as text any reader can find."""
    from app.kalooki.variants import load
    from app.sheets.paper import A4
    from app.sheets.rules_card import rules_card

    melds = next(rule for rule in rules_card(load("european"), A4).glance if rule.title == "Sets and runs")
    assert [piece for piece, is_card in melds.parts if is_card] == ["9♠", "9♥", "9♦", "5♥", "6♥", "7♥"]
    assert "9♠ 9♥ 9♦" in pages(client, "/api/v1/variants/european/rules.pdf")[0]


def test_the_card_of_a_table_names_it_and_tells_its_house_rules_first(client):
    house = {"opening_points": 51, "jokers": 4, "warning_at": 2}
    table = {"variant": "european", "players": ["Ann", "Zoë"], "stakes": STAKES, "house": house}
    code = Scorer(client, table).code
    for asked in ({}, {"folded": 1}):
        glance = pages(client, f"/api/v1/games/{code}/rules.pdf", **asked)[0]
        for told in (
            "Ann, Zoë",
            "buy-in 5.00 GBP",
            "† The opening.",
            "† Jokers in the pack.",
            "† Few-cards warning.",
        ):
            assert told in glance


def test_the_card_of_a_table_marks_its_own_rules(client):
    scorer = Scorer(
        client, {"variant": "kalooki-40", "players": ["Ann", "Ben"], "house": {"opening_points": 65, "jokers": 4}}
    )
    shown = " ".join(lines(client, f"/api/v1/games/{scorer.code}/rules.pdf"))
    assert "† The opening." in shown
    assert "65 points" in shown
    assert "† Jokers in the pack. The game is played with 4 jokers" in shown
    assert "† the rule of this table" in shown


def test_a_card_without_house_rules_has_no_mark_for_them(client):
    assert "†" not in " ".join(lines(client, "/api/v1/variants/european/rules.pdf"))


def test_a_usual_default_is_a_mark_on_the_card(client):
    shown = " ".join(lines(client, "/api/v1/variants/south-african/rules.pdf"))
    assert "Not stated by the source" not in shown
    assert "° not stated by the source; usual default." in shown


def test_a_card_says_where_its_source_says_each_rule(client):
    shown = " ".join(lines(client, "/api/v1/variants/kalooki-40/rules.pdf"))
    number = re.search(r"\[(\d+)\] How to Build Melds, item 9", shown)[1]
    assert re.search(rf"or gives up a joker\.\s\[{number}\]", shown)
    assert "The source: Kalooki 40 Rules, by RummyRoyal" in shown
    assert re.search(r"\bS\d\b", shown) is None


def test_a_folded_card_lies_on_its_side(client):
    assert millimetres(pdf(client, "/api/v1/variants/european/rules.pdf", folded=1)) == (297, 210)


@pytest.mark.parametrize(("paper", "width", "height"), [("a4", 297, 210), ("letter", 279, 216)])
def test_the_marks_of_a_folded_card_quarter_the_paper(client, paper, width, height):
    answer = client.get("/api/v1/variants/european/rules.pdf", query_string={"folded": 1, "paper": paper})
    dots = 10 * 25.4 / 72  # ten dots a millimetre
    picture = pypdfium2.PdfDocument(answer.data)[0].render(scale=dots).to_pil().convert("L")
    across = [at / 10 for at in range(picture.width) if picture.getpixel((at, 20)) < 200]
    down = [at / 10 for at in range(picture.height) if picture.getpixel((20, at)) < 200]
    for quarter in (1, 2, 3):
        assert min(abs(mark - width * quarter / 4) for mark in across) < 0.3
    assert max(across) - min(across) == pytest.approx(width / 2, abs=0.5)
    assert down == pytest.approx([height / 2] * len(down), abs=0.3)
    assert down


def test_a_card_of_nothing_is_refused(client):
    answer = client.get("/api/v1/variants/whist/rules.pdf")
    assert (answer.status_code, answer.json["error"]["field"]) == (422, "variant")
    answer = client.get("/api/v1/variants/european/rules.pdf?paper=a5")
    assert (answer.status_code, answer.json["error"]["field"]) == (422, "paper")


def test_what_is_asked_with_nothing_behind_it_is_left_out(client):
    blank = pdf(client, BLANK, variant="", players="", paper="", names="", unit="", currency="", game="")
    assert len(blank.pages) == 1
    assert millimetres(blank) == millimetres(pdf(client, BLANK))
    assert blank.pages[0].extract_text() == pdf(client, BLANK).pages[0].extract_text()
    assert millimetres(pdf(client, "/api/v1/variants/european/rules.pdf", paper="")) == (210, 297)
    code = Scorer(client, {"variant": "classic", "players": ["Ann", "Ben"]}).code
    assert millimetres(pdf(client, f"/api/v1/games/{code}/sheet.pdf", paper="")) == (210, 297)
    assert millimetres(pdf(client, f"/api/v1/games/{code}/settlement.pdf", paper="")) == (210, 148)


def test_a_card_that_has_not_changed_is_not_sent_again(client):
    first = client.get("/api/v1/variants/classic/rules.pdf")
    assert "Classic Kalooki rules.pdf" in first.headers["Content-Disposition"]
    again = client.get("/api/v1/variants/classic/rules.pdf", headers={"If-None-Match": first.headers["ETag"]})
    assert again.status_code == 304


def test_every_layout_of_a_card_is_saved_under_its_own_name(client):
    code = Scorer(client, {"variant": "classic", "players": ["Ann", "Ben"]}).code
    named = {
        "variants/classic/rules.pdf?paper=letter": "Classic Kalooki rules Letter.pdf",
        "variants/classic/rules.pdf?folded=1": "Classic Kalooki rules to fold.pdf",
        f"games/{code}/rules.pdf": "Classic Kalooki rules Ann Ben.pdf",
        f"games/{code}/rules.pdf?folded=1": "Classic Kalooki rules to fold Ann Ben.pdf",
    }
    for path, name in named.items():
        assert f'filename="{name}"' in client.get(f"/api/v1/{path}").headers["Content-Disposition"]


def test_the_page_offers_every_variant(client):
    page = client.get("/sheets").text
    for variant in all_variants():
        assert f'<option value="{variant.id}"' in page
        assert f"/api/v1/variants/{variant.id}/rules.pdf" in page


def test_the_newest_games_are_ticked_for_an_evening_each_once(client):
    """Of a game and what was brought back from its sheet one is enough."""
    opened = []
    for name in ("Ben", "Cat", "Dan"):
        made = client.post("/api/v1/games", json={"variant": "classic", "players": ["Ann", name]}).json
        opened.append(made)
    record = client.get(f"/api/v1/games/{opened[2]['code']}/sheet.json").json
    opened.append(client.post("/api/v1/games/import", json=record).json)
    for made in opened:
        client.get(f"/g/{made['code']}/s/{made['scorer']}")
    ticked = re.findall(r'name="game" value="(\w+)" checked', client.get("/sheets").text)
    assert ticked == [opened[place]["code"] for place in (3, 1, 0)]


def currency_asked(client):
    [field] = re.findall(r'<input[^>]* name="currency"[^>]*>', client.get("/sheets").text)
    return re.search(r'value="([^"]*)"', field)[1]


def test_the_page_asks_for_the_currency_of_the_unit(client):
    # EUR until a game was started here, then what it was played for
    assert currency_asked(client) == "EUR"
    client.post("/new", data=GAME | {"money": "y", "currency": "JMD"})
    assert currency_asked(client) == "JMD"
    client.post("/new", data=GAME | {"submission": "s-2"})
    assert currency_asked(client) == "EUR"
