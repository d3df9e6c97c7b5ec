"""The JavaScript modules of a page: `script` runs one and links all its imports, so that they load in parallel."""

from __future__ import annotations

import re
from functools import lru_cache

from flask import g
from markupsafe import Markup

from app.settings import ROOT
from app.views.responses import asset

_SCRIPTS = ROOT / "static" / "js"
_STATIC = re.compile(r'^import [^;]*?"\./([\w./-]+)"', re.MULTILINE)
_DYNAMIC = re.compile(r'\bimport\("\./([\w./-]+)"\)(?!\.[A-Z])')  # in a comment, it is a type
_Links = tuple[tuple[str, str], ...]
"""The modules that a page links, each with its `rel`."""


def script(name: str) -> Markup:
    """Return the element that runs a module, with links to its imports that the page does not link yet.

    Static imports are fetched early; dynamic ones are stored by the worker for a phone without a network.
    """
    elements, g.scripts = _elements(name, asset("js"), g.get("scripts", ()))
    return elements


@lru_cache(maxsize=256)
def _elements(name: str, folder: str, linked: _Links) -> tuple[Markup, _Links]:
    """Return those elements, and everything the page then links; `folder` is the address of the modules."""
    at_once, later = _modules_of(f"{name}.js")
    before = dict(linked)
    links = dict.fromkeys(later, "later") | dict.fromkeys(at_once, "modulepreload")
    link, run = Markup('<link rel="{}" href="{}/{}">'), Markup('<script type="module" src="{}/{}.js"></script>')
    new = [
        link.format(rel, folder, each) for each, rel in links.items() if before.get(each) not in (rel, "modulepreload")
    ]
    links |= {each: rel for each, rel in linked if rel == "modulepreload" or each not in links}
    return Markup("").join([*new, run.format(folder, name)]), tuple(links.items())


@lru_cache
def _modules_of(module: str) -> tuple[list[str], list[str]]:
    """Return the static imports of a module, and all imports, direct or not."""
    return _reachable(module, _STATIC)[1:], _reachable(module, _STATIC, _DYNAMIC)[1:]


def _reachable(module: str, *imports: re.Pattern[str]) -> list[str]:
    reached = [module]
    for each in reached:  # grows during the loop
        text = (_SCRIPTS / each).read_text("utf-8")
        modules = dict.fromkeys(name for pattern in imports for name in pattern.findall(text))
        reached += [name for name in modules if name not in reached]
    return reached
