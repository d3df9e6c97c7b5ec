"""Every value a table may choose makes some claim, count or game come out differently: the outcomes by hand."""

import re

import pytest

from app.kalooki.cards import parse_left
from app.kalooki.claims import check
from app.kalooki.game.play import play, warnings
from app.kalooki.points import points_left
from app.kalooki.rules.rulebook import rule_in_words
from app.kalooki.variants import meanings
from tests.kalooki.rule_talk import broken, step_of, table
from tests.kalooki.table_talk import begin, hand, record, totals

FORTY = "10H JH QH KH"
"""A run of exactly 40 points."""


def breaks(kind, **claim):
    """Probe: the rules a claim breaks."""
    return lambda variant, house: broken(kind, table(variant, **house), **claim)


def opening(*melds, **claim):
    return breaks("opening", melds=list(melds), **claim)


def turn(held, *steps, **claim):
    """Probe: the rules a turn breaks."""
    return breaks("turn", hand=held, steps=list(map(step_of, steps)), **claim)


def counts(cards):
    """Probe: what cards left count."""
    return lambda variant, house: points_left(parse_left(cards), table(variant, **house))


def figures(rule):
    """Probe: the numbers or the first words in the text of a rule that nothing is computed by."""
    return lambda variant, house: (
        re.findall(r"\d+", rule_in_words(rule, table(variant, **house)).text)
        or rule_in_words(rule, table(variant, **house)).text.split()[:3]
    )


def ends(held, *steps, **claim):
    """Probe: how a legal turn ends the hand."""

    def probe(variant, house):
        verdict = check("turn", {"hand": held, "steps": list(map(step_of, steps))} | claim, table(variant, **house))
        assert verdict.ok, verdict.faults
        return verdict.ending

    return probe


def game(look, *events, players=("Ann", "Ben"), also=None, **start):
    """Probe: what `look` returns for a game after some events."""

    def probe(variant, house):
        log = begin(variant, players, house=(also or {}) | house, **start)
        return look(record(log, *events))

    return probe


def scored(*events, **start):
    return game(totals, *events, **start)


def shared(*events):
    """Probe: what each of three players has won in the end."""
    return game(balances, *events, players=THREE, stakes={})


def of(name):
    return lambda log: getattr(play(log), name)


def status(log):
    return play(log).status


def buys_in(log):
    """Return the score at which the second player may buy in, None without an offer."""
    return play(log).offers.get(2)


def balances(log):
    return [*play(log).balances.values()]


def warnings_of(log):
    return [fault.rule for fault in warnings(play(log), len(log))]


CONTRACT = {"contracts": [[1, 1]], "dealt": 13}
TWO_HANDS = (hand(1, s2=30), hand(1, s2=20))
BEN_OUT = hand(1, s2=160, s3=40)
THREE = ("Ann", "Ben", "Cat")
NINETY = hand(1, s2=60, s3=90), {"kind": "end"}
KALOOKI = hand(1, "kalooki", s2="KH QD")

# key: variant, the value of the table's own, what is asked, what comes out without it, and with it
ASKED = {
    "packs": ("european", 3, breaks("deck", holdings=["KH KH KH"]), ["more-than-the-pack"], []),
    "jokers": ("european", 3, breaks("deck", holdings=["* * *"]), ["more-than-the-pack"], []),
    "players_fewest": ("european", 3, game(warnings_of), [], ["unusual-number-of-players"]),
    "players_most": ("european", 6, game(warnings_of, players="ABCDEF"), ["unusual-number-of-players"], []),
    "dealt": ("european", 11, game(of("dealt")), 13, 11),
    "dealt_by": ("jamaican", "players", game(of("dealt"), players=THREE), 9, 10),
    "seats": ("european", "table", figures("seats"), ["Every", "player", "draws"], ["The", "table", "chooses"]),
    "plays_first": ("european", "highest_card", game(of("first")), 2, None),
    "set_most": ("european", 3, breaks("meld", cards="7H 7S 7D 7C"), [], ["set-size"]),
    "set_suits": ("european", "free", breaks("meld", cards="7H 7H 7D"), ["set-suits"], []),
    "run_least": ("european", 4, breaks("meld", cards="5H 6H 7H"), [], ["run-length"]),
    "run_most": ("european", 4, breaks("meld", cards="5H 6H 7H 8H 9H"), [], ["run-length"]),
    "ace": ("european", "both", breaks("meld", cards="AS 2S 3S"), ["ace-high"], []),
    "set_naturals": ("european", 2, breaks("meld", cards="7H *=7S *=7D"), [], ["naturals"]),
    "run_naturals": ("european", 2, breaks("meld", cards="7H *=8H *=9H"), [], ["naturals"]),
    "jokers_together": ("european", False, breaks("meld", cards="7H *=8H *=9H 10H"), [], ["jokers-together"]),
    "runs_of_one_suit": ("european", "one", opening(FORTY, "4H 5H 6H"), [], ["runs-of-one-suit"]),
    "sets_of_one_rank": ("european", "one", opening("KH KD KS", "KH KD KC"), [], ["sets-of-one-rank"]),
    "melds_a_turn": (
        "european", 1,
        turn("5H 6H 7H 9S 9D 9C 2C", "draw stock 3C", "meld 5H 6H 7H", "meld 9S 9D 9C", "discard 2C", opened=True),
        [], ["one-meld-a-turn"],
    ),
    "high_ace_points": ("european", 20, opening("QH KH AH"), ["opening-points"], []),  # 31, then 40
    "low_ace_points": ("north-american", 16, opening("AH 2H 3H", "KS KD KC"), ["opening-points"], []),  # 50, then 51
    "set_ace_points": ("european", 14, opening("AH AD AS"), ["opening-points"], []),  # 33, then 42
    "court_points": ("european", 14, opening("KH KD KS"), ["opening-points"], []),  # 30, then 42
    "joker_points": ("kalooki-40", 15, opening("9S 10S *", "3H 3D 3S"), ["opening-points"], []),  # 38, then 43
    "opening_points": ("european", 30, opening("KH KD KS"), ["opening-points"], []),
    "contracts": ("european", [[1, 1]], opening("KH KD KS", "QH QD QS"), [], ["contract"]),
    "builds_open": (
        "european", True, opening("KH KD KS", builds=[{"on": "10S JS QS", "cards": "KS"}]), ["opening-points"], []
    ),
    "discard_before_opening": (
        "european", "free", turn("5H 6H 7H", "draw discard 3C", "discard 5H"), ["discard-before-opening"], []
    ),
    "first_draw_free": (
        "european", False,
        turn("5H 6H 7H", "draw discard 3C", "discard 5H", first_turn=True), [], ["discard-before-opening"],
    ),
    "discard_after_opening": (
        "european", "never",
        turn("5H 6H 7H", "draw discard 3C", "discard 5H", opened=True), [], ["discard-after-opening"],
    ),
    "build_same_turn": (
        "european", False, opening(FORTY, builds=[{"on": "4S 5S 6S", "cards": "7S"}]), [], ["build-same-turn"]
    ),
    "build_end_limit": ("european", 1, breaks("build", on="4S 5S 6S", cards="7S 8S"), [], ["build-end-limit"]),
    "run_ends": ("european", "high_first", breaks("build", on="4S 5S 6S", cards="3S"), [], ["run-ends"]),
    "joker_from_set": ("european", "one", breaks("joker", on="7H 7S *", give="7D"), ["joker-from-set"], []),
    "joker_from_full_set": (
        "european", "one", breaks("joker", on="7H 7S 7D *", give="7C"), ["joker-from-full-set"], []
    ),
    "joker_from_two_joker_set": (
        "european", "one", breaks("joker", on="7H *=7S *=7D", give="7S"), ["joker-from-two-joker-set"], []
    ),
    "joker_from_run": ("european", "never", breaks("joker", on="5C * 7C", give="6C"), [], ["joker-from-run"]),
    "last_discard": (
        "european", False, turn("7H 8H", "draw stock 9H", "meld 7H 8H 9H", opened=True), ["last-discard"], []
    ),
    "joker_discard": ("european", False, turn("7H *", "draw stock 9C", "discard *"), [], ["joker-discard"]),
    "warning_at": (
        "european", 1,
        turn("7H 8H", "draw stock 2C", "build 0 7H 8H", "discard 2C", opened=True,
             table=[{"cards": "4H 5H 6H"}], held_after_last_turn=2, warned=False),
        ["few-cards-warning"], [],
    ),
    "reshuffles": ("european", 3, figures("how-many-reshuffles"), ["The", "pile", "is"], ["3"]),
    "kalooki_builds": (
        "european", True,
        ends(f"{FORTY} 7S", "draw stock 2C", f"meld {FORTY}", "build 0 7S", "discard 2C",
             table=[{"cards": "4S 5S 6S"}]),
        "going_out", "kalooki",
    ),
    "kalooki_below_opening": (
        "european", True, turn("2H 3H 4H", "draw stock 9C", "meld 2H 3H 4H", "discard 9C"), ["opening-points"], []
    ),
    "kalooki_points": ("european", 25, scored(KALOOKI), [0, 20], [0, 45]),
    "kalooki_times": ("european", 3, scored(KALOOKI), [0, 20], [0, 60]),
    "joker_left": ("european", 25, counts("*"), 15, 25),
    "black_ace_left": ("european", 15, counts("AS"), 11, 15),
    "red_ace_left": ("european", 1, counts("AH Ared"), 22, 2),
    "court_left": ("european", 5, counts("KH 10S 4C"), 24, 14),
    "scoring": ("european", "winner_collects", scored(hand(1, s2=30)), [0, 30], [30, 0]),
    "decided_by": (
        "european", "points", game(status, {"kind": "leave", "seat": 2}, also={"limit": None}), "over", "playing"
    ),
    "limit": ("european", 50, game(status, *TWO_HANDS, players=THREE[:2]), "playing", "over"),
    "out_at": ("european", "over_limit", game(status, hand(1, s2=150)), "over", "playing"),
    "buy_ins": ("european", 0, game(status, BEN_OUT, players=(*THREE,)), "buy_ins", "playing"),
    "buy_in_score": ("european", "highest_plus_one", game(buys_in, BEN_OUT, players=THREE), 40, 41),
    "game_hands": ("european", 2, game(status, *TWO_HANDS), "playing", "over"),
    "ended_by_table": ("european", True, game(lambda log: play(log).variant.ends_at_will), False, True),
    "stake_call_up": ("european", 3, game(balances, hand(1, s2=30), stakes={}), [-40, -60], [-20, -80]),
    "stake_kalooki": ("european", 4, game(balances, KALOOKI, stakes={}), [-30, -70], [-10, -90]),
    "stake_initial": ("european", 7, game(balances, stakes={}), [-50, -50], [-70, -70]),
    "stake_buy_in": (
        "european", 6,
        game(balances, BEN_OUT, {"kind": "buy_in", "seat": 2}, players=THREE, stakes={}),
        [-30, -110, -60], [-30, -120, -60],
    ),
    "calls": ("jamaican", 2, scored(hand(1, s2=10, s3=10, calls={"2": 3}), players=THREE), [0, 10, 10], [0, 60, 10]),
    "call_penalty": (
        "jamaican", 30, scored(hand(1, s2=10, s3=10, calls={"2": 4}), players=THREE), [0, 60, 10], [0, 40, 10]
    ),
    "mishap_points": ("european", 5, figures("price-of-a-mishap"), ["Nobody", "is", "charged"], ["5"]),
    # the pool is 150: a quarter is 37, so 18 for each of two, and 114 for Ann
    "pool_others": ("kalooki-51", "none", shared(*NINETY), [64, -32, -32], [100, -50, -50]),
    "pool_others_percent": ("kalooki-51", 40, shared(*NINETY), [64, -32, -32], [40, -20, -20]),
    "pool_others_limit": ("kalooki-51", 61, shared(*NINETY), [64, -32, -32], [63, -13, -50]),
}  # fmt: skip


@pytest.mark.parametrize("key", ASKED)
def test_every_house_rule_changes_an_outcome(key):
    variant, own, probe, without, with_it = ASKED[key]

    assert probe(variant, {}) == without
    assert probe(variant, {key: own}) == with_it


def test_every_house_rule_has_a_row():
    chosen = {key for key, meaning in meanings().items() if meaning.house}
    assert ASKED.keys() == chosen, "show in ASKED a case that the value decides, by hand"
