"""Style sheets kept in several files and sent as one: a page asks once for what `@import` names."""

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
"""A file and the cascade layer its rules stand in."""

_COMMENT = re.compile(rb"/\*.*?\*/\n*", re.DOTALL)

Stamps = tuple[tuple[str, int], ...]
"""Files, and when each was changed: nanoseconds since 1970."""


def init(app: Flask) -> None:
    """Send them in place of the files; every other static file is sent as it is."""
    app.view_functions["static"] = _static


def stamps(path: str) -> Stamps:
    """A static file, and the files it imports if it is a style sheet. Raises OSError where one is missing."""
    own = os.stat(path).st_mtime_ns  # noqa: PTH116 - asked for every file of every page
    imported = _imported(path, own) if path.endswith(".css") else ()
    return ((path, own), *((part, os.stat(part).st_mtime_ns) for part in imported))  # noqa: PTH116


@lru_cache(maxsize=256)
def contents(files: Stamps) -> bytes:
    """What is sent for a static file; each import of a style sheet has become a layer, and comments are left out."""
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
    """The files of a style sheet with imports; of all else, which may be missing, only its name."""
    path = safe_join(str(current_app.static_folder), filename)
    try:
        return stamps(path) if path and path.endswith(".css") else ((filename, 0),)
    except OSError:
        return ((filename, 0),)
