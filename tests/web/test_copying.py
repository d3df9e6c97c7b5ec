"""A paper sheet copied back: typed at once, judged hand by hand, saved as one game."""

import html
import re
from datetime import UTC, datetime

import pytest

from tests.pages import words

pytestmark = pytest.mark.one_app

TABLE = {"variant": "european", "names": "Ann, Ben, Cat, Dan", "dealt_first": "2", "day": "2024-02-29"}
TABLE |= {"out_at": "limit", "money": "y", "currency": "EUR", "settle": "account", "submission": "paper-1"}


def cells(*rows):
    """Rows as they stand on paper: the cells of the seats, one of which tells who won."""
    return {f"cell-{row}-{seat}": cell for row, each in enumerate(rows) for seat, cell in enumerate(each, 1)}


# Hand 1: Ben 10 + 10 + 15 = 35, Cat 58, Dan 16. Hand 2: Ann 58, Cat 58 + 104 = 162: out, Dan 77. A value for Cat in
# hand 3 says that she bought in at 77: 77 + 40 = 117; Ann 90, Ben 40. Hand 4: Ben 60, Cat 155 and Dan 157 are out.
SHEET = cells(
    ("", "KH QD *", "58", "16"),
    ("58", "K", "104", "61"),
    ("32", "5", "40", "✓"),
    ("redeal", "", "", ""),
    ("✓", "20", "38", "80"),
    ("", "", "", ""),
)


def send(client, do, *parts):
    fields = dict(TABLE)
    for part in parts:
        fields |= part
    return client.post("/copy", data=fields | {"do": do})


def totals(page):
    return [int(text) for text in re.findall(r'class="num copy-total">(\d+)<', page)]


def said(page, kind="error"):
    return [html.unescape(text) for text in re.findall(rf'<p class="{kind}"[^>]*>([^<]+)</p>', page)]


def saved(client, answer):
    assert answer.status_code == 303, said(answer.text)
    code = answer.location.rsplit("/", 1)[1]
    return client.get(f"/api/v1/games/{code}").json


def test_every_hand_is_judged_on_those_above_it(client):
    page = send(client, "check", SHEET).text
    assert totals(page) == [0, 35, 58, 16, 58, 35, 162, 77, 90, 40, 117, 77, 90, 60, 155, 157]
    assert said(page) == []
    told = said(page, "hint")
    assert "Cat is out." in told
    assert "Cat had bought in at 77." in told


def numbers(page):
    return re.findall(r'<th scope="row">([\d·]+)</th>', page)


def test_a_blank_grid_opens_on_its_first_cell(client):
    grids = [send(client, "check", *typed).text for typed in ((), [cells(("", "28", "35", "47"))])]
    assert [re.findall(r'id="(cell-\d-\d)"[^>]* autofocus', page) for page in grids] == [["cell-0-1"], []]


def test_a_game_of_nine_hands_has_nine_rows_with_their_contracts(client):
    """The rulebook: three threes first, four fours last; a hand won in one go counts double."""
    page = send(client, "check", {"variant": "jamaican"}).text
    rows = re.findall(r'<th scope="row">(\d+) <span[^>]*>([^<]+)<', page)
    assert [number for number, _contract in rows] == list("123456789")
    assert [contract for _number, contract in (rows[0], rows[8])] == ["3 threes", "4 fours"]
    assert "B = went out in one go (bent the table)." in words(page)
    assert "In a hand with B write the points doubled." in words(page)


def test_a_redeal_bears_no_number_and_is_no_buy_in(client):
    """Ann is out at 160 and does not buy in, so the third row's blank cell is hers and Ben won it."""
    rows = cells(("160", "", "5"), ("redeal", "", ""), ("", "✓", "5"), ("", "3", "✓"))
    page = send(client, "check", rows, {"names": "Ann, Ben, Cat"}).text
    assert numbers(page)[:4] == ["1", "·", "2", "3"]
    assert totals(page) == [160, 0, 5, 0, 10, 3, 10]


def test_the_game_that_was_copied_says_how_many_hands_were_saved(client):
    answer = send(client, "save", cells(("", "20", "5", "5"), ("", "+10", "", ""), ("7", "", "5", "5")))
    assert "Saved, 2 hands." in client.get(answer.location).text


def test_the_sheet_is_saved_as_one_game(client):
    state = saved(client, send(client, "save", SHEET))
    assert [player["total"] for player in state["players"]] == [90, 60, 155, 157]
    assert [entry["event"]["kind"] for entry in state["log"]] == [
        "start", "hand", "hand", "buy_in", "hand", "void", "hand",
    ]  # fmt: skip
    assert {entry["at"] for entry in state["log"]} == {"2024-02-29T12:00:00Z"}
    # four stakes, one buy-in; Ann won two call-ups of 3 × 0.10, paid one and a Kalooki: −50 + 30 − 20 − 10 + 30
    assert state["pool"] == 250
    assert state["players"][0]["balance"] == -20
    assert state["hands"][0]["dealer"] == 2
    code = state["code"]
    assert client.get(f"/g/{code}").status_code == 200
    assert code in client.get("/").text


@pytest.mark.parametrize(
    ("now", "noon"),
    [
        ((28, 0, 30), "2026-11-27T12:00:00Z"),
        ((28, 9, 15), "2026-11-27T12:00:00Z"),  # copied the morning after
        ((28, 12, 0), "2026-11-28T12:00:00Z"),
        ((28, 21, 40), "2026-11-28T12:00:00Z"),
    ],
)
def test_an_undated_sheet_has_no_time_of_day(app, client, monkeypatch, now, noon):
    monkeypatch.setitem(app.config, "CLOCK", lambda: datetime(2026, 11, *now, tzinfo=UTC))
    log = saved(client, send(client, "save", SHEET, {"day": "", "submission": noon + str(now)}))["log"]
    assert {entry["at"] for entry in log} == {noon}


def test_a_sheet_that_is_played_on_has_no_times(client):
    """The next hand is recorded years after the noon of the sheet: nobody played all that time."""
    sheet = saved(client, send(client, "save", SHEET))
    code, form = sheet["code"], {"winner": "1", "ending": "going_out", "left-2": "7", "do": "save"}
    client.post(f"/g/{code}/hand", data=form | {"seen": sheet["seen"], "submission": "hand-5"})
    assert client.get(f"/api/v1/games/{code}").json["seen"] == sheet["seen"] + 1
    for page in (f"/g/{code}", f"/g/{code}/sheet", f"/g/{code}/history"):
        text = words(client.get(page).text)
        assert ("29 Feb 2024" in text) == (page != f"/g/{code}")
        assert " played" not in text
        assert "12:00" not in text


@pytest.mark.parametrize(
    "row",
    [
        ("", "zz", "2", "3"),
        ("", "", "2", "3"),  # either of two may have won
        ("4", "5", "2", "3"),  # and here anybody
        ("✓", "✓", "2", "3"),
    ],
)
def test_the_rows_below_one_to_fix_wait_for_it(client, row):
    above, below = ("", "1", "2", "3"), ("", "4", "4,5", "6")
    page = send(client, "check", cells(above, row, below), {"written-3": "99"}).text
    assert totals(page) == [0, 1, 2, 3]
    assert "Row 2 to fix. The rest of the sheet is checked after that." in words(page)
    assert len(said(page)) == 1
    assert 'value="4,5"' in page
    assert numbers(page)[:4] == ["1", "2", "3", "4"]

    page = send(client, "check", cells(above, ("", "1", "2", "3"), below), {"written-3": "99"}).text
    assert totals(page) == [0, 1, 2, 3, 0, 2, 4, 6]
    assert "Row 3 to fix." in words(page)

    page = send(client, "check", cells(above, ("", "1", "2", "3"), ("", "4", "5", "6")), {"written-3": "99"}).text
    assert totals(page) == [0, 1, 2, 3, 0, 2, 4, 6, 0, 6, 9, 12]
    assert said(page) == ["Cat: the paper says 99, the hands make 9."]


def test_all_mistakes_of_a_row_are_told_at_once_each_beside_its_cell(client):
    """Nobody can say what Ben and Cat have, and Dan's 0 is no loser's."""
    answer = send(client, "save", cells(("K", "", "zz", "0")), {"written-1": "0", "written-4": "12"})
    told = ["Ben: not dealt in?", "Cat: “zz” cannot be read.", "Dan did not go out, so at least one card is left."]
    assert [each[: len(text)] for text, each in zip(told, said(answer.text), strict=True)] == told
    wrong = re.findall(r'id="(\S+)" name="\S+" aria-invalid="true" aria-describedby="(\S+)"', answer.text)
    assert wrong == [(f"cell-0-{seat}", "faults-0") for seat in (2, 3, 4)]


def test_cells_to_fix_are_not_counted_as_cards(client):
    page = send(client, "check", cells(("✓", "zz", "4,5", "1 2"))).text
    assert [text.split()[0] for text in said(page)] == ["Ben:", "Cat:", "Dan:"]
    assert re.findall(r'<a href="#(cell-\d-\d)">', page) == [f"cell-0-{seat}" for seat in (2, 3, 4)]


def test_a_sheet_sent_twice_is_one_game(client):
    first = saved(client, send(client, "save", SHEET))
    assert saved(client, send(client, "save", SHEET))["code"] == first["code"]
    other = send(client, "save", cells(("", "5", "6", "7")))
    assert other.status_code == 422
    assert "This page has already saved another sheet." in other.text


@pytest.mark.parametrize(
    ("row", "text"),
    [
        (("", "zz", "5", "5"), "Ben: “zz” cannot be read."),
        (("✓", "5", "5", ""), "Dan: not dealt in?"),
        (("5", "5", "5", "5"), "Say who won this hand"),
        (("✓ 12", "5", "5", "5"), "Ann went out, so no cards are left in that hand."),
        (("✓", "5", "0", "5"), "Cat did not go out, so at least one card is left."),
        (("", "KH KH", "KH", "5"), "There aren’t that many K♥"),
        (("", "99999", "5", "5"), "Ben: “99999” is not a whole number from 0 to 10000."),
    ],
)
def test_what_is_wrong_stands_at_its_row_and_nothing_is_saved(client, row, text):
    rows = cells(("7", "", "8", "9"), row)
    answer = send(client, "save", rows)
    assert answer.status_code == 422
    assert any(text in each for each in said(answer.text)), said(answer.text)
    assert totals(answer.text)[:4] == [7, 0, 8, 9]
    assert 'value="7"' in answer.text
    assert client.get("/").text.count("/g/") == 0


@pytest.mark.parametrize("cell", ["12.5", "1 2", "4,5", "-50", "10-7", "1,000"])
def test_a_cell_that_could_mean_several_things_is_refused_as_typed(client, cell):
    page = send(client, "save", cells(("", "17", cell, "5"))).text
    assert f"Cat: “{cell}” cannot be read." in " ".join(said(page))
    assert f'value="{cell}"' in page


def test_a_score_for_who_is_out_for_good_is_refused(client):
    """With two players left nobody may buy in: the game is over."""
    rows = cells(("", "150"), ("", "5"))
    answer = send(client, "save", rows, {"names": "Ann, Ben"})
    assert answer.status_code == 422
    assert "This game has ended" in " ".join(said(answer.text))


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        ({"names": "Ann", "dealt_first": "1"}, "A game needs at least two players"),
        ({"names": "Ann, ann"}, "Give every player a name of their own"),
        ({"names": "José, Jose\u0301"}, "Give every player a name of their own"),
        ({"names": "A" * 41 + ", Ben"}, "A name has 1 to 40 characters"),
        ({"dealt_first": "7"}, "Say who deals first."),
        ({"dealt_first": "x"}, "Say who deals first."),
        ({"dealt_first": "0"}, "Say who deals first."),
        ({"dealt_first": "001" + "0" * 5000}, "Say who deals first."),
        ({"currency": "many doubloons"}, "Write the currency"),
        ({"house-limit": "0"}, "out of range"),
        ({"day": "2999-01-01"}, "“Played on” is in the future"),
        ({"names": ",".join(f"P{number}" for number in range(12))}, "There are cards for 8 players at most."),
    ],
)
def test_a_table_that_cannot_be_is_refused_and_what_was_typed_kept(client, typed, text):
    answer = send(client, "save", SHEET, typed)
    assert answer.status_code == 422
    assert text in html.unescape(answer.text)
    for value in typed.values():
        assert html.escape(value) in answer.text


def test_a_game_ended_by_the_table_ends_with_its_sheet(client):
    rows = cells(("", "30"), ("K", "30"))
    table = {"variant": "kalooki-51", "names": "Ann; Ben", "dealt_first": "1", "money": ""}
    assert saved(client, send(client, "save", rows, table))["status"] == "playing"
    ended = saved(client, send(client, "save", rows, table, {"ends": "1", "submission": "paper-2"}))
    assert (ended["status"], ended["winners"]) == ("over", [1])


def test_two_hundred_rows_are_enough(client):
    rows = cells(*[("", "1")] * 200)
    page = send(client, "more", rows, {"variant": "classic", "names": "Ann, Ben", "money": ""}).text
    assert page.count('-1" enterkeyhint') == 200
    assert totals(page)[-1] == 200


def test_the_cells_alone_tell_who_won_and_how(client):
    state = saved(client, send(client, "save", SHEET))
    assert [player["total"] for player in state["players"]] == [90, 60, 155, 157]
    assert [hand.get("ending") for hand in state["hands"]] == ["going_out", "kalooki", "going_out", None, "going_out"]


def test_two_empty_cells_do_not_tell_who_won(client):
    answer = send(client, "save", cells(("", "", "5", "5")))
    assert answer.status_code == 422
    assert "Say who won this hand" in " ".join(said(answer.text))


def test_a_fault_is_told_at_the_top_and_its_cell_has_the_focus(client):
    page = send(client, "save", cells(("", "20", "5", "5"), ("", "7", "zz", "5"))).text
    assert "Row 2 to fix." in page
    assert '<a href="#cell-1-3">Cat: “zz” cannot be read.' in html.unescape(page)
    assert re.findall(r'id="(cell-\d-\d)"[^>]* autofocus', page) == ["cell-1-3"]


def test_a_blank_cell_beside_a_marked_winner_asks_whether_its_player_was_dealt_in(client):
    hand = cells(("✓", "", "20", "9"))
    page = send(client, "check", hand).text
    assert said(page) == ["Ben: not dealt in? Otherwise write what they held."]
    assert 'value="absent-0-2">Ben was not dealt in</button>' in page
    assert send(client, "save", hand).status_code == 422

    page = send(client, "absent-0-2", hand).text
    assert said(page) == []
    assert totals(page) == [0, 20, 9]
    assert words(page).count("not dealt in") >= 1
    game = saved(client, send(client, "save", hand, {"cell-0-2": "not dealt in"}))
    assert game["hands"][0]["absent"] == [2]
    assert [player["total"] for player in game["players"]] == [0, 0, 20, 9]


def test_calls_in_a_game_without_them_are_refused_at_their_cell(client):
    for cell, shown in (("7/8", "7/8"), ("7 / 8", "7/8")):
        page = send(client, "save", cells(("✓", cell, "20", "9"))).text
        why = f"{shown} can’t be right: nobody calls in this game. Write the points without a stroke."
        assert said(page) == [f"Ben: {why}"]
    assert said(send(client, "save", cells(("✓/2", "7", "20", "9"))).text)[0].startswith("Ann: ✓/2 can’t be right")


def test_who_dealt_first_is_a_name_a_number_or_the_first(client):
    for typed, dealer in (("cat", 3), ("2", 2), ("", 1)):
        game = saved(
            client,
            send(client, "save", cells(("", "20", "30", "9")), {"dealt_first": typed, "submission": typed or "x"}),
        )
        assert game["hands"][0]["dealer"] == dealer
