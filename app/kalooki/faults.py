"""A broken rule as a value: the rule, the cards that break it, and the facts its text needs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from app.kalooki.cards import Card


@dataclass(frozen=True)
class Fault:
    """One broken rule and the cards that break it; `rulebook.explain` puts it into words.

    `rule` is a slug from rulebook.toml (rules of play) or entries.toml (entries that cannot be recorded). `facts` fill
    the `{names}` in its text.
    """

    rule: str
    cards: tuple[Card, ...] = ()
    facts: Mapping[str, object] = field(default_factory=lambda: MappingProxyType({}), hash=False)

    def with_facts(self, **facts: object) -> Fault:
        """Return the same fault with these facts added or replaced."""
        return Fault(self.rule, self.cards, {**self.facts, **facts})

    def renamed(self, old: str, new: str) -> Fault:
        """Return the same fault with a player's corrected name."""
        return self.with_facts(name=new) if self.facts.get("name") == old else self
