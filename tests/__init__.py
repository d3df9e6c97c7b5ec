"""The tests; ``python3 -m tests`` runs them all."""

import shutil

from app.bootstrap import APP_PACKAGES, has_library

BROWSERS = ("chromium-headless-shell", "chromium")
"""The first one found is used. The headless one does the same with half the work."""
PACKAGES = APP_PACKAGES | {
    BROWSERS[0]: lambda: any(map(shutil.which, BROWSERS)),
    "libatomic1": lambda: has_library("libatomic.so.1"),
}
"""What the tests need of the system, as the app says it."""
