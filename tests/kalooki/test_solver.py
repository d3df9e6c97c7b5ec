"""The best lay-down: worked out by hand, compared with brute force, and always legal for the referee."""

import random
from collections import Counter
from itertools import product

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from app.kalooki.cards import JOKER, RANKS, SUITS, BadInput, Card, parse, parse_left, write
from app.kalooki.claims import check
from app.kalooki.points import points_left
from app.kalooki.referee.melds import RANK_AT, face, pack_faults, points, readings
from app.kalooki.referee.turn import Step, check_turn, replay
from app.kalooki.solver.solve import GOALS, Problem, solve
from app.kalooki.variants import all_variants, load, with_house_rules
from tests.examples import times
from tests.kalooki.brute_force import TooMany, Turns, claim, least_by_mask, partitions

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


def best(variant, goal, cards, *table, house=None, **known):
    rules, _ = with_house_rules(load(variant), house or {})
    return solve(Problem(parse(cards), goal, tuple(map(parse, table)), **known), rules)


def summary(laydown):
    """Return the melds, the builds and the cards left in table notation."""
    return (
        sorted(map(str, laydown.melds)),
        [(build.on, write(build.cards), build.end) for build in laydown.builds],
        write(laydown.left),
    )


# worked out by hand


def test_least_points_leaves_the_queen_that_fits_nowhere():
    found = best("european", "least_points", "QH 7H 8H 9H 7S 7D *")
    assert (found.points_left, write(found.left), found.discard) == (10, "QH", None)


@pytest.mark.parametrize(
    ("variant", "cards", "opened", "left", "thrown"),
    [
        # 8 + 9 + 10 and 30 open; the fours with the joker, or 4C * 6C, take the rest
        ("south-african", "7H 8H 9H 10H KS QS JS 4D 4C *", False, 0, {"7H", "10H"}),
        ("south-african", "7H 8H 9H 10H KS QS JS 4D 4C * 6C", False, 0, {"4D"}),
        # all six can be laid, but one has to be thrown: the kings lie, 3 + 4 stay
        ("european", "KS KH KD 3H 4H 5H", True, 7, {"5H"}),
        # 42 would open, 30 do not: a king goes, and 32 stay
        ("european", "KS KH KD 3H 4H 5H", False, 32, {"KS", "KH", "KD"}),
        # 18 never open, but are laid after an opening
        ("european", "2S 2H 2D 3H 4H 5H 9C", False, 18, {"9C"}),
        ("european", "2S 2H 2D 3H 4H 5H 9C", True, 0, {"9C"}),
        ("european", "QH 7H 8H 9H 7S 7D *", False, 0, {"QH"}),
        ("european", "7H 8H 9H QC 4S", True, 4, {"QC"}),
        # a joker left counts 15, a king 10
        ("european", "* KS", True, 10, {"*"}),
        # in Jamaica all may be laid, a run has four cards, and no joker is thrown
        ("jamaican", "KS KH KD 3H 4H 5H 6H", True, 0, {""}),
        ("jamaican", "5H 6H 7H", True, 11, {"7H"}),
        ("jamaican", "* *", True, 100, {""}),
    ],
)
def test_the_least_after_the_throw_is_that_of_a_turn(variant, cards, opened, left, thrown):
    found = best(variant, "least_after_throw", cards, opened=opened)
    assert (found.possible, found.points_left) == (True, left)
    assert (str(found.discard) if found.discard else "") in thrown


def test_after_a_discard_taken_only_a_turn_that_lays_it_counts():
    house = {"discard_after_opening": "meld"}
    known = {"opened": True, "wanted": Card("2", "D"), "house": house}
    assert best("european", "least_after_throw", "7H 8H 9H 2D KS", **known).possible is False
    assert best("european", "least_after_throw", "2S 2H 2D KS 3C", **known).points_left == 3
    assert best("european", "least_after_throw", "7H 8H 9H 2D KS", wanted=Card("2", "D")).possible is False


@pytest.mark.parametrize(
    ("goal", "cards", "left", "laid"),
    [
        # 7 + 8 + 9 and three fives, the two thrown: all at once, so two melds are allowed
        ("least_points", "7H 8H 9H 5S 5D 5C 2C", "2C", 24 + 15),
        ("most_points", "7H 8H 9H 5S 5D 5C 2C", "2C", 24 + 15),
        ("open", "7H 8H 9H 5S 5D 5C 2C", "", 24 + 15),
        ("least_after_throw", "7H 8H 9H 5S 5D 5C 2C", "", 24 + 15),
        ("go_out", "7H 8H 9H 5S 5D 5C 2C", "", 24 + 15),
        # a three more, and it is no Kalooki: one meld
        ("least_points", "7H 8H 9H 5S 5D 5C 2C 3D", "2C 3D 5S 5D 5C", 24),
        ("most_points", "7H 8H 9H 5S 5D 5C 2C 3D", "2C 3D 5S 5D 5C", 24),
        ("open", "7H 8H 9H 5S 5D 5C 2C 3D", "2C 3D 5 5", 24),
        # without a card to throw it is none either
        ("least_points", "7H 8H 9H 5S 5D 5C", "5S 5D 5C", 24),
        # with most points, the four sevens and the run to the king lie, and the two is thrown
        ("most_points", "7H 7S 7D 7C 10S JS QS KS 2C", "2C", 28 + 40),
    ],
)
def test_where_one_meld_a_turn_is_allowed_a_kalooki_is_free_of_it(goal, cards, left, laid):
    found = best("classic", goal, cards, house={"melds_a_turn": 1})
    rules = load("classic")
    assert found.points_left == points_left(parse_left(left), rules)
    assert len(found.left) == len(left.split())
    assert sum(points(meld, rules) for meld in found.melds) == laid


def test_a_player_who_has_opened_is_held_to_one_meld_a_turn():
    held = "7H 8H 9H 5S 5D 5C 2C"
    assert best("classic", "least_points", held, opened=True, house={"melds_a_turn": 1}).points_left == 15 + 2


def test_a_natural_goes_where_it_saves_most_even_if_a_joker_could_go_there():
    """9C 10C JC and the sevens with the joker leave nothing; 7C in the run would leave two sevens."""
    found = best("european", "least_points", "7C 8C 9C 10C JC 7H 7S")
    assert summary(found) == (["7S 7H 7C", "8C 9C 10C JC"], [], "")


@pytest.mark.parametrize(
    ("cards", "melds"),
    [("4S 4H 4C 4S 4H 4C KS 8D", ["4S 4H 4C", "4S 4H 4C"]), ("7H 8H 9H 7H 8H 9H KS 8D", ["7H 8H 9H", "7H 8H 9H"])],
)
def test_the_same_meld_is_laid_twice_if_both_copies_are_held(cards, melds):
    found = best("european", "least_points", cards)
    assert (summary(found)[0], found.points_left) == (melds, 10 + 8)


def test_the_same_set_is_laid_once_if_only_one_of_a_rank_is_allowed():
    found = best("european", "least_points", "4S 4H 4C 4S 4H 4C KS 8D", house={"sets_of_one_rank": "one"})
    assert found.points_left == 4 + 4 + 4 + 10 + 8


def test_spare_jokers_go_to_the_ends_of_runs():
    assert best("european", "least_points", "5H * *").points_left == 0
    assert best("south-african", "least_points", "5H 6H 7H * * * *").left == ()


def test_jamaican_jokers_are_never_side_by_side():
    """Two fives need naturals beside every joker: 5H 6H with two jokers is * 5H 6H *; a third has no place."""
    assert summary(best("jamaican", "least_points", "5H 6H * * *")) == (["*=4H 5H 6H *=7H"], [], "*")


def test_going_out_keeps_a_card_to_throw():
    assert best("european", "go_out", "7H 8H 9H", opened=True).possible is False
    found = best("european", "go_out", "7H 8H 9H KS", opened=True)
    assert (found.possible, found.discard, found.left) == (True, Card("K", "S"), ())


def test_two_cards_left_over_prevent_going_out():
    """Nine cards can be laid as three runs or as three sets; either way the 2 and the 3 are left."""
    nine = "7S 8S 9S 7H 8H 9H 7D 8D 9D"
    assert best("european", "go_out", f"{nine} 2C 3D", opened=True).possible is False
    assert best("european", "go_out", f"{nine} 2C", opened=True).discard == Card("2", "C")


def test_a_joker_can_be_thrown():
    assert best("european", "go_out", "*", opened=True).discard == JOKER
    assert best("jamaican", "go_out", "*", opened=True).possible is False


def test_nothing_is_thrown_if_the_last_card_may_be_laid():
    assert best("jamaican", "go_out", "7H 7S 7D 7C *", opened=True).discard is None


def test_an_opening_needs_its_points():
    assert best("european", "open", "10H 10S 10D 5C").possible is False
    found = best("european", "open", "10H 10S 10D 10C 5C")
    assert (found.possible, found.discard, found.points_left) == (True, Card("5", "C"), 0)


def test_the_opening_that_leaves_least_throws_the_dearest_card():
    found = best("european", "open", "KH KS KD 4C 5C 6C QH 2D")
    assert (summary(found), found.discard, found.points_left) == (
        (["4C 5C 6C", "KS KH KD"], [], "2D"),
        Card("Q", "H"),
        2,
    )


def test_a_contract_needs_its_sets_and_runs():
    """Hand 2 is two threes and one four; the sevens are left over and the king is thrown."""
    held = "3H 3S 3D 9C 9C 9H 5S 6S 7S 8S 7D KD"
    assert summary(best("jamaican", "open", held, hand_number=2)) == (["3S 3H 3D", "5S 6S 7S 8S", "9H 9C 9C"], [], "7D")
    assert best("jamaican", "open", held, hand_number=3).possible is False


def test_a_hand_without_a_contract_is_refused():
    with pytest.raises(BadInput):
        best("jamaican", "open", "3H", hand_number=10)


def test_kalooki_lays_everything_at_once():
    assert best("european", "kalooki", "10H 10S 10D KH KS KD 2C").possible is True
    assert best("european", "kalooki", "10H 10S 10D KH KS KD 2C", opened=True).possible is False


def test_kalooki_51_goes_out_at_once_below_the_minimum():
    assert best("kalooki-51", "kalooki", "2H 3H 4H 9C").possible is True
    assert best("kalooki-51", "go_out", "2H 3H 4H 9C").possible is True
    assert best("kalooki-51", "open", "2H 3H 4H 9C").possible is False
    assert best("kalooki-40", "kalooki", "2H 3H 4H 9C").possible is False


def test_bending_the_table_may_build():
    assert best("jamaican", "kalooki", "3H 3S 3D 5H 5S 5D 9H 9S 9D 2C", "2H 2S 2D").possible is True
    assert best("european", "kalooki", "KH KS KD KC 2C 4H", "2H 2S 2D").possible is False


def test_the_most_points_are_the_dearest_melds():
    """The sevens are 21, the run with the seven of hearts 24 and with the joker 7-10: 34."""
    found = best("european", "most_points", "7H 8H 9H 7S 7D *")
    assert sum(points(meld, load("european")) for meld in found.melds) == 24 + 28 - 7 + 10 - 7


def test_nothing_is_built_before_the_opening():
    assert best("european", "least_points", "7H", "4H 5H 6H").points_left == 7
    assert best("european", "least_points", "7H", "4H 5H 6H", opened=True).points_left == 0


def test_two_cards_are_built_on_one_end_in_a_turn():
    assert summary(best("european", "least_points", "7H 8H 9H 2D", "4H 5H 6H", opened=True)) == (["7H 8H 9H"], [], "2D")
    assert summary(best("european", "least_points", "7H 8H 2D", "4H 5H 6H", opened=True))[1] == [(0, "7H 8H", "high")]


def test_a_joker_is_freed_with_its_natural_and_laid_at_once():
    found = best("european", "go_out", "5H 9S 9D KC", "4H * 6H", opened=True)
    assert (found.possible, found.released, [(each.on, write(each.give)) for each in found.releases]) == (
        True,
        1,
        [(0, "5H")],
    )
    assert summary(found) == (["9S 9D *"], [], "")


def test_a_freed_joker_is_not_part_of_the_opening():
    """The tens and the fives are 45 without the joker of the table, which then makes a meld of the sixes."""
    held = "10H 10S 10D 5C 5S 5D 6C 6S 7H KD"
    found = best("european", "open", held, "* 8H 9H")
    assert (found.released, summary(found)[0], write(found.left)) == (1, ["10S 10H 10D", "5S 5D 5C", "6S 6C *"], "")
    short = held.replace("10D", "2D")
    assert best("european", "open", short, "* 8H 9H").possible is False


def test_a_freed_joker_is_built_on_a_meld_of_the_opening():
    """The kings and queens make 60; the seven frees the joker, which is built on one of them or on the run again."""
    asked = Problem(parse("KH KS KD QH QS QD 7H 2D"), "go_out", (parse("*=7H 8H 9H"),))
    found = solve(asked, load("european"))
    assert (found.possible, found.released, found.discard) == (True, 1, Card("2", "D"))
    assert check_turn(claim(asked, found.steps), load("european")).ok


def test_a_freed_joker_never_stays_in_the_hand():
    """Both missing fives would free it, but there is no place for it, so one five is built instead."""
    found = best("european", "least_points", "5H 5D", "5S 5C *", opened=True)
    assert (found.released, found.points_left) == (0, 5)


def test_every_joker_on_the_table_is_freed_if_that_leaves_least():
    """Each natural frees a joker; with the one held there are four, two for a meld with the deuce and two to build."""
    table = "4H *=5H 6H", "8S *=9S 10S", "6D *=7D 8D"
    found = best("european", "least_points", "5H 9S 7D 2C *", *table, opened=True)
    assert (found.released, found.points_left, len(found.melds)) == (3, 0, 1)


def test_builds_count_towards_a_north_american_opening():
    """Three aces are 45 there, the queen built on the clubs makes 55."""
    assert best("north-american", "open", "AH AS AD QC 2D", "9C 10C JC").possible is True
    assert best("north-american", "open", "AH AS AD QC 2D").possible is False
    assert (
        best("north-american", "open", "AH AS AD QC 2D", "9C 10C JC", house={"build_same_turn": False}).possible
        is False
    )


def test_a_jamaican_joker_moves_along_its_run():
    found = best("jamaican", "go_out", "6H KS", "5H * 7H 8H", opened=True)
    assert (found.possible, summary(found)[1], found.discard) == (True, [(0, "6H", None)], Card("K", "S"))


def test_the_card_taken_must_be_in_a_meld():
    held = "10H 10S 10D 10C 9C 9S 9H 2D"
    assert best("european", "open", held, wanted=Card("9", "C")).possible is True
    assert best("european", "open", held, wanted=Card("2", "D")).possible is False
    assert best("european", "go_out", "7H 8H 9H KS", opened=True, wanted=Card("K", "S")).possible is False
    assert best("european", "open", "10H 10S 10D * 2D", wanted=JOKER).possible is True


def test_the_last_card_may_be_thrown_without_an_opening():
    assert best("european", "go_out", "7H").discard == Card("7", "H")


def test_a_player_who_has_opened_does_not_open_again():
    assert best("european", "open", "10H 10S 10D 10C 5C", opened=True).possible is False


def test_a_search_that_reaches_its_limit_is_undecided():
    asked = Problem(parse("7H 8H 9H 7S 8S 9S 7D 8D 9D * *"), "least_points")
    assert solve(asked, load("european"), most_steps=1).possible is None
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
    [
        ({"cards": "KS KH KD 3H 4H 5H", "goal": "least_points"}, True),
        ({"cards": "KS KH KD 3H 4H 5H", "goal": "most_points"}, True),
        ({"cards": "KS KH KD 3H 4H 5H", "goal": "least_after_throw"}, True),
        ({"cards": "KS KH KD 3H 4H 5H", "goal": "least_after_throw", "opened": True}, True),
        ({"cards": "KS KH KD 3H 4H 5H 9C", "goal": "least_after_throw"}, False),
        ({"cards": "KS KH 3H 4H 5H 9C", "goal": "least_after_throw", "opened": True}, False),
        ({"cards": "KS KH KD 3H 4H 5H", "goal": "go_out"}, True),
        ({"cards": "KS KH KD 3H 4H 5H", "goal": "kalooki"}, True),
        ({"cards": "3H 4H 5H", "goal": "go_out", "opened": True, "table": ["KH KD KC"]}, True),
        ({"cards": "KS KH KD 3H 4H 5H", "goal": "open"}, False),
        ({"cards": "KS KH KD 3H 4H 5H 9C", "goal": "least_points"}, False),
        ({"cards": "KS KH KD 3H 4H 5H 9C", "goal": "go_out"}, False),
        ({"cards": "2S 2H 2D 3H 4H 5H", "goal": "least_points"}, False),
        ({"cards": "2S 2H 2D 3H 4H 5H", "goal": "go_out"}, False),
        ({"cards": "2S 2H 2D 3H 4H 5H", "goal": "go_out", "opened": True}, True),
        ({"cards": "", "goal": "least_points"}, False),
    ],
)
def test_every_goal_warns_if_all_cards_could_be_laid_but_one_must_be_thrown(claim, said):
    """30 + 12 = 42 open and 6 + 12 = 18 do not."""
    verdict = asked_for("european", **claim)
    assert [fault.facts for fault in verdict.warnings] == [{"case": "all-laid"}] * said


def test_without_a_required_discard_there_is_no_such_warning():
    assert not asked_for("jamaican", "KS KH KD 3H 4H 5H 6H", "least_points").warnings


@pytest.mark.parametrize(
    ("variant", "claim", "points"),
    [
        ("european", {"cards": "KS KH KD 3H", "goal": "go_out"}, 30),
        ("kalooki-40", {"cards": "KS KH KD 3H", "goal": "kalooki"}, 30),
        # the three is thrown; for 24 the joker is a ten
        ("european", {"cards": "7H 8H 9H 3S *", "goal": "go_out"}, 34),
        # a four is thrown: 21 and 12
        ("european", {"cards": "7S 7H 7D 4S 4H 4D 4C", "goal": "go_out"}, 33),
        # the queen built counts there: three threes and ten
        ("north-american", {"cards": "3H 3S 3D 2D QC", "goal": "go_out", "table": ["9C 10C JC"]}, 19),
        # here it does not
        ("european", {"cards": "3H 3S 3D 2D QC", "goal": "go_out", "table": ["9C 10C JC"]}, 9),
    ],
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
    [
        ("european", {"cards": "KS KH KD 3H 4H", "goal": "go_out"}),  # the four fits nowhere
        ("european", {"cards": "KS KH KD 3H 4H", "goal": "go_out", "opened": True}),
        ("european", {"cards": "KS KH KD 3H", "goal": "open"}),
        ("kalooki-51", {"cards": "KS KH KD 3H", "goal": "kalooki"}),  # needs no minimum there
    ],
)
def test_nothing_is_said_of_the_opening_where_it_is_not_all_that_is_missing(variant, claim):
    assert not asked_for(variant, **claim).warnings


@pytest.mark.parametrize(
    ("variant", "cards", "held"),
    [
        # after the draw: three held before it
        ("european", "KS KH KD 3H", 3),
        ("north-american", "3H 3S", None),  # only one goes
        ("european", "KS KH KD KC 3H", None),  # four were held
        ("kalooki-51", "KS KH KD 3H", None),  # no warning there
    ],
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
