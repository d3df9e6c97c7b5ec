"""Rules cards: a glance and the rules behind it, flat or folded, with what a table plays of its own."""

import re

import pypdfium2
import pytest

from app.kalooki.variants import all_variants
from tests.json_scorer import Scorer
from tests.matrix import matrix
from tests.web.printed import STAKES, lines, millimetres, pages, patiently, pdf, printed, sizes

pytestmark = pytest.mark.one_app

FLAT = [{}, {"paper": "letter"}]
FOLDED = [{"folded": 1}, {"folded": 1, "paper": "letter"}]
VARIANTS = [variant.id for variant in all_variants()]
WIDTH_AND_HEIGHT = {"a4": (297, 210), "letter": (279.4, 215.9)}
"""Of a paper on its side, in millimetres."""


def card(client, variant, asked):
    return pypdfium2.PdfDocument(printed(client, f"/api/v1/variants/{variant}/rules.pdf", **asked))


def require_a_glance_and_two_pages_of_rules(shown):
    glance, *behind = (" ".join(page.get_textpage().get_text_range().split()) for page in shown)
    for title in ("Left in hand", "Going out.", "Jokers are wild.", "The end of the game."):
        assert title in glance
    assert len(behind) == 2
    for title in ("Going out", "Two to nine", "Joker left in hand"):
        assert title in " ".join(behind)
        assert title == "Going out" or title not in glance


@pytest.mark.parametrize(("asked", "variant"), matrix(FLAT, VARIANTS))
def test_a_rules_card_is_a_glance_read_across_the_table_and_two_pages_of_rules(client, variant, asked):
    """Twelve points but for the foot of the page; what is behind is no smaller than a newspaper's small print."""
    shown = card(client, variant, asked)
    require_a_glance_and_two_pages_of_rules(shown)
    glance, *behind = shown
    foot = glance.get_height() * 25.4 / 72 - 15
    assert min(size for size, box in sizes(glance) if box[1] < foot) > 11.99
    for page in behind:
        assert min(size for size, _box in sizes(page)) > 7


@pytest.mark.parametrize(("asked", "variant"), matrix(FOLDED, VARIANTS, count=4))
def test_a_folded_card_says_the_same_and_no_letter_of_it_lies_near_a_fold(client, variant, asked):
    shown = card(client, variant, asked)
    require_a_glance_and_two_pages_of_rules(shown)
    width, height = WIDTH_AND_HEIGHT[asked.get("paper", "a4")]
    for page in shown:
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


def test_the_front_of_a_card_marks_what_its_source_does_not_simply_say(client):
    """Of South Africa the document has the card values only; of North America it says three things in two ways."""
    glance = pages(client, "/api/v1/variants/south-african/rules.pdf")[0]
    assert (
        "The opening. The opening, a player's first lay-down of the hand, must come to 40 points or more. °" in glance
    )
    assert "° usual default; the source does not say." in glance
    classic = pages(client, "/api/v1/variants/classic/rules.pdf")[0]
    assert "Joker ° 15 Ace ° 11 10 J Q K ° 10 2 to 9 ° their number" in classic
    american = pages(client, "/api/v1/variants/north-american/rules.pdf")[0]
    assert re.search(r"Throwing the last card\. [^°‡]+\. ‡", american)
    assert "‡ the source says both, or otherwise: see overleaf." in american
    assert "†" not in american


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


def test_a_card_follows_the_stakes_that_are_mended(client):
    scorer = Scorer(client, {"variant": "european", "players": ["Ann", "Ben"], "stakes": STAKES})
    card = f"/api/v1/games/{scorer.code}/rules.pdf"
    before = patiently(client, card).headers["ETag"]
    scorer.record({"kind": "setup", "stakes": {"kalooki": 40}})
    assert patiently(client, card, headers={"If-None-Match": before}).status_code == 200
    assert "for a Kalooki 0.40 GBP instead" in " ".join(lines(client, card))


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
    dots = 10 * 25.4 / 72  # ten dots a millimetre
    picture = card(client, "european", {"folded": 1, "paper": paper})[0].render(scale=dots).to_pil().convert("L")
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


def test_a_card_that_has_not_changed_is_not_sent_again(client):
    first = patiently(client, "/api/v1/variants/classic/rules.pdf")
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
        assert f'filename="{name}"' in patiently(client, f"/api/v1/{path}").headers["Content-Disposition"]
