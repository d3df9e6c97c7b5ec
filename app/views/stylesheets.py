"""Style sheets stored in several files and sent as one, so that a page needs one request for all it imports."""

from __future__ import annotations

import os
import re
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from flask import Response, current_app, request
from werkzeug.security import safe_join

if TYPE_CHECKING:
    from flask import Flask

_IMPORT = re.compile(rb'^@import url\("([\w./-]+)"\) layer\((\w+)\);\n', re.MULTILINE)
"""A file, and the cascade layer for its rules."""

_COMMENT = re.compile(rb"/\*.*?\*/\n*", re.DOTALL)

Stamps = tuple[tuple[str, int], ...]
"""Files, and when each was changed: nanoseconds since 1970."""


def init(app: Flask) -> None:
    """Send style sheets with their imports in place, and every other static file as it is."""
    app.view_functions["static"] = _static


def stamps(path: str) -> Stamps:
    """A static file and, if it is a style sheet, the files it imports. Raises OSError if one is missing."""
    own = os.stat(path).st_mtime_ns  # noqa: PTH116 - asked for every file of every page
    imported = _imported(path, own) if path.endswith(".css") else ()
    return ((path, own), *((part, os.stat(part).st_mtime_ns) for part in imported))  # noqa: PTH116


@lru_cache(maxsize=256)
def contents(files: Stamps) -> bytes:
    """What is sent for a static file: a style sheet has a layer in place of each import, and no comments."""
    path, *parts = (Path(name) for name, _changed in files)
    if not parts:
        return path.read_bytes()
    texts = iter(parts)
    joined = _IMPORT.sub(lambda found: b"@layer %s {\n%s}\n" % (found[2], next(texts).read_bytes()), path.read_bytes())
    return _COMMENT.sub(b"", joined)


@lru_cache(maxsize=256)
def _imported(path: str, _changed: int) -> tuple[str, ...]:
    folder = Path(path).parent
    return tuple(str(folder / name.decode("ascii")) for name, _layer in _IMPORT.findall(Path(path).read_bytes()))


def _static(filename: str) -> Response:
    files = _files_of(filename)
    if len(files) == 1:
        return current_app.send_static_file(filename)
    response = Response(contents(files), mimetype="text/css")
    response.cache_control.no_cache = True
    response.add_etag()
    response.make_conditional(request)
    return response


def _files_of(filename: str) -> Stamps:
    """The files of a style sheet; only the name of any other file, or of one that is missing."""
    path = safe_join(str(current_app.static_folder), filename)
    try:
        return stamps(path) if path and path.endswith(".css") else ((filename, 0),)
    except OSError:
        return ((filename, 0),)
