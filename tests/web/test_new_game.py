"""Starting a game on the page, without JavaScript."""

import random
import re
from html import unescape

import pytest
from werkzeug.datastructures import MultiDict

from app.forms.new_game import NewGameForm, Seat, blank, draw
from app.kalooki.variants import all_variants, load
from tests.json_scorer import send
from tests.pages import start_by_form, words

pytestmark = pytest.mark.one_app

ANN_BEN = {"variant": "european", "players-0-name": "Ann", "players-1-name": "Ben", "dealer": "1"}
USUAL = {"out_at": "limit", "settle": "account", "unit": "0.10", "currency": "EUR", "submission": "s-1", "do": "start"}
FORM = ANN_BEN | USUAL


def refused(client, **changed):
    """The page that says why no game was started."""
    answer = client.post("/new", data=FORM | changed)
    assert answer.status_code == 422
    assert client.get("/").text.count('href="/g/') == 0
    return answer.text


def first_event(table):
    return table.log.entries[0].event


def test_the_form_starts_the_game_it_describes(client):
    table = start_by_form(client, FORM)
    event = first_event(table)
    described = {"kind": "start", "variant": "european", "players": ["Ann", "Ben"], "dealer": 2}
    assert event.items() >= described.items()
    assert table.game.stakes is None
    assert table.game.variant.house == frozenset()


def test_who_starts_a_game_may_write_in_it(client):
    table = start_by_form(client, FORM)
    with client.session_transaction() as cookie:
        [(code, secret, is_started)] = cookie["games"]
    assert (code, is_started) == (table.code, True)
    assert send(client, code, secret, {"kind": "void", "reason": "misdeal"}, seen=1).status_code == 201


BUYS_IN = {"variant": "kalooki-40", "money": "y", "house-limit": "150", "house-buy_ins": "1", "currency": "GBP"}


def test_a_buy_in_costs_as_much_as_the_stake_unless_the_table_says_otherwise(client):
    # the stake of Kalooki 40 is 5 units
    told = client.post("/new/rules", data=USUAL | BUYS_IN).text
    assert re.search(r'<div>\s*<div class="field">\s*<label for="buy_in"', told)
    assert re.search(r'name="buy_in"[^>]*placeholder="0.50"', told)
    usual = {"currency": "GBP", "call_up": 0, "kalooki": 0, "initial": 50}
    assert start_by_form(client, FORM, **BUYS_IN).game.stakes == usual | {"buy_in": 50}
    code = start_by_form(client, FORM, **BUYS_IN, tell_stakes="1", submission="s-2").code
    assert "Stakes: stake £0.50, buy-in £0.50." in words(client.get(f"/g/{code}").text)
    assert start_by_form(
        client, FORM, **BUYS_IN, submission="s-3", **{"house-stake_buy_in": "0"}
    ).game.stakes == usual | {"buy_in": 0}
    assert start_by_form(
        client, FORM, **BUYS_IN, submission="s-4", **{"house-stake_buy_in": "10"}
    ).game.stakes == usual | {"buy_in": 100}


def test_a_game_for_money_says_its_stakes_as_amounts(client):
    typed = BUYS_IN | {"house-stake_buy_in": "10", "initial": "1.00"}
    assert "Buy-in stake £1.00 usually none" in words(client.post("/new/rules", data=USUAL | typed).text)
    table = start_by_form(client, FORM, **typed)
    for page in (f"/g/{table.code}/rematch", f"/g/{table.code}/rematch?change=1"):
        told = words(client.get(page).text)
        assert "Buy-in stake £1.00 usually none" in told
    assert "buy-in stake £1.00" in words(client.get("/new").text)
    why = words(client.get(f"/g/{table.code}/disputes?q=what does a buy in cost").text)
    assert "Buying in costs £1.00" in why
    assert "10 units" not in why


@pytest.mark.parametrize(("variant", "asked"), [("kalooki-40", False), ("kalooki-51", False), ("european", True)])
def test_the_unit_is_asked_only_where_several_stakes_follow_from_it(client, variant, asked):
    page = client.get(f"/new?variant={variant}").text
    before = page[: page.index('id="unit"')]
    assert ('<div class="stake-unit" hidden>' in before) is not asked
    assert re.search(r'id="initial"[^>]*placeholder="0.50"', page)


def test_a_rematch_keeps_the_unit_and_every_stake(client):
    table = start_by_form(client, FORM, **BUYS_IN, **{"house-stake_buy_in": "10", "initial": "1.00"})
    for page in (f"/g/{table.code}/rematch?change=1", "/new?again=1"):
        form = dict(re.findall(r'<input[^>]*name="(unit|initial|buy_in)"[^>]*value="([^"]*)"', client.get(page).text))
        assert form == {"unit": "0.10", "initial": "1.00", "buy_in": ""}  # 10 units, as the house rule says


@pytest.mark.parametrize(
    ("variant", "stakes"),
    [("european", ["call_up", "kalooki", "initial", "buy_in"]), ("kalooki-51", ["initial"]), ("classic", [])],
)
def test_only_the_stakes_of_the_variant_are_asked(client, variant, stakes):
    page = client.get(f"/new?variant={variant}").text
    shown = re.findall(r'<div>\s*<div class="field">\s*<label for="(call_up|kalooki|initial|buy_in)"', page)
    assert shown == stakes
    assert bool(re.search(r'<section class="[^"]*money"[^>]* hidden>', page)) is not bool(stakes)


@pytest.mark.parametrize(("dealer", "deals"), [("0", 1), ("1", 2), ("2", 2), ("3", 1)])
def test_an_empty_seat_is_nobodys_and_the_next_player_deals_for_it(client, dealer, deals):
    """Ann, nobody, Cat, nobody."""
    seats = {"players-0-name": "Ann", "players-1-name": "", "players-2-name": "Cat", "players-3-name": ""}
    table = start_by_form(client, FORM, **seats, dealer=dealer)
    assert [*table.game.names.values()] == ["Ann", "Cat"]
    assert table.game.dealer == deals


def test_a_stake_chosen_at_a_tap_counts_and_one_typed_before_does_not(client):
    table = start_by_form(client, FORM, money="20", unit="3", currency="EUR")
    assert table.game.stakes == {"currency": "EUR", "call_up": 20, "kalooki": 40, "initial": 100, "buy_in": 100}
    table = start_by_form(client, FORM, money="other", unit="3", currency="EUR", submission="s-2")
    assert table.game.stakes["call_up"] == 300
    assert start_by_form(client, FORM, money="none", unit="3", submission="s-3").game.stakes is None


def test_stakes_typed_count_as_typed(client):
    table = start_by_form(client, FORM, money="y", unit="1", call_up="0,50", initial="2", currency="JMD", settle="cash")
    assert table.game.stakes == {"currency": "JMD", "call_up": 50, "kalooki": 200, "initial": 200, "buy_in": 500}
    assert table.game.settle == "cash"


def test_over_the_limit_is_a_house_rule_asked_openly(client):
    table = start_by_form(client, FORM, **{"house-out_at": "over_limit"})
    assert first_event(table)["house"] == {"out_at": "over_limit"}
    assert not table.game.variant.is_out(150)


def test_the_same_form_sent_twice_makes_one_game(client):
    assert start_by_form(client, FORM).code == start_by_form(client, FORM).code


def test_a_form_changed_and_sent_again_asks_whether_another_game_is_meant(client):
    first = start_by_form(client, FORM)
    answer = client.post("/new", data=FORM | {"players-1-name": "Bea"})
    assert answer.status_code == 422
    assert "already started a game" in answer.text
    fresh = re.search(r'name="submission"[^>]*value="([^"]+)"', answer.text).group(1)
    assert start_by_form(client, FORM, **{"players-1-name": "Bea", "submission": fresh}).code != first.code


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ({"players-1-name": " "}, "Give this player a name"),
        ({"players-1-name": "x" * 41}, "A name has 1 to 40 characters"),
        ({"players-1-name": "ANN "}, "Give every player a name of their own"),
        ({"players-1-name": "Ann\u200b\u3164"}, "Give every player a name of their own"),
        ({"players-1-name": "\u3164"}, "a letter, a digit or a symbol"),
        ({"players-1-name": "…"}, "a letter, a digit or a symbol"),
        ({"dealer": "2"}, "Say who deals first"),
        ({"dealer": "Ann"}, "Say who deals first"),
        ({"money": "y", "call_up": "a lot"}, "Write an amount"),
        ({"money": "y", "unit": "-1"}, "Write an amount"),
        ({"money": "y", "currency": "pieces of eight"}, "1 to 8 characters"),
        ({"house-limit": "many"}, "Write a whole number"),
        ({"house-limit": "0"}, "out of range"),
        ({"house-jokers": "17"}, "out of range"),
        ({"variant": "whist"}, "Not a valid choice"),
        ({"house-out_at": "never"}, "“never” cannot be chosen; choose one of: limit, over_limit"),
    ],
)
def test_what_cannot_be_is_refused_and_what_was_typed_kept(client, typed, said):
    page = refused(client, **typed)
    assert said in page
    assert 'value="Ann"' in page


def test_an_unusual_number_of_players_is_only_warned_about(client):
    crowd = {f"players-{row}-name": f"Player {row}" for row in range(6)}
    assert len(start_by_form(client, FORM, **crowd).game.players) == 6
    assert "usually played by" in client.get("/").text


@pytest.mark.parametrize("variant", [*all_variants()], ids=lambda variant: variant.id)
def test_the_choices_of_a_house_rule_are_read_whole_on_a_phone(client, variant):
    """A list shows one line, which holds some 35 letters where a screen is 360 wide."""
    page = client.get(f"/new?variant={variant.id}").text
    lists = re.findall(r'(?s)<select[^>]*name="house-.*?</select>', page)
    choices = [unescape(each) for found in lists for each in re.findall(r"<option[^>]*>([^<]*)<", found)]
    assert len(choices) > 40
    assert [each for each in choices if len(each) > 35] == []


def rearranged(do):
    """The names in the rows, and the row of the dealer, after Ann and Ben pressed a button."""
    form = NewGameForm(MultiDict(ANN_BEN), blank(load("european")))
    form.rearrange(do)
    return [row["name"] for row in form.players.data], form.dealer.data


def test_a_seat_moves_up_with_its_dealer():
    assert rearranged("up-1") == (["Ben", "Ann"], "0")


def test_taking_the_dealer_away_leaves_the_deal_to_the_first():
    assert rearranged("remove-1") == (["Ann"], "0")


def test_empty_seats_at_the_end_do_not_keep_a_game_from_starting(client):
    game = start_by_form(client, FORM, **{"players-2-name": " ", "players-3-name": ""}).game
    assert len(game.players) == 2


@pytest.mark.parametrize("seed", range(20))
def test_the_draw_seats_everybody_once_in_the_order_of_the_cards(seed):
    seats = draw([Seat("Ann"), Seat("Ben"), Seat(" "), Seat("Cat")], random.Random(seed))
    assert sorted(seat.name for seat in seats) == ["Ann", "Ben", "Cat"]
    assert [seat.drawn[:-1] for seat in seats] == ["A", "2", "3"]
    assert [seat.deals for seat in seats] == [True, False, False]


def test_the_draw_can_seat_anybody_anywhere():
    orders = {tuple(seat.name for seat in draw([Seat("a"), Seat("b"), Seat("c")], random.Random(n))) for n in range(99)}
    assert len(orders) == 6
