"""The claims of tests/kalooki/claims, asked through JSON: the answer says what was worked out at the table."""

import tomllib
from pathlib import Path

import pytest

from app.kalooki.claims import CLAIMS

pytestmark = pytest.mark.one_app

FOLDER = Path(__file__).resolve().parents[1] / "kalooki" / "claims"
FILES = sorted(FOLDER.glob("*.toml"))
SAID = {
    "points": lambda told: told["points"] if "points" in told else told["readings"][0]["points"],
    "needed": lambda told: told["needed"],
    "contract": lambda told: [told["contract"]["sets"], told["contract"]["runs"]] if told["contract"] else [],
    "kind": lambda told: told["readings"][0]["kind"],
    "reading": lambda told: told["readings"][0]["cards"],
    "ask": lambda told: told["ask"]["choices"] if told["ask"] else [],
    "result": lambda told: told["result"],
    "closed": lambda told: told["closed"],
    "released": lambda told: told["released"],
    "ending": lambda told: told["ending"],
    "at": lambda told: {fault["rule"]: fault["step"] for fault in told["faults"]},
    "hand_after": lambda told: told["hand"],
    "table_after": lambda told: [meld["cards"] for meld in told["table"]],
}
"""Where the answer says what a claim expects."""


def claims(path):
    """All but those on going out (`out`), which pages answer alone."""
    listed = tomllib.loads(path.read_text("utf-8"))
    return [(kind, claim) for kind in listed.keys() - {"out"} for claim in listed[kind]]


def asked(kind, claim):
    """The claim as the interface takes it; what is expected of the answer shares no name with what is asked."""
    return {name: value for name, value in claim.items() if name in CLAIMS[kind].shape["properties"] or name == "house"}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_claim_is_ruled_on_through_json_as_at_the_table(client, path):
    for kind, claim in claims(path):
        address = "/api/v1/deck" if kind == "deck" else f"/api/v1/check/{kind}"
        answer = client.post(address, json=asked(kind, claim) | {"variant": path.stem})

        assert answer.status_code == 200, claim["name"]
        told = answer.json
        assert told["ok"] is claim["legal"], claim["name"]
        assert {fault["rule"] for fault in told["faults"]} == set(claim.get("rules", [])), claim["name"]
        for name in SAID.keys() & claim.keys():
            assert SAID[name](told) == claim[name], f"{claim['name']}: {name}"
        if kind == "meld":
            assert (path.stem in told["legal_in"]) is claim["legal"] or "house" in claim, claim["name"]


def test_all_claims_are_of_a_variant(client):
    variants = {each["id"] for each in client.get("/api/v1/variants").json}

    assert {path.stem for path in FILES} <= variants
