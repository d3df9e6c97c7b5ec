"""Variants as records of values, read from .toml files, and house rules, the values that a table changes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from pathlib import Path
from tomllib import loads
from types import MappingProxyType
from typing import Any, NamedTuple, get_type_hints

from app.kalooki.cards import COURT, LEFT_CARDS, MOST_CARDS, RED_SUITS, SUITS, BadInput, Card
from app.kalooki.conditions import CLASHES, USELESS, Useless, holds
from app.kalooki.faults import Fault

FOLDER = Path(__file__).parent
Value = bool | int | str | tuple[Any, ...] | None


@dataclass(frozen=True, kw_only=True)
class Variant:
    """The rules of one variant as values; `values.toml` explains each of them.

    `stated` names the values that the variant's own document states; the others are common practice. `house` names
    the values that this table changed, `unused` those that have no meaning in the variant. `published` says where the
    document of a server's own variant comes from. `base` is the variant without house rules, if there are any.
    Points are whole numbers; stakes are in units, not in minor units of money.
    """

    id: str
    name: str
    summary: str
    source: str
    published: str = ""
    order: int = 0
    stated: frozenset[str] = frozenset()
    house: frozenset[str] = frozenset()
    unused: frozenset[str] = frozenset()
    base: Variant | None = None

    packs: int
    jokers: int
    players_fewest: int
    players_most: int
    dealt: tuple[int, ...]
    dealt_by: str
    seats: str
    plays_first: str
    set_most: int | None
    set_suits: str
    run_least: int
    run_most: int
    ace: str
    set_naturals: int
    run_naturals: int
    jokers_together: bool
    runs_of_one_suit: str
    sets_of_one_rank: str
    melds_a_turn: int | None = None
    high_ace_points: int
    low_ace_points: int
    set_ace_points: int
    court_points: int
    joker_points: int | None = None
    opening_points: int
    contracts: tuple[tuple[int, int], ...]
    builds_open: bool
    discard_before_opening: str
    first_draw_free: bool
    discard_after_opening: str
    build_same_turn: bool
    build_end_limit: int | None
    run_ends: str
    joker_from_set: str
    joker_from_full_set: str
    joker_from_two_joker_set: str
    joker_from_run: str
    last_discard: bool
    joker_discard: bool
    warning_at: int
    reshuffles: int | None
    kalooki_ending: str
    kalooki_builds: bool
    kalooki_below_opening: bool
    kalooki_points: int
    kalooki_times: int
    joker_left: int
    black_ace_left: int
    red_ace_left: int
    court_left: int
    scoring: str
    decided_by: str
    limit: int | None
    out_at: str
    buy_ins: int
    buy_in_score: str
    game_hands: int | None
    ended_by_table: bool
    stake_call_up: int
    stake_kalooki: int
    stake_initial: int
    stake_buy_in: int
    pool_others: str
    pool_others_percent: int
    pool_others_limit: int
    calls: int
    call_penalty: int
    mishap_points: int

    def __hash__(self) -> int:
        # fast, because variants are cache keys everywhere; those that share an id are told apart by ==
        return hash(self.id)

    @property
    def base_variant(self) -> Variant:
        """The variant without house rules, as it was when the game began."""
        return self.base or packaged().get(self.id, self)

    @property
    def is_own(self) -> bool:
        """Whether it came from a server's own file; only games recorded before release 1.0 have such a variant."""
        return self.id not in packaged()

    @property
    def values(self) -> Mapping[str, Value]:
        """All values by key, in the order of `values.toml`."""
        return MappingProxyType({key: getattr(self, key) for key in meanings()})

    @cached_property
    def plain(self) -> Mapping[str, Any]:
        """The `values` as JSON, with lists in place of tuples."""
        return {key: _as_list(value) for key, value in self.values.items()}

    @cached_property
    def worth_left(self) -> Mapping[Card, int]:
        """The points of every card that can be left in a hand, including cards without a suit."""
        worths = {card: self.joker_left for card in LEFT_CARDS if card.is_joker}
        for card in LEFT_CARDS - worths.keys():
            ace = self.red_ace_left if card.suit in (*RED_SUITS, "red") else self.black_ace_left
            worths[card] = self.court_left if card.rank in COURT else ace if card.rank == "A" else int(card.rank)
        return worths

    @property
    def jokers_leave(self) -> bool:
        """Whether a joker may leave some kind of meld in exchange for cards from the hand."""
        return self.joker_from_run == "card" or not self.sets_keep_jokers

    @property
    def sets_keep_jokers(self) -> bool:
        """Whether no joker may ever leave a set."""
        growing = set() if self.set_most == SET_LEAST else {self.joker_from_set, self.joker_from_two_joker_set}
        full = set() if self.set_most is None else {self.joker_from_full_set}
        return growing | full == {"never"}

    @property
    def players_vary(self) -> bool:
        """Whether the game is meant for more than one number of players."""
        return self.players_fewest != self.players_most

    @property
    def has_fours(self) -> bool:
        """Whether sets are called threes and runs fours, as in contracts with runs of at least four cards."""
        return bool(self.contracts) and self.run_least == 4

    @property
    def needs_points(self) -> bool:
        """Whether a player's first melds must reach a number of points, which is never so with contracts."""
        return bool(self.opening_points and not self.contracts)

    @property
    def bottom(self) -> int:
        """The lowest place in a run: 1 if the ace can be low, else 2."""
        return 1 if self.ace == "both" else 2

    @property
    def set_limit(self) -> int:
        """The most cards a set can have: at most four if suits must differ, and never more than a claim can have."""
        most = self.set_most or MOST_CARDS
        return min(most, len(SUITS)) if self.set_suits == "different" else most

    @property
    def builds_count(self) -> bool:
        """Whether built cards count towards the opening, which requires building in the turn of the opening."""
        return self.builds_open and self.build_same_turn

    @property
    def colour_scores(self) -> bool:
        """Whether red and black aces left in a hand count differently."""
        return self.black_ace_left != self.red_ace_left

    @property
    def has_calls(self) -> bool:
        """Whether players may call for the discard out of turn, even if every call costs points."""
        return bool(self.calls or self.call_penalty)

    @property
    def endings(self) -> tuple[str, str]:
        """The names of the two ways to win a hand: going out after earlier melds, and going out all at once."""
        return ("going_out", self.kalooki_ending)

    @property
    def has_stakes(self) -> bool:
        return any(getattr(self, f"stake_{name}") for name in STAKES)

    @property
    def knocks_out(self) -> bool:
        """Whether a player who reaches the limit is out of the game."""
        return self.limit is not None and self.scoring == "losers"

    @property
    def buys_in(self) -> bool:
        """Whether a player who is knocked out may buy in."""
        return bool(self.buy_ins and self.knocks_out)

    @property
    def has_pool(self) -> bool:
        """Whether players pay into a pool, at the start of the game or for a buy-in."""
        return bool(self.stake_initial or (self.buys_in and self.stake_buy_in))

    @property
    def ends_at_will(self) -> bool:
        """Whether the table may end the game at any time, because the rules allow it or have no other end."""
        return self.ended_by_table or (self.limit is None and self.game_hands is None)

    def cards_dealt(self, players: int, hand_number: int) -> int:
        """Return how many cards each of `players` players is dealt in hand `hand_number`, counted from 1."""
        place = hand_number - 1 if self.dealt_by == "contract" else players - 2
        return self.dealt[max(0, min(place, len(self.dealt) - 1))]

    def cards_called(self, calls: int) -> int:
        """Return how many cards a player's calls add to a hand: two for each call that is allowed."""
        return 2 * min(calls, self.calls)

    @property
    def contracts_played(self) -> tuple[tuple[int, int], ...]:
        """The contracts of the hands in a game, which may be shorter than the list of contracts."""
        return self.contracts[: self.game_hands or None]

    def contract(self, hand_number: int) -> tuple[int, int] | None:
        """Return the hand's contract as (sets, runs), or None if it has none."""
        return self.contracts[hand_number - 1] if 0 < hand_number <= len(self.contracts) else None

    @cached_property
    def most_players(self) -> int:
        """The most players for whom the packs have enough cards in every hand of the game."""
        cards = 52 * self.packs + self.jokers
        hands = range(1, min(self.game_hands or len(self.dealt), len(self.dealt)) + 1)
        players = 2
        while all(self.cards_dealt(n, h) * n <= cards for h in hands for n in range(2, players + 2)):
            players += 1
        return players

    def discard_is_laid(self, opened: bool) -> bool:
        """Return whether a card from the discard pile must be laid at once, in the opening or later in a new meld."""
        return self.discard_after_opening == "meld" if opened else self.discard_before_opening == "open"

    def is_out(self, total: int) -> bool:
        """Return whether a total knocks its player out (rule `limit`); False if winners collect towards a target."""
        return self.scoring == "losers" and self.reaches(total)

    def reaches(self, total: int) -> bool:
        """Return whether a total is at the limit, or beyond it if `out_at` is "over_limit"."""
        return self.limit is not None and (total > self.limit if self.out_at == "over_limit" else total >= self.limit)


def _as_list(value: Any) -> Any:
    return [_as_list(inner) for inner in value] if isinstance(value, tuple) else value


SET_LEAST = 3
STAKES = ("call_up", "kalooki", "initial", "buy_in")
_TYPES = get_type_hints(Variant)
_JOKER_RULES = {
    "both": {"joker_from_full_set": "never", "joker_from_two_joker_set": "two"},
    "one": {"joker_from_full_set": "one", "joker_from_two_joker_set": "one"},
    "never": {"joker_from_full_set": "never", "joker_from_two_joker_set": "never"},
}
"""The other two values about jokers in sets that follow from `joker_from_set`, by its value."""


@dataclass(frozen=True)
class Meaning:
    """The meaning of one value: its texts, and what a table may choose.

    `house` is the range of house rules; if it is None, `fixed` says why tables cannot change the value. `depends` are
    the values that limit this one or make it useless. Forms show it in their `group`, before the others if `first`,
    which marks the values in which tables often differ. `follows` names the value that it follows from by default.
    `search` are players' words for it, besides those of its rule.
    """

    key: str
    label: str
    rule: str
    group: str
    unit: str = ""
    house: Mapping[str, Any] | None = field(default=None, hash=False)
    fixed: str = ""
    depends: tuple[str, ...] = ()
    first: bool = False
    follows: str = ""
    about: str = ""
    search: str = ""

    @property
    def of_pairs(self) -> bool:
        """Whether the value is a list of pairs of numbers."""
        return bool(_TYPES[self.key] == tuple[tuple[int, int], ...])

    def check(self, value: object) -> Value:
        """Return the value in the type of the record; raises BadInput naming the key if no table may choose it."""
        house = self.house
        if house is None:
            raise self._error("“{word}” is not a house rule.", self.key)
        if "choices" in house:
            if any(value is choice or (value == choice and isinstance(value, str)) for choice in house["choices"]):
                return value  # type: ignore[return-value]
            listed = ", ".join(map(str, house["choices"]))
            raise self._error("“{word}” cannot be chosen; choose one of: {choices}.", value, choices=listed)
        if "each" in house:
            return self._list(value, house)
        if value is None and house.get("none"):
            return None
        if not _is_within(value, house):
            raise self._error(OUT_OF_RANGE, value, least=house["least"], most=house["most"])
        return value  # type: ignore[return-value]

    def _error(self, message: str, word: object, **facts: object) -> BadInput:
        return _house_rule_error(message, [self.key], word, **facts)

    def _list(self, value: object, house: Mapping[str, Any]) -> Value:
        listed = [value] if isinstance(value, int) and not self.of_pairs else value
        least, most = 0 if self.of_pairs else 1, house["most"]
        if not isinstance(listed, (list, tuple)) or not least <= len(listed) <= most:
            raise self._error(
                "“{word}” does not fit; write a list of {least} to {most}.", value, least=least, most=most
            )
        return tuple(self._element(place, each, house["each"]) for place, each in enumerate(listed, 1))

    def _element(self, place: int, value: object, each: Mapping[str, int]) -> Any:
        pair = isinstance(value, (list, tuple)) and len(value) == 2 and any(value)
        numbers = tuple(value) if self.of_pairs and pair else (value,)  # type: ignore[arg-type]
        if len(numbers) == 1 + self.of_pairs and all(_is_within(number, each) for number in numbers):
            return numbers if self.of_pairs else value
        text = NO_CONTRACT if self.of_pairs else f"No. {{place}}: {OUT_OF_RANGE}"
        raise self._error(text, value, place=place, **each)


OUT_OF_RANGE = "“{word}” is out of range; choose a whole number from {least} to {most}."
NO_CONTRACT = "No. {place}: “{word}” isn’t a contract; write [sets, runs], each {least} to {most}, not both 0."


def _is_within(value: object, house: Mapping[str, Any]) -> bool:
    return type(value) is int and house["least"] <= value <= house["most"]


@cache
def meanings() -> Mapping[str, Meaning]:
    """Return the meaning of every value by key, in the order in which pages show them."""
    table = loads((FOLDER / "values.toml").read_text("utf-8"))
    return MappingProxyType(
        {key: Meaning(key=key, **about | {"depends": tuple(about.get("depends", ()))}) for key, about in table.items()}
    )


def load(variant_id: str) -> Variant:
    """Return the variant with that id; raises BadInput if there is none."""
    if variant := packaged().get(variant_id):
        return variant
    raise BadInput("There is no variant “{word}”.", "variant", variant_id)


def ids() -> tuple[str, ...]:
    """Return the ids of all variants (the names of their files) in menu order."""
    return tuple(packaged())


@cache
def all_variants() -> tuple[Variant, ...]:
    """Return all variants in menu order."""
    return tuple(packaged().values())


@cache
def packaged() -> Mapping[str, Variant]:
    """Return the variants of this package by id, in menu order."""
    variants = [_load_packaged(path.stem) for path in FOLDER.glob("*.toml") if path.stem != "values"]
    return MappingProxyType({variant.id: variant for variant in sorted(variants, key=lambda variant: variant.order)})


def _load_packaged(name: str) -> Variant:
    table = loads(FOLDER.joinpath(f"{name}.toml").read_text("utf-8"))
    inherited = dict(_load_packaged(table.pop("extends")).values) if "extends" in table else {}
    stated, usual = table.pop("stated", {}), table.pop("usual", {})
    values: dict[str, Any] = table | inherited | thaw(usual | stated)
    return Variant(id=name, stated=frozenset(stated), unused=frozenset(values.pop("unused", ())), **values)


LONGEST = {"name": 40, "summary": 200, "published": 200}
"""The most characters of each text that a game stores about a server's own variant."""


def texts_to_store(variant: Variant) -> dict[str, Any]:
    """Return what a game stores about a server's own variant besides its values; empty for a variant of the package."""
    texts = {name: getattr(variant, name) for name in LONGEST}
    return texts | {"stated": sorted(variant.stated), "unused": sorted(variant.unused)} if variant.is_own else {}


def restore_variant(variant_id: str, texts: Mapping[str, Any], values: Mapping[str, Value]) -> Variant:
    """Return a server's own variant from what the game stored about it; its source is the name of its file."""
    about: dict[str, Any] = {"name": variant_id, "summary": "", "published": ""} | dict(texts)
    about |= {name: frozenset(meanings().keys() & texts.get(name, ())) for name in ("stated", "unused")}
    return replace(all_variants()[0], **{**about, **values, "id": variant_id, "source": f"{variant_id}.toml"})


def thaw(values: Mapping[str, Any]) -> dict[str, Value]:
    """Return values read from JSON or TOML in the types of the record: lists become tuples, "none" becomes None.

    Raises BadInput for an unknown key, a wrong type or a number out of range.
    """
    thawed: dict[str, Value] = {}
    for key, value in values.items():
        if key not in meanings():
            raise BadInput("“{word}” isn’t a value of a variant.", f"rules.{key}", key)
        thawed[key] = None if value == "none" and _TYPES[key] == int | None else _freeze(value)
        if not _HAS_TYPE[_TYPES[key]](key, thawed[key]):
            raise BadInput("“{word}” does not fit this value.", f"rules.{key}", value)
    return thawed


_MAX_NUMBER = 10_000
_RANGES = {"packs": (1, 8), "jokers": (0, 16), "dealt": (1, MOST_CARDS), "melds_a_turn": (1, 13)}
_RANGES |= {"pool_others_percent": (0, 100)}
"""The range of some values. An imported record could have any number, and dealing or counting would never finish."""
_NAMES = {"kalooki_ending": ("kalooki", "bending")}
"""The words of some values, without which nothing could be said of them."""


def _freeze(value: Any, levels: int = 2) -> Any:
    if levels and isinstance(value, (list, tuple)):
        return tuple(_freeze(each, levels - 1) for each in value)
    return value


def _in_range(key: str, *numbers: Any) -> bool:
    least, most = _RANGES.get(key, (0, _MAX_NUMBER))
    return all(type(number) is int and least <= number <= most for number in numbers)


_HAS_TYPE: Mapping[Any, Callable[[str, Any], bool]] = {
    int: _in_range,
    bool: lambda _key, value: isinstance(value, bool),
    str: lambda key, value: isinstance(value, str) and value in _NAMES.get(key, (value,)),
    int | None: lambda key, value: value is None or _in_range(key, value),
    tuple[int, ...]: lambda key, value: isinstance(value, tuple) and bool(value) and _in_range(key, *value),
    tuple[tuple[int, int], ...]: lambda key, value: (
        isinstance(value, tuple)
        and all(isinstance(pair, tuple) and len(pair) == 2 and _in_range(key, *pair) for pair in value)
    ),
}
"""Predicates by type: whether a value has the type of the record and its numbers are in range."""


def _house_rule_error(message: str, keys: Sequence[str], word: object = "", **facts: object) -> BadInput:
    """Return the error for house rules that cannot be played; `keys` is one value out of range or two that clash."""
    error = BadInput(message, f"house.{keys[0]}", word, **facts)
    error.keys = tuple(keys)
    return error


class JudgedRules(NamedTuple):
    """A ruling on a table's house rules: errors, warnings, and the resulting variant (None if there are errors).

    `table` is the resulting variant or, if there are errors, the one without house rules. `fitting` has the values that
    are within their ranges.
    """

    faults: tuple[BadInput, ...]
    warnings: tuple[Fault, ...]
    variant: Variant | None
    table: Variant
    fitting: Mapping[str, Value]


def judge_rules(variant: Variant, house: Mapping[str, object]) -> JudgedRules:
    """Return all errors of a table's house rules together: values out of range and values that clash."""
    fitting, _ = _check_values(house)
    try:
        table, ignored = with_house_rules(variant, house)
    except BadInput as first:
        return JudgedRules((first, *first.also), (), None, variant, fitting)
    return JudgedRules((), ignored_rules(table, ignored), table, table, fitting)


def with_house_rules(variant: Variant, house: Mapping[str, object]) -> tuple[Variant, tuple[str, ...]]:
    """Return the variant as this table plays it, and the keys of house rules that have no use in it, sorted.

    Raises BadInput for values that are unknown, out of range or clash; the first error has the others in `also`.
    """
    if not house:
        return variant, ()
    chosen, faults = _check_values(house)
    table = with_values(variant, chosen)
    faults += _clashes(table, chosen.keys())
    if faults:
        faults[0].also = tuple(faults[1:])
        raise faults[0]
    useless = sorted(key for key in chosen if key in variant.unused or _useless(table, key))
    used: dict[str, Any] = {key: value for key, value in chosen.items() if has_use(table, key)}
    if len({*used.get("dealt", ())}) == 1:
        used["dealt"] = used["dealt"][:1]  # deals of 13, 13 are one deal of 13
    return table if used == chosen else with_values(variant, used), tuple(useless)


def house_keys(variant: Variant) -> tuple[str, ...]:
    """Return the keys of the values that the table changed, in the order of `values.toml`."""
    return tuple(key for key in meanings() if key in variant.house)


def ignored_rules(variant: Variant, ignored: Iterable[str]) -> tuple[Fault, ...]:
    """Return a warning for each house rule that has no use in a variant, with the reason."""
    whys = ((key, next((each.why for each in _useless(variant, key)), "")) for key in ignored)
    return tuple(
        Fault("house-rule-ignored", facts={"key": meanings()[key].label, "value": key, "why": why}) for key, why in whys
    )


def _useless(variant: Variant, key: str) -> list[Useless]:
    return [each for each in USELESS if key in each.keys and holds(each.when, variant)]


def _check_values(house: Mapping[str, object]) -> tuple[dict[str, Value], list[BadInput]]:
    """Return the values within their ranges, and an error for each of the others."""
    chosen, faults = {}, []
    for key, value in house.items():
        try:
            if key not in meanings():
                raise _house_rule_error("“{word}” is not a house rule.", [key], key)
            chosen[key] = meanings()[key].check(value)
        except BadInput as fault:
            faults.append(fault)
    return chosen, faults


def _clashes(table: Variant, chosen: Collection[str]) -> list[BadInput]:
    """Return the clashes that involve a value chosen by the table; a variant's own clashes are its document's."""
    keys = {*chosen, *table.house}
    clashes = ((clash, clash.find(table)) for clash in CLASHES if not keys.isdisjoint(clash.keys))
    return [
        _house_rule_error(
            clash.sentence, clash.keys, **{**table.values, **(facts if isinstance(facts, Mapping) else {})}
        )
        for clash, facts in clashes
        if facts
    ]


def with_values(variant: Variant, chosen: Mapping[str, Value]) -> Variant:
    """Return the variant with the chosen values and those that follow from them."""
    values_chosen = {key: value for key, value in chosen.items() if key != "game_hands" or value is not None}
    values = _consequences(variant, values_chosen) | values_chosen
    changed = {key: value for key, value in values.items() if value != getattr(variant, key)}
    base = variant.base_variant if variant.house else variant
    return replace(variant, house=frozenset(changed), base=base, **changed) if changed else variant  # type: ignore[arg-type]


def as_house_rules(table: Variant) -> tuple[Variant, dict[str, Value]]:
    """Return today's variant with this id, and the fewest house rules that turn it into what the table plays.

    A value that follows from others is included only if it differs from what follows. In place of a server's own
    variant, today's is the variant of the package with the fewest differing values.
    """
    base = packaged().get(table.id) or min(all_variants(), key=lambda each: len(differing_values(table, each)))
    values = {key: value for key, value in table.values.items() if meanings()[key].house}
    chosen = {k: value for k, value in values.items() if value != getattr(base, k) and not meanings()[k].follows}
    while missing := _differing(values, with_values(base, chosen)) - chosen.keys():
        chosen |= {key: values[key] for key in missing}
    return base, {key: value for key, value in values.items() if key in chosen}


def _differing(values: Mapping[str, Value], variant: Variant) -> set[str]:
    return {key for key, value in values.items() if value != getattr(variant, key)}


def differing_values(a: Variant, b: Variant) -> list[str]:
    """Return the keys of the values in which two variants differ."""
    return [key for key in meanings() if getattr(a, key) != getattr(b, key)]


def _consequences(variant: Variant, chosen: Mapping[str, Value]) -> dict[str, Value]:
    """Return the values that follow from the chosen ones: for jokers in sets, the number of hands, and the deal."""
    following: dict[str, Value] = {}
    if chosen.get("joker_from_set", variant.joker_from_set) != variant.joker_from_set:
        following |= _JOKER_RULES[str(chosen["joker_from_set"])]
    if chosen.get("contracts"):
        following["game_hands"] = len(chosen["contracts"])  # type: ignore[arg-type]
    return following | _deal_for_contracts(variant, chosen)


def _deal_for_contracts(variant: Variant, chosen: Mapping[str, Value]) -> dict[str, Value]:
    """Return the deal that the contracts need, if a table changes the contracts or the length of their runs."""
    contracts: Any = chosen.get("contracts", () if variant.dealt_by == "players" else variant.contracts)
    if not contracts or chosen.get("dealt_by") == "players" or chosen.keys().isdisjoint(("contracts", "run_least")):
        return {}
    deals: Any = chosen.get("dealt")
    if deals is not None:
        return {"dealt_by": "contract"} if len(deals) == len(contracts) > 1 else {}
    least: Any = chosen.get("run_least", variant.run_least)
    return {"dealt": tuple(SET_LEAST * sets + least * runs for sets, runs in contracts), "dealt_by": "contract"}


def has_use(variant: Variant, key: str) -> bool:
    """Return whether a value has any meaning in a variant: opening points have none if there are contracts."""
    return key not in variant.unused and not any(why.drop for why in _useless(variant, key))


def house_range(variant: Variant, key: str) -> Mapping[str, Any] | None:
    """Return the range of house rules for one value in this variant, None if it is fixed."""
    house = meanings()[key].house
    by_contract = key == "game_hands" and variant.contracts
    return {**house, "most": len(variant.contracts)} if house and by_contract else house
