"""What a person sees when something cannot be shown."""

import pytest

from tests.pages import Alice


@pytest.mark.parametrize("path", ["/nowhere", "/correct/99", "/p/nosuchlink"])
def test_a_page_that_a_game_lacks_leads_back_to_the_game(app, path):
    """The server has the game, so nothing is restored and nothing is kept to be sent again."""
    alice = Alice(app)
    answer = alice.get(path)
    assert (answer.status_code, "This game has no such page" in answer.text) == (404, True)
    assert f'<a class="button button-primary" href="/g/{alice.code}">Back to the game</a>' in answer.text
    lost = alice.client.get("/g/AAAAAAAAAAA").text
    for what_is_kept in ("data-copies", "data-unsent"):
        assert what_is_kept in lost
        assert what_is_kept not in answer.text


def test_a_page_that_cannot_be_sent_to_says_so(client):
    answer = client.post("/")
    assert answer.status_code == 405
    assert "This cannot be done here" in answer.text
    assert set(answer.headers["Allow"].split(", ")) == {"GET", "HEAD", "OPTIONS"}


def test_a_form_without_its_token_is_refused(app):
    app.config["WTF_CSRF_ENABLED"] = True
    answer = app.test_client().post("/new", data={"do": "start"})
    assert answer.status_code == 400
    assert "Allow cookies" in answer.text


def test_a_fault_of_ours_is_owned_up_to(app):
    app.config.update(TESTING=False, PROPAGATE_EXCEPTIONS=False)
    app.add_url_rule("/broken", view_func=lambda: 1 // 0, endpoint="broken")
    answer = app.test_client().get("/broken")
    assert answer.status_code == 500
    assert "Something broke on our side" in answer.text


def test_an_address_that_only_begins_like_the_interface_is_a_page(client):
    assert "There is nothing here" in client.get("/apiary").text


def test_a_script_can_tell_an_answer_of_ours_from_a_proxys(app, client):
    """Browsers hide the headers of a redirect from scripts."""
    alice = Alice(app)
    letter = {"Kalooki-Letter": "1"}
    hand = {"seen": "1", "submission": "once", "winner": "1", "left-2": "25", "left-3": "35", "do": "save"}
    saved = alice.client.post(f"/g/{alice.code}/hand", data=hand, headers=letter)
    assert (saved.status_code, saved.text, saved.headers["Kalooki-Letter"]) == (204, "", "read")
    assert saved.location == f"/g/{alice.code}"
    refused = alice.client.post(
        f"/g/{alice.code}/hand", data=hand | {"submission": "again", "left-2": "26"}, headers=letter
    )
    assert (refused.status_code, refused.headers["Kalooki-Letter"]) == (409, "read")
    plain = alice.client.post(f"/g/{alice.code}/hand", data=hand)
    assert (plain.status_code, plain.headers["Kalooki-Letter"]) == (303, "read")
