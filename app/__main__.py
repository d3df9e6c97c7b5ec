"""``python3 -m app``: create the environment on the first call, then serve.

With the name of a command, run that command instead.
"""

import sys
from pathlib import Path

if not __package__:  # run as a folder, from anywhere
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

import app
from app import bootstrap

if sys.argv[1:] == ["--version"]:
    from app.settings import VERSION

    sys.stdout.write(f"Kalooki Referee {VERSION}\n")
    sys.exit()
bootstrap.enter("app", bootstrap.APP_LOCK, bootstrap.APP_PACKAGES)

if sys.argv[1:] == ["install"]:
    bootstrap.compile_all()
    sys.stdout.write("Everything it needs is installed.\n")
    sys.exit()
if sys.argv[1:]:
    from flask.cli import ScriptInfo

    from app import cli

    cli.COMMANDS.main(sys.argv[1:], prog_name="python3 -m app", obj=ScriptInfo(create_app=app.create_app))

from app.server import start  # noqa: E402 - needs the environment that was just made
from app.views.sheets import start_renderer_early  # noqa: E402

application = app.create_app()
start_renderer_early(application)
start.main(application)
