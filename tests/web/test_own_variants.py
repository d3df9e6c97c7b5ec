"""A file in the folder beside the database is a variant of this server: in every menu, on every page, in the rulings.

It is the example of the documentation. Games begun with it need it no more: it may change, or go.
"""

import json
import os
import re
from html import unescape

import pytest

from app import create_app, log
from app.kalooki.variants import ids, play_beside
from tests.conftest import ROOT, application
from tests.json_scorer import Scorer, send
from tests.pages import hand

EXAMPLE = (ROOT / "docs/lighthouse.toml").read_text(encoding="utf-8")
ODD = "<i>{0}</i> %s & Sons"
BROKEN = EXAMPLE.replace("source", "sauce")
MENUS = ["/new", "/rules", "/compare", "/disputes", "/check", "/sheets", "/copy", "/"]
OWN = [
    *("/new?variant={}", "/rules/{}", "/compare?a=european&b={}", "/disputes?variant={}", "/wrong?variant={}"),
    *("/disputes?variant={}&q=ace low", "/elsewhere/dispute/ace-low?variant={}"),
    *("/shown/dispute/ace-low?variant={}", "/check?variant={}&cards=AH 2H 3H", "/copy?variant={}"),
]
JSON = ["/variants", "/variants/{}", "/compare?a=european&b={}", "/disputes?variant={}", "/find?variant={}&q=ace low"]


def serve(folder, **files):
    """The application on the database in a folder, with these files as the server's own variants."""
    variants = folder / "variants"
    variants.mkdir(exist_ok=True)
    for old in variants.iterdir():
        old.unlink()
    for name, text in files.items():
        (variants / f"{name.replace('_', '-')}.toml").write_text(text, encoding="utf-8")
    return application(f"sqlite:///{folder}/games.db")


@pytest.fixture(scope="module")
def served(empty_database, tmp_path_factory):
    """An application with the example, one with an odd name that extends it, and a file that cannot be read."""
    odd = f'name = {json.dumps(ODD)}\nsummary = {json.dumps(ODD)}\nextends = "lighthouse"\n[stated]\nlimit = 99\n'
    app = serve(tmp_path_factory.mktemp("server"), lighthouse=EXAMPLE, odd=odd, broken=BROKEN)
    yield app
    log.close_database(app)
    play_beside(ROOT / "nowhere")


@pytest.fixture
def visitor(served):
    return served.test_client()


def words(page):
    """What a page says below its head."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", page.partition("<main")[2]))


@pytest.mark.parametrize("address", MENUS)
def test_it_stands_in_every_menu(visitor, address):
    page = visitor.get(address)

    assert page.status_code == 200
    assert ("Kalooki of the Lighthouse" in page.text) or address in ("/", "/copy")
    assert "<i>{0}" not in page.text


@pytest.mark.parametrize("address", OWN)
def test_it_has_every_page_and_its_name_is_no_markup(visitor, address):
    page, odd = visitor.get(address.format("lighthouse")), visitor.get(address.format("odd"))

    assert (page.status_code, odd.status_code) == (200, 200)
    assert "Kalooki of the Lighthouse" in page.text
    assert ODD in unescape(odd.text)
    assert "<i>" not in odd.text


@pytest.mark.parametrize("address", JSON)
def test_it_has_every_answer_in_json(visitor, address):
    told = visitor.get(f"/api/v1{address.format('lighthouse')}")

    assert told.status_code == 200
    assert "ighthouse" in told.text or "find" in address or "disputes" in address


def test_the_menu_shows_it_after_the_seven(visitor):
    every = [each["id"] for each in visitor.get("/api/v1/variants").json]

    assert every[7:] == ["lighthouse", "odd"]
    assert visitor.get("/api/v1/openapi.json").json["components"]["schemas"]["VariantId"]["enum"] == [*ids()]
    assert {"lighthouse", "classic"} < set(ids())


def test_what_the_file_states_is_stated_and_its_rules_are_the_files(visitor):
    told = visitor.get("/api/v1/variants/lighthouse").json
    stated = {key for key, value in told["values"].items() if value["stated"]}
    rules = {rule["rule"]: rule for rule in told["rules"]}
    here = {"id": "lighthouse.toml", "title": "Kalooki of the Lighthouse"}
    here["where"] = "The keeper’s own rules, above the stove"

    assert stated == {"opening_points", "ace", "low_ace_points", "joker_left"}
    assert (told["source"], told["values"]["joker_left"]["value"]) == ("lighthouse.toml", 40)
    for slug in ("opening-points", "ace-high", "low-ace", "joker-left"):
        assert (rules[slug]["standing"], rules[slug]["sources"]) == ("source", [here]), slug
        assert "Not stated" not in rules[slug]["text"]
    # the file is silent on these, whatever the one it extends has
    assert {rules[slug]["standing"] for slug in ("limit", "set-suits", "number-of-jokers")} == {"usual"}


def test_it_is_ruled_by(visitor):
    opening = {"variant": "lighthouse", "melds": ["KH KD KS", "AH 2H 3H"]}
    ruling = visitor.post("/api/v1/check/opening", json=opening).json
    left = visitor.post("/api/v1/count", json={"variant": "lighthouse", "cards": "KH *"}).json

    # three kings 30, ace low 1 + 2 + 3
    assert (ruling["ok"], ruling["points"], ruling["needed"]) == (False, 36, 100)
    assert [(fault["rule"], fault["standing"]) for fault in ruling["faults"]] == [("opening-points", "source")]
    assert ruling["faults"][0]["sources"][0]["title"] == "Kalooki of the Lighthouse"
    assert left["points"] == 50


def test_its_page_names_the_file_as_its_document(visitor):
    page = visitor.get("/rules/lighthouse").text

    assert "come to 100 points or more" in page
    assert "<cite>Kalooki of the Lighthouse</cite> (The keeper’s own rules, above the stove)" in page


def test_quarrels_are_settled_by_its_values(visitor):
    page = words(visitor.get("/disputes?variant=lighthouse").text)

    assert "Yes, if your new melds reach 100 points" in page
    assert "A 2 3 is one, Q K A too" in page
    assert "An ace counts 11 points high in a run, 1 point low" in page


def test_a_comparison_shows_the_values_its_file_changes(visitor):
    page = words(visitor.get("/compare?a=european&b=lighthouse").text)

    assert "4 values differ" in page
    for value, theirs, own in (
        ("Ace in a run", "high only", "high or low"),
        ("Low ace in a run", "not used", "1 point"),
        ("Opening", "40 points", "100 points"),
        ("Joker left in hand", "15 points", "40 points"),
    ):
        assert f"{value} European Kalooki: {theirs} Kalooki of the Lighthouse: {own} " in page


def test_a_rules_card_and_a_blank_sheet_are_printed(visitor):
    for address in ("/api/v1/variants/odd/rules.pdf", "/api/v1/sheets/blank.pdf?variant=odd&players=4"):
        assert visitor.get(address).data.startswith(b"%PDF"), address


def test_a_broken_file_is_named_alike_at_the_start_and_by_the_command(served, visitor, caplog):
    sentence = "broken.toml: sauce (line 4): this does not fit a variant: “The keeper’s own rules, above the stove”."
    done = served.test_cli_runner().invoke(args=["check-variants"])

    assert (done.exit_code, done.output.splitlines()[-1]) == (1, sentence)
    assert [line.partition(":")[0] for line in done.output.splitlines()[7:9]] == ["lighthouse", "odd"]
    assert visitor.get("/rules/broken").status_code == 404
    with caplog.at_level("WARNING"):
        log.close_database(create_app({"DATABASE_URL": served.config["DATABASE_URL"], "SECRET_KEY": "test"}))
    assert f"a variant is left out: {sentence}" in caplog.messages


GAME = {"variant": "lighthouse", "players": ["Ann", "Ben"], "dealer": 1, "house": {"limit": 120, "opening_points": 70}}
PAGES = ["", *("/rules", "/disputes", "/history", "/check", "/wrong", "/sheet", "/more")]
PAGES += ["/enter/setup", "/share"]
SHEETS = ["sheet.json", "sheet.html", "sheet.csv"]


@pytest.fixture
def server(empty_database, tmp_path):
    """A folder with a database in it, and a game of the example with one hand."""
    app = serve(tmp_path, lighthouse=EXAMPLE)
    client = app.test_client()
    made = Scorer(client, GAME)
    made.record(hand(1, s2="KH *"))
    log.close_database(app)
    yield tmp_path, made.code, made.secret
    play_beside(ROOT / "nowhere")


def whole(client, code):
    """All a game tells of its variant, in JSON and on the page of its rules."""
    return client.get(f"/api/v1/games/{code}").json, words(client.get(f"/g/{code}/rules").text)


@pytest.mark.parametrize(
    "later",
    [
        {"lighthouse": EXAMPLE.replace("100", "60").replace("40", "15").replace("Lighthouse", "Harbour")},
        {},
        {"lighthouse": BROKEN},
    ],
    ids=["changed", "gone", "broken"],
)
def test_a_game_goes_on_whatever_becomes_of_the_file(server, later):
    folder, code, secret = server
    before = serve(folder, lighthouse=EXAMPLE)
    told = whole(before.test_client(), code)
    log.close_database(before)
    app = serve(folder, **later)
    client = app.test_client()
    client.get(f"/g/{code}/s/{secret}")

    assert whole(app.test_client(), code) == told
    assert "Opening: 70 points The source says: 100 points. Kalooki of the Lighthouse: The keeper’s own" in told[1]
    assert (told[0]["players"][1]["total"], told[0]["rules"]["opening_points"]) == (50, 70)
    assert {page: client.get(f"/g/{code}{page}").status_code for page in PAGES} == dict.fromkeys(PAGES, 200)
    assert [client.get(f"/api/v1/games/{code}/{sheet}").status_code for sheet in SHEETS] == [200] * 3
    assert "Kalooki of the Lighthouse" in client.get(f"/api/v1/games/{code}/sheet.html").text
    assert send(client, code, secret, hand(1, s2="KH *"), seen=2).json["state"]["players"][1]["total"] == 100
    exported = client.get(f"/api/v1/games/{code}/sheet.json").json
    again = client.post("/api/v1/games/import", json={"log": exported["log"]})
    assert again.status_code == 201
    assert client.get(f"/api/v1/games/{again.json['code']}").json["rules"] == told[0]["rules"]
    log.close_database(app)


def test_a_file_that_went_starts_no_game_and_links_to_it_say_so(server):
    folder, code, secret = server
    app = serve(folder)
    client = app.test_client()
    client.get(f"/g/{code}/s/{secret}")
    said = "This server has no variant “lighthouse”."
    refused = client.post("/api/v1/games", json=GAME)

    assert client.get(f"/api/v1/games/{code}/sheet.pdf").data.startswith(b"%PDF")
    assert (refused.status_code, refused.json["error"]["field"]) == (422, "variant")
    for address in ("/rules/lighthouse", "/check?variant=lighthouse"):
        assert client.get(address).status_code == 404
    assert said in client.get("/rules/lighthouse").text
    assert said in client.get("/new?variant=lighthouse").text
    assert said in client.get("/copy?variant=lighthouse&names=Ann,Ben").text
    assert "lighthouse" in client.get("/api/v1/variants/lighthouse").json["error"]["message"]
    for address in ("/", "/check", "/disputes", "/new?again"):
        assert client.get(address).status_code == 200, address
    log.close_database(app)


def test_another_server_takes_such_a_game_in_but_no_other_name_for_ours(server, tmp_path_factory):
    folder, code, _secret = server
    home = serve(folder, lighthouse=EXAMPLE)
    exported = home.test_client().get(f"/api/v1/games/{code}/sheet.json").json["log"]
    log.close_database(home)
    app = serve(tmp_path_factory.mktemp("other"))
    client = app.test_client()
    forged = json.loads(json.dumps(exported))
    forged[0]["event"] |= {"variant": "european", "book": {"name": "Mine", "stated": []}}
    bare = json.loads(json.dumps(exported))
    del bare[0]["event"]["book"]

    taken = client.post("/api/v1/games/import", json={"log": exported}).json
    own = client.post("/api/v1/games/import", json={"log": forged}).json
    unknown = client.post("/api/v1/games/import", json={"log": bare})

    assert "Kalooki of the Lighthouse" in client.get(f"/g/{taken['code']}").text
    assert "European Kalooki" in client.get(f"/g/{own['code']}").text
    assert "Mine" not in client.get(f"/g/{own['code']}/rules").text
    assert (unknown.status_code, unknown.json["error"]["field"]) == (422, "log.1.event.variant")
    log.close_database(app)


def test_a_pipe_in_the_folder_keeps_nobody_waiting(empty_database, tmp_path):
    (tmp_path / "variants").mkdir()
    os.mkfifo(tmp_path / "variants" / "pipe.toml")
    app = create_app({"DATABASE_URL": f"sqlite:///{tmp_path}/games.db", "SECRET_KEY": "test"})

    told = app.test_cli_runner().invoke(args=["check-variants"]).output
    assert told.endswith("pipe.toml: the file: this is no file.\n")
    log.close_database(app)
    play_beside(ROOT / "nowhere")
