"""Templates lay out what they are given: no template, filter or Jinja test decides about the game."""

import ast
import inspect
import textwrap
from functools import cache

import pytest
from jinja2 import nodes

from app.views.templating import macros
from tests.conftest import ROOT

pytestmark = pytest.mark.one_app

FACTS = {"kind", "amount", "seat", "balance", "points"}
"""What an entry is, whom it is about and what it moves: `app/history` and the values say what follows from it."""
BY_ATTRIBUTE = {"selectattr", "rejectattr", "groupby"}
ALLOWED = {
    "row.seat": "which rows of a form ask about an offer",
}
"""What templates may compare all the same, by the value and its attribute, and why that is not about the game."""


def path(node):
    """A value with its attributes, as a template writes it; of anything else its last attribute."""
    if isinstance(node, nodes.Getattr):
        return f"{path(node.node)}.{node.attr}"
    return node.name if isinstance(node, nodes.Name) else "…"


def facts_of(node):
    """The facts of a game in an expression."""
    within = [node, *node.find_all((nodes.Getattr, nodes.Getitem))]
    yield from (path(each) for each in within if isinstance(each, nodes.Getattr) and each.attr in FACTS)
    for each in within:
        if isinstance(each, nodes.Getitem) and isinstance(each.arg, nodes.Const) and each.arg.value in FACTS:
            yield f"{path(each.node)}.{each.arg.value}"


def compared(template):
    """What a template compares of the game, or picks by a fact of it."""
    yield from (fact for each in template.find_all(nodes.Compare) for fact in facts_of(each))
    for each in template.find_all(nodes.Filter):
        named = each.args[0].value if each.name in BY_ATTRIBUTE and isinstance(each.args[0], nodes.Const) else ""
        if str(named).rpartition(".")[2] in FACTS:
            yield f"{each.name} {named}"


@cache
def source(function):
    return ast.parse(textwrap.dedent(inspect.getsource(function)))


def compared_in_python(function):
    for each in ast.walk(source(function)):
        if isinstance(each, (ast.Compare, ast.Match)):
            yield from (node.attr for node in ast.walk(each) if isinstance(node, ast.Attribute) and node.attr in FACTS)


@pytest.fixture(scope="module")
def decided(shared_app):
    """What is compared, by template."""
    return {
        str(file.relative_to(ROOT)): {*compared(shared_app.jinja_env.parse(file.read_text(encoding="utf-8")))}
        for file in sorted((ROOT / "templates").rglob("*.html"))
    }


def test_no_template_decides_about_the_game(decided):
    assert len(decided) > 80
    assert {file: found - ALLOWED.keys() for file, found in decided.items() if found - ALLOWED.keys()} == {}


def test_nothing_is_allowed_that_no_template_needs(decided):
    assert ALLOWED.keys() - {each for found in decided.values() for each in found} == set()


def test_no_filter_or_test_of_ours_decides_about_the_game(app):
    used = {**app.jinja_env.filters, **app.jinja_env.tests}
    ours = {name: each for name, each in used.items() if getattr(each, "__module__", "").startswith("app.")}
    assert "worth_a_look_back" in ours
    assert {name: [*compared_in_python(each)] for name, each in ours.items() if [*compared_in_python(each)]} == {}


@pytest.mark.parametrize(
    "template",
    [
        "{% if event.kind == 'hand' %}{% endif %}",
        "{{ 'red' if payment.amount < 0 }}",
        "{% for each in game.changes if each.seat == seat %}{% endfor %}",
        "{{ payments|selectattr('payer.seat', 'equalto', 1)|list }}",
        "{{ entry['kind'] in ('void', 'hand') }}",
    ],
)
def test_what_decides_is_found(app, template):
    assert [*compared(app.jinja_env.parse(template))]


def test_a_macro_has_a_name_that_nothing_else_has(shared_app):
    env = shared_app.jinja_env
    files = {
        str(file.relative_to(ROOT)): env.parse(file.read_text(encoding="utf-8"))
        for file in (ROOT / "templates").rglob("*.html")
    }
    exported = [
        each.name
        for file, template in files.items()
        if file.startswith("templates/macros/")
        for each in template.find_all(nodes.Macro)
        if not each.name.startswith("_")
    ]
    assert sorted(exported) == sorted(macros(env))
    read = {file: values_of(template) & {*exported} for file, template in files.items()}
    assert {file: names for file, names in read.items() if names} == {}


def values_of(template):
    """The names a template reads without calling them: such a name of a macro would be true where no view passes it."""
    called = {id(each.node) for each in template.find_all(nodes.Call)}
    names = [each for each in template.find_all(nodes.Name) if id(each) not in called]
    return {each.name for each in names if each.ctx == "load"} - {each.name for each in names if each.ctx != "load"}
