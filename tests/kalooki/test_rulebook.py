"""The rulebook: every rule has words, sources and search words, for every variant and house rule."""

import ast
import re
from contextlib import suppress
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

from app.kalooki import referee
from app.kalooki.cards import BadInput, parse
from app.kalooki.claims import check
from app.kalooki.conditions import holds
from app.kalooki.faults import Fault
from app.kalooki.money import INTO_POOL, OUT_OF_POOL
from app.kalooki.rules.rulebook import (
    DISAGREES,
    NOT_STATED,
    documents,
    explain,
    marks,
    rule_in_words,
    rules,
    rules_of,
)
from app.kalooki.rules.wording import at_a_glance, called, names, read, say, split_first_sentence, value_words, wording
from app.kalooki.variants import STAKES, all_variants, ids, load, meanings, with_house_rules
from tests.kalooki.rule_talk import WITH_A_DOCUMENT
from tests.kalooki.test_claims import every_claim

REFEREE = Path(referee.__file__).parent
PLAY = [slug for slug, rule in rules().items() if rule.chapter]
FACTS = dict.fromkeys(
    ["count", "points", "missing", "needed", "held", "over", "sets", "runs", "laid_sets", "laid_runs", "melds"], 7
)
"""Every fact that a ruling on play may contain, with some value."""


LISTS = {"dealt": [(3,), (30,)], "contracts": [(), ((6, 0), (1, 2))]}


def house_choices():
    """Yield every key that a table may change with its extreme and its usual choices."""
    for key, meaning in meanings().items():
        house = meaning.house or {}
        bounds = [house[bound] for bound in ("least", "most") if bound in house]
        choices = LISTS.get(key) or house.get("choices", bounds)
        yield from ((key, choice) for choice in [*choices, *([None] if house.get("none") else [])])


def tables():
    """Yield every variant without house rules, and with each possible house rule."""
    for variant in all_variants():
        yield variant
        for key, choice in house_choices():
            with suppress(BadInput):
                yield with_house_rules(variant, {key: choice})[0]


def standing(slug, variant, **house):
    return rule_in_words(slug, with_house_rules(load(variant), house)[0]).standing


@pytest.mark.parametrize("slug", PLAY)
def test_a_rule_that_applies_has_a_title_and_a_text(slug):
    told = [rule_in_words(slug, variant) for variant in all_variants()]

    assert all(rule.title for rule in told)
    assert any(rule.text for rule in told)
    assert all(text for _, text in rules()[slug].sentences)


@pytest.mark.no_cover  # as below: measuring every rule of every table takes its time
def test_the_first_sentence_of_a_rule_is_short():
    told = {(rule.rule, rule.first) for table in tables() for chapter in rules_of(table) for rule in chapter.rules}
    assert {slug for slug, first in told if len(first.split()) > 25} <= {"the-deal"}  # as long as a table's own list


@pytest.mark.parametrize(("variant", "slug", "exception"), [
    ("kalooki-51", "opening-points", "Kalooki"),
    ("north-american", "opening-points", "builds"),
    ("north-american", "build-after-opening", "except builds"),
    ("european", "discard-before-opening", "first turn"),
    ("european", "few-cards-warning", "may not go out"),
    ("european", "how-many-reshuffles", "void"),
    ("european", "buy-in", "at least two"),
    ("european", "tie", "knocked out last"),
    ("european", "closed-set", "closes"),
    ("european", "freed-joker", "never"),
    ("european", "declaring-a-joker", "nobody may change"),
    ("jamaican", "calling", "unless"),
    ("jamaican", "calls", "every attempt beyond"),
    ("jamaican", "run-ends", "reached the ace"),
    ("jamaican", "joker-from-run", "or, after the ace, to the front, never beside another joker"),
    ("jamaican", "joker-built", "but not beside another joker"),
    ("jamaican", "kalooki-effect", "unless"),
    ("kalooki-40", "pool", "100 points behind"),
    ("classic", "tie", "unless"),
])  # fmt: skip
def test_the_first_sentence_of_a_rule_has_any_exception_that_reverses_it(variant, slug, exception):
    assert exception in rule_in_words(slug, load(variant)).first


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


def test_a_rule_has_the_standing_from_its_own_document():
    assert standing("opening-points", "european") == "source"
    assert standing("last-discard", "european") == "both"
    assert standing("joker-discard", "european") == "usual"
    assert standing("last-discard", "european", last_discard=False) == "house"
    assert standing("opening-points", "south-african") == "usual"


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


def test_no_mark_is_inherited_from_another_variant():
    assert load("classic").values["jokers"] == load("european").values["jokers"]
    assert "jokers" not in load("classic").stated
    assert "jokers" in load("european").stated


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


@pytest.mark.no_cover  # others take these branches; measuring every rule of every table takes its time
def test_texts_can_be_filled_for_every_variant_and_house_rule():
    for variant in tables():
        for slug in PLAY:
            text = rule_in_words(slug, variant).text
            assert "{" not in text
            assert "None" not in text


def test_rulings_can_be_filled_for_every_case():
    for variant, slug in product(all_variants(), PLAY):
        for case in rules()[slug].faults:
            told = explain(Fault(slug, parse("7H *=8H"), {**FACTS, "case": case}), variant)
            assert told.text
            assert "{" not in told.text
            assert told.cards == "7H *=8H"


def test_every_choice_of_a_house_rule_has_words():
    for key, choice in house_choices():
        assert say(key, choice) not in ("", "None", "True", "False")


def test_every_value_of_every_variant_has_words():
    for variant, key in product(all_variants(), meanings()):
        words = value_words(variant, key)
        assert words
        assert not re.search(r"None|True|False|_|\(|\[", words), (key, words)


def test_singular_and_plural_differ():
    assert [say("mishap_points", points) for points in (0, 1, 2)] == ["0 points", "1 point", "2 points"]


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
    [
        # the European document counts its jokers, that of Kalooki 40 does not
        ("european", "number-of-jokers", {"jokers": 4}, "The source says: 2 jokers.", True),
        ("kalooki-40", "number-of-jokers", {"jokers": 4}, "Common practice: 2 jokers.", False),
        # nine contracts are too many to stand beside two
        ("jamaican", "contract", {"contracts": [[2, 0], [0, 2]]}, "The source disagrees.", True),
        # it says “more than” and “reaches”: what is played otherwise is usual, and both readings stand beside it
        (
            "european",
            "limit",
            {"out_at": "over_limit"},
            f"Common practice: at the limit. {REACHED}",
            True,
        ),
    ],
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


def test_the_note_says_that_the_source_is_silent():
    """Classic Kalooki does not say how aces run; they are high, as in other sources."""
    told = explain(Fault("ace-high", parse("AS")), load("classic"))

    assert told.standing == "usual"
    assert told.in_full == f"{told.text} {told.note}"
    assert [source.id for source in told.sources] == ["S0", "S3"]
    assert explain(Fault("ace-high", parse("AS")), load("kalooki-40")).note == ""


def test_common_practice_is_shown_with_the_nearest_statement():
    """Kalooki 40 plays with two packs and their jokers, but its document does not count them."""
    told = rule_in_words("number-of-jokers", load("kalooki-40"))

    assert told.standing == "usual"
    assert told.note == (
        "Not in the source; common practice. "
        "It only says two packs with their jokers. "
        "The rules named here say it of other variants."
    )
    assert {source.id for source in told.sources} == {"S0", "S2"}


def test_a_document_that_disagrees_is_not_called_unclear():
    """Kalooki 40 counts a melded joker 15 without contradicting itself; the European limit is unclear."""
    otherwise = rule_in_words("joker-points", load("kalooki-40"))
    both = rule_in_words("limit", load("european"))

    assert (otherwise.standing, both.standing) == ("both", "both")
    assert otherwise.note.startswith(DISAGREES)
    assert DISAGREES not in both.note


def test_south_africa_states_the_values_of_cards_only():
    stated = [rule.rule for chapter in rules_of(load("south-african")) for rule in chapter.rules
              if rule.standing != "usual"]  # fmt: skip

    in_melds, left = "meld-points joker-points ace-in-a-set", "joker-left ace-left court-cards number-cards"
    assert stated == f"{in_melds} {left}".split()


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
    ("variant", "stated", "ours"),
    [
        ("kalooki-40", "more-than-the-pack", "number-of-jokers"),
        ("kalooki-51", "run-length", "longest-run"),
        ("kalooki-51", "joker-points", "ace-in-a-set"),
        ("kalooki-40", "naturals", "naturals-in-a-run"),
        ("european", "buy-in", "buy-in-time"),
        ("european", "where-to-draw", "one-card-drawn"),
        ("european", "run-beside-run", "runs-of-one-suit"),
        ("jamaican", "call-too-many", "call-penalty"),
        ("jamaican", "joker-suit", "declaring-a-joker"),
        ("european", "joker-suit", "joker-not-declared"),
        ("kalooki-51", "the-stock", "stock-face-down"),
        ("european", "going-out-ends", "going-out-unsaid"),
    ],
)
def test_a_partly_stated_rule_is_split_into_two(variant, stated, ours):
    assert [standing(slug, variant) for slug in (stated, ours)] == ["source", "usual"]


@pytest.mark.parametrize(
    ("variant", "claim", "case"),
    [
        ("kalooki-40", {"holdings": ["* * *"]}, ("more-than-the-pack", "usual")),
        ("kalooki-40", {"holdings": ["KH KH KH"]}, ("more-than-the-pack", "source")),
    ],
)
def test_a_ruling_has_the_standing_of_the_value_that_decided(variant, claim, case):
    fault = check("deck", claim, load(variant)).faults[0]

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
    for about in wording()["card"].values():
        for conditions, slug in about["rules"]:
            assert any(holds(conditions, variant) and rule_in_words(slug, variant).text for variant in tables()), slug
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


@pytest.mark.parametrize("variant", ids())
def test_a_rule_is_split_into_its_first_sentence_and_the_rest(variant):
    for rule in (rule for chapter in rules_of(load(variant)) for rule in chapter.rules):
        assert f"{rule.first} {rule.rest}".strip() == rule.text
        assert len(rule.first.split()) <= 25, rule.rule
