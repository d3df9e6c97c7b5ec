"""The rulebook: every rule has words, sources and search words, for every variant and house rule."""

import ast
import re
from dataclasses import replace
from pathlib import Path

import pytest

from app.kalooki import referee
from app.kalooki.claims import check
from app.kalooki.conditions import holds
from app.kalooki.faults import Fault
from app.kalooki.money import INTO_POOL, OUT_OF_POOL
from app.kalooki.rules.rulebook import (
    NOT_STATED,
    documents,
    explain,
    marks,
    rule_in_words,
    rules,
    rules_of,
)
from app.kalooki.rules.wording import at_a_glance, called, names, read, split_first_sentence, wording
from app.kalooki.variants import STAKES, all_variants, ids, load, meanings, with_house_rules
from tests.kalooki.rows import rows
from tests.kalooki.rule_talk import WITH_A_DOCUMENT
from tests.kalooki.test_claims import every_claim
from tests.kalooki.test_sentences import tables_of

REFEREE = Path(referee.__file__).parent
PLAY = [slug for slug, rule in rules().items() if rule.chapter]


@pytest.mark.parametrize("slug", PLAY)
def test_a_rule_that_applies_has_a_title_and_a_text(slug):
    told = [rule_in_words(slug, variant) for variant in all_variants()]

    assert all(rule.title for rule in told)
    assert any(rule.text for rule in told)
    assert all(text for _, text in rules()[slug].sentences)


def test_rules_of_play_and_of_recording_have_different_slugs():
    assert not read("rulebook.toml").keys() & read("entries.toml").keys()


@pytest.mark.parametrize("variant", [*all_variants()], ids=lambda variant: variant.id)
def test_only_the_variants_own_document_is_its_source(variant):
    for chapter in rules_of(variant):
        for told in chapter.rules:
            cited = [source.id for source in told.sources]
            assert (cited == [variant.source]) is (told.standing in ("source", "both")), told.rule
            assert told.standing != "usual" or variant.source not in cited, told.rule
            assert all(source.title and source.where for source in told.sources), told.rule


@pytest.mark.parametrize("variant", [*all_variants()], ids=lambda variant: variant.id)
def test_common_practice_cites_only_documents_that_state_exactly_the_same(variant):
    by_document = {}
    for other in all_variants():
        for told in (rule for chapter in rules_of(other) for rule in chapter.rules):
            by_document.setdefault((told.rule, other.source), set()).add((told.text, told.standing))
    usual = [rule for chapter in rules_of(variant) for rule in chapter.rules if rule.standing == "usual"]

    for told in usual:
        assert all((told.text, "source") in by_document[told.rule, cited.id] for cited in told.sources), told.rule


def test_an_unclear_rule_names_the_readings_and_the_one_played():
    for (slug, variant), mark in marks().items():
        told = rule_in_words(slug, load(variant))
        assert told.text, (slug, variant)
        if mark.standing == "both":
            assert re.search(r"Here\b|so does this app", told.note), (slug, variant)
            assert told.in_full == f"{told.text} {told.note}"


def test_every_document_has_a_title_and_a_place():
    assert {"S0", "S1", "S2", "S3", "S4"} <= documents().keys()
    assert all(document.title and document.published for document in documents().values())


def test_every_mark_names_an_existing_rule_and_variant():
    assert {slug for slug, _ in marks()} <= set(PLAY)
    assert {variant for _, variant in marks()} <= set(ids())


def test_every_rule_that_a_house_rule_changes_is_a_house_rule():
    # in North America builds count towards the opening, unless the table builds nothing in that turn
    table, _ = with_house_rules(load("north-american"), {"build_same_turn": False})
    told = rule_in_words("builds-open", table)

    assert (told.standing, told.house_rule) == ("house", "Building in the turn of the opening: no")
    assert told.note == "The source says: yes."
    assert [source.where for source in told.sources] == ["Turn by turn play, (3) Laying Off"]
    assert rule_in_words("run-ends", table).standing == "source"


def test_money_as_a_house_rule_keeps_common_practice():
    table, _ = with_house_rules(load("classic"), {"stake_call_up": 1, "stake_kalooki": 1})
    marks = {rule.rule: rule.standing for chapter in rules_of(table) for rule in chapter.rules}

    assert [rule for rule, standing in marks.items() if standing == "house"] == ["call-up"]
    assert {marks[rule] for rule in ("void-hand", "leaving", "penalty", "knocked-out-pays")} == {"usual"}


def test_rules_about_money_are_house_rules_in_a_game_without_money():
    """The European document pays more for a Kalooki; it does not say that a Kalooki pays nothing."""
    table = replace(load("european"), stake_call_up=0, stake_kalooki=0, stake_initial=0, stake_buy_in=0)
    own = {slug: rule_in_words(slug, table) for slug in ("kalooki-effect", "no-stakes")}

    assert {(told.standing, told.house_rule) for told in own.values()} == {("house", "Played without money")}
    assert rule_in_words("played-for-points", table).text == ""  # players buy in all the same
    assert rule_in_words("buy-in", table).standing == "source"
    assert rule_in_words("void-hand", table).standing == "source"
    assert rule_in_words("tie", table).standing == "usual"
    assert rule_in_words("no-stakes", load("classic")).standing == "usual"


@pytest.mark.parametrize("variant", WITH_A_DOCUMENT, ids=lambda variant: variant.id)
def test_a_stated_value_belongs_to_a_rule_that_its_document_states(variant):
    for key in variant.stated:
        told = rule_in_words(meanings()[key].rule, variant)
        missing = f"sources.toml has no place for {told.rule} of {variant.id}: move {key} to [usual], or name the place"
        assert told.standing in ("source", "both") or not told.text, missing


def test_every_value_names_a_rule_of_the_rulebook():
    assert {meaning.rule for meaning in meanings().values()} <= set(PLAY)


def test_every_rule_in_the_referees_code_is_broken_or_applied_by_a_claim():
    """The strings in the referee's syntax trees show all rules it uses."""
    named = {
        node.value
        for path in REFEREE.glob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Constant) and node.value in PLAY
    }
    broken = {rule for _, _, claim in every_claim() for rule in [*claim.get("rules", []), *claim.get("warnings", [])]}
    judged = {rule for variant, kind, claim in every_claim() for rule in ruling(variant, kind, claim).rules}

    assert len(named) > 40
    assert named - broken - judged == set()
    assert broken <= set(PLAY)


def ruling(variant_id, kind, claim):
    table, _ = with_house_rules(load(variant_id), claim.get("house", {}))
    return check(kind, claim, table)


@pytest.mark.parametrize("variant_id", ids())
def test_rules_are_grouped_by_chapter(variant_id):
    chapters = rules_of(load(variant_id))

    assert len({chapter.slug for chapter in chapters}) == len(chapters)
    assert all(chapter.title and chapter.rules for chapter in chapters)
    told = [rule.rule for chapter in chapters for rule in chapter.rules]
    assert told == [slug for slug in PLAY if slug in told]


def test_a_house_rule_that_decided_is_named():
    table, _ = with_house_rules(load("european"), {"opening_points": 51, "jokers": 4})
    opening = explain(Fault("opening-points", facts={"points": 50}), table)
    third_king = check("deck", {"holdings": ["KH KH KH"]}, table).faults[0]
    fifth_joker = check("deck", {"holdings": ["* * * * *"]}, table).faults[0]

    assert opening.house_rule == "Opening: 51 points"
    assert re.findall(r"\d+", opening.text) == ["51", "50"]
    assert (opening.standing, opening.note) == ("house", "The source says: 40 points.")
    assert [source.id for source in opening.sources] == ["S0"]
    assert explain(third_king, table).house_rule is None
    assert explain(fifth_joker, table).house_rule == "Jokers: 4 jokers"


REACHED = "The source says a player is out with more than 150 points, but also on reaching 150."


@pytest.mark.parametrize(
    ("variant_id", "slug", "house", "note", "cites"),
    rows("rulebook", "a_house_rule_states_what_the_base_variant_says"),
)
def test_a_house_rule_states_what_the_base_variant_says(variant_id, slug, house, note, cites):
    told = rule_in_words(slug, with_house_rules(load(variant_id), house)[0])

    assert (told.standing, told.note, bool(told.sources)) == ("house", note, cites)
    assert NOT_STATED not in told.in_full


def test_a_remark_on_an_unclear_document_ends_with_what_is_played():
    """A house rule shows only the first sentence of such a remark, because the rest says what the variant plays."""
    wavering = {each.note for each in marks().values() if each.standing == "both"}
    assert len(wavering) > 30
    assert [note for note in wavering if not split_first_sentence(note)[1].startswith("Here")] == []


def test_a_games_stakes_replace_units_in_the_text():
    amounts = {"stake_call_up": "£0.20", "stake_kalooki": "£1.00", "stake_buy_in": "£5.00"}
    told = {
        rule.rule: rule.text
        for chapter in rules_of(load("european"), amounts=amounts | {"stake_initial": "£2.00"})
        for rule in chapter.rules
    }

    paid = {slug: re.findall(r"£\d\.\d\d", text) for slug, text in told.items()}
    assert (paid["buy-in"], paid["pool-stake"]) == (["£5.00"], ["£2.00"])
    assert paid["call-up"] == ["£0.20", "£1.00"]
    assert not any(re.search(r"\d units?\b", text) for text in told.values())


def test_a_fault_about_recording_cites_no_documents():
    told = explain(Fault("no-such-ending", facts={"ending": "bending", "endings": "going_out"}), load("european"))

    assert told.title
    assert (told.note, told.sources) == ("", ())


@pytest.mark.parametrize(
    ("variant", "claim", "case"),
    [
        ("kalooki-40", {"holdings": ["* * *"]}, ("more-than-the-pack", "usual")),
        ("kalooki-40", {"holdings": ["KH KH KH"]}, ("more-than-the-pack", "source")),
        # nothing is added to four of a rank: the ruling rests on that, not on the set with a joker
        ("kalooki-51", {"on": "6S 6H 6D 6C", "cards": "*"}, ("closed-set", "both")),
        ("north-american", {"on": "8S 8H *", "give": "8D 8C"}, ("joker-for-naturals", "usual")),
    ],
)
def test_a_ruling_has_the_standing_of_the_value_that_decided(variant, claim, case):
    kind = {"holdings": "deck", "cards": "build", "give": "joker"}[[*claim][-1]]
    fault = check(kind, claim, load(variant)).faults[0]

    assert (fault.rule, explain(fault, load(variant)).standing) == case


@pytest.mark.parametrize("case", ["missing", "over"])
def test_a_ruling_that_rests_on_another_rule_has_its_standing(case):
    # that a turn ends with its discard the document says plainly; that the last card is thrown, in two ways
    assert explain(Fault("last-discard", facts={"case": case}), load("european")).standing == "source"
    assert explain(Fault("last-discard", facts={"case": "none-left"}), load("european")).standing == "both"


@pytest.mark.parametrize(("variant", "usual"), [("european", True), ("kalooki-51", False)])
def test_only_kalooki_51_states_that_a_kalooki_has_no_builds(variant, usual):
    claim = {"melds": ["KH KD KS KC", "10H JH QH"], "builds": [{"on": "4D 5D 6D", "cards": "7D"}], "kalooki": True}
    fault = next(fault for fault in check("opening", claim, load(variant)).faults if fault.rule == "kalooki")

    assert (explain(fault, load(variant)).standing == "usual") is usual


@pytest.mark.parametrize(
    ("kind", "recorded"),
    [
        ("endings", {ending for variant in all_variants() for ending in variant.endings}),
        ("postings", INTO_POOL | OUT_OF_POOL | {"call-up", "carried", "kalooki", "paid"}),
        ("stakes", set(STAKES)),
        ("changes", {"buy-in", "carried", "penalty", "joined", "left"}),
        ("pools", {"refund", "equal", "leader"}),
    ],
)
def test_every_part_of_a_record_has_a_name_in_every_form(kind, recorded):
    forms = {tuple(form) if isinstance(form, dict) else ("",) for form in names(kind).values()}

    odd = sorted(names(kind).keys() ^ recorded)
    assert odd == [], f"a new kind of {kind} stands in names.toml, in every form, and in this test: {odd}"
    assert len(forms) == 1
    assert all(called(kind, name, form) for name in recorded for form in next(iter(forms)) if form != "sign")


def test_the_front_of_a_rules_card_names_rules_that_some_variant_has():
    tables = [*all_variants(), *(table for each in all_variants() for _, table in tables_of(each, {}).values())]
    for about in wording()["card"].values():
        for conditions, slug in about["rules"]:
            assert any(holds(conditions, each) and rule_in_words(slug, each).text for each in tables), slug
            assert slug not in wording()["basics"]
    rows = {row for about in wording()["card"].values() for row in about.get("rows", ())}
    assert rows - {"left"} <= meanings().keys()


def test_basic_rules_are_not_among_those_looked_up_most():
    basics = wording()["basics"]
    assert set(basics) <= set(PLAY)
    assert len(set(basics)) == len(basics)
    asked = {slug for slug, about in at_a_glance() if about.get("values")}
    assert not asked & set(basics)


def test_the_rules_at_a_glance_have_values_of_their_own():
    listed = dict(at_a_glance())
    assert listed.keys() <= rules().keys()
    values = {(key, slug) for slug, about in listed.items() for key in about.get("values", ())}
    assert values <= {(key, meaning.rule) for key, meaning in meanings().items()}
    places = sorted(about["sheet"] for about in listed.values() if "sheet" in about)
    assert places == [*range(1, len(places) + 1)]


def test_melds_too_many_of_a_suit_or_a_rank_are_listed_one_by_one():
    melds = ["3C 4C * 6C", "9C 10C JC QC", "8S 9S 10S JS"]
    [fault] = check("opening", {"melds": melds, "hand_number": 4}, load("jamaican")).faults
    assert explain(fault, load("jamaican")).text.endswith("in a hand: 3♣ 4♣ ★=5♣ 6♣ / 9♣ 10♣ J♣ Q♣.")
    one, _ = with_house_rules(load("european"), {"sets_of_one_rank": "one"})
    [fault] = check("opening", {"melds": ["KH KD *", "KS KC KH"]}, one).faults
    assert explain(fault, one).text == "A player may lay only one of this rank: K♥ K♦ ★ / K♠ K♥ K♣."


def test_the_first_sentence_of_a_rule_stands_apart():
    told = rule_in_words("opening-points", load("kalooki-51"))
    assert (told.first.count("."), f"{told.first} {told.rest}".strip()) == (1, told.text)
