"""The chart of totals: a line for each player, its mark and its end, and what many hands or a far limit do to it."""

import re

import pytest

from app.games.recording import open_game
from app.sheets.chart import Series, chart
from app.sheets.paper import A4
from app.sheets.score_sheet import lines_of, score_sheet
from tests.pages import hand, start
from tests.web.paper_reader import imported, sheet_lines

pytestmark = pytest.mark.one_app


def totals_chart(*totals, limit=None):
    names = [Series(name, each) for name, each in zip("ABC", totals, strict=False)]
    return chart(names, limit, (100, 50))


def test_every_line_of_a_chart_has_a_mark_of_its_own_and_its_name_beside_it(client, app):
    """The largest table, ten players: 8 jokers make 112 cards, of which each gets 11. They get 0, 7, 14 … 63 points."""
    event = hand(1, **{f"s{seat}": 7 * (seat - 1) for seat in range(2, 11)})
    start = {"variant": "north-american", "players": [*"ABCDEFGHIJ"], "house": {"jokers": 8}}
    code = imported(client, start, [event])
    with app.app_context():
        chart = score_sheet(open_game(code), A4).chart
    assert [(curve.name, curve.last) for curve in chart.curves] == [
        (name, str(7 * place)) for place, name in reversed([*enumerate("ABCDEFGHIJ")])
    ]
    assert len({curve.mark for curve in chart.curves}) == 10
    page = client.get(f"/api/v1/games/{code}/sheet.html").text
    assert re.findall(r'<span dir="auto">(\w)</span> <b>(\d+)</b>', page)[:2] == [("J", "63"), ("I", "56")]
    assert "<title>The totals after each hand: A 0, B 7, C 14" in page


def test_a_mark_of_every_hand_is_in_sight():
    """Eight hands and a buy-in; where two have the same total, their marks are beside each other."""
    lines = (
        Series("A", [0, 58, 120, 175, 94, 116, 136, 136, 136], {3: 94}),
        Series("B", [0, 0, 57, 94, 94, 94, 94, 94, 94]),
    )
    a, b = sorted(chart(lines, 150, (94, 48)).curves, key=lambda curve: curve.name)
    assert (len(a.marked), len(b.marked)) == (9, 8)
    assert not {*a.marked} & {*b.marked}


def test_a_line_of_the_chart_ends_at_the_score_bought_in_at(client):
    scorer = start(client, "european", ["Ann", "Ben", "Cat"])
    scorer.record(hand(1, s2=100, s3=40), hand(1, s2=60, s3=10), {"kind": "buy_in", "seat": 2})
    assert [line for line in sheet_lines(client, scorer.code) if "line Ben" in line] == [
        "hollow circle, broken line Ben 50"
    ]


def test_a_line_drops_where_its_player_bought_in(client, app):
    """Ben: 40, 150 and out, back at Cat's 72, 150 again; Cat: 12, 72, 72. The game goes on after hand 3.

    The drawing is 103 mm wide and 60 mm high: each hand takes (1030 - 25 - 90) / 3 = 305, 150 points the 530 from 20
    to 550. So 40 stands at 550 - 40 * 530 / 150 = 408.7, 72 at 295.6, 12 at 507.6.
    """
    scorer = start(client, "european", ["Ann", "Ben", "Cat"])
    scorer.record(hand(1, s2=40, s3=12), hand(1, s2=110, s3=60))
    scorer.record({"kind": "buy_in", "seat": 2}, hand(3, s1=30, s2=78))
    with app.app_context():
        lines = lines_of(open_game(scorer.code))
    assert [line[:3] for line in lines] == [
        ("Ann", [0, 0, 0, 30], {}),
        ("Ben", [0, 40, 150, 150], {2: 72}),
        ("Cat", [0, 12, 72, 72], {}),
    ]
    drawn = {curve.name: curve for curve in chart(lines, 150, (103, 60)).curves}
    assert drawn["Ben"].points == "90,550 395,408.7 700,20 700,295.6 1005,20"
    assert drawn["Cat"].points == "90,550 395,507.6 700,295.6 1005,295.6"
    # back once more after the last hand, at Cat's 72: the line ends there
    scorer.record({"kind": "buy_in", "seat": 2})
    with app.app_context():
        drawn = chart(lines_of(open_game(scorer.code)), 150, (103, 60))
    (ben,) = (curve for curve in drawn.curves if curve.name == "Ben")
    assert (ben.points.split()[-2:], ben.last, ben.height) == (["1005,20", "1005,295.6"], "72", 295.6)
    assert drawn.in_words == "Ann 30, Ben 72, Cat 72"


def test_a_limit_far_away_does_not_press_the_lines_to_the_floor():
    far, near = totals_chart([0, 99], [0, 10], limit=5000), totals_chart([0, 99], [0, 10], limit=198)
    assert (far.limit, far.beyond) == (None, "5000")
    assert far.curves[0].height == 20  # the highest total at the top of the drawing, 2 mm below its edge
    assert (near.limit.text, near.limit.at, near.beyond) == ("198", 20, "")


def test_many_hands_are_drawn_as_totals_too():
    """A gets 2 a hand, B 5: after 45 hands 90 and 225, every hand a point of the line."""
    drawn = totals_chart([2 * n for n in range(46)], [5 * n for n in range(46)])
    assert [(curve.name, curve.last, len(curve.points.split())) for curve in drawn.curves] == [
        ("B", "225", 46),
        ("A", "90", 46),
    ]
