"""ETags: what tells one version of a game's page from another, and 304 where nothing changed."""

from __future__ import annotations

import secrets
from hashlib import sha256
from http import HTTPStatus
from typing import TYPE_CHECKING

from flask import Response, make_response, request, session

from app.i18n import language
from app.views import access

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.log import Edition

RELEASE = secrets.token_hex(4)  # another one after each start: templates may have changed


def tag_of(code: str, edition: Edition, *more: object) -> str:
    """Names what this browser is shown of a game: how far it has come, for whom, in which language.

    The forms on a page work with the session they were made in, so that a new one is shown another page.
    """
    grant = access.grant(code)
    forms = sha256(session.get("csrf_token", "").encode()).hexdigest()[:8]
    return "-".join(map(str, (edition, grant.id if grant else 0, language(), forms, *more, RELEASE)))


def unless_known(tag: Callable[[], str], make: Callable[[], str]) -> Response:
    """The page a tag names, made only where the browser does not have it.

    A page that is made may begin a session, which is part of its tag.
    """
    known = tag()
    # packed on the way, a page has a weak tag
    is_known = request.if_none_match.contains_weak(known)
    answer = Response(status=HTTPStatus.NOT_MODIFIED) if is_known else make_response(make())
    answer.set_etag(known if is_known else tag())
    return to_be_asked_again(answer)


def to_be_asked_again(answer: Response) -> Response:
    """An answer kept by the browser alone, which asks each time whether it still holds."""
    answer.headers["Cache-Control"] = "private, no-cache"
    return answer
