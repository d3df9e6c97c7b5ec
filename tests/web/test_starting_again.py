"""The start of a game, or an import, sent once more: a right that was taken back never comes back with it."""

import pytest

from app import create_app
from app.store import grants
from tests.json_scorer import send
from tests.pages import START_FORM, take_back, words

pytestmark = pytest.mark.both_engines

BODY = {"variant": "european", "players": ["Ann", "Ben"], "submission": "game-1"}
LOG = [{"event": {"kind": "start", "variant": "european", "players": ["Ann", "Ben"]}}, {"event": {"kind": "void"}}]
SENT = [("/api/v1/games", BODY), ("/api/v1/games/import", {"log": LOG, "submission": "game-1"})]


@pytest.fixture(params=SENT, ids=["start", "import"])
def start(request, app, clock):
    """Sends the same body again, as any stranger may."""
    address, body = request.param
    return lambda: app.test_client().post(address, json=body)


def may_write(app, answer):
    code, secret = answer.json["code"], answer.json["scorer"]
    return send(app.test_client(), code, secret, {"kind": "void"}, preview=True).status_code == 200


def is_refused(answer):
    """409, and not a word of the game."""
    assert (answer.status_code, answer.json.keys()) == (409, {"error"})
    assert answer.json["error"]["code"] == "already_started"
    return True


@pytest.fixture
def alice(app):
    """A browser that keeps cookies."""
    return app.test_client()


def enters(client, answer):
    """The device of whoever was given that right."""
    code = answer.json["code"]
    client.get(f"/g/{code}/s/{answer.json['scorer']}")
    return f"/g/{code}"


def test_within_ten_minutes_it_is_answered_the_same_and_writes(app, clock, start):
    first = start()
    clock.move(minutes=9, seconds=59)
    again = start()
    assert (first.status_code, again.status_code) == (201, 200)
    assert [again.json[name] for name in ("code", "scorer", "seen")] == [
        first.json[name] for name in ("code", "scorer", "seen")
    ]
    assert may_write(app, again)
    with app.app_context():
        assert [grant.role for grant in grants.list_grants(first.json["code"])] == ["scorer"]


def test_after_ten_minutes_it_is_refused_and_the_right_stands(app, clock, start):
    first = start()
    clock.move(minutes=10)
    assert is_refused(start())
    assert may_write(app, first)


def test_other_contents_are_another_games_and_refused_as_such(app, clock, start):
    start()
    answer = app.test_client().post("/api/v1/games", json=BODY | {"dealer": 2})
    assert (answer.status_code, answer.json["error"]["code"]) == (409, "already_saved")


def test_a_clock_put_back_changes_nothing(app, clock, start):
    start()
    clock.move(days=-1)
    assert may_write(app, start())


def test_a_right_taken_back_does_not_come_back(app, start):
    first = start()
    with app.app_context():
        right = grants.list_grants(first.json["code"])[0].id
    take_back(app, right)
    assert is_refused(start())
    assert not may_write(app, first)


def test_another_right_taken_back_ends_nothing(app, start):
    code = start().json["code"]
    with app.app_context():
        grants.mint(code, "scorer", device="Carol's phone")
        right = grants.list_grants(code)[1].id
    take_back(app, right)
    assert may_write(app, start())


def test_a_reset_of_the_links_ends_it(alice, start):
    game = enters(alice, start())
    fresh = alice.post(f"{game}/share").location
    answer = start()
    assert is_refused(answer)
    assert fresh.split("/")[2] not in answer.text


def test_a_server_with_another_key_tells_no_secret(app, database_url, start):
    start()
    other = create_app({"DATABASE_URL": database_url, "SECRET_KEY": "another", "TESTING": True})
    other.config["CLOCK"] = app.config["CLOCK"]
    answer = other.test_client().post("/api/v1/games", json=BODY)
    assert answer.json["error"]["code"] in ("already_started", "already_saved")
    assert "scorer" not in answer.json


# ---- Pages: a submission belongs to the device that sent it


def game_of(answer):
    assert answer.status_code == 303, words(answer.text)
    return answer.location


def test_another_device_with_the_same_page_starts_a_game_of_its_own(app, alice):
    game = game_of(alice.post("/new", data=START_FORM))
    other = app.test_client()
    assert game_of(other.post("/new", data=START_FORM)) != game
    assert other.get(f"{game}/hand").status_code == 403


def test_a_script_with_a_pages_submission_starts_a_game_of_its_own(app, alice):
    game = game_of(alice.post("/new", data=START_FORM))
    answer = app.test_client().post("/api/v1/games", json=BODY | {"submission": START_FORM["submission"]})
    assert answer.status_code == 201
    assert answer.json["code"] not in game


def test_back_and_start_again_after_the_right_was_taken_back_only_watches(app, alice, clock):
    game = game_of(alice.post("/new", data=START_FORM))
    with app.app_context():
        right = grants.list_grants(game[3:])[0].id
    take_back(app, right)
    assert game_of(alice.post("/new", data=START_FORM)) == game
    assert alice.get(f"{game}/hand").status_code == 403
    assert alice.post(f"{game}/hand", data={"do": "save"}).status_code == 403
    with app.app_context():
        assert len(grants.list_grants(game[3:])) == 1


def test_back_and_start_again_later_leads_to_the_game(alice, clock):
    game = game_of(alice.post("/new", data=START_FORM))
    clock.move(hours=3)
    assert game_of(alice.post("/new", data=START_FORM)) == game
    assert alice.get(f"{game}/hand").status_code == 200


def test_back_and_start_again_learns_no_new_code(app, alice, clock):
    game = game_of(alice.post("/new", data=START_FORM))
    with app.app_context():
        fresh = grants.reset_links(game[3:], None)
    answer = alice.post("/new", data=START_FORM)
    assert answer.status_code == 422
    assert "already started a game" in answer.text
    assert fresh not in answer.text


def test_a_sheet_copied_twice_later_is_one_game(alice, clock):
    sheet = {"names": "Ann, Ben", "variant": "european", "out_at": "limit", "settle": "account", "submission": "c-1"}
    sheet |= {"dealt_first": "1", "cell-0-1": "✓", "cell-0-2": "12", "do": "save"}
    game = game_of(alice.post("/copy", data=sheet))
    clock.move(hours=1)
    assert game_of(alice.post("/copy", data=sheet)) == game
