"""Our own sheet typed back cell for cell is the same game; what the paper shows is what counts."""

import html
import re
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.games.recording import open_game
from app.sheets.score_sheet import rows_of
from tests.examples import times
from tests.house_rules import VARIANTS
from tests.json_scorer import Scorer
from tests.pages import words
from tests.random_play import NAMES, legal_events
from tests.simulator import usual

pytestmark = pytest.mark.one_app

SOME = settings(
    deadline=None,
    max_examples=times(12),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


def typed_back(client, start, rows, written=(), **more):
    """The answer to a sheet of such a table, its rows as cells in the order of the seats."""
    form = {"variant": start["variant"], "names": ", ".join(start["players"]), "dealt_first": str(start["dealer"])}
    form |= {"out_at": usual(start["variant"]).get("out_at") or "limit", "settle": "account", "do": "save"}
    form |= {f"house-{rule}": str(value) for rule, value in start.get("house", {}).items()}
    form |= {f"cell-{row}-{seat}": cell for row, cells in enumerate(rows) for seat, cell in enumerate(cells, 1)}
    form |= {f"written-{seat}": str(total) for seat, total in enumerate(written, 1)}
    return client.post("/copy", data=form | {"day": "2024-02-29", "submission": str(uuid4())} | more)


def totals(client, answer):
    assert answer.status_code == 303, errors(answer)
    state = client.get(f"/api/v1/games/{answer.location.rsplit('/', 1)[1]}").json
    return [player["total"] for player in state["players"]]


def errors(answer):
    return [html.unescape(text) for text in re.findall(r'<p class="error"[^>]*>([^<]+)</p>', answer.text)]


def printed(app, code):
    """The cells of our sheet: what a player got or, where somebody bought in, the circled total."""
    with app.app_context():
        rows = [*rows_of(open_game(code))]
    void = "void"
    return [
        [cell.total if cell.marks == "bought" else cell.points for cell in row.cells]
        if not row.text
        else [void, *[""] * (len(row.cells) - 1)]
        for row in rows
        if row.entry and (not row.text or row.number or "dealt by" in row.text)
    ]


@pytest.mark.hypothesis
@pytest.mark.parametrize("collects", [False, True])
@pytest.mark.parametrize("variant", sorted(VARIANTS))
def test_our_own_sheet_typed_back_gives_the_same_totals(app, client, variant, collects):
    @SOME
    @given(st.data())
    def play(data):
        house = {"scoring": "winner_collects", "limit": 200} if collects else {}
        players = data.draw(st.integers(2, 4))
        start = {"variant": variant, "players": NAMES[:players], "dealer": 1, "house": house, "stakes": None}
        log = [start]
        scorer = Scorer(client, start)
        for _ in range(data.draw(st.integers(1, 8))):
            event = data.draw(legal_events(log, ["hand", "hand", "hand", "penalty", "buy_in", "void"]))
            if event:
                scorer.record(event)
                log.append(event)
        state = scorer.state()
        if not any(hand.get("winner") for hand in state["hands"]):
            return
        known = [player["total"] for player in state["players"]]
        rows = printed(app, scorer.code)
        for written in ((), known):
            assert totals(client, typed_back(client, start, rows, written)) == known, rows

    play()


def sheet(variant, *rows, house=None, players=None):
    """A table of such a variant, and its rows of cells."""
    names = NAMES[: players or len(rows[0])]
    return {"variant": variant, "players": names, "dealer": 1, "house": house or {}}, rows


COLLECTS = {"scoring": "winner_collects", "limit": 500}
BY_HAND = {
    # the second hand: 25 are in 46, 65 and 58 already
    "kalooki": (sheet("kalooki-51", ("✓", "20", "31", "44"), ("46", "K", "65", "58")), [46, 20, 96, 102]),
    # bent: 40 is 2 × 20, and Cat's 110 are 2 × 5 and two calls too many at 50
    "bent": (sheet("jamaican", ("B", "40", "10+100")), [0, 40, 110]),
    # four calls: one too many costs Ann 50, and what she bent is not doubled
    "over-called": (sheet("jamaican", ("B 0+50", "15", "5"), ("✓ 100", "3", "7")), [150, 18, 12]),
    "calls told": (sheet("jamaican", ("B / 4", "15", "65/4"), ("60/4", "✓", "2")), [110, 15, 67]),
    # 17 of the sheet are not 17 cards: a penalty, and a buy-in at 77 as the circle says
    "between": (
        sheet("european", ("✓", "58", "104"), ("7", "✓", "60"), ("+10", "", ""), ("", "", "58"), ("✓", "1", "2")),
        [17, 59, 60],
    ),
    # 121 are 2 × 25 and 71, of which the others have 36 and 35; a penalty takes 10 away
    "collects": (
        sheet("kalooki-51", ("", "K 121", ""), ("• ✓ 46", "0", ""), ("", "−10", ""), house=COLLECTS),
        [46, 111, 0],
    ),
    "collects less": (sheet("jamaican", ("✓ 100−100", "•", ""), ("", "", "B 80"), house=COLLECTS), [0, 0, 80]),
    "bonus": (sheet("classic", ("✓", "20"), ("", "−5")), [0, 15]),
    "below zero": (sheet("classic", ("✓", "20"), ("−30", "")), [-30, 20]),
    # Ben buys in at the −5 of Ann, and Cat at −20 + 10 + 3 is below her
    "bought below zero": (
        sheet("european", ("−5", "", ""), ("", "", "−20"), ("✓", "160", "10"), ("", "−5", ""), ("✓", "20", "3")),
        [-5, 15, -7],
    ),
    "collects unmarked": (sheet("classic", ("", "33"), house=COLLECTS), [0, 33]),
}


@pytest.mark.parametrize(("paper", "made"), BY_HAND.values(), ids=BY_HAND)
def test_a_cell_is_what_the_hand_counted(client, paper, made):
    assert totals(client, typed_back(client, *paper)) == made
    assert totals(client, typed_back(client, *paper, made)) == made


@pytest.mark.parametrize(
    ("paper", "at", "said"),
    [
        (
            sheet("jamaican", ("B", "35", "20")),
            "0-2",
            "Ben: 35 can’t be right: bending the table doubles the points. Write the doubled figure.",
        ),
        (
            sheet("kalooki-51", ("40", "K", "25")),
            "0-3",
            "Cat: 25 is too low: this hand adds 25 to the cards, so write more than 25.",
        ),
        (
            sheet("jamaican", ("✓", "50/4", "20")),
            "0-2",
            "Ben: 50 is too low: this hand adds 50 to the cards, so write more than 50.",
        ),
        (sheet("jamaican", ("✓ 20", "5", "20")), "0-1", "Ann went out, so no cards are left in that hand."),
        (
            sheet("jamaican", ("", "B 41", ""), house=COLLECTS),
            "0-2",
            "Ben: 41 can’t be right: bending the table doubles",
        ),
        (
            sheet("classic", ("✓ 1", "", ""), house=COLLECTS),
            "0-1",
            "Ann: 1 can’t be right: all 2 others held something",
        ),
        (
            sheet("classic", ("✓ 99999", ""), house=COLLECTS),
            "0-1",
            "Ann: “99999” is not a whole number from 0 to 10000.",
        ),
        (
            sheet("classic", ("✓ 12", "5", "6"), house=COLLECTS),
            "0-1",
            "Ann: 12 can’t be right: the other cells make 11.",
        ),
    ],
)
def test_a_number_no_cards_can_make_is_a_fault_of_its_cell(client, paper, at, said):
    answer = typed_back(client, *paper)
    assert answer.status_code == 422
    assert said in " ".join(errors(answer))
    assert re.findall(r'id="cell-(\d-\d)"[^>]* autofocus', answer.text) == [at]


KALOOKI = BY_HAND["kalooki"][0]
ALONE = [71, 20, 121, 127]  # 46 + 25, and 25 more for Cat and Dan


def test_numbers_that_are_the_cards_alone_are_ticked(client):
    assert totals(client, typed_back(client, *KALOOKI, ALONE, cards_alone="1")) == ALONE
    checked = typed_back(client, *KALOOKI, ALONE, cards_alone="1", do="check")
    assert re.search(r'name="cards_alone" value="1" checked', checked.text)
    # not ticked, the totals of the paper tell
    answer = typed_back(client, *KALOOKI, ALONE)
    assert answer.status_code == 422
    assert errors(answer)[0] == "Ann: the paper says 71, the hands make 46."


def test_cards_alone_are_doubled_and_the_price_of_calls_is_added(client):
    """Bent: Ben 2 × 35, Cat 2 × 20 and two calls too many at 50."""
    paper = sheet("jamaican", ("B", "35", "20/5"))
    assert totals(client, typed_back(client, *paper, cards_alone="1")) == [0, 70, 140]
    page = words(typed_back(client, *paper, cards_alone="1", do="check").text)
    assert "20/5 means the same: 20 points, 5 calls." in page
    assert "write the points doubled" not in page


def test_cards_alone_make_the_gain_of_who_collects(client):
    """71 cards: 36 of Ann's and 35 of Cat's, and 25 for each of the two."""
    paper = sheet("kalooki-51", ("", "K 71", ""), house=COLLECTS)
    assert totals(client, typed_back(client, *paper, cards_alone="1")) == [0, 121, 0]


@pytest.mark.parametrize(
    ("variant", "house", "told"),
    [
        ("kalooki-51", {}, "What K adds is worked out here."),
        ("jamaican", {}, "What B and calls add is worked out here."),
        ("jamaican", {"kalooki_times": 1}, "What calls add is worked out here."),
        ("european", {}, ""),
    ],
)
def test_the_cards_alone_are_offered_where_a_hand_adds_to_them(client, variant, house, told):
    page = words(typed_back(client, *sheet(variant, ("✓", "20"), house=house), do="check").text)
    assert ("The numbers are the cards alone" in page) == bool(told)
    assert told in page


def test_totals_that_differ_from_the_cards_alone_are_told(client):
    """Dan's 128 is not 127."""
    answer = typed_back(client, *KALOOKI, [71, 20, 121, 128], cards_alone="1")
    assert answer.status_code == 422
    assert errors(answer) == ["Dan: the paper says 128, the hands make 127."]
