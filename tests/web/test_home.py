"""Home: where every evening begins."""

from tests.pages import START_FORM


def start(client, **changed):
    return client.post("/new", data=START_FORM | changed).location.rsplit("/", 1)[-1]


def test_home_leads_to_everything_without_a_game(client):
    page = client.get("/").text
    assert 'href="/new"' in page
    assert 'href="/check"' in page
    assert 'href="/rules"' in page
    assert "Games on this device" not in page


def test_games_started_here_are_listed_newest_first(client):
    first = start(client)
    second = start(client, **{"players-1-name": "Cat", "submission": "s-2"})
    page = client.get("/").text
    assert 0 < page.index(second) < page.index(first)
    assert "Ann, Cat" in page
    assert "European Kalooki · hand 1" in page


def test_a_stranger_sees_none_of_them(client, app):
    code = start(client)
    assert code not in app.test_client().get("/").text


def test_a_finished_game_names_its_winner(client, app):
    code = start(client, variant="kalooki-51")
    with client.session_transaction() as cookie:
        secret = cookie["games"][0][1]
    headers = {"Authorization": f"Bearer {secret}"}
    hand = {"kind": "hand", "winner": 2, "ending": "going_out", "left": {"1": "KH"}}
    for seen, event in ((1, hand), (2, {"kind": "end"})):
        entry = {"seen": seen, "submission": f"e-{seen}", "event": event}
        assert client.post(f"/api/v1/games/{code}/entries", json=entry, headers=headers).status_code == 201
    assert "over, Ben won" in " ".join(client.get("/").text.split())


def test_only_the_games_opened_last_are_listed(client):
    codes = [start(client, submission=f"s-{number}") for number in range(21)]
    page = client.get("/").text
    assert codes[0] not in page
    assert all(code in page for code in codes[1:])
    assert codes[0] in client.get("/games").text
