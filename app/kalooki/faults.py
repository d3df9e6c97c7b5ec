"""A broken rule as a value: which rule, by which cards, and the facts its text needs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from app.kalooki.cards import Card


@dataclass(frozen=True)
class Fault:
    """One broken rule; `rulebook.explain` turns it into words.

    `rule` is a slug of rulebook.toml (rules of play) or entries.toml (what cannot be recorded), `facts` fill the
    `{names}` in its text.
    """

    rule: str
    cards: tuple[Card, ...] = ()
    facts: Mapping[str, object] = field(default_factory=lambda: MappingProxyType({}), hash=False)

    def renamed(self, old: str, new: str) -> Fault:
        """The same fault once a player's misspelt name is mended."""
        return replace(self, facts={**self.facts, "name": new}) if self.facts.get("name") == old else self
