"""Where the time of a run goes: a table of processor and clock, by folder and for the dearest files.

A file's processor time includes that of the servers, renderers and browsers that ran meanwhile for its worker.
"""

import os
import time
from collections import Counter
from pathlib import Path

import pytest

TICKS = os.sysconf("SC_CLK_TCK")
DEAREST = 10
STARTING = "(starting and collecting)"


def processor():
    """Seconds of processor that this process took, and all it has started."""
    return sum(os.times()[:4]) + sum(_family(child) for child in _children(os.getpid()))


def _family(pid):
    """The same of a running process, which may end meanwhile; where there is no /proc, 0."""
    try:
        told = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    except OSError:
        return 0.0
    return sum(int(ticks) for ticks in told[11:15]) / TICKS + sum(_family(child) for child in _children(pid))


def _children(pid):
    try:
        return [child for each in Path(f"/proc/{pid}/task").glob("*/children") for child in each.read_text().split()]
    except OSError:
        return []


class Ledger:
    """What each file took in this process, and after the run in all workers."""

    def __init__(self):
        self.processor, self.clock = Counter(), Counter()
        self.counted = 0.0

    def count(self, file):
        """The processor time since the last count is this file's; a killed program takes its own with it."""
        taken = processor()
        self.processor[file] += max(0.0, taken - self.counted)
        self.counted = taken

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item, nextitem):
        if not self.counted:
            self.count(STARTING)
        file, began = item.nodeid.partition("::")[0], time.monotonic()
        done = yield
        self.clock[file] += time.monotonic() - began
        if nextitem is None or nextitem.path != item.path:
            self.count(file)
        return done

    def pytest_sessionfinish(self, session):
        if hasattr(session.config, "workeroutput"):
            session.config.workeroutput["spent"] = [dict(self.processor), dict(self.clock)]

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node):
        spent = getattr(node, "workeroutput", {}).get("spent", [{}, {}])
        self.processor.update(spent[0])
        self.clock.update(spent[1])

    def pytest_terminal_summary(self, terminalreporter):
        terminalreporter.section("where the time went")
        terminalreporter.write_line("processor    in tests")
        folders = [Counter(), Counter()]
        for taken, each in zip((self.processor, self.clock), folders, strict=True):
            for file, seconds in taken.items():
                each[folder_of(file)] += seconds
        files = Counter({file: seconds for file, seconds in self.processor.items() if file != STARTING})
        rows = folders[0].most_common(), files.most_common(DEAREST)
        for names, clock in zip(rows, (folders[1], self.clock), strict=True):
            for name, seconds in names:
                terminalreporter.write_line(f"{seconds:7.1f} s  {clock[name]:7.1f} s  {name}")
            terminalreporter.write_line("")
        terminalreporter.write_line(f"{self.processor.total():7.1f} s  {self.clock.total():7.1f} s  in all")


def folder_of(file):
    """The folder of the tests a file belongs to: tests/web/referee/test_check.py -> tests/web."""
    return file if file == STARTING else "/".join(Path(file).parts[:-1][:2]) or "."


def pytest_configure(config):
    config.pluginmanager.register(Ledger(), "ledger")
