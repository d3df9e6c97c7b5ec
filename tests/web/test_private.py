"""What is kept of people: where, for how long, who may keep a copy of a page, and how it goes."""

from datetime import UTC, datetime, timedelta

import pytest

from app import create_app
from app.store import games
from app.store.database import NoSuchGame, db
from tests.json_scorer import import_game
from tests.pages import START_FORM, Alice, Player, hand, words

DAY = timedelta(days=1)


def kept_as(answer):
    return answer.headers.get("Cache-Control")


# ---- Who may keep a copy of a page


def test_only_the_browser_itself_keeps_pages_of_a_game(app, alice):
    ben = Player(alice, seat=2)
    for path in ("", "/hand", "/history", "/settle", "/more", "/table", "/sheet", "/check"):
        assert kept_as(alice.get(path)) == "private, no-cache", path
    assert kept_as(ben.get("/count")) == "private, no-cache"
    for path in ("/games", "/evening", "/", "/new", f"/api/v1/games/{alice.code}"):
        assert kept_as(alice.client.get(path)) == "private, no-cache", path
    assert kept_as(alice.client.get(f"/api/v1/games/{alice.code}/sheet.csv")) == "private, no-cache"
    assert kept_as(alice.get("/hand")) == kept_as(ben.get("/hand")) == "private, no-cache"  # refusals too


def test_nobody_keeps_what_shows_a_secret_or_has_it_in_its_address(app, alice):
    link = alice.link("player")
    assert kept_as(alice.client.get(link)) == "no-store"
    assert kept_as(app.test_client().get(link)) == "no-store"
    assert kept_as(app.test_client().post(link, data={"seat": "2"})) == "no-store"
    assert kept_as(app.test_client().get(f"/g/{alice.code}/s/{alice.scorer.secret}")) == "no-store"
    assert kept_as(alice.get("/share")) == "no-store"
    typed = app.test_client().post("/open", data={"typed": "AAAAA BBBBB"})
    assert (typed.status_code, kept_as(typed)) == (422, "no-store")
    made = app.test_client().post("/api/v1/games", json={"variant": "european", "players": ["Ann", "Ben"]})
    assert kept_as(made) == "no-store"


def test_no_page_with_a_secret_in_its_address_is_a_referrer_or_says_it(app, alice):
    link = alice.link("player")
    page = app.test_client().get(link)
    assert page.headers["Referrer-Policy"] == "no-referrer"
    secret = link.rsplit("/", 1)[1]
    assert secret not in page.text
    player = Player(alice, seat=2)
    for path in ("", "/board", "/hand", "/count", "/more", "/history", "/seat", "/rematch"):
        answer = player.get(path)
        assert answer.status_code == 200
        assert secret not in answer.text + str(answer.headers), path


def test_the_worker_on_the_phone_is_told_what_it_may_keep(app, alice):
    """A phone that lost a right drops the pages only that right opened; one that forgot a game drops all of it."""
    ben, bob = Player(alice, seat=2), app.test_client()
    assert alice.get().headers["Kalooki-May"] == "write"
    assert ben.get().headers["Kalooki-May"] == "write sit"
    seen = {ben.get(path).headers["Kalooki-Seen"] for path in ("", "/hand", "/count")}
    assert seen == {"1"}  # only the start yet; the worker keeps the newest
    alice.let_only_starter_record()
    assert ben.get().headers["Kalooki-May"] == "sit"
    assert bob.get(f"/g/{alice.code}").headers["Kalooki-May"] == "watch"
    known = {"If-None-Match": ben.get().headers["ETag"]}
    assert ben.client.get(f"/g/{alice.code}", headers=known).headers["Kalooki-May"] == "sit"
    assert bob.get("/games").headers["Kalooki-Games"] == alice.code
    bob.post("/games", data={"forget": alice.code})
    assert bob.get("/games").headers["Kalooki-Games"] == ""


# ---- The way between phone and server


def at(database, base):
    return create_app({"DATABASE_URL": f"sqlite:///{database}", "SECRET_KEY": "test", "BASE_URL": base})


@pytest.mark.parametrize(
    ("base", "scheme", "is_secure"),
    [
        ("", "http", False),
        ("", "https", True),
        ("https://localhost", "http", True),
        ("http://localhost", "http", False),
    ],
)
def test_the_cookie_is_secure_wherever_it_comes_by_tls(database, base, scheme, is_secure):
    answer = at(database, base).test_client().get("/new", base_url=f"{scheme}://localhost")
    assert ("; Secure" in answer.headers["Set-Cookie"]) is is_secure


@pytest.mark.parametrize("base", ["", "http://localhost", "https://localhost"])
def test_browsers_are_told_to_stay_with_https_only_where_the_address_says_so(database, base):
    told = at(database, base).test_client().get("/", base_url="https://localhost").headers
    assert told.get("Strict-Transport-Security") == ("max-age=31536000" if base.startswith("https") else None)


def test_a_form_by_tls_needs_no_referer(database):
    client = at(database, "").test_client()
    page = client.get("/new", base_url="https://localhost").text
    token = page.partition('name="csrf_token" value="')[2].partition('"')[0]
    form = START_FORM | {"csrf_token": token}
    assert client.post("/new", data=form, base_url="https://localhost").status_code == 303


def test_a_form_that_cannot_be_taken_says_what_helps(database):
    refused = at(database, "").test_client().post("/new", data=START_FORM)
    assert (refused.status_code, "Allow cookies" in words(refused.text)) == (400, True)

    other = at(database, "")
    client = other.test_client()
    client.get("/new")
    old = client.post("/new", data=START_FORM | {"csrf_token": "of another visit"})
    assert old.status_code == 400
    assert "reload this page and save again" in words(old.text)
    assert "Allow cookies" not in words(old.text)
    hand = client.post("/g/AAAAAAAAAAA/hand", data={"csrf_token": "of another visit"})
    assert '<a class="button button-primary" href="/g/AAAAAAAAAAA/hand">Back to the hand</a>' in hand.text

    by_http = at(database, "https://localhost").test_client().post("/new", data=START_FORM)
    assert by_http.status_code == 400
    assert "remembers devices at https://localhost only" in words(by_http.text)


# ---- What


def test_the_page_names_what_every_table_holds(client):
    named = {
        "game": "the names of the players as they were typed",
        "entry": "every hand, payment, penalty and ruling with its time",
        "grant": "which phones may record or have a seat, and since when",
        "count": "the cards or points that players sent as their own",
        "gone": "its old address, scrambled, and the day",
        "club_game": "the clubs it counts in",
    }
    assert set(db.metadata.tables) - {"alembic_version"} == set(named)
    page = words(client.get("/privacy").text)
    assert [each for each, said in named.items() if said not in page] == []


# ---- How long


@pytest.fixture
def later(app):
    """Let days pass."""

    def pass_by(days):
        app.config["CLOCK"] = lambda: datetime.now(UTC) + days * DAY

    return pass_by


def codes(app):
    with app.app_context():
        return set(games.codes())


def forgotten(app, *more):
    """What `forget` answers for games of more than 30 days, and the games that are left."""
    done = app.test_cli_runner().invoke(args=["forget", "--days", "30", *more])
    return done.output, codes(app)


def test_a_game_goes_when_nothing_was_recorded_for_so_many_days(app, alice, later):
    later(20)
    young = Alice(app)
    other = Alice(app)
    later(29)
    assert forgotten(app)[0] == "0 games deleted: nothing recorded for 30 days\n"
    alice.record(hand(1, s2=5, s3=5))
    later(51)
    young.record({"kind": "void"})
    later(58)
    left = {alice.code, young.code}
    assert forgotten(app) == ("1 game deleted: nothing recorded for 30 days\n", left)
    assert other.get().status_code == 410


def test_more_than_half_of_all_games_go_only_where_somebody_says_so(app, alice, later):
    """A clock that is wrong by years makes every game old."""
    others = [Alice(app) for _ in range(2)]
    later(40)
    young = Alice(app)
    old = {alice.code, *(each.code for each in others)}
    said, left = forgotten(app)
    assert "3 of 4 games would be deleted, and none was: if this machine's clock is right, say --yes." in said
    assert left == old | {young.code}
    assert forgotten(app, "--yes") == ("3 games deleted: nothing recorded for 30 days\n", {young.code})


def test_half_of_all_games_go_without_a_word(app, alice, later):
    later(40)
    young = Alice(app)
    assert forgotten(app) == ("1 game deleted: nothing recorded for 30 days\n", {young.code})


def test_an_old_sheet_copied_back_today_is_kept(app, client, later):
    start = {"kind": "start", "variant": "european", "players": ["Ann", "Ben"]}
    entry = {"entry": 1, "at": "2001-01-01T12:00:00Z", "by": "paper", "event": start}
    code = import_game(client, [entry]).code
    later(29)
    assert forgotten(app, "--yes")[1] == {code}
    later(31)
    assert forgotten(app, "--yes")[1] == set()


def test_a_game_that_is_taken_up_again_at_the_last_moment_stays(app, alice, later):
    later(31)
    with app.app_context():
        assert games.unused(30) == (alice.code,)
        alice.record({"kind": "void"})
        with pytest.raises(NoSuchGame):
            games.delete(alice.code, unused_days=30)
    assert alice.get().status_code == 200


@pytest.mark.parametrize(
    ("said", "is_gone"),
    [(said, True) for said in ("y\n", "Y\n", "yes\n", " Yes \n", "y")]
    + [(said, False) for said in ("no\n", "yy\n", "\n", "")],
)
def test_whoever_runs_the_server_deletes_a_game_by_its_code(app, alice, said, is_gone):
    done = app.test_cli_runner().invoke(args=["delete", alice.code], input=said)
    assert (done.exit_code == 0) is is_gone
    assert (alice.get().status_code == 410) is is_gone


def test_a_code_of_no_game_deletes_nothing(app, alice):
    done = app.test_cli_runner().invoke(args=["delete", "NOSUCHGAME2"])
    assert done.exit_code == 1
    assert "there is no game NOSUCHGAME2" in done.output


# ---- In words


def test_one_page_says_what_is_kept_where_and_for_how_long(client):
    page = words(client.get("/privacy").text)
    for section in ("On this server", "For how long", "Who can see it", "On this device"):
        assert section in page
    assert "This server keeps a game until somebody deletes it" in page


def test_the_page_is_linked_from_the_foot_of_every_page(client, alice):
    for page in (client.get("/"), alice.get("/more"), client.get("/nowhere"), client.get("/rules")):
        assert 'href="/privacy"' in page.text


# ---- Everything of this device


def test_before_everything_goes_the_page_says_what(alice):
    ben = Player(alice, seat=2)
    page = alice.client.get("/device").text
    assert f'href="/g/{alice.code}/share"' in page
    assert f'href="/g/{alice.code}/delete"' in page
    assert "/delete" not in ben.client.get("/device").text


def test_everything_of_a_device_goes_and_the_game_stays(app, alice):
    alice.client.post("/games", data={"forget": "NOSUCHGAME2"})
    answer = alice.client.post("/device")
    assert answer.status_code == 200
    assert f"{app.config['SESSION_COOKIE_NAME']}=;" in answer.headers["Set-Cookie"]
    assert answer.headers["Clear-Site-Data"] == '"cache"'
    assert "data-forgotten" in answer.text
    assert alice.client.get("/games").headers["Kalooki-Games"] == ""
    assert alice.get("/hand").status_code == 403
    assert alice.get().status_code == 200


def test_an_invented_game_goes_with_the_device_that_tried_it(app, client):
    client.post("/try")
    assert len(codes(app)) == 1
    client.post("/device")
    assert codes(app) == set()


def test_no_other_site_makes_a_device_forget(database):
    app = at(database, "")
    client = app.test_client()
    client.get("/new")
    assert client.post("/device").status_code == 400
    assert "data-forgotten" not in client.get("/device").text
