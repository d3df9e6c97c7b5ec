"""The rulebook itself: every rule can be told, cited and found, for every variant and every house rule."""

import re
from itertools import product
from pathlib import Path

import pytest

from app.kalooki import rulebook
from app.kalooki.cards import parse
from app.kalooki.claims import check
from app.kalooki.faults import Fault
from app.kalooki.rulebook import explain, is_usual, rule_in_words, rules, rules_of, say, value_words
from app.kalooki.variants import all_variants, ids, load, meanings, with_house_rules
from tests.kalooki.test_claims import every_claim

CORE = Path(rulebook.__file__).parent
PLAY = [slug for slug, rule in rules().items() if rule.chapter]
FACTS = dict.fromkeys(
    ["count", "points", "missing", "needed", "held", "over", "sets", "runs", "laid_sets", "laid_runs"], 7
)
"""Every fact a ruling of play may tell, with some value."""


def house_choices():
    """Every key a table may change, with its extreme and its usual choices."""
    for key, meaning in meanings().items():
        if meaning.house:
            bounds = [meaning.house.get("least"), meaning.house.get("most")]
            choices = meaning.house.get("choices", [bound for bound in bounds if bound is not None])
            yield from ((key, choice) for choice in [*choices, *([None] if meaning.house.get("none") else [])])


def tables():
    """Every variant as it comes and with each house rule."""
    for variant in all_variants():
        yield variant
        for key, choice in house_choices():
            if not (key == "game_hands" and variant.contracts and choice == 99):
                yield with_house_rules(variant, {key: choice})[0]


@pytest.mark.parametrize("slug", PLAY)
def test_a_rule_has_title_text_and_source_or_is_ours(slug):
    rule = rules()[slug]

    assert rule.title
    assert all(text for _, text in rule.sentences)
    assert set(rule.sources) <= {"S0", "S1", "S2", "S3", "S4"}
    assert any(rule_in_words(slug, variant).text for variant in all_variants())


@pytest.mark.parametrize("variant_id", ids())
def test_a_rule_without_a_seed_says_it_is_our_default(variant_id):
    for chapter in rules_of(load(variant_id)):
        for told in chapter.rules:
            assert told.sources or told.text.endswith(rulebook.NOT_STATED), told.rule


def test_a_rule_is_our_usual_default_where_neither_the_source_nor_the_table_says_it():
    european = load("european")
    table, _ = with_house_rules(european, {"last_discard": not european.last_discard})

    assert not is_usual("opening-points", european)  # 40 points: the source says so
    assert is_usual("last-discard", european)
    assert not is_usual("last-discard", table)


def test_every_value_names_a_rule_of_the_rulebook():
    assert {meaning.rule for meaning in meanings().values()} <= set(PLAY)


def test_every_rule_a_claim_breaks_is_told_and_every_ruling_is_claimed():
    """Each slug the core can blame is broken by a claim; those of record keeping have tests of their own."""
    blamed = {
        slug
        for path in CORE.glob("*.py")
        for slug in re.findall(r'(?:Fault\(|Price\(rule|return )"([a-z-]+)"', path.read_text("utf-8"))
    } & set(PLAY)
    claimed = {rule for _, _, claim in every_claim() for rule in [*claim.get("rules", []), *claim.get("warnings", [])]}
    endings = {"going-out"}

    assert blamed - claimed - endings == set()
    assert claimed <= set(PLAY)


@pytest.mark.parametrize("variant_id", ids())
def test_rules_are_told_chapter_by_chapter(variant_id):
    chapters = rules_of(load(variant_id))

    assert len({chapter.slug for chapter in chapters}) == len(chapters)
    assert all(chapter.title and chapter.rules for chapter in chapters)
    told = [rule.rule for chapter in chapters for rule in chapter.rules]
    assert told == [slug for slug in PLAY if slug in told]


def test_texts_fill_for_every_variant_and_house_rule():
    for variant in tables():
        for slug in PLAY:
            text = rule_in_words(slug, variant).text
            assert "{" not in text
            assert "None" not in text


def test_rulings_fill_for_every_case():
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


def test_one_is_not_many():
    assert [say("opening_points", points) for points in (0, 1, 2)] == ["0 points", "1 point", "2 points"]


def test_a_house_rule_is_named_where_it_decided():
    table, _ = with_house_rules(load("european"), {"opening_points": 51, "jokers": 4})
    opening = explain(Fault("opening-points", facts={"points": 50}), table)
    third_king = check("deck", {"holdings": ["KH KH KH"]}, table).faults[0]
    fifth_joker = check("deck", {"holdings": ["* * * * *"]}, table).faults[0]

    assert opening.house_rule == "Opening: 51 points"
    assert opening.text == "The opening needs 51 points; this comes to 50."
    assert [source.id for source in opening.sources] == ["S0", "S2"]
    assert explain(third_king, table).house_rule is None
    assert explain(fifth_joker, table).house_rule == "Jokers: 4 jokers"


def test_where_the_source_is_silent_the_text_says_so():
    """Classic Kalooki does not say how aces run: high, as in the sources that play it so."""
    told = explain(Fault("ace-high", parse("AS")), load("classic"))

    assert told.text == "An ace is high only here: A 2 3 is no run. Not stated by the source; usual default."
    assert [source.id for source in told.sources] == ["S0", "S3"]
    assert explain(Fault("ace-high", parse("AS")), load("kalooki-40")).text.endswith("A 2 3 is no run.")


def test_south_africa_states_the_cards_left_only():
    usual = [rule.rule for chapter in rules_of(load("south-african")) for rule in chapter.rules
             if not rule.text.endswith(rulebook.NOT_STATED)]  # fmt: skip

    assert usual == ["joker-left", "ace-left", "court-cards", "number-cards"]


def test_texts_go_through_the_translation():
    def translate(text):
        return f"«{text}»"

    told = explain(Fault("ace-high", parse("AS")), load("classic"), translate)

    assert told.title == "«Ace in a run»"
    assert told.text == "«An ace is high only here: A 2 3 is no run.» «Not stated by the source; usual default.»"
    assert told.sources[1].title == "«Kalooki 40»"
    assert "«40 points»" in rule_in_words("opening-points", load("european"), translate).text


def test_what_a_table_plays_for_stands_in_place_of_units():
    amounts = {"stake_call_up": "0.20 GBP", "stake_kalooki": "1.00 GBP", "stake_buy_in": "5.00 GBP"}
    told = {
        rule.rule: rule.text
        for chapter in rules_of(load("european"), amounts=amounts | {"stake_initial": "2.00 GBP"})
        for rule in chapter.rules
    }

    assert "pays its winner the call-up (0.20 GBP), for a Kalooki 1.00 GBP instead;" in told["call-up"]
    assert told["buy-in"].endswith("It costs 5.00 GBP, paid into the pool.")
    assert told["pool"].startswith("Everybody pays 2.00 GBP into the pool at the start.")
    assert not any(re.search(r"\d units?\b", text) for text in told.values())


def test_an_amount_of_the_table_is_no_usual_default():
    # Kalooki 51 plays for a pool without saying what everybody puts in: 5 units are our suggestion
    untold = rule_in_words("pool", load("kalooki-51")).text
    told = rule_in_words("pool", load("kalooki-51"), amounts={"stake_initial": "2.00 GBP"}).text

    assert untold.endswith("Not stated by the source; usual default: Initial stake (5 units).")
    assert told.startswith("Everybody pays 2.00 GBP into the pool at the start.")
    assert "usual default" not in told


def test_a_fault_of_record_keeping_is_told_without_seeds():
    told = explain(Fault("no-such-ending", facts={"ending": "bending", "endings": "going_out"}), load("european"))

    assert told.title
    assert not told.text.endswith(rulebook.NOT_STATED)
    assert told.sources == ()


@pytest.mark.parametrize(
    ("variant", "slug", "silent"),
    [
        ("kalooki-40", "more-than-the-pack", "Jokers (2 jokers)"),
        ("kalooki-51", "run-length", "Longest run (13 cards)"),
        ("jamaican", "naturals", "Fewest naturals in a run (2 cards)"),
        ("north-american", "meld-points", "Low ace in a run (15 points)"),
    ],
)
def test_a_rule_stated_in_part_names_the_values_that_are_not(variant, slug, silent):
    text = rule_in_words(slug, load(variant)).text

    assert text.endswith(f"Not stated by the source; usual default: {silent}.")


@pytest.mark.parametrize(("variant", "slug"), [("european", "meld-points"), ("kalooki-51", "limit")])
def test_a_value_the_rule_does_not_speak_of_is_not_named(variant, slug):
    # aces are high only in Europe, so what a low one counts is not said; without a limit nobody is out at one
    assert "usual default" not in rule_in_words(slug, load(variant)).text


def test_a_rule_the_table_changed_is_the_tables_own():
    table, _ = with_house_rules(load("kalooki-40"), {"jokers": 4})

    assert "usual default" not in rule_in_words("more-than-the-pack", table).text


@pytest.mark.parametrize(("variant", "usual"), [("european", True), ("kalooki-51", False)])
def test_no_builds_in_a_kalooki_are_stated_by_kalooki_51_only(variant, usual):
    claim = {"melds": ["KH KD KS KC", "10H JH QH"], "builds": [{"on": "4D 5D 6D", "cards": "7D"}], "kalooki": True}
    fault = next(fault for fault in check("opening", claim, load(variant)).faults if fault.rule == "kalooki")

    assert explain(fault, load(variant)).text.endswith(rulebook.NOT_STATED) is usual
