"""The JSON interface answers about a thousand requests as it did when `recorded_answers.jsonl` was written.

A line has a request and its answer: `ask` is any request, `start` starts a game, and `event` and `preview` go to the
game started last, without the state they lead to. Sentences are left out, since other tests hold them, and so is what
differs each time. After a change of the interface that is meant, `RECORD_ANSWERS=1` writes the answers anew; read the
difference before committing it.
"""

import json
import os
import re
from pathlib import Path

import pytest

from app.views.links import PREFIX
from tests.json_scorer import Scorer

pytestmark = pytest.mark.one_app

FILE = Path(__file__).with_name("recorded_answers.jsonl")
PROSE = {"label", "message", "more", "name", "note", "question", "remedy", "ruling", "summary", "text", "title", "why"}
PROSE |= {"warnings", "words"}


def without_prose(value):
    """Return a JSON value with "…" for each sentence, and a count for a list of them."""
    if isinstance(value, list):
        return [without_prose(each) for each in value]
    if not isinstance(value, dict):
        return value
    return {key: shortened(inner) if key in PROSE else without_prose(inner) for key, inner in value.items()}


def shortened(value):
    if isinstance(value, str) and value:
        return "…"
    return len(value) if isinstance(value, list) else without_prose(value)


def answer_of(response, code):
    """Return the status of a response, and its JSON without sentences, times, today's date and the game's code."""
    text = json.dumps(without_prose(response.json), ensure_ascii=False, sort_keys=True)
    text = re.sub(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", "TIME", text)
    text = re.sub(r'"day": "\d{4}-\d\d-\d\d"', '"day": "DAY"', text)
    return [response.status_code, json.loads(text.replace(code, "CODE") if code else text)]


def without_state(response, code):
    status, answer = answer_of(response, code)
    return [status, {key: value for key, value in answer.items() if key != "state"}]


def answers_to(client, requests):
    """Yield the answer to each request, in order."""
    scorer = None
    for each in requests:
        if "start" in each:
            scorer = Scorer(client, each["start"])
            yield [201, sorted(scorer.started)]
        elif "ask" in each:
            code = scorer.code if scorer else ""
            method, path, *body = json.loads(json.dumps(each["ask"]).replace("{code}", code))
            yield answer_of(client.open(PREFIX + path, method=method, json=body[0] if body else None), code)
        else:
            response = scorer.send(each.get("event") or each["preview"], preview="preview" in each)
            scorer.seen += response.status_code == 201
            yield without_state(response, scorer.code)


def test_requests_are_answered_as_recorded(client):
    lines = [json.loads(line) for line in FILE.read_text("utf-8").splitlines()]
    requests = [{key: value for key, value in line.items() if key != "answer"} for line in lines]
    answers = [*answers_to(client, requests)]
    if os.environ.get("RECORD_ANSWERS"):
        written = [line | {"answer": answer} for line, answer in zip(requests, answers, strict=True)]
        FILE.write_text("".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in written), "utf-8")
        pytest.fail("The answers were written anew: read the difference.")
    changed = [
        (request, "was", line["answer"], "is", answer)
        for request, line, answer in zip(requests, lines, answers, strict=True)
        if line["answer"] != answer
    ]

    assert len(lines) > 900
    assert changed[:3] == []
