"""What holds for the seven variants holds for any rules; `python3 -m tests.bench rules` tries many more."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests import house_rule_laws as laws
from tests.examples import times
from tests.house_rules import VARIANTS, contradictions, legal_rule_sets, rule_sets

pytestmark = [pytest.mark.hypothesis, pytest.mark.one_app]
DRAWN = {law: rule_sets() for law in laws.OF_ANY} | {law: legal_rule_sets() for law in laws.OF_LEGAL}


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_variants_contradict_nothing(variant):
    assert contradictions(variant, {}) == set()


@pytest.mark.parametrize("law", DRAWN, ids=lambda law: law.__name__)
def test_it_holds_for_any_rules(law, client):
    sets, held = times((laws.OF_ANY | laws.OF_LEGAL)[law]), []

    @settings(suppress_health_check=list(HealthCheck), max_examples=sets)
    @given(DRAWN[law], st.data())
    def hold(own, data):
        law(*own, client=client, data=data)
        held.append(own)

    hold()
    assert len(held) >= sets, "a law is tried with so many sets, and not thrown away"
