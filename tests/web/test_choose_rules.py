"""A table's own rules chosen on the new-game page, without JavaScript: questions, groups, lists, faults."""

import re
from html import unescape

import pytest
from markupsafe import escape
from werkzeug.datastructures import MultiDict

from app.kalooki.variants import all_variants, house_range, load, meanings
from tests.json_scorer import Scorer
from tests.pages import start_by_form
from tests.pages import words as told
from tests.web.test_new_game import ANN_BEN, USUAL

pytestmark = pytest.mark.one_app

GROUPS = ["deal", "opening", "melds", "jokers", "drawing", "going_out", "counting", "ending", "money"]


def sent(client, typed, to="/new", status=200):
    answer = client.post(to, data=ANN_BEN | USUAL | typed)
    assert answer.status_code == status, told(answer.text)
    return answer


def shown(client, do, **typed):
    return sent(client, {"do": do} | typed).text


def house_of(client, **typed):
    """The house rules of the game that the form starts."""
    return start_by_form(client, ANN_BEN | USUAL | typed).log.entries[0].event.get("house", {})


def refused(client, **typed):
    return sent(client, typed, status=422).text


def asked(page):
    """The keys a page has fields for."""
    return re.findall(r'<(?:input|select|fieldset)[^>]* id="house-([a-z_]+)"', page)


def differing(client, **typed):
    return re.search(r'(?s)<div [^>]*id="differing".*?</div>\s*<details', judged(client, **typed))[0]


def judged(client, **typed):
    return sent(client, typed, to="/new/rules").text


def cells(page, key):
    """What the cells of a list say, and what they stand for while blank."""
    found = re.findall(rf'<input[^>]* id="house-{key}-\d+-\d+"[^>]*>', page)
    return [re.search(r'value="([^"]*)" placeholder="([^"]*)"', each).groups() for each in found]


@pytest.mark.parametrize("variant", [*all_variants()], ids=lambda variant: variant.id)
def test_at_most_twelve_questions_are_asked_first(client, variant):
    page = client.get(f"/new?variant={variant.id}").text
    assert 5 < len(asked(page.partition("data-group=")[0])) <= 12
    assert re.findall(r'data-group="([a-z_]+)"', page) == GROUPS


@pytest.mark.parametrize("variant", [*all_variants()], ids=lambda variant: variant.id)
def test_every_value_a_table_may_choose_is_asked_in_a_group(client, variant):
    fields = asked(client.get(f"/new?variant={variant.id}").text)
    assert len(fields) == len(set(fields))
    assert {*fields} == {key for key in meanings() if house_range(variant, key)}


def test_a_field_says_what_is_usual_and_what_others_play(client):
    page = told(client.get("/new").text)
    # joker left: European, Kalooki 40, Classic 15; North American, South African, Kalooki 51 25; Jamaican 50
    assert "Joker left in hand 0 to 200. Usual: 15 points" in page
    assert "Kalooki 51: 25 points" in page
    assert "Jamaican: 50 points" in page


def test_a_list_has_a_cell_for_each_number_within_its_bounds_and_a_row_for_one_more(client):
    """Each of the nine hands, then three cards of each set and four of each run, as many as European deals, to two."""
    page = client.get("/new?variant=jamaican").text
    assert "Contract of each hand A blank row is left out. Usual: 3+0, 2+1" in told(page)
    assert re.search(r'name="house-contracts" min="0" max="6"[^>]* aria-label="Hand 9, fours"', page)
    assert [text for text, _ in cells(page, "contracts")] == [*"302112034031221304", "", ""]
    assert [follows for _, follows in cells(page, "dealt")] == [*map(str, (9, 10, 11, 12, 12, 13, 14, 15, 16)), ""]
    assert 'aria-label="2 players, cards"' in client.get("/new").text
    typed = {"variant": "jamaican", "house-contracts": ["2", "", "", "", "0", "1", ""]}
    assert [text for text, _ in cells(judged(client, **typed), "contracts")] == ["2", "", "", "", "0", "1", "", ""]


def test_another_row_is_shown_by_every_form(client):
    code = start_by_form(client, ANN_BEN | USUAL).code
    typed = {"house-dealt": ["12", "11"], "do": "change", "names": "Ann, Ben"}
    for address in ("/new", "/copy", f"/g/{code}/enter/setup"):
        page = client.post(
            address, data=ANN_BEN | USUAL | {"dealer": "1", "dealt_first": "1"} | typed, follow_redirects=True
        )
        assert page.status_code == 200
        assert [text for text, _ in cells(page.text, "dealt")] == ["12", "11", ""]
        assert re.search(r'<details class="fold" id="rules-deal"[^>]* open', page.text)


def test_what_differs_is_told_beside_what_the_book_says(client):
    page = told(differing(client, **{"house-joker_left": "25", "house-ace": "both", "house-limit": "150"}))
    assert "Ace in a run high or low usually high only" in page
    assert "Joker left in hand 25 points usually 15 points" in page
    assert "Limit" not in page


def test_a_group_says_how_many_of_its_values_differ(client):
    page = shown(client, "keep", **{"house-court_left": "5", "house-kalooki_points": "25", "house-packs": "3"})
    counts = dict(re.findall(r'data-group="([a-z_]+)".*?data-count>([^<]*)<', page, re.DOTALL))
    assert {name: count for name, count in counts.items() if count} == {"deal": "1 changed", "counting": "2 changed"}


def test_out_at_differs_too(client):
    assert "Out at the limit or over it over the limit usually at the limit" in told(
        differing(client, **{"house-out_at": "over_limit"})
    )


def test_all_contradictions_are_told_at_once_with_both_fields_linked(client):
    typed = {"house-run_least": "9", "house-run_most": "5", "house-players_fewest": "6", "house-players_most": "3"}
    said, page = differing(client, **typed), refused(client, **typed)
    wrong = [field for field in re.findall("<[^>]*>", page) if 'aria-invalid="true"' in field]
    for name in typed:
        assert f'href="#{name}"' in said
        assert any(f'id="{name}"' in field for field in wrong)
    assert re.search(r'name="house-run_least"[^>]*value="9"', page)


def test_what_is_out_of_range_is_told_while_it_is_typed_with_its_field_linked(client):
    page = differing(client, **{"house-court_left": "500", "house-joker_left": "25"})
    assert '<a href="#house-court_left">' in page
    assert "“500” is out of range; choose a whole number from 0 to 200" in told(page)
    assert "Joker left in hand 25 points usually 15 points" in told(page), "the rest counts"


def test_a_value_without_use_is_told(client):
    # nobody can buy in where nobody goes out
    page = told(differing(client, **{"house-limit": "", "house-buy_ins": "3"}))
    assert "Buy-ins for each player" in page
    assert "There is no limit here at which a player is out." in page


def test_contracts_are_typed_as_a_list_and_bring_hands_and_deals_along(client):
    typed = {"variant": "jamaican", "house-contracts": [*"201102"]}
    assert house_of(client, **typed) == {"contracts": [[2, 0], [1, 1], [0, 2]]}
    page = judged(client, **typed)
    said = told(page)
    # 3 x sets + 4 x runs: 6, 7, 8
    assert "Cards dealt 6, 7, 8" in said
    # what their fields show while they are blank
    assert cells(page, "dealt") == [("", "6"), ("", "7"), ("", "8"), ("", "")]
    assert re.search(r'id="house-game_hands"[^>]* placeholder="3"', page)
    assert "Hands in a game 3 hands usually 9 hands" in said


@pytest.mark.parametrize("typed", [["three", "0"], ["0", "0"], ["9", "9"], ["1,5", "0"], ["-1", "2"]])
def test_a_contract_nobody_can_read_is_refused_and_kept(client, typed):
    page = refused(client, variant="jamaican", **{"house-contracts": typed})
    assert [text for text, _ in cells(page, "contracts")] == [*typed, "", ""]


def test_a_list_of_cards_dealt_is_one_number_or_several(client):
    assert house_of(client, **{"house-dealt": "11"}) == {"dealt": [11]}
    assert house_of(client, **{"house-dealt": ["13", "13", "", "11", ""], "submission": "s-2"}) == {
        "dealt": [13, 13, 11]
    }


def test_what_follows_another_value_holds_once_it_is_set(client):
    # European: a joker leaves a set of four never; "one" for sets of three brings "one" for sets of four along
    follows = {"house-joker_from_set": "one", "house-joker_from_full_set": "", "house-joker_from_two_joker_set": ""}
    assert house_of(client, **follows) == {"joker_from_set": "one"}
    said = told(differing(client, **follows))
    assert "Joker out of a set of four for the missing suit usually never" in said
    set_too = follows | {"house-joker_from_full_set": "never", "submission": "s-2"}
    assert house_of(client, **set_too) == {"joker_from_set": "one", "joker_from_full_set": "never"}
    assert "Joker out of a set of four" not in told(differing(client, **set_too))


def test_a_whole_form_sent_unchanged_makes_no_house_rule(client):
    page = client.get("/new").text
    form = MultiDict(re.findall(r'<input[^>]*(?: checked)?[^>]* name="(house-[a-z_]+)"[^>]*value="([^"]*)"', page))
    for name, options in re.findall(r'(?s)<select[^>]*name="(house-[a-z_]+)".*?>(.*?)</select>', page):
        form[name] = re.search(r'<option selected value="([^"]*)"', options)[1]
    form.setlist("house-out_at", ["limit"])
    assert len(form) > 60
    assert house_of(client, **form.to_dict(flat=False)) == {}


def money_ticked(page):
    return 'name="money" value="10" checked' in page


def jamaican(client, **house):
    """The address's end for another game by the rules of a Jamaican one."""
    start = {"variant": "jamaican", "players": ["Ann", "Ben"], "house": house, "stakes": None}
    return f"rules={Scorer(client, start).code}"


@pytest.mark.parametrize("is_of_a_game", [False, True])
def test_who_plays_for_money_all_the_same_is_asked_for_stakes_that_count(client, is_of_a_game):
    rules = jamaican(client, court_left=5) if is_of_a_game else "variant=jamaican"
    page = client.get(f"/new?{rules}").text
    assert not money_ticked(page)
    page = client.get(unescape(re.search(r'data-for-money href="([^"]*)#house-stake_call_up"', page)[1])).text
    assert money_ticked(page)
    assert "stake_call_up" in asked(page)
    assert ("10, J, Q, K left in hand 5 points" in told(page)) is is_of_a_game


def test_rules_that_name_stakes_say_that_these_count_for_money_only(client):
    """A call-up of 3 units, which Jamaican Kalooki by the book has not."""
    said = "The house rules name stakes: choose one here, and they count."
    by_three = jamaican(client, stake_call_up=3)
    assert said in told(client.get(f"/new?{by_three}").text)
    assert said not in told(client.get(f"/new?{by_three}&money=1").text)
    assert said not in told(client.get("/new?variant=jamaican").text)


def test_what_a_variant_usually_has_is_not_said_of_a_table_with_contracts_of_its_own(client):
    """Nine hands by the book, two here; what the page shows follows what is judged."""
    own = {"house-contracts": [*"2011"]}
    for typed, said in ((own, "With house rules, listed below."), ({}, load("jamaican").summary)):
        assert f'data-summary="{escape(said)}"' in judged(client, variant="jamaican", **typed)


def test_same_as_last_time_opens_with_the_tables_own_rules(client):
    house_of(client, **{"house-court_left": "5", "house-joker_left": "25"})
    page = client.get("/new?again=1").text
    assert "10, J, Q, K left in hand 5 points usually 10 points" in told(page)


def test_same_as_last_time_keeps_the_tables_contracts_and_deals(client):
    typed = {"variant": "jamaican", "house-contracts": [*"2011"], "house-dealt": ["8", "10"]}
    assert house_of(client, **typed) == {"contracts": [[2, 0], [1, 1]], "dealt": [8, 10]}
    page = client.get("/new?again=1").text
    assert "Contract of each hand 2+0, 1+1 usually" in told(page)
    assert [text for text, _ in cells(page, "contracts")] == [*"2011", "", ""]
    assert [text for text, _ in cells(page, "dealt")] == ["8", "10", ""]


@pytest.mark.parametrize(("dealt_by", "kept"), [("players", {"dealt_by": "players"}), ("", {})])
def test_as_many_deals_as_contracts_go_by_contract_unless_the_table_says_by_players(client, dealt_by, kept):
    typed = {"house-contracts": [*"2011"], "house-dealt": ["13", "11"], "house-dealt_by": dealt_by}
    assert house_of(client, **typed) == {"contracts": [[2, 0], [1, 1]], "dealt": [13, 11]} | kept


def test_a_setup_asks_for_every_value_too(client):
    code = start_by_form(client, ANN_BEN | USUAL, **{"house-court_left": "5"}).code
    address = f"/g/{code}/enter/setup"
    page = client.get(address).text
    assert {"court_left", "packs"} <= set(asked(page))
    typed = {"dealer": "2", "settle": "account", "house-court_left": "7", "do": "change"}
    page = client.post(address, data=typed, follow_redirects=True).text
    assert re.search(r'name="house-court_left"[^>]*value="7"', page)


def test_every_choice_is_a_value_the_variant_may_have(client):
    """A list to choose from shows at first what the table plays."""
    for variant in all_variants():
        page = client.get(f"/new?variant={variant.id}").text
        for key, options in re.findall(r'(?s)<select[^>]*name="house-([a-z_]+)".*?>(.*?)</select>', page):
            chosen = re.search(r'<option selected value="([^"]*)"', options)[1]
            assert chosen in ("", str(getattr(load(variant.id), key)))


def test_a_paper_sheet_is_copied_in_by_any_rules(client):
    typed = {"variant": "european", "names": "Ann, Ben", "dealt_first": "1", "house-court_left": "5"}
    page = client.post("/copy", data=typed).text
    assert {"court_left", "packs"} <= set(asked(page))
    assert re.search(r'name="house-court_left"[^>]*value="5"', page)


@pytest.mark.parametrize(
    ("asked", "key"),
    [
        ("bent", "kalooki_times"),
        ("at once", "kalooki_times"),
        ("bending", "kalooki_points"),
        ("go down", "contracts"),
        ("out of turn", "calls"),
        ("lay", "melds_a_turn"),
        ("pot", "stake_initial"),
        ("laying off", "run_ends"),
        ("fine", "mishap_points"),
    ],
)
def test_a_question_is_found_by_the_words_of_players(client, asked, key):
    """By every word of what is typed; the words of its rule belong to it."""
    page = shown(client, "change", variant="jamaican")
    found = re.search(rf'data-words="([^"]*)"[^>]* id="house-{key}"| id="house-{key}"[^>]* data-words="([^"]*)"', page)
    words = unescape(found[1] or found[2])
    assert all(word in words for word in asked.split())
    assert meanings()[key].search
