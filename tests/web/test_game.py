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
    assert "Hand 2 European Kalooki Ben deals · 13 cards each · Cat plays first Pool €2.00" in page
    assert "Total: 28 122 to go −€0.60" in page
    assert "Total: 0 −€0.20" in page
    assert "1 ● 0 won 28 +28 25 +25 47 +47" in page


def test_a_legend_says_what_the_dot_in_a_cell_means(app, client):
    alice = Alice(app, players=FOUR)
    assert "● dealt the hand." not in alice.see()
    alice.record(hand(1, s2=28, s3=25, s4=47))
    assert "● dealt the hand. Tap a hand’s number" in alice.see()
    watching = words(client.get(f"/g/{alice.code}").text)
    assert "● dealt the hand." in watching
    assert "Tap a hand’s number" not in watching


def test_every_place_of_the_game_opens(alice):
    alice.record(hand(1, s2=20, s3=30))
    places = set(re.findall(rf'href="(/g/{alice.code}/[^"]+)"', alice.get().text))
    expected = {f"/g/{alice.code}{path}" for path in ("/hand", "/more", "/settle", "/rules", "/check")}
    assert places >= expected
    for path in places:
        assert alice.client.get(path).status_code == 200, path


def test_what_tables_look_for_stands_in_one_row_and_no_door_is_there_twice(app):
    alice = Alice(app, stakes={"currency": "EUR"}).record(hand(1, s2=20, s3=30))
    row = re.search(r'<nav class="row doors".*?</nav>', alice.get().text, re.DOTALL)[0]
    assert words(row) == "Share Settle Sheet Table view More"
    for path in ("", "/more"):
        doors = re.findall(rf'href="(/g/{alice.code}/[^"?#]+)"', alice.get(path).text)
        # the amounts of the score lead into the settlement, each to its own line
        assert [door for door in set(doors) if doors.count(door) > 1] == []


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


def test_the_bar_of_a_finished_game_leaves_the_row_without_its_door(app):
    for stakes, row in (({"currency": "EUR"}, "Share Sheet Table view More"), (None, "Share Settle Table view More")):
        alice = Alice(app, players=("Ann", "Ben"), stakes=stakes).record(hand(1, s2=151))
        page = alice.get().text
        assert words(re.search(r'<nav class="row doors".*?</nav>', page, re.DOTALL)[0]) == row


def test_the_rest_is_one_tap_further(app, alice):
    for path in ("/history", "/mend"):
        assert f'href="/g/{alice.code}{path}"' in alice.get("/more").text
    bob = app.test_client()
    assert f'href="/g/{alice.code}/mend"' not in bob.get(f"/g/{alice.code}/more").text


@pytest.mark.parametrize("path", ["/hand", "/settle", "/check", "/rules", "/more"])
def test_check_and_rules_at_the_foot_are_those_of_the_game(alice, path):
    page = alice.get(path).text
    for place in ("check", "rules"):
        assert f'<li><a href="/g/{alice.code}/{place}">' in page
        assert f'<li><a href="/{place}">' not in page


def test_everybody_with_the_code_may_watch_but_gets_no_buttons(app, alice):
    alice.record(*KNOCKED_OUT)
    bob = app.test_client()
    page = bob.get(f"/g/{alice.code}").text
    assert "Ben may buy in at 100" in words(page)
    assert "<button" not in page
    assert "/hand" not in page
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
    assert "Hand 2 2 threes + 1 four Jamaican Kalooki Ben deals · 10 cards each · Cat plays first" in alice.see()


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
    assert "Ann wins. European Kalooki From the pool: Ann €1.00. Already included below. Ben pays Ann €0.60." in page
    assert "Record hand" not in page


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
    assert leads(alice, "Pool €1.50").count("Initial stake 0.50") == 3
    assert leads(alice, "−€0.30").endswith("Hand 1 Call-up from Ben and Cat +0.20 Together −0.30")


def test_every_amount_of_a_finished_game_leads_to_the_lines_it_is_made_of(app):
    alice = Alice(app, players=("Ann", "Ben"), stakes={"currency": "EUR"}).record(hand(1, s2=150))
    assert "All that Ben owes:" in leads(alice, "Ben pays Ann €0.60.")
    assert "Who paid in" in leads(alice, "From the pool: Ann €1.00.")
    assert leads(alice, "−€0.60").endswith("Together −0.60")


def test_a_game_without_money_leads_to_no_amounts(app):
    alice = Alice(app, players=("Ann", "Ben"), stakes=None).record(hand(1, s2=150))
    assert "open=" not in alice.get().text


@pytest.mark.parametrize(("stakes", "main"), [({}, "settle"), (None, "sheet")])
def test_a_finished_game_leads_to_money_or_paper_and_to_the_next_game(app, stakes, main):
    alice = Alice(app, players=("Ann", "Ben"), stakes=stakes).record(hand(1, s2=150))
    page = alice.get().text
    for place in (main, "rematch"):
        assert re.search(rf'class="button[^"]*" href="/g/{alice.code}/{place}"', page)


def test_an_entry_that_lost_its_sense_is_shown_with_what_can_be_done(alice):
    alice.record(*KNOCKED_OUT, {"kind": "buy_in", "seat": 2})
    alice.record({"kind": "amend", "target": 3, "event": hand(1, s2=3, s3=10)})
    answer = alice.get()
    assert "Ben buys in – Ben has no buy-in to take or to decline now." in words(answer.text)
    assert f'href="/g/{alice.code}/undo/5">Undo the correction of hand 2' in answer.text
    assert f'href="/g/{alice.code}/undo/4">Remove “Ben buys in”' in answer.text
    alice.send("/undo/5")
    assert "won’t count" not in alice.see()
    assert alice.totals == [0, 100, 100]


def test_the_page_costs_at_most_three_statements(app, alice):
    from sqlalchemy import event

    from app.store import db

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
    assert "Hand 1 Kalooki 51" in alice.see()
    assert "Kalooki 51 · Ann deals" in alice.see("/hand")


def test_a_penalty_shows_its_points_beside_the_total(app):
    alice = Alice(app).record(hand(1, s2=65, s3=6), {"kind": "penalty", "seat": 2, "points": 10})
    assert "Penalty 75 +10" in alice.see()
