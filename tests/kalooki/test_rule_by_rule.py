"""One subtle case for every rule of the rulebook, by its name: where the rule bites and where it just does not."""

import re

import pytest

from app.kalooki.cards import parse, parse_left, write
from app.kalooki.claims import check
from app.kalooki.faults import Fault
from app.kalooki.rules.rulebook import explain, rule_in_words, rules
from app.kalooki.scoring import left_lines
from app.kalooki.variants import load, with_house_rules


def table(variant="european", **house):
    return with_house_rules(load(variant), house)[0]


def broken(kind, variant=None, **claim):
    """The slugs of the rules a claim breaks, in alphabetical order."""
    return sorted({fault.rule for fault in check(kind, claim, variant or table()).faults})


def named(kind, variant=None, **claim):
    """The cards each broken rule is about."""
    return [write(fault.cards) for fault in check(kind, claim, variant or table()).faults]


def turn(*steps, variant=None, hand="", **claim):
    """The rules a turn broke; steps are written as "draw stock 7H", "build 0 QD", "discard 2C"."""
    told = [step_of(step) for step in steps]
    return broken("turn", variant, hand=hand, steps=told, **claim)


def step_of(words):
    do, *rest = words.split(" ", 2)
    if do == "draw":
        return {"do": do, "from": rest[0], "card": rest[1]}
    if do in ("build", "free_joker"):
        return {"do": do, "on": int(rest[0]), "cards" if do == "build" else "give": rest[1]}
    return {"do": do, "card" if do == "discard" else "cards": " ".join(rest)}


def text_of(slug, variant="european", **house):
    return rule_in_words(slug, table(variant, **house)).text


def numbers_in(slug, variant="european", **house):
    """What a rule states in figures, whatever words it says them in."""
    return [int(number) for number in re.findall(r"\d+", text_of(slug, variant, **house))]


# ---- The table


def test_players():
    assert "5 players" in text_of("players")
    assert "6 players" in text_of("players", "north-american")


def test_more_than_the_pack():
    """A joker may stand for a card both copies of which are in the very same claim."""
    assert broken("opening", melds=["KH KD KS", "KH KC KS", "QH *=KH AH"]) == []
    assert broken("opening", melds=["KH KD KS", "KH KC KS", "QH KH AH"]) == ["more-than-the-pack"]


def test_seats():
    assert "ace deals first" in text_of("seats")
    assert text_of("seats", "jamaican").startswith("The table chooses")


def test_the_deal():
    # 15 cards with 2 to 4 players, 13 with 5, 11 with 6
    assert numbers_in("the-deal", "north-american")[:7] == [15, 2, 4, 13, 5, 11, 6]
    assert {15, 16, 1, 9} <= set(numbers_in("the-deal", "jamaican"))


def test_only_where_players_call_a_hand_may_hold_two_more_for_each_call():
    def warning(variant):
        claim = {"hand": "2H 3D", "steps": [{"do": "draw", "from": "stock", "card": "4S"}]}
        found = check("turn", claim, table(variant)).warnings
        return explain(next(each for each in found if each.rule == "the-deal"), table(variant)).text

    assert re.findall(r"\d+", warning("european")) == ["2"]
    assert "call" not in warning("european")
    assert "two more for each call" in warning("jamaican")


def test_the_cut():
    assert "on their right cuts" in text_of("the-cut")


def test_deal_passes():
    assert "passes clockwise" in text_of("deal-passes")


def test_passed_over():
    assert "is out of the game, or has left" in text_of("passed-over")
    assert "has left the game" in text_of("passed-over", "jamaican")


def test_plays_first():
    assert "draws one card" in text_of("plays-first", "kalooki-51")
    assert "dealer's left" in text_of("plays-first", "kalooki-40")


def test_more_players():
    assert "as long as the packs can deal" in text_of("more-players")


def test_number_of_jokers():
    assert numbers_in("number-of-jokers", jokers=4) == [4]


def test_one_at_a_time():
    assert "one at a time" in text_of("one-at-a-time")


def test_the_stock():
    assert "starts the discard pile" in text_of("the-stock")


def test_stock_face_down():
    """Two documents do not say how the stock lies."""
    standing = {each: rule_in_words("stock-face-down", load(each)).standing for each in ("kalooki-40", "kalooki-51")}
    assert standing == {"kalooki-40": "source", "kalooki-51": "usual"}


def test_seat_cards():
    assert "ace to six for six" in text_of("seat-cards")
    assert text_of("seat-cards", "jamaican") == ""


def test_equal_cards_drawn():
    assert "draw again" in text_of("equal-cards-drawn", "kalooki-51")
    assert "ace is the highest" in text_of("equal-cards-drawn", "kalooki-51")
    assert text_of("equal-cards-drawn") == ""


def test_turns_clockwise():
    assert "clockwise" in text_of("turns-clockwise")


# ---- Melds


def test_set_or_run():
    """One card is nothing yet; with two jokers it can be both."""
    assert broken("meld", cards="2C") == ["set-or-run"]
    assert broken("meld", cards="2C * *") == []


def test_set_rank():
    """A declared joker can spoil the set it was meant for."""
    assert broken("meld", cards="9H 9S *=8C") == ["set-rank"]
    assert broken("meld", cards="9H 9S *=9C") == []


def test_set_size():
    """Five of a rank are too many even when a joker is the fifth; in Jamaica only the packs end a set."""
    assert broken("meld", cards="9H 9S 9D 9C *") == ["set-size"]
    assert broken("meld", table("jamaican"), cards="9H 9S 9D 9C *") == []
    assert broken("meld", table("jamaican"), cards="9H 9H 9S 9S 9D 9D 9C 9C * * * * *") == ["more-than-the-pack"]


def test_set_suits():
    """Both packs have that card, and still it may not lie twice in one set."""
    assert broken("meld", cards="9H 9H 9S") == ["set-suits"]
    assert broken("meld", table("jamaican"), cards="9H 9H 9S") == []


def test_run_suit():
    assert broken("meld", cards="9H 10H JD") == ["run-suit"]
    assert broken("meld", cards="9H 10H *=JD") == ["run-suit"]


def test_run_sequence():
    """A gap of two takes two jokers; a card twice is no sequence however many jokers there are."""
    assert broken("meld", cards="5H 8H *") == ["run-sequence"]
    assert broken("meld", cards="5H 8H * *") == []
    assert broken("meld", cards="5H 5H 6H *") == ["run-sequence"]


def test_run_length():
    """Thirteen cards are a run; a joker more finds no place."""
    suit = "2H 3H 4H 5H 6H 7H 8H 9H 10H JH QH KH AH"
    assert broken("meld", cards=suit) == []
    assert broken("meld", cards=f"{suit} *") == ["run-length"]
    assert broken("meld", table("jamaican"), cards="7H 8H 9H") == ["run-length"]


def test_long_runs():
    assert "Six or more" in text_of("long-runs")
    assert text_of("long-runs", "jamaican") == ""


def test_ace_high():
    """A joker cannot stand for a low ace either."""
    assert broken("meld", cards="AS 2S 3S") == ["ace-high"]
    assert [str(meld) for meld in check("meld", {"cards": "2S 3S *"}, table()).readings] == ["2S 3S *=4S"]
    assert broken("meld", table(ace="both"), cards="AS 2S 3S") == []


def test_round_the_corner():
    """Not even where an ace is high and low, and not over a joker."""
    both = table("kalooki-51")
    assert broken("meld", both, cards="KS AS 2S") == ["round-the-corner"]
    assert broken("meld", both, cards="KS * 2S") == ["round-the-corner"]


def test_naturals():
    """A run of jokers around one card is a run in Europe; in Jamaica it needs two."""
    assert broken("meld", cards="9H * *") == []
    assert broken("meld", table("jamaican"), cards="*=8H 9H *=10H *=7H") == ["jokers-together", "naturals"]
    assert broken("meld", table("jamaican"), cards="9H * *") == ["naturals"]


def test_naturals_in_a_run():
    """Seven or nine of hearts: two jokers may take both ends, or one end."""
    assert broken("meld", cards="*=7H 8H *=9H") == []
    assert "naturals-in-a-run" in check("meld", {"cards": "7H 8H *"}, table()).rules
    assert "naturals-in-a-run" not in check("meld", {"cards": "8S 8H *"}, table()).rules
    fault = check("meld", {"cards": "*=8H 9H *=10H *=7H"}, table("jamaican")).faults
    assert {each.facts["needed"] for each in fault if each.rule == "naturals"} == {2}


def test_jokers_alone():
    assert broken("meld", table("north-american"), cards="* * *") == ["naturals", "set-or-run"]
    assert text_of("jokers-alone") == "Jokers alone are no meld."


def test_jokers_together():
    """Two jokers with two neighbours are legal in Jamaica: one at each end."""
    assert broken("meld", table("jamaican"), cards="7H 8H * *") == []
    assert broken("meld", table("jamaican"), cards="7H 8H *=9H *=10H") == ["jokers-together"]


def test_declaring_a_joker():
    """A declared joker is not asked about, and nobody may read it in another way."""
    assert check("meld", {"cards": "6H 7H *=8H"}, table()).ask is None
    assert broken("joker", on="6H 7H *=8H", give="5H") == ["joker-from-run"]
    assert broken("joker", on="6H 7H *", give="5H") == []


def test_runs_of_one_suit():
    """The two runs may be far apart and still be of one suit."""
    melds = ["3C 4C 5C 6C", "10C JC QC KC", "8S 9S 10S JS"]
    assert broken("opening", table("jamaican"), melds=melds, hand_number=4) == ["runs-of-one-suit"]
    assert broken("opening", melds=["3C 4C 5C 6C", "10C JC QC KC"]) == []


def test_a_new_set_is_not_to_blame_for_two_runs_of_one_suit_laid_before():
    table_before = [{"cards": cards, "owner": 1} for cards in ("3C 4C 5C 6C", "8C 9C 10C JC")]
    steps = [*map(step_of, ("draw stock 2H", "meld 2C 2D 2H", "discard 4D"))]
    claim = {"hand": "2C 2D 9H 4D", "table": table_before, "steps": steps, "opened": True}
    faults = check("turn", claim, table("jamaican")).faults
    assert [(fault.rule, fault.facts["step"]) for fault in faults] == [("runs-of-one-suit", None)]


def test_sets_of_one_rank():
    """What can be read as a run is no second set of that rank."""
    one = table(sets_of_one_rank="one")
    assert broken("opening", one, melds=["KH KD KS", "KC KH KD"]) == ["sets-of-one-rank"]
    assert broken("opening", one, melds=["KH KD KS", "KC * *"]) == []


def test_joker_points():
    """A joker among kings counts ten, in Kalooki 40 too, whose document gives it fifteen."""
    assert check("opening", {"melds": ["KH KD *"]}, table("kalooki-40")).points == 30
    told = check("opening", {"melds": ["KH KD *"]}, table("kalooki-40")).rules
    assert "joker-points" in told
    assert "joker-points" not in check("opening", {"melds": ["KH KD KS"]}, table("kalooki-40")).rules
    assert "joker-points" not in check("meld", {"cards": "KH KD *"}, table("classic")).rules


def test_meld_points():
    """An ace in a set counts eleven in Kalooki 51, below a two it counts one."""
    k51 = table("kalooki-51")
    assert check("opening", {"melds": ["AH AS AC"]}, k51).points == 33
    assert check("opening", {"melds": ["AH 2H 3H"]}, k51).points == 6
    assert check("opening", {"melds": ["AH 2H 3H"]}, table("north-american")).points == 20


def test_melding_optional():
    """A player who holds thirteen cards in melds may draw, throw and keep them all."""
    hand = "10S JS QS KS 4H 4D 4S 7C 8C 9C 2H 2D 2S"
    assert turn("draw stock 6H", "discard 6H", hand=hand) == []


def test_melds_only_grow():
    """A seven built between two sixes would have to rearrange them: it leaves a card twice."""
    assert broken("build", on="5H 6H 7H", cards="6H") == ["run-sequence"]


def test_largest_set():
    assert [fault.rule for fault in check("meld", {"cards": "9H 9S 9D 9C *"}, table()).faults] == ["set-size"]
    assert text_of("largest-set") == "A set has at most 4 cards, one of each suit."
    assert text_of("largest-set", "jamaican") == ""


def test_longest_run():
    """No fourteenth card: with the ace high or low, never at both ends."""
    assert broken("meld", table("north-american"), cards="AH 2H 3H 4H 5H 6H 7H 8H 9H 10H JH QH KH AH") != []
    assert "an ace at both ends" in text_of("longest-run", "kalooki-51")


def test_run_beside_run():
    """Three cards too many for one end are a meld of their own."""
    assert broken("build", on="4H 5H 6H", cards="7H 8H 9H") == ["build-end-limit"]
    assert broken("meld", cards="7H 8H 9H") == []
    assert text_of("run-beside-run", "jamaican") == ""


def test_joker_wild():
    assert broken("meld", cards="5H * 7H") == []
    assert "any card" in text_of("joker-wild")


def test_joker_for_a_duplicate():
    assert broken("opening", melds=["KH KD KS", "KH KC KS", "QH * AH"]) == []
    assert "in another meld already" in text_of("joker-for-a-duplicate")


def test_joker_suit():
    """Which card a joker is is asked of a run, not of a set."""
    assert check("meld", {"cards": "8S 8H *"}, table()).ask is None
    assert check("meld", {"cards": "6H 7H *"}, table()).ask is not None
    assert text_of("joker-suit") != text_of("joker-suit", "jamaican") != ""


def test_joker_not_declared():
    """The claim is read in every way that makes it legal."""
    assert broken("joker", on="6H 7H *", give="5H") == []
    assert broken("joker", on="6H 7H *=8H", give="5H") == ["joker-from-run"]


def test_one_meld_a_turn():
    """Two melds after the opening are legal in one turn."""
    steps = ("draw stock 2D", "meld 4H 5H 6H", "meld 9S 9D 9C", "discard 2D")
    assert turn(*steps, hand="4H 5H 6H 9S 9D 9C 7C 8D", opened=True) == []
    told = {"hand": "4H 5H 6H 9S 9D 9C 7C 8D", "opened": True}
    two = check("turn", told | {"steps": [step_of(step) for step in steps]}, table())
    one = check("turn", told | {"steps": [step_of(step) for step in (*steps[:2], steps[3])]}, table())
    assert ["one-meld-a-turn" in verdict.rules for verdict in (one, two)] == [False, True]
    assert "one-meld-a-turn" in check("opening", {"melds": ["KS KH KD", "4H 5H 6H"]}, table()).rules


def test_ace_in_a_set():
    assert check("opening", {"melds": ["AS AH AD", "5C 6C 7C"]}, table("kalooki-51")).points == 33 + 18


def test_low_ace():
    """Thirty and twenty-four: a low ace counts fifteen in North America, one in Kalooki 51."""
    melds = {"melds": ["KS KH KD", "AC 2C 3C 4C"]}
    assert check("opening", melds, table("north-american")).points == 30 + 24
    assert check("opening", melds, table("kalooki-51")).points == 30 + 10
    assert text_of("low-ace") == ""


# ---- Opening


def test_opening_points():
    """Thirty-nine do not open, forty do."""
    assert broken("opening", melds=["KH KD KS", "2H 3H 4H"]) == ["opening-points"]
    assert broken("opening", melds=["10H JH QH KH"]) == []


def test_contract():
    """A run cannot stand in for a set, and more than the contract is allowed."""
    hand1 = {"hand_number": 1}
    melds = ["9H 9H 9S", "KD KC KS", "2C 2D 2D"]
    assert broken("opening", table("jamaican"), melds=melds, **hand1) == []
    assert broken("opening", table("jamaican"), melds=[*melds, "3C 4C 5C 6C"], **hand1) == []
    assert broken("opening", table("jamaican"), melds=[*melds[:2], "3C 4C 5C 6C"], **hand1) == ["contract"]


def test_builds_open():
    """Fifty-one with builds opens in North America, but never with builds alone."""
    builds = [{"on": "JD QD KD", "cards": "10D AD"}, {"on": "9C 9H 9S", "cards": "9D"}]
    north = table("north-american")
    assert broken("opening", north, melds=["6H 6C 6D"], builds=builds) == []
    assert broken("opening", north, melds=[], builds=builds) == ["builds-open", "opening-points"]
    assert broken("opening", melds=["6H 6C 6D"], builds=builds) == ["opening-points"]


def test_builds_do_not_open_where_nothing_is_built_in_the_turn_of_the_opening():
    """Eighteen of new melds and thirty-four built: what may not be built does not count either."""
    north = table("north-american", build_same_turn=False)
    builds = [{"on": "JD QD KD", "cards": "10D AD"}, {"on": "9C 9H 9S", "cards": "9D"}]
    assert broken("opening", north, melds=["6H 6C 6D"], builds=builds) == ["build-same-turn", "opening-points"]
    assert text_of("builds-open", "north-american", build_same_turn=False).startswith("Nobody builds")
    assert "build first and lay the new meld afterwards" in text_of("build-order", "north-american")
    assert text_of("build-order") == ""


def test_kalooki_below_opening():
    """Exempt in Kalooki 51 only, and only if the whole hand is claimed."""
    melds = ["2S 2H 2D 2C", "2S 2H 2D", "3S 3H 3D", "3C 3S 3H"]
    assert broken("opening", table("kalooki-51"), melds=melds, kalooki=True) == []
    assert broken("opening", table("kalooki-51"), melds=melds) == ["opening-points"]
    assert broken("opening", table("kalooki-40"), melds=melds, kalooki=True) == ["opening-points"]


@pytest.mark.parametrize(("variant", "house"), [("classic", {}), ("european", {"opening_points": 0})])
def test_without_a_minimum_nothing_is_said_of_reaching_it(variant, house):
    assert text_of("kalooki-below-opening", variant, **house) == ""
    assert text_of("builds-open", variant, **house) == ""
    assert "needs no minimum" in text_of("opening-points", variant, **house)


# ---- The turn


def test_draw_first():
    assert turn("discard 2H", hand="2H 3D", opened=True) == ["draw-first"]
    assert turn("draw stock 5S", "draw stock 6S", "discard 2H", hand="2H 3D", opened=True) == ["draw-first"]


def test_discard_before_opening():
    """Opening with forty is not enough: the card taken has to lie in one of the new melds."""
    hand = "10S JS QS KS 2C 4D 9D 8H QD 3C 6H 7D 5C"
    steps = ("draw discard AS", "meld 10S JS QS KS AS", "discard 2C")
    assert turn(*steps, hand=hand) == []
    assert turn("draw discard AS", "meld 10S JS QS KS", "discard 2C", hand=hand) == ["discard-before-opening"]
    assert turn("draw discard AS", "discard 2C", hand=hand, first_turn=True) == []


def test_discard_after_opening():
    """In Jamaica it is closed once the contract is down, and open before."""
    jamaican = table("jamaican")
    hand = "9H 9H 9S KD KC KS 2C 2D 7H"
    assert turn("draw discard 4S", "discard 2C", hand=hand, variant=jamaican) == []
    assert turn("draw discard 4S", "discard 2C", hand=hand, variant=jamaican, opened=True) == ["discard-after-opening"]


def test_discard_kept():
    """Once opened it may stay in the hand, unless the table has it laid at once."""
    steps, hand = ("draw discard 4S", "discard 2C"), "9H 9S KD 2C"
    assert turn(*steps, hand=hand, opened=True) == []
    assert turn(*steps, hand=hand, opened=True, variant=table(discard_after_opening="meld")) == [
        "discard-after-opening"
    ]
    assert text_of("discard-kept", discard_after_opening="meld") == ""


def test_held_cards():
    """The card just thrown is no longer held, and one copy cannot be laid twice."""
    hand = "4H 5H 6H 9S 9D JC"
    assert turn("draw stock 6H", "meld 4H 5H 6H", "discard 6H", hand=hand, opened=True) == []
    assert turn("draw stock 2D", "meld 4H 5H 6H", "discard 6H", hand=hand, opened=True) == ["held-cards"]


def test_last_discard():
    """Melding the very last card is not going out in Europe; in Jamaica it is."""
    steps = ("draw stock 7H", "meld 4H 5H 6H 7H")
    assert turn(*steps, hand="4H 5H 6H", opened=True, warned=True) == ["last-discard"]
    assert turn(*steps, hand="4H 5H 6H", opened=True, variant=table("jamaican")) == []


def test_joker_discard():
    hand = "* 9S 9D JC"
    assert turn("draw stock 2D", "discard *", hand=hand, opened=True) == []
    assert turn("draw stock 2D", "discard *", hand=hand, opened=True, variant=table("jamaican")) == ["joker-discard"]


def test_few_cards_warning():
    """It bars from going out, not from playing on."""
    hand = "4H 5H 6H"
    out = ("draw stock 2D", "meld 4H 5H 6H", "discard 2D")
    assert turn(*out, hand=hand, opened=True, warned=False) == ["few-cards-warning"]
    assert turn("draw stock 2D", "discard 2D", hand=hand, opened=True, warned=False) == []
    assert turn(*out, hand=hand, opened=True, warned=True) == []


def test_stock_runs_out():
    assert "becomes the new stock" in text_of("stock-runs-out")


def test_discard_not_shuffled():
    assert "stays face up" in text_of("discard-not-shuffled")


def test_how_many_reshuffles():
    assert text_of("how-many-reshuffles").startswith("The pile is shuffled once in a hand.")
    assert "as often as the stock runs out" in text_of("how-many-reshuffles", "kalooki-40")


def test_last_card_of_the_stock():
    assert "starts the new discard pile" in text_of("last-card-of-the-stock")
    assert "wants to draw" in text_of("last-card-of-the-stock", "jamaican")


def test_time_to_shuffle():
    assert "after that discard" in text_of("time-to-shuffle")
    assert text_of("time-to-shuffle", "jamaican") == ""


def test_calls():
    """The fourth call got no card, so fifteen cards are right in hand 1; it is pointed out."""
    hand = "9H 9H 9S KD KC KS 2C 2D 7H 4S 5S 4D 5D 8C 10C"
    claim = {"hand": hand, "calls": 4, "steps": [step_of("draw stock 2D"), step_of("discard 7H")]}
    assert [fault.rule for fault in check("turn", claim, table("jamaican")).warnings] == ["calls"]
    assert [fault.rule for fault in check("turn", claim | {"calls": 3}, table("jamaican")).warnings] == []


def test_calling():
    assert "penalty card" in text_of("calling", "jamaican")
    assert text_of("calling") == ""


def test_two_callers():
    assert "first to speak" in text_of("two-callers", "jamaican")
    assert text_of("two-callers", "kalooki-51") == ""


def test_one_card_drawn():
    assert turn("draw stock 2D", "draw stock 3D", "discard 2D", hand="4H") == ["draw-first"]


def test_where_to_draw():
    assert text_of("where-to-draw") == "The card comes from the stock, or from the top of the discard pile."
    assert "the upcard" in text_of("where-to-draw", "jamaican")


def test_discard_in_the_opening():
    """Forty points are not enough if the card taken is not among them."""
    hand = "10S JS QS KS 2C 4D 9D 8H QD 3C 6H 7D 5C"
    assert turn("draw discard AS", "meld 10S JS QS KS AS", "discard 2C", hand=hand) == []
    assert turn("draw discard AH", "meld 10S JS QS KS", "discard 2C", hand=hand) == ["discard-before-opening"]


def test_discard_ends_the_turn():
    assert turn("draw stock 2D", "discard 2D", "meld 4H 5H 6H", hand="4H 5H 6H 7C", opened=True) == ["last-discard"]


def test_any_card_thrown():
    """The six goes on the run, and may be thrown all the same."""
    lying = [{"cards": "7S 8S 9S", "owner": 2}]
    hand = "10S 2C 4D 9D 8H QD 3C 6H 7D 5C KC QC JS"
    assert turn("draw stock 2D", "discard 10S", hand=hand, table=lying) == []
    assert "melded or tacked on" in text_of("any-card-thrown", "jamaican")


def test_call_in_time():
    assert "before the player in turn draws" in text_of("call-in-time", "jamaican")
    assert text_of("call-in-time") == ""


def test_call_too_many():
    assert "gets no card" in text_of("call-too-many", "jamaican")


def test_call_penalty():
    assert numbers_in("call-penalty", "jamaican") == [50]
    assert text_of("call-penalty") == ""


# ---- Building


def test_building():
    assert broken("build", on="4H 5H 6H", cards="") == ["building"]
    assert broken("build", on="4H 5H 6H", cards="7H") == []


def test_build_after_opening():
    """In a turn, the build waits until the opening lies."""
    hand = "10S JS QS KS 2C 4D 9D 8H QD 3C 6H 7D 5C"
    lying = [{"cards": "3H 4H 5H", "owner": 2}]
    steps = ("meld 10S JS QS KS", "build 0 6H")
    assert turn("draw stock AS", *steps, "discard AS", hand=hand, table=lying) == []
    assert turn("draw stock AS", *reversed(steps), "discard AS", hand=hand, table=lying) == ["build-after-opening"]


def test_build_same_turn():
    """A joker is not freed in that turn either; who has opened before may do both."""
    own = table(build_same_turn=False)
    hand = "10S JS QS KS 2C 4D 9D 8H QD 3C 6H 7D 5C"
    lying = [{"cards": "5H * 7H", "owner": 2}]
    steps = ("draw stock AS", "meld 10S JS QS KS", "free_joker 0 6H", "build 0 *", "discard AS")
    assert turn(*steps, hand=hand, table=lying, variant=own) == ["build-same-turn"]
    assert turn(*steps, hand=hand, table=lying, variant=own, opened=True) == []
    assert turn(*steps, hand=hand, table=lying) == []


def test_closed_set():
    """A missing suit closes a set with a joker: afterwards not even the last suit can be added."""
    assert broken("build", on="6S 6H *", cards="6D") == []
    assert broken("build", on="6S 6H 6D *", cards="6C") == ["closed-set"]


def test_full_set():
    """Nothing is added to four of a rank, and the ruling rests on that, not on the set with a joker."""
    fault = check("build", {"on": "6S 6H 6D 6C", "cards": "*"}, table()).faults[0]
    assert (fault.rule, explain(fault, table()).sources[0].where) == (
        "closed-set",
        "Turn by turn play, (2) Melding; Turn by turn play, (3) Laying Off",
    )
    assert explain(fault, table("kalooki-51")).standing == "both"
    assert text_of("full-set", "jamaican") == ""


def test_build_end_limit():
    """Two on each end are four cards and legal; three on one end are not, in two builds either."""
    assert broken("build", on="5H 6H 7H", cards="3H 4H 8H 9H") == []
    assert broken("build", on="5H 6H 7H", cards="8H 9H 10H") == ["build-end-limit"]
    assert broken("build", on="5H 6H 7H 8H", cards="9H 10H", built_this_turn={"high": 1}) == ["build-end-limit"]
    assert broken("build", table("kalooki-40"), on="5H 6H 7H", cards="8H 9H 10H") == []
    assert named("build", on="5H 6H 7H", cards="4H 8H 9H 10H") == ["8H 9H 10H"]


def test_run_ends():
    """The ace built in the same breath opens the low end."""
    jamaican = table("jamaican")
    assert broken("build", jamaican, on="10H JH QH KH", cards="9H") == ["run-ends"]
    assert broken("build", jamaican, on="10H JH QH KH", cards="9H AH") == []
    assert named("build", jamaican, on="9H 10H JH QH", cards="KH 8H") == ["8H"]


def test_build_without_melding():
    lying = [{"cards": "7S 8S 9S", "owner": 2}]
    assert turn("draw stock 10S", "build 0 10S", "discard 2C", hand="2C 5D 9H", table=lying, opened=True) == []


def test_build_order():
    """In North America the build may come first: twenty built and forty of a new meld open."""
    hand = "10S JS QS KS 2C 4D 9D 8H 10D 3C 6H 7D 5C 2H 3D"
    lying = [{"cards": "7D 8D 9D", "owner": 2}]
    steps = ("draw stock JD", "build 0 10D JD", "meld 10S JS QS KS", "discard 2C")
    assert turn(*steps, hand=hand, table=lying, variant=table("north-american")) == []
    assert "build-after-opening" in turn(*steps, hand=hand, table=lying)


def test_new_run_limit():
    """Two more on each end of a run that was laid in this turn, not three."""
    hand = "4H 5H 6H 7H 8H 9H 2C KD"
    two = ("draw stock 2D", "meld 4H 5H 6H", "build 0 7H 8H", "discard 2C")
    three = ("draw stock 2D", "meld 4H 5H 6H", "build 0 7H 8H 9H", "discard 2C")
    assert turn(*two, hand=hand, opened=True) == []
    assert turn(*three, hand=hand, opened=True) == ["build-end-limit"]


def test_joker_built():
    """In place of the ten; in Jamaica not beside another joker."""
    assert broken("build", on="7S 8S 9S", cards="*") == []
    assert broken("build", table("jamaican"), on="6S 7S 8S *=9S", cards="*=10S") == ["jokers-together"]


# ---- Jokers


def test_joker_after_opening():
    """The turn of the opening counts, once the opening lies."""
    hand = "10S JS QS KS 2C 4D 9D 8H QD 3C 6H 7D 5C"
    lying = [{"cards": "5H * 7H", "owner": 2}]
    freed = ("free_joker 0 6H", "build 0 *")
    opened = ("draw stock AS", "meld 10S JS QS KS", *freed, "discard AS")
    early = ("draw stock AS", *freed, "meld 10S JS QS KS", "discard AS")
    assert turn(*opened, hand=hand, table=lying) == []
    assert turn(*early, hand=hand, table=lying) == ["build-after-opening", "joker-after-opening"]


def test_joker_for_naturals():
    """More naturals than the joker costs are refused, also where one would do."""
    assert broken("joker", table("north-american"), on="8S 8H *", give="8D 8C") == ["joker-for-naturals"]
    assert broken("joker", on="8S 8H 8D", give="8C") == ["joker-for-naturals"]


def test_joker_from_set():
    """Both missing suits, whatever suit the joker was declared to be."""
    assert broken("joker", on="8S 8H *=8D", give="8D 8C") == []
    assert broken("joker", on="8S 8H *=8D", give="8D") == ["joker-from-set"]
    assert broken("joker", table("jamaican"), on="8S 8H *", give="8D 8C") == ["joker-from-set"]


def test_joker_from_full_set():
    """Closed in Europe; in North America the missing suit takes it."""
    assert broken("joker", on="8S 8H 8D *", give="8C") == ["joker-from-full-set"]
    assert broken("joker", table("north-american"), on="8S 8H 8D *", give="8C") == []


def test_joker_from_two_joker_set():
    """Two naturals free one joker; the other stays in the set they close."""
    verdict = check("joker", {"on": "8S * *", "give": "8H 8C"}, table())
    assert (verdict.released, str(verdict.result), verdict.closed) == (1, "8S 8H 8C *", True)
    assert broken("joker", on="8S *=8H *=8D", give="8H") == ["joker-from-two-joker-set"]


def test_joker_from_run():
    """The other copy of the very same card frees it as well; its neighbour does not."""
    assert broken("joker", on="5S * 7S", give="6S") == []
    assert broken("joker", on="5S * 7S", give="8S") == ["joker-from-run"]
    moved = check("joker", {"on": "9S 10S * QS KS", "give": "JS"}, table("jamaican"))
    assert (moved.released, str(moved.result)) == (0, "9S 10S JS QS KS *=AS")


def test_freed_joker():
    """A joker of one's own may stay in the hand, a freed one may not."""
    lying = [{"cards": "5S * 7S", "owner": 2}]
    steps = ("draw stock 2D", "free_joker 0 6S", "discard 2D")
    assert turn(*steps, hand="6S * 9S 9D JC", table=lying, opened=True) == ["freed-joker"]
    placed = ("draw stock 2D", "free_joker 0 6S", "meld 9S 9D *", "discard 2D")
    assert turn(*placed, hand="6S * 9S 9D JC", table=lying, opened=True) == []


def test_joker_same_turn():
    """Once the opening lies; unless the table forbids building in that turn."""
    assert "once the opening lies" in text_of("joker-same-turn")
    assert text_of("joker-same-turn", build_same_turn=False) == ""


def test_no_card_too_many():
    told = explain(
        check("joker", {"on": "8S 8H *", "give": "8D 8C"}, table("north-american")).faults[0], table("north-american")
    )
    assert (told.rule, told.standing) == ("joker-for-naturals", "usual")


def test_freed_joker_where():
    assert "be built on any meld" in text_of("freed-joker-where")
    assert text_of("freed-joker-where", "jamaican") == ""


# ---- Going out


def ending(*steps, hand, variant=None, **claim):
    verdict = check("turn", {"hand": hand, "steps": [step_of(step) for step in steps]} | claim, variant or table())
    return verdict.ending


def test_going_out():
    """Laying the whole rest at once is no Kalooki if something was laid before."""
    steps = ("draw stock 2D", "meld 4H 5H 6H 7H", "discard 2D")
    assert ending(*steps, hand="4H 5H 6H 7H", opened=True) == "going_out"


def test_kalooki():
    """Throwing the last card is part of it; a card built in the same turn spoils it."""
    melds = ("meld 9S 10S JS QS KS", "meld 4H 4D 4S", "meld 7C 8C 9C")
    hand = "9S 10S JS QS KS 4H 4D 4S 7C 8C 9C 2D 6H"
    whole = ("draw stock 2S", *melds, "meld 2H 2D 2S", "discard 6H")
    assert ending(*whole, hand=hand.replace("9C 2D", "9C 2H 2D")) == "kalooki"
    lying = [{"cards": "6S 6C 6D", "owner": 2}, {"cards": "3C 4C 5C", "owner": 3}]
    built = ("draw stock 6C", *melds, "build 0 6H", "build 1 6C", "discard 2D")
    assert ending(*built, hand=hand, table=lying) == "going_out"


def test_kalooki_effect():
    assert "25 points more" in text_of("kalooki-effect", "kalooki-51")
    assert "are doubled" in text_of("kalooki-effect", "jamaican")
    assert "Kalooki stake instead" in text_of("kalooki-effect")
    assert numbers_in("kalooki-effect", "north-american") == []


def test_kalooki_without_builds():
    """One card built, and it is just out; in Jamaica it bends the table all the same."""
    assert text_of("kalooki-without-builds", "jamaican") != text_of("kalooki-without-builds")
    melds = ["KH KD KS KC", "10H JH QH"]
    claim = {"melds": melds, "builds": [{"on": "4D 5D 6D", "cards": "7D"}], "kalooki": True}
    assert "kalooki" in broken("opening", table("kalooki-51"), **claim)


def test_kalooki_without_joker():
    """Everything goes down at once, but one joker came off the table."""
    melds = ("meld 9S 10S JS QS KS", "meld 4H 4D 4S", "meld 7C 8C 9C")
    lying = [{"cards": "5H * 7H", "owner": 2}]
    steps = ("draw stock 6H", *melds, "free_joker 0 6H", "meld 2H 2D *", "discard 3D")
    hand = "9S 10S JS QS KS 4H 4D 4S 7C 8C 9C 2D 2H 3D"
    assert ending(*steps, hand=hand, table=lying) == "going_out"


def test_going_out_ends():
    """What follows the last discard is too late."""
    steps = ("draw stock 2D", "meld 4H 5H 6H", "discard 2D", "build 0 7H")
    assert turn(*steps, hand="4H 5H 6H 7H", opened=True, warned=True) == ["last-discard"]


def test_going_out_unsaid():
    """A turn that goes out is legal without a word."""
    steps = ("draw stock 2D", "meld 4H 5H 6H", "discard 2D")
    assert turn(*steps, hand="4H 5H 6H", opened=True, warned=True) == []
    assert "need not say" in text_of("going-out-unsaid")


def test_nothing_after_out():
    assert "adds a card" in text_of("nothing-after-out")
    assert "tacks on" in text_of("nothing-after-out", "jamaican")


# ---- The score, the money and the game: what the words say; the sums have tests of their own


def line_for(cards, variant):
    return [(line.rule, line.points) for line in left_lines(parse_left(cards), load(variant))]


def test_who_scores():
    assert "Each loser scores" in text_of("who-scores")
    assert "winner scores what the losers hold" in text_of("who-scores", scoring="winner_collects")


def test_what_counts():
    """A complete meld still in the hand counts card by card."""
    assert sum(points for _, points in line_for("KS KH KD", "european")) == 30
    assert rule_in_words("what-counts", load("jamaican")).standing == "both"
    assert rule_in_words("melding-optional", load("jamaican")).standing == "source"


def test_adding_up():
    """What a hand scores is added up, says Europe; other documents leave it open."""
    assert rule_in_words("adding-up", load("european")).standing == "source"
    assert rule_in_words("adding-up", load("kalooki-40")).standing == "usual"


def test_joker_left():
    assert line_for("*", "european") == [("joker-left", 15)]
    assert line_for("* *", "jamaican") == [("joker-left", 100)]


def test_ace_left():
    assert line_for("AH AS", "jamaican") == [("ace-left", 16)]
    assert line_for("AH AS", "north-american") == [("ace-left", 30)]
    assert numbers_in("ace-left", "jamaican") == [15, 1]
    assert numbers_in("ace-left") == [11]
    assert numbers_in("ace-left", "north-american") == [15]


def test_court_cards():
    assert line_for("10H KS", "classic") == [("court-cards", 20)]


def test_number_cards():
    assert line_for("2H 9S", "south-african") == [("number-cards", 11)]


def test_limit():
    """Exactly 150 is out, unless the table plays over it."""
    assert [table().is_out(total) for total in (149, 150)] == [False, True]
    assert [table(out_at="over_limit").is_out(total) for total in (150, 151)] == [False, True]


def test_buy_in():
    assert "at most twice in a game" in text_of("buy-in")
    assert text_of("buy-in", "kalooki-51") == ""


def test_buy_in_time():
    assert "before the next deal" in text_of("buy-in-time")
    assert text_of("buy-in-time", "north-american") == ""


def test_void_hand():
    assert "Nobody pays for it" in text_of("void-hand")
    assert text_of("void-hand", "jamaican").endswith("for the same contract.")
    assert "paid" not in text_of("void-hand", "classic")


def test_call_up():
    assert "for a Kalooki 2 units instead" in text_of("call-up")
    assert text_of("call-up", "jamaican") == ""


def test_played_for_points():
    assert "no pool" in text_of("played-for-points", "north-american")
    assert text_of("played-for-points") == ""


def test_showing_hands():
    assert "every card left in a hand" in text_of("showing-hands")


def test_corrections():
    assert "even after the game" in text_of("corrections")


def test_score_when_out():
    assert "no part in the ranking" in text_of("score-when-out")
    assert text_of("score-when-out", "jamaican") == ""


def test_breaking_off():
    assert "what becomes of the pool" in text_of("breaking-off")
    assert "pool" not in text_of("breaking-off", "jamaican")


def test_no_stakes():
    assert "played for points" in text_of("no-stakes", "classic")
    assert "into the pool only" in text_of("no-stakes", "kalooki-40")
    assert text_of("no-stakes") == ""


def test_stakes():
    assert "agrees on four stakes" in text_of("stakes")
    assert text_of("stakes", "kalooki-51") == ""


def test_knocked_out_pays():
    assert "still pays" in text_of("knocked-out-pays")


def test_when_paid():
    assert "settled at the end" in text_of("when-paid")


def test_pool_stake():
    assert text_of("pool-stake", "kalooki-40") == "Everybody pays 5 units into the pool at the start."


def test_pool_equal_shares():
    assert "equal parts" in text_of("pool-equal-shares", "kalooki-51")
    assert text_of("pool-equal-shares") == ""


def test_pool_nobody_shares():
    assert "whole pool" in text_of("pool-nobody-shares", "kalooki-40")


def test_pool():
    assert numbers_in("pool", "kalooki-51")[:2] == [75, 25]
    assert "takes the pool" in text_of("pool")


def test_odd_coins():
    assert "rounded down" in text_of("odd-coins", "kalooki-40")
    assert "rounded down" not in text_of("odd-coins")
    assert "go to them one each" in text_of("odd-coins")


def test_game_end():
    assert "9 hands" in text_of("game-end", "jamaican")
    assert "last player left" in text_of("game-end")
    assert "table decides" in text_of("game-end", "classic")
    assert "still in" not in text_of("game-end", "jamaican")


def test_tie():
    assert "deciding hand" in text_of("tie", "jamaican")
    assert "until one player is left" in text_of("tie")


def test_leaving():
    assert "stays in the pool" in text_of("leaving")
    assert "pool" not in text_of("leaving", "north-american")


def test_joining_late():
    assert "highest total of those still in" in text_of("joining-late")


def test_penalty():
    assert "counts at once" in text_of("penalty")


def test_price_of_a_mishap():
    """Nothing unless the table set a price, and then only when it charges it."""
    assert text_of("price-of-a-mishap") == "Nobody is charged for an honest mistake."
    assert text_of("price-of-a-mishap", mishap_points=10).startswith(
        "A mishap costs 10 points, if the table charges it"
    )


def slugs_of_play():
    return [slug for slug, rule in rules().items() if rule.chapter]


@pytest.mark.parametrize("slug", slugs_of_play())
def test_every_rule_has_a_test_of_its_name(slug):
    assert f"test_{slug.replace('-', '_')}" in globals()


def test_a_ruling_on_a_low_ace_reads_like_the_rule():
    told = explain(Fault("ace-high", parse("AS")), table())

    assert "A 2 3" in told.text
    assert (told.title, told.cards, told.house_rule) == ("Ace in a run", "AS", None)
    assert [source.id for source in told.sources] == ["S0"]
