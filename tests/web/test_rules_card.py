"""Rules cards: a glance and the rules behind it, with what a table plays of its own."""

import re

import pypdfium2
import pytest

from app.kalooki.variants import all_variants
from tests.json_scorer import Scorer
from tests.matrix import matrix
from tests.web.printed import STAKES, lines, pages, patiently, printed, sizes

pytestmark = pytest.mark.one_app

FLAT = [{}, {"paper": "letter"}]
VARIANTS = [variant.id for variant in all_variants()]


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


def test_a_card_asked_for_to_be_folded_is_the_plain_one(client):
    """An address of 0.2: its paper with eight panels is gone."""
    plain, asked = (patiently(client, f"/api/v1/variants/classic/rules.pdf{each}") for each in ("", "?folded=1"))
    assert asked.headers["ETag"] == plain.headers["ETag"]
    assert asked.data == plain.data


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
    glance = pages(client, f"/api/v1/games/{code}/rules.pdf")[0]
    for told in ("Ann, Zoë", "buy-in 5.00 GBP", "† The opening.", "† Jokers in the pack.", "† Few-cards warning."):
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
        f"games/{code}/rules.pdf": "Classic Kalooki rules Ann Ben.pdf",
    }
    for path, name in named.items():
        assert f'filename="{name}"' in patiently(client, f"/api/v1/{path}").headers["Content-Disposition"]
