"""What failed once in a run has failed, also where a worker crashed or hung over it and another one passed it."""

import pytest

LAST_FAILED = "cache/lastfailed"
"""Where pytest's own cache keeps their names; it forgets what passes later in the same run."""


class Crashes:
    """Keeps the names of all that failed, for ``--last-failed``, and the work going after a crash."""

    def __init__(self):
        self.failed = {}

    def pytest_runtest_logreport(self, report):
        if report.failed:
            self.failed[report.nodeid] = True

    @pytest.hookimpl(optionalhook=True)
    def pytest_handlecrashitem(self, sched):
        """A crashed worker's files are shared out anew, finished ones too, over which the next worker would wait."""
        waiting = getattr(sched, "workqueue", {})
        for file in [file for file, tests in waiting.items() if all(tests.values())]:
            del waiting[file]

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session):
        if self.failed and hasattr(session.config, "cache") and not hasattr(session.config, "workerinput"):
            cache = session.config.cache
            cache.set(LAST_FAILED, cache.get(LAST_FAILED, {}) | self.failed)


def pytest_configure(config):
    config.pluginmanager.register(Crashes(), "crashes")
