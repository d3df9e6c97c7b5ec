"""A ruling as plain JSON: what `api.md` calls the common part of every check's answer."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from app.kalooki.faults import Fault
from app.kalooki.rulebook import explain
from app.kalooki.variants import Variant
from app.state import fault_json
from app.words import gettext


def ruling(
    variant: Variant,
    faults: Iterable[Fault],
    rules: Iterable[str],
    *,
    ask: dict[str, Any] | None = None,
    warnings: Iterable[Fault] = (),
) -> dict[str, Any]:
    """The common part: whether it is legal, every broken rule, every rule applied, what is odd but allowed."""
    told = [fault_json(fault, variant) | _where(fault) for fault in faults]
    return {
        "ok": not told,
        "faults": told,
        "rules": list(dict.fromkeys([*rules, *(fault["rule"] for fault in told)])),
        "ask": ask,
        "warnings": [explain(warning, variant, gettext).text for warning in warnings],
    }


def _where(fault: Fault) -> dict[str, Any]:
    """The step of the turn that broke the rule (null: it was so before), and the meld of the table it is about."""
    return {name: fault.facts[name] for name in ("step", "on") if name in fault.facts}
