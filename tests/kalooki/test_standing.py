"""Every mark and citation of the rulebook, compared with what was read in the documents themselves."""

from pathlib import Path
from tomllib import loads

import pytest

from app.kalooki.rules.rulebook import rules_of
from app.kalooki.variants import load
from tests.kalooki.rule_talk import WITH_A_DOCUMENT

READ = loads((Path(__file__).parent / "standing.toml").read_text("utf-8"))
VARIANTS = WITH_A_DOCUMENT


def statements(variant):
    """Return every statement of a variant by its slug."""
    return {rule.rule: rule for chapter in rules_of(variant) for rule in chapter.rules}


def places_of(slug, reading):
    """Return the standing that a reading gives a statement, and the places in the document."""
    said = {place for place, slugs in reading["says"].items() if slug in slugs}
    disputed = set(reading.get("both", {}).get(slug, ()))
    assert not (said and disputed), f"{slug} is said plainly, or in two ways"
    return ("both", disputed) if disputed else ("source", said) if said else ("usual", set())


def test_a_document_with_a_remark_is_not_cited_for_other_variants():
    # Kalooki 51 says that the discard pile runs out, and must mean the stock
    assert statements(load("kalooki-51"))["stock-runs-out"].sources[0].id == "S2"
    assert [source.id for source in statements(load("classic"))["stock-runs-out"].sources] == ["S0", "S1", "S3"]


def test_every_variant_has_a_reading():
    assert READ.keys() == {variant.id for variant in VARIANTS}, "read each variant's document into standing.toml"
    assert [READ[variant.id]["document"] for variant in VARIANTS] == [variant.source for variant in VARIANTS]


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.id)
def test_every_statement_has_the_standing_that_was_read(variant):
    found = {slug: rule.standing for slug, rule in statements(variant).items()}
    read = {slug: places_of(slug, READ[variant.id])[0] for slug in found}

    assert found == read


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.id)
def test_every_statement_cites_the_places_that_were_read(variant):
    own = {
        slug: {place for source in rule.sources for place in source.where.split("; ")}
        for slug, rule in statements(variant).items()
        if rule.standing != "usual"
    }

    assert own == {slug: places_of(slug, READ[variant.id])[1] for slug in own}


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.id)
def test_readings_are_only_of_statements_the_variant_makes(variant):
    reading = READ[variant.id]
    named = {slug for slugs in reading["says"].values() for slug in slugs}
    named |= reading.get("both", {}).keys() | reading.get("why", {}).keys()

    assert named <= statements(variant).keys()


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.id)
def test_a_statement_cited_from_another_document_was_read_there(variant):
    """A place cited for common practice states the rule for a variant of that document."""
    for slug, rule in statements(variant).items():
        if rule.standing == "usual":
            for source in rule.sources:
                readings = [reading for reading in READ.values() if reading["document"] == source.id]
                where = set(source.where.split("; "))
                assert ("source", where) in [places_of(slug, reading) for reading in readings], slug
