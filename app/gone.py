"""What an earlier release had: its commands, settings and pages, and what there is instead."""

from __future__ import annotations

from collections.abc import Mapping

_RULED_ON_CARDS = "Cards are checked in the browser only: start the app with python3 -m app and open its page “Check”."
COMMANDS: Mapping[str, str] = {
    "accept-older": "An older database is served as it is: start the server.",
    "check-logs": "It is python3 -m app check now.",
    "check-variants": "The variants are those of the app; what a table plays differently are house rules of its game.",
    "count": _RULED_ON_CARDS,
    "move": "Copy everything into an empty database, then name that in DATABASE_URL: python3 -m app copy-to URL.",
    "sheet": "A saved game is shown in the browser only: bring it in on the page “Bring in a saved game”.",
    "solve": _RULED_ON_CARDS,
}
"""The commands that are gone."""

SETTINGS: Mapping[str, str] = {
    "KEEP_DAYS": "nothing is deleted by itself any more; python3 -m app forget --days 365 deletes what nobody used for"
    " so long, every night if deploy/kalooki-forget.timer is enabled.",
    "LISTEN_URL": "there is no pooler any more: DATABASE_URL leads to PostgreSQL itself.",
    "METRICS": "the server counts nothing for Prometheus any more; /readyz says whether it can save.",
    "PRESS_WAITS": "the press starts with the first sheet.",
    "RATELIMIT_ENABLED": "the limits are always on; with PROXY_HOPS each phone behind a proxy has its own.",
    "REQUEST_LOG": "requests have their lines wherever standard error is no terminal.",
    "STARTS": "the proxy says who may start games, by the rule “Who may start games” of deploy/nginx.conf or"
    " deploy/Caddyfile; put that in its file, then take STARTS away.",
    "START_WORD": "the proxy asks for it, by the rule “Who may start games” of deploy/nginx.conf or deploy/Caddyfile.",
    "WORKERS": "python3 -m app is one process; uvicorn --workers runs several (docs/running.md, “Another server”).",
}
"""The settings that are gone; where one is still given, the start goes on and says so."""

ADDRESSES: Mapping[str, str] = {
    "/g/<code>/appeals": "games.show",
    "/g/<code>/mend": "game_pages.more",
    "/g/<code>/opinion": "games.show",
    "/g/<code>/own": "rules.game",
    "/g/<code>/pen": "games.show",
    "/g/<code>/quick": "disputes.index",
    "/g/<code>/quick/<slug>": "disputes.index",
    "/g/<code>/quick/<slug>/shown": "disputes.index",
    "/g/<code>/withdraw": "games.show",
    "/games/numbers": "evenings.games",
    "/look": "start.home",
    "/quick": "disputes.index",
    "/quick/<slug>": "disputes.index",
    "/quick/<slug>/shown": "disputes.index",
}
"""The pages that are gone, and the endpoint there is instead (app/views/earlier.py)."""
