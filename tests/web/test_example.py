"""Try a sample game, three hands old, or a sample club of three games: deleted when their device leaves them."""

import re

import pytest

from app.games.clubs import open_club
from app.games.recording import open_game
from tests.pages import see, start_by_form, words
from tests.web.plain_pages import Offered

pytestmark = pytest.mark.one_app


@pytest.fixture
def tried(client):
    """The address of a game just tried."""
    return client.post("/try").location


def code_of(address):
    return address.removeprefix("/g/")


def test_it_is_three_hands_old_and_can_be_written_in(client, tried):
    state = client.get(f"/api/v1/games/{code_of(tried)}").json
    # KH QD 5C 25, 28, 9S 9D 4H 22; then 17, JC 8H 3D 2S 23, 34; then 12, 10H 10C 4S 24, a joker and KD 25
    assert [player["total"] for player in state["players"]] == [25 + 12, 17 + 24, 28 + 23, 22 + 34 + 25]
    assert state["status"] == "playing"
    assert state["faults"] == []
    page = client.get(tried).text
    assert "A sample game." in page
    assert "Record hand 4" in page


def test_home_offers_it_first_until_a_game_was_opened_here_and_then_last(client):
    offer, rules = "Try a sample game", "Import a saved game"
    page = client.get("/").text
    assert page.index(offer) < page.index(rules)
    start_by_form(client)
    page = client.get("/").text
    assert page.index(offer) > page.index(rules)
    assert page.count(offer) == 1


def test_more_and_the_rules_lead_to_it_by_way_of_help(client):
    code = start_by_form(client).code
    for path in (f"/g/{code}/more", "/rules"):
        link = re.search(r'<a [^>]*href="(/help)">Help<', client.get(path).text)
        assert 'action="/try"' in client.get(link[1]).text


@pytest.mark.parametrize("away", ["/", "/new"])
def test_leaving_deletes_it(app, client, tried, away):
    assert client.get(away).status_code == 200
    assert client.get(tried).status_code == 410
    with app.app_context():
        assert open_game(code_of(tried)) is None
    assert "Alma" not in client.get("/").text


@pytest.mark.parametrize("away", ["/", "/new"])
def test_leaving_says_so_and_going_back_offers_it_again(client, tried, away):
    assert "You left the sample: it is deleted." in words(client.get(away).text)
    assert "it is deleted" not in words(client.get(away).text)
    for path in ("", "/hand", "/more"):
        answer = client.get(tried + path)
        assert answer.status_code == 410
        assert "The sample is deleted" in words(answer.text)
        assert "It lasts until you leave it." in words(answer.text)
    again = next(form for form in Offered(answer.text).forms if form.action == "/try")
    assert client.get(client.post(again.action).location).status_code == 200


def test_nothing_is_offered_for_any_other_address(app, client, tried):
    client.get("/")
    assert "sample game" not in words(client.get("/g/AAAAAAAAAAA").text)
    assert "sample game" not in words(app.test_client().get(tried).text)


def test_the_button_deletes_it_and_leads_home(client, tried):
    answer = client.post("/try/leave")
    assert (answer.status_code, answer.location) == (303, "/")
    assert "The sample is deleted." in client.get("/").text
    assert client.get(tried).status_code == 410
    assert client.post("/try/leave").status_code == 303


def test_trying_again_deletes_the_one_before(client, tried):
    again = client.post("/try").location
    assert again != tried
    assert client.get(tried).status_code == 410


def test_nobody_else_deletes_it_or_is_told_that_it_goes(app, client, tried):
    other = app.test_client()
    assert "A sample game." not in other.get(tried).text
    other.get("/")
    other.post("/try/leave")
    assert client.get(tried).status_code == 200


def test_a_game_of_ones_own_stays(client, tried):
    own = start_by_form(client).code
    client.get("/")
    assert client.get(f"/g/{own}").status_code == 200


@pytest.mark.parametrize(
    "headers", [{"Sec-Fetch-Mode": "cors"}, {"Sec-Fetch-Mode": "no-cors"}, {"Sec-Purpose": "prefetch"}]
)
def test_a_worker_that_fetches_home_ahead_leaves_nothing(client, tried, headers):
    client.get("/", headers=headers)
    assert client.get(tried).status_code == 200
    client.get("/", headers={"Sec-Fetch-Mode": "navigate"})
    assert client.get(tried).status_code == 410


@pytest.fixture
def tried_club(client):
    """The address of a club just tried."""
    return client.post("/try/club", headers={"Accept-Language": "en-IE"}).location


def test_its_table_counts_three_games(client, tried_club):
    """Who is out in the same hand is placed by points, so the places are ACBD, DBC and CADB.

    Everybody stakes 50 and pays each winner of a hand 10 as long as they are in:
    Alma -50+30-10+10+200 and -50-10+30-10; Bruno -50-10-10, -50-10+20-10 and -50-10-10;
    Cleo -50-10+30-10, -50-10-10 and -50+30-10+10+200; Dario -50-10-10, -50+20-10+10+150 and -50-10-10.
    """
    page = client.get(f"{tried_club}?all=1").text
    assert [words(row) for row in re.findall(r"(?s)<tr>(.*?)</tr>", page)[1:]] == [
        "1 Alma 83% 1 +€1.40 2 3 of 6 0 61.7",  # 35, 25 and 125 held in three hands lost
        "2 Cleo 63% 1 +€0.70 3 3 of 8 0 68.0",  # 48, 104, 84, 66 and 38
        "3 Dario 38% 1 −€0.20 3 2 of 7 0 68.4",  # 90, 71, 31, 77 and 73
        "4 Bruno 25% 0 −€1.90 3 1 of 7 0 76.3",  # 62, 91, 55, 97, 102 and 51
    ]
    assert "A sample club." in page
    assert re.findall(r"\w+ pays \w+ €\d\.\d\d", words(page)) == [
        "Bruno pays Alma €1.40",
        "Bruno pays Cleo €0.50",
        "Dario pays Cleo €0.20",
    ]


@pytest.mark.parametrize("days", [45, 486])
def test_this_season_has_its_three_games_in_january_and_after_a_leap_day(client, clock, days):
    """They were played three, two and one week ago: on 5 January all in December, on 21 March 2028 from 29 February."""
    clock.move(days=days)
    club = client.post("/try/club", headers={"Accept-Language": "en-IE"}).location
    season = see(client, club)
    assert "This season All games" in season
    assert "1 Alma 83% 1 +€1.40 2 3 of 6" in season


def test_leaving_deletes_the_club_and_its_games_alone(app, client, tried_club):
    own = start_by_form(client, submission="beside-a-club").code
    with app.app_context():
        sampled = [f"/g/{each.code}" for each in open_club(code_of_club(tried_club)).counted.values()]
    assert [client.get(path).status_code for path in sampled] == [200] * 3
    assert "You left the sample: it is deleted." in see(client, "/")
    assert "Sample club" not in see(client, "/")
    assert [client.get(path).status_code for path in (tried_club, *sampled)] == [410] * 4
    assert client.get(f"/g/{own}").status_code == 200


def test_a_game_that_was_added_to_a_sample_club_stays(client, tried_club):
    begun = start_by_form(client, submission="in-a-club", club=code_of_club(tried_club)).code
    assert "Ann and Ben, hand 1" in see(client, tried_club)
    client.get("/")
    assert client.get(tried_club).status_code == 410
    assert client.get(f"/g/{begun}").status_code == 200


def code_of_club(address):
    return address.rsplit("/", 1)[-1]


def test_nobody_else_sees_a_sample_club_as_theirs(app, client, tried_club):
    other = app.test_client()
    assert "A sample club." not in other.get(tried_club).text
    other.post("/try/leave")
    assert client.get(tried_club).status_code == 200
