"""A club on its pages: made from an evening, played again, corrected, paid, shared; every number by hand.

The two games: Ben is out in the first, so he pays Ann 10 and she gets the pool of 100; in the second Cara wins and Ann
is out, so Ann pays Cara 10 and Cara gets the pool. Each stake is 50. Ann: +60 - 60, Ben: -60, Cara: +60.
"""

import re
import tomllib
from datetime import UTC, datetime
from pathlib import Path

import pytest

from app.games import recording
from app.games.clubs import open_club
from app.store import games as stored_games
from tests.json_scorer import import_game
from tests.pages import EURO, hand, see, start, start_by_form, words
from tests.web.plain_pages import Offered
from tests.web.test_cases import check

pytestmark = [pytest.mark.one_app, pytest.mark.both_engines]


def played(client, *names, losers=(2,), **more):
    """A finished game on this device; the seats that lose are out in the first hand."""
    more = {"stakes": EURO, "zone": "Europe/London"} | more
    scorer = start(client, "european", names, house={"buy_ins": 0}, **more)
    winner = 2 if 1 in losers else 1
    held = {f"s{seat}": 150 if seat in losers else 1 for seat in range(1, len(names) + 1) if seat != winner}
    scorer.record(hand(winner, **held))
    assert client.get(f"/g/{scorer.code}/s/{scorer.secret}").status_code == 303
    return scorer.code


def form_at(client, path, kind="", *, action="", number=0):
    """The form at `path` that records this kind of event or leads there, or its first form that posts."""
    page = client.get(path)
    assert page.status_code == 200, words(page.text)
    forms = [each for each in Offered(page.text).forms if not each.is_get and each.action.endswith(action)]
    return [each for each in forms if not kind or ("kind", kind) in each.sent][number]


def send(client, path, kind="", typed=None, **which):
    """Send such a form with what is typed."""
    found = form_at(client, path, kind, **which)
    sent = {}
    for name, value in found.sent:
        sent.setdefault(name, []).append(value)
    sent |= {name: value if isinstance(value, list) else [value] for name, value in (typed or {}).items()}
    return client.post(found.action or path, data=sent)


class Club:
    def __init__(self, client, *games, name="Thursday"):
        self.client = client
        query = "&".join(f"game={code}" for code in games)
        answer = send(client, f"/clubs/new?{query}", typed={"name": name})
        assert answer.status_code == 303, words(answer.text)
        self.path = answer.location
        self.code = self.path.rsplit("/", 1)[-1]

    def see(self, page=""):
        return see(self.client, self.path + page)

    def send(self, page, kind, typed=None, **more):
        answer = send(self.client, self.path + page, kind, typed, **more)
        assert answer.status_code == 303, words(answer.text)
        return see(self.client, answer.location)

    def begin(self, client=None):
        """The code of the game that a device begins for the club, of it unless another is named."""
        answer = send(client or self.client, f"{self.path}/new", typed={"do": "start"})
        assert answer.status_code == 303, words(answer.text)
        return answer.location.rsplit("/", 1)[-1]

    @property
    def link(self):
        """The link to run it."""
        return re.search(r'href="[^"]*(/c/\w+/s/\w+)"', self.client.get(f"{self.path}/share").text)[1]

    def run_by(self, client):
        """Another device that runs it too."""
        assert client.get(self.link).status_code == 303
        return client

    def log(self):
        with self.client.application.app_context():
            return [each.event.kind for each in open_club(self.code).entries]


USUAL = [["Ann", "Ben"], ["Cara", "Ann"]]


@pytest.fixture
def club(client, clock):
    return Club(client, *(played(client, *names) for names in USUAL))


CASES = tomllib.loads(Path(__file__).with_name("club_cases.toml").read_text("utf-8"))["case"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["title"])
def test_a_club_says_and_takes_what_its_case_tells(client, clock, case):
    games = [{"players": each} if isinstance(each, list) else dict(each) for each in case.get("games", USUAL)]
    club = Club(client, *(played(client, *game.pop("players"), **game) for game in games))
    devices = {"": client, "watcher": client.application.test_client()}
    for step in case["do"]:
        device = devices[step.get("by", "")]
        if "send" in step:
            which = {"number": step.get("number", 0)}
            page = send(device, club.path + step["send"], step.get("kind", ""), step.get("with"), **which)
        else:
            page = device.get(club.path + step["see"])
        page = device.get(page.location) if page.status_code == 303 else page
        assert page.status_code == 200, words(page.text)
        check(page.text, step)
        newest = step.get("log", [])
        assert club.log()[-len(newest) :] == newest or not newest


def test_a_club_needs_a_name_and_keeps_what_was_ticked(client):
    code = played(client, "Ann", "Ben")
    answer = send(client, f"/clubs/new?game={code}", typed={"game": code})
    assert answer.status_code == 422
    assert 'aria-invalid="true"' in answer.text
    assert re.search(rf'value="{code}" checked', answer.text)


def test_sending_the_page_twice_makes_one_club(client):
    code = played(client, "Ann", "Ben")
    data = dict(form_at(client, f"/clubs/new?game={code}").sent) | {"name": "Thursday", "game": code}
    first, again = (client.post("/clubs/new", data=data) for _ in range(2))
    assert first.location == again.location
    assert re.search(r"My clubs (.*) My games", see(client, "/"))[1].count("Thursday") == 1


def test_what_was_just_recorded_is_undone_in_its_notice(client, clock):
    club = Club(client, played(client, "Ann", "Jane"), played(client, "Ann", "Jane S"))
    merged = send(client, f"{club.path}/person/2", "merge", {"into": "3"})
    page = client.get(merged.location).text
    assert "From now on they are one person. Undo" in words(page)
    answer = client.post(f"{club.path}/entries", data=dict(undo_in_notice(page).sent))
    assert answer.location == f"{club.path}/person/2"
    page = client.get(answer.location).text
    assert "Undone." in words(page)
    assert undo_in_notice(page) is None
    assert club.log()[-2:] == ["merge", "undo"]
    assert undo_in_notice(client.get(merged.location).text) is None  # the page again, by Back


def undo_in_notice(page):
    """The first form of a page, if it undoes what the page's notice says."""
    first = next(each for each in Offered(page).forms if not each.is_get)
    return first if ("kind", "undo") in first.sent else None


def test_of_many_people_those_who_played_last_are_at_hand_and_the_others_folded(client):
    club = Club(client, played(client, "Ann", "Ben"))
    for number in range(12):
        club.send("/more", "person", {"name": f"Guest {number}"})
    page = club.see("/new")
    assert re.search(r"Seat Ann .*Seat Ben .*Seat Guest 9 2 more Seat Guest 10 Seat Guest 11", page)


def test_next_weeks_game_is_the_same_table_with_the_next_dealer(client, clock):
    club = Club(client, played(client, "Ann", "Ben", "Cara", losers=(2, 3)))
    page = club.see("/new")
    seats = dict(form_at(client, f"{club.path}/new").sent)
    assert [seats[f"players-{row}-name"] for row in range(3)] == ["Ann", "Ben", "Cara"]
    assert (seats["dealer"], seats["club"]) == ("1", club.code)
    assert "call-up €0.10" in page
    code = club.begin()
    assert club.log() == ["start", "game", "usual", "game"]
    assert "not over yet" in club.see()
    with client.application.app_context():
        assert [each.records for each in open_club(club.code).counted.values()] == [True, True]
    assert client.get(f"/g/{code}/rematch").location == f"{club.path}/new"


def test_a_rematch_played_without_the_club_is_offered_to_it(client, clock):
    code = played(client, "Ann", "Ben")
    other = client.application.test_client()
    club = Club(client, code)
    join = re.search(r"/g/\w+/p/\w+", client.get(f"/g/{code}/share").text)[0]
    assert send(other, join, typed={"seat": "2"}).status_code == 303
    answer = send(other, f"/g/{code}/rematch", typed={"do": "start"})
    assert answer.status_code == 303, words(answer.text)
    assert "A rematch isn’t in the club:" in club.see()
    assert send(client, club.path).location == club.path
    assert club.log()[-1] == "game"


def test_two_people_of_one_name_are_asked_for(client, clock):
    club = Club(client, played(client, "Ann", "Jane"))
    club.send("/more", "person", {"name": "Jane"})
    assert club.log()[-1] == "person"
    code = played(client, "Ann", "Jane", losers=(1,))
    answer = send(client, f"{club.path}/add", typed={"game": code})
    assert answer.location == f"{club.path}/add/{code}"
    assert "Jane (1)" in see(client, answer.location)
    answer = send(client, answer.location, "game", {"seat-2": "3"})
    assert client.get(answer.location).location == club.path
    assert club.log()[-1] == "game"
    page = club.see()  # one lost 0.60, the other won it
    assert re.search(r"1 Jane \(2\) 100% .* 2 Ann 50% .* 3 Jane \(1\) 0%", page)
    assert "Jane (1) pays Jane (2) €0.60" in page
    assert "Jane (2): 100% beaten" in see(client, f"/api/v1/clubs/{club.code}/table.txt")
    assert 'value="Jane"' in client.get(f"{club.path}/person/3").text


def test_the_watching_device_sees_everything_and_changes_nothing(app, club):
    watcher = app.test_client()
    for page in ("", "/person/1", "/game/2", "/history", "/more", "/share", "/table"):
        shown = watcher.get(club.path + page)
        assert shown.status_code == 200
        forms = {each.action for each in Offered(shown.text).forms if not each.is_get}
        assert forms <= {f"{club.path}/forget"}, page
    assert "New game" not in see(watcher, club.path)
    assert "Runs the club" not in see(watcher, club.path + "/share")
    before = club.log()
    posts = {
        each.rule for each in app.url_map.iter_rules() if each.rule.startswith("/c/<code>") and "POST" in each.methods
    }
    assert posts == {f"/c/<code>/{page}" for page in ("entries", "share", "add", "forget")}
    token = dict(next(each for each in Offered(watcher.get(f"{club.path}/more").text).forms if not each.is_get).sent)
    whole = token | {"seen": str(len(before)), "submission": "watcher", "kind": "name", "name": "Mine"}
    for page in ("entries", "share", "add"):
        assert watcher.post(f"{club.path}/{page}", data=whole).status_code == 403
    assert club.log() == before
    assert "Thursday" in see(watcher, "/")
    assert send(watcher, club.path + "/more").status_code == 303
    assert "Thursday" not in see(watcher, "/")


def test_any_phone_with_the_link_runs_the_club_until_the_links_are_reset(app, client, club):
    other = club.run_by(app.test_client())
    assert "New game" in see(other, club.path)
    answer = send(client, f"{club.path}/share")
    fresh = answer.location.removesuffix("/share")
    assert fresh != club.path
    assert other.get(club.path).status_code == 410
    assert "New game" not in see(other, fresh)
    assert "New game" in see(client, fresh)


def test_what_somebody_else_recorded_first_is_seen_before_the_next_tap(app, client, club):
    other = club.run_by(app.test_client())
    renamed = form_at(client, f"{club.path}/person/2", "person_name")
    send(other, f"{club.path}/more", "name", {"name": "Friday"})
    answer = client.post(renamed.action, data=dict(renamed.sent) | {"name": "Benny"})
    page = client.get(answer.location).text
    assert "Somebody else changed the club first." in words(page)
    assert 'value="Benny"' in page


def test_a_game_of_the_club_is_settled_in_the_club(client, club):
    code = next(iter(open_codes(client, club)))
    for page in (f"/g/{code}", f"/g/{code}/settle"):
        assert "Settle up in “Thursday”" in see(client, page)
        assert not any(
            value.startswith("paid-") for each in Offered(client.get(page).text).forms for _, value, _ in each.buttons
        )


def test_a_page_of_a_game_is_shown_anew_when_it_counts_or_no_longer(app, client, clock):
    code = played(client, "Ann", "Ben")
    tags = {page: client.get(page).headers["ETag"] for page in (f"/g/{code}", f"/g/{code}/board")}

    def shown_anew():
        """What each page shows a phone that has it as it was."""
        pages = {page: client.get(page, headers={"If-None-Match": tag}) for page, tag in tags.items()}
        assert [each.status_code for each in pages.values()] == [200, 200]
        tags.update({page: each.headers["ETag"] for page, each in pages.items()})
        assert [client.get(page, headers={"If-None-Match": tag}).status_code for page, tag in tags.items()] == [
            304,
            304,
        ]
        return words(pages[f"/g/{code}"].text)

    club = Club(client, code)
    assert "Settle up in “Thursday”" in shown_anew()
    club.send("/game/2", "drop")
    assert "Settle up" not in shown_anew()
    see(client, send(client, f"/g/{code}", action=f"{club.path}/add").location)
    assert "Settle up in “Thursday”" in shown_anew()
    with app.app_context():
        stored_games.delete(club.code)
    assert "Settle up" not in shown_anew()


def test_what_one_phone_knows_of_a_club_is_not_shown_to_another(app, client, club):
    code = open_codes(client, club)[0]
    member, stranger = app.test_client(), app.test_client()
    assert member.get(club.path).status_code == 200
    for phone, knows in ((member, True), (stranger, False), (member, True)):
        board = phone.get(f"/g/{code}/board").text
        assert ("Thursday" in board) is knows
        assert ("This device doesn’t have the club’s link" in words(board)) is not knows


def open_codes(client, club):
    with client.application.app_context():
        return [each.code for each in open_club(club.code).counted.values()]


def test_a_finished_game_is_added_to_the_club_with_one_tap(client, club):
    code = played(client, "Ann", "Cara")
    page = client.get(f"/g/{code}").text
    assert "Add to the club “Thursday”" in page
    assert send(client, f"/g/{code}", action=f"{club.path}/add").location == club.path
    assert "Add to the club" not in see(client, f"/g/{code}")
    assert "Make this a club" not in see(client, f"/g/{code}/more")


def test_a_watcher_is_not_offered_a_club(app, client):
    code = played(client, "Ann", "Ben")
    assert "Make this a club" in see(client, f"/g/{code}")
    assert "Make this a club" not in see(app.test_client(), f"/g/{code}")


def test_on_home_the_club_stands_above_single_games(client, club):
    home = see(client, "/")
    assert home.index("My clubs Thursday") < home.index("My games")
    assert "Same table" not in home
    assert client.get("/new?again=1").location == f"{club.path}/new"


def test_several_games_are_kept_as_a_club(client):
    codes = [played(client, "Ann", "Ben"), played(client, "Ben", "Ann")]
    page = client.get("/evening?" + "&".join(f"game={code}" for code in codes)).text
    [link] = [each for each in Offered(page).links if each.startswith("/clubs/new")]
    assert all(f'value="{code}" checked' in client.get(link).text for code in codes)


def test_a_club_without_usual_rules_or_games_asks_for_everything(client):
    club = Club(client)
    assert "No game of these days is over yet." in club.see()
    assert "Nobody yet: people come with the first game." in club.see("/more")
    seats = dict(form_at(client, f"{club.path}/new").sent)
    assert (seats["players-0-name"], seats["club"]) == ("", club.code)
    names = {"players-0-name": "Ann", "players-1-name": "Ben", "do": "start"}
    assert send(client, club.path + "/new", typed=names).status_code == 303
    assert club.log() == ["start", "game"]


def test_a_game_that_is_not_over_can_be_ended_and_is_seen_before_another_is_started(client, club):
    code = club.begin()
    for page in ("", "/new"):
        shown = client.get(club.path + page).text
        assert "Cara and Ann, hand 1: not over yet Continue End" in words(shown)
        assert f"/g/{code}/more#ending" in Offered(shown).links
    watcher = client.application.test_client()
    assert "not over yet Watch" in see(watcher, club.path)


def test_a_phone_that_no_longer_runs_the_club_starts_an_ordinary_game(app, client, club):
    begun = form_at(client, f"{club.path}/new")
    assert client.post(f"{club.path}/forget").status_code == 303
    client.get(club.path)  # watches from now on
    code = start_by_form(client, dict(begun.sent), do="start").code
    assert "this device doesn’t run the club" in see(client, f"/g/{code}")
    assert club.log()[-1] == "usual"


def test_the_sample_game_is_never_offered_to_a_club(client):
    answer = client.post("/try")
    assert answer.status_code == 303, words(answer.text)
    code = answer.location.rsplit("/", 1)[-1]
    assert code not in client.get("/clubs/new").text
    club = Club(client, code)
    assert club.log() == ["start"]


def test_whoever_is_unknown_is_new_unless_somebody_is_chosen(client, clock):
    club = Club(client, played(client, "Ann", "Jane"))
    club.send("/more", "person", {"name": "Jane"})
    code = played(client, "Jane", "Eve")
    answer = send(client, f"{club.path}/add", typed={"game": code})
    answer = send(client, answer.location, "game", {"seat-1": "2"})
    assert client.get(answer.location).location == club.path
    assert "Eve" in club.see()


def test_of_several_added_games_only_the_unclear_one_is_asked_about(client, clock):
    club = Club(client, played(client, "Ann", "Jane"))
    club.send("/more", "person", {"name": "Jane"})
    unclear, clear = played(client, "Ann", "Jane", losers=(1,)), played(client, "Ann", "Ben")
    answer = send(client, f"{club.path}/add", typed={"game": [unclear, clear]})
    assert answer.location == f"{club.path}/add/{unclear}"
    assert "Ben" in club.see()
    refused = client.get(send(client, answer.location, "game", {"seat-2": "1"}).location)
    assert re.search(r'id="seat-2".*?value="1" selected', refused.text, re.DOTALL)
    before = club.log()
    for wrong in ({"seat-2": "new", "name-2": ""}, {"seat-2": "x"}, {"seat-99": "1"}):
        again = client.get(send(client, answer.location, "game", wrong).location)
        assert 'class="notice notice-fault"' in again.text
    assert club.log() == before
    assert "Ann" in club.see()


def test_a_dropped_rematch_is_not_offered_again(client, club):
    code = club.begin()
    number = len(club.log())
    club.send(f"/game/{number}", "drop")
    assert code not in club.see()
    assert "isn’t in the club" not in club.see()


def test_a_device_keeps_the_clubs_it_runs_before_those_it_watches(app, client):
    own = Club(client)
    for number in range(7):
        client.get(Club(app.test_client(), name=f"Other {number}").path)
    home = see(client, "/")
    assert "Thursday" in home
    assert [name for name in range(7) if f"Other {name}" in home] == [2, 3, 4, 5, 6]
    assert own.code in client.get("/games").headers["Kalooki-Games"]


def test_a_club_whose_links_were_reset_says_how_to_find_it(app, client, club):
    link = club.link
    old, watcher = club.run_by(app.test_client()), app.test_client()
    watcher.get(club.path)
    assert "Every other device loses the club" in club.see("/share")
    fresh = send(client, f"{club.path}/share").location.removesuffix("/share")
    for device, address in (
        (old, club.path),
        (old, link),
        (watcher, f"{club.path}/history"),
        (app.test_client(), link),
    ):
        answer = device.get(address)
        assert answer.status_code == 410
        assert "The club’s link was changed" in words(answer.text)
        assert "Ask whoever runs the club for the new one" in words(answer.text)
    for device in (old, watcher):
        home = device.get("/").text
        assert "The link of a club was changed. Ask whoever runs the club for the new one. OK" in words(home)
        assert club.path not in Offered(home).links
        assert send(device, "/", action=f"{club.path}/forget").location == "/"
        assert "club was changed" not in see(device, "/")
    home = see(client, "/")
    assert ("club was changed" in home, "Thursday" in home) == (False, True)
    watcher.get(fresh)
    assert "Thursday" in see(watcher, "/")


def test_a_game_whose_club_this_phone_cannot_open_says_so_without_a_link(app, client, club):
    """Its own phone still records in it, but had the club's link before the reset only."""
    other = club.run_by(app.test_client())
    code = open_codes(client, club)[0]
    assert "Settle up in “Thursday”" in see(other, f"/g/{code}")
    fresh = send(client, f"{club.path}/share").location.removesuffix("/share")
    page = other.get(f"/g/{code}").text
    assert "This device doesn’t have the club’s link: ask whoever runs the club." in words(page)
    assert not [each for each in Offered(page).links if "/c/" in each]
    other.get(fresh)
    page = other.get(f"/g/{code}").text
    assert "This game is settled in “Thursday” , by whoever runs that club." in words(page)
    assert f"{fresh}#money" in Offered(page).links


def test_a_damaged_club_leaves_home_and_games_alone(app, client, club):
    code = open_codes(client, club)[0]
    with app.app_context():
        assert stored_games.append(club.code, 4, {"kind": "nonsense"}, "n", "Ann", None)
    assert client.get("/").status_code == client.get(f"/g/{code}").status_code == 200


def test_a_copy_of_a_game_that_counts_is_not_listed_to_be_added(client, app, club):
    with app.app_context():
        original = recording.open_game(open_codes(client, club)[0])
        copy = recording.copy(original, "copy", "Ann")
    client.get(f"/g/{copy.code}/s/{copy.secret}")
    goes_on = {"seen": original.seen, "submission": "on", "event": {"kind": "rename", "seat": 1, "name": "Anna"}}
    sender = {"Authorization": f"Bearer {copy.secret}"}
    assert client.post(f"/api/v1/games/{copy.code}/entries", json=goes_on, headers=sender).status_code == 201
    told = see(client, f"{club.path}/add")
    assert "Every game of this device is in the club already. A copy of a game that counts isn’t listed" in told


def test_a_deleted_game_leaves_its_id_to_no_other(client, club):
    code = open_codes(client, club)[-1]
    assert send(client, f"/g/{code}/delete", typed={"name": "Cara"}).status_code == 303
    fresh = played(client, "Ben", "Cara")
    assert send(client, f"/g/{fresh}", action=f"{club.path}/add").location == club.path
    assert "2 Ben 50% 1 €0.00" in club.see()
    assert "Cara pays Ann €0.60" in club.see()


def test_a_deleted_game_is_listed_as_deleted_and_needs_no_hand(client, club):
    code = open_codes(client, club)[-1]
    assert send(client, f"/g/{code}/delete", typed={"name": "Cara"}).location == club.path
    page = club.see()
    assert "1 Ann 100% 1 +€0.60" in page
    assert "Cara 100%" not in page
    assert "Deleted: a game of Cara and Ann It no longer counts." in page
    assert "Added a game, deleted since: Cara and Ann" in club.see("/history")
    assert "This game was deleted" not in page
    assert "This game was deleted, so it no longer counts." in club.see("/game/3")
    assert "Deleted" not in club.send("/game/3", "drop")


def test_whoever_ran_the_club_before_a_reset_does_not_run_it_again(app, client, club):
    secret = club.link.rsplit("/", 1)[-1]
    fresh = send(client, f"{club.path}/share").location.removesuffix("/share")
    assert app.test_client().get(f"{fresh}/s/{secret}").status_code == 404
    assert "The club’s link was changed" in words(client.get(club.path).text)
    assert "New game" in see(client, fresh)


def test_no_phone_ticks_a_payment_of_a_game_that_is_settled_in_a_club(app, client, club):
    code = open_codes(client, club)[0]
    join = re.search(r"/g/\w+/p/\w+", client.get(f"/g/{code}/share").text)[0]
    other = app.test_client()
    assert send(other, join, typed={"seat": "2"}).status_code == 303
    page = other.get(f"/g/{code}").text
    assert "This game counts in a club, and is settled there." in words(page)
    assert 'value="paid-' not in page
    assert "Make this a club" not in page


def test_a_double_without_a_hand_is_dropped_with_one_tap(client, club):
    codes = [club.begin() for _ in range(2)]
    assert len({*codes}) == 2
    assert club.see().count("hand 1: not over yet") == 2
    assert "hand 1: not over yet" in club.see("/new")
    page = club.send("", "drop")
    assert "no longer counts" in page
    assert page.count("hand 1: not over yet") == 1


def test_two_equal_doubles_are_told_apart_and_the_dropped_one_leaves_home(app, client, club, clock):
    other = club.run_by(app.test_client())
    clock.move(minutes=1)
    here = f"/g/{club.begin()}"
    clock.move(minutes=2)
    begun = form_at(other, f"{club.path}/new")
    there = other.post(begun.action, data=dict(begun.sent) | {"do": "start"}, headers={"User-Agent": "iPhone"}).location
    page = club.see()
    assert "Sat 21 Nov 20:18, begun on another device (iPhone): Cara and Ann, hand 1: not over yet" in page
    assert "Sat 21 Nov 20:16, begun on this device: Cara and Ann, hand 1: not over yet" in page
    assert "20:16, begun on another device: Cara" in see(other, club.path)
    links = [each for each in Offered(other.get("/").text).links if each in (here, there)]
    assert links == [there]
    club.send("", "drop")  # the newest
    assert there not in Offered(other.get("/").text).links
    assert "Continue" not in see(other, "/")
    assert "dropped from the club “Thursday”" in see(other, "/games")
    assert other.get("/new?again=1").location != f"{club.path}/new"
    clock.move(minutes=1)
    with app.app_context():
        assert stored_games.append(there.rsplit("/", 1)[-1], 1, hand(1, s2=5), "n", "Ann", None)
    assert there in Offered(other.get("/").text).links  # played on without the club


def test_the_games_of_the_same_people_on_one_evening_are_ticked_together(client, clock):
    first, second, other = (played(client, *who) for who in (("Ann", "Ben"), ("Ben", "Ann"), ("Ann", "Cara")))
    page = client.get(f"/clubs/new?game={first}").text
    ticked = re.findall(r'value="(\w+)" checked', page)
    assert ({*ticked}, other in page) == ({first, second}, True)


def test_a_game_that_ended_early_has_no_winner(client):
    scorer = start(client, "european", ["Ann", "Ben"], stakes=None, zone="Europe/London")
    scorer.record(hand(1, s2=5), {"kind": "stop", "pool": "refund"})
    client.get(f"/g/{scorer.code}/s/{scorer.secret}")
    page = Club(client, scorer.code).see()
    assert "ended early, Ann in front" in page
    assert "Ann won" not in page
    assert "A game ended early is won by whoever was in front." in page
    assert "1 Ann 100% 1" in page


def test_the_last_evening_of_a_season_is_in_its_table_until_six(client, clock):
    clock.time = datetime(2026, 12, 31, 23, 50, tzinfo=UTC)
    scorer = start(client, "european", ["Ann", "Ben"], stakes=None, zone="Europe/London")
    scorer.record(hand(1, s2=160))
    client.get(f"/g/{scorer.code}/s/{scorer.secret}")
    club = Club(client, scorer.code)
    clock.time = datetime(2027, 1, 1, 5, 59, tzinfo=UTC)
    assert "Ann won" in club.see()
    clock.move(minutes=1)
    assert "No game of these days is over yet." in club.see()


def test_a_paper_sheet_once_entered_is_added_to_the_club(client, club):
    """The page that a copied sheet ends with offers it."""
    stop = {"kind": "stop", "pool": "refund"}
    events = [{"kind": "start", "variant": "european", "players": ["Ann", "Ben"]}, hand(1, s2=5), stop]
    log = [{"event": event, "at": "2026-11-20T12:00:00Z", "by": "Ann"} for event in events]
    paper = import_game(client, log)
    client.get(f"/g/{paper.code}/s/{paper.secret}")
    assert "Add to the club “Thursday”" in see(client, f"/g/{paper.code}")


def test_the_phone_that_starts_may_be_another_each_week(app, client, club):
    """With last week's phone away, another that runs the club starts, records and corrects last week's game."""
    other = club.run_by(app.test_client())
    code = club.begin(other)
    assert "Record hand 1" in see(other, f"/g/{code}")
    assert "Record hand 1" in see(client, f"/g/{code}")
    old = open_codes(client, club)[0]
    assert other.get(f"/g/{old}/correct/2").status_code == 200


def test_a_payment_ticked_in_a_game_before_it_was_added_is_listed_and_undone_there(app, client, clock):
    """Ben owes Ann 0.60 and pays it on the game's page; Jo then wins 0.60 of Ann's, so that Ann owes Jo that."""
    paid, other = played(client, "Ann", "Ben"), played(client, "Jo", "Ann")
    assert send(client, f"/g/{paid}/settle", typed={"do": "paid-2-1-60"}, action="/settle").status_code == 303
    club = Club(client, paid, other)
    noted = "Ben paid Ann €0.60, in the game of Sat 21 Nov 20:15"
    page = client.get(club.path).text
    assert f"✓ {noted} Undo there" in words(page)
    assert "Ann pays Jo €0.60" in words(page)
    assert f"{noted} Undo there" in club.see("/person/1")
    assert f"{noted} Undo there" in club.see("/person/2")
    assert "What was paid" not in club.see("/person/3")
    [there] = {each for each in Offered(page).links if "/settle#undo-" in each}
    address, place = there.split("#")
    undo = next(each for each in Offered(client.get(address).text).forms if any(v == place for _, v, _ in each.buttons))
    assert client.post(undo.action, data=dict(undo.sent) | {"do": place}).status_code == 303
    page = club.see()
    assert "✓" not in page
    assert "Ben pays Jo €0.60" in page
    assert "Undo there" not in see(app.test_client(), f"{club.path}/person/1")


def test_the_history_has_what_was_paid_and_corrected_in_the_clubs_games(app, client, clock):
    """Ben pays his 0.60 a minute after the game; two days later he held 155: what he owes doesn't change."""
    scorer = start(client, "european", ["Ann", "Ben"], stakes=EURO, house={"buy_ins": 0}, zone="Europe/London")
    scorer.record(hand(1, s2=15))
    scorer.record({"kind": "amend", "target": 2, "event": hand(1, s2=5)})  # before the end: of no interest to the club
    scorer.record(hand(1, s2=150))
    clock.move(minutes=1)
    scorer.record({"kind": "paid", "from": 2, "to": 1, "amount": 60})
    client.get(f"/g/{scorer.code}/s/{scorer.secret}")
    club = Club(client, scorer.code)
    clock.move(days=2)
    scorer.record({"kind": "amend", "target": 4, "event": hand(1, s2=155)})
    page = club.see("/history")
    newest, paid = (
        "In the game of Sat 21 Nov 20:15: Hand 2 corrected: Ben 155, not 150",
        "Ben paid Ann €0.60, in the game",
    )
    assert f"{newest} Mon 23 Nov 20:16 · script See there" in page
    assert f"{paid} of Sat 21 Nov 20:15 Sat 21 Nov 20:16 · script Undo there" in page
    assert page.index(newest) < page.index("The club “Thursday” began") < page.index(paid)
    assert "Ben 5, not 15" not in page
    links = {each for each in Offered(client.get(f"{club.path}/history").text).links if "#" in each}
    assert links >= {f"/g/{scorer.code}/history#entry-6", f"/g/{scorer.code}/settle#undo-5"}
    assert "Undo there" not in see(app.test_client(), f"{club.path}/history")


def test_a_payment_that_two_phones_note_counts_once(app, client, club):
    other = club.run_by(app.test_client())
    typed = {"from": "2", "to": "3", "amount": "0.25"}
    noted = next(each for each in Offered(other.get(club.path).text).forms if ("from", "") in each.sent)
    club.send("", "paid", typed, number=1)
    answer = other.post(noted.action, data=dict(noted.sent) | typed)
    page = other.get(answer.location).text
    assert "Somebody else noted this payment first. It counts once." in words(page)
    assert 'value="0.25"' not in page
    assert club.log().count("paid") == 1
    assert "Ben pays Cara €0.35" in words(page)


def test_a_page_of_a_game_opened_before_it_counted_notes_no_payment(client, clock):
    code = played(client, "Ann", "Ben")
    tick = form_at(client, f"/g/{code}/settle", action="/settle")
    club = Club(client, code)
    club.send("", "paid")
    answer = client.post(tick.action, data=dict(tick.sent) | {"do": "paid-2-1-60"})
    assert "Nothing was noted: this game counts in a club now" in see(client, answer.location)
    assert "Nobody owes anything." in club.see()
    assert "Record a payment" not in see(client, f"/g/{code}/settle")


def test_a_payment_undone_in_a_game_that_counts_is_not_redone_there(client, clock):
    """Ben paid Ann 0.60 in the game; undone there and noted in the club, it would count twice."""
    code = played(client, "Ann", "Ben")
    send(client, f"/g/{code}/settle", typed={"do": "paid-2-1-60"}, action="/settle")
    club = Club(client, code)
    noted = client.get(f"/api/v1/games/{code}").json["seen"]
    send(client, f"/g/{code}/settle", typed={"do": f"undo-{noted}"}, action="/settle")
    club.send("", "paid")
    for page in ("", "/history"):
        assert f"/undo/{noted + 1}" not in client.get(f"/g/{code}{page}").text
    for asked in (client.get, client.post):
        answer = asked(f"/g/{code}/undo/{noted + 1}")
        assert "Nothing was noted: this game counts in a club now" in see(client, answer.location)
    assert "Nobody owes anything." in club.see()


def test_a_rematch_of_a_clubs_game_is_no_second_club(app, client, clock):
    """Whoever has no link of the club plays it, and a rematch of that; whoever runs the club may add either."""
    code = played(client, "Ann", "Ben")
    other = app.test_client()
    join = re.search(r"/g/\w+/p/\w+", client.get(f"/g/{code}/share").text)[0]
    assert send(other, join, typed={"seat": "2"}).status_code == 303
    rematches = [code]
    for _ in range(2):
        answer = send(other, f"/g/{rematches[-1]}/rematch", typed={"do": "start"})
        rematches.append(answer.location.rsplit("/", 1)[-1])
    assert "Make this a club" in see(other, f"/g/{rematches[-1]}/more")
    club = Club(client, code)
    for each in rematches[1:]:
        page = see(other, f"/g/{each}/more")
        assert "A rematch of a club’s game: whoever runs the club can add it there" in page
        assert "Make this a club" not in page
    assert rematches[1] in client.get(club.path).text


def test_equal_rules_are_offered_once(client, clock):
    """The usual rules are those of the newest of the first games; of three others, two were played by equal ones."""
    club = Club(client, played(client, "Ann", "Ben"), played(client, "Ben", "Ann"))
    assert "Rules and stakes" not in club.see("/more")
    for limit in (200, 250, 200):
        clock.move(minutes=10)
        house = {"buy_ins": 0, "limit": limit}
        scorer = start(client, "european", ["Ann", "Ben"], stakes=None, house=house, zone="Europe/London")
        scorer.record(hand(1, s2=260))
        client.get(f"/g/{scorer.code}/s/{scorer.secret}")
        send(client, f"{club.path}/add", typed={"game": scorer.code})
    page = club.see("/more")
    assert page.count("with 2 house rules, not for money, as on Sat 21 Nov") == 2
    assert page.count("as on") == 2
    club.send("/more", "usual", {"usual": scorer.code, "least": "2"})
    page = club.see("/more")
    assert "A new game begins with European Kalooki with 2 house rules, not for money Rules" in page
    assert page.count("as on") == 2


def test_a_dropped_double_comes_back_by_undo_or_from_its_own_page(client, club):
    code = club.begin()
    club.send("", "drop")
    assert "not over yet" not in club.see()
    assert "Undone." in club.send("/history", "undo")
    assert "hand 1: not over yet" in club.see()
    assert "Record hand 1" in see(client, f"/g/{code}")
    club.send("", "drop")
    assert send(client, f"/g/{code}/more", action=f"{club.path}/add").location == club.path
    assert club.see().count("hand 1: not over yet") == 1


def test_what_was_paid_in_a_deleted_game_is_no_longer_listed(client, clock):
    paid, other = played(client, "Ann", "Ben"), played(client, "Jo", "Ann")
    assert send(client, f"/g/{paid}/settle", typed={"do": "paid-2-1-60"}, action="/settle").status_code == 303
    club = Club(client, paid, other)
    assert send(client, f"/g/{paid}/delete", typed={"name": "Ann"}).status_code == 303
    page = club.see()
    assert "Ann pays Jo €0.60" in page
    assert "Ben paid Ann €" not in page + club.see("/person/1") + club.see("/history")
    assert "Added a game, deleted since: Ann and Ben" in club.see("/history")
