"""A page names every module that it may import, so that a phone which keeps the page keeps these too."""

import re

import pytest

from tests.conftest import ROOT
from tests.json_scorer import Scorer

GAME = {"variant": "european", "players": ["Ann", "Ben", "Cat"]}
SCRIPTS = ROOT / "static" / "js"
ANY = re.compile(r'"\./([\w./-]+\.js)"')


def may_import(modules):
    """All of them, read in the plainest way: whatever a module names."""
    while more := {name for each in modules for name in ANY.findall((SCRIPTS / each).read_text("utf-8"))} - modules:
        modules |= more
    return modules


@pytest.mark.parametrize("path", ["/", "/new", "/rules/european", "/g/{code}", "/g/{code}/settle", "/check"])
def test_every_module_is_named_once(client, path):
    page = client.get(path.format(code=Scorer(client, GAME).code)).text
    run = re.findall(r'<script type="module" src="[^"]*/js/([\w-]+\.js)">', page)
    links = re.findall(r'<link (rel="modulepreload"|data-later) href="[^"]*/js/([\w./-]+)">', page)
    assert set(run) | {name for _, name in links} == may_import(set(run))
    assert len(links) == len(set(links))


def test_what_a_module_imports_at_once_is_fetched_early(client):
    page = client.get("/new").text
    early = re.findall(r'<link rel="modulepreload" href="[^"]*/js/([\w./-]+)">', page)
    assert {"dom.js", "form.js", "submit.js", "terms.js"} <= set(early)
    assert "outbox.js" not in early  # only where an answer does not come
