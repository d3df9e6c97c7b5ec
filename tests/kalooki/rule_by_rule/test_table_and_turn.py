"""The rules of the table and of the turn."""

import re

from app.kalooki.claims import check
from app.kalooki.rules.rulebook import explain, rule_in_words
from app.kalooki.variants import load
from tests.kalooki.rule_talk import broken, numbers_in, step_of, table, text_of, turn

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
    assert "dealer’s left" in text_of("plays-first", "kalooki-40")


def test_more_players():
    assert "as long as there are cards" in text_of("more-players")


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
    assert text_of("how-many-reshuffles").startswith("The pile is shuffled once in a hand;")
    assert "as often as the stock runs out" in text_of("how-many-reshuffles", "kalooki-40")


def test_last_card_of_the_stock():
    assert "starts the new discard pile" in text_of("last-card-of-the-stock")
    assert "wants to draw" in text_of("last-card-of-the-stock", "jamaican")


def test_time_to_shuffle():
    assert "after the discard of whoever drew the last card" in text_of("time-to-shuffle")
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
