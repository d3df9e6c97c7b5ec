"""What one address may ask for: far more than a club of eighty phones does, far less than a flood."""

import itertools
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.settings import ROOT, configuration
from app.views import limits
from app.views.limits import AT_ONCE, MOST, PATIENCE, WAITING
from tests.conftest import application
from tests.pages import START_FORM, start, start_by_form, words

START = {"variant": "european", "players": ["Ann", "Ben", "Cat"]}
MELD = {"variant": "european", "cards": "7H 8H 9H"}


@pytest.fixture
def limited(database):
    """A function that makes the application with its limits."""
    return lambda **config: application(f"sqlite:///{database}", **{"RATELIMIT_ENABLED": True} | config)


@pytest.fixture(scope="module")
def app(tmp_path_factory):
    database = tmp_path_factory.mktemp("limits") / "kalooki.db"
    return application(f"sqlite:///{database}", RATELIMIT_ENABLED=True)


@pytest.fixture
def client(limited):
    return limited().test_client()


@pytest.fixture(autouse=True)
def later(monkeypatch):
    """Let time pass for whoever counts: it stands until then, as on a busy machine a hundred requests take a while."""
    now = [time.monotonic()]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])

    def wait(seconds):
        now[0] += seconds

    return wait


@pytest.fixture
def less(limited, monkeypatch):
    """A client of an application with limits of which a test can reach the end."""

    def of(name, most, **config):
        monkeypatch.setitem(MOST, name, most)
        return limited(**config).test_client()

    return of


def starts(client, count, **more):
    """The statuses of so many starts by script, one after another."""
    return [client.post("/api/v1/games", json=START, **more).status_code for _ in range(count)]


def takes(app, name, count):
    """How many of so many things one address may do at once."""
    with app.test_request_context():
        return sum(is_taken(name) for _ in range(count))


def is_taken(name):
    try:
        limits.take(name)
    except limits.TooOften:
        return False
    return True


def test_a_hundred_starts_an_hour_pass_hour_after_hour_and_four_hundred_never(limited, later):
    app = limited()
    for _ in range(2):
        assert takes(app, "starts", 100) == 100
        later(3600)
    assert 100 <= takes(app, "starts", 400) < 400
    later(3600)
    assert takes(app, "starts", 100) == 100


def test_no_edge_of_an_hour_lets_twice_as_many_through(less, later):
    client = less("starts", "20 per hour")
    later(3599 - time.monotonic() % 3600)
    before = starts(client, 20)
    later(2)
    assert before + starts(client, 2) == [201] * 20 + [429] * 2


def test_beyond_it_a_script_is_told_in_words_when_to_try_again(less):
    client = less("starts", "1 per hour")
    starts(client, 1)
    refused = client.post("/api/v1/games", json=START)
    assert refused.status_code == 429
    assert refused.json["error"]["code"] == "too_many_requests"
    assert 3500 < int(refused.headers["Retry-After"]) <= 3601
    assert "Try again in 60 minutes." in refused.json["error"]["message"]


def test_beyond_it_a_page_says_so_and_what_is_played_goes_on(less):
    client = less("starts", "1 per hour")
    scorer = start(client)
    refused = client.post("/new", data=START_FORM)
    assert refused.status_code == 429
    assert refused.headers["Retry-After"].isdecimal()
    assert "Too many games were started from here" in words(refused.text)
    assert client.post("/new", data=START_FORM | {"do": "add"}).status_code == 200
    scorer.record({"kind": "void", "reason": "misdeal"})


def test_pages_files_and_sheets_copied_back_count_like_scripts(less):
    client = less("starts", "3 per hour")
    code = start_by_form(client).code
    log = client.get(f"/api/v1/games/{code}/sheet.json").json
    assert client.post("/api/v1/games/import", json=log).status_code == 201
    assert client.post("/copy/saved", data={"submission": "a"}).status_code == 422  # brings nothing in
    assert starts(client, 2) == [201, 429]
    for address, data in (("/new", START_FORM), ("/copy", {"do": "save"}), ("/copy/saved", {"submission": "b"})):
        assert client.post(address, data=data).status_code == 429, address
    assert client.post("/api/v1/games/import", json=log).status_code == 429


def test_what_starts_no_game_and_a_start_sent_again_cost_nothing(less):
    client = less("starts", "3 per hour")
    again = START | {"submission": "again"}
    assert client.post("/api/v1/games", json=again).status_code == 201
    for _ in range(5):
        assert client.post("/api/v1/games", json={}).status_code == 422
        assert client.post("/api/v1/games", json=again).status_code == 200
    assert starts(client, 3) == [201, 201, 429]


def test_wrong_codes_come_to_an_end_and_right_ones_cost_nothing(client):
    code = start(client).code
    assert {client.post("/open", data={"typed": code}).status_code for _ in range(110)} == {303}
    wrong = [client.post("/open", data={"typed": "A" * 20}) for _ in range(101)]
    assert [answer.status_code for answer in wrong] == [422] * 100 + [429]
    assert "Too many wrong codes" in words(wrong[-1].text)


def test_checks_come_to_an_end_as_pages_and_as_json_and_a_solution_costs_more(less):
    client = less("checks", "24 per minute")
    assert client.get("/check?cards=7H+8H+9H").status_code == 200
    assert client.post("/api/v1/check/meld", json=MELD).status_code == 200
    assert client.get("/check/shown?cards=7H+8H+9H").status_code == 200
    assert client.post("/api/v1/solve", json=MELD | {"goal": "least_points"}).status_code == 200
    assert client.get("/check?check=solve&cards=7H+8H+9H").status_code == 429
    assert client.post("/api/v1/check/meld", json=MELD).status_code == 200
    refused = client.post("/api/v1/check/meld", json=MELD)
    assert (refused.status_code, refused.json["error"]["code"]) == (429, "too_many_requests")
    assert 0 < int(refused.headers["Retry-After"]) <= 61


def test_sheets_come_to_an_end_where_the_renderer_works_for_them(less, monkeypatch):
    monkeypatch.setattr("app.views.sheets.renderer.make", lambda job: b"%PDF-" + job.html.encode())
    client = less("papers", "2 at once, 60 per hour")
    codes = [start(client).code for _ in range(3)]
    for _ in range(5):
        assert client.get(f"/api/v1/games/{codes[0]}/sheet.pdf").status_code == 200
    assert [client.get(f"/api/v1/games/{code}/sheet.pdf").status_code for code in codes] == [200, 200, 429]
    refused = client.get(f"/api/v1/games/{codes[2]}/sheet.png?paper=a4")
    assert 50 < int(refused.headers["Retry-After"]) <= 60
    assert client.get(f"/api/v1/games/{codes[0]}/sheet.csv").status_code == 200


def test_sheets_that_fail_count_too(less, monkeypatch):
    def fail(_job):
        raise ChildProcessError

    monkeypatch.setattr("app.views.sheets.renderer.make", fail)
    client = less("papers", "2 at once, 60 per hour")
    codes = [start(client).code for _ in range(3)]
    assert [client.get(f"/api/v1/games/{code}/sheet.pdf").status_code for code in codes] == [503, 503, 429]


def test_questions_come_to_an_end_and_so_do_imports_that_fail(less):
    client = less("questions", "3 at once, 60 per hour")
    asked = [client.get(f"/disputes?q={word}") for word in ("joker", "", "ace")]
    assert [answer.status_code for answer in asked] == [200] * 3
    refused = client.get("/api/v1/find?variant=european&q=joker")
    assert refused.status_code == 429
    assert 50 < int(refused.headers["Retry-After"]) <= 60
    client = less("imports", "2 at once, 60 per hour")
    assert client.post("/api/v1/games/import", json={"log": []}).status_code == 422
    assert client.post("/copy/saved", data={"submission": "a"}).status_code == 422
    assert client.post("/copy/saved", data={"submission": "a"}).status_code == 429
    code = start(client).code
    assert client.get(f"/g/{code}").status_code == 200


@pytest.mark.parametrize(("name", "many"), [("questions", 300), ("papers", 60)])
def test_a_home_of_eight_phones_asks_300_questions_and_prints_60_sheets_an_hour(limited, later, name, many):
    """Beyond sixteen of either at once."""
    app = limited()
    assert takes(app, name, 16) == 16
    for _ in range(many):
        later(3600 / many)
        assert takes(app, name, 1) == 1


@given(at=st.floats(0, 10**7), many=st.integers(1, 9))
def test_as_much_as_the_limit_says_at_whatever_time_it_is(app, at, many):
    """Of seconds counted as fractions none is ever too many by a rounding."""
    with pytest.MonkeyPatch.context() as patch, app.test_request_context():
        patch.setattr(time, "monotonic", lambda: at)
        patch.setitem(MOST, "starts", f"{many} per hour")
        app.extensions.pop("counts of limits", None)
        assert [is_taken("starts") for _ in range(many + 1)] == [True] * many + [False]


def test_a_clock_that_is_set_back_keeps_nobody_waiting(less, later, monkeypatch):
    client = less("starts", "1 per minute")
    assert starts(client, 2) == [201, 429]
    today = time.time()
    monkeypatch.setattr(time, "time", lambda: today - 366 * 24 * 3600)
    later(61)
    assert starts(client, 2) == [201, 429]


def test_counts_that_matter_no_more_are_dropped(less, later, monkeypatch):
    monkeypatch.setattr(limits, "MOST_COUNTS", 20)
    client = less("starts", "1 per minute")
    for host in range(21):
        later(61)
        starts(client, 1, environ_base={"REMOTE_ADDR": f"192.0.2.{host}"})
    assert len(client.application.extensions["counts of limits"]) == 1


def test_a_club_of_eighty_phones_behind_one_address_never_notices(limited):
    """Everybody starts a game, mistypes a code and has cards checked three times, all at once."""
    app = limited()
    for name, many in (("starts", 80), ("codes", 80), ("checks", 240)):
        assert takes(app, name, many) == many


def test_they_can_be_turned_off_for_tests(less):
    client = less("starts", "1 per hour", RATELIMIT_ENABLED=False)
    assert starts(client, 3) == [201] * 3


# ---- Whose requests are counted together


def test_another_address_has_its_own_count(less):
    client = less("starts", "1 per hour")
    assert starts(client, 2) == [201, 429]
    assert starts(client, 1, environ_base={"REMOTE_ADDR": "192.0.2.9"}) == [201]


def test_an_ipv6_household_is_one_address(less):
    client = less("starts", "1 per hour")
    told = [
        starts(client, 1, environ_base={"REMOTE_ADDR": address})
        for address in ("2001:db8::1", "2001:db8::2", "2001:db8:0:1::1", "::ffff:192.0.2.9", "192.0.2.9")
    ]
    assert told == [[201], [429], [201], [201], [429]]


def test_without_a_stated_proxy_nobody_chooses_an_address_of_their_own(less):
    client = less("starts", "1 per hour")
    claimed = ({"X-Forwarded-For": f"192.0.2.{number}"} for number in itertools.count(1))
    assert [starts(client, 1, headers=next(claimed)) for _ in range(3)] == [[201], [429], [429]]


def test_behind_a_stated_number_of_proxies_each_phone_is_counted_by_itself(less):
    client = less("starts", "1 per hour", PROXY_HOPS="1")
    told = [
        starts(client, 1, headers={"X-Forwarded-For": address})
        for address in ("192.0.2.1", "192.0.2.2", "192.0.2.1", "198.51.100.7, 192.0.2.2")
    ]
    assert told == [[201], [201], [429], [429]]  # what the phone itself claims stands further left


def test_a_proxy_says_how_it_was_asked_but_not_under_which_name(limited):
    client = limited(PROXY_HOPS="1").test_client()
    headers = {"X-Forwarded-Proto": "https", "X-Forwarded-Host": "evil.example", "Host": "192.0.2.7"}
    links = client.post("/api/v1/games", json=START, headers=headers).json["links"]
    assert links["state"].startswith("https://192.0.2.7/api/v1/games/")


@pytest.mark.parametrize("given", ["-1", "x", "10", "1.0"])
def test_no_number_of_proxies_stops_the_start(given):
    with pytest.raises(SystemExit, match="PROXY_HOPS"):
        configuration({"PROXY_HOPS": given, "SECRET_KEY": "test"})


def test_the_documentation_has_every_limit():
    told = (ROOT / "docs/running.md").read_text("utf-8")
    assert [most for most in MOST.values() if f"| {most} |" not in told] == []
    assert told.count(f"{AT_ONCE} at once, {WAITING} wait {PATIENCE} s |") == 2
