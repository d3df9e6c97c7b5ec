"""The rules of melds and of the opening."""

import pytest

from app.kalooki.cards import parse
from app.kalooki.claims import check
from app.kalooki.faults import Fault
from app.kalooki.referee.melds import legal_in, points, readings
from app.kalooki.rules.rulebook import explain
from app.kalooki.variants import ids
from tests.kalooki.rule_talk import broken, step_of, table, text_of, turn

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


def test_a_whole_suit_has_its_ace_where_it_counts_most():
    """2 to 10 are fifty-four, the court cards thirty, and the ace is eleven high but one low: no eighty-five."""
    fifty_one = table("kalooki-51")
    [meld] = readings(parse("AH 2H 3H 4H 5H 6H 7H 8H 9H 10H JH QH KH"), fifty_one)
    assert (str(meld), points(meld, fifty_one)) == ("2H 3H 4H 5H 6H 7H 8H 9H 10H JH QH KH AH", 95)


def test_the_variants_in_which_cards_are_a_meld_are_listed():
    """Ace, two, three is a run in two; four kings are a set everywhere."""
    assert legal_in(parse("AH 2H 3H")) == ("north-american", "kalooki-51")
    assert set(legal_in(parse("KH KD KC KS"))) == set(ids())


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
    assert text_of("jokers-alone") == "Jokers alone aren’t a meld."


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


def test_repeated_melds_are_listed_separately():
    melds = ["3C 4C * 6C", "9C 10C JC QC", "8S 9S 10S JS"]
    [fault] = check("opening", {"melds": melds, "hand_number": 4}, table("jamaican")).faults
    assert explain(fault, table("jamaican")).text.endswith("in a hand: 3♣ 4♣ ★=5♣ 6♣ / 9♣ 10♣ J♣ Q♣.")
    one = table(sets_of_one_rank="one")
    [fault] = check("opening", {"melds": ["KH KD *", "KS KC KH"]}, one).faults
    assert explain(fault, one).text == "A player may lay only one of this rank: K♥ K♦ ★ / K♠ K♥ K♣."


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


def test_a_ruling_on_a_low_ace_agrees_with_the_rule():
    told = explain(Fault("ace-high", parse("AS")), table())

    assert "A 2 3" in told.text
    assert (told.title, told.cards, told.house_rule) == ("Ace in a run", "AS", None)
    assert [source.id for source in told.sources] == ["S0"]


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


def test_builds_do_not_open_if_building_is_not_allowed_in_that_turn():
    """Eighteen of new melds and thirty-four built: what may not be built does not count either."""
    north = table("north-american", build_same_turn=False)
    builds = [{"on": "JD QD KD", "cards": "10D AD"}, {"on": "9C 9H 9S", "cards": "9D"}]
    assert broken("opening", north, melds=["6H 6C 6D"], builds=builds) == ["build-same-turn", "opening-points"]
    assert text_of("builds-open", "north-american", build_same_turn=False).startswith("Nobody builds")
    assert "building may come before the new meld" in text_of("build-order", "north-american")
    assert text_of("build-order") == ""


def test_kalooki_below_opening():
    """Exempt in Kalooki 51 only, and only if the whole hand is claimed."""
    melds = ["2S 2H 2D 2C", "2S 2H 2D", "3S 3H 3D", "3C 3S 3H"]
    assert broken("opening", table("kalooki-51"), melds=melds, kalooki=True) == []
    assert broken("opening", table("kalooki-51"), melds=melds) == ["opening-points"]
    assert broken("opening", table("kalooki-40"), melds=melds, kalooki=True) == ["opening-points"]


@pytest.mark.parametrize(("variant", "house"), [("classic", {}), ("european", {"opening_points": 0})])
def test_without_a_minimum_no_rule_mentions_one(variant, house):
    assert text_of("kalooki-below-opening", variant, **house) == ""
    assert text_of("builds-open", variant, **house) == ""
    assert "needs no minimum" in text_of("opening-points", variant, **house)
