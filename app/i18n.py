"""Text for people: where texts are marked, and where a translation would go."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from markupsafe import Markup

from app.kalooki.rules.rulebook import remark, says_otherwise
from app.kalooki.rules.wording import called, contract_words

if TYPE_CHECKING:
    from jinja2 import Environment


def language() -> str:
    """The reader's language; so far always English."""
    return "en"


def gettext(text: str) -> str:
    """The text in the reader's language; texts are written in English."""
    return text


def ngettext(one: str, many: str, count: int) -> str:
    """The singular or the plural, as `count` asks.

    >>> ngettext("one card", "several cards", 2)
    'several cards'
    """
    return one if count == 1 else many


def N_(text: str) -> str:  # noqa: N802 - the customary name, known to message extractors
    """Mark a text that is translated later, when it is shown."""
    return text


_ = gettext


def speak(templates: Environment) -> None:
    """Give templates ``_()``, ``ngettext()`` and ``{% trans %}``.

    Jinja's own ``_()`` copies the template's variables at every call within a loop; ours needs none of them.
    """
    templates.add_extension("jinja2.ext.i18n")
    templates.policies["ext.i18n.trimmed"] = True
    install = templates.install_gettext_callables  # type: ignore[attr-defined]
    install(gettext, ngettext, newstyle=True)
    templates.globals["_"] = _in_markup
    templates.globals["ngettext"] = _counted_in_markup
    templates.globals["language"] = language
    templates.filters["remark"] = partial(remark, gettext=gettext)
    templates.tests["otherwise"] = lambda note: says_otherwise(note, gettext)
    templates.globals["called"] = partial(called, gettext=gettext)
    templates.globals["contract_words"] = partial(contract_words, gettext=gettext)


def _in_markup(text: str, /, **facts: object) -> Markup:
    """A text with its facts, all of them escaped.

    >>> _in_markup("%(name)s wins", name="<Ann>")
    Markup('&lt;Ann&gt; wins')
    """
    said = Markup(gettext(text))  # noqa: S704 - a text of ours; what is put into it is escaped
    return said % facts if facts else said


def _counted_in_markup(one: str, many: str, count: int, /, **facts: object) -> Markup:
    """The singular or the plural, with `count` as `num`.

    >>> _counted_in_markup("%(num)s card", "%(num)s cards", 2)
    Markup('2 cards')
    """
    return Markup(ngettext(one, many, count)) % {"num": count, **facts}  # noqa: S704
