"""Rules cards: a glance and the rules behind it, with what a table plays of its own."""

import re
from functools import cache

import pypdfium2
import pytest

from app.kalooki.variants import all_variants
from tests.json_scorer import Scorer
from tests.matrix import matrix
from tests.web.paper_reader import STAKES, lines, pages, pages_of, patiently, printed, sizes, texts

pytestmark = pytest.mark.one_app

FLAT = [{}, {"paper": "letter"}]
VARIANTS = [variant.id for variant in all_variants()]


@pytest.fixture(scope="module")
def card(shared_client):
    """The rules card of a variant, which is the same for everybody: printed once."""

    @cache
    def of(variant, **asked):
        return printed(shared_client, f"/api/v1/variants/{variant}/rules.pdf", **asked)

    return of


def text_of(card):
    return " ".join(line for page in texts(card) for line in page)


def require_a_front_and_every_rule_behind(shown):
    front, *behind = (" ".join(page.get_textpage().get_text_range().split()) for page in shown)
    sections = ("What to bring", "A turn", "The opening", "What tables argue about", "Counting")
    places = [front.index(section) for section in (*sections, "The end of the game.")]
    assert places == sorted(places)
    assert "Jokers are wild." not in front  # what everybody knows stands behind
    for title in ("Jokers are wild", "Going out", "Two to nine", "Joker left in hand"):
        assert title in " ".join(behind)
        assert f"{title}." not in front


@pytest.mark.parametrize(("asked", "variant"), matrix(FLAT, VARIANTS))
def test_a_rules_card_is_a_front_read_across_the_table_and_every_rule_behind(card, variant, asked):
    """Eleven and a half points at least but for the foot of the page, and no law in less than eight and a half."""
    shown = pypdfium2.PdfDocument(card(variant, **asked))
    assert len(shown) == 4
    require_a_front_and_every_rule_behind(shown)
    front, *behind = shown
    foot = front.get_height() * 25.4 / 72 - 15
    assert min(size for size, box in sizes(front) if box[1] < foot) > 11.49
    for page in behind:
        assert min(size for size, _box in sizes(page)) > 8.49


@pytest.mark.parametrize(("variant", "disputes"), [
    ("jamaican", ("Throwing a joker. A joker may not be thrown.", "at the low end only once the high end has reached",
                  "A player may lay only one four of each suit in a hand.", "Two jokers never stand side by side",
                  "needs at least 2 cards that are real", "players may call for the upcard on another’s turn",
                  "Hand 9 4 fours, 16 cards")),
    ("european", ("Cards built on melds do not count towards the opening.", "at most 2 cards on one end of a run",
                  "A player left with 3 cards or fewer", "A joker that was taken is laid",
                  "The pile is shuffled once")),
    ("north-american", ("builds can count, beside a new meld", "the real card of one missing suit",
                        "15 cards with 2 to 4")),
    ("kalooki-51", ("whoever has the highest plays first", "only a Kalooki needs no minimum",
                    "Exactly 100 is too many")),
    ("kalooki-40", ("A joker in a meld counts as the card it stands for. ‡",
                    "Exactly 100 behind the winner still shares.")),
    ("classic", ("needs no minimum: any legal meld will do. °", "Only a player who has laid a meld may build. ‡")),
])  # fmt: skip
def test_the_front_of_a_card_has_what_its_variant_is_disputed(card, variant, disputes):
    front = pages_of(card(variant))[0]
    assert [told for told in disputes if told not in front] == []


def test_the_front_follows_values_not_variants(client):
    """A European table that throws no joker and plays one set of a rank has Jamaica's lines for them."""
    from dataclasses import replace

    from app.kalooki.variants import load
    from app.sheets.paper import A4
    from app.sheets.rules_card import rules_card

    table = replace(load("european"), joker_discard=False, sets_of_one_rank="one", build_end_limit=None)
    disputes = [rule.title for rule in rules_card(table, A4).front[3].rules]
    assert {"Throwing a joker", "Sets of one rank"} <= {*disputes}
    assert "Cards on one end of a run" not in disputes


def test_a_card_asked_for_to_be_folded_is_the_plain_one(client):
    """An address of 0.2: its paper with eight panels is gone."""
    plain, asked = (patiently(client, f"/api/v1/variants/classic/rules.pdf{each}") for each in ("", "?folded=1"))
    assert asked.headers["ETag"] == plain.headers["ETag"]
    assert asked.data == plain.data


def test_cards_are_drawn_at_a_glance(card):
    """8♠ 8♥ ★ and the other cards of a rule stand in frames of their own, as text any reader can find."""
    from app.kalooki.variants import load
    from app.sheets.paper import A4
    from app.sheets.rules_card import rules_card

    disputes = rules_card(load("european"), A4).front[3].rules
    joker = next(rule for rule in disputes if rule.title == "Joker in a set of three")
    assert [piece for piece, is_card in joker.parts if is_card] == ["8♠", "8♥", "★", "8♦", "8♣"]
    assert "8♠ 8♥ ★" in pages_of(card("european"))[0]


def test_the_front_of_a_card_marks_what_its_source_does_not_simply_say(card):
    """Of South Africa the document has the card values only; of North America it says three things in two ways."""
    glance = pages_of(card("south-african"))[0]
    assert (
        "The opening. The opening, a player’s first lay-down of the hand, must come to 40 points or more. °" in glance
    )
    assert "° common practice; the source does not say." in glance
    classic = pages_of(card("classic"))[0]
    assert "Joker ° 15 Ace ° 11 10 J Q K ° 10 2 to 9 ° their number" in classic
    american = pages_of(card("north-american"))[0]
    assert re.search(r"Throwing the last card\. [^°‡]+\. ‡", american)
    assert "‡ the source is unclear or disagrees: see overleaf." in american
    assert "†" not in american


def test_the_card_of_a_table_names_it_and_tells_its_house_rules_first(client):
    house = {"opening_points": 51, "jokers": 4, "warning_at": 2}
    table = {"variant": "european", "players": ["Ann", "Zoë"], "stakes": STAKES, "house": house}
    code = Scorer(client, table).code
    glance = pages(client, f"/api/v1/games/{code}/rules.pdf")[0]
    for told in ("Ann, Zoë", "buy-in £5.00", "† The opening.", "Jokers † 4 jokers", "† Few-cards warning."):
        assert told in glance


def test_a_card_follows_the_stakes_that_are_mended(client):
    scorer = Scorer(client, {"variant": "european", "players": ["Ann", "Ben"], "stakes": STAKES})
    card = f"/api/v1/games/{scorer.code}/rules.pdf"
    before = patiently(client, card).headers["ETag"]
    scorer.record({"kind": "setup", "stakes": {"kalooki": 40}})
    assert patiently(client, card, headers={"If-None-Match": before}).status_code == 200
    assert "for a Kalooki £0.40 instead" in " ".join(lines(client, card))


def test_the_card_of_a_table_marks_its_own_rules(client):
    scorer = Scorer(
        client, {"variant": "kalooki-40", "players": ["Ann", "Ben"], "house": {"opening_points": 65, "jokers": 4}}
    )
    shown = " ".join(lines(client, f"/api/v1/games/{scorer.code}/rules.pdf"))
    assert "† The opening." in shown
    assert "65 points" in shown
    assert "† Jokers in the pack. The game is played with 4 jokers" in shown
    assert "† house rule" in shown


def test_a_card_without_house_rules_has_no_mark_for_them(card):
    assert "†" not in text_of(card("european"))


def test_a_usual_default_is_a_mark_on_the_card(card):
    shown = text_of(card("south-african"))
    assert "Not in the source" not in shown
    assert "° not stated by the source; common practice." in shown


def test_a_card_says_where_its_source_says_each_rule(card):
    shown = text_of(card("kalooki-40"))
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
