"""The disputes of real tables: answered from the values a table plays, so that a house rule changes the answer."""

import pytest

from app.kalooki.claims import check
from app.kalooki.rules.answers import principles, rule_answers, settle, settle_all
from app.kalooki.rules.disputes import HEADINGS, of_kind, read_disputes
from app.kalooki.variants import all_variants, load, with_house_rules
from tests.kalooki.rows import rows

VARIANTS = [*all_variants()]


def answers(table):
    return [answer for answer in settle_all(table) if answer.kind == "dispute"]


def answer(slug, variant_id, **house):
    table, _ = with_house_rules(load(variant_id), house)
    return next((each for each in answers(table) if each.slug == slug), None)


def test_an_answer_names_the_values_that_decide_it():
    """The place of an ace depends on one value; the use of the discard on one before the opening and one at first."""
    assert answer("ace-low", "european").keys == ("ace",)
    assert {"discard_before_opening", "first_draw_free"} <= {*answer("using-the-discard", "european").keys}


def test_disputes_and_rules_but_not_mishaps_are_compared_between_variants():
    european = load("european")
    told = {each.kind: each for each in (*settle_all(european), *rule_answers(european))}
    assert {kind for kind, each in told.items() if each.is_mishap} == {"mishap"}
    assert {kind for kind, each in told.items() if each.is_compared} == {"dispute", "rule"}


@pytest.mark.parametrize("dispute", of_kind("dispute").values(), ids=lambda dispute: dispute.slug)
def test_a_dispute_has_a_title_at_every_table_and_names_each_rule_once(dispute):
    assert all(text.strip() for _, text in dispute.title)
    assert dispute.title[-1][0] == ""
    for case in dispute.cases:
        assert not set(case.rules) & set(case.beside)


WHOLE = {"group": "lay", "title": "Only one meld a turn!", "ruling": "No."}
CASE = {"when": "later", "ruling": "It stays.", "remedy": "Play on."}
LATER = {"group": "draw", "title": "You took two!", "case": [CASE]}


@pytest.mark.parametrize(
    ("kind", "entry", "file", "key", "reason"),
    rows("disputes", "a_broken_entry_is_named_with_its_file_its_key_and_the_reason"),
)
def test_a_broken_entry_is_named_with_its_file_its_key_and_the_reason(kind, entry, file, key, reason):
    assert [each.slug for each in read_disputes(kind, {"whole": WHOLE})] == ["whole"]
    with pytest.raises(ValueError, match="odd-one") as told:
        read_disputes(kind, {"odd-one": entry, "whole": WHOLE, "odd-two": entry})
    first, second = str(told.value).splitlines()
    assert first.startswith(f"{file}: odd-one.")
    assert second.startswith(f"{file}: odd-two.")
    assert key in first.split(":")[1].split(" ")[1]
    assert reason in first.partition("odd-one.")[2]


def test_a_house_rule_that_leaves_its_rule_without_text_is_still_named():
    settled = answer("no-warning", "european", warning_at=0)

    assert settled.text == "That’s allowed: nobody has to warn."
    assert settled.house_rules == ("Few-cards warning at: none",)
    assert settled.rules == ()


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.id)
def test_an_answer_from_common_practice_cites_no_document(variant):
    """Citing other variants' documents would look as if they were this variant's own."""
    usual = [each for each in answers(variant) if each.standing == "usual"]

    assert usual
    assert not [each.slug for each in usual if each.sources]
    assert all(each.note.startswith("Not in the source") for each in usual)


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.id)
def test_an_answer_on_which_a_document_is_unclear_gives_both_readings(variant):
    for each in answers(variant):
        for rule in (*each.rules, *each.beside):
            assert rule.standing != "both" or rule.note in each.note


def test_an_answer_names_each_place_of_a_document_once():
    sources = answer("joker-from-a-run", "kalooki-51").sources
    assert [(source.id, source.where.count("Using jokers")) for source in sources] == [("S2", 1)]


def test_a_house_rule_beside_the_ruling_does_not_change_its_standing():
    settled = answer("enough-to-open", "kalooki-51", high_ace_points=15)

    assert settled.standing == "source"
    assert settled.house_rules == ("High ace in a run: 15 points",)


# six and seven of hearts are held, the eight lies on the pile: 21 points, down before or not
LAY = {"do": "meld", "cards": "6H 7H 8H"}
THROW = {"do": "discard", "card": "2C"}
KEPT = "6H 7H 2C 3D 4C KS JD 9C QH 5S 10C AD JC"


def may_take_the_discard(table, *, opened, lays, first=False):
    """Return the ruling on the eight of hearts, taken from the pile and laid in a new meld or kept."""
    steps = [{"do": "draw", "from": "discard", "card": "8H"}, *([LAY] if lays else []), THROW]
    verdict = check("turn", {"hand": KEPT, "opened": opened, "first_turn": first, "steps": steps}, table)
    return not {fault.rule for fault in verdict.faults} & {"discard-before-opening", "discard-after-opening"}


@pytest.mark.parametrize("after", ["free", "meld", "never"])
@pytest.mark.parametrize("before", ["open", "free"])
@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.id)
def test_answers_about_the_discard_agree_with_the_referee(variant, before, after):
    table, _ = with_house_rules(variant, {"discard_before_opening": before, "discard_after_opening": after})
    told = {each.slug: each.ruling for each in answers(table)}
    assert told["discard-once-down"].startswith("Yes") is may_take_the_discard(table, opened=True, lays=True)
    keeps = told["discard-once-down"].endswith("you may take the discard and keep it.")
    assert keeps is may_take_the_discard(table, opened=True, lays=False)
    not_down = told["discard-while-not-down"]
    assert not_down.startswith("Yes") is may_take_the_discard(table, opened=False, lays=False)
    is_first_free = not_down.startswith("Yes") or "very first turn" in not_down
    assert is_first_free is may_take_the_discard(table, opened=False, lays=False, first=True)


NEW = ("KS KD KH", "QC QD QH", "7S 8S 9S 10S")
ON_TABLE = [{"cards": "4H *=5H 6H", "owner": 2}, {"cards": "JS JD JC", "owner": 2}]


def ending(table, *, laid=False, adds=False, takes_joker=False):
    """Return the ending of a turn that goes out, with or without building a card or taking a joker from the table."""
    melds = [{"do": "meld", "cards": cards} for cards in NEW]
    builds = [{"do": "build", "on": 1, "cards": "JH"}] if adds else []
    freed = [{"do": "free_joker", "on": 0, "give": "5H"}, {"do": "meld", "cards": "2C 3C *"}] if takes_joker else []
    hand = [*" ".join(NEW).split(), *(["JH"] if adds else []), *(["5H", "2C", "3C"] if takes_joker else []), "9D"]
    draw = {"do": "draw", "from": "stock", "card": hand.pop()}
    steps = [draw, *melds, *freed, *builds, {"do": "discard", "card": "9D"}]
    verdict = check("turn", {"hand": " ".join(hand), "table": ON_TABLE, "opened": laid, "steps": steps}, table)
    assert verdict.ok, verdict.faults
    return verdict.ending


@pytest.mark.parametrize("builds", [True, False])
@pytest.mark.parametrize("variant", [each for each in VARIANTS if not each.contracts], ids=lambda variant: variant.id)
def test_answers_about_a_kalooki_agree_with_the_referee(variant, builds):
    table, _ = with_house_rules(variant, {"kalooki_builds": builds})
    told = {each.slug: each.ruling for each in answers(table)}
    assert ending(table) == "kalooki"
    assert (ending(table, laid=True) == "kalooki") is told["kalooki-after-laying"].startswith("Yes")
    assert (ending(table, adds=True) == "kalooki") is told["kalooki-with-an-added-card"].startswith("Yes")
    # where cards may be added, so may a joker be taken, and nothing is said of it
    assert (ending(table, takes_joker=True) == "kalooki") is ("kalooki-with-a-table-joker" not in told)


def test_a_mishap_that_cannot_happen_names_the_rule_that_prevents_it():
    def by(slug, variant_id):
        return settle(of_kind("mishap")[slug], load(variant_id)).by

    assert by("buy-in-after-the-deal", "north-american").rule == "played-for-points"
    assert by("third-card-at-an-end", "jamaican").rule == "build-end-limit"
    assert by("buy-in-after-the-deal", "european") is None


def test_every_mishap_has_a_heading_and_there_are_six_principles_in_the_words_of_the_variant():
    assert {mishap.group for mishap in of_kind("mishap").values()} == {*HEADINGS}
    for variant in VARIANTS:
        said = principles(variant)
        assert len(said) == 6
        assert ("contract" in said["void"]) is bool(variant.contracts)


def test_an_answer_repeats_what_its_document_says_otherwise():
    told = answer("enough-to-open", "kalooki-40")
    assert told.disagrees
    assert "a joker is worth 15" in told.remark
    assert told.remedy
    assert not answer("enough-to-open", "european").disagrees
