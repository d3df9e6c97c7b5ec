"""The claims of claims/<variant>.toml, which players can check at the table."""

import tomllib
from pathlib import Path

import pytest

from app.kalooki.cards import BadInput, write
from app.kalooki.claims import CHECKS, CLAIMS, asks_about, check
from app.kalooki.decided_by import JudgedClaim
from app.kalooki.referee.melds import points
from app.kalooki.variants import ids, load, with_house_rules
from tests.kalooki.rows import rows, without_null
from tests.kalooki.rule_talk import WITH_A_DOCUMENT

FOLDER = Path(__file__).parent / "claims"
OURS = [variant.id for variant in WITH_A_DOCUMENT]
FEWEST = {"european": 60}
EXPECTED = {
    "legal", "rules", "points", "needed", "contract", "kind", "reading", "ask", "result", "closed", "released",
    "ending", "why", "at", "hand_after", "table_after", "warnings",
    "blamed",
}  # fmt: skip


def claims(variant_id):
    """Return every claim of one variant with the name of its check."""
    file = FOLDER / f"{variant_id}.toml"
    table = without_null(tomllib.loads(file.read_text("utf-8"))) if file.exists() else {}
    return [(kind, claim) for kind, listed in table.items() for claim in listed]


def every_claim():
    return [(variant_id, kind, claim) for variant_id in ids() for kind, claim in claims(variant_id)]


@pytest.mark.parametrize(
    ("variant_id", "kind", "claim"),
    [pytest.param(*each, id=f"{each[0]}-{each[1]}: {each[2]['name']}") for each in every_claim()],
)
def test_the_referee_rules_as_worked_out_by_hand(variant_id, kind, claim):
    variant, _ = with_house_rules(load(variant_id), claim.get("house", {}))
    verdict = check(kind, claim, variant)

    assert sorted({fault.rule for fault in verdict.faults}) == sorted(claim.get("rules", []))
    assert verdict.ok is claim["legal"]
    told = answers(verdict, variant)
    expected = {key: claim[key] for key in (EXPECTED & claim.keys()) - {"legal", "rules"}}
    assert {key: told.get(key) for key in expected} == expected
    assert {*claim.get("rests_on", ())} <= {*verdict.rules}
    assert not {*claim.get("rests_not_on", ())} & {*verdict.rules}
    if "decided_by" in claim:
        judged = JudgedClaim(CLAIMS[kind].read(claim, ""), variant, verdict)
        assert [f"{each.rule}: {each.standing}" for each in judged.decided_by] == claim["decided_by"]


@pytest.mark.parametrize(
    ("kind", "cards", "choices", "asks"),
    rows("claims", "a_question_about_a_joker_is_matched_to_its_cards"),
)
def test_a_question_about_a_joker_is_matched_to_its_cards(kind, cards, choices, asks):
    assert asks_about(kind, cards, choices, load("european")) is asks


def answers(verdict, variant):
    """Return a verdict in the format of the claims."""
    told = {key: getattr(verdict, key) for key in ("needed", "closed", "released", "ending") if hasattr(verdict, key)}
    told["warnings"] = [fault.rule for fault in verdict.warnings]
    told["ask"] = list(verdict.ask.choices) if verdict.ask else []
    told["at"] = {fault.rule: fault.facts.get("step") for fault in verdict.faults}
    told["blamed"] = [write(fault.cards) for fault in verdict.faults]
    told["contract"] = list(getattr(verdict, "contract", None) or [])
    if verdict.readings:
        first = verdict.readings[0]
        told |= {"kind": first.kind, "reading": str(first), "points": points(first, variant)}
    told |= {"points": verdict.points} if hasattr(verdict, "points") else {}
    if getattr(verdict, "result", None):
        told["result"] = str(verdict.result)
    if hasattr(verdict, "why"):
        told |= {"why": verdict.why.facts["case"] if verdict.why else "", "hand_after": write(verdict.hand)}
        told["table_after"] = [write(meld.cards) for meld in verdict.table]
    return told


@pytest.mark.parametrize("variant_id", OURS)
def test_every_variant_has_enough_claims(variant_id):
    listed, fewest = claims(variant_id), FEWEST.get(variant_id, 40)

    assert len(listed) >= fewest, f"{variant_id} has a document: write {fewest} claims into claims/{variant_id}.toml"
    assert {kind for kind, _ in listed} == set(CHECKS)
    names = [(kind, claim["name"]) for kind, claim in listed]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("variant_id", OURS)
def test_claims_are_accepted_and_refused_by_every_check(variant_id):
    rulings = {(kind, claim["legal"]) for kind, claim in claims(variant_id)}

    assert rulings == {(kind, legal) for kind in CHECKS for legal in (True, False)}


@pytest.mark.parametrize(
    ("kind", "body", "field", "word"),
    rows("claims", "an_unreadable_claim_names_its_field"),
)
def test_an_unreadable_claim_names_its_field(kind, body, field, word):
    with pytest.raises(BadInput) as unreadable:
        check(kind, body, load("jamaican"))

    assert unreadable.value.field == field
    assert unreadable.value.word.startswith(word)
    assert "{" not in unreadable.value.say()


def test_six_melds_of_two_jokers_each_are_judged_quickly():
    """Twelve jokers exceed any pack, and the ruling does not try all combinations of readings."""
    verdict = check("opening", {"melds": ["2C * *"] * 6}, load("north-american"))

    assert "more-than-the-pack" in {fault.rule for fault in verdict.faults}


def test_more_ambiguous_melds_than_the_packs_can_make_are_still_judged():
    """Each has two readings, so twelve of them would have four thousand combinations."""
    verdict = check("opening", {"melds": ["KS * *"] * 12}, load("european"))
    assert "more-than-the-pack" in [fault.rule for fault in verdict.faults]
