"""Recording a hand without JavaScript: what is typed, what is shown before saving, what is never lost."""

import re
import sys
from pathlib import Path
from traceback import walk_stack

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import app as package
from app.store import games
from tests.examples import times
from tests.pages import FOUR, Alice, hand, words

pytestmark = pytest.mark.one_app

TYPED = {"winner": "1", "ending": "going_out", "points_2": "28", "points_3": "35", "points_4": "47"}
STAKES = {"currency": "EUR"}  # a unit of 10: call-up 0.10, Kalooki 0.20, initial stake and buy-in 0.50


@pytest.fixture
def alice(app):
    return Alice(app, players=FOUR, stakes=STAKES)


def looked_at(alice, **fields):
    """The words of the page shown before saving."""
    answer = alice.send("/hand", do="preview", **fields)
    assert answer.status_code == 200, answer.text
    return words(answer.text)


def refused(alice, status=422, **fields):
    """The form that comes back instead of saving."""
    before = alice.table.seen
    answer = alice.send("/hand", do="save", **fields)
    assert answer.status_code == status, answer.text
    assert alice.table.seen == before
    return answer.text


# ---- Looking at a hand and saving it


def test_the_preview_says_who_has_what_and_who_pays_whom(alice):
    page = looked_at(alice, winner="1", ending="going_out", points_2="28", cards_3="KH QD 5C", points_4="47")
    assert "Ann wins hand 1 Ann 0 Ben 0 + 28 = 28 Cat 0 + 25 = 25 K ♥ Q ♦ 20 + 5 ♣ 5 = 25 Dan 0 + 47 = 47" in page
    assert "Each pays Ann €0.10." in page
    assert alice.table.seen == 1


def test_few_functions_lie_between_the_form_and_the_database(alice):
    shell = [str(Path(package.__file__).parent / part) for part in ("views", "forms", "games", "store")]
    called, stacks = {}, []

    def note(frame, event, _argument):
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(tuple(shell)):
            called.setdefault(code)
            if code is games.append.__code__:
                stack = [each.f_code for each, _line in walk_stack(frame)][::-1]
                stacks.append([each for each in stack if each in called])

    sys.setprofile(note)
    try:
        answer = alice.send("/hand", do="save", **TYPED)
    finally:
        sys.setprofile(None)
    assert answer.status_code == 303
    [stack] = stacks
    assert [code.co_name for code in stack] == ["send", "save", "save", "append"]
    files = list(dict.fromkeys(Path(code.co_filename).name for code in stack))
    assert files == ["hands.py", "workflow.py", "recording.py", "games.py"]
    between = list(called)[list(called).index(stack[0]) : list(called).index(stack[-1])]
    named = [code.co_qualname for code in between if not code.co_name.startswith("<")]
    assert len(named) <= 48


def test_the_preview_page_saves_what_it_shows(alice):
    typed = {"winner": "1", "ending": "kalooki", "points_2": "28", "cards_3": "KH QD 5C", "points_4": "47"}
    page = alice.send("/hand", do="preview", **typed).text
    assert 'name="cards-3" value="KH QD 5C"' in page
    assert 'name="points-2" value="28"' in page
    assert 'name="ending" value="kalooki"' in page
    answer = alice.send("/hand", do="save", **typed)
    assert (answer.status_code, answer.location) == (303, f"/g/{alice.code}")
    assert alice.events() == [hand(1, "kalooki", s2=28, s3="KH QD 5C", s4=47)]
    assert "Saved." in alice.see()


def test_change_goes_back_with_everything_typed(alice):
    page = alice.send("/hand", do="change", winner="3", points_1="28", cards_2="KH qd").text
    assert 'value="KH qd"' in page
    assert 'id="winner-2" name="winner" type="radio" value="3"' in page.replace("checked ", "")
    assert "Please fix this" not in page


def test_the_preview_says_what_the_app_adds(app):
    k51 = Alice(app, "kalooki-51")
    page = looked_at(k51, winner="1", ending="kalooki", points_2="20", cards_3="K *")
    assert "Ben 0 + 45 = 45 20 + Kalooki 25 = 45" in page
    assert "Cat 0 + 60 = 60 K 10 + ★ 25 + Kalooki 25 = 60" in page
    jamaica = Alice(app, "jamaican")
    page = looked_at(jamaica, winner="1", ending="going_out", points_2="20", calls_2="5", points_3="9")
    assert "Ben 5 calls, 3 free 0 + 120 = 120 20 + calls 100 = 120" in page


def test_calls_that_cost_nothing_are_told_before_and_after_saving(app):
    alice = Alice(app, "jamaican")
    typed = {"winner": "1", "ending": "going_out", "points_2": "20", "points_3": "9"}
    page = looked_at(alice, calls_1="1", calls_2="3", **typed)
    assert "Ann 1 call, free 0" in page
    assert "Ben 3 calls, free 0 + 20 = 20" in page
    assert "Cat 0 + 9 = 9" in page
    alice.record(hand(1, calls={"1": 1, "2": 3}, s2=20, s3=9))
    assert "1 ● 0 won 1 call 20 +20 3 calls 9 +9" in alice.see()


def test_no_calls_are_told_where_nobody_calls(app):
    alice = Alice(app).record(hand(1, calls={"2": 3}, s2=20, s3=9))
    assert "call, free" not in alice.see()
    assert "calls" not in alice.see(f"/hands/{alice.table.game.hands[0].entry}").split("Total")[0]


def test_the_preview_says_who_goes_out_and_who_may_buy_in(alice):
    alice.record(hand(1, s2=100, s3=120, s4=20))
    page = looked_at(alice, winner="1", ending="going_out", points_2="60", points_3="10", points_4="7")
    assert "Ben 100 + 60 = 160 out – may buy in at 130 for €0.50" in page
    assert "Cat 120 + 10 = 130 Dan" in page


def test_the_preview_says_when_the_game_ends_and_who_has_the_pool(app):
    alice = Alice(app, players=("Ann", "Ben"), stakes=STAKES)
    page = looked_at(alice, winner="2", ending="going_out", points_1="150")
    assert "Ann 0 + 150 = 150 is out" in page
    assert "This ends the game. Ben wins. From the pool: Ben €1.00." in page


def test_the_preview_warns_of_what_is_odd_and_lets_the_table_go_on(alice):
    odd = {"cards_2": "KH QD", "points_2": "30", "points_3": "149", "points_4": "5"}
    page = looked_at(alice, winner="1", ending="going_out", **odd)
    assert "Ben: the cards count 20, but the points say 30. The cards were used." in page
    assert "Cat: no hand of 13 cards or fewer adds up to 149." in page


@pytest.mark.parametrize(
    ("left", "asked"),
    [
        ({"points_2": "122", "points_3": "4", "points_4": "5"}, ["122? Or 12, and 2 for Cat?"]),
        ({"points_2": "35", "points_3": "131", "points_4": "128"}, ["131? Or 13, and 1 for Dan?"]),
        ({"points_2": "122", "absent_3": "y", "points_4": "5"}, ["122? Or 12, and 2 for Dan?"]),
        ({"points_2": "120", "points_3": "99", "points_4": "105"}, []),  # no sum begins with 0, and nobody is after Dan
        ({"cards_2": "* * A A A A A A A A K K K", "points_2": "148", "points_3": "9", "points_4": "5"}, []),
    ],
)
def test_the_preview_asks_whether_a_sum_of_three_digits_is_two(alice, left, asked):
    page = looked_at(alice, winner="1", ending="going_out", **left)
    assert re.findall(r"⚠ (\d+\? Or [^?]+\?)", page) == asked


def test_a_correction_asks_nothing_about_sums_that_are_recorded(alice):
    alice.record(hand(1, s2=122, s3=4, s4=5))
    answer = alice.send(
        "/correct/2/preview", winner="1", ending="going_out", points_2="122", points_3="6", points_4="5"
    )
    assert "?" not in words(answer.text)


def test_the_fragment_is_the_preview_alone(alice):
    answer = alice.send("/hand/preview", winner="1", ending="going_out", points_2="28", points_3="35", points_4="47")
    assert answer.status_code == 200
    assert "<html" not in answer.text
    assert "Ann wins hand 1" in words(answer.text)


def test_the_fragment_says_what_is_wrong(alice):
    answer = alice.send("/hand/preview", winner="1", ending="going_out", points_2="28")
    assert answer.status_code == 422
    assert "Cat: What is Cat left with?" in words(answer.text)
    assert "Dan: What is Dan left with?" in words(answer.text)


def test_points_and_cards_are_read_in_either_field(alice):
    alice.send("/hand", do="save", winner="1", ending="going_out", cards_2="43", points_3="K 10", cards_4="10")
    assert alice.events() == [hand(1, s2=43, s3="K 10", s4="10")]


@pytest.mark.parametrize(
    ("typed", "left"),
    [
        ({"points_2": "10+7"}, {"points": 17}),
        ({"points_2": "10 + 7"}, {"points": 17}),
        ({"points_2": "۴۳"}, {"points": 43}),
        ({"points_2": "４３"}, {"points": 43}),
        ({"points_2": "K Q 7"}, "K Q 7"),
        ({"cards_2": "10+7"}, {"points": 17}),
        ({"cards_2": "4 5"}, "4 5"),
        ({"cards_2": "۷♥ K"}, "7H K"),
        ({"cards_2": "KH 7", "points_2": "10+7"}, {"cards": "KH 7", "points": 17}),
    ],
)
def test_points_and_cards_are_read_as_people_type_them(alice, typed, left):
    typed |= {"points_3": "5", "points_4": "6"}
    for value in typed.values():
        assert f'value="{value}"' in alice.send("/hand", do="preview", winner="1", **typed).text
    alice.send("/hand", do="save", winner="1", **typed)
    assert alice.events()[-1]["left"] == {"2": left, "3": {"points": 5}, "4": {"points": 6}}


def test_calls_in_digits_of_another_script_are_calls(app):
    jamaica = Alice(app, "jamaican")
    jamaica.send("/hand", do="save", winner="1", ending="bending", calls_1="۴", points_2="11", points_3="15")
    assert jamaica.totals == [50, 11, 15]
    page = refused(jamaica, winner="1", ending="bending", calls_2="2 or 3", points_2="11", points_3="15")
    assert "Ben: “2 or 3” cannot be read." in words(page)


def test_calls_are_asked_where_players_call(app, alice):
    assert "Calls" not in alice.see("/hand")
    jamaica = Alice(app, "jamaican")
    assert "Calls" in jamaica.see("/hand")
    jamaica.send("/hand", do="save", winner="1", ending="bending", calls_1="4", cards_2="Ared K", cards_3="Ablack")
    assert jamaica.totals == [50, 11, 15]  # a fourth call costs 50, and bending is not doubled then


def test_what_a_call_costs_is_said_where_calls_are_counted(app, alice):
    jamaica = Alice(app, "jamaican")
    assert "More than 3 calls: 50 points each" in jamaica.see("/hand")
    assert f'href="/g/{jamaica.code}/rules#calls"' in jamaica.get("/hand").text
    assert "rules#calls" not in alice.get("/hand").text


def test_a_recorded_hand_shows_its_aces_as_a_player_reads_them(app):
    jamaica = Alice(app, "jamaican").record(hand(1, s2="Ablack Ared K", s3="* AH"))
    page = jamaica.get("/correct/2").text
    assert 'value="Ablack Ared K"' in page  # as it is typed
    assert "A ♠♣ A ♥♦ K" in words(page)
    assert 'aria-label="black ace"' in page
    assert "★ A ♥" in words(page)


def test_a_hand_nobody_won_is_void_from_where_the_winner_is_asked(alice):
    leads = f'href="/g/{alice.code}/void"'
    assert leads in alice.get("/hand").text
    alice.record(hand(1, s2=30, s3=20, s4=10))
    assert leads not in alice.get("/correct/2").text


def test_only_the_endings_of_the_variant_are_offered(app, alice):
    assert "Kalooki nothing laid before" in alice.see("/hand")
    jamaica = Alice(app, "jamaican").see("/hand")
    assert "Bending the table" in jamaica
    assert "nothing laid before" not in jamaica


# ---- What cannot be


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"winner": ""}, "Say who won."),
        ({"winner": "9"}, "9 is not in the game and cannot win the hand."),
        ({"points_2": ""}, "What is Ben left with? Type the cards or their points, or say “not dealt in”."),
        ({"points_2": "0"}, "Ben did not go out, so at least one card is left."),
        ({"points_2": "-5"}, "“-5” cannot be read. Write points such as 43, a sum such as 10+7, or cards"),
        ({"points_2": "12.5"}, "“12.5” cannot be read."),
        ({"points_2": "1 2"}, "“1 2” cannot be read."),
        ({"points_2": "4,5"}, "“4,5” cannot be read."),
        ({"points_2": "10+"}, "“10+” cannot be read."),
        ({"points_2": "", "cards_2": "1 2"}, "“1 2” cannot be read."),
        ({"points_2": "", "cards_2": "4,5"}, "“4,5” cannot be read."),
        ({"points_2": "35", "cards_2": "43"}, "“43” is a number beside another."),
        ({"points_2": "x1", "cards_2": "KH"}, "“x1” cannot be read."),
        ({"points_2": "99999"}, "is not a whole number from 0 to 10000"),
        ({"points_2": "9" * 500}, "cannot be read."),
        ({"points_2": "", "cards_2": "11H"}, "“11H” isn’t a card."),
        ({"points_1": "5"}, "Ann went out, so no cards are left in that hand."),
        ({"points_2": "", "cards_2": "KH KH KH"}, "KH"),
        ({"points_2": "", "cards_2": "* *", "points_3": "", "cards_3": "*"}, "*"),
    ],
)
def test_a_hand_that_cannot_be_is_refused_and_kept_as_typed(alice, fields, said):
    typed = TYPED | fields
    page = refused(alice, **typed)
    assert said in words(page)
    assert "Please fix this:" in page
    for name, value in typed.items():
        if name[-1].isdigit() and value:
            assert f'name="{name.replace("_", "-")}"' in page
            assert f'value="{value}"' in page


def test_an_error_stands_at_its_player_and_leads_to_them(alice):
    page = refused(alice, winner="1", ending="going_out", points_2="28", cards_3="11H", points_4="47")
    assert '<a href="#cards-3">Cat: “11H” isn’t a card.' in page
    assert 'id="error-3"' in page
    assert 'aria-describedby="error-3" aria-invalid="true"' in page


def test_everything_that_cannot_be_read_is_named_at_its_player(alice):
    page = refused(alice, winner="1", points_2="12.5", cards_3="4,5", points_4="-50")
    for field, name, typed in (("points-2", "Ben", "12.5"), ("cards-3", "Cat", "4,5"), ("points-4", "Dan", "-50")):
        assert f'<a href="#{field}">{name}: “{typed}” cannot be read.' in page
        assert f'value="{typed}"' in page
    assert page.count('aria-invalid="true"') == 6  # both fields of each row


def test_every_fault_is_named_at_once(alice):
    page = words(refused(alice, winner="1", ending="going_out", points_2="0"))
    assert "Ben did not go out" in page
    assert "What is Cat left with?" in page
    assert "What is Dan left with?" in page


def test_an_unknown_ending_falls_back_to_going_out(alice):
    alice.send("/hand", do="save", winner="1", ending="flying", points_2="1", points_3="2", points_4="3")
    assert alice.events() == [hand(1, s2=1, s3=2, s4=3)]


def test_after_the_end_nothing_is_recorded(app):
    alice = Alice(app, players=("Ann", "Ben")).record(hand(1, s2=150))
    assert "This game has ended" in words(refused(alice, winner="1", ending="going_out", points_2="5"))


# ---- Sent twice, late, by two


def test_the_same_page_sent_twice_is_one_hand(alice):
    for _ in range(2):
        answer = alice.send("/hand", do="save", seen=1, submission="h-1", **TYPED)
        assert answer.status_code == 303
    assert alice.table.seen == 2


def test_a_correction_sent_again_with_other_numbers_corrects_the_same_hand(alice):
    alice.record(hand(1, s2=28, s3=35, s4=47))
    typed = {"winner": "1", "ending": "going_out", "points_2": "20", "points_3": "35", "points_4": "47"}
    alice.send("/correct/2", do="save", seen=2, submission="c-1", **typed)
    answer = alice.send("/correct/2", do="save", seen=2, submission="c-1", **typed | {"points_2": "21"})
    assert answer.status_code == 409
    assert "Not saved yet: something was recorded first" in words(answer.text)
    assert f'action="/g/{alice.code}/correct/2"' in answer.text
    assert 'value="21"' in answer.text
    assert 'value="c-1"' not in answer.text


def test_a_hand_overtaken_by_something_else_is_saved_with_one_tap_more(alice):
    alice.record({"kind": "rename", "seat": 2, "name": "Bert"})
    page = refused(alice, 409, seen=1, winner="1", ending="going_out", points_2="28", cards_3="KH", points_4="47")
    assert "something was recorded first Saved New name: Bert (script)" in words(page)
    assert 'value="28"' in page
    assert 'value="KH"' in page
    assert "Save as hand 1" in page
    assert 'name="seen" type="hidden" value="2"' in page


def test_a_late_hand_keeps_what_was_typed_for_a_player_who_went_out_meanwhile(alice):
    alice.record(hand(1, s2=150, s3=6, s4=7), {"kind": "decline", "seat": 2})
    late = {"winner": "1", "ending": "going_out", "points_2": "28", "points_3": "9", "points_4": "47"}
    page = refused(alice, 409, seen=1, **late)
    assert "Yours cannot be saved as it stands" in words(page)
    page = alice.send("/hand", do="change", seen=3, **late).text
    assert 'id="points-2"' in page
    assert 'value="28"' in page
    page = refused(alice, **late)
    assert "Ben is not in the game and cannot score in it." in words(page)


@pytest.mark.parametrize("fields", [{"seen": ""}, {"seen": "no"}, {"seen": "9" * 40}, {"submission": "a b"}])
def test_tampered_hidden_fields_never_save_and_never_break(alice, fields):
    alice.record(hand(2, s1=5, s3=6, s4=7))
    answer = alice.send("/hand", do="save", **TYPED | fields)
    assert answer.status_code in (303, 409)
    assert alice.table.seen == (3 if answer.status_code == 303 else 2)


FIELDS = ["winner", "ending", "seen", "submission", "do"]
FIELDS += ["cards-1", "cards-2", "points-2", "points-3", "cards-4", "points-9"]


@settings(max_examples=times(60), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    fields=st.dictionaries(
        st.sampled_from(FIELDS),
        st.text(max_size=12) | st.sampled_from(["1", "2", "28", "save", "KH", "K K", "*", "0", "-1", "²", "A"]),
    ),
    path=st.sampled_from(["/hand", "/hand/preview", "/correct/2", "/insert/2"]),
)
def test_whatever_is_sent_is_answered_and_nothing_impossible_recorded(alice, fields, path):
    if alice.table.seen == 1:
        alice.record(hand(1, s2=10, s3=20, s4=30))
    answer = alice.send(path, **fields)
    assert answer.status_code in (200, 303, 409, 422)
    assert alice.table.game.faults == []


def test_a_look_at_a_hand_that_is_saved_leads_on_without_saving_again(alice):
    typed = {"winner": "1", "ending": "going_out", "points-2": "28", "points-3": "35", "points-4": "47"}
    sent = {"seen": 1, "submission": "h-1", **typed}
    look = alice.client.post(f"/g/{alice.code}/hand", data=sent | {"do": "preview"}).location
    assert alice.client.post(f"/g/{alice.code}/hand", data=sent | {"do": "save"}).status_code == 303
    answer = alice.client.get(look)
    assert (answer.status_code, answer.location) == (303, f"/g/{alice.code}")
    assert alice.table.seen == 2


def test_more_cards_than_an_address_holds_are_answered_at_once(alice):
    typed = {"winner": "1", "ending": "going_out", "cards-2": "KH " * 2000, "seen": 1, "do": "preview"}
    answer = alice.client.post(f"/g/{alice.code}/hand", data=typed)
    assert answer.status_code == 422
    assert "are more than four packs hold" in answer.text


# ---- A hand typed as a later one than the next


@pytest.mark.parametrize(("number", "missing"), [("3", "2 hands before it are"), ("2", "1 hand before it is")])
def test_a_hand_gets_another_number_only_once_the_page_has_said_so(alice, number, missing):
    answer = alice.send("/hand", do="save", seen="9", number=number, **TYPED)
    said = f"Typed as hand {number}, not saved yet. The next hand here is hand 1: {missing} missing"
    assert (answer.status_code, said in words(answer.text), "Save as hand 1" in answer.text) == (409, True, True)
    assert alice.totals == [0, 0, 0, 0]
    assert f'name="number" value="{number}"' in answer.text
    assert alice.send("/hand", do="save", number=number, **TYPED).status_code == 303
    assert alice.totals == [0, 28, 35, 47]


@pytest.mark.parametrize("number", ["", "0", "-1", "x", "²", "1", "9" * 300, "\0"])
def test_a_number_that_says_nothing_changes_nothing(alice, number):
    answer = alice.send("/hand", do="preview", number=number, **TYPED)
    assert (answer.status_code, "Typed as hand" in answer.text) == (200, False)


# ---- An open offer


def test_an_open_offer_is_asked_before_the_next_hand(alice):
    alice.record(hand(1, s2=150, s3=60, s4=70))
    assert "Ben may buy in at 70 for €0.50." in alice.see()
    warned = "Ben has not answered the offer to buy in: saving this hand lets it lapse. Answer first"
    assert warned in alice.see("/hand")
    alice.send("/offers", do="buy_in-2")
    assert alice.totals == [0, 70, 60, 70]
    assert "has not answered" not in alice.see("/hand")


def test_an_offer_may_be_let_lapse_and_the_preview_says_so(alice):
    alice.record(hand(1, s2=150, s3=60, s4=70))
    page = alice.see("/hand")
    assert "Ben has not answered the offer to buy in: saving this hand lets it lapse." in page
    page = looked_at(alice, winner="1", ending="going_out", points_3="5", points_4="7")
    assert "Ben 150 the offer to buy in lapses" in page
