"""The look: the size of letters and the theme, kept in its cookie, without script."""

import re

import pytest

from tests.pages import Alice

pytestmark = pytest.mark.one_app


def attributes(page):
    return re.search(r"<html[^>]*>", page.text)[0]


def test_letters_and_theme_are_those_chosen_on_every_page(app):
    alice = Alice(app)
    before = alice.get()
    kept = alice.client.post("/look", data={"text": "largest", "theme": "dark"})
    assert kept.status_code == 303
    for path in ("/", "/look", f"/g/{alice.code}", f"/g/{alice.code}/hand", "/nowhere"):
        assert attributes(alice.client.get(path)) == '<html lang="en" data-text="largest" data-theme="dark">'
    # the game has not changed, but how it looks has
    again = alice.client.get(f"/g/{alice.code}", headers={"If-None-Match": before.headers["ETag"]})
    assert again.status_code == 200
    chosen = re.findall(r"<input checked[^>]*value=\"(\w*)\"", alice.client.get("/look").text)
    assert chosen == ["largest", "dark"]


def test_other_devices_keep_their_look(app, client):
    Alice(app).client.post("/look", data={"text": "large", "theme": "light"})
    assert attributes(client.get("/")) == '<html lang="en">'


def test_back_to_what_the_system_says(client):
    client.post("/look", data={"text": "large", "theme": "light"})
    client.post("/look", data={"text": "", "theme": ""})
    assert attributes(client.get("/")) == '<html lang="en">'


@pytest.mark.parametrize("sent", [{"text": "huge", "theme": ""}, {"theme": "dark"}, {}])
def test_what_there_is_not_is_refused(client, sent):
    assert client.post("/look", data=sent).status_code == 422
    assert attributes(client.get("/")) == '<html lang="en">'
