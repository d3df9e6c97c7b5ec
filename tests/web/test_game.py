"""The game page: what the table reads off it."""

import re

import pytest

from tests.pages import FOUR, Alice, hand, words

pytestmark = pytest.mark.one_app

KNOCKED_OUT = [hand(1, s2=140, s3=90), hand(1, s2=30, s3=10)]


def test_the_table_reads_totals_deal_and_pool(app):
    alice = Alice(app, players=FOUR, stakes={"currency": "EUR"})
    alice.record(hand(1, s2=28, s3="KH QD 5C", s4=47))
    page = alice.see()
    assert "Hand 2 Ben deals · 13 cards each · Cat plays first Pool €2.00 European Kalooki, out at 150 · " in page
    assert "Total: 28 122 to go −€0.10" in page
    assert "Total: 0 +€0.30" in page
    assert "1 ● 0 won 28 +28 25 +25 47 +47" in page


def test_a_legend_says_what_the_dot_in_a_cell_means(app, client):
    alice = Alice(app, players=FOUR)
    assert "● dealt the hand." not in alice.see()
    alice.record(hand(1, s2=28, s3=25, s4=47))
    assert "● dealt the hand. Tap a hand’s number" in alice.see()
    watching = words(client.get(f"/g/{alice.code}").text)
    assert "● dealt the hand." in watching
    assert "Tap a hand’s number" not in watching


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
    assert [words(row) for row in rows[1:]] == ["Joined 7", "1 ● 0 won 20 +20 30 +30 12 +5", "Left 30"]


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
    alice = Alice(app, stakes={"currency": "EUR"}).record(hand(1, s2=20, s3=30))
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


def test_the_undo_beside_the_hands_says_what_it_undoes(alice):
    alice.record(hand(1, s2=20, s3=30))
    assert ">Undo hand 1</a>" in alice.get().text
    alice.record({"kind": "penalty", "seat": 2, "points": 10})
    assert ">Undo “Penalty for Ben”</a>" in alice.get().text


def test_a_game_without_a_pool_shows_none(app):
    stakes = {"currency": "EUR", "call_up": 10, "kalooki": 20}
    alice = Alice(app, "classic", stakes=stakes, house={"stake_call_up": 1, "stake_kalooki": 2})
    for path in ("", "/table"):
        assert "Pool" not in words(alice.get(path).text)
    alice.record({"kind": "penalty", "seat": 2, "amount": 30})  # goes into the pool
    assert "Pool €0.30" in words(alice.get().text)


def bar_of_text(page):
    return re.search(r'(?s)<nav class="rooms".*?</nav>', page)[0]


def test_players_sort_by_score_on_request_and_the_leader_is_marked(app, alice):
    alice.record(hand(3, s1=40, s2=20))
    seats = r'(?s)<li class="player.*?class="face-name"[^>]*>(\w+)<'
    assert re.findall(seats, alice.get().text) == ["Ann", "Ben", "Cat"]
    for path in ("?sort=score", "/board?sort=score"):
        page = alice.get(path).text
        assert re.findall(seats, page) == ["Cat", "Ben", "Ann"]
        assert words(page).count("in front") == 1
        assert "Cat in front" in words(page)
    assert 'board?sort=score"' in alice.get("?sort=score").text
    assert re.findall(seats, app.test_client().get(f"/g/{alice.code}/board").text) == ["Ann", "Ben", "Cat"]


def test_a_game_that_the_table_ends_has_a_door_to_its_end_once_a_hand_is_played(app):
    alice = Alice(app, "kalooki-51", stakes={"currency": "EUR", "initial": 50})
    end = f'href="/g/{alice.code}/enter/end"'
    assert end not in alice.get().text
    alice.record(hand(1, s2=20, s3=30))
    assert alice.get().text.count(end) == 1
    assert end not in app.test_client().get(f"/g/{alice.code}").text
    alice.record({"kind": "end"})
    assert end not in alice.get().text


def test_a_game_that_ends_by_itself_has_no_door_to_its_end(app):
    page = Alice(app, stakes={"currency": "EUR"}).record(hand(1, s2=20, s3=30)).get().text
    assert "/enter/end" not in page


def test_those_still_in_come_first_while_somebody_may_buy_in(alice):
    alice.record(*KNOCKED_OUT)
    names = re.findall(r'(?s)<p class="player-name">(.*?)</p>', alice.get().text)
    assert [name for name in ("Ann", "Ben", "Cat") for each in names if name in each] == ["Ann", "Ben", "Cat"]
    assert "Ben" in names[-1]


def test_everybody_with_the_code_may_watch_but_gets_no_buttons(app, alice):
    alice.record(*KNOCKED_OUT)
    bob = app.test_client()
    page = bob.get(f"/g/{alice.code}").text
    assert "Ben may buy in at 100" in words(page)
    assert "<button" not in page
    assert '/hand"' not in page
    assert "/correct/" not in page


@pytest.mark.parametrize(
    "path", ["/hand", "/hand/look", "/correct/2", "/correct/2/look", "/insert/2", "/void", "/undo/2"]
)
def test_bob_who_watches_may_not_write(app, alice, path):
    alice.record(hand(1, s2=20, s3=30))
    answer = app.test_client().get(f"/g/{alice.code}{path}")
    assert answer.status_code == 403
    assert "This phone does not record in this game" in answer.text
    assert f'href="/g/{alice.code}"' in answer.text


@pytest.mark.parametrize("path", ["/hand", "/hand/preview", "/correct/2", "/offers", "/first", "/decider", "/undo/2"])
def test_nothing_bob_sends_is_recorded(app, alice, path):
    alice.record(hand(1, s2=20, s3=30))
    fields = {"seen": 2, "submission": "b-1", "do": "save", "winner": "1", "points-2": "9", "points-3": "9"}
    assert app.test_client().post(f"/g/{alice.code}{path}", data=fields).status_code == 403
    assert alice.table.seen == 2


def test_the_scorers_link_gives_the_device_the_right_to_write(app, alice):
    carol = app.test_client()
    answer = carol.get(f"/g/{alice.code}/s/{alice.scorer.secret}")
    assert answer.location == f"/g/{alice.code}"
    assert carol.get(f"/g/{alice.code}/hand").status_code == 200


def test_a_game_once_watched_is_found_again_at_home(app, alice):
    bob = app.test_client()
    bob.get(f"/g/{alice.code}")
    assert f'href="/g/{alice.code}"' in bob.get("/").text


def test_the_contract_stands_where_there_is_one(app):
    alice = Alice(app, "jamaican").record(hand(1, s2=20, s3=30))
    assert "Hand 2 2 threes + 1 four Ben deals · 10 cards each · Cat plays first" in alice.see()


def test_a_void_hand_a_penalty_and_the_deal_stand_in_the_table(alice):
    alice.record(
        {"kind": "void", "reason": "misdeal"},
        hand(2, "kalooki", s1=20, s3=30),
        {"kind": "penalty", "seat": 3, "points": 25},
    )
    page = alice.see()
    assert "1 No winner – redeal: misdeal" in page
    assert "1 ● 20 +20 0 Kalooki 30 +30" in page
    assert "Penalty 55" in page


def test_a_long_game_folds_its_earlier_hands_away(app):
    alice = Alice(app, "kalooki-51", players=("Ann", "Ben")).record(*(hand(1, s2=2) for _ in range(12)))
    assert "is-earlier" not in alice.get().text
    alice.record({"kind": "penalty", "seat": 1, "points": 5}, hand(1, s2=2))
    page = alice.get().text
    assert "Hands 1 to 5" in words(page)
    rows = re.findall(r'(?s)<tr class="([^"]*)">\s*<th scope="row">(?:<a[^>]*>)?(\w+)', page)
    assert [number for classes, number in rows if "is-earlier" in classes] == ["1", "2", "3", "4", "5"]
    later = [number for classes, number in rows if "is-earlier" not in classes]
    assert later == [*"6789", "10", "11", "12", "Penalty", "13"]


def test_a_finished_game_names_winner_shares_and_payments(app):
    alice = Alice(app, players=("Ann", "Ben"), stakes={"currency": "EUR"}).record(hand(1, s2=150))
    page = alice.see()
    assert "The game is over. Ann won. 0 points, the last player left European Kalooki" in page
    assert "From the pool: Ann €1.00 (included below). Ben pays Ann €0.60." in page
    assert "Record hand" not in page


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
    assert f"won. {told} European Kalooki" in alice.see()


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
    assert leads(alice, "+€0.20").endswith("Hand 1 Call-up from Ben and Cat +0.20 Back from the pool +0.50 Total +0.20")


def test_every_amount_of_a_finished_game_leads_to_the_lines_it_is_made_of(app):
    alice = Alice(app, players=("Ann", "Ben"), stakes={"currency": "EUR"}).record(hand(1, s2=150))
    assert "All that Ben owes:" in leads(alice, "Ben pays Ann €0.60.")
    assert "Who paid in" in leads(alice, "From the pool: Ann €1.00 (included below).")
    assert leads(alice, "−€0.60").endswith("Total −0.60")


def test_a_game_without_money_leads_to_no_amounts(app):
    alice = Alice(app, players=("Ann", "Ben"), stakes=None).record(hand(1, s2=150))
    assert "open=" not in alice.get().text


def test_a_finished_game_has_a_moment_for_its_winner_and_leads_on(app):
    alice = Alice(app, players=("Ann", "Ben")).record(hand(1, s2=150))
    page = alice.get().text
    assert f'<img class="result-picture" src="/g/{alice.code}/result.png"' in page
    for place in ("result", "sheet", "rematch"):
        assert re.search(rf'class="button[^"]*" href="/g/{alice.code}/{place}"', page)


def test_an_entry_that_lost_its_sense_is_shown_with_what_can_be_done(alice):
    alice.record(*KNOCKED_OUT, {"kind": "buy_in", "seat": 2})
    alice.record({"kind": "amend", "target": 3, "event": hand(1, s2=3, s3=10)})
    answer = alice.get()
    assert "Ben buys in (after hand 2) – Ben has no buy-in to take or to decline now." in words(answer.text)
    assert f'href="/g/{alice.code}/undo/5">Undo the correction of hand 2' in answer.text
    assert f'href="/g/{alice.code}/undo/4">Undo “Ben buys in”' in answer.text
    alice.send("/undo/5")
    assert "won’t count" not in alice.see()
    assert alice.totals == [0, 100, 100]


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


def test_the_game_and_the_hand_say_which_kalooki_it_is(app):
    alice = Alice(app, variant="kalooki-51")
    assert "Kalooki 51, no limit · " in alice.see()
    assert "Kalooki 51 · Ann deals" in alice.see("/hand")


def test_a_penalty_shows_its_points_beside_the_total(app):
    alice = Alice(app).record(hand(1, s2=65, s3=6), {"kind": "penalty", "seat": 2, "points": 10})
    assert "Penalty 75 +10" in alice.see()
