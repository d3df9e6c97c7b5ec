"""Every surface tells the same game: what each says is read back as values and held against the core's.

A surface may leave a fact out, or tell a part of it, for the reason written beside it; what it tells besides fails.
"""

import json
import re
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lxml import html

from tests.examples import times
from tests.kalooki.test_games import GAMES, load
from tests.random_play import games
from tests.web import facts_shown as facts
from tests.web.facts_shown import FACTS, known

pytestmark = [pytest.mark.hypothesis, pytest.mark.one_app]
slow = settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
STORIES = (
    *("classic-corrections", "european-set-up-corrected", "jamaican-corrections", "kalooki-40-corrections"),
    *("kalooki-51-stopped", "north-american-winner-collects", "south-african-stopped"),
)
"""A game of each variant: with hands corrected, undone and put in, payments, leavers, ties."""


class Part(NamedTuple):
    """A fact of which a surface tells a part: what the core says of that part, and why not the rest.

    If it is a `tail`, the surface tells the last of it, as much as has room: two hands at least.
    """

    read: object
    of: object
    why: str
    is_tail: bool = False


class Left(NamedTuple):
    """A fact that a surface leaves out, and why."""

    why: str


def left(why, *facts):
    return dict.fromkeys(facts, Left(why))


TRACES = {
    "winners": r"\w+ (won after|wins\b(?! (the deciding )?hand))|share first place",
    "ranks": r"(^|\s)[1-9]\. [A-Z]|\bPlace\b|\brank",
    "totals": r"\bTotal\b(?! [+−]?\D?\d+\.\d\d)|, total",
    "gone": r"\bis out\b(?! of the game but)|, out\b|\bgone home\b|\bleft\b(?! to settle)|\bleaves\b|\bout (at|over)\b",
    "wins": r"wins hand|[Hh]and \d+ won by|\b[Ww]on by\b",
    "points": r"(?<!under )\b\d+ points?\b(?! behind)",
    "due": r"[A-Z]\w+ pays [A-Z]\w+|☐",
    "paid": r"[A-Z]\w+ paid [A-Z]\w+|☑|✓ [A-Z]|cash payment",
    "undone": r"[Uu]ndone|[Rr]edone",
    "corrected": r"[Cc]orrected",
}
"""How a fact would show in the words of a surface that is to leave it out."""

# What parts of a fact are, as the core has it


def at_the_end(fact):
    return lambda it: FACTS[fact](it) if it.game.finish else type(FACTS[fact](it))()


def some(fact, condition):
    """Those of a fact's values for which a condition holds."""
    return lambda it: {key: value for key, value in FACTS[fact](it).items() if condition(it, key, value)}


def nonzero(fact):
    return some(fact, lambda _it, _key, value: value)


def home(fact):
    return some(fact, lambda _it, _name, gone: gone == "left")


def whose_score_changed(it):
    """The losers, and a winner who scored or called."""
    return {
        hand.number: {
            it.game.name(seat): score.points
            for seat, score in hand.scores.items()
            if seat in hand.event.left or score.points or hand.event.calls.get(seat)
        }
        for hand in it.hands
        if hand.entry not in it.amended
    }


def printed(it):
    """The points of each hand; where the winner collects, the cells of the others stay empty."""
    empty = 0 if it.game.variant.scoring == "winner_collects" else None
    rows = FACTS["points"](it).items()
    return {number: {name: each for name, each in row.items() if each != empty} for number, row in rows}


def paid_for_hands(it):
    paid = {movement.entry for movement in it.game.movements if movement.why in ("call-up", "kalooki")}
    return {hand.number: it.game.name(hand.winner) for hand in it.hands if hand.entry in paid}


def hands_corrected(it):
    """Those that a correction changed; one that says the same again leaves nothing to tell."""
    said = {hand.entry: [it.entries[hand.entry - 1].event] for hand in it.hands if hand.entry in it.amended}
    for number, event in it.entries:
        if event.kind == "amend" and event.target in said and number not in it.undone:
            said[event.target].append(event.inner)
    return {hand.number for hand in it.hands if any(each != said[hand.entry][0] for each in said.get(hand.entry, ()))}


def newly_out(it):
    return {
        player.name: "out"
        for seat, player in it.game.players.items()
        if it.before.players[seat].playing and not player.playing
    }


def who_is_read_out(it):
    """Who is in the hand, or whose money or offer it changes."""
    last = it.game.hands[-1]
    lapsed = it.before.offers.keys() - it.game.offers
    moved = {seat for seat, held in it.game.balances.items() if held != it.before.balances[seat]}
    return it.names({seat: it.game.players[seat].total for seat in last.scores.keys() | lapsed | moved})


def called_up(it):
    entry = it.game.hands[-1].entry
    paid = [each for each in it.game.postings if each.entry == entry and each.why in ("call-up", "kalooki")]
    return {(it.game.name(it.game.hands[-1].winner), -each.amount) for each in paid if each.amount < 0}


def of_the_hand(it):
    hand = it.game.hands[-1]
    return it.names({seat: score.points for seat, score in hand.scores.items() if score.points})


HISTORY, PROGRAMS = "the history says what was recorded, not what follows", "a program or a formula works it out itself"
SETTLING, CHAT = "it is about money", "a chat gets the result, not the way there"
COUNTS, NOT_YET = "it holds what counts", "before the end nothing is settled"

TOLD = {
    "game page": {
        "winners": facts.board_winners,
        "ranks": Part(facts.board_ranks, at_the_end("ranks"), "while it goes on, players stand as they sit"),
        "totals": facts.board_totals,
        "gone": Part(
            facts.board_gone,
            some("gone", lambda it, _name, gone: gone == "left" or not it.game.finish),
            "once it is over, the totals say who was out",
        ),
        "wins": facts.board_wins,
        "points": facts.board_points,
        "due": lambda page: facts.payments(facts.lines_in("li")(page), "pays"),
        "paid": Part(lambda page: facts.payments(facts.lines_in("li")(page), "paid"), at_the_end("paid"), NOT_YET),
        **left("the history keeps it; the page shows the game as it stands", "undone", "corrected"),
    },
    "history": {
        **left(HISTORY, "winners", "ranks", "totals", "due"),
        "gone": Part(facts.history_gone, home("gone"), HISTORY),
        "wins": facts.history_wins,
        "points": Part(
            facts.history_points, whose_score_changed, "what a hand counts stands where it was first recorded"
        ),
        "paid": facts.history_paid,
        "undone": facts.history_undone,
        "corrected": facts.history_corrected,
    },
    "sheet.html": {
        "winners": lambda page: {
            name for name, cell in facts.foot(page, "Total").items() if "crown" in cell.get("class")
        },
        "ranks": Part(
            lambda page: {
                name: int(facts.words(cell))
                for name, cell in facts.foot(page, "Place").items()
                if facts.words(cell) != "left"
            },
            lambda it: FACTS["ranks"](it) if it.hands else {},
            "before the first hand nobody has a place",
        ),
        "totals": lambda page: {n: facts.number(facts.words(cell)) for n, cell in facts.foot(page, "Total").items()},
        "gone": facts.sheet_gone,
        "wins": lambda page: {
            hand: next(name for name, cell in row.items() if "won" in cell.get("class").split())
            for hand, row in facts.sheet_hands(page)
        },
        "points": lambda page: {
            hand: {name: facts.printed_points(facts.words(cell)) for name, cell in row.items()}
            for hand, row in facts.sheet_hands(page)
        },
        "due": lambda page: facts.payments(facts.lines_in("table[@class='pays']//tr")(page), "pays"),
        "paid": lambda page: facts.payments(facts.lines_in("table[@class='pays']//tr")(page), "paid"),
        **left("what was undone is in the history", "undone"),
        "corrected": Part(facts.sheet_corrected, hands_corrected, "by the hand's number, not by its entry"),
    },
    "sheet.csv": {
        **left(PROGRAMS, "winners", "ranks", "due"),
        "totals": Part(
            lambda rows: facts.without_zeros({row["player"]: int(row["total"]) for row in rows if row["player"]}),
            nonzero("totals"),
            "a player to whom nothing happened has no row",
        ),
        "gone": facts.csv_gone,
        "wins": lambda rows: {int(r["hand"]): r["player"] for r in facts.csv_hands(rows) if r["result"] != "lost"},
        "points": facts.csv_points,
        "paid": facts.csv_paid,
        **left(COUNTS, "undone", "corrected"),
    },
    "sheet.txt": {
        "winners": facts.text_winners,
        "ranks": lambda lines: {name: place for name, place, _, _ in facts.standings(lines) if place},
        "totals": lambda lines: {name: total for name, _, total, _ in facts.standings(lines)},
        "gone": lambda lines: {name: gone for name, _, _, gone in facts.standings(lines) if gone},
        **left(CHAT, "wins", "points", "undone", "corrected"),
        "due": lambda lines: facts.payments(lines, "pays"),
        "paid": Left("it tells what is still open, and says so"),
    },
    "picture": {
        "winners": lambda page: facts.headline(facts.words(page.find(".//h1"))),
        "ranks": facts.picture_ranks,
        "totals": lambda page: facts.ranking(page, lambda row: facts.number(facts.words(facts.found(row, "total")[0]))),
        "gone": facts.picture_gone,
        "wins": Part(facts.picture_wins, FACTS["wins"], "a phone has room for the last hands", is_tail=True),
        "points": Part(facts.picture_points, printed, "a phone has room for the last hands", is_tail=True),
        "due": lambda page: facts.payments(facts.lines_in("p")(page), "pays"),
        "paid": Part(lambda page: facts.payments(facts.lines_in("p")(page), "paid"), at_the_end("paid"), NOT_YET),
        **left(CHAT, "undone", "corrected"),
    },
    "settle page": {
        **left(SETTLING, "winners", "ranks", "totals", "gone", "points"),
        "wins": Part(facts.settle_wins, paid_for_hands, "a hand for which nobody paid moved no money"),
        "due": facts.settle_due,
        "paid": lambda page: facts.payments([facts.words(each) for each in facts.found(page, "settled-done")], "paid"),
        **left(COUNTS, "undone", "corrected"),
    },
    "JSON state": {
        "winners": lambda state: {facts.named(state, seat) for seat in state["winners"]},
        "ranks": Left(PROGRAMS),
        "totals": lambda state: facts.by_name(state, lambda player: player["total"]),
        "gone": facts.json_gone,
        "wins": lambda state: {hand["number"]: facts.named(state, hand["winner"]) for hand in facts.json_hands(state)},
        "points": facts.json_points,
        "due": facts.json_due,
        "paid": facts.json_paid,
        "undone": Part(facts.undoing, lambda it: set(it.undone), "that it was undone; the undo in the log names it"),
        "corrected": Part(
            lambda state: {each["entry"]: each["amended_by"] for each in state["log"] if each["amended_by"]},
            lambda it: it.amended,
            "also of entries that were undone after it",
        ),
    },
}
TOLD["result text"] = TOLD["sheet.txt"] | {
    "paid": Part(lambda lines: facts.payments(lines, "paid"), at_the_end("paid"), NOT_YET)
}
NEXT = "it says what one more hand would change"
PREVIEW = {
    "winners": facts.preview_winners,
    **left(NEXT, "ranks", "paid", "undone", "corrected"),
    "totals": Part(
        lambda page: facts.preview_rows(page, lambda row: facts.number(facts.words(row.xpath(".//strong")[0]))),
        who_is_read_out,
        NEXT,
    ),
    "gone": Part(facts.preview_gone, newly_out, NEXT),
    "wins": Part(
        facts.preview_title,
        lambda it: (FACTS["wins"](it)[it.game.hands[-1].number], str(it.game.hands[-1].number)),
        NEXT,
    ),
    "points": Part(facts.preview_points, of_the_hand, NEXT),
    "due": Part(facts.preview_call_up, called_up, "the call-up of this hand; who pays whom is settled at the end"),
}
READ = {
    "game page": facts.page_of,
    "history": facts.history_of,
    "sheet.html": facts.sheet_of,
    "sheet.csv": facts.csv_of,
    "sheet.txt": facts.text_of("/api/v1/games/{}/sheet.txt"),
    "result text": facts.text_of("/g/{}/result.txt"),
    "picture": facts.picture_of,
    "settle page": facts.settle_of,
    "JSON state": facts.state_of,
}


def astray(surface, row, shown, it):
    """Where a surface tells something else than the core has, or what it is to leave out."""
    for fact, how in row.items():
        if isinstance(how, Left):
            if trace := re.search(TRACES[fact], said(shown)):
                yield surface, fact, trace[0], how.why
            continue
        read, expected = (how.read, how.of) if isinstance(how, Part) else (how, FACTS[fact])
        found, right = read(shown), expected(it)
        if isinstance(how, Part) and how.is_tail:
            right = dict([*right.items()][-max(len(found), 2) :])
        if found != right:
            yield surface, fact, found, right


def said(shown):
    """The words of a surface; of a program's file the names of its fields."""
    if isinstance(shown, html.HtmlElement):
        return facts.words(shown)
    if isinstance(shown, list) and shown and isinstance(shown[0], str):
        return " ".join(shown)
    return json.dumps([*shown[0]] if isinstance(shown, list) and shown else [*shown], default=str)


def every_surface_tells(alice):
    events = [entry.event for entry in alice.table.log.entries]
    it = known(events)
    wrong = [each for surface, row in TOLD.items() for each in astray(surface, row, READ[surface](alice), it)]
    if not it.game.finish and len(it.game.playing) > 1:
        first, *others = [player.seat for player in it.game.playing]
        hand = {"kind": "hand", "winner": first, "ending": "going_out"}
        hand |= {"left": {str(seat): {"points": 20} for seat in others}}
        wrong += astray("preview", PREVIEW, facts.preview_of(alice, hand), known([*events, hand]))
    assert not wrong, wrong


def test_every_fact_has_its_place_in_the_table():
    assert READ.keys() == TOLD.keys()
    for surface, row in {**TOLD, "preview": PREVIEW}.items():
        assert row.keys() == FACTS.keys() == TRACES.keys(), surface
        assert all(how.why for how in row.values() if isinstance(how, (Part, Left))), surface


@pytest.mark.parametrize("name", STORIES)
def test_every_surface_tells_the_story_of(app, name):
    story = next(load(path) for path in GAMES if path.stem == name)
    events = (line["event"] for line in story["entries"] if not line.get("refused"))
    every_surface_tells(facts.Kept(app, story["start"], *events))


def test_every_surface_tells_of_a_payment_that_lost_its_sense(app):
    """Ben paid the call-up; then the table says that money was thrown as it fell due."""
    start = {"variant": "european", "players": ["Ann", "Ben"], "stakes": {"currency": "EUR", "call_up": 10}}
    hand = {"kind": "hand", "winner": 1, "ending": "going_out", "left": {"2": "KH"}}
    paid = {"kind": "paid", "from": 2, "to": 1, "amount": 10}
    alice = facts.Kept(app, start, hand, {"kind": "stop", "pool": "refund"}, paid, {"kind": "setup", "settle": "cash"})
    assert "won’t count until you fix it" in facts.words(facts.history_of(alice))
    every_surface_tells(alice)


def hand_won(winner, points):
    return {"kind": "hand", "winner": winner, "ending": "going_out", "left": {str(3 - winner): {"points": points}}}


BEN_WON = {"kind": "amend", "target": 2, "event": hand_won(2, 5)}
MORE_LEFT = {"kind": "amend", "target": 2, "event": hand_won(2, 6)}


@pytest.mark.parametrize(
    "later",
    [
        pytest.param([BEN_WON], id="another-won"),
        pytest.param([BEN_WON, MORE_LEFT], id="the-second-leaves-the-winner"),
        pytest.param([BEN_WON, MORE_LEFT, {"kind": "undo", "target": 3}], id="the-first-undone-after-it"),
        pytest.param([BEN_WON, {"kind": "undo", "target": 3}, BEN_WON], id="made-again"),
        pytest.param([{"kind": "amend", "target": 2, "event": {"kind": "void"}}, BEN_WON], id="a-redeal-between"),
    ],
)
def test_every_surface_tells_who_won_after_corrections(app, later):
    start = {"variant": "kalooki-40", "players": ["Ann", "Ben"]}
    every_surface_tells(facts.Kept(app, start, hand_won(1, 5), *later))


def corrections(log):
    """Some of a game's hands, to be undone or won by somebody else; what does not fit is refused."""
    hands = [number for number, event in enumerate(log, 1) if event.get("kind") == "hand"]
    undone = st.fixed_dictionaries({"kind": st.just("undo"), "target": st.sampled_from(hands or [1])})
    amended = st.fixed_dictionaries(
        {"kind": st.just("amend"), "target": st.sampled_from(hands or [1]), "points": st.integers(1, 99)}
    )
    return st.lists(undone | amended, max_size=2)


def correcting(log, change):
    if change["kind"] == "undo":
        return change
    hand = log[change["target"] - 1]
    left = dict(hand.get("left", {}))
    left |= {seat: {"points": change["points"]} for seat in [*left][:1]}
    return {"kind": "amend", "target": change["target"], "event": hand | {"left": left}}


def test_every_surface_tells_random_games(app):
    @settings(slow, max_examples=times(50))
    @given(st.data())
    def tell(data):
        log = data.draw(games())
        alice = facts.Kept(app, *log)
        for change in data.draw(corrections(log)):
            alice.try_to_record(correcting(log, change))
        every_surface_tells(alice)

    tell()
