"""Whole rule sets by chance, drawn from the ranges `values.toml` states, and what the rulebook says against a set.

The files of the variants are read as they are; nothing is shared with the program. No value is named to be drawn: one
that is new is drawn as soon as it has its range.
"""

from functools import cache
from pathlib import Path
from tomllib import loads

from hypothesis import strategies as st

FOLDER = Path(__file__).resolve().parent.parent / "app" / "kalooki" / "variants"
VARIANTS = ["european", "north-american", "south-african", "jamaican", "kalooki-51", "kalooki-40", "classic"]


@cache
def read(name):
    return loads((FOLDER / f"{name}.toml").read_text("utf-8"))


@cache
def book(variant):
    """Every value a variant plays before a table changes anything."""
    file = read(variant)
    values = (book(file["extends"]) if "extends" in file else {}) | file.get("usual", {}) | file.get("stated", {})
    none = {key: None for key, about in RANGES.items() if about.get("none")}
    return none | {key: None if value == "none" and key in none else value for key, value in values.items()}


RANGES = {key: about["house"] for key, about in read("values").items() if "house" in about}
PAIRS = {key for key in RANGES for name in VARIANTS if str(book(name).get(key)).startswith("[[")}


def numbers(about):
    return st.integers(about["least"], about["most"])


def anything(key):
    """Every value the table may choose for one key, those that some variant plays more often than others."""
    about = RANGES[key]
    if "choices" in about:
        return st.sampled_from(about["choices"])
    if "each" in about:
        each = numbers(about["each"])
        if key in PAIRS:
            each = st.tuples(each, each).filter(any).map(list)
        return st.lists(each, min_size=0 if key in PAIRS else 1, max_size=about["most"]) | played(key)
    return numbers(about) | played(key) | (st.none() if about.get("none") else st.nothing())


def played(key):
    """What one of the variants plays, where that can be chosen."""
    about, found = RANGES[key], [book(name)[key] for name in VARIANTS]
    return st.sampled_from([value for value in found if value is not None or about.get("none")])


@st.composite
def rule_sets(draw, variants=tuple(VARIANTS)):
    """A variant with a table's own rules, a few or all there are; many contradict each other."""
    some = st.sampled_from(sorted(RANGES))
    keys = draw(st.one_of(st.sets(some, min_size=1, max_size=5), st.sets(some, max_size=len(RANGES)), st.just(RANGES)))
    return draw(st.sampled_from(variants)), {key: draw(anything(key)) for key in sorted(keys)}


@st.composite
def legal_rule_sets(draw, variants=tuple(VARIANTS)):
    """A rule set from which values were taken until nothing contradicts anything."""
    variant, house = draw(rule_sets(variants))
    while found := contradictions(variant, house):
        guilty = sorted({key for keys in found for key in keys} & house.keys()) or sorted(house)
        del house[draw(st.sampled_from(guilty))]
    return variant, house


# What the rulebook says against a set ("Own rules")


def resolved(variant, house):
    """What a table plays by its own rules: some bring others along."""
    values = book(variant) | {key: value for key, value in house.items() if (key, value) != ("game_hands", None)}
    if isinstance(values["dealt"], int):
        values["dealt"] = [values["dealt"]]
    for key, freed in JOKERS_FREED.get(house.get("joker_from_set"), {}).items():
        values[key] = house.get(key, freed)
    if values["contracts"] and "contracts" in house and house.get("game_hands") is None:
        values["game_hands"] = len(values["contracts"])
    if values["contracts"] and {"contracts", "run_least"} & house.keys() and house.get("dealt_by") != "players":
        if "dealt" not in house:
            values["dealt"] = [3 * sets + values["run_least"] * runs for sets, runs in values["contracts"]]
        if len(values["dealt"]) == len(values["contracts"]) > 1 or "dealt" not in house:
            values["dealt_by"] = "contract"
    return values


JOKERS_FREED = {
    "both": {"joker_from_full_set": "never", "joker_from_two_joker_set": "two"},
    "one": {"joker_from_full_set": "one", "joker_from_two_joker_set": "one"},
    "never": {"joker_from_full_set": "never", "joker_from_two_joker_set": "never"},
}


def contradictions(variant, house):
    """The pairs of keys that cannot both hold, each as a frozenset."""
    plays = resolved(variant, house)
    return {frozenset(pair.split()) for pair, holds in AGAINST.items() if holds(plays)}


def all_cards(plays):
    return 52 * plays["packs"] + plays["jokers"]


def dealt_in(plays, hand):
    """The cards of the largest deal of one hand."""
    by_hand = plays["dealt_by"] == "contract" and len(plays["dealt"]) > 1
    return plays["dealt"][min(hand, len(plays["dealt"]) - 1)] if by_hand else max(plays["dealt"])


def needed(plays, contract):
    sets, runs = contract
    return 3 * sets + plays["run_least"] * runs


AGAINST = {
    "run_least run_most": lambda plays: plays["run_least"] > plays["run_most"],
    "set_naturals set_most": lambda plays: plays["set_most"] is not None and plays["set_naturals"] > plays["set_most"],
    "run_naturals run_most": lambda plays: plays["run_naturals"] > plays["run_most"],
    "set_suits set_most": lambda plays: plays["set_suits"] == "different" and plays["set_most"] not in (3, 4),
    "players_fewest players_most": lambda plays: plays["players_fewest"] > plays["players_most"],
    "jokers packs": lambda plays: plays["jokers"] > 4 * plays["packs"],
    "dealt packs": lambda plays: 2 * max(plays["dealt"]) > all_cards(plays),
    "contracts dealt": lambda plays: any(
        needed(plays, contract) > dealt_in(plays, hand) + 1 for hand, contract in enumerate(plays["contracts"])
    ),
    "contracts runs_of_one_suit": lambda plays: (
        plays["runs_of_one_suit"] == "one" and any(runs > 4 for _, runs in plays["contracts"])
    ),
    "dealt_by contracts": lambda plays: plays["dealt_by"] == "contract" and not plays["contracts"],
    "dealt_by dealt": lambda plays: (
        plays["dealt_by"] == "contract"
        and bool(plays["contracts"])
        and len(plays["dealt"]) not in (1, len(plays["contracts"]))
    ),
    "game_hands contracts": lambda plays: (
        bool(plays["contracts"]) and (plays["game_hands"] or 0) > len(plays["contracts"])
    ),
}
"""Each pair of keys, and when the two contradict each other."""
