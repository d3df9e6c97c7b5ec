"""What nobody would send, and what somebody might: random values for a JSON schema, and a browser that watches answers.

Values are drawn by luck alone, other ones each time; a failure prints everything that was sent.
"""

import json
import random
import time
from functools import cache

from app.api.openapi import document
from tests.examples import TIMES
from tests.house_rules import RANGES

SECONDS = 50 * TIMES
"""How long one of these tests goes on."""
SLOWEST = 2.0
"""Seconds of this thread's processor time that an answer may take: others may use the machine meanwhile."""
RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
NASTY = [
    *("", " ", "0", "-1", "007", "²", "1e400", "9" * 400, "1.5", "NaN", "null", "true", "[]", "{}", "x" * 300),
    *("\u202e", "é", "<b>", "'", '"', "../..", "%00", "a\tb", "a\nb", "🃏", "2026-02-30", "*=6H", "KH KH KH", "10+7"),
]


def until_time_is_up():
    """Yield a number for each round, until `SECONDS` are over."""
    end, rounds = time.monotonic() + SECONDS, 0
    while time.monotonic() < end:
        yield (rounds := rounds + 1)


class Luck(random.Random):
    """Random values; `more` may hold values for names that a schema does not know, such as the codes of games."""

    def __init__(self, **more):
        super().__init__()
        self.more = more

    def often(self, chance=0.5):
        return self.random() < chance

    def card(self):
        some = [self.choice(RANKS), "*", f"*={self.choice(RANKS)}{self.choice('HDSC')}"]
        return self.choices([self.choice(RANKS) + self.choice("HDSC"), *some], [20, 1, 2, 1])[0]

    def cards(self, most=9):
        """Cards of a run, of a set, or any; often such that they nearly fit."""
        size, suit, start = self.randint(0, most), self.choice("HDSC"), self.randrange(13)
        run = [RANKS[(start + place) % 13] + suit for place in range(size)]
        alike = [RANKS[start] + self.choice("HDSC") for _ in range(size)]
        cards = self.choice([run, alike, [self.card() for _ in range(size)]])
        if cards and self.often(0.3):
            cards[self.randrange(len(cards))] = "*"
        return " ".join(cards)

    def house(self):
        """A few house rules, many of which contradict each other."""
        return {name: self.rule(RANGES[name]) for name in self.sample(sorted(RANGES), self.randint(0, 6))}

    def rule(self, about):
        if "choices" in about:
            return self.choice(about["choices"])
        if "each" in about:
            return [self.rule(about["each"]) for _ in range(self.randint(1, about["most"]))]
        return self.choice([None] * bool(about.get("none")) + [self.randint(about["least"], about["most"])] * 4)

    def typed(self):
        """What may stand in a field of a form."""
        return self.choice([self.cards(), str(self.randint(0, 200)), self.choice(NASTY), self.card(), "1", "2"])

    def value(self, schema, name=""):
        """A value that a schema allows, or nearly."""
        if name in self.more:
            return self.choice(self.more[name])
        if name == "house":
            return self.house()
        if "$ref" in schema:
            return self.value(schemas()[schema["$ref"].rpartition("/")[2]], name)
        if "properties" not in schema and (several := schema.get("anyOf") or schema.get("oneOf")):
            return self.value(self.choice(several), name)
        if several := [schema["const"]] if "const" in schema else schema.get("enum"):
            return self.choice(several)
        return getattr(self, f"a_{schema.get('type', 'thing')}")(schema)

    def a_thing(self, _schema):
        return self.choice([self.cards(), {"cards": self.cards()}, [self.cards()], 1, None, "legal", {}])

    def a_null(self, _schema):
        return None

    def a_boolean(self, _schema):
        return self.often()

    def a_integer(self, schema):
        least = schema.get("minimum", 0)
        most = schema.get("maximum", 10**6)
        return self.choice([least, most, *(self.randint(least, min(most, least + 5)) for _ in range(8))])

    def a_string(self, schema):
        if schema.get("format") == "cards":
            return self.cards()
        return self.choice(
            [*(["Ann", "Ben", "Zoe", "EUR", "GB", "Europe/London", "out of turn"] * 3), self.choice(NASTY)]
        )

    def a_array(self, schema):
        return [self.value(schema.get("items", {})) for _ in range(self.randint(0, min(4, schema.get("maxItems", 4))))]

    def a_object(self, schema):
        if others := schema.get("additionalProperties"):
            keys = {str(self.randint(1, 5)) for _ in range(self.randint(0, 4))}
            return {key: self.value(others) for key in sorted(keys)}
        needed = schema.get("required", ())
        names = [name for name in schema.get("properties", {}) if name in needed or self.often(0.4)]
        return {name: self.value(schema["properties"][name], name) for name in names}


@cache
def schemas():
    return document()["components"]["schemas"]


class Watching:
    """A browser that takes no answer for a fault of ours, and none that takes long; it counts answers by status."""

    def __init__(self, client, answered):
        self.client, self.answered = client, answered

    def ask(self, method, path, **sent):
        what = f"{method} {path} {json.dumps(sent, default=str)}"
        began = time.thread_time()
        try:
            answer = self.client.open(path, method=method, **sent)
        except Exception as broken:  # as applications raise in tests
            raise AssertionError(what) from broken
        took = time.thread_time() - began
        is_paper = path.partition("?")[0].endswith((".pdf", ".png"))
        assert answer.status_code < 500 or (is_paper and answer.status_code == 503), f"{answer.status_code}: {what}"
        assert took < SLOWEST, f"{took:.1f} s: {what}"
        self.answered[answer.status_code] += 1
        return answer
