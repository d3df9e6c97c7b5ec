"""ETags: tell one version of a game's page from another, and answer 304 if nothing changed."""

from __future__ import annotations

import secrets
from hashlib import sha256
from http import HTTPStatus
from typing import TYPE_CHECKING

from flask import Response, make_response, request, session

from app.i18n import language
from app.views import access, device

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.log import Edition

RELEASE = secrets.token_hex(4)  # new after each start: templates may have changed


def tag_of(code: str, edition: Edition, *more: object) -> str:
    """The tag of what this browser sees of a game: how far it has come, for whom, in which language and look.

    Forms on a page work only with the session they were made in, so a new session gets a new page.
    """
    grant = access.grant(code)
    forms = sha256(session.get("csrf_token", "").encode()).hexdigest()[:8]
    seen_by = (grant.id if grant else 0, language(), *device.look(), device.stopped(code).name, forms)
    return "-".join(map(str, (edition, *seen_by, *more, RELEASE)))


def unless_known(tag: Callable[[], str], make: Callable[[], str | Response]) -> Response:
    """The answer for a tag, made only if the browser does not have it.

    Rendering may begin a session, which is part of the tag.
    """
    known = tag()
    # a compressed page has a weak tag
    is_known = request.if_none_match.contains_weak(known)
    answer = Response(status=HTTPStatus.NOT_MODIFIED) if is_known else make_response(make())
    answer.set_etag(known if is_known else tag())
    return to_be_asked_again(answer)


def to_be_asked_again(answer: Response) -> Response:
    """A response that only the browser may store, and must revalidate each time."""
    answer.headers["Cache-Control"] = "private, no-cache"
    return answer
