"""The games opened on a device: one settlement for an evening, on paper too, a rematch."""

import re
from datetime import datetime
from urllib.parse import unquote

import pytest

from tests.json_scorer import import_game
from tests.pages import EURO, Alice, hand, see, words

pytestmark = pytest.mark.one_app


class Evening:
    """Alice's phone after several games; each is played to its end unless `over` is false."""

    def __init__(self, app):
        self.app = app
        self.games = []
        self.phone = app.test_client()

    def play(self, players, loser, **more):
        """A game of two, ended in one hand: the loser pays 10 for the hand and loses a stake of 50."""
        game = Alice(self.app, players=players, **{"stakes": EURO, "house": {"buy_ins": 0}} | more)
        if loser:
            game.record(hand(3 - loser, **{f"s{loser}": 150}))
        self.games.append(game)
        self.phone.get(f"/g/{game.code}/s/{game.scorer.secret}")
        return game

    def bring_back(self, game):
        """A game once more beside itself, from its sheet: the code of the copy, opened on the phone."""
        record = game.client.get(f"/api/v1/games/{game.code}/sheet.json").json
        copy = import_game(self.app.test_client(), record["log"])
        self.phone.get(f"/g/{copy.code}/s/{copy.secret}")
        return copy.code

    def see(self, path):
        return see(self.phone, path)

    def together(self, path="/evening"):
        return path + "?" + "&".join(f"game={game.code}" for game in self.games)


@pytest.fixture
def evening(app):
    # Ann +60 Ben -60; Ann -60 Cat +60; Cat +60 Ben -60: Ann 0, Ben -120, Cat +120
    evening = Evening(app)
    evening.play(("Ann", "Ben"), loser=2)
    evening.play(("ANN", "Cat"), loser=1)
    evening.play(("Cat", "ben"), loser=2)
    return evening


# ---- The list


def test_the_list_shows_results_and_ways_back(clock, evening):
    page = evening.see("/games")
    assert "Ann, Ben European Kalooki · Ann won · Sat 21 Nov, from 20:15 · for money Open" in page
    raw = evening.phone.get("/games").text
    assert f'href="/g/{evening.games[0].code}"' in raw
    assert f'href="/g/{evening.games[0].code}/rematch"' in raw


def test_a_forgotten_game_leaves_the_list_and_stays_where_it_is(evening):
    first = evening.games[0].code
    evening.phone.post("/games", data={"forget": first})
    assert first not in evening.phone.get("/games").text
    assert evening.phone.get(f"/g/{first}").status_code == 200


def test_forgetting_nothing_is_no_harm(client):
    assert client.post("/games", data={"forget": "NOSUCHGAME2"}).status_code == 303
    assert "No games on this device" in client.get("/games").text


def test_a_stranger_sees_none_of_them(evening, client):
    assert evening.games[0].code not in client.get("/games").text


def test_home_leads_to_the_list(evening):
    assert 'href="/games"' in evening.phone.get("/").text


# ---- One settlement


@pytest.mark.parametrize("path", ["/evening", "/evening/payments.pdf"])
def test_a_game_that_is_not_there_is_not_counted(client, path):
    assert client.get(f"{path}?game=NOSUCHGAME2").status_code == 404


def test_an_evening_is_settled_with_one_payment(evening):
    page = evening.see(evening.together())
    assert "Ben pays Cat €1.20" in page
    assert "pays Ann" not in page
    assert re.search(r"Ann €0\.00 Game Amount Ann, Ben \([^)]+\) \+0\.60 ANN, Cat \([^)]+\) −0\.60 Total 0\.00", page)


def test_an_amount_of_a_game_leads_to_its_lines(evening):
    page = evening.phone.get(evening.together()).text
    # Ben sits second in the first game and in the last
    for game, seat in ((evening.games[0], 2), (evening.games[2], 2), (evening.games[1], 1)):
        assert f'href="/g/{game.code}/settle?open=seat-{seat}#seat-{seat}"' in page
    lines = evening.phone.get(f"/g/{evening.games[0].code}/settle?open=seat-2").text
    [fold] = re.findall(r'(?s)<details[^>]* id="seat-2" open>.*?</details>', lines)
    assert "Ben −€0.60" in words(fold)
    assert "Total −0.60" in words(fold)


def test_currencies_written_otherwise_are_settled_together(app):
    evening = Evening(app)
    evening.play(("Ann", "Ben"), loser=2)
    evening.play(("Cat", "Ben"), loser=2, stakes=EURO | {"currency": "eur"})
    page = evening.see(evening.together())
    # Ben owes 60 in either
    assert "Who pays whom (€)" in page
    assert "Who pays whom (eur)" not in page
    assert re.search(r"Ben −€1\.20 Game Amount Ann, Ben \([^)]+\) −0\.60 Cat, Ben \([^)]+\) −0\.60 Total −1\.20", page)


def test_a_player_whose_name_is_written_otherwise_keeps_the_lines_of_all_games(app):
    evening = Evening(app)
    evening.play(("Strauß", "Ben"), loser=2)
    evening.play(("STRAUSS", "Ben"), loser=2)
    # 60 in either game
    lines = r"Strauß \+€1\.20 Game Amount Strauß, Ben \([^)]+\) \+0\.60 STRAUSS, Ben \([^)]+\) \+0\.60 Total \+1\.20"
    assert re.search(lines, evening.see(evening.together()))


def at(clock):
    """A time as a server's clock tells it."""
    return lambda: datetime.fromisoformat(f"{clock}Z")


@pytest.mark.parametrize(
    ("first", "second", "together"),
    [
        ("2026-11-26 11:55", "2026-11-27 00:00", True),  # twelve hours and five minutes apart
        ("2026-11-26 19:00", "2026-11-27 05:59", True),
        ("2026-11-26 19:00", "2026-11-27 06:00", False),
        ("2026-11-27 05:55", "2026-11-27 06:05", False),
    ],
)
def test_an_evening_lasts_until_six_in_the_morning_at_the_table(app, first, second, together):
    evening = Evening(app)
    for clock, players in ((first, ("Ann", "Ben")), (second, ("Ann", "Cat"))):
        app.config["CLOCK"] = at(clock)
        evening.play(players, loser=2, zone="UTC")
    assert len(chosen(evening.phone.get("/games").text)) == 1 + together


def test_the_day_lasts_by_the_clock_of_each_table(app):
    evening = Evening(app)
    app.config["CLOCK"] = at("2026-11-26 10:30")
    # 05:30 in Jamaica, still Wednesday night; half past ten in London, Thursday
    evening.play(("Ann", "Ben"), loser=2, zone="America/Jamaica")
    evening.play(("Ann", "Cat"), loser=2, zone="Europe/London")
    assert chosen(evening.phone.get("/games").text) == {evening.games[1].code}


def test_a_game_begun_after_midnight_is_told_by_its_evening(app):
    evening = Evening(app)
    app.config["CLOCK"] = at("2026-11-27 00:46")
    game = evening.play(("Ann", "Ben"), loser=2, zone="UTC", place="Church hall")
    assert (
        "Church hall, Thu 26 Nov, from 00:46 after midnight: " in evening.phone.get(f"/g/{game.code}").text
    )  # its title
    sheets = {kind: evening.phone.get(f"/api/v1/games/{game.code}/sheet.{kind}") for kind in ("csv", "txt", "html")}
    assert "2026-11-26 Church hall 00.46" in unquote(sheets["csv"].headers["Content-Disposition"])
    assert {row.split(",")[2] for row in sheets["csv"].text.splitlines()[1:]} == {"2026-11-26"}
    assert sheets["txt"].text.startswith("European Kalooki, Thu 26 Nov 2026\n")
    assert "Thu 26 Nov 2026" in words(sheets["html"].text)
    assert 'type="date" value="2026-11-26"' in evening.phone.get(f"/g/{game.code}/enter/setup").text
    club = evening.phone.post("/api/v1/clubs", json={"name": "Thursday", "zone": "UTC", "submission": "club"}).json
    sent = {"seen": 1, "submission": "game", "event": {"kind": "game", "code": game.code}}
    bearer = {"Authorization": f"Bearer {club['keeper']}"}
    assert evening.phone.post(f"/api/v1/clubs/{club['code']}/entries", json=sent, headers=bearer).status_code == 201
    assert "Thu 26 Nov 00:46 after midnight: Ann won" in words(evening.phone.get(f"/c/{club['code']}").text)


def test_a_sheet_copied_after_midnight_belongs_to_the_evening_written_on_it(app):
    evening = Evening(app)
    app.config["CLOCK"] = at("2026-11-26 20:00")
    game = evening.play(("Ann", "Ben"), loser=2, zone="UTC", place="Church hall")
    app.config["CLOCK"] = at("2026-11-27 00:15")
    sheet = {"variant": "european", "names": "Ann, Cat", "day": "2026-11-26", "zone": "UTC", "submission": "paper-1"}
    sheet |= {"out_at": "limit", "settle": "account", "money": "y", "currency": "EUR"}
    sheet |= {"cell-0-1": "✓", "cell-0-2": "150", "do": "save"}
    answer = evening.phone.post("/copy", data=sheet)
    assert answer.status_code == 303, words(answer.text)
    page = evening.phone.get("/games").text
    assert game.code in chosen(page)
    assert len(chosen(page)) == 2
    # a sheet has a day and no time
    assert re.search(r"Ann, Cat European Kalooki · Ann won · Thu 26 Nov", words(page))


def test_the_last_evening_is_chosen_unless_told_otherwise(evening):
    assert "Ben pays Cat €1.20" in evening.see("/evening")
    one = evening.see(f"/evening?game={evening.games[0].code}")
    assert "Ben pays Ann €0.60" in one


def chosen(page):
    """The games ticked in the list."""
    return set(re.findall(r'name="game" value="(\w+)" checked', page))


def test_a_game_brought_back_from_its_sheet_is_not_settled_twice(evening):
    first, *others = (game.code for game in evening.games)
    copy = evening.bring_back(evening.games[0])
    page = evening.phone.get("/games").text
    # opened last, the copy stands for both
    assert chosen(page) == {copy, *others}
    assert f'name="game" value="{first}">' in page
    assert "ben pays cat €1.20" in evening.see("/evening").casefold()
    both = evening.see(f"{evening.together()}&game={copy}")
    assert "ben pays cat €1.20" in both.casefold()
    assert "A game and its copy count once." in both
    assert "count once" not in evening.see(evening.together())


def test_of_a_game_and_what_was_brought_back_the_one_that_went_on_is_settled(app):
    evening = Evening(app)
    game = evening.play(("Ann", "Ben"), loser=0)
    copy = evening.bring_back(game)
    # the original is played to its end: Ben out, Ann takes 60
    game.record(hand(1, s2=150))
    assert chosen(evening.phone.get("/games").text) == {game.code}
    # brought back once more, and 60 paid there
    later = evening.bring_back(game)
    evening.phone.post(f"/g/{later}/settle", data={"do": "paid-2-1-60", "seen": 2, "submission": "p-1"})
    page = evening.phone.get("/games").text
    assert chosen(page) == {later}
    assert copy in page


def test_a_copy_both_went_on_from_is_another_game(app):
    evening = Evening(app)
    game = evening.play(("Ann", "Ben"), loser=2)
    copy = evening.bring_back(game)
    for code, amount in ((game.code, 10), (copy, 20)):
        evening.phone.post(f"/g/{code}/settle", data={"do": f"paid-2-1-{amount}", "seen": 2, "submission": "p-1"})
    assert chosen(evening.phone.get("/games").text) == {game.code, copy}


def test_games_still_played_without_money_or_paid_on_the_table_are_named_and_left_out(app):
    evening = Evening(app)
    evening.play(("Ann", "Ben"), loser=2)
    evening.play(("Ann", "Cat"), loser=0)
    evening.play(("Ann", "Dan"), loser=2, stakes=None)
    evening.play(("Ann", "Eve"), loser=2, settle="cash")
    page = evening.see("/games")
    assert "still playing" in page
    assert "not for money" in page
    assert "for money, paid after each hand" in page
    page = evening.see("/evening")
    assert "Ben pays Ann €0.60" in page
    assert "Eve pays" not in page


def test_settling_several_games_records_nothing(evening):
    page = evening.phone.get(evening.together()).text
    assert "Nothing is recorded here: what’s paid is ticked in each game, under Money." in words(page)
    assert 'method="post"' not in page
    assert evening.phone.post(evening.together()).status_code == 405


def test_a_payment_that_an_earlier_release_recorded_with_others_is_one_of_its_game(evening):
    game = evening.games[0].record({"kind": "paid", "from": 2, "to": 1, "amount": 60})
    record = game.client.get(f"/api/v1/games/{game.code}/sheet.json").json
    record["log"][-1]["event"]["together"] = True
    copy = import_game(evening.app.test_client(), record["log"])
    page = see(evening.phone, f"/g/{copy.code}/settle")
    assert "Ben paid Ann €0.60" in page
    assert "Nobody owes anything any more." in page


# ---- Rematch


def test_a_rematch_fills_the_form_in_with_the_next_dealer(app):
    alice = Alice(app, players=("Ann", "Ben", "Cat"), stakes=EURO | {"call_up": 25}, house={"limit": 200})
    alice.record(hand(1, s2=5, s3=6))
    page = alice.get("/rematch").text
    assert [re.search(rf'name="players-{row}-name"[^>]*value="(\w+)"', page).group(1) for row in range(3)] == [
        "Ann", "Ben", "Cat",
    ]  # fmt: skip
    # Ann dealt the only hand: Ben deals next
    assert re.search(r'name="dealer" value="1" checked', page)
    assert re.search(r'name="call_up"[^>]*value="0.25"', page)
    assert re.search(r'name="house-limit"[^>]*value="200"', page)
    assert 'action="/new"' in page


@pytest.mark.parametrize("variant", ["kalooki-51", "kalooki-40", "european"])
def test_a_game_whose_stakes_were_corrected_to_nothing_is_played_again_without_money(app, variant):
    alice = Alice(app, variant, stakes={"currency": "EUR", "initial": 50})
    stakes = (
        ("stake_initial",)
        if variant != "european"
        else ("stake_initial", "stake_call_up", "stake_kalooki", "stake_buy_in")
    )
    alice.record({"kind": "setup", "house": dict.fromkeys(stakes, 0)})
    assert "· not for money" in alice.see("/rematch")
    assert re.findall(r'name="money" value="(\w*)"[^>]* checked', alice.get("/rematch").text) == ["none"]
    assert alice.client.get("/new?again=1").status_code == 200


def test_everybody_who_watches_may_start_a_rematch_of_their_own(app):
    alice = Alice(app)
    assert app.test_client().get(f"/g/{alice.code}/rematch").status_code == 200
    assert app.test_client().get("/g/NOSUCHGAME2/rematch").status_code == 404


def test_only_games_that_can_be_settled_are_ticked_and_each_says_what_it_is(evening):
    running = evening.play(("Ann", "Dan"), loser=0)
    page = evening.phone.get("/games").text
    assert re.search(rf'value="{running.code}" disabled', page)
    assert "for money, still playing" in words(page)
    assert chosen(page) == {game.code for game in evening.games} - {running.code}
    alone = Evening(evening.app)
    alone.play(("Ann", "Ben"), loser=0)
    assert re.search(
        r'<button class="button button-primary" disabled>What these games add up to', alone.phone.get("/games").text
    )
    assert "Nothing here to settle yet" in alone.see("/games")
