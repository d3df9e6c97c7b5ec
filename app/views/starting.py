"""Who may start games on this server: everyone, whoever knows a word, or nobody. All else is open to everyone."""

from __future__ import annotations

import hmac

from flask import current_app, flash, g, request
from werkzeug.exceptions import Forbidden

from app.i18n import N_, _
from app.settings import spoken
from app.views import device

WORD = "word"
"""The field of a form that carries the word."""
_NOBODY = (
    N_("No new games here"),
    N_("This server starts no games now. Games under way go on; referee, rules and blank sheets are open to everyone."),
)
_ASKED = (
    N_("Which word?"),
    N_("To start a game, this server asks for a word. Whoever runs it, or invited you, can tell you."),
)
_WRONG = (
    N_("That is not the word"),
    N_("Capitals do not matter, each letter does. Whoever runs this server, or invited you, can tell you."),
)


class NotOpen(Forbidden):
    """This request may not start a game; `asks` where a word would open it."""

    def __init__(self, words: tuple[str, str], *, asks: bool) -> None:
        super().__init__(_(words[1]))
        self.words = words
        self.asks = asks


def require_open(word: str) -> None:
    """Raise NotOpen unless this request may start a game; a device that gave the word need not give it again."""
    who = current_app.config["STARTS"]
    if who == "everyone" or (who == "word" and _is_known_here()):
        return
    if who == "nobody":
        raise NotOpen(_NOBODY, asks=False)
    if not word:
        raise NotOpen(_ASKED, asks=True)
    if not hmac.compare_digest(_sign(word), _sign(current_app.config["START_WORD"])):
        g.word_was_wrong = True
        raise NotOpen(_WRONG, asks=True)
    if request.blueprint != "api":
        device.keep_word(_sign(word))


def tell() -> None:
    """Say on a page that starts games, before anything is typed, that it asks for a word, or that nobody may."""
    who = current_app.config["STARTS"]
    if who != "everyone" and not (who == "word" and _is_known_here()):
        flash(_((_NOBODY if who == "nobody" else _ASKED)[1]), "warn")


def closed() -> str:
    """Why nobody may start a game on this server; empty where somebody may."""
    return _(_NOBODY[1]) if current_app.config["STARTS"] == "nobody" else ""


def _is_known_here() -> bool:
    """Whether this device gave the word that holds now; the interface has no devices."""
    return request.blueprint != "api" and hmac.compare_digest(
        device.kept_word(), _sign(current_app.config["START_WORD"])
    )


def _sign(word: str) -> str:
    """What a device keeps of a word: nothing that tells it."""
    key = str(current_app.config["SECRET_KEY"]).encode()
    return hmac.digest(key, b"start " + spoken(word).encode(), "sha256").hex()[:24]
