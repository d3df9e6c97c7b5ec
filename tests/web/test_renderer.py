"""The renderer works in a process of its own, within bounds, fetches nothing from anywhere, and recovers."""

import base64
import io
import os
import resource
import signal
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.request import urlopen

import pypdf
import pypdfium2
import pytest

from app import settings
from app.sheets import renderer
from app.sheets.paper import A4, page_css
from app.views.sheets import start_renderer_early
from tests.pages import start
from tests.server import PATIENCE, Server, eventually
from tests.web.paper_reader import sizes as printed_sizes


def job(body, **more):
    html = f"<html lang='en'><title>Test</title><body>{body}</body></html>"
    sizes = more.pop("sizes", ())
    return renderer.Job(html, (renderer.Layout(page_css(A4, "foot"), sizes),), **more)


def text_of(pdf):
    return pypdf.PdfReader(io.BytesIO(pdf)).pages[0].extract_text()


@pytest.fixture
def child():
    """The child process, sure to be running."""
    renderer.make(job("first"))
    return renderer._RENDERER._child.process


def test_pages_are_made_in_another_process(child):
    assert child.pid != os.getpid()
    assert "A♠ K♥" in text_of(renderer.make(job("<p>A♠ K♥</p>")))
    assert renderer._RENDERER._child.process is child


def test_a_child_that_was_killed_is_replaced(child):
    os.kill(child.pid, signal.SIGKILL)
    assert "again" in text_of(renderer.make(job("again")))
    assert renderer._RENDERER._child.process.pid != child.pid


def test_a_machine_that_starts_no_child_makes_no_page(monkeypatch):
    def refuse(*_, **__):
        raise OSError("Cannot allocate memory")

    renderer._RENDERER.end()
    monkeypatch.setattr(renderer.subprocess, "Popen", refuse)
    with pytest.raises(ChildProcessError):
        renderer.make(job("never"))
    monkeypatch.undo()
    assert "next" in text_of(renderer.make(job("next")))


def test_a_page_that_takes_too_long_is_given_up_and_the_next_one_made(monkeypatch):
    """A child that does nothing any more is told by its silence."""
    renderer.make(job("first"))
    os.kill(renderer._RENDERER._child.process.pid, signal.SIGSTOP)
    monkeypatch.setattr(renderer, "ANSWER_TIMEOUT", 0)
    started = time.monotonic()
    with pytest.raises(renderer.Occupied):
        renderer.make(job("stopped"))
    assert time.monotonic() - started < 20
    monkeypatch.undo()
    assert "next" in text_of(renderer.make(job("next")))


def processor_of(pid):
    """Seconds of processor that a process has taken."""
    user, system = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def test_a_page_of_which_the_child_dies_is_not_tried_again(child):
    """SIGPROF is what ends it when its time is up; it comes once the child works on the page."""
    rows = "".join(f"<tr id='row-{n}'><td>{n}</td><td>words</td></tr>" for n in range(5_000))
    with ThreadPoolExecutor(1) as other:
        before = processor_of(child.pid)
        making = other.submit(renderer.make, job(f"<table>{rows}</table>"))
        eventually(lambda: processor_of(child.pid) > before + 0.2)
        os.kill(child.pid, signal.SIGPROF)
        assert isinstance(making.exception(PATIENCE), renderer.Exhausted)
    assert "next" in text_of(renderer.make(job("next")))


def test_who_waits_too_long_for_another_page_is_told(client, monkeypatch):
    monkeypatch.setattr(renderer, "QUEUE_TIMEOUT", 0.1)
    code = start(client, "classic").code
    with renderer._RENDERER._lock:
        answer = client.get(f"/api/v1/games/{code}/sheet.pdf", headers={"Accept": "text/html"})
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")
    assert "Others are having sheets made" in answer.text
    assert client.get(f"/api/v1/games/{code}/sheet.pdf").status_code == 200


def test_a_sheet_that_took_too_long_on_a_busy_machine_may_be_tried_again(client, alice, monkeypatch):
    sheet = f"/api/v1/games/{alice.code}/sheet.pdf"
    renderer.make(job("first"))
    monkeypatch.setattr(renderer, "ANSWER_TIMEOUT", 0)
    answer = client.get(sheet, headers={"Accept": "text/html"})
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")
    assert 'href="">Try again</a>' in answer.text
    monkeypatch.undo()
    assert client.get(sheet).status_code == 200


def test_a_game_of_which_the_renderer_died_is_not_tried_for_ten_minutes_on_any_paper(client, alice, monkeypatch):
    tried = []

    def die(job):
        tried.append(job)
        raise renderer.Exhausted

    monkeypatch.setattr(renderer, "make", die)
    client.application.config["RATELIMIT_ENABLED"] = True
    sheet = f"/api/v1/games/{alice.code}/sheet"
    for address in (f"{sheet}.pdf", f"{sheet}.pdf", f"{sheet}.pdf?paper=a5&place=Here", f"{sheet}.png?paper=a4"):
        answer = client.get(address)
        assert (answer.status_code, answer.headers["Retry-After"]) == (503, "600")
        assert "too long to be printed" in answer.json["error"]["message"]
    assert len(tried) == 1
    page = client.get(f"{sheet}.pdf", headers={"Accept": "text/html"}).text
    assert "This can’t be printed now" in page
    for number in range(2):
        alice.record({"kind": "void", "reason": f"{number}"})
        assert client.get(f"{sheet}.pdf").status_code == 503
    assert len(tried) == 3  # another game, as it were; each failure counts as eleven sheets
    alice.record({"kind": "void", "reason": "last"})
    assert client.get(f"{sheet}.pdf").status_code == 429


def test_a_very_long_page_is_laid_out_plainly_at_once(monkeypatch):
    from app.sheets import render_worker

    rendered, render = [], render_worker._render
    monkeypatch.setattr(render_worker, "_render", lambda *about: rendered.append(about[1]) or render(*about))
    monkeypatch.setattr(render_worker, "MAX_HTML", 100)
    render_worker.make(job("<p id='line'>line</p>" * 4, sizes=(("p { font-size: 9pt }", "p { font-size: 8pt }"),)))
    assert rendered == [render_worker.PLAIN_PAPER]


def test_a_large_frame_keeps_calls_from_mapping_memory_however_deep_a_page_is_made(monkeypatch):
    from app.sheets import render_worker

    def pages_mapped(depth):
        if depth:
            return pages_mapped(depth - 1)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
        render_worker.make(render_worker.TRIAL)
        return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before

    pages_mapped(0)  # loads fonts
    depths = range(0, 160, 20)
    with_it = max(map(pages_mapped, depths))
    usual = render_worker.make.__code__.replace(co_stacksize=32)
    monkeypatch.setattr(render_worker.make, "__code__", usual)
    assert with_it < max(map(pages_mapped, depths)) / 2


def test_without_a_temporary_folder_of_the_system_a_saved_game_is_read(client, monkeypatch):
    def refuse():
        raise FileNotFoundError("No usable temporary directory found")

    monkeypatch.setattr(tempfile, "tempdir", None)
    monkeypatch.setattr(tempfile, "_get_default_tempdir", refuse)
    saved = '--x\r\nContent-Disposition: form-data; name="saved"; filename="game.json"\r\n\r\n{%s}\r\n--x--\r\n'
    kind = "multipart/form-data; boundary=x"
    assert client.post("/copy/saved", data=saved % (" " * 700_000), content_type=kind).status_code == 422
    assert settings.child_environment()["TMPDIR"] == str(settings.data_folder() / "tmp")


def test_the_start_says_if_temporary_files_cannot_be_written(tmp_path, monkeypatch):
    monkeypatch.setenv("DATA", str(tmp_path))
    assert settings.make_temporary_folder() == ""
    (tmp_path / "tmp").rmdir()
    (tmp_path / "tmp").touch()
    assert settings.make_temporary_folder().startswith(f"Temporary files cannot be written to {tmp_path}")


def test_nothing_is_fetched_but_static_files(tmp_path, server):
    """A picture from the network, from the disk or out of the page itself leaves the page as it is without it."""
    secret = tmp_path / "secret.css"
    secret.write_text("p { display: none }")
    plain = len(renderer.make(job("<p>shown</p>")))
    for address in (f"{server.url}/static/icons/icon-512.png", "/etc/passwd", "file:///etc/passwd", "../instance/x"):
        made = renderer.make(job(f"<p>shown</p><img alt='' src='{address}'>"))
        assert "shown" in text_of(made)
        assert abs(len(made) - plain) < 600
    inside = base64.b64encode(b"p { display: none }").decode()
    for link in (secret.as_uri(), f"data:text/css;base64,{inside}"):
        assert "shown" in text_of(renderer.make(job(f"<link rel='stylesheet' href='{link}'><p>shown</p>")))


def test_a_page_that_is_not_well_formed_is_read_as_a_browser_would():
    made = text_of(renderer.make(job("<p>one<br>two <b>three</p><p>four &nbsp; five")))
    assert "three" in made
    assert "four" in made


def test_those_who_ask_for_the_same_at_once_are_given_the_same(app, client, monkeypatch):
    code = start(client, "classic").code
    jobs = []
    print_it = renderer.make
    monkeypatch.setattr(renderer, "make", lambda job: jobs.append(job) or print_it(job))
    with ThreadPoolExecutor(6) as readers:
        asked = [f"/api/v1/games/{code}/sheet.pdf"] * 6
        answers = list(readers.map(lambda address: app.test_client().get(address), asked))
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.data for answer in answers}) == 1
    assert len(jobs) <= 2  # so many are made at once


@pytest.mark.parametrize(
    ("lines", "sizes", "pages", "taken"),
    [
        (60, (20, 12, 11, 9, 2), 1, 9),  # of 271 mm a line may have 4.5, so 9.5 points
        (60, (18, 12, 11), 2, 18),  # if all need two pages, the largest of them
        (10, (20, 12, 11, 9), 1, 20),
        (120, (40, 30, 20, 12, 9), 2, 9),
    ],
)
def test_the_largest_letters_that_take_no_more_pages_than_the_smallest_are_taken(lines, sizes, pages, taken):
    many = "".join(f"<p id='line-{n}'>line</p>" for n in range(lines))
    tried = tuple(f"p {{ font-size: {size}pt; line-height: 1.35 }}" for size in sizes)
    shown = pypdfium2.PdfDocument(renderer.make(job(many, sizes=(tried,))))
    assert len(shown) == pages
    assert max(size for size, _box in printed_sizes(shown[0])) == pytest.approx(taken, abs=0.1)


def test_each_list_of_choices_is_halved_by_itself():
    body = "<p id='one'>word</p><div id='two'>word</div>"
    sizes = (
        ("p { font-size: 90pt }", "p { font-size: 10pt }"),
        ("div { font-size: 400mm }", "div { font-size: 12pt }"),
    )
    (page,) = pypdfium2.PdfDocument(renderer.make(job(body, sizes=sizes)))
    assert {round(size) for size, _box in printed_sizes(page)} >= {90, 12}


def test_a_layout_wider_than_its_page_is_passed_over():
    table = "<table><tr id='row'><td>Wide-words-that-no-line-can-break</td></tr></table>"
    layouts = tuple(
        renderer.Layout(f"{page_css(A4, '')} td {{ white-space: nowrap; font-size: {size}pt }}") for size in (40, 20)
    )
    made = renderer.make(renderer.Job(f"<html lang='en'><title>T</title><body>{table}</body></html>", layouts))
    (page,) = pypdfium2.PdfDocument(made)
    assert {round(size) for size, box in printed_sizes(page) if box[1] < 250} == {20}


def test_it_starts_when_the_first_page_has_been_served(app, monkeypatch):
    started = []
    monkeypatch.setattr(renderer, "start", lambda: started.append("now"))
    start_renderer_early(app)
    client = app.test_client()
    for path, count in (("/api/v1/variants", 0), ("/", 1), ("/sheets", 1)):
        client.get(path).close()
        assert len(started) == count


def test_it_starts_once_in_the_background(child):
    renderer._RENDERER.end()
    renderer.start()
    warm = eventually(lambda: renderer._RENDERER._child)
    assert "warm" in text_of(renderer.make(job("warm")))
    assert renderer._RENDERER._child is warm


def renderers_under(pid):
    """The renderers among a process's children and theirs, and the worker of each, as /proc tells.

    What a renderer starts itself, to ask the system something, bears its name for a moment: no renderer of ours.
    """
    parents, renderers = {}, set()
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parents[int(folder.name)] = int((folder / "stat").read_text().rsplit(")", 1)[1].split()[1])
            if b"app.sheets.render_worker" in (folder / "cmdline").read_bytes().split(b"\0"):
                renderers.add(int(folder.name))
        except OSError:
            continue  # it ended meanwhile
    family = {pid}
    while grown := {each for each, parent in parents.items() if parent in family} - family:
        family |= grown
    return [(each, parents[each]) for each in renderers & family if parents[each] not in renderers]


@pytest.fixture
def own_server(database):
    with Server(f"sqlite:///{database}") as server:
        yield server


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc to look for processes")
def test_the_renderer_starts_with_the_first_sheet_and_ends_with_its_server(own_server):
    assert renderers_under(own_server.process.pid) == []
    with urlopen(f"{own_server.url}/api/v1/sheets/blank.pdf?variant=european") as sheet:
        assert sheet.read(5) == b"%PDF-"
    ((press_of_it, worker),) = eventually(lambda: renderers_under(own_server.process.pid))
    os.kill(worker, signal.SIGKILL)
    eventually(lambda: not Path(f"/proc/{press_of_it}").exists())
