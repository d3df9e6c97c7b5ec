"""`rules [SEED] [SETS]`: a table's own rules, drawn by chance, against the laws of `tests.house_rule_laws`.

Each law is tried with sets of its own, drawn from the ranges in `values.toml`: sets that may contradict themselves are
judged, legal ones are played, beside a clerk and a referee who share nothing with the program. One seed draws a hundred
sets; what broke a law is told with its seed, which draws it again.
"""

from __future__ import annotations

import random
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from app import create_app
from app.store import opening
from tests import house_rule_laws
from tests.house_rules import contradictions, legal_rule_sets, rule_sets

USUAL, SLICE = 300, 100
"""Sets, and about how many one seed draws."""
LAWS = house_rule_laws.OF_ANY | house_rule_laws.OF_LEGAL
BY_CHANCE = settings(database=None, deadline=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
"""What is found is told as it was drawn: to make it smaller would take longer than to find it."""
CONTRADICTORY = "contradictory"


def main(first: int | None = None, sets: int = USUAL, *, tiny: bool = False) -> int:
    """Tell how many sets were tried and what broke a law; 1 if anything did."""
    first = random.randrange(10**6) if first is None else first
    began, tried, broken = time.process_time(), Counter[str](), 0
    with tempfile.TemporaryDirectory() as folder:
        app = create_app(
            {
                "DATABASE_URL": f"sqlite:///{Path(folder) / 'games.db'}",
                "SECRET_KEY": "bench",
                "WTF_CSRF_ENABLED": False,
                "RATELIMIT_ENABLED": False,
            }
        )
        for number in range(first, first + (1 if tiny else -(-sets // SLICE))):
            for law, weight in LAWS.items():
                size = 1 if tiny else max(1, round(SLICE * weight / sum(LAWS.values())))
                broken += is_broken(law, number, size, tried, app.test_client())
        opening.close_database(app)
    tell(first, tried, broken, time.process_time() - began)
    return int(bool(broken))


def is_broken(law: Callable[..., None], number: int, size: int, tried: Counter[str], client: Any) -> bool:
    """Whether the sets that a seed draws break a law; the first that does is told."""
    kept: list[Any] = []

    @seed(number)
    @settings(BY_CHANCE, max_examples=size)
    @given(rule_sets() if law in house_rule_laws.OF_ANY else legal_rule_sets(), st.data())
    def hold(own: tuple[str, dict[str, Any]], data: st.DataObject) -> None:
        kept[:] = [own]
        tried[law.__name__] += 1
        tried[CONTRADICTORY] += bool(law in house_rule_laws.OF_ANY and contradictions(*own))
        law(*own, client=client, data=data)

    try:
        hold()
    except Exception:  # noqa: BLE001 - whatever broke is told
        print(f"{law.__name__} does not hold (python3 -m tests.bench rules {number} 1):", *kept, flush=True)
        print(traceback.format_exc(limit=-3)[:6000], flush=True)
        return True
    return False


def tell(first: int, tried: Counter[str], broken: int, spent: float) -> None:
    contradictory = tried.pop(CONTRADICTORY)
    print(f"{tried.total():,} rule sets of seven variants from seed {first}, {contradictory:,} of them contradictory")
    for name, count in tried.items():
        print(f"{count:6,}: {name.replace('_', ' ')}")
    print(f"differences: {broken}; {spent / 60:.1f} minutes of processor")
