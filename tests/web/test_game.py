"""The game page: what the table reads off it."""

import re

import pytest

from tests.pages import Alice, hand, words

pytestmark = pytest.mark.one_app

KNOCKED_OUT = [hand(1, s2=140, s3=90), hand(1, s2=30, s3=10)]


ROOMS = {"Score": "", "Referee": "/disputes", "Money": "/settle", "More": "/more"}


def bar_of(page):
    """The rooms that the bar at the foot leads to, and the one the page is in."""
    bar = re.search(r'(?s)<nav class="rooms".*?</nav>', page)[0]
    [current] = re.findall(r"(?s)<a [^>]*aria-current[^>]*>.*?</span>(\w+)</a>", bar)
    return dict(re.findall(r'(?s)<a href="([^"]+)"[^>]*>.*?</span>(\w+)</a>', bar)), current


@pytest.mark.parametrize(
    ("path", "room"),
    [
        *((path, room) for room, path in ROOMS.items()),
        *(("/hand", "Score"), ("/check", "Referee"), ("/rules", "Referee"), ("/wrong/draw", "Referee")),
        *(("/history", "More"), ("/share", "More"), ("/sheet", "More"), ("/enter/penalty", "More")),
    ],
)
def test_every_page_of_a_game_leads_to_its_four_rooms(alice, path, room):
    alice.record(hand(1, s2=20, s3=30))
    rooms = {f"/g/{alice.code}{where}": name for name, where in ROOMS.items()}
    assert bar_of(alice.get(path).text) == (rooms, room)


def test_the_hands_say_where_somebody_joined_or_left(alice):
    alice.record(
        {"kind": "join", "name": "Dan", "points": 7}, hand(1, s2=20, s3=30, s4=5), {"kind": "leave", "seat": 3}
    )
    rows = re.findall(r"(?s)<tr.*?</tr>", alice.get().text)
    assert [words(row) for row in rows[1:]] == ["Joined 7", "Hand 1 0 D won 20 +20 30 +30 12 +5", "Left 30"]


def test_who_watches_has_the_same_rooms_and_every_door_in_them_opens(app, alice):
    alice.record(hand(1, s2=20, s3=30))
    watching = app.test_client()
    for client in (alice.client, watching):
        for room in ROOMS.values():
            page = client.get(f"/g/{alice.code}{room}").text
            assert [*bar_of(page)[0].values()] == [*ROOMS]
            for path in set(re.findall(rf'href="(/g/{alice.code}/[^"#]+)"', page)):
                assert client.get(path.replace("&amp;", "&"), follow_redirects=True).status_code == 200, path


def test_each_thing_has_one_door(app):
    """In the first three hands, Score leads to Share, too."""
    alice = Alice(app, stakes={"currency": "EUR"}).record(*[hand(1, s2=20, s3=30)] * 3)
    pages = {room: alice.get(path).text.replace(bar_of_text(alice.get(path).text), "") for room, path in ROOMS.items()}
    doors = {
        "Score": {"/hand"},
        "Referee": {"/check", "/rules", "/wrong/draw"},
        "Money": {"/enter/paid", "/enter/stop"},
        "More": {"/share", "/sheet", "/table", "/history", "/rematch", "/enter/penalty", "/delete"},
    }
    for room, here in doors.items():
        for path in here:
            led = {name for name, page in pages.items() if re.search(rf'href="/g/{alice.code}{path}["?]', page)}
            assert led - {"More"} | {room} == {room}, path


def bar_of_text(page):
    return re.search(r'(?s)<nav class="rooms".*?</nav>', page)[0]


def test_those_still_in_come_first_while_somebody_may_buy_in(alice):
    alice.record(*KNOCKED_OUT)
    names = re.findall(r'(?s)<p class="player-name">(.*?)</p>', alice.get().text)
    assert [name for name in ("Ann", "Ben", "Cat") for each in names if name in each] == ["Ann", "Ben", "Cat"]
    assert "Ben" in names[-1]


def test_a_long_game_folds_its_earlier_hands_away(app):
    alice = Alice(app, "kalooki-51", players=("Ann", "Ben")).record(*(hand(1, s2=2) for _ in range(12)))
    assert "is-earlier" not in alice.get().text
    alice.record({"kind": "penalty", "seat": 1, "points": 5}, hand(1, s2=2))
    page = alice.get().text
    assert "Hands 1 to 5" in words(page)
    rows = re.findall(
        r'(?s)<tr class="([^"]*)">\s*<th scope="row">(?:<a[^>]*>)?(?:<span class="visually-hidden">Hand </span>)?(\w+)',
        page,
    )
    assert [number for classes, number in rows if "is-earlier" in classes] == ["1", "2", "3", "4", "5"]
    later = [number for classes, number in rows if "is-earlier" not in classes]
    assert later == [*"6789", "10", "11", "12", "Penalty", "13"]


@pytest.mark.parametrize(
    ("last", "told"),
    [
        # Cat is out at 150 and lets the offer go: Ben is the best of those still in
        (hand(1, s2=49, s3=150), "0 points, 49 ahead of Ben"),
        (hand(2, s1=7, s3=7), "0 points, 7 ahead of Ann and Cat"),
        (hand(3, s1=150, s2=151), "0 points, the last player left"),
    ],
)
def test_a_winner_is_measured_to_the_best_who_is_still_in(app, last, told):
    alice = Alice(app, stakes=None).record(last)
    if not alice.table.game.finish:
        alice.record({"kind": "stop", "pool": "leader"})
    assert f"won with {told} " in alice.see()


@pytest.mark.parametrize(
    ("variant", "house", "ending", "points", "told"),
    [
        ("jamaican", {}, "bending", 72, "+144 doubled"),
        ("jamaican", {"kalooki_times": 3}, "bending", 72, "+216 times 3"),
        ("classic", {"kalooki_points": 25}, "kalooki", 130, "+155 25 added"),
        ("jamaican", {}, "going_out", 72, "+72"),
    ],
)
def test_the_table_of_hands_says_how_points_count_after_going_out_all_at_once(
    app, variant, house, ending, points, told
):
    alice = Alice(app, variant, house=house).record(hand(1, ending, s2=points, s3=5))
    [cell, _] = re.findall(r'(?s)<td class="(?:| is-out)">(.*?)</td>', alice.get().text)
    assert words(cell) == f"{told.split()[0][1:]} {told}"


def leads(alice, amount):
    """Where an amount on the game page leads, and what is unfolded there."""
    page = alice.get().text
    [address] = (
        href for href, text in re.findall(r'(?s)<a[^>]*href="([^"]+)"[^>]*>(.*?)</a>', page) if words(text) == amount
    )
    path, _, anchor = address.partition("#")
    there = alice.client.get(path).text
    assert f'id="{anchor}"' in there
    [fold] = re.findall(r"(?s)<details[^>]* open>.*?</details>", there)
    return words(fold)


def test_every_amount_leads_to_the_lines_it_is_made_of(app):
    alice = Alice(app, stakes={"currency": "EUR"}).record(hand(1, s2=28, s3=30))
    # three stakes of 50; Ann wins 10 from each
    assert leads(alice, "Pool €1.50").count("Stake 0.50") == 3
    assert leads(alice, "Ann: +€0.20").endswith(
        "Hand 1 Call-up from Ben and Cat +0.20 Back from the pool +0.50 Total +0.20"
    )


def test_every_amount_of_a_finished_game_leads_to_the_lines_it_is_made_of(app):
    alice = Alice(app, players=("Ann", "Ben"), stakes={"currency": "EUR"}).record(hand(1, s2=150))
    assert "Who paid in" in leads(alice, "Pool: €1.00, to Ann")
    assert leads(alice, "Ben: −€0.60").endswith("Total −0.60")


def test_the_page_costs_at_most_three_statements(app, alice):
    from sqlalchemy import event

    from app.store.database import db

    statements = []
    with app.app_context():
        event.listen(db.engine, "before_cursor_execute", lambda *about: statements.append(about[2]))
    alice.get()
    reading = [text for text in statements if text.startswith("SELECT")]
    assert 0 < len(reading) <= 3


def test_an_address_nobody_can_read_gets_a_page(alice):
    answer = alice.send("/settle", do="paid-2-1-0")
    assert answer.status_code == 422
    assert "This cannot be read" in answer.text
    assert answer.mimetype == "text/html"


def test_a_late_answer_never_brings_an_older_cookie_back(app, alice):
    """A picture asked for by the page before may be answered after the next page has put its token in the cookie."""
    alice.get()
    for path in (f"{app.static_url_path}/icons/icon.svg", f"/g/{alice.code}", "/healthz"):
        assert "Set-Cookie" not in alice.client.get(path).headers
