"""Create the environment in which the app or its tests run, using only the standard library.

The first call installs what is missing: system libraries with apt, then `.venv` with exactly the packages of a
hash-locked list. It leaves a stamp, so later calls change nothing and need no network.
"""

from __future__ import annotations

import compileall
import ctypes
import fcntl
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import NoReturn

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
OLDEST_PYTHON = (3, 11)
APP_LOCK = ROOT / "app" / "requirements.lock"
TESTS_LOCK = ROOT / "tests" / "requirements.lock"


def has_library(name: str) -> bool:
    """Return whether the system's loader finds the shared library `name`."""
    with suppress(OSError):
        ctypes.CDLL(name)
        return True
    return False


def has_venv() -> bool:
    """Return whether this Python can create a virtual environment with pip (Debian packages that separately)."""
    return find_spec("venv") is not None and find_spec("ensurepip") is not None


# the Debian name of each package, with a check that it is installed
APP_PACKAGES: dict[str, Callable[[], bool]] = {
    "libpangoft2-1.0-0": lambda: has_library("libpangoft2-1.0.so.0"),
    "libharfbuzz-subset0": lambda: has_library("libharfbuzz-subset.so.0"),
    "python3-venv": has_venv,
}
_OFFLINE = "The first start needs the internet: connect this machine to it, then try again."
MEMORY = {"MALLOC_ARENA_MAX": "2", "MALLOC_TRIM_THRESHOLD_": "131072", "MALLOC_MMAP_THRESHOLD_": "65536"}
"""Settings that glibc reads when a process starts: without them, a thread keeps what its largest response took."""


def enter(module: str, lock: Path, packages: dict[str, Callable[[], bool]]) -> None:
    """Return if this process runs inside the environment; otherwise replace it by one that does.

    `module` is the argument of ``python3 -m``, and `lock` the list of packages it needs.
    """
    if sys.version_info < OLDEST_PYTHON:
        _stop(f"Python 3.11 or newer is needed; this is {sys.version.split()[0]}.")
    is_inside = Path(sys.prefix).resolve() == VENV.resolve() and is_ready(lock)
    if is_inside and os.environ.keys() >= MEMORY.keys():
        return
    if not is_inside and _missing(packages):
        with _one_at_a_time():
            install_missing(packages)
    python = environment(lock)
    # -P and PYTHONPATH: from whatever folder this is called, `module` is the one next to this file
    path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    os.execve(python, [python, "-P", "-m", module, *sys.argv[1:]], {**MEMORY, **os.environ, "PYTHONPATH": path})


def environment(lock: Path, venv: Path = VENV) -> str:
    """Return the path of the Python in `venv`, after installing there whatever it lacks of `lock`."""
    if not is_ready(lock, venv):
        with _one_at_a_time():
            if not is_ready(lock, venv):
                make_environment(lock, venv)
    return str(venv / "bin" / "python")


def is_ready(lock: Path, venv: Path = VENV) -> bool:
    """Return whether `venv` has a working interpreter and every package of `lock`."""
    try:
        stamps = (venv / "installed").read_text(encoding="ascii").split()
    except OSError:
        return False
    return stamp_of(lock, _release(venv)) in stamps


def stamp_of(lock: Path, release: str) -> str:
    """Return a text that identifies a list of packages installed for one release of Python."""
    return f"{release}-{sha256(lock.read_bytes()).hexdigest()}"


def _release(venv: Path) -> str:
    """Return the Python release of `venv`, such as 3.11; empty if its interpreter does not start.

    After an upgrade of the system's Python, the interpreter may be a broken link or another release.
    """
    show = "import sys; print('%d.%d' % sys.version_info[:2])"
    return _output([str(venv / "bin" / "python"), "-c", show]).strip()


def _output(command: Sequence[str]) -> str:
    """Return the output of a command; empty if it fails or does not exist."""
    try:
        result = subprocess.run(command, check=False, capture_output=True, text=True)
    except OSError:
        return ""
    return result.stdout if result.returncode == 0 else ""


def make_environment(lock: Path, venv: Path = VENV) -> None:
    """Install the packages of `lock` into `venv`, which is created anew if it is broken."""
    python = str(venv / "bin" / "python")
    place = venv if venv.exists() else venv.parent
    if not os.access(place, os.W_OK):
        _stop(
            f"{place} lacks packages, and this user cannot write to it: let its owner run python3 -m app install there."
        )
    if not _output([python, "-m", "pip", "--version"]):
        _say(f"making {venv.name}")
        shutil.rmtree(venv, ignore_errors=True)
        _call([sys.executable, "-m", "venv", str(venv)])
    _say(f"installing the packages of {lock.parent.name}/{lock.name}")
    install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    # before 23.3, without --no-deps, pip looks at newer releases if a package requires another with extras
    exactly = ["--no-deps", "--require-hashes", "--only-binary=:all:"]
    # pip would compile every module; Python compiles the few it imports, when it first imports them
    failed = f"The packages could not be fetched. {_OFFLINE}"
    _call([*install, *exactly, "--no-compile", "-r", str(lock)], failed=failed)
    # the tests' list includes the app's packages
    installed = (TESTS_LOCK, APP_LOCK) if lock == TESTS_LOCK else (lock,)
    stamps = [stamp_of(each, _release(venv)) for each in installed]
    (venv / "installed").write_text("\n".join(stamps) + "\n", encoding="ascii")


def compile_all(venv: Path = VENV) -> None:
    """Compile the program and its packages once, for users who may not write to their folders."""
    for folder in (venv / "lib", ROOT / "app"):
        compileall.compile_dir(folder, quiet=2)  # some packages contain modules for another Python


def install_missing(packages: dict[str, Callable[[], bool]]) -> None:
    """Install the system packages that are missing, or exit with a message that says how."""
    missing = _missing(packages)
    if not missing:
        return
    if shutil.which("apt-get") is None:
        _stop(
            f"Install {', '.join(missing)} with this system's own package manager, then try again. These are the"
            " names in Debian; “Other systems” in docs/running.md has more."
        )
    commands = apt_commands(missing, with_sudo=os.geteuid() != 0 and shutil.which("sudo") is not None)
    text = " && ".join(" ".join(command) for command in commands)
    _say(f"system packages are missing; this installs them:\n  {text}")
    if not may_install():
        _stop("Nothing was installed. Let somebody who may install packages run that command, then try again.")
    for command in commands:
        _call(command, failed=f"That failed, and the reason is above. {_OFFLINE}")


def _missing(packages: dict[str, Callable[[], bool]]) -> list[str]:
    return [name for name, is_there in packages.items() if not is_there()]


def apt_commands(missing: Sequence[str], *, with_sudo: bool) -> list[list[str]]:
    """Return the commands that install the packages `missing`, as typed in a shell.

    >>> apt_commands(["libatomic1"], with_sudo=False)[1]
    ['apt-get', 'install', '-y', '--no-install-recommends', 'libatomic1']
    """
    sudo = ["sudo"] if with_sudo else []
    return [
        [*sudo, "apt-get", "update"],
        [*sudo, "apt-get", "install", "-y", "--no-install-recommends", *missing],
    ]


def may_install() -> bool:
    """Return whether to continue: root may install, a person is asked, and otherwise sudo must need no password."""
    if os.geteuid() == 0:
        return True
    if shutil.which("sudo") is None:
        return False
    if is_attended():
        return says_yes("Install them now?")
    return subprocess.run(["sudo", "-n", "true"], check=False, capture_output=True).returncode == 0


def is_attended() -> bool:
    """Return whether a person is at the terminal; never with ``CI=true``."""
    return sys.stdin.isatty() and os.environ.get("CI", "").lower() not in ("true", "1")


def says_yes(question: str) -> bool:
    """Ask the person at the terminal and return whether they agree: Enter means yes, Ctrl+D means no."""
    with suppress(EOFError):
        return input(f"{question} [Y/n] ").strip().lower() in ("", "y", "yes")
    return False


@contextmanager
def _one_at_a_time() -> Iterator[None]:
    """Let one process at a time install, because two would write to the same place.

    The lock is on the folder itself, so that a process that installs nothing writes nothing.
    """
    folder = os.open(ROOT, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)


def _call(command: Sequence[str], failed: str = "") -> None:
    noninteractive = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    if subprocess.run(command, check=False, env=noninteractive).returncode:
        _stop(failed or f"This failed:\n  {' '.join(command)}")


def _say(text: str) -> None:
    print(f"kalooki: {text}", flush=True)


def _stop(text: str) -> NoReturn:
    print(f"kalooki: {text}", file=sys.stderr, flush=True)
    sys.exit(1)
