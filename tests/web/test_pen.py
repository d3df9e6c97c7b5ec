"""The pen: a seated phone takes over, everybody sees it, the old scorer may refuse, the recovery code always works."""

import re

import pytest
from werkzeug.datastructures import MultiDict

from app import log
from tests.pages import Alice, Player, hand, words
from tests.web.offered import Offered

pytestmark = pytest.mark.both_engines


@pytest.fixture
def alice(app):
    app.config["PEN_SECONDS"] = 30
    return Alice(app)


@pytest.fixture
def cat(alice):
    return Player(alice, seat=3)


def wait_until_nobody_may_refuse(app):
    """The time the scorer has is a setting: here it is up."""
    app.config["PEN_SECONDS"] = 0


def may_write(somebody):
    return "Record hand" in words(somebody.get().text)


def taken(app, alice, ben, appeal=1):
    """Ben takes the pen."""
    ben.appeal("pen")
    wait_until_nobody_may_refuse(app)
    ben.appeal(f"take-{appeal}")
    app.config["PEN_SECONDS"] = 30
    assert may_write(ben)


def test_every_phone_shows_who_asks_for_the_pen(alice, ben, cat, client):
    assert ben.appeal("pen").location == f"/g/{alice.code}/pen"
    for page in (alice.get().text, cat.get().text, client.get(f"/g/{alice.code}").text):
        assert "Ben wants to take the pen." in words(page)
    own = words(ben.get("/pen").text)
    assert re.search(r"You have asked for the pen. In \d+ seconds this phone takes it, unless the scorer refuses", own)
    assert "Ben wants to take the pen." in words(alice.get("/arriving?seen=1").text)


def test_the_pen_passes_when_nobody_has_refused(app, alice, ben, cat):
    ben.appeal("pen")
    wait_until_nobody_may_refuse(app)
    assert "Nobody refused: the pen is yours." in words(ben.get("/pen").text)
    ben.appeal("take-1")
    assert "You write from now on." in words(ben.get().text)
    assert may_write(ben)
    assert not may_write(alice)
    assert alice.get("/hand").location == f"/g/{alice.code}"
    assert alice.send("/hand", do="save", winner="1", points_2="5", points_3="6").status_code == 403
    assert "Ben has the pen now." in words(cat.get().text)


def test_the_history_names_who_wrote_by_the_seat_the_pen_passed_to(app, alice, ben):
    taken(app, alice, ben)
    ben.client.post(f"/g/{alice.code}/void", data={"seen": "1", "submission": "void-by-ben"})
    assert [entry.actor for entry in alice.table.log.entries] == ["script", "Ben"]
    assert "Ben Hand void" in alice.see("/history")


def test_links_to_write_given_away_before_are_good_no_more(app, alice, ben):
    link = alice.link("scorer")
    taken(app, alice, ben)
    assert app.test_client().get(link).status_code == 404
    assert alice.scorer.send({"kind": "void", "reason": ""}).status_code == 403


def test_the_button_that_takes_it_is_shown_when_it_works(app, alice, ben):
    ben.appeal("pen")
    early = r"<form[^>]* data-then hidden>(?:(?!</form>).)*take-1"
    assert re.search(f"(?s){early}", ben.get("/pen").text)
    wait_until_nobody_may_refuse(app)
    shown = ben.get("/pen").text
    assert "take-1" in shown
    assert not re.search(f"(?s){early}", shown)


def test_the_scorer_gives_the_pen_at_once(alice, ben, cat):
    ben.appeal("pen")
    alice.appeal("give-1")
    assert "The scorer gives Ben the pen." in words(cat.get().text)
    assert may_write(alice)  # until Ben's phone has it
    own = ben.get().text
    assert "The scorer gives you the pen." in words(own)
    assert re.search(r'id="appeal-1-given" data-lasts="0"', own)  # script takes it at once
    ben.appeal("take-1")
    assert may_write(ben)
    assert not may_write(alice)
    assert "Ben writes now." in words(alice.get().text)
    assert "took it" in words(ben.get("/history").text)


def test_a_pen_given_goes_to_nobody_else_and_only_the_scorer_gives_it(alice, ben, cat):
    ben.appeal("pen")
    assert cat.appeal("give-1").status_code == 403
    cat.appeal("take-1")
    assert not may_write(cat)
    alice.appeal("give-1")
    cat.appeal("take-1")
    assert not may_write(cat)


def test_a_pen_refused_is_not_given_any_more(alice, ben):
    ben.appeal("pen")
    alice.appeal("refuse-1")
    alice.appeal("give-1")
    ben.appeal("take-1")
    assert not may_write(ben)


def test_each_answer_is_told_once(app, alice, ben):
    ben.appeal("pen")
    alice.appeal("refuse-1")
    told = words(alice.get().text)
    assert "Refused: you go on writing." in told
    assert "keeps the pen" not in told
    ben.appeal("pen")
    told = words(ben.get("/pen").text)
    assert told.count("The scorer has refused.") == 1
    assert "keeps the pen" not in told
    app.config["PEN_AGAIN_SECONDS"] = 0
    ben.appeal("pen")
    alice.appeal("give-2")
    ben.appeal("take-2")
    told = words(ben.get().text)
    assert told.count("You write from now on.") == 1
    assert "Ben has the pen now." not in told


def test_who_answers_while_typing_a_hand_goes_on_typing(alice, ben):
    ben.appeal("pen")
    told = alice.get("/arriving?seen=1&kind=record&entry=0").text
    (form,) = Offered(told).forms
    assert [button[:2] for button in form.buttons] == [("do", "refuse-1"), ("do", "give-1")]
    answer = alice.client.post(form.action, data=MultiDict([*form.sent, ("do", "refuse-1")]))
    assert answer.location == f"/g/{alice.code}/hand"


def test_the_scorer_refuses_in_time(app, alice, ben):
    ben.appeal("pen")
    alice.appeal("refuse-1")
    wait_until_nobody_may_refuse(app)
    ben.appeal("take-1")
    assert "The pen was refused" in words(ben.get("/pen").text)
    assert "The scorer keeps the pen." in words(ben.get().text)
    assert may_write(alice)
    assert not may_write(ben)


def test_the_pen_cannot_be_taken_before_the_time_is_up(alice, ben):
    ben.appeal("pen")
    ben.appeal("take-1")
    assert re.search(r"The scorer may still refuse, for \d+ seconds", words(ben.get("/pen").text))
    assert not may_write(ben)
    assert may_write(alice)


def test_nobody_takes_the_pen_another_has_asked_for(app, alice, ben, cat):
    ben.appeal("pen")
    wait_until_nobody_may_refuse(app)
    cat.appeal("take-1")
    assert not may_write(cat)
    assert may_write(alice)


def test_a_call_for_the_referee_brings_no_pen(alice, ben):
    ben.appeal("referee")
    ben.appeal("take-1")
    assert not may_write(ben)
    assert may_write(alice)
    assert "Ben calls the referee" in words(alice.get().text)


def test_a_player_does_not_settle_what_another_has_asked_for(alice, ben, cat):
    ben.appeal("pen")
    cat.appeal("settle-1")
    assert "Ben wants to take the pen." in words(alice.get().text)


def test_the_pen_is_taken_once(app, alice, ben):
    taken(app, alice, ben)
    assert ben.appeal("take-1").status_code == 403  # Ben's phone writes now: it has no seat to ask from
    assert may_write(ben)


def test_a_pen_taken_by_a_bearer_token_is_nobody_elses(app, alice, client):
    with app.app_context():
        secret = log.take_seat(alice.code, 2, "a script")
    bearer = app.test_client()

    def appeal(do):
        own = {"Authorization": f"Bearer {secret}"}
        return bearer.post(f"/g/{alice.code}/appeals", data={"do": do}, headers=own).status_code

    appeal("pen")
    wait_until_nobody_may_refuse(app)
    assert [appeal("take-1"), appeal("take-1")] == [303, 303]  # the second time, as if the answer had been lost
    assert "Record hand" in words(bearer.get(f"/g/{alice.code}").text)
    assert client.post(f"/g/{alice.code}/appeals", data={"do": "take-1"}).status_code == 403
    assert "Record hand" not in words(client.get(f"/g/{alice.code}").text)


def test_asking_twice_is_asking_once(alice, ben):
    ben.appeal("pen")
    ben.appeal("pen")
    assert words(alice.get().text).count("Ben wants to take the pen.") == 1


def test_only_the_scorer_refuses(alice, ben, cat):
    ben.appeal("pen")
    assert cat.appeal("refuse-1").status_code == 403
    assert "wants to take the pen" in words(alice.get().text)


def test_what_became_of_the_pen_is_kept(app, alice, ben):
    ben.appeal("pen")
    alice.appeal("refuse-1")
    app.config["PEN_AGAIN_SECONDS"] = 0
    ben.appeal("pen")
    wait_until_nobody_may_refuse(app)
    ben.appeal("take-2")
    for page in ("/share", "/history"):
        told = words(ben.get(page).text)
        assert "refused by another device" in told
        assert "took it" in told


# ---- After a refusal, a wait


def test_after_a_refusal_nobody_asks_again_at_once(app, alice, ben):
    ben.appeal("pen")
    alice.appeal("refuse-1")
    ben.appeal("pen")
    page = ben.get("/pen").text
    assert "The scorer has refused. You may ask again in" in words(page)
    assert 'name="do" value="pen"' not in page
    assert "wants to take the pen" not in words(alice.get().text)
    app.config["PEN_AGAIN_SECONDS"] = 0
    assert 'name="do" value="pen"' in ben.get("/pen").text


def test_the_refusal_of_one_makes_no_other_wait(alice, ben, cat):
    ben.appeal("pen")
    alice.appeal("refuse-1")
    cat.appeal("pen")
    assert "Cat wants to take the pen." in words(alice.get().text)


# ---- Who lost the pen


def test_who_lost_the_pen_is_told_until_they_have_read_it(app, alice, ben):
    taken(app, alice, ben)
    for _ in range(2):
        page = words(alice.get().text)
        assert "Ben writes now. This phone only watches." in page
        assert "Ask for the pen back" in page
    assert "Ben writes now." in words(alice.get("/board").text)
    assert "Ben writes now." in words(alice.get("/arriving?seen=1").text)
    alice.appeal("read")
    page = words(alice.get().text)
    assert "Ben writes now." not in page
    assert "Ask for the pen back" in page
    assert "Ben writes now." not in words(alice.get("/board").text)


def test_who_only_watches_is_told_nothing_and_asks_for_nothing_back(app, alice, ben, client):
    taken(app, alice, ben)
    page = words(client.get(f"/g/{alice.code}").text)
    assert "Ben writes now." not in page
    assert "Ask for the pen back" not in page


def test_without_a_seat_one_tap_more_says_whose_phone_asks(app, alice, ben):
    taken(app, alice, ben)
    page = words(alice.get("/pen").text)
    assert "Ask for the pen back: which of these is you? Ann Ben Cat" in page
    alice.appeal("pen")
    assert "wants to take the pen" not in words(ben.get().text)
    alice.appeal("pen", seat="1")
    assert "Ann wants to take the pen." in words(ben.get().text)
    wait_until_nobody_may_refuse(app)
    alice.appeal("take-2")
    assert "Record hand" in words(alice.get().text)
    assert "Ann writes now." in words(ben.get().text)


def test_who_lost_the_pen_twice_is_told_twice(app, alice, ben):
    taken(app, alice, ben)
    alice.appeal("read")
    alice.appeal("pen", seat="1")
    wait_until_nobody_may_refuse(app)
    alice.appeal("take-2")
    taken(app, alice, ben, appeal=3)
    assert "Ben writes now." in words(alice.get().text)


def test_a_right_taken_back_on_purpose_is_asked_for_by_nobody_but_the_starter(app, alice):
    other = app.test_client()
    other.get(alice.link("scorer"))
    alice.revoke("Link given by another device")
    assert other.get(f"/g/{alice.code}/pen").status_code == 403
    assert other.post(f"/g/{alice.code}/appeals", data={"do": "pen", "seat": "2"}).status_code == 403


def test_whoever_started_the_game_may_always_ask(app, alice):
    other = app.test_client()
    other.get(alice.link("scorer"))
    share = other.get(f"/g/{alice.code}/share").text
    first = min(int(number) for number in re.findall(r'value="revoke-(\d+)"', share))
    other.post(f"/g/{alice.code}/share", data={"do": f"revoke-{first}"})
    assert "its right was taken back" in words(alice.get().text)
    alice.appeal("pen", seat="1")
    assert "Ann wants to take the pen." in words(other.get(f"/g/{alice.code}").text)


# ---- A hand half typed when the pen went

TYPED = {"winner": "1", "ending": "going_out", "points-2": "28", "cards-3": "KH 7", "note": "late", "do": "save"}


def page_of_hand(alice):
    """The fields of the form Alice opened, with what she has typed so far."""
    return TYPED | {"seen": str(alice.table.seen), "submission": "typed-by-alice"}


def test_the_preview_says_who_has_the_pen_and_asks_for_it_with_the_hand(app, alice, ben):
    taken(app, alice, ben)
    answer = alice.client.post(f"/g/{alice.code}/hand/preview", data=page_of_hand(alice))
    assert answer.status_code == 403
    assert answer.headers["Kalooki-Proposal"] == ""
    assert "<html" not in answer.text
    assert "Ben has the pen now. What you typed stays on this phone." in words(answer.text)
    assert f'formaction="/g/{alice.code}/appeals?kind=record&amp;entry=0"' in answer.text


def test_saving_without_the_pen_shows_who_has_it_and_the_hand_as_typed(app, alice, ben):
    taken(app, alice, ben)
    answer = alice.client.post(f"/g/{alice.code}/hand", data=page_of_hand(alice))
    assert answer.status_code == 403
    page = words(answer.text)
    assert "Ben has the pen now" in page
    assert "This hand is not saved yet. As you typed it" in page
    for row in ("Ann : won", "Ben : 28", "Cat : K"):
        assert row in page
    assert "Ask for the pen back" in page
    assert alice.events() == []


def test_the_address_of_a_typed_hand_shows_it_without_the_pen(app, alice, ben):
    taken(app, alice, ben)
    answer = alice.client.get(f"/g/{alice.code}/hand/look", query_string=page_of_hand(alice) | {"do": "compare"})
    assert answer.status_code == 403
    assert "Ben : 28" in words(answer.text)


def test_anything_else_that_needs_the_pen_says_who_has_it(app, alice, ben, cat):
    taken(app, alice, ben)
    for somebody, label in ((alice, "Ask for the pen back"), (cat, "Ask for the pen")):
        answer = somebody.client.post(f"/g/{alice.code}/void", data={"seen": "1", "submission": "void"})
        assert answer.status_code == 403
        page = words(answer.text)
        assert "Ben has the pen now" in page
        assert f"So nothing was saved now. {label} Look at the table" in page


@pytest.mark.parametrize("is_known", [True, False])
def test_with_the_pen_back_she_goes_on_where_she_stopped(app, alice, ben, is_known):
    if is_known:
        alice.client.post(f"/g/{alice.code}/seat", data={"seat": "1"})
    taken(app, alice, ben)
    typed = page_of_hand(alice) | {"do": "pen"}
    asked = alice.client.post(f"/g/{alice.code}/appeals?kind=record&entry=0", data=typed, follow_redirects=True)
    if not is_known:
        asked = press(alice, asked.text, ("seat", "1"))
    assert "The hand you began is kept." in words(asked.text)
    wait_until_nobody_may_refuse(app)
    back = press(alice, alice.client.get(asked.request.full_path).text, ("do", "take-2")).text
    for kept in ("28", "KH 7", "late", "typed-by-alice"):
        assert f'value="{kept}"' in back
    assert re.search(r'<input checked[^>]* value="1"', back)


def press(alice, page, button):
    """The page behind a button, or behind a form that sends that by itself."""
    form = next(each for each in Offered(page).forms if button in [*each.sent, *(told[:2] for told in each.buttons)])
    return alice.client.post(form.action, data=MultiDict([*form.sent, button]), follow_redirects=True)


def test_a_hand_saved_before_the_pen_went_is_not_said_to_be_lost(app, alice, ben):
    sent = page_of_hand(alice)
    assert alice.client.post(f"/g/{alice.code}/hand", data=sent).status_code == 303
    taken(app, alice, ben)
    again = alice.client.post(f"/g/{alice.code}/hand", data=sent)
    assert (again.status_code, again.location) == (303, f"/g/{alice.code}")
    assert "Saved already." in words(alice.get().text)
    assert len(alice.events()) == 1


def test_who_types_when_the_pen_goes_is_told_that_it_stays(app, alice, ben):
    taken(app, alice, ben)
    told = words(alice.get("/arriving?seen=1&kind=record&entry=0").text)
    assert "Ben writes now. What you typed stays on this phone, not saved." in told
    assert "All right" not in told


def test_a_player_who_asked_and_went_back_to_the_hand_may_ask_again_from_there(app, alice, ben):
    taken(app, alice, ben)
    alice.appeal("pen", seat="1")
    ben.appeal("refuse-2")
    answer = alice.client.post(f"/g/{alice.code}/hand", data=page_of_hand(alice))
    assert "Ben has the pen now" in words(answer.text)
    assert "Ben : 28" in words(answer.text)
    assert "Ask for the pen" in words(answer.text)


def test_who_only_watches_is_offered_no_pen(alice, client):
    answer = client.post(f"/g/{alice.code}/hand", data=page_of_hand(alice))
    assert answer.status_code == 403
    assert "You may watch this game, not write in it" in words(answer.text)
    preview = client.post(f"/g/{alice.code}/hand/preview", data=page_of_hand(alice))
    assert "Ask for the pen" not in words(preview.text)


# ---- A seat for whoever writes


def test_whoever_starts_is_asked_which_player_they_are(app, alice, ben):
    assert (
        'This phone has <a class="amount term" href="/help#pen">the pen</a>: it writes the score.' in alice.get().text
    )
    alice.client.post(f"/g/{alice.code}/seat", data={"seat": "1"})
    page = words(alice.get().text)
    assert "This is Ann’s phone." in page
    assert "Which of these is you?" not in page
    taken(app, alice, ben)
    assert 'name="do" value="pen"' in alice.get().text
    alice.appeal("pen")
    assert "Ann wants to take the pen." in words(ben.get().text)


def test_never_mind_asks_no_more(alice):
    alice.client.post(f"/g/{alice.code}/seat", data={"seat": ""})
    assert "Which of these is you?" not in words(alice.get().text)
    assert "Which of these is you?" not in words(alice.get("/board").text)


def test_after_the_first_hand_nobody_is_asked(alice):
    alice.record(hand(1, s2=5, s3=6))
    assert "Which of these is you?" not in words(alice.get().text)


def test_only_who_writes_says_whose_phone_it_is(alice, ben):
    assert "Which of these is you?" not in words(ben.get().text)
    assert ben.client.post(f"/g/{alice.code}/seat", data={"seat": "1"}).status_code == 403


# ---- The recovery code


def recovery_code(somebody):
    page = somebody.client.post(f"/g/{somebody.code}/share", data={"do": "recovery"}, follow_redirects=True).text
    return "".join(re.findall(r"<span>([2-9A-Z]{5})</span>", page))


def recover(client, code, typed):
    return client.post(f"/g/{code}/recover", data={"recovery": typed})


def test_the_recovery_code_lets_any_device_write(alice, client):
    code = recovery_code(alice)
    assert len(code) == 20
    spaced = "-".join(code.lower()[start : start + 5] for start in range(0, 20, 5))
    assert recover(client, alice.code, spaced).status_code == 303
    assert "Record hand 1" in words(client.get(f"/g/{alice.code}").text)


def test_it_works_again_and_after_the_pen_has_passed(app, alice, ben, client):
    code = recovery_code(alice)
    taken(app, alice, ben)
    assert recover(client, alice.code, code).status_code == 303
    assert recover(app.test_client(), alice.code, code).status_code == 303
    assert "Record hand 1" in words(client.get(f"/g/{alice.code}").text)


def test_it_works_at_the_address_on_old_paper(app, alice, client):
    code = recovery_code(alice)
    with app.app_context():
        fresh = log.renew_code(alice.code)
    assert client.get(f"/g/{alice.code}/recover").status_code == 200
    assert recover(client, alice.code, code).location == f"/g/{fresh}"
    assert "Record hand 1" in words(client.get(f"/g/{fresh}").text)


def test_a_new_recovery_code_replaces_the_old_one(alice, client):
    old = recovery_code(alice)
    new = recovery_code(alice)
    assert recover(client, alice.code, old).status_code == 422
    assert recover(client, alice.code, new).status_code == 303


def test_a_wrong_code_says_so_and_stays_typed(alice, client):
    answer = recover(client, alice.code, "ABCDE FGHJK")
    assert answer.status_code == 422
    assert 'value="ABCDE FGHJK"' in answer.text
    assert "not this game’s recovery code" in words(answer.text)


def test_other_secrets_are_no_recovery_codes(alice, client):
    assert recover(client, alice.code, alice.scorer.secret).status_code == 422
    assert recover(client, alice.code, "").status_code == 422


# ---- The seat survives the pen


@pytest.fixture
def ann(alice):
    """Alice, whose phone is Ann's."""
    alice.client.post(f"/g/{alice.code}/seat", data={"seat": "1"})
    return alice


def sits(somebody, name):
    """Whether a phone is a player's place: it says so, counts, and calls the referee."""
    page = words(somebody.get().text)
    has_place = "My cards left" in page and "I went out" in page and "You are watching" not in page
    return has_place and somebody.get("/count").status_code == 200 and f"{name} you" in page


def give(somebody, other):
    """The pen passes from one phone to another that asks for it."""
    other.appeal("pen")
    number = re.search(r'value="give-(\d+)"', somebody.get().text)[1]
    somebody.appeal(f"give-{number}")
    other.appeal(f"take-{number}")
    assert may_write(other)
    assert not may_write(somebody)


def test_the_seat_is_kept_as_the_pen_goes_and_comes_back(ann, ben):
    assert "Then you no longer write; this phone stays your place at the table." not in words(ann.get().text)
    for _ in range(2):
        give(ann, ben)
        assert "Ben writes now. This phone stays Ann’s place at the table." in words(ann.get().text)
        assert sits(ann, "Ann")
        ann.appeal("read")
        assert sits(ann, "Ann")
        give(ben, ann)
        assert "Ann writes now. This phone stays Ben’s place at the table." in words(ben.get().text)
        assert sits(ben, "Ben")


def test_what_happens_to_a_phone_is_said_before_the_pen_goes(ann, ben):
    ben.appeal("pen")
    assert "Then you no longer write; this phone stays your place at the table." in words(ann.get().text)
    assert "Then you no longer write; this phone stays your place" in words(ann.get("/arriving?seen=1").text)


def test_a_phone_that_is_nobodys_only_watches_as_it_was_told(alice, ben):
    ben.appeal("pen")
    assert "Then you only watch." in words(alice.get().text)
    alice.appeal("give-1")
    ben.appeal("take-1")
    assert "You are watching." in words(alice.get().text)
    assert alice.get("/count").status_code == 403


def test_a_seat_chosen_after_the_pen_went_is_kept_as_well(alice, ben):
    link = alice.link("player")
    give(alice, ben)
    assert alice.client.post(link, data={"seat": "1"}).status_code == 303
    give(ben, alice)
    give(alice, ben)
    assert sits(alice, "Ann")


def test_of_two_phones_that_ask_at_once_each_keeps_its_seat(ann, ben, cat):
    ben.appeal("pen")
    cat.appeal("pen")
    ann.appeal("give-1")
    ann.appeal("give-2")
    ben.appeal("take-1")
    cat.appeal("take-2")
    assert may_write(cat)
    assert sits(ann, "Ann")
    assert sits(ben, "Ben")


def test_scanning_again_asks_nothing_of_the_phone_that_sits_there(ann, ben):
    link = ann.link("player")
    give(ann, ben)
    give(ben, ann)
    assert ben.client.post(link, data={"seat": "2"}).status_code == 303
    assert sits(ben, "Ben")
    shown = words(ann.get("/share").text)
    assert shown.count("Take back : Ben") == 1


def test_an_answer_lost_as_the_pen_passes_costs_neither_pen_nor_seat(app, ann, ben):
    """The phone that took it never heard so: its cookie is the one from before."""
    ben.appeal("pen")
    ann.appeal("give-1")
    name = app.config["SESSION_COOKIE_NAME"]
    before = ben.client.get_cookie(name).value
    ben.appeal("take-1")
    ben.client.set_cookie(name, before)
    assert not may_write(ben)
    ben.appeal("take-1")
    assert may_write(ben)
    give(ben, ann)
    assert sits(ben, "Ben")


def test_who_writes_by_recovery_code_or_link_keeps_their_seat(app):
    ann = Alice(app, players=("Ann", "Ben", "Cat", "Dan"))
    ann.client.post(f"/g/{ann.code}/seat", data={"seat": "1"})
    ben, cat = Player(ann, seat=2), Player(ann, seat=3)
    with app.app_context():
        recovery = log.mint(ann.code, "recovery")
    ben.client.post(f"/g/{ann.code}/recover", data={"recovery": recovery})
    cat.client.get(ann.link("scorer"))
    for somebody in (ann, ben, cat):
        assert may_write(somebody)
    dan = app.test_client()
    dan.post(ann.link("player"), data={"seat": "4"})
    dan.post(f"/g/{ann.code}/appeals", data={"do": "pen"})
    ann.appeal("give-1")
    dan.post(f"/g/{ann.code}/appeals", data={"do": "take-1"})
    for somebody, name in ((ann, "Ann"), (ben, "Ben"), (cat, "Cat")):
        assert sits(somebody, name)


def test_the_place_of_a_phone_that_writes_is_taken_only_when_somebody_says_so(app, ann, ben):
    """And then the dialogue's promise holds: it writes on, and once the pen goes it is nobody's."""
    link, other = ann.link("player"), app.test_client()
    asked = other.post(link, data={"seat": "1"})
    assert asked.status_code == 409
    assert "it goes on writing, but is no longer Ann’s place at the table" in words(asked.text)
    number = re.search(r'name="instead" value="(\d+)"', asked.text)[1]
    assert other.post(link, data={"seat": "1", "instead": number}).status_code == 303
    assert may_write(ann)
    give(ann, ben)
    assert "You are watching." in words(ann.get().text)
    assert ann.get("/count").status_code == 403


def test_a_seat_kept_can_be_taken_by_another_phone_and_taken_back(app, ann, ben):
    link, other = ann.link("player"), app.test_client()
    give(ann, ben)
    asked = other.post(link, data={"seat": "1"})
    number = re.search(r'name="instead" value="(\d+)"', asked.text)[1]
    other.post(link, data={"seat": "1", "instead": number})
    assert ann.get("/count").status_code == 403
    assert "Another phone is Ann’s now." in words(ann.get().text)


def test_a_seat_kept_follows_the_game_to_its_new_code(app, ann, ben):
    give(ann, ben)
    with app.app_context():
        fresh = log.renew_code(ann.code)
    assert ann.get().location == f"/g/{fresh}"
    assert "My cards left" in words(ann.client.get(f"/g/{fresh}").text)


def test_a_seat_kept_is_no_right_to_write(ann, ben):
    give(ann, ben)
    assert ann.send("/hand", do="save", winner="1", points_2="5", points_3="6").status_code == 403
    assert ann.scorer.send({"kind": "void", "reason": ""}).status_code == 403
    assert ann.events() == []
