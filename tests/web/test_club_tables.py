"""The table of a club as files: every number worked out by hand."""

import re

import pytest

from app.sheets.league import League, league_sizes
from app.sheets.paper import A4
from tests.web.paper_reader import lines, pages_of, patiently, printed
from tests.web.test_club_api import Keeper

pytestmark = pytest.mark.one_app

HEAD = "place,player,games,won,beaten,hands,hands_won,kalookis,left,money EUR"
ORDER = "The order is by the share of opponents beaten, then games won, then more games."


@pytest.fixture
def club(client):
    """Ann beats Ben, Ben beats Ann, Ann beats “=1+1” by a Kalooki; whoever loses held 150.

    Each game has a pool of 1.00 that its winner takes, and 0.10 for the call-up, 0.20 for the Kalooki: Ann has
    0.60 − 0.60 + 0.70.
    """
    keeper = Keeper(client, zone="Europe/London")
    keeper.say("game", code=keeper.game("Ann", "Ben")[0])
    keeper.say("game", code=keeper.game("Ann", "Ben", loser=1)[0])
    code, scorer = keeper.game("Ann", "=1+1", over=False)
    hand = {"kind": "hand", "winner": 1, "ending": "kalooki", "left": {"2": {"points": 150}}}
    assert keeper.entry("games", code, scorer, hand).status_code == 201
    keeper.say("game", code=code)
    return keeper


def file_of(keeper, suffix, query=""):
    answer = keeper.get(f"/clubs/{keeper.code}/table.{suffix}{query}")
    assert answer.status_code == 200, answer.text
    return answer.data.decode("utf-8-sig").splitlines()


@pytest.mark.parametrize(
    ("query", "rows"),
    [
        ("?least=2", ["1,Ann,3,2,0.667,3,2,1,150.0,0.70", "2,Ben,2,1,0.500,2,1,0,150.0,0.00",
                      ",'=1+1,1,0,0.000,1,0,0,150.0,-0.70"]),
        ("?separator=semicolon", ["1;Ann;3;2;0,667;3;2;1;150,0;0,70", "2;Ben;2;1;0,500;2;1;0;150,0;0,00",
                                  "3;'=1+1;1;0;0,000;1;0;0;150,0;-0,70"]),
    ],
)  # fmt: skip
def test_a_spreadsheet_has_a_row_for_each_person_with_their_money(club, query, rows):
    head = HEAD.replace(",", ";") if "semicolon" in query else HEAD
    assert file_of(club, "csv", query) == [head, *rows]


def test_the_text_for_a_chat_has_a_line_for_each_person_who_is_unranked_without_a_place(club):
    assert file_of(club, "txt", "?least=2") == [
        "Thursday",
        "3 games in all",
        ORDER,
        "Whoever has played fewer than 2 games isn’t ranked.",
        "",
        "1. Ann: 67% beaten, games won 2 of 3, hands won 2 of 3, Kalookis 1, left per lost hand 150.0",
        "2. Ben: 50% beaten, games won 1 of 2, hands won 1 of 2, left per lost hand 150.0",
        "=1+1: 0% beaten, games won 0 of 1, hands won 0 of 1, left per lost hand 150.0",
    ]


def test_the_text_says_how_many_games_it_takes_only_if_somebody_is_unranked(club):
    assert not [line for line in file_of(club, "txt") if "ranked" in line]
    assert not [line for line in file_of(club, "txt", "?least=1&from=2026-01-01") if "ranked" in line]


def test_the_text_has_money_only_if_it_is_asked_for(club):
    ends = [line.rpartition(", ")[2] for line in file_of(club, "txt", "?money=1")[5:]]
    assert ends == ["+€0.70", "€0.00", "−€0.70"]


def test_the_text_says_when_the_first_of_its_games_was(club):
    assert re.fullmatch(r"3 games from \w+ \d+ \w+ 20\d\d", file_of(club, "txt", "?from=1998-01-01")[1])


def test_the_table_is_of_the_days_asked_for(club):
    span = "0 games from Thu 1 Jan 1998 up to Fri 31 Dec 1999"
    nothing = "No game of these days counts yet."
    query = "?from=1998-01-01&to=1999-12-31"
    assert file_of(club, "csv", query) == [HEAD.removesuffix(",money EUR")]
    assert file_of(club, "txt", query) == ["Thursday", span, ORDER, "", nothing]
    asked = {"from": "1998-01-01", "to": "1999-12-31"}
    assert lines(club.client, address(club), **asked) == ["Thursday", span, ORDER, nothing]


def address(keeper):
    return f"/api/v1/clubs/{keeper.code}/table.pdf"


def test_the_sheet_has_the_table_without_money(club):
    facts = f"{ORDER} Whoever has played fewer than 2 games isn’t ranked. Points left is the average in a lost hand."
    read = lines(club.client, address(club), least=2)
    assert " ".join(read[:-4]) == f"Thursday 3 games in all {facts}"
    assert read[-4:] == [
        "Player Games Won Beaten Hands won Kalookis Points left",
        "1 Ann 3 2 67% 2 of 3 1 150.0",
        "2 Ben 2 1 50% 1 of 2 0 150.0",
        "=1+1 1 0 0% 0 of 1 0 150.0",
    ]


def test_the_sheet_has_a_column_of_money_if_it_is_asked_for(club):
    assert lines(club.client, address(club), money=1)[-4:] == [
        "Player Games Won Beaten Hands won Kalookis Points left Money won",
        "1 Ann 3 2 67% 2 of 3 1 150.0 +€0.70",
        "2 Ben 2 1 50% 1 of 2 0 150.0 €0.00",
        "3 =1+1 1 0 0% 0 of 1 0 150.0 −€0.70",
    ]


def test_a_table_with_money_says_when_everything_is_settled(club):
    settled = "Everything is settled."
    assert settled not in file_of(club, "txt", "?money=1")
    club.say("paid", payments=club.state()["owed"])
    assert settled in file_of(club, "txt", "?money=1")
    assert settled in " ".join(lines(club.client, address(club), money=1))
    assert settled not in " ".join([*file_of(club, "txt"), *lines(club.client, address(club))])


def test_a_file_has_the_name_of_the_club_and_the_day_it_was_made(club, clock):
    """At 20:15 UTC it is the next day in Auckland."""
    keeper = Keeper(club.client, name="Thursday", zone="Pacific/Auckland")
    for suffix in ("csv", "pdf"):
        answer = patiently(club.client, f"/api/v1/clubs/{keeper.code}/table.{suffix}?from=2026-01-01")
        assert f"Kalooki Thursday table 2026-11-22.{suffix}" in answer.headers["Content-Disposition"]
    assert "Printed Sun 22 Nov 2026" in pages_of(answer.data)[0]


def test_a_file_with_money_has_another_name_than_one_without(club):
    named = [club.client.get(f"/api/v1/clubs/{club.code}/table.txt{query}").headers for query in ("", "?money=1")]
    assert ["table with money 2026-11-" in each["Content-Disposition"] for each in named] == [False, True]


@pytest.mark.parametrize("suffix", ["csv", "txt", "pdf"])
def test_a_table_is_anybodys_who_has_the_code_and_its_query_is_checked(client, suffix):
    keeper = Keeper(client)
    for where, status in (("NOSUCHGAME2/table", 404), (f"{keeper.code}/table", 422)):
        assert keeper.get(f"/clubs/{where}.{suffix}?least=0").status_code == status


def test_a_file_is_unchanged_until_a_game_of_the_club_changes(club):
    path = f"/api/v1/clubs/{club.code}/table.txt"
    seen = {"If-None-Match": club.client.get(path).headers["ETag"]}
    assert club.client.get(path, headers=seen).status_code == 304
    club.say("person_name", id=2, name="Benny")
    assert "2. Benny" in club.client.get(path, headers=seen).text


@pytest.mark.parametrize(("people", "paper"), [(3, "a4"), (40, "letter")])
def test_three_and_forty_people_stand_on_one_page(client, people, paper):
    """Where a row that was cut off would be refused."""
    keeper = Keeper(client, name="The Thursday club of the Crown, Leeds")
    names = [f"Catherine-Elizabeth Montgomery {number}" for number in range(1, people + 1)]
    for table in (names[at : at + 5] for at in range(0, people, 5)):
        code, scorer = keeper.game(*table, over=False)
        left = {str(seat): {"points": 25 * seat} for seat in range(2, len(table) + 1)}
        for event in (
            {"kind": "hand", "winner": 1, "ending": "going_out", "left": left},
            {"kind": "stop", "pool": "refund"},
        ):
            assert keeper.entry("games", code, scorer, event).status_code == 201
        keeper.say("game", code=code)
    (page,) = pages_of(printed(client, address(keeper), paper=paper))
    assert all(f"{name} " in page for name in names)


def test_a_long_table_is_tried_in_the_smallest_type_alone():
    tables = {rows: League("", (), (), ((),) * rows) for rows in (50, 51)}
    assert [len(league_sizes(table, A4)) for table in tables.values()] == [5, 1]
