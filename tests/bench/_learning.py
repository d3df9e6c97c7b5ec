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
MOST_OF_MEMBERS = 600_000
"""The same of the weights that tell the answers of each family apart."""


def learn(asked: Sequence[tuple[str, str]], made_from: str = "", least: float = -1.0, clear: float = 0.0) -> bytes:
    """The contents of `find.weights`, learned from questions and their families."""
    import numpy as np

    read, rarity, named = read_all(asked)
    families, weights, bias = apart(read, named)
    at = families.index(find.NOTHING)
    _classes, nothing, own = apart(read, named == find.NOTHING, C=WIDER, class_weight="balanced")
    weights[at], bias[at] = nothing[-1], own[-1]
    head = {"made_from": made_from, "least": least, "clear": clear, "families": families, "bias": bias}
    return packed(head, np.asarray(weights), rarity, MOST_KEPT)


def learn_members(asked: Sequence[tuple[str, str]], made_from: str = "") -> bytes:
    """The contents of `find.members`, learned from questions and their answers: in each family, which one is meant."""
    import numpy as np

    read, rarity, named = read_all(asked)
    family = np.array([find.family_of(slug) for slug in named])
    members, weights, bias = [], [], []
    for each in sorted(find.families()):
        own = family == each
        if len(set(named[own])) > 1:
            told = apart(read[own], named[own])
            for every, found in zip((members, weights, bias), told, strict=True):
                every.extend(found)
    head = {"made_from": made_from, "least": 0.0, "clear": 0.0, "families": members, "bias": bias}
    return packed(head, np.asarray(weights), rarity, MOST_OF_MEMBERS)


def read_all(asked: Sequence[tuple[str, str]]):
    """Questions as rows of a matrix, also as somebody in a hurry types them; how rare each place is; their names."""
    import numpy as np

    asked = [*asked, *((name, plainer(text)) for name, text in asked)]
    pieces = [find.count_pieces(text) for _, text in asked]
    spread = Counter(place for counted in pieces for place in counted)
    rarity = [log((1 + len(asked)) / (1 + spread[place])) + 1 if spread[place] else 0.0 for place in range(find.PLACES)]
    unit = 255 / max(rarity)
    stored = [round(each * unit) for each in rarity]
    return rows(pieces, [each / unit for each in stored]), (stored, unit), np.array([name for name, _ in asked])


def apart(read, named, **how):
    """What tells each name's questions from the others': the names, and their weights and biases, one for each."""
    from sklearn.svm import LinearSVC

    machine = LinearSVC(**{"C": REGULAR} | how).fit(read, named)
    weights, bias = [*machine.coef_], [*machine.intercept_]
    if len(weights) == 1:  # of two names, what speaks for the second speaks against the first
        weights, bias = [-weights[0], weights[0]], [-bias[0], bias[0]]
    return [str(each) for each in machine.classes_], weights, [round(float(each), 4) for each in bias]


def packed(head: dict[str, object], weights, rarity: tuple[list[int], float], most: int) -> bytes:
    """A file of weights: `weights` has a row for each name and a column for each place."""
    import numpy as np

    weights, (stored, unit) = weights.T, rarity
    smallest = np.partition(np.abs(weights), -most, axis=None)[-most] if weights.size > most else 0
    step = float(np.abs(weights).max()) / 127
    whole = np.where(np.abs(weights) >= smallest, np.rint(weights / step), 0).astype(np.int8)
    places, named = np.nonzero(whole)
    counts = np.bincount(places, minlength=find.PLACES).astype(np.uint8)
    body = bytes(stored) + counts.tobytes() + named.astype(np.uint8).tobytes() + whole[places, named].tobytes()
    return json.dumps(head | {"unit": step, "rarity": unit}).encode() + b"\n" + compress(body, 9)


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
