"""The best lay-down: worked out by hand, compared with brute force, and always legal for the referee."""

import random
from collections import Counter
from itertools import product
from pathlib import Path
from tomllib import loads

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from app.kalooki.cards import JOKER, RANKS, SUITS, BadInput, Card, parse, write
from app.kalooki.claims import check
from app.kalooki.points import points_left
from app.kalooki.referee.melds import RANK_AT, face, pack_faults, points, readings
from app.kalooki.referee.turn import Step, check_turn, replay
from app.kalooki.solver.solve import GOALS, Problem, solve
from app.kalooki.variants import all_variants, load, with_house_rules
from tests.examples import times
from tests.kalooki.brute_force import TooMany, Turns, claim, least_by_mask, partitions
from tests.kalooki.rows import rows

LAYDOWNS = loads(Path(__file__).with_name("laydowns.toml").read_text("utf-8"))["laydown"]
PACK = [Card(rank, suit) for rank in RANKS for suit in SUITS] * 2
HOUSES = (
    {},
    {"ace": "both"},
    {"ace": "high"},
    {"sets_of_one_rank": "one"},
    {"last_discard": False},
    {"last_discard": True},
    {"opening_points": 10},
    {"opening_points": 20},
    {"build_same_turn": False},
    {"joker_from_set": "one"},
    {"joker_from_set": "both"},
    {"joker_from_set": "never"},
    {"melds_a_turn": 1},
    {"melds_a_turn": 1, "opening_points": 0},
    {"melds_a_turn": 2, "opening_points": 0},
    {"joker_points": 15},
    {"joker_points": 0, "opening_points": 20},
    {"joker_from_run": "never"},
    {"packs": 4, "jokers": 16},
    {"set_naturals": 3},
    {"set_naturals": 4, "set_suits": "free"},
    {"run_naturals": 4},
)


# worked out by hand

ASKED = {"opened", "hand_number"}


@pytest.mark.parametrize("row", LAYDOWNS, ids=lambda row: f"{row['variant']} {row['goal']} {row['cards']}")
def test_the_best_lay_down_is_the_one_worked_out_by_hand(row):
    rules, _ = with_house_rules(load(row["variant"]), row.get("house", {}))
    known = {key: row[key] for key in ASKED & row.keys()} | {"wanted": next(iter(parse(row.get("wanted", ""))), None)}
    table = tuple(map(parse, row.get("table", ())))
    found = solve(Problem(parse(row["cards"]), row["goal"], table, **known), rules)
    told = {
        **{key: getattr(found, key) for key in ("possible", "points_left", "released")},
        "left": write(found.left),
        "melds": sorted(map(str, found.melds)),
        "builds": [[build.on, write(build.cards), *filter(None, [build.end])] for build in found.builds],
        "releases": [[each.on, write(each.give)] for each in found.releases],
        "laid": sum(points(meld, rules) for meld in found.melds),
        "cards_left": len(found.left),
        "melds_laid": len(found.melds),
    }
    expected = {key: row[key] for key in told.keys() & row.keys()}
    assert {key: told[key] for key in expected} == expected
    assert (str(found.discard) if found.discard else "") in row.get("thrown", [str(found.discard or "")])


def test_a_hand_without_a_contract_is_refused():
    with pytest.raises(BadInput):
        solve(Problem(parse("3H"), "open", hand_number=10), load("jamaican"))


def test_a_freed_joker_is_built_on_a_meld_of_the_opening():
    """The kings and queens make 60; the seven frees the joker, which is built on one of them or on the run again."""
    asked = Problem(parse("KH KS KD QH QS QD 7H 2D"), "go_out", (parse("*=7H 8H 9H"),))
    found = solve(asked, load("european"))
    assert (found.possible, found.released, found.discard) == (True, 1, Card("2", "D"))
    assert check_turn(claim(asked, found.steps), load("european")).ok


def test_a_search_that_reaches_its_limit_is_undecided():
    asked = Problem(parse("7H 8H 9H 7S 8S 9S 7D 8D 9D * *"), "least_points")
    assert solve(asked, load("european"), most_steps=1).possible is None
    one_meld, _ = with_house_rules(load("classic"), {"melds_a_turn": 1})
    assert {solve(asked, one_meld, most_steps=steps).possible for steps in (1, 20, 60)} == {None}
    assert solve(Problem(parse("KH KS 9D 8D * *"), "least_points"), load("european"), most_steps=1).possible is None
    for goal, table in product(("open", "least_points"), ((), (parse("* 8C 9C"),))):
        found = solve(asked._replace(goal=goal, table=table, opened=goal != "open"), load("european"), most_steps=3)
        assert (found.possible, found.melds, len(found.left)) == (None, (), 11)


# as a claim


def asked_for(variant, cards, goal, **claim):
    return check("solve", {"cards": cards, "goal": goal} | claim, load(variant))


def rules_broken(verdict):
    return [fault.rule for fault in verdict.faults]


def test_impossible_cards_and_tables_are_faults():
    assert rules_broken(asked_for("european", "7H 7H 7H", "least_points")) == ["more-than-the-pack"]
    table = asked_for("european", "7H", "least_points", table=["4H 5H 6H", "4S 9S"])
    assert {fault.facts["on"] for fault in table.faults} == {1}
    assert table.laydown.possible is False


def test_the_rules_are_those_of_the_goal():
    assert asked_for("european", "7H", "most_points").rules == ("set-or-run", "more-than-the-pack")
    opening = asked_for("european", "7H", "open", table=["4H 5H 6H"]).rules
    assert {"opening-points", "freed-joker", "last-discard"} <= set(opening)
    assert {"contract", "kalooki"} <= set(asked_for("jamaican", "7H", "kalooki").rules)
    assert "opening-points" not in asked_for("european", "7H", "go_out", opened=True).rules


@pytest.mark.parametrize(
    ("claim", "said"),
    rows("solver", "every_goal_warns_if_all_cards_could_be_laid_but_one_must_be_thrown"),
)
def test_every_goal_warns_if_all_cards_could_be_laid_but_one_must_be_thrown(claim, said):
    """30 + 12 = 42 open and 6 + 12 = 18 do not."""
    verdict = asked_for("european", **claim)
    assert [fault.facts for fault in verdict.warnings] == [{"case": "all-laid"}] * said


def test_without_a_required_discard_there_is_no_such_warning():
    assert not asked_for("jamaican", "KS KH KD 3H 4H 5H 6H", "least_points").warnings


@pytest.mark.parametrize(
    ("variant", "claim", "points"),
    rows("solver", "where_only_the_opening_falls_short_a_warning_says_by_how_much"),
)
def test_where_only_the_opening_falls_short_a_warning_says_by_how_much(variant, claim, points):
    warnings = asked_for(variant, **claim).warnings
    assert [(fault.rule, fault.facts) for fault in warnings] == [
        ("opening-points", {"case": "short", "points": points})
    ]


def test_where_only_the_contract_is_missing_a_warning_says_so():
    """Hand 2 is two threes and one four."""
    warnings = asked_for("jamaican", "3H 3S 3D 9C 9C 9H 5S 5D 5C KD", "go_out", hand_number=2).warnings
    assert [(fault.rule, fault.facts["sets"], fault.facts["runs"]) for fault in warnings] == [("contract", 2, 1)]


@pytest.mark.parametrize(
    ("variant", "claim"),
    rows("solver", "nothing_is_said_of_the_opening_where_it_is_not_all_that_is_missing"),
)
def test_nothing_is_said_of_the_opening_where_it_is_not_all_that_is_missing(variant, claim):
    assert not asked_for(variant, **claim).warnings


@pytest.mark.parametrize(
    ("variant", "cards", "held"),
    rows("solver", "going_out_after_few_cards_needs_the_warning_of_the_turn_before"),
)
def test_going_out_after_few_cards_needs_the_warning_of_the_turn_before(variant, cards, held):
    for goal in ("go_out", "least_after_throw"):
        warnings = asked_for(variant, cards, goal, opened=True).warnings
        assert [fault.facts.get("held") for fault in warnings] == ([held] if held else [])


def test_a_card_taken_must_be_laid_if_the_rules_say_so():
    held = "10H 10S 10D 10C 2D KC KD KH KS"
    assert asked_for("european", held, "open", taken="2D").laydown.possible is False
    assert asked_for("kalooki-51", held, "open", taken="2D").laydown.possible is True
    never = asked_for("jamaican", held, "go_out", taken="2D", opened=True)
    assert rules_broken(never) == ["discard-after-opening"]


@pytest.mark.parametrize(
    ("claim", "field"),
    [
        ({"cards": "7H 8H 9H 10H JH " * 5, "goal": "open"}, "cards"),
        ({"cards": "7H", "goal": "open", "table": ["7H 8H 9H"] * 13}, "table"),
        ({"cards": "7H", "goal": "open", "taken": "8H"}, "taken"),
        ({"cards": "7H", "goal": "win"}, "goal"),
    ],
)
def test_more_cards_than_can_be_searched_are_refused(claim, field):
    with pytest.raises(BadInput) as raised:
        check("solve", claim, load("european"))
    assert raised.value.field == field


# against every way there is


def some_rules(chance):
    return with_house_rules(chance.choice(list(all_variants())), chance.choice(HOUSES))[0]


def some_hand(chance, size, jokers):
    """Return cards of the whole pack, of one suit, of a few neighbouring ranks, or both copies of a few cards."""
    first = chance.randrange(len(RANKS))
    near = {RANKS[(first + step) % len(RANKS)] for step in range(3)}
    close = [card for card in PACK if card.rank in near]
    pools = PACK, [card for card in PACK if card.suit == "H"], close, twins(chance, near)
    return tuple(chance.sample(chance.choice(pools), size - jokers)) + (JOKER,) * jokers


def twins(chance, ranks):
    """Return both copies of five cards of some ranks, which make the same meld twice and little else."""
    return chance.sample([card for card in PACK[:52] if card.rank in ranks], 5) * 2


def after_discard(left, variant):
    """Yield the cards that a turn can leave in the hand after a discard, or without one if none is needed."""
    if not left.total() and not variant.last_discard:
        yield ()
    for card in left:
        if variant.joker_discard or not card.is_joker:
            yield tuple((left - Counter([card])).elements())


def opens(melds, variant, hand_number, exempt=False):
    contract = variant.contract(hand_number)
    if contract:
        kinds = Counter(meld.kind for meld in melds)
        return bool(melds) and kinds["set"] >= contract[0] and kinds["run"] >= contract[1]
    return bool(melds) and (exempt or sum(points(meld, variant) for meld in melds) >= variant.opening_points)


@pytest.mark.parametrize("seed", range(180))
def test_no_arrangement_of_a_small_hand_is_better(seed):
    chance = random.Random(seed)
    variant = some_rules(chance)
    size = chance.randint(1, 9)
    held = some_hand(chance, size, min(chance.choice((0, 0, 1, 1, 2, 3, 4)), size - 1))
    number = chance.randint(1, 9) if variant.contracts else 1
    ways = list(partitions(held, variant))
    limit = None if variant.opening_points or variant.contracts else variant.melds_a_turn
    few = [
        (melds, left)
        for melds, left in ways
        if limit is None or len(melds) <= limit or (melds and () in after_discard(left, variant))
    ]

    def found(goal):
        return solve(Problem(held, goal, hand_number=number), variant)

    assert found("least_points").points_left == min(points_left(left.elements(), variant) for _, left in few)
    dearest = max(sum(points(meld, variant) for meld in melds) for melds, _ in few)
    assert sum(points(meld, variant) for meld in found("most_points").melds) == dearest
    openings = [rest for melds, left in few if opens(melds, variant, number) for rest in after_discard(left, variant)]
    least = min((points_left(rest, variant) for rest in openings), default=None)
    after_throw = found("least_after_throw")
    if found("go_out").possible:
        assert after_throw.points_left == 0
    elif openings:
        assert after_throw.points_left == least
    else:
        throws = [points_left(rest, variant) for rest in after_discard(Counter(held), variant)]
        assert after_throw.points_left == min(throws, default=points_left(held, variant))
    assert (found("open").points_left if found("open").possible else None) == least
    below = variant.kalooki_below_opening
    out = [melds for melds, left in ways if () in after_discard(left, variant)]
    assert found("kalooki").possible == any(opens(melds, variant, number, below) for melds in out)
    lone = size == 1 and () in out
    assert found("go_out").possible == (lone or any(opens(melds, variant, number, below) for melds in out))


HARD = (
    "10S JD QS KC KH 10D QS JH 10H 10C KH JD QH * * *",
    "5S 7C 6C 4D 4C 7S 6S 5H 7H 3C 4S 4S 3C 6D 5C *",
    "7S 8S 9S 7H 8H 9H 7D 8D 9D 7C 8C 9C 7S 8H 9D",
    "AS KS QS AH KH QH AD KD QD AC KC QC 2S 2H * *",
)


@pytest.mark.parametrize(("name", "seed"), [(name, seed) for name in ("european", "kalooki-51") for seed in range(6)])
def test_no_arrangement_of_a_full_hand_leaves_less(name, seed):
    chance = random.Random(seed)
    held = parse(HARD[seed]) if seed < len(HARD) else tuple(chance.sample(PACK, 16 - seed + 2)) + (JOKER,) * (seed - 2)
    assert solve(Problem(held, "least_points"), load(name)).points_left == least_by_mask(held, load(name))


def some_meld(chance, variant):
    """Return a legal meld with up to two jokers, which are often declared."""
    while True:
        low, size, suit = chance.randint(2, 11), chance.choice((3, 4, 5)), chance.choice(SUITS)
        cards = [Card(RANK_AT[place], suit) for place in range(low, min(low + size, 15))]
        if chance.random() < 0.5:
            cards = [Card(RANK_AT[low], suit) for suit in chance.sample(SUITS, chance.choice((3, 4)))]
        for at in chance.sample(range(len(cards)), chance.choice((0, 1, 1, 2))):
            cards[at] = JOKER
        read = readings(cards, variant)
        if read:
            return chance.choice(read).cards if chance.random() < 0.3 else tuple(cards)


def goes_on(card, meld, variant):
    """Return whether a card is related to a meld on the table."""
    return any(
        card.rank == next(face(each).rank for each in read.cards if each != JOKER)
        if read.kind == "set"
        else card.suit == face(read.cards[0]).suit
        for read in readings(meld, variant)
    )


def some_turn(chance, variant):
    """Return a hand of up to five cards, most of which are related to the melds on the table."""
    table = tuple(some_meld(chance, variant) for _ in range(chance.choice((1, 1, 2))))
    near = [card for card in PACK if any(goes_on(card, meld, variant) for meld in table)]
    size = chance.randint(1, 5)
    jokers = min(chance.choice((0, 0, 1, 2)), size - 1)
    held = tuple(chance.choice(near * 2 + PACK) for _ in range(size - jokers)) + (JOKER,) * jokers
    return Problem(held, "go_out", table, chance.random() < 0.4, chance.randint(1, 9) if variant.contracts else 1)


FREED_FIRST = [
    ("european", {"opening_points": 20}, Problem(parse("7H 7S 7D 6C 9H"), "open", (parse("5C * 7C"),))),
    ("european", {"opening_points": 20}, Problem(parse("7H 8H 9H JH 6C"), "open", (parse("5C * 7C"),))),
    ("north-american", {"opening_points": 20}, Problem(parse("5H 6H 7H 8C 6C 2D"), "open", (parse("5C * 7C"),))),
    ("north-american", {"opening_points": 30}, Problem(parse("5H 6H 7H 8D 8C"), "go_out", (parse("8S 8H *"),))),
    ("north-american", {"opening_points": 20}, Problem(parse("5H 6H 7H 6C 9C KS"), "open", (parse("5C * 7C 8C"),))),
    ("kalooki-51", {"opening_points": 18}, Problem(parse("5H 6H 7H 9H 6C KS"), "go_out", (parse("5C * 7C"),))),
    ("european", {"opening_points": 9}, Problem(parse("2H 3H 4H * 9C"), "go_out", (parse("7H 8H *"),))),
    ("jamaican", {}, Problem(parse("6C 9C 3D"), "go_out", (parse("5C * 7C 8C"),), opened=True)),
]


@pytest.mark.parametrize("seed", range(-len(FREED_FIRST), 90))
def test_no_turn_is_better(seed):
    chance = random.Random(seed)
    if seed < 0:
        name, house, asked = FREED_FIRST[seed]
        variant = with_house_rules(load(name), house)[0]
    else:
        variant = some_rules(chance)
        asked = some_turn(chance, variant)
    if pack_faults([*asked.cards, *(card for meld in asked.table for card in meld)], variant):
        return
    try:
        turns = Turns(asked, variant, most=4000)
    except TooMany:
        return
    out = solve(asked._replace(goal="go_out"), variant)
    assert out.possible == any(not left for left, _, _ in turns.ends)
    at_once = solve(asked._replace(goal="kalooki"), variant)
    assert at_once.possible == any(ending == variant.kalooki_ending for _, ending, _ in turns.ends)
    least = min((points_left(left, variant) for left, _, _ in turns.ends), default=points_left(asked.cards, variant))
    assert solve(asked._replace(goal="least_after_throw"), variant).points_left == least
    if asked.opened:
        least = min(points_left(held, variant) for held in turns.held)
        assert solve(asked._replace(goal="least_points"), variant).points_left == least
    else:
        opened = solve(asked._replace(goal="open"), variant)
        ends = [left for left, _, steps in turns.ends if has_opened(asked, steps, variant)]
        least = min((points_left(left, variant) for left in ends), default=None)
        assert (opened.points_left if opened.possible else None) == least


def has_opened(asked, steps, variant):
    turn = replay(claim(asked, steps), variant)
    return bool(turn.new_melds()) and turn.has_opened()


# always legal


@settings(max_examples=times(150))
@given(st.integers(0, 10**9), st.sampled_from(GOALS))
def test_every_lay_down_is_legal(seed, goal):
    chance = random.Random(seed)
    variant = some_rules(chance)
    asked = some_turn(chance, variant)._replace(goal=goal)
    more = chance.sample(PACK, chance.randint(0, 10))
    asked = asked._replace(cards=(*more, *asked.cards))
    assume(not pack_faults([*asked.cards, *(card for meld in asked.table for card in meld)], variant))
    found = solve(asked, variant)
    if found.possible is not True:
        return
    thrown = [Step("discard", found.left)] if "points" in goal and len(found.left) == 1 else []  # may be a Kalooki
    verdict = check_turn(claim(asked, [*found.steps, *thrown]), variant)
    if goal in ("open", "go_out", "kalooki"):
        assert verdict.ok, verdict.faults
        assert Counter(verdict.hand) == Counter(found.left)
        assert verdict.hand == () or goal == "open"
    else:
        ignored = {"opening-points", "contract", "last-discard"}
        assert {fault.rule for fault in verdict.faults} <= ignored
    assert points_left(found.left, variant) == found.points_left
    laid = [card for meld in (*found.melds, *found.builds, *found.releases) for card in cards_of(meld)]
    freed = [JOKER] * found.released
    kept = [*found.left, *([found.discard] if found.discard else [])]
    assert Counter([*asked.cards, *freed]) == Counter([*laid, *kept])


def cards_of(part):
    cards = part.give if hasattr(part, "give") else part.cards
    return [JOKER if card.is_joker else card for card in cards]
