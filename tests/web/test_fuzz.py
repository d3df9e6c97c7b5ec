"""Whatever comes, no answer is a fault of ours and none takes long: entries, claims and forms, by luck."""

import re
from collections import Counter
from uuid import uuid4

import pytest

from app.api.requests import EVENTS, NEW_GAME, claim
from app.kalooki.claims import CLAIMS
from app.kalooki.variants import ids
from tests.fuzzing import NASTY, Luck, Watching, until_time_is_up
from tests.pages import EURO, Alice, Player
from tests.web.test_malformed import addresses

pytestmark = [pytest.mark.one_app, pytest.mark.long]

NAMES = ["Ann", "Ben", "Cat", "Dan", "Eve"]
PAGES = ("", "/board", "/hand", "/history", "/settle", "/more", "/rematch", "/share", "/check", "/rules", "/sheet")
FILES = ("json", "csv", "html", "txt")
USUAL = ["do", "seen", "submission", "seat", "cards"]
FIELD = re.compile(r'<(?:input|select|textarea|button)[^>]* name="([^"]+)"')


def started(luck, browser):
    """A game with random house rules, and the secret to record in it; None if the rules contradict each other."""
    start = {"variant": luck.choice(ids()), "players": NAMES[: luck.randint(2, 5)], "house": luck.house()}
    start |= {"stakes": luck.choice([None, EURO, luck.value(NEW_GAME["properties"]["stakes"])])}
    answer = browser.ask("POST", "/api/v1/games", json=start | {"submission": str(uuid4())})
    return (answer.json["code"], answer.json["scorer"]) if answer.status_code == 201 else None


def an_entry(luck, state):
    """Half of the time a hand that may well have been played, else an event of any kind."""
    seats = [player["seat"] for player in state["players"] if player["in"]]
    if luck.often() and len(seats) > 1:
        winner = luck.choice(seats)
        left = {str(seat): luck.choice([{"points": luck.randint(1, 120)}, luck.cards(4)]) for seat in seats}
        del left[str(winner)]
        return {"kind": "hand", "winner": winner, "ending": luck.choice(["going_out", "kalooki"]), "left": left}
    kind = luck.choice([kind for kind in EVENTS if kind != "start"])
    return luck.value(EVENTS[kind])


def test_entries_of_every_kind_in_games_of_any_rules(app):
    luck = Luck(seat=[1, 2, 3, 4, 5], target=[2, 3, 4, 5, 6], before=[2, 3, 4, 5, None])
    kinds, answered = Counter(), Counter()
    for _ in until_time_is_up():
        browser = Watching(app.test_client(), answered)
        game = started(luck, browser)
        if not game:
            continue
        code, secret = game
        of_game, right = f"/api/v1/games/{code}", {"Authorization": f"Bearer {secret}"}
        browser.ask("GET", f"/g/{code}/s/{secret}")
        for _ in range(luck.randint(1, 25)):
            state = browser.ask("GET", of_game).json
            event = an_entry(luck, state)
            body = {"event": event, "seen": state["seen"], "submission": str(uuid4()), "preview": luck.often(0.1)}
            if browser.ask("POST", f"{of_game}/entries", json=body, headers=right).status_code == 201:
                kinds[event["kind"]] += 1
            if luck.often(0.4):
                browser.ask("GET", f"/g/{code}{luck.choice(PAGES)}", follow_redirects=True)
        browser.ask("GET", f"{of_game}/sheet.{luck.choice(FILES)}")
        if luck.often(0.02):
            browser.ask("GET", f"{of_game}/sheet.pdf")
    assert len(kinds) > 6, kinds
    assert kinds.total() > 50, kinds
    assert answered[422] > 50, answered


def test_claims_of_all_checks_as_json_and_as_pages(client, alice):
    luck, answered = Luck(variant=[*ids()], game=[alice.code]), Counter()
    browser = Watching(client, answered)
    fields = {check: names_of(client, f"/check?check={check}") for check in CLAIMS}
    for _ in until_time_is_up():
        check = luck.choice([*CLAIMS])
        path = check if check in ("count", "solve") else f"check/{check}"
        body = luck.value(claim(check) | {"anyOf": ()})
        browser.ask("POST", f"/api/v1/{path}", json={"variant": luck.choice([*ids()])} | body)
        query = [("check", check), ("variant", luck.choice([*ids()]))]
        query += [(name, luck.typed()) for name in luck.sample(fields[check], luck.randint(0, len(fields[check])))]
        page = luck.choice(["/check", f"/g/{alice.code}/check", f"/g/{alice.code}/check/shown"])
        browser.ask("GET", page, query_string=query)
    assert answered[200] > 50, answered
    assert answered[422] > 10, answered


def names_of(client, path):
    """The names of all fields on a page, each once."""
    answer = client.get(path, follow_redirects=True)
    return sorted(set(FIELD.findall(answer.text if answer.mimetype == "text/html" else "")))


def test_odd_forms_at_every_address(app):
    luck, answered, known = Luck(), Counter(), {}
    for _ in until_time_is_up():
        alice = Alice(app, players=NAMES[:3], stakes=EURO)  # a new one: a form may have deleted the last
        phones = [alice.client, Player(alice, seat=2).client, app.test_client()]
        posts = [where for where, methods in addresses(app, alice.code) if "POST" in methods and "/api/" not in where]
        for address in luck.sample(posts, len(posts)):
            place = address.replace(alice.code, "")
            if place not in known:
                known[place] = names_of(alice.client, address) or USUAL
            sent = [(luck.choice(known[place]), luck.choice([luck.typed(), *NASTY[:9]])) for _ in range(8)]
            sent += [("submission", str(uuid4())), ("seen", str(luck.randint(0, 9)))] * luck.often()
            Watching(luck.choice(phones), answered).ask("POST", address, data=fields_of(sent))
    assert answered[422] > 20, answered
    assert answered[303] > 20, answered


def fields_of(sent):
    """Fields of which some have several values, as Werkzeug's client takes them."""
    return {name: [value for other, value in sent if other == name] for name, _ in sent}
