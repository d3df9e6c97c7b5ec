"""The cookie of a device: cookies know no port, so each server's has a name of its own, whoever else is on the host."""

import re
import shutil

import pytest

from tests.conftest import application
from tests.pages import START_FORM, Alice


@pytest.fixture
def second_database(empty_database, tmp_path):
    return shutil.copy(empty_database, tmp_path / "other.db")


def with_key(database, key, **settings):
    return application(f"sqlite:///{database}", SECRET_KEY=key, **settings)


def name_of(app):
    return app.config["SESSION_COOKIE_NAME"]


def call_it_session(client, name):
    """Give a device's cookie the name that it had in 0.3."""
    client.set_cookie("session", client.get_cookie(name).value)
    client.delete_cookie(name)


def test_two_servers_on_one_host_keep_their_rights(database, second_database):
    """Two folders DATA have two keys; one browser visits both in turn."""
    tables = [Alice(with_key(database, "one")), Alice(with_key(second_database, "other"))]
    tables[1].client._cookies = tables[0].client._cookies
    assert [table.client.get(f"/g/{table.code}/s/{table.scorer.secret}").status_code for table in tables] == [303, 303]
    assert [table.get("/hand").status_code for table in tables] == [200, 200]


def test_the_cookie_of_another_app_costs_no_right_and_is_left_alone(app, alice):
    alice.client.set_cookie("session", "eyJ1c2VyIjoxfQ.aSnkYQ.c2lnbmVkIGJ5IGFub3RoZXI")
    assert alice.get("/hand").status_code == 200
    alice.client.post("/device")
    assert alice.client.get_cookie("session").value.startswith("eyJ1c2VyIjoxfQ")
    assert app.test_client().get("/new").headers.getlist("Set-Cookie")[0].startswith(f"{name_of(app)}=")


def test_a_right_of_0_3_moves_to_the_new_name_at_the_first_page(app, alice):
    call_it_session(alice.client, name_of(app))
    assert alice.get("/hand").status_code == 200
    assert alice.client.get_cookie("session") is None
    assert alice.client.get_cookie(name_of(app)) is not None
    assert alice.get("/hand").status_code == 200


def test_a_form_open_during_the_update_is_taken(database):
    """Its cookie still has the old name, and the form the old token."""
    client = with_key(database, "one", WTF_CSRF_ENABLED=True).test_client()
    token = re.search(r'name="csrf_token" value="([^"]+)"', client.get("/new").text)[1]
    call_it_session(client, name_of(client.application))
    assert client.post("/new", data=START_FORM | {"csrf_token": token}).status_code == 303
    assert client.get_cookie("session") is None


def test_what_anybody_may_cache_moves_no_cookie(app, alice):
    call_it_session(alice.client, name_of(app))
    for path in (f"{app.static_url_path}/css/app.css", "/livez"):
        assert "Set-Cookie" not in alice.client.get(path).headers


def test_an_old_cookie_replaces_no_new_one(app, alice):
    stale = app.test_client()
    stale.get("/new")
    alice.client.set_cookie("session", stale.get_cookie(name_of(app)).value)
    assert alice.get("/hand").status_code == 200


def test_the_cookie_that_another_key_signed_is_worth_nothing(database, second_database):
    alice = Alice(with_key(database, "one"))
    stranger = with_key(second_database, "other").test_client()
    stranger.set_cookie("session", alice.client.get_cookie(name_of(alice.app)).value)
    assert not stranger.get("/games").headers["Kalooki-Games"]


@pytest.mark.parametrize(
    ("base", "is_for_this_host_alone"),
    [
        ("https://cards.example", True),
        ("https://cards.example:8443", True),
        ("https://example.org/kalooki", False),  # such a cookie is for every path
        ("http://cards.example", False),
        ("", False),
    ],
)
def test_over_https_no_neighbouring_name_can_set_it(database, base, is_for_this_host_alone):
    app = with_key(database, "one", BASE_URL=base)
    secure = {"base_url": base} if base else {}
    [cookie] = app.test_client().get("/new", **secure).headers.getlist("Set-Cookie")
    assert cookie.startswith("__Host-") is is_for_this_host_alone
    assert "Domain" not in cookie
    if is_for_this_host_alone:
        assert {"Secure", "Path=/"} <= set(cookie.split("; "))


def test_rights_stay_when_the_server_gets_https(database):
    """From http://cards.example to https://cards.example: the browser sends what it had."""
    alice = Alice(with_key(database, "one"))
    later = with_key(database, "one", BASE_URL="https://localhost")
    phone = later.test_client()
    phone.set_cookie(name_of(alice.app), alice.client.get_cookie(name_of(alice.app)).value)
    assert phone.get(f"/g/{alice.code}/hand", base_url="https://localhost").status_code == 200
    assert phone.get_cookie(name_of(alice.app)) is None
    assert phone.get_cookie(name_of(later)) is not None
