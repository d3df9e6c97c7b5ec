"""Going out described by melds, builds and discard only, which is judged like a whole turn."""

import pytest

from app.kalooki.cards import BadInput
from app.kalooki.claims import CLAIMS, check, judge
from app.kalooki.decided_by import JudgedClaim
from app.kalooki.variants import load

WHOLE = {"melds": ["KS KD KH", "QC QD QH", "5S 6S 7S"], "thrown": "2C"}


def verdict_of(variant_id="european", **claim):
    return check("out", claim, load(variant_id))


def rules(verdict):
    return [fault.rule for fault in verdict.faults]


def test_going_out_is_a_kalooki_only_without_an_earlier_opening():
    assert verdict_of(**WHOLE, opened=True).ending == "going_out"
    assert verdict_of(**WHOLE).ending == "kalooki"


def test_a_card_must_be_kept_to_throw_except_in_jamaica():
    assert rules(verdict_of(melds=["7H 8H 9H"], opened=True)) == ["last-discard"]
    jamaican = verdict_of("jamaican", melds=["7H 8H 9H 10H"], opened=True)
    assert (jamaican.ok, jamaican.ending) == (True, "going_out")


def test_an_opening_below_the_minimum_does_not_go_out():
    assert rules(verdict_of(melds=["4H 5H 6H"], thrown="2C")) == ["opening-points"]


def test_an_incomplete_contract_does_not_go_out():
    assert rules(verdict_of("jamaican", melds=["7H 7D 7C"], thrown="2C")) == ["contract"]
    assert verdict_of("jamaican", melds=["7H 7D 7C", "9H 9D 9C", "QS QD QC"], thrown="2C").ending == "bending"


def test_a_missing_warning_prevents_going_out():
    few = {"melds": ["7H 8H 9H"], "thrown": "2C", "opened": True}
    assert rules(verdict_of(**few, warned=False)) == ["few-cards-warning"]
    assert verdict_of(**few, warned=True).ok
    assert verdict_of(**few).ok


def test_two_builds_on_one_meld_are_judged_together():
    on = "4H 5H 6H"
    builds = [{"on": on, "cards": "7H"}, {"on": on, "cards": "3H"}]
    verdict = verdict_of(builds=builds, thrown="2C", opened=True)
    assert (verdict.ok, [str(card) for card in verdict.table[0].cards]) == (True, ["3H", "4H", "5H", "6H", "7H"])


def test_the_last_card_alone_may_be_thrown():
    assert verdict_of(thrown="2C", opened=True).ending == "going_out"


def test_faults_have_no_step_in_a_turn_described_without_steps():
    (fault,) = verdict_of(melds=["4H 5H 7H"], thrown="2C", opened=True).faults
    assert (fault.rule, "step" in fault.facts) == ("run-sequence", False)


def test_several_melds_and_a_build_on_a_set_with_a_joker_may_rest_on_a_doubtful_rule():
    def deciders(variant_id, **claim):
        read, table = CLAIMS["out"].read(claim, ""), load(variant_id)
        return {decider.rule for decider in JudgedClaim(read, table, judge(read, table)).decided_by}

    assert "one-meld-a-turn" in deciders("european", **WHOLE, opened=True)
    built = {"builds": [{"on": "8S 8H *", "cards": "8C"}], "thrown": "2C", "opened": True}
    assert "closed-set" in deciders("kalooki-40", **built)


def test_laying_nothing_does_not_go_out():
    assert rules(verdict_of()) == ["draw-first", "last-discard"]
    assert rules(verdict_of(thrown="")) == ["draw-first", "last-discard"]


@pytest.mark.parametrize(("claim", "field"), [
    ({"thrown": "2C 3C"}, "thrown"), ({"melds": ["ZZ"]}, "melds.0"),
])  # fmt: skip
def test_an_unreadable_claim_is_refused(claim, field):
    with pytest.raises(BadInput) as refused:
        verdict_of(**claim)
    assert refused.value.field == field
