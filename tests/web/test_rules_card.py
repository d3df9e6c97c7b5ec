"""Rules cards: a glance and the rules behind it, with what a table plays of its own."""

from functools import cache

import pypdfium2
import pytest

from app.kalooki.variants import all_variants
from tests.json_scorer import Scorer
from tests.matrix import matrix
from tests.web.paper_reader import pages_of, patiently, printed, sizes

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


def require_a_front_and_every_rule_behind(shown):
    front, *behind = (" ".join(page.get_textpage().get_text_range().split()) for page in shown)
    sections = ("What to bring", "A turn", "The opening", "What tables argue about", "Counting")
    places = [front.index(section) for section in (*sections, "The end of the game.")]
    assert places == sorted(places)
    assert "Jokers are wild." not in front  # what everybody knows stands behind
    for title in ("Jokers are wild", "Going out", "Two to nine", "Joker left in hand"):
        assert title in " ".join(behind)
        assert f"{title}." not in front


@pytest.mark.parametrize(("asked", "variant"), matrix(FLAT, VARIANTS, count=3))
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


def test_cards_are_drawn_at_a_glance(card):
    """8♠ 8♥ ★ and the other cards of a rule stand in frames of their own, as text any reader can find."""
    from app.kalooki.variants import load
    from app.sheets.paper import A4
    from app.sheets.rules_card import rules_card

    disputes = rules_card(load("european"), A4).front[3].rules
    joker = next(rule for rule in disputes if rule.title == "Joker in a set of three")
    assert [piece for piece, is_card in joker.parts if is_card] == ["8♠", "8♥", "★", "8♦", "8♣"]
    assert "8♠ 8♥ ★" in pages_of(card("european"))[0]


def test_every_layout_of_a_card_is_saved_under_its_own_name(client):
    code = Scorer(client, {"variant": "classic", "players": ["Ann", "Ben"]}).code
    named = {
        "variants/classic/rules.pdf": "Classic Kalooki rules.pdf",
        "variants/classic/rules.pdf?paper=letter": "Classic Kalooki rules Letter.pdf",
        f"games/{code}/rules.pdf": "Classic Kalooki rules Ann Ben.pdf",
    }
    for path, name in named.items():
        assert f'filename="{name}"' in patiently(client, f"/api/v1/{path}").headers["Content-Disposition"]
