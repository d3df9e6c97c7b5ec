"""The latest results: one section for each benchmark in `tests/bench/RESULTS.md`."""

from __future__ import annotations

import os
import platform
import re
from datetime import UTC, datetime
from pathlib import Path

RESULTS = Path(__file__).parent / "RESULTS.md"
HEAD = "# What the benchmarks measured last\n\nRatios are worth comparing; times are the machine's.\n"


def keep(name: str, output: str, file: Path = RESULTS) -> None:
    """Replace a benchmark's section by its output; sections are in alphabetical order."""
    text = file.read_text(encoding="utf-8") if file.exists() else HEAD
    head, *rest = re.split(r"^## ", text, flags=re.MULTILINE)
    sections = {section.split("\n", 1)[0]: section for section in rest}
    measured = "".join(line for line in output.splitlines(keepends=True) if not line.startswith("kalooki: "))
    sections[name] = f"{name}\n\n{machine()}\n\n```\n{measured.strip()}\n```\n"
    told = [f"## {sections[each].strip()}\n" for each in sorted(sections)]
    file.write_text("\n".join([head.strip() + "\n", *told]), encoding="utf-8")


def machine() -> str:
    """The day, the processor, the release of Python, and how busy the machine was."""
    found = re.search(r"^model name\s*: (.*)$", _cpuinfo(), re.MULTILINE)
    model = found.group(1) if found else platform.machine()
    day = datetime.now(UTC).date().isoformat()
    busy = os.getloadavg()[0]
    return f"{day} · {os.cpu_count()} × {model} · Python {platform.python_version()} · load {busy:.1f} at the end"


def _cpuinfo() -> str:
    try:
        return Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return ""
