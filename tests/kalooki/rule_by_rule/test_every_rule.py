"""One subtle case for every rule of the rulebook, by its name: where the rule bites and where it just does not."""

import ast
from pathlib import Path

import pytest

from app.kalooki.rules.rulebook import rules

TESTED = {
    node.name
    for path in Path(__file__).parent.glob("test_*.py")
    for node in ast.parse(path.read_text(encoding="utf-8")).body
    if isinstance(node, ast.FunctionDef)
}


@pytest.mark.parametrize("slug", [slug for slug, rule in rules().items() if rule.chapter])
def test_every_rule_has_a_test_of_its_name(slug):
    name = f"test_{slug.replace('-', '_')}"
    assert name in TESTED, f"the rule {slug} has no test: write {name} where it bites and where it just does not"
