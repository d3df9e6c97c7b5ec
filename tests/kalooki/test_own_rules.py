"""A table's own rules: what contradicts, what has no use, what one value brings along for others."""

import pytest

from app.kalooki.cards import BadInput, parse
from app.kalooki.claims import check
from app.kalooki.conditions import CLASHES, USELESS, parse_conditions
from app.kalooki.game.events import from_json
from app.kalooki.game.play import Entry, play
from app.kalooki.rules.rulebook import explain
from app.kalooki.rules.wording import differing
from app.kalooki.solver.solve import Problem, solve
from app.kalooki.variants import house_keys, judge_rules, load, meanings, with_house_rules
from tests.kalooki.rows import rows
from tests.kalooki.rule_talk import table
from tests.kalooki.table_talk import hand

NINE = [[3, 0], [2, 1], [1, 2], [0, 3], [4, 0], [3, 1], [2, 2], [1, 3], [0, 4]]

CONTRADICTORY = rows("own_rules", "contradictory")


@pytest.mark.parametrize(("variant", "house", "keys", "said"), CONTRADICTORY)
def test_contradicting_values_are_refused_and_both_named(variant, house, keys, said):
    judged = judge_rules(load(variant), house)

    told = [fault.say_alone() for fault in judged.faults if [*fault.keys] == keys]
    assert [said in sentence for sentence in told] == [True]
    assert told[0].count(". ") + told[0].count(": ") >= 1  # what is wrong, then a way out
    assert judged.variant is None
    with pytest.raises(BadInput):
        with_house_rules(load(variant), house)


def test_every_contradiction_has_a_case():
    assert {clash.keys for clash in CLASHES} == {tuple(keys) for _, _, keys, _ in CONTRADICTORY}


def test_all_errors_are_reported_together():
    house = {"run_least": 6, "run_most": 5, "jokers": 99, "colour": "red", "players_fewest": 6}

    faults = judge_rules(load("european"), house).faults
    assert {fault.keys for fault in faults} == {
        ("run_least", "run_most"), ("jokers",), ("colour",), ("players_fewest", "players_most")
    }  # fmt: skip
    with pytest.raises(BadInput) as refused:
        with_house_rules(load("european"), house)
    assert all(fault.say_alone() in str(refused.value) for fault in faults)


@pytest.mark.parametrize(
    ("variant", "house"),
    rows("own_rules", "values_that_just_fit_are_accepted"),
)
def test_values_that_just_fit_are_accepted(variant, house):
    assert judge_rules(load(variant), house).faults == ()


USED_NOWHERE = rows("own_rules", "used_nowhere")


@pytest.mark.parametrize(("variant", "house", "said"), USED_NOWHERE)
def test_a_useless_value_is_reported_with_the_reason(variant, house, said):
    judged = judge_rules(load(variant), house)

    assert judged.faults == ()
    assert [said in explain(odd, judged.variant).text for odd in judged.warnings] == [True]


def test_every_reason_for_uselessness_has_a_case():
    told = " ".join(said for _, _, said in USED_NOWHERE)
    assert [each.why for each in USELESS if each.why.split(" here")[0] not in told] == []


def test_depends_names_the_values_that_limit_a_value():
    """`depends` in values.toml names all values that CLASHES and USELESS test together with a value."""
    asked = {key: set() for key in meanings()}
    for clash in CLASHES:
        for key in clash.keys:
            asked[key] |= {*clash.keys} - {key}
    for useless in USELESS:
        for key in useless.keys:
            asked[key] |= {asking for asking, _, _ in parse_conditions(useless.when)}

    for key, others in asked.items():
        assert others <= {*meanings()[key].depends}, key


def test_opening_points_are_ignored_if_there_are_contracts():
    assert table("jamaican", opening_points=51).opening_points == 0


def test_contracts_set_the_number_of_hands_and_the_deals():
    own = table("european", contracts=NINE, run_least=4)

    assert own.dealt == (9, 10, 11, 12, 12, 13, 14, 15, 16)
    assert (own.dealt_by, own.game_hands) == ("contract", 9)
    assert house_keys(own) == ("dealt", "dealt_by", "run_least", "contracts", "game_hands")


@pytest.mark.parametrize(
    ("house", "dealt", "hands"),
    [
        ({"contracts": [[1, 1], [2, 0]]}, (6, 6), 2),  # runs of three
        ({"contracts": [[1, 1], [2, 0]], "game_hands": 1}, (6, 6), 1),
        ({"contracts": [[1, 1], [2, 0]], "game_hands": None}, (6, 6), 2),
        ({"contracts": [[1, 1], [2, 0]], "dealt": 13}, (13,), 2),
        ({"contracts": [[1, 1], [2, 0]], "dealt": [7, 8]}, (7, 8), 2),
    ],
)
def test_explicit_values_override_those_that_follow(house, dealt, hands):
    own = table("european", **house)

    assert (own.dealt, own.game_hands) == (dealt, hands)
    assert [own.cards_dealt(4, hand) for hand in (1, 2)] == [dealt[0], dealt[-1]]


def test_shorter_runs_need_fewer_cards_for_the_same_contracts():
    assert table("jamaican", run_least=3).dealt == (9, 9, 9, 9, 12, 12, 12, 12, 12)
    assert table("jamaican", run_least=3, dealt=16).dealt == (16,)


def test_a_value_for_sets_of_four_overrides_the_one_for_all_sets():
    own = table("european", joker_from_set="one", joker_from_full_set="never")

    assert (own.joker_from_full_set, own.joker_from_two_joker_set) == ("never", "one")


def test_a_value_that_follows_another_is_described_with_it():
    assert house_keys(table("european", limit=200, dealt=11)) == ("dealt", "limit")
    assert house_keys(table("european", limit=150)) == ()


# ---- What follows elsewhere


@pytest.mark.parametrize(("out_at", "said"), [("limit", "200 points or more"), ("over_limit", "more than 200 points")])
def test_a_limit_the_variant_does_not_have_says_whether_it_must_be_exceeded(out_at, said):
    told = differing(with_house_rules(load("jamaican"), {"limit": 200, "out_at": out_at})[0], load("jamaican"))
    assert (told[0].key, told[0].own, told[0].base) == ("limit", said, "no limit")


def test_an_ace_without_colour_is_refused_if_house_rules_make_aces_differ():
    own = table("european", black_ace_left=15)

    assert own.colour_scores
    with pytest.raises(BadInput, match="Ared or Ablack"):
        check("deck", {"holdings": ["A"]}, own)


def test_a_hand_number_beyond_the_contracts_is_refused():
    own = table("european", contracts=[[1, 1], [2, 0]])

    assert check("opening", {"melds": ["KH KD KS", "QH QD QS"], "hand_number": 2}, own).ok
    with pytest.raises(BadInput, match="There is no hand 3; hands are 1 to 2"):
        check("opening", {"melds": ["KH KD KS"], "hand_number": 3}, own)


def test_the_solver_lays_as_many_melds_as_a_turn_may():
    held = parse("5H 6H 7H 9S 9D 9C 2C 3D")
    asked = Problem(held, "least_points", opened=True)
    left = [solve(asked, table("european", melds_a_turn=many)).points_left for many in (1, 2)]

    assert left == [18 + 5, 5]  # one meld: the nines go
    assert solve(Problem(held[:7], "kalooki"), table("classic", melds_a_turn=1)).possible


def test_the_solver_counts_a_joker_as_the_table_does():
    held = parse("9S 10S * 3H 3D 3S 2C")

    opened = [solve(Problem(held, "open"), table("kalooki-40", joker_points=each)).possible for each in (None, 15)]
    assert opened == [False, True]  # 38 and 43


def test_values_ignored_before_0_3_stay_ignored_in_games_of_that_time():
    recorded = dict(load("jamaican").plain)
    del recorded["melds_a_turn"]
    start = {"kind": "start", "variant": "jamaican", "players": ["Ann", "Ben"], "dealer": 1, "stakes": None}
    start["house"] = {"kalooki_points": 25}
    bent = hand(1, "bending", s2="KH QD")

    def total(rules):
        log = [from_json(start | {"rules": rules}), from_json(bent)]
        return play([Entry(number, event) for number, event in enumerate(log, 1)]).players[2].total

    assert (total(recorded), total(load("jamaican").plain)) == (40, 65)
