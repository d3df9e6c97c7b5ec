"""Every value a table may choose makes some claim, count or game come out differently: each_value.toml says how."""

import re
from pathlib import Path
from tomllib import loads

import pytest

from app.kalooki.cards import parse_left
from app.kalooki.claims import check
from app.kalooki.points import points_left
from app.kalooki.rules.rulebook import rule_in_words
from app.kalooki.variants import meanings
from tests.kalooki.rows import without_null
from tests.kalooki.rule_talk import broken, steps_of, table
from tests.kalooki.table_talk import begin, record
from tests.kalooki.test_steps import found

VALUES = without_null(loads(Path(__file__).with_name("each_value.toml").read_text("utf-8")))


def outcome(row, house):
    """Return what comes out of a row with some house rules."""
    variant = row.get("variant", "european")
    plays = table(variant, **house)
    if "check" in row:
        claim = row["claim"] | ({"steps": steps_of(*row["claim"]["steps"])} if "steps" in row["claim"] else {})
        verdict = check(row["check"], claim, plays)
        return verdict.ending if verdict.ok and row.get("look") == "ending" else broken(row["check"], plays, **claim)
    if "left" in row:
        return points_left(parse_left(row["left"]), plays)
    if "text" in row:
        text = rule_in_words(row["text"], plays).text
        return re.findall(r"\d+", text) or text.split()[:3]
    log = begin(variant, row.get("players", ["Ann", "Ben"]), house=row.get("also", {}) | house, **row.get("start", {}))
    return found(record(log, *row.get("events", ())), row["look"])


@pytest.mark.parametrize("key", VALUES)
def test_every_house_rule_changes_an_outcome(key):
    row = VALUES[key]

    assert outcome(row, {}) == row["without"]
    assert outcome(row, {key: row["own"]}) == row["with"]


def test_every_house_rule_has_a_row():
    chosen = {key for key, meaning in meanings().items() if meaning.house}
    assert VALUES.keys() == chosen, "show in each_value.toml a case that the value decides, by hand"
