"""The JSON interface to clubs, as its contract says: requests, answers, rights."""

import pytest

from app.games import recording
from app.store import grants
from app.views import access
from tests.json_scorer import import_game
from tests.pages import hand, start, take_back

pytestmark = [pytest.mark.one_app, pytest.mark.both_engines]

PREFIX = "/api/v1"
STAKES = {"currency": "EUR", "call_up": 10, "kalooki": 20, "initial": 50, "buy_in": 50}


class Phone:
    """Somebody who sends JSON, with a new submission each time and as of the newest entry."""

    sent = 0

    def __init__(self, client):
        self.client = client

    def post(self, path, body, secret=""):
        Phone.sent += 1
        headers = {"Authorization": f"Bearer {secret}"} if secret else {}
        return self.client.post(PREFIX + path, json={"submission": f"phone {Phone.sent}"} | body, headers=headers)

    def get(self, path):
        return self.client.get(PREFIX + path)

    def game(self, *names, loser=2, over=True, **more):
        """A game of two or more whose `loser` is out at once, or which goes on."""
        scorer = start(self.client, "european", names, **{"stakes": STAKES, "house": {"buy_ins": 0}} | more)
        if over:
            winner = 1 if loser != 1 else 2
            held = {f"s{seat}": 150 if seat == loser else 1 for seat in range(1, len(names) + 1) if seat != winner}
            scorer.record(hand(winner, **held))
        return scorer.code, scorer.secret

    def entry(self, where, code, secret, event, seen=None, **more):
        seen = self.get(f"/{where}/{code}").json["seen"] if seen is None else seen
        return self.post(f"/{where}/{code}/entries", {"seen": seen, "event": event} | more, secret)


class Keeper(Phone):
    def __init__(self, client, name="Thursday", **more):
        super().__init__(client)
        made = self.post("/clubs", {"name": name} | more)
        assert made.status_code == 201, made.json
        self.code, self.secret = made.json["code"], made.json["keeper"]

    def send(self, kind, seen=None, **more):
        event = {key.rstrip("_"): value for key, value in more.items() if key not in ("right", "submission")}
        beside = {key: more[key] for key in ("right", "submission") if key in more}
        return self.entry("clubs", self.code, self.secret, {"kind": kind} | event, seen, **beside)

    def say(self, kind, **more):
        answer = self.send(kind, **more)
        assert answer.status_code == 201, answer.json
        return answer.json["entry"]

    def refused(self, kind, **more):
        """The rules for which it is refused, with their fields."""
        answer = self.send(kind, **more)
        assert answer.status_code == 422, answer.json
        assert answer.json["state"]["code"] == self.code
        assert all(each["text"] for each in answer.json["faults"])
        return [(each["rule"], each["field"]) for each in answer.json["faults"]]

    def state(self, query=""):
        answer = self.get(f"/clubs/{self.code}{query}")
        assert answer.status_code == 200, answer.json
        return answer.json


@pytest.fixture
def keeper(client):
    return Keeper(client, zone="Europe/London")


def test_a_club_starts_once_however_often_it_is_sent(client):
    phone = Phone(client)
    sent = {"name": "Thursday", "zone": "Europe/London", "submission": "a club"}
    first, again = phone.post("/clubs", sent), phone.post("/clubs", sent)
    assert (first.status_code, again.status_code, first.json) == (201, 200, again.json)
    assert (first.json.keys(), first.json["seen"]) == ({"code", "keeper", "seen"}, 1)
    assert phone.post("/clubs", sent | {"name": "Friday"}).json["error"]["code"] == "already_saved"
    for wrong, field in (({"name": ""}, "name"), ({"zone": "Nowhere"}, "zone"), ({"people": []}, "people")):
        answer = phone.post("/clubs", {"name": "Thursday"} | wrong)
        assert (answer.status_code, answer.json["error"]["field"]) == (422, field)


def test_a_new_club_is_told_whole(keeper):
    state = keeper.state()
    [first] = state.pop("log")
    assert state == {
        "code": keeper.code, "seen": 1, "name": "Thursday", "zone": "Europe/London", "usual": None, "currencies": [],
        "people": [], "games": [], "table": [], "owed": [], "problems": [],
    }  # fmt: skip
    event = {"kind": "start", "name": "Thursday", "zone": "Europe/London"}
    assert (first["entry"], first["by"], first["event"], first["undone_by"]) == (1, "script", event, None)


def test_an_evening_is_told_as_the_contract_says(clock, keeper):
    """Ben is out in the first hand: he pays Ann 10, and she gets the pool with his 50."""
    code, _ = keeper.game("Ann", "Ben", loser=2)
    keeper.say("game", code=code)
    keeper.say("usual", variant="european", stakes=None, least=2, season="09-01")
    keeper.say("person_name", id=1, name="Anna")
    state = keeper.state()
    ann = {
        "place": 1, "person": 1, "games": 1, "wins": 1, "beaten": [2, 2], "hands_won": 1, "kalookis": 0, "hands": 1,
        "left": [0, 0], "money": {"EUR": 60}, "ranked": True,
    }  # fmt: skip
    ben = ann | {
        "place": 2, "person": 2, "wins": 0, "beaten": [0, 2], "hands_won": 0, "left": [150, 1], "money": {"EUR": -60},
    }  # fmt: skip
    assert state["table"] == [ann, ben]
    assert state["owed"] == [{"from": 2, "to": 1, "amount": 60, "currency": "EUR"}]
    assert state["currencies"] == [{"name": "EUR", "decimals": 2}]
    assert state["people"] == [
        {"id": 1, "name": "Anna", "merged_into": None}, {"id": 2, "name": "Ben", "merged_into": None},
    ]  # fmt: skip
    assert state["games"] == [
        {
            "entry": 2, "code": code, "day": "2026-11-21", "variant": "european", "status": "over", "counts": True,
            "people": {"1": 1, "2": 2}, "places": {"1": 1, "2": 2},
        }
    ]  # fmt: skip
    assert state["usual"] == {"variant": "european", "stakes": None, "least": 2, "season": "09-01"}
    assert [each["event"] for each in state["log"]][1] == {"kind": "game", "code": code}


def test_days_and_least_filter_the_table_and_never_what_is_owed(keeper):
    code, _ = keeper.game("Ann", "Ben")
    keeper.say("game", code=code)
    day = keeper.state()["games"][0]["day"]
    for query, rows in (
        (f"?from={day}&to={day}", 2),
        (f"?from={day}", 2),
        ("?to=2020-01-01", 0),
        ("?from=2999-01-01", 0),
    ):
        state = keeper.state(query)
        assert (len(state["table"]), len(state["games"]), len(state["owed"])) == (rows, rows // 2, 1), query
    assert keeper.state(f"?from=2999-01-01&to={day}")["table"] == []
    assert [row["place"] for row in keeper.state("?least=2")["table"]] == [None, None]
    for query, field in (
        ("?from=today", "from"),
        ("?to=2026-02-30", "to"),
        ("?least=0", "least"),
        ("?least=x", "least"),
    ):
        answer = keeper.get(f"/clubs/{keeper.code}{query}")
        assert (answer.status_code, answer.json["error"]["field"]) == (422, field)


@pytest.mark.parametrize(
    ("zone", "times", "corrected", "day"),
    [
        ("Europe/London", ["2025-01-10T05:59:59Z", "2025-01-10T06:00:00Z"], "", "2025-01-09"),
        ("Europe/London", ["2025-01-10T06:00:00Z", "2025-01-10T07:00:00Z"], "", "2025-01-10"),
        ("Europe/London", ["2025-07-10T04:59:59Z", "2025-07-10T05:30:00Z"], "", "2025-07-09"),  # 05:59 in summer
        ("Pacific/Auckland", ["2025-01-10T05:59:59Z", "2025-01-10T06:30:00Z"], "", "2025-01-09"),  # 18:59 there
        ("Pacific/Auckland", ["2025-01-09T23:00:00Z", "2025-01-09T23:00:00Z"], "", "2025-01-10"),  # noon there
        ("America/Jamaica", ["2025-01-10T05:00:00Z", "2025-01-10T06:00:00Z"], "2025-02-01", "2025-02-01"),
    ],
)
def test_a_game_counts_on_the_day_in_the_clubs_zone_until_six_and_a_sheet_from_paper_on_its_own(
    keeper, zone, times, corrected, day
):
    start = {"kind": "start", "variant": "european", "players": ["Ann", "Ben"], "zone": zone}
    events = [start, {"kind": "void"}, *([{"kind": "setup", "day": corrected}] if corrected else [])]
    at = [*times, times[-1]]
    log = [{"event": event, "at": time, "by": "Ann"} for event, time in zip(events, at, strict=False)]
    keeper.say("game", code=import_game(keeper.client, log).code)
    assert [each["day"] for each in keeper.state()["games"]] == [day]


def test_an_entry_is_saved_exactly_once_and_a_stale_one_not(keeper):
    saved = keeper.send("person", seen=1, name="Ann", submission="p")
    again = keeper.send("person", seen=1, name="Ann", submission="p")
    other = keeper.send("person", seen=1, name="Ben", submission="p")
    late = keeper.send("person", seen=1, name="Ben")
    assert [each.status_code for each in (saved, again, other, late)] == [201, 200, 409, 409]
    assert (saved.json, again.json["entry"]) == (again.json, 2)
    assert saved.json.keys() == {"state", "warnings", "entry"}
    assert [each.json["error"]["code"] for each in (other, late)] == ["already_saved", "stale"]
    assert other.json["state"] == late.json["state"] == keeper.state()


def test_it_is_recorded_by_the_keepers_secret_alone(keeper, client):
    _, scorer = keeper.game("Ann", "Ben")
    stranger = Keeper(client)
    event = {"kind": "name", "name": "Mine"}
    for secret in ("", "A" * 20, scorer, stranger.secret):
        assert keeper.entry("clubs", keeper.code, secret, event).status_code == 403
    assert keeper.state()["seen"] == 1


@pytest.mark.parametrize("where", ["", "/entries"])
def test_a_club_never_seen_is_404_a_deleted_one_410_and_a_game_is_no_club(keeper, app, where):
    code, _ = keeper.game("Ann", "Ben")
    gone = Keeper(keeper.client)
    with app.app_context():
        recording.delete(gone.code)
    asked = {f"/clubs/{gone.code}": 410, "/clubs/NOSUCHGAME2": 404, f"/clubs/{code}": 404, f"/games/{keeper.code}": 404}
    for path, status in asked.items():
        body = {"seen": 1, "event": {"kind": "name", "name": "X"}}
        answer = keeper.post(path + where, body, keeper.secret) if where else keeper.get(path)
        assert answer.status_code == status, path


def test_refusals_are_422_with_every_fault(keeper):
    code, _ = keeper.game("Ann", "Ben")
    assert keeper.refused("game", code="NOSUCHGAME2") == [("no-such-game", "code")]
    assert keeper.refused("game", code=keeper.code) == [("no-such-game", "code")]
    assert keeper.refused("game", code=code, people={"1": 7, "2": 8}) == [
        ("no-such-person", "people.1"), ("no-such-person", "people.2"),
    ]  # fmt: skip
    keeper.say("game", code=code)
    assert keeper.refused("game", code=code) == [("game-twice", "code")]
    assert keeper.refused("people", code=code, people={"9": "Eve"}) == [("no-such-seat-there", "people.9")]
    assert keeper.refused("people", code=code, people={"1": 2}) == [("person-twice", "people")]
    assert keeper.refused("drop", code="NOSUCHGAME2") == [("no-such-club-game", "code")]
    assert keeper.refused("merge", person=1, into=2) == [("sat-together", "into")]
    assert keeper.refused("merge", person=1, into=1) == [("merged-ring", "into")]
    payment = {"from": 1, "to": 1, "amount": 5, "currency": "EUR"}
    assert keeper.refused("paid", payments=[payment]) == [("paid-to-self", "payments.0.to")]
    assert keeper.refused("undo", target=1) == [("no-such-club-entry", "target")]
    undone = keeper.say("person", name="Cat")
    keeper.say("undo", target=undone)
    assert keeper.refused("undo", target=undone) == [("club-undone-already", "target")]


def test_the_right_of_a_game_must_be_a_scorers_and_goes_with_a_game_only(keeper, app, client):
    code, scorer = keeper.game("Ann", "Ben", over=False)
    other, _ = keeper.game("Ann", "Ben", over=False)
    for wrong in ("A" * 20, keeper.secret):
        assert keeper.send("game", code=code, right=wrong).status_code == 403
    assert keeper.send("game", code=other, right=scorer).status_code == 403
    assert keeper.refused("game", code="NOSUCHGAME2", right=scorer) == [("no-such-game", "code")]
    answer = keeper.send("drop", code=code, right=scorer)
    assert (answer.status_code, answer.json["error"]["field"]) == (422, "right")
    assert "right" not in str(keeper.state())


def test_keepers_record_in_a_game_with_a_right_until_a_drop_and_again_when_that_is_undone(keeper, client):
    code, scorer = keeper.game("Ann", "Ben", over=False)
    read_only, _ = keeper.game("Ann", "Ben", over=False)
    keeper.say("game", code=code, right=scorer)
    keeper.say("game", code=read_only)
    other = Keeper(client)
    other.say("game", code=code)  # without a right

    def records(where, secret=keeper.secret):
        return keeper.entry("games", where, secret, {"kind": "void"}).status_code

    assert (records(code), records(read_only), records(code, other.secret)) == (201, 403, 403)
    dropped = keeper.say("drop", code=code)
    assert records(code) == 403
    keeper.say("undo", target=dropped)
    assert records(code) == 201


def test_a_page_of_a_device_that_keeps_the_club_records_too_and_is_not_the_starter(keeper, app):
    code, scorer = keeper.game("Ann", "Ben", over=False)
    keeper.say("game", code=code, right=scorer)
    device = app.test_client()
    assert device.get(f"/g/{code}/hand").status_code == 403
    with device.session_transaction() as cookie:
        cookie["clubs"] = [[keeper.code, keeper.secret]]
    assert device.get(f"/g/{code}/hand").status_code == 200
    assert device.get(f"/g/{code}/share").status_code == 200
    assert "Record hand 1" in device.get(f"/g/{code}").text
    assert device.get(f"/g/{code}/delete").status_code == 403
    for path, form in (("/share", {}), ("/share/recorders", {"do": "only"}), ("/delete", {"name": "Ann"})):
        assert device.post(f"/g/{code}{path}", data=form).status_code == 403, path
    assert device.post(f"/g/{code}/void", data={"reason": "x", "seen": "1", "submission": "v"}).status_code == 303
    keeper.say("drop", code=code)
    assert device.get(f"/g/{code}/hand").status_code == 403


def test_the_link_to_run_a_club_makes_a_device_its_keeper_and_a_device_keeps_six(keeper, app):
    code, scorer = keeper.game("Ann", "Ben", over=False)
    keeper.say("game", code=code, right=scorer)
    device = app.test_client()
    for where in ("c", "g"):
        for secret in ("A" * 20, scorer):
            assert device.get(f"/{where}/{keeper.code}/s/{secret}").status_code == 404
    assert device.get(f"/g/{keeper.code}/s/{keeper.secret}").status_code == 404
    assert device.get(f"/c/{keeper.code}/s/{keeper.secret}").status_code == 303
    assert "runs the club “Thursday”" in device.get("/").text
    assert device.get(f"/g/{code}/hand").status_code == 200
    for other in [Keeper(keeper.client) for _ in range(6)]:
        device.get(f"/c/{other.code}/s/{other.secret}")
    assert device.get(f"/g/{code}/hand").status_code == 403


def test_the_version_of_a_club_is_asked_for_like_a_games(keeper):
    for path, status in (("/version", 200), ("/live", 204)):
        assert keeper.client.get(f"/c/{keeper.code}{path}").status_code == status
        assert keeper.client.get(f"/c/23456789ABC{path}").status_code == 404
        assert keeper.client.get(f"/g/{keeper.code}{path}").status_code == 404
    answer = keeper.client.get(f"/c/{keeper.code}/version")
    assert (answer.text, answer.headers["X-Robots-Tag"]) == ("1.0", "noindex")


def test_of_a_full_device_the_right_that_a_club_gives_again_goes_first(keeper, app):
    code, scorer = keeper.game("Ann", "Ben", over=False)
    keeper.say("game", code=code, right=scorer)
    others = [keeper.game("Ann", "Ben", over=False) for _ in range(access.MOST_RIGHTS - 1)]
    device = app.test_client()
    with device.session_transaction() as cookie:
        cookie["clubs"] = [[keeper.code, keeper.secret]]
        cookie["games"] = [[code, scorer], *([*other] for other in others)]
    new, secret = keeper.game("Ann", "Ben", over=False)
    assert device.get(f"/g/{new}/s/{secret}").status_code == 303
    with device.session_transaction() as cookie:
        kept = {each[0]: each[1] for each in cookie["games"]}
    assert (kept.pop(code, ""), kept) == ("", {**dict(others), new: secret})
    assert device.get(f"/g/{code}/hand").status_code == 200


def test_the_page_that_deletes_a_game_says_that_it_counts_in_a_club(keeper, app):
    code, scorer = keeper.game("Ann", "Ben", over=False)
    starter = app.test_client()
    with starter.session_transaction() as cookie:
        cookie["games"] = [[code, scorer, True]]
    assert "counts in a club" not in starter.get(f"/g/{code}/delete").text
    keeper.say("game", code=code)
    assert "counts in a club" in starter.get(f"/g/{code}/delete").text


def test_a_watcher_of_the_club_records_nothing(keeper, app):
    code, scorer = keeper.game("Ann", "Ben", over=False)
    keeper.say("game", code=code, right=scorer)
    device = app.test_client()
    with device.session_transaction() as cookie:
        cookie["clubs"] = [[keeper.code, ""]]
    assert device.get(f"/g/{code}/hand").status_code == 403


def test_a_game_whose_links_were_reset_stays_in_the_table_without_its_code(keeper, app):
    code, scorer = keeper.game("Ann", "Ben", loser=1)
    keeper.say("game", code=code, right=scorer)
    before = keeper.state()
    with app.app_context():
        fresh = grants.reset_links(code, grants.grant_for(code, scorer))
    after = keeper.state()
    assert (after["table"], [each["code"] for each in after["games"]]) == (before["table"], [None])
    assert keeper.refused("game", code=fresh) == [("game-twice", "code")]
    assert keeper.entry("games", fresh, keeper.secret, {"kind": "void"}).status_code == 403
    assert keeper.entry("games", fresh, scorer, {"kind": "rename", "seat": 1, "name": "An"}).status_code == 201
    keeper.say("drop", code=code)
    keeper.say("game", code=fresh, right=scorer)
    assert keeper.entry("games", fresh, keeper.secret, {"kind": "rename", "seat": 1, "name": "Ann"}).status_code == 201


def test_problems_name_the_entry_the_code_it_was_added_with_why_and_who(keeper, app):
    gone, _ = keeper.game("Ann", "Ben")
    grown, scorer = keeper.game("Ann", "Ben", over=False)
    for code in (gone, grown):
        keeper.say("game", code=code)
    keeper.entry("games", grown, scorer, {"kind": "join", "name": "Cat", "stake": True})
    with app.app_context():
        recording.delete(gone)
    state = keeper.state()
    assert [each.pop("message") != "" for each in state["problems"]] == [True, True]
    assert state["problems"] == [
        {"entry": 2, "code": gone, "why": "gone", "names": []},
        {"entry": 3, "code": grown, "why": "seat-unknown", "names": ["Cat"]},
    ]
    assert [(each["code"], each["counts"], each["people"]) for each in state["games"]] == [
        (grown, False, {"1": 1, "2": 2})
    ]
    assert keeper.refused("people", code=gone, people={"1": 2, "2": 1}) == [("no-such-game", "code")]
    keeper.say("people", code=grown, people={"3": "Cat"})
    assert [each["why"] for each in keeper.state()["problems"]] == ["gone"]


def test_a_scorer_right_taken_back_does_not_open_the_club(keeper, app):
    with app.app_context():
        [right] = grants.list_grants(keeper.code)
    take_back(app, right.id)
    assert keeper.send("name", name="Friday").status_code == 403
