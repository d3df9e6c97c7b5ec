"""Recording a hand without JavaScript: what is typed, what is shown before saving, what is never lost."""

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

TYPED = {"winner": "1", "ending": "going_out", "left_2": "28", "left_3": "35", "left_4": "47"}
STAKES = {"currency": "EUR"}  # a unit of 10: call-up 0.10, Kalooki 0.20, initial stake and buy-in 0.50


@pytest.fixture
def alice(app):
    return Alice(app, players=FOUR, stakes=STAKES)


def refused(alice, status=422, **fields):
    """The form that comes back instead of saving."""
    before = alice.table.seen
    answer = alice.send("/hand", do="save", **fields)
    assert answer.status_code == status, answer.text
    assert alice.table.seen == before
    return answer.text


# ---- Looking at a hand and saving it


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


def test_change_goes_back_with_everything_typed(alice):
    page = alice.send("/hand", do="change", winner="3", left_1="28", left_2="KH qd").text
    assert 'value="KH qd"' in page
    assert 'id="winner-2" name="winner" type="radio" value="3"' in page.replace("checked ", "")
    assert "Please fix this" not in page


def test_no_calls_are_told_where_nobody_calls(app):
    alice = Alice(app).record(hand(1, calls={"2": 3}, s2=20, s3=9))
    assert "call, free" not in alice.see()
    assert "calls" not in alice.see(f"/hands/{alice.table.game.hands[0].entry}").split("Total")[0]


@pytest.mark.parametrize(
    ("typed", "left"),
    [
        ({"left_2": "10+7"}, {"points": 17}),
        ({"left_2": "10 + 7"}, {"points": 17}),
        ({"left_2": "۴۳"}, {"points": 43}),
        ({"left_2": "４３"}, {"points": 43}),
        ({"left_2": "K Q 7"}, "K Q 7"),
        ({"left_2": "4 5"}, "4 5"),
        ({"left_2": "۷♥ K"}, "7H K"),
    ],
)
def test_points_and_cards_are_read_as_people_type_them(alice, typed, left):
    typed |= {"left_3": "5", "left_4": "6"}
    for value in typed.values():
        assert f'value="{value}"' in alice.send("/hand", do="preview", winner="1", **typed).text
    alice.send("/hand", do="save", winner="1", **typed)
    assert alice.events()[-1]["left"] == {"2": left, "3": {"points": 5}, "4": {"points": 6}}


def test_what_a_call_costs_is_said_where_calls_are_counted(app, alice):
    jamaica = Alice(app, "jamaican")
    assert "More than 3 calls: 50 points each" in jamaica.see("/hand")
    assert f'href="/g/{jamaica.code}/rules#calls"' in jamaica.get("/hand").text
    assert "rules#calls" not in alice.get("/hand").text


# ---- What cannot be


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"winner": ""}, "Say who won."),
        ({"winner": "9"}, "9 is not in the game and cannot win the hand."),
        ({"left_2": ""}, "What is Ben left with? Type the cards or their points, or say “not dealt in”."),
        ({"left_2": "0"}, "Ben did not go out, so at least one card is left."),
        ({"left_2": "-5"}, "“-5” cannot be read. Write points such as 43, a sum such as 10+7, or cards"),
        ({"left_2": "12.5"}, "“12.5” cannot be read."),
        ({"left_2": "1 2"}, "“1 2” cannot be read."),
        ({"left_2": "4,5"}, "“4,5” cannot be read."),
        ({"left_2": "10+"}, "“10+” cannot be read."),
        ({"left_2": "x1"}, "“x1” isn’t a card."),
        ({"left_2": "99999"}, "is not a whole number from 0 to 10000"),
        ({"left_2": "9" * 500}, "cannot be read."),
        ({"left_2": "11H"}, "“11H” isn’t a card."),
        ({"left_1": "5"}, "Ann went out, so no cards are left in that hand."),
        ({"left_2": "KH KH KH"}, "KH"),
        ({"left_2": "* *", "left_3": "*"}, "*"),
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


# ---- Sent twice, late, by two


@pytest.mark.parametrize("fields", [{"seen": ""}, {"seen": "no"}, {"seen": "9" * 40}, {"submission": "a b"}])
def test_tampered_hidden_fields_never_save_and_never_break(alice, fields):
    alice.record(hand(2, s1=5, s3=6, s4=7))
    answer = alice.send("/hand", do="save", **TYPED | fields)
    assert answer.status_code in (303, 409)
    assert alice.table.seen == (3 if answer.status_code == 303 else 2)


FIELDS = ["winner", "ending", "seen", "submission", "do"]
FIELDS += ["left-1", "cards-2", "points-2", "left-2", "points-3", "left-4", "left-9"]


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
    typed = {"winner": "1", "ending": "going_out", "left-2": "28", "left-3": "35", "left-4": "47"}
    sent = {"seen": 1, "submission": "h-1", **typed}
    look = alice.client.post(f"/g/{alice.code}/hand", data=sent | {"do": "preview"}).location
    assert alice.client.post(f"/g/{alice.code}/hand", data=sent | {"do": "save"}).status_code == 303
    answer = alice.client.get(look)
    assert (answer.status_code, answer.location) == (303, f"/g/{alice.code}")
    assert alice.table.seen == 2


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
