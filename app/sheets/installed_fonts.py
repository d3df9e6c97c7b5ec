"""Which characters this machine can print: with the bundled fonts, and those fontconfig finds, as the press does.

Fonts are read once. After a new one is installed, this module and the press use it from the next start of the server.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable
from ctypes import CDLL, POINTER, Structure, c_char_p, c_int, c_uint32, c_void_p
from ctypes.util import find_library
from functools import cache, lru_cache
from typing import Any

from app.bootstrap import ROOT

BUNDLED = ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf")
_LIBRARIES = ("libfontconfig.so.1", "libfontconfig.1.dylib")
_DRAWS_NOTHING = {"Cc", "Cf", "Zs", "Zl", "Zp"}
_SELECTORS = range(0xFE00, 0xFE10)
"""Variation selectors, which say how to draw the character before them."""


class _FontSet(Structure):
    _fields_ = (("count", c_int), ("room", c_int), ("fonts", POINTER(c_void_p)))


@lru_cache(4096)
def is_lettered(sign: str) -> bool:
    """Whether some font on this machine can draw a character; also true of invisible ones.

    >>> is_lettered("Ж"), is_lettered("\u200d")
    (True, True)
    """
    if ord(sign) in _SELECTORS or unicodedata.category(sign) in _DRAWS_NOTHING:
        return True
    return any(has(ord(sign)) for has in _fonts())


def unlettered(texts: Iterable[str]) -> frozenset[str]:
    """The characters in some texts that would be printed as boxes."""
    return frozenset(sign for sign in set("".join(texts)) if not (sign.isascii() or is_lettered(sign)))


@cache
def _fonts() -> tuple[Callable[[int], bool], ...]:
    """For each font, a test whether it has a character; without fontconfig, nothing counts as missing."""
    library = _fontconfig()
    if library is None:
        return (lambda _sign: True,)
    config = library.FcInitLoadConfigAndFonts()
    for name in BUNDLED:
        library.FcConfigAppFontAddFile(config, str(ROOT / "static" / "fonts" / name).encode())
    asked = library.FcObjectSetCreate()
    library.FcObjectSetAdd(asked, b"charset")
    listed = library.FcFontList(config, library.FcPatternCreate(), asked).contents
    return tuple(_test_of(library, listed.fonts[number]) for number in range(listed.count))


def _test_of(library: CDLL, font: Any) -> Callable[[int], bool]:
    signs = c_void_p()
    library.FcPatternGetCharSet(font, b"charset", 0, signs)
    return lambda sign: bool(signs and library.FcCharSetHasChar(signs, sign))


def _fontconfig() -> CDLL | None:
    """The library, with the functions used here declared; None if it is not installed."""
    for name in (*_LIBRARIES, find_library("fontconfig")):
        try:
            library = CDLL(name) if name else None
        except OSError:
            continue
        if library:
            return _declared(library)
    return None


def _declared(library: CDLL) -> CDLL:
    declared: dict[str, tuple[Any, tuple[Any, ...]]] = {
        "FcInitLoadConfigAndFonts": (c_void_p, ()),
        "FcConfigAppFontAddFile": (c_int, (c_void_p, c_char_p)),
        "FcObjectSetCreate": (c_void_p, ()),
        "FcObjectSetAdd": (c_int, (c_void_p, c_char_p)),
        "FcPatternCreate": (c_void_p, ()),
        "FcFontList": (POINTER(_FontSet), (c_void_p, c_void_p, c_void_p)),
        "FcPatternGetCharSet": (c_int, (c_void_p, c_char_p, c_int, POINTER(c_void_p))),
        "FcCharSetHasChar": (c_int, (c_void_p, c_uint32)),
    }
    for name, (answers, takes) in declared.items():
        function = getattr(library, name)
        function.restype, function.argtypes = answers, takes
    return library
