"""Standard error says what was asked and where it broke, and never whose game it was."""

import logging
import sqlite3

import pytest
from sqlalchemy.exc import DBAPIError

from app import application
from app.stderr import format_trace
from app.store import opening
from tests.phone import ask, start
from tests.stderr_capture import REQUEST, told_of_people

CODE = "ABCDEFGHJK2"
START = {"variant": "european", "players": ["Wilhelmina", "Ben"]}


def lines_of(server):
    """The method, endpoint and status of each request a running server has told of."""
    found = [line for line in server.said.read_text().splitlines() if REQUEST.fullmatch(line)]
    return [tuple(line.split()[5:8]) for line in found]


def test_every_request_has_a_line_that_names_its_endpoint(server):
    code, _secret = start(server.url)
    entries = f"{server.url}/api/v1/games/{code}/entries?name=Wilhelmina"
    assert ask(entries, {"event": {"kind": "void"}}, "no secret")[0] == 403
    assert ask(f"{server.url}/api/v1/{code}")[0] == 404
    told = lines_of(server)
    for each in (("POST", "api.new_game", "201"), ("POST", "api.add_entry", "403"), ("GET", "-", "404")):
        assert each in told
    said = server.said.read_text()
    assert code not in said
    assert "Wilhelmina" not in said


def test_a_server_that_told_of_somebody_is_found_out(alice, database):
    url = f"sqlite:///{database}"
    fine = "[2026-11-26 20:15:00,123] INFO in requests: GET games.show 200 12 ms"
    assert REQUEST.fullmatch(fine)[1] == "games.show"
    assert told_of_people(f"{fine}\nWARNING: 3 games deleted", url) == []
    for said, who in (
        (f"GET /g/{alice.code} 200", alice.code),
        (f"/g/{CODE}/hand", CODE),
        ("127.0.0.3:41000 - GET /", "127.0.0.3"),
        ("KeyError: 'Ann'", "Ann"),
    ):
        assert told_of_people(f"{fine}\n{said}", url) == [who]


@pytest.mark.parametrize(("method", "told"), [("DELETE", "DELETE - 404"), ("ANNWILHELMINA", "- - 404")])
def test_a_method_nobody_knows_is_not_repeated(client, caplog, monkeypatch, method, told):
    requests = logging.getLogger("requests")  # another test of this process may have silenced it
    monkeypatch.setattr(requests, "propagate", True)
    monkeypatch.setattr(requests, "disabled", False)
    with caplog.at_level(logging.INFO, "requests"):
        client.open("/nowhere", method=method)
    assert caplog.messages[-1].startswith(f"{told} ")


def test_another_servers_own_log_of_requests_ends(database, monkeypatch):
    """As uvicorn sets it up; it asks the logger whether anybody listens."""
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{database}")
    monkeypatch.setenv("SECRET_KEY", "test")
    accesses = logging.getLogger("uvicorn.access")
    monkeypatch.setattr(accesses, "handlers", [logging.StreamHandler()])
    monkeypatch.setattr(accesses, "propagate", True)
    opening.close_database(application()._app)
    assert not accesses.hasHandlers()


TOLD_BY_POSTGRESQL = "Key (code)=({}) already exists."


def unique(code):
    raise sqlite3.IntegrityError(TOLD_BY_POSTGRESQL.format(code))


def test_a_fault_of_ours_is_logged_without_what_it_was_about(app, caplog):
    app.config.update(TESTING=False, PROPAGATE_EXCEPTIONS=False)

    def broken(code):
        try:
            unique(code)
        except sqlite3.Error as cause:
            raise DBAPIError("SELECT 1 WHERE code = ?", (code,), cause, hide_parameters=True) from cause

    app.add_url_rule("/g/<code>/broken", view_func=broken, endpoint="broken")
    with caplog.at_level(logging.ERROR):
        assert app.test_client().get(f"/g/{CODE}/broken?name=Ann").status_code == 500
    said = caplog.text
    assert "GET broken broke" in said
    assert "in unique" in said
    assert "sqlite3.IntegrityError\nand then" in said
    assert "sqlalchemy.exc.DBAPIError" in said
    assert told_of_people(said, "") == []
    assert not any(each in said for each in ("Ann", "already exists", "/g/"))


def test_an_error_about_the_program_is_told_in_its_words():
    with pytest.raises(AttributeError) as raised:
        None.code  # noqa: B018
    assert format_trace(raised.value).endswith("builtins.AttributeError: 'NoneType' object has no attribute 'code'")


def test_an_error_from_the_database_tells_no_values(app):
    from app.store.database import db

    with app.app_context(), db.engine.connect() as connection, pytest.raises(DBAPIError) as raised:
        connection.exec_driver_sql("SELECT nothing FROM nowhere WHERE code = ?", (CODE,))
    assert CODE not in str(raised.value)
