"""The address that says whether the server works, and what every answer carries."""


def test_health_answers_when_the_database_does(client):
    answer = client.get("/healthz")
    assert answer.status_code == 200
    assert answer.json == {"status": "ok"}


def test_every_answer_forbids_scripts_and_frames_of_others(client):
    for address in ("/healthz", "/no-such-page"):
        policy = client.get(address).headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "script-src 'self'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
