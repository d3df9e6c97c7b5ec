"""``python3 -m app``: make the environment on the first call, then serve; `--version` installs nothing."""

import sys

from app import bootstrap
from app.version import VERSION

if sys.argv[1:] == ["--version"]:
    sys.stdout.write(f"Kalooki Referee {VERSION}\n")
    sys.exit()

bootstrap.enter("app", bootstrap.APP_LOCK, bootstrap.APP_PACKAGES)

from app.serving import serve  # noqa: E402 - needs the environment that was just made

serve.main()
