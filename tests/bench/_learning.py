"""Learns what the pieces of a question say of each family, by a linear support vector machine for each family."""

from __future__ import annotations

import json
from array import array
from collections import Counter
from collections.abc import Sequence
from math import log
from zlib import compress

from app.kalooki.rules import find

REGULAR = 1.0
"""How much a question on the wrong side counts against large weights."""
WIDER = 0.3
"""The same for the one family that has no subject, NOTHING: talk that nobody has heard yet must be like it, too."""
MOST_KEPT = 1_100_000
"""Weights; the smallest are left out."""


def learn(asked: Sequence[tuple[str, str]], made_from: str = "", least: float = -1.0, clear: float = 0.0) -> bytes:
    """The contents of `find.weights`, learned from questions and their families."""
    import numpy as np
    from sklearn.svm import LinearSVC

    asked = [*asked, *((family, plainer(text)) for family, text in asked)]
    pieces = [find.counted(text) for _, text in asked]
    spread = Counter(place for counted in pieces for place in counted)
    rarity = [log((1 + len(asked)) / (1 + spread[place])) + 1 if spread[place] else 0.0 for place in range(find.PLACES)]
    unit = 255 / max(rarity)
    stored = [round(each * unit) for each in rarity]
    read, families = rows(pieces, [each / unit for each in stored]), np.array([family for family, _ in asked])
    machine = LinearSVC(C=REGULAR).fit(read, families)
    apart = LinearSVC(C=WIDER, class_weight="balanced").fit(read, families == find.NOTHING)
    at = list(machine.classes_).index(find.NOTHING)
    machine.coef_[at], machine.intercept_[at] = apart.coef_[0], apart.intercept_[0]
    weights = machine.coef_.T  # a row for each place
    smallest = np.partition(np.abs(weights), -MOST_KEPT, axis=None)[-MOST_KEPT] if weights.size > MOST_KEPT else 0
    step = float(np.abs(weights).max()) / 127
    whole = np.where(np.abs(weights) >= smallest, np.rint(weights / step), 0).astype(np.int8)
    places, named = np.nonzero(whole)
    head = {
        "made_from": made_from,
        "families": [str(each) for each in machine.classes_],
        "bias": [round(float(each), 4) for each in machine.intercept_],
        "unit": step,
        "rarity": unit,
        "least": least,
        "clear": clear,
    }
    counts = np.bincount(places, minlength=find.PLACES).astype(np.uint8)
    body = bytes(stored) + counts.tobytes() + named.astype(np.uint8).tobytes() + whole[places, named].tobytes()
    return json.dumps(head).encode() + b"\n" + compress(body, 9)


def plainer(text: str) -> str:
    """A question as somebody in a hurry types it: only its telling words."""
    return " ".join(find.telling(text))


def rows(pieces: Sequence[Counter[int]], rarity: Sequence[float]):
    """The questions as rows of a matrix: each of length one."""
    from scipy.sparse import csr_matrix

    values, places, starts = array("d"), array("l"), array("l", [0])
    for counted in pieces:
        worth = {place: rarity[place] * (1 + log(count)) for place, count in counted.items()}
        length = sum(each * each for each in worth.values()) ** 0.5 or 1.0
        values.extend(each / length for each in worth.values())
        places.extend(worth)
        starts.append(len(places))
    return csr_matrix((values, places, starts), shape=(len(pieces), find.PLACES))
