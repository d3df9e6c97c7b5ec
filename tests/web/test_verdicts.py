"""Verdicts in words, made without a page: headline, why, what decided, and how the best lay-down is laid."""

import pytest

from app.history.verdicts import basis_of, laydown_rows, ruling_on, standing_words, unclear_beside
from app.kalooki.cards import write
from app.kalooki.claims import CLAIMS, judge
from app.kalooki.decided_by import JudgedClaim
from app.kalooki.rules.answers import answer_of
from app.kalooki.rules.rulebook import rule_in_words, rules_of
from app.kalooki.variants import all_variants, load, with_house_rules

THREE_KINGS, RUN, FOURS = "KS KH KD", "7H 8H 9H", "4S 4H 4D"
TOO_FEW = ["2S 2H 2D", "3S 3H 3D"]
ALL_BUT_ONE = {"melds": [THREE_KINGS, RUN], "opened": True}
THREE_TWOS = "There aren’t that many 2♥: the game has 2 packs and 2 jokers."
NO_CARD_THROWN = "No card is thrown yet. Nobody goes out without throwing one, so keep one back."

TAKEN = {"hand": "KH KD 7H 8H 2C 4C", "opened": False, "steps": [{"do": "draw", "from": "discard", "card": "KS"}]}
TAKEN_KING = "K♠ was taken from the discard pile, but the opening was not reached."
THROWN = {"do": "discard", "card": "2C"}
NO_RUN = TAKEN | {"steps": [*TAKEN["steps"], {"do": "meld", "cards": "7H 8H"}]}


def judged(kind, variant="european", **body):
    table = load(variant)
    claim = CLAIMS[kind].read(body, "")
    return JudgedClaim(claim, table, judge(claim, table))


def plain(line):
    """A line as one reads it, its cards in notation."""
    return " ".join(part if isinstance(part, str) else write(part) for part in line if part)


@pytest.mark.parametrize(
    ("kind", "body", "ok", "headline", "why"),
    [
        # 7 + 8 + 9
        ("meld", {"cards": RUN}, True, "LEGAL", "Run: 7H 8H 9H – 24 points"),
        ("meld", {"cards": "7H 8H"}, False, "NOT LEGAL", "A run needs 3 cards; this one has 2."),
        # 30 of the 40 that open
        ("opening", {"melds": [THREE_KINGS]}, None, "NOT ENOUGH TO OPEN", "Set: KS KH KD – 30 points"),
        # 6 and 9
        (
            "opening",
            {"melds": TOO_FEW},
            None,
            "NOT ENOUGH TO OPEN",
            "The opening needs 40 points; this comes to 15.",
        ),
        ("opening", {"melds": [THREE_KINGS, RUN]}, True, "LEGAL", "54 points; 40 are needed."),
        # 6 of 13
        (
            "opening",
            {"melds": [THREE_KINGS, RUN], "kalooki": True},
            None,
            "NOT THE WHOLE HAND",
            "The melds are legal.",
        ),
        ("out", ALL_BUT_ONE | {"opened": False, "thrown": "2C"}, None, "NOT THE WHOLE HAND", "The melds are legal."),
        ("build", {"on": FOURS, "cards": "4C", "opened": True}, True, "LEGAL", "The meld is then 4S 4H 4D 4C – closed"),
        ("out", ALL_BUT_ONE, None, "NOT YET", NO_CARD_THROWN),
        ("turn", TAKEN, None, "NOT YET", TAKEN_KING),
        # 30 are too few once a card is thrown
        ("turn", TAKEN | {"steps": [*TAKEN["steps"], THROWN]}, False, "NOT LEGAL", TAKEN_KING),
        ("turn", NO_RUN, False, "NOT LEGAL", "A run needs 3 cards; this one has 2."),
        ("out", ALL_BUT_ONE | {"melds": ["7H 8H"]}, False, "NOT OUT", "A run needs 3 cards; this one has 2."),
        # ten and an ace of 11
        ("count", {"cards": "KS AS"}, True, "21 points", "count against the player holding them"),
        ("count", {"cards": "king ace"}, True, "21 points", "count against the player holding them"),
        # of the three, two packs have only two
        ("count", {"cards": "2H 2H 2H"}, None, "TOO MANY", THREE_TWOS),
    ],
)  # fmt: skip
def test_a_verdict_has_a_headline_and_a_reason(kind, body, ok, headline, why):
    ruling = ruling_on(kind, judged(kind, **body))
    assert (ruling.ok, ruling.headline, plain(ruling.why[0])) == (ok, headline, why)


@pytest.mark.parametrize(
    ("goal", "cards", "ok", "headline", "lines"),
    [
        ("open", "10H 10S 10D 10C 5C", True, "YES", ["You can open, and go out.", "10S 10H 10D 10C", "Throw 5C"]),
        ("open", "10H 10S 10D 5C", False, "NO", ["These cards don’t reach 40 points with a card left to throw."]),
        ("go_out", "KS KH KD", False, "NO", ["Every card can be laid, but then none is left to throw, and nobody"]),
        ("least_after_throw", "QH 7H 8H 9H", True, "0 points", ["Yes, you can go out.", "7H 8H 9H", "Throw QH"]),
        (
            "least_after_throw",
            "QH 7H 8H 9H 4S",
            None,
            "4 points",
            ["left after the discard. You can’t get lower with these cards.", "7H 8H 9H", "Throw QH"],
        ),
    ],
)
def test_a_question_of_the_best_lay_down_is_answered_first(goal, cards, ok, headline, lines):
    ruling = ruling_on("solve", judged("solve", goal=goal, cards=cards, opened=goal != "open"))
    assert (ruling.ok, ruling.headline) == (ok, headline)
    for line, begins in zip(ruling.why, lines, strict=False):
        assert plain(line).startswith(begins)


def test_of_what_must_stay_in_the_hand_the_dearest_is_thrown():
    """The run is laid; a queen and a four (10 and 4) stay, of which the queen goes."""
    told = judged("solve", goal="least_after_throw", cards="7H 8H 9H QC 4S", opened=True)
    rows = laydown_rows(told.verdict.laydown)
    said = [(row.does, write(row.cards), plain(row.rest)) for row in rows]
    assert said == [("", "7H 8H 9H", ""), ("throw", "QC", ""), ("left:", "4S", "– 4 points")]


@pytest.mark.parametrize(
    ("kind", "variant", "body", "lead", "is_linked"),
    [
        # S0 has aces high in Europe
        ("meld", "european", {"cards": "AH 2H 3H"}, "ace-high", False),
        # S2 says nothing of suits in a set
        ("meld", "kalooki-51", {"cards": "KS KS KH"}, "set-suits", False),
    ],
)
def test_the_rule_broken_decides(kind, variant, body, lead, is_linked):
    told = judged(kind, variant, **body)
    applied = [rule_in_words(slug, told.variant) for slug in told.verdict.rules]
    first, *_others = basis_of(told, [], applied)
    assert (first.rule.rule, first.is_linked) == (lead, is_linked)


def test_what_nobody_doubts_stands_as_most_of_its_rules_do():
    for variant, badge in (("european", "written rule"), ("south-african", "common practice")):
        told = judged("meld", variant, cards=RUN)
        (basis,) = basis_of(told, [], [rule_in_words(slug, told.variant) for slug in told.verdict.rules])
        assert [piece.text for piece in standing_words(basis.rule, "short")][:1] == [badge]


@pytest.mark.parametrize(
    ("rule", "variant", "length", "begins"),
    [
        ("ace-high", "european", "badge", ["written rule"]),
        ("ace-high", "european", "short", ["written rule", "Kalooki in Europe"]),
        ("ace-high", "south-african", "full", ["common practice", "The source doesn’t say."]),
        ("limit", "european", "short", ["The source is unclear:"]),
        ("limit", "european", "badge", ["the source is unclear"]),
        ("build-after-opening", "classic", "badge", ["the source disagrees"]),
        ("build-after-opening", "classic", "named", ["common practice", "The source disagrees."]),
    ],
)
def test_a_rule_says_where_it_comes_from_at_each_length(rule, variant, length, begins):
    pieces = standing_words(rule_in_words(rule, load(variant)), length)
    for piece, words in zip(pieces, begins, strict=False):
        assert f"{piece.document} {piece.text}".strip().startswith(words)


@pytest.mark.parametrize("variant", all_variants(), ids=lambda variant: variant.id)
def test_every_place_says_of_a_rule_that_its_source_disagrees_or_is_unclear(variant):
    for rule in (rule for chapter in rules_of(variant) for rule in chapter.rules):
        for length in ("badge", "named", "short", "full"):
            text = " ".join(piece.text for piece in standing_words(rule, length)).lower()
            assert ("the source disagrees" in text) is rule.disagrees, (rule.rule, length)
            is_unclear = rule.standing == "both" and not rule.disagrees
            assert ("the source is unclear" in text) is is_unclear, (rule.rule, length)


def test_a_house_rule_is_named_and_what_the_book_says_follows():
    table, _useless = with_house_rules(load("european"), {"limit": 200})
    badge, named, *others = standing_words(rule_in_words("limit", table))
    assert (badge.text, named.text) == ("house rule", "Limit: 200 points")
    assert "150" in " ".join(piece.text for piece in others)


def test_an_irregularity_is_common_practice_and_says_so():
    answer = answer_of("mishap", "drew-two", load("european"))
    assert [piece.text for piece in standing_words(answer)][:2] == [
        "common practice",
        "The source doesn’t cover this.",
    ]
    assert unclear_beside(answer) == []
