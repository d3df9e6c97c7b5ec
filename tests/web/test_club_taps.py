"""What takes how many taps in a club, and where each thing stands: links and buttons pressed as a thumb does."""

import re

import pytest

from app.games.clubs import open_club
from tests.pages import EURO, hand, see, start, start_by_form, words
from tests.web.plain_pages import Offered
from tests.web.test_club_pages import Club, played

pytestmark = [pytest.mark.one_app, pytest.mark.both_engines]


@pytest.fixture
def club(client, clock):
    """Ann won against Ben and Cara, who owe her 0.60 each."""
    return Club(client, played(client, "Ann", "Ben", "Cara", losers=(2, 3)))


def links(client, path):
    answer = client.get(path)
    assert answer.status_code == 200
    return Offered(answer.text).links


def form_of(page):
    return dict(next(each for each in Offered(page).forms if not each.is_get).sent)


def begun(client, page, **typed):
    """The names by seat and the dealer of the game that the form of a page starts."""
    game = start_by_form(client, form_of(page), **typed, do="start").game
    return [game.name(seat) for seat in game.order], game.name(game.dealer)


def test_the_same_people_play_again_three_taps_from_home(client, club):
    """The club, New game, Start the game; the deal passes from Ann to Ben."""
    assert club.path in links(client, "/")
    assert f"{club.path}/new" in links(client, club.path)
    page = client.get(f"{club.path}/new").text
    assert begun(client, page) == (["Ann", "Ben", "Cara"], "Ben")


def test_one_person_is_swapped_by_two_more_taps(client, club):
    """Cara goes, Dan comes, who is in the club: ✗, then Dan's name."""
    club.send("/more", "person", {"name": "Dan"})
    page = client.post("/new", data=form_of(client.get(f"{club.path}/new").text) | {"do": "remove-2"}).text
    page = client.post("/new", data=form_of(page) | {"do": "known-Dan"}).text
    assert begun(client, page) == (["Ann", "Ben", "Dan"], "Ben")
    with client.application.app_context():
        assert [*open_club(club.code).club.people.values()] == ["Ann", "Ben", "Cara", "Dan"]


def test_a_guest_is_typed_in_and_is_in_the_club_from_then_on(client, club):
    page = client.post("/new", data=form_of(client.get(f"{club.path}/new").text) | {"do": "add"}).text
    assert begun(client, page, **{"players-3-name": "Eve"}) == (["Ann", "Ben", "Cara", "Eve"], "Ben")
    assert "Eve" in see(client, f"{club.path}/more")


def test_who_owes_whom_is_one_tap_from_home(client, club):
    assert club.path in links(client, "/")
    assert re.search(r"Settle up Ben pays Ann €0.60 .*Cara pays Ann €0.60", club.see())


def test_where_a_number_comes_from_takes_two_taps(client, club):
    """Each number of Ben's row leads to Ben, and Ben's game to what everybody got in it.

    Of two opponents he beat neither and is level with Cara, which counts half: a quarter.
    """
    row = re.search(r"(?s)<tr>(?:(?!<tr>).)*?Ben</a>.*?</tr>", client.get(club.path).text)[0]
    cells = re.findall(r'<td class="num"><a href="([^"]*)"[^>]*>([^<]*)</a>', row)
    assert cells == [(f"{club.path}/person/2", each) for each in ("25%", "0", "−€0.60", "1", "0 of 1", "0", "150.0")]
    assert f"{club.path}/game/2" in links(client, f"{club.path}/person/2")
    assert "Ben 2 0 of 1 −€0.60" in club.see("/game/2")


def test_the_page_begins_with_play_then_table_money_and_games(club):
    page = club.see()
    heads = (
        "New game",
        "The table",
        "Who beat the largest share of their opponents comes first",
        "Who owes whom Owed now",
        "Settle up",
        "Ann still owes Ben 5 from before the club?",
        "Games Sat 21 Nov",
    )
    places = [page.rindex(each) for each in heads]
    assert places == sorted(places)


def test_the_table_is_of_this_season_unless_all_games_are_asked_for(client, clock):
    """The season begins with the year; these games are of November."""
    club = Club(client, played(client, "Ann", "Ben"))
    clock.move(days=60)
    assert "This season All games No game of these days is over yet." in club.see()
    assert f"{club.path}?all=1" in links(client, club.path)
    assert "1 Ann 100%" in club.see("?all=1")


@pytest.fixture
def varied(client, clock):
    """Four games, whose table is Cara (2 of 2 beaten), Ann (2 of 5, two wins), Ben (2 of 5, one win).

    Cara by a Kalooki: +1.40, Ann and Ben −0.70; Ann against Ben, not for money; Ann again: ±0.60; Ben by a Kalooki:
    ±0.70. So Ann has −0.80 and Ben −0.60; Ann held 360 in two lost hands, Ben 475 in three.
    """
    return Club(
        client,
        ended(client, ["Ann", "Ben", "Cara"], hand(3, "kalooki", s1=160, s2=150)),
        ended(client, ["Ann", "Ben"], hand(1, s2=155), stakes=None),
        ended(client, ["Ann", "Ben"], hand(1, s2=170)),
        ended(client, ["Ann", "Ben"], hand(2, "kalooki", s1=200)),
    )


def ended(client, names, last, stakes=EURO):
    scorer = start(client, "european", names, last, stakes=stakes, house={"buy_ins": 0}, zone="Europe/London")
    client.get(f"/g/{scorer.code}/s/{scorer.secret}")
    return scorer.code


@pytest.mark.parametrize(
    ("column", "order"),
    [
        (None, "Cara Ann Ben"),
        ("won", "Ann Cara Ben"),
        ("money", "Cara Ben Ann"),
        ("games", "Ann Ben Cara"),
        ("hands", "Ann Cara Ben"),
        ("kalookis", "Cara Ben Ann"),
        ("left", "Ben Ann Cara"),
    ],
)
def test_each_column_sorts_the_table_by_a_tap_on_its_head(client, varied, column, order):
    [head] = [each for each in links(client, varied.path) if each.endswith(f"?sort={column}#league")][:1] or [""]
    page = client.get(head or varied.path).text
    assert re.findall(r"</span>&nbsp;(\w+)</a></th>", page) == order.split()


def test_a_club_is_made_from_home_games_a_games_end_and_its_more(client):
    code = played(client, "Ann", "Ben")
    for path in ("/", "/games"):
        assert "/clubs/new" in links(client, path), path
    for path in (f"/g/{code}", f"/g/{code}/more"):
        assert f"/clubs/new?game={code}" in links(client, path), path


def test_what_several_games_add_up_to_is_shown_and_nothing_recorded(client):
    codes = [played(client, "Ann", "Ben"), played(client, "Ben", "Ann", losers=(1,))]
    page = client.get("/evening?" + "&".join(f"game={code}" for code in codes)).text
    assert "Ben pays Ann €1.20" in words(page)
    assert "Keep this as a club" in words(page)
    assert all(form.is_get for form in Offered(page).forms)
