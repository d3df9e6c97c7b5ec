"""Quick answers on pages: one question at a time, the ruling with its rule and how it stands, an address to share."""

import re
from html import unescape

import pytest

from app.kalooki.variants import all_variants
from tests.pages import Alice, see, words
from tests.web import ruled
from tests.web.words_in_sight import words_in_sight

pytestmark = pytest.mark.one_app

VARIANTS = [variant.id for variant in all_variants()]
FOUR = ["/quick/kalooki", "/quick/discard", "/check?check=out", "/check?check=count"]


def links(client, path):
    return [unescape(link) for link in ruled.links(client, path)]


def verdict_of(client, path):
    """The words of the verdict box."""
    box = re.search(r'(?s)<div class="verdict[^"]*".*?</div>\s*</div>', client.get(path).text).group()
    return words(box)


@pytest.fixture
def alice(app):
    return Alice(app, house={"discard_after_opening": "meld"})


@pytest.mark.parametrize("variant_id", VARIANTS)
def test_four_quarrels_are_settled_at_once(client, variant_id):
    offered = links(client, f"/quick?variant={variant_id}")
    for path in FOUR:
        address = f"{path}{'&' if '?' in path else '?'}variant={variant_id}"
        assert address in offered
        assert client.get(address).status_code == 200


def test_the_turn_form_stays_and_leads_to_quick_answers(client):
    assert "/check?check=turn&variant=european" in links(client, "/quick")
    assert "/quick?variant=european" in links(client, "/check?check=turn")


def test_each_tap_is_an_address_and_the_last_shows_the_ruling(client):
    path, taps = "/quick/kalooki?variant=european", 0
    while "Ask again from the start" not in see(client, path):
        path = next(link for link in links(client, path) if link.endswith("=no") and len(link) > len(path))
        taps += 1

    assert (path, taps) == ("/quick/kalooki?variant=european&laid=no&built=no&joker=no", 3)
    assert (
        verdict_of(client, path)
        == "YES That was a Kalooki, if its melds come to 40 points or more, as for any opening."
    )


def test_a_ruling_names_its_rules_and_how_it_stands(client):
    path = "/quick/discard?variant=european&opened=no&use=no&first=no"
    page = see(client, path)
    assert "NO Before you have opened you may take it only if" in page
    assert "Kalooki in Europe, North America and South Africa:" in page
    assert "The discard before the opening" in page
    assert "/rules/european#discard-before-opening" in client.get(path).text


def test_what_was_answered_can_be_answered_again(client):
    path = "/quick/kalooki?variant=european&laid=no&built=yes"
    assert {"/quick/kalooki?variant=european", "/quick/kalooki?variant=european&laid=no"} <= set(links(client, path))


def test_another_variant_keeps_what_was_answered(client):
    page = client.get("/quick/kalooki?variant=european&laid=yes").text
    assert '<input type="hidden" name="laid" value="yes">' in page


@pytest.mark.parametrize("path", ["/quick/nothing", "/quick/nothing/shown", "/quick?variant=whist"])
def test_what_is_not_there_is_not_found(client, path):
    assert client.get(path).status_code == 404


def test_a_ruling_is_shown_to_the_table(client):
    page = see(client, "/quick/kalooki/shown?variant=kalooki-51&laid=no&built=no&joker=no")
    assert "Was that a Kalooki?" in page
    assert "Each loser scores 25 points more." in page


def test_without_a_ruling_there_is_nothing_to_show(client):
    assert client.get("/quick/kalooki/shown?variant=european").location == "/quick/kalooki?variant=european"


def test_a_game_answers_by_its_house_rules(alice):
    page = alice.see("/quick/discard?opened=yes&meld=no")
    assert "NO It must go into a new meld at once" in page
    assert "your table’s rule" in page
    assert f"/g/{alice.code}/quick/discard?opened=yes&meld=no" not in links(alice.client, f"/g/{alice.code}/quick")


OUT = "/check?check=out&meld=KS KD KH&meld=QC QD QH&meld=5S 6S 7S&thrown=2C"


@pytest.mark.parametrize(("more", "said"), [
    ("&opened=yes", "OUT Going out"),
    ("&opened=no", "LEGAL MELDS"),
    ("&opened=no&meld=8H 9H 10H JH", "A KALOOKI Kalooki: the whole hand was laid in one turn, nothing before."),
    ("&opened=yes&thrown=", "OUT"),
])  # fmt: skip
def test_out_or_not_is_said_in_a_word(client, more, said):
    assert verdict_of(client, OUT + more).startswith(said)


def test_not_out_says_why(client):
    assert verdict_of(client, "/check?check=out&meld=7H 8H 9H&thrown=2C&warned=no").startswith("NOT OUT The last turn")


def test_out_waits_for_the_card_thrown_and_says_so(client):
    waiting = "/check?check=out&meld=7H 8H 9H"
    assert verdict_of(client, waiting).startswith("NOT YET The card thrown is missing.")
    assert re.search("NOT YET .* The card thrown is missing", see(client, waiting.replace("check?", "check/shown?")))
    assert verdict_of(client, waiting + "&variant=jamaican").startswith("NOT OUT")
    assert verdict_of(client, waiting + "&warned=no").startswith("NOT OUT")


def test_the_reading_that_would_turn_a_verdict_stays_in_sight_above_the_fields(client):
    page = client.get("/check?check=out&meld=7H 8H 9H").text
    above_the_fields = page.split('<form class="form claim"')[0].split('id="verdict"')[1]
    assert "the source says both" in above_the_fields
    assert "also forbids melding them all." in " ".join(words_in_sight(f"<p {above_the_fields}"))
    assert len(words_in_sight(f"<p {above_the_fields}")) <= 90


def test_nothing_laid_yet_is_not_judged(client):
    assert "Lay the cards down." in verdict_of(client, "/check?check=out")
    assert "Lay the cards left in the hand down." in verdict_of(client, "/check?check=count")


def test_bending_the_table_is_said(client):
    path = (
        "/check?check=out&variant=jamaican&opened=no&hand_number=1&meld=7H 7D 7C&meld=9H 9D 9C&meld=QS QD QC&thrown=2C"
    )
    assert verdict_of(client, path).startswith("THE TABLE IS BENT")


def test_the_scorer_keeps_the_ruling_on_going_out(alice):
    sent = {"seat": "2", "upheld": "yes", "note": "", "points": ""}
    answer = alice.sent("/check?check=out&meld=7H 8H 9H&opened=yes", sent)
    kept = alice.table.log.entries[-1].event
    assert answer.status_code == 303
    assert (kept["check"], kept["verdict"]["faults"]) == ("out", ["last-discard"])


def test_a_hand_is_counted_line_by_line_with_its_rules(client):
    path = "/check?check=count&variant=kalooki-51&cards=KS 10D AH 7C *"
    page = see(client, path)
    assert verdict_of(client, path).startswith("63 points")  # 10 + 10 + 11 + 7 + 25
    for line in ("K ♠ 10 ♦ 20", "A ♥ 11", "7 ♣ 7", "★ 25"):
        assert line in page
    assert "A joker left in hand counts 25 points." in page


def test_a_bent_table_counts_twice(client):
    assert verdict_of(client, "/check?check=count&variant=jamaican&cards=KS *&bending=yes").startswith("120 points")


def test_a_hand_the_packs_cannot_hold_is_counted_and_named(client):
    said = verdict_of(client, "/check?check=count&cards=KS KS KS")
    assert said.startswith("30 points")
    assert "K♠" in said


def test_a_count_is_shown_to_the_table_and_is_no_ruling_to_keep(client, alice):
    page = see(client, "/check/shown?check=count&cards=KS AH")
    assert "21 points" in page
    assert "K ♠ = 10" in page
    assert alice.sent("/check?check=count&cards=KS", {}).status_code == 404


def test_an_opening_that_may_grow_is_not_yet_enough(client):
    assert verdict_of(client, "/check?check=opening&meld=KS KD KH").startswith("NOT YET The opening needs 40")
    assert verdict_of(client, "/check?check=opening&meld=KS KD QH").startswith("NOT LEGAL")


def test_a_turn_without_its_discard_yet_is_not_finished(client):
    turn = "/check?check=turn&hand=7H 8H 2C&do=stock&place=&cards=9H"
    assert verdict_of(client, turn).startswith("NOT YET The turn has no discard.")
    laid = f"{turn}&do=meld&place=&cards=7H 8H 9H&do=discard&place=&cards=2C"
    assert verdict_of(client, laid).startswith("LEGAL")
