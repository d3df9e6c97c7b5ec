"""What a phone fetched under one release serves its pages until another has come; then nothing of it stays."""

from urllib.parse import urlsplit

import pytest

from app.views.responses import static_path

pytestmark = pytest.mark.browser

KEEP = """async (paths) => {
    const kept = await caches.open("kalooki");
    for (const path of paths) await kept.put(path, new Response("p { color: red }"));
}"""
KEPT = """async () => (await (await caches.open("kalooki")).keys())
    .map((each) => new URL(each.url).pathname).filter((path) => path.startsWith("/static/"))"""
FETCH = "async (path) => { const answer = await fetch(path); return [answer.status, await answer.text()] }"
OTHER = "/static/0123456789"
EARLIER = ["/static/js/page.js?v=99e786c248", f"{OTHER}/js/page.js", f"{OTHER}/css/gone.css"]


def test_everything_a_page_names_is_of_one_release(table):
    phone, asked = table.scorer(""), []
    phone.on("request", lambda request: asked.append(urlsplit(request.url).path))
    phone.get_by_role("link", name="Record hand 1").tap()
    phone.locator("form.is-live").wait_for()
    files = [path for path in asked if path.startswith("/static/")]
    assert len(files) > 10
    assert [path for path in files if not path.startswith(f"{static_path()}/")] == []


def test_the_worker_keeps_files_of_one_release(table):
    phone = table.device(service_workers="allow")
    phone.goto("/healthz")  # which installs no worker
    phone.evaluate(KEEP, EARLIER)
    phone.goto(table.game)
    phone.evaluate("() => navigator.serviceWorker.ready")
    phone.wait_for_function("() => navigator.serviceWorker.controller || location.reload()")
    phone.goto("/")
    phone.wait_for_function(f"() => ({KEPT})().then((kept) => kept.includes('{static_path()}/js/page.js'))")
    kept = phone.evaluate(KEPT)
    assert f"{static_path()}/css/app.css" in kept
    assert [path for path in kept if not path.startswith(f"{static_path()}/")] == [f"{OTHER}/css/gone.css"]

    phone.context.set_offline(True)  # a page kept under another release finds the file of this one
    status, text = phone.evaluate(FETCH, "/static/9876543210/css/app.css")
    assert (status, "@layer reset, parts, pages, paper;" in text) == (200, True)
    phone.reload()
    assert phone.evaluate("() => getComputedStyle(document.body).margin") == "0px"
