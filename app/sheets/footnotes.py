"""The small numbers that lead from the rows of a score sheet to the notes below it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from app.sheets.happened import Told
from app.table.history import Chapter

SMALL = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def numbered(happened: Iterable[tuple[Chapter, Told]]) -> Mapping[int, str]:
    """The note number of each entry that has a note, in the order of their rows."""
    noted = (chapter.number for chapter, told in happened if told.note)
    return {entry: str(number).translate(SMALL) for number, entry in enumerate(noted, 1)}
