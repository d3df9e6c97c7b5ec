"""The rules of going out, of the score, of the money and of the end."""

from app.kalooki.cards import parse_left
from app.kalooki.claims import check
from app.kalooki.rules.rulebook import rule_in_words
from app.kalooki.scoring import left_lines
from app.kalooki.variants import load
from tests.kalooki.rule_talk import broken, numbers_in, step_of, table, text_of, turn

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
    assert text_of("score-when-out").endswith(
        "In the ranking it decides only between players knocked out by the same hand."
    )
    assert text_of("score-when-out", "jamaican") == ""


def test_breaking_off():
    assert "what happens to the pool" in text_of("breaking-off")
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
    assert numbers_in("pool", "kalooki-51") == [75, 100, 25, 100]
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
        "A mistake costs 10 points if the table charges for it"
    )
