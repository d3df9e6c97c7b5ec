"""One command makes the environment: on a first call, on later ones, and where it may not."""

import base64
import hashlib
import io
import os
import pty
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from importlib import metadata
from importlib.util import cache_from_source
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from app import bootstrap
from tests.conftest import ROOT

NOBODY = 65534


MAIN = """
from app import bootstrap
bootstrap.enter("app", bootstrap.APP_LOCK, {})
import os, sys, tiny
print("inside", sys.prefix, tiny.ANSWER, *map(os.path.expandvars, sys.argv[1:]))
"""


INSTALL = """
import os
from app import bootstrap
{become}
bootstrap.install_missing({{"libnothing7": lambda: False, "libthere1": lambda: True}})
print("went on")
"""


def make_wheel(folder, name="tiny", release="1.0", needs=""):
    """A package of one line, so that installing needs no network; returns its line in a lock."""
    path = folder / f"{name}-{release}-py3-none-any.whl"
    about = f"Metadata-Version: 2.1\nName: {name}\nVersion: {release}\nProvides-Extra: more\n{needs}"
    files = {
        f"{name}.py": "ANSWER = 51\n",
        f"{name}-{release}.dist-info/METADATA": about,
        f"{name}-{release}.dist-info/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = f"{name}-{release}.dist-info/RECORD"
    with zipfile.ZipFile(path, "w") as wheel:
        rows = [f"{record},,"]
        for inside, text in files.items():
            wheel.writestr(inside, text)
            digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest())
            rows.append(f"{inside},sha256={digest.rstrip(b'=').decode()},{len(text)}")
        wheel.writestr(record, "\n".join(rows))
    return f"{name}=={release} --hash=sha256:{hashlib.sha256(path.read_bytes()).hexdigest()}\n"


class Project:
    """A folder like a fresh clone whose only dependency is that wheel."""

    def __init__(self, folder):
        self.folder = folder
        self.venv = folder / ".venv"
        self.wheels = folder / "wheels"
        for name in ("app", "tests", "instance", "wheels"):
            (folder / name).mkdir()
        shutil.copy(ROOT / "app" / "bootstrap.py", folder / "app")
        (folder / "app" / "__init__.py").write_text("")
        (folder / "app" / "__main__.py").write_text(MAIN)
        self.lock = folder / "app" / "requirements.lock"
        self.lock.write_text(make_wheel(self.wheels))
        (folder / "tests" / "requirements.lock").write_text("")

    def start(self, *arguments, offline=False):
        environment = {key: os.environ[key] for key in ("PATH", "HOME") if key in os.environ}
        environment |= {"PIP_CONFIG_FILE": os.devnull, "PIP_NO_INDEX": "1"}
        if not offline:
            environment["PIP_FIND_LINKS"] = str(self.wheels)
        command = [sys.executable, "-m", "app", *arguments]
        said = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
        return subprocess.Popen(command, cwd=self.folder, env=environment, **said)

    def run(self, *arguments, offline=False):
        process = self.start(*arguments, offline=offline)
        said, _ = process.communicate(timeout=120)
        return process.returncode, said


@pytest.fixture(scope="module")
def clone(tmp_path_factory):
    """A clone after its first call, which finds what another Python left that is gone: a stamp, links, a package."""
    project = Project(tmp_path_factory.mktemp("clone"))
    left = project.venv / "lib" / "python3.11" / "site-packages"
    left.mkdir(parents=True)
    (left / "tiny.py").write_text("ANSWER = 50\n")
    (project.venv / "bin").mkdir()
    (project.venv / "bin" / "python").symlink_to(project.folder / "no-such-python")
    (project.venv / "installed").write_text(f"{bootstrap.stamp_of(project.lock, '3.11')}\n")
    project.first = project.run("--port", "1")
    return project


@pytest.fixture
def project(clone, tmp_path):
    """The clone after its first call, to be broken by one test."""
    shutil.copytree(clone.folder, tmp_path, dirs_exist_ok=True, symlinks=True)
    copy = object.__new__(Project)
    copy.folder, copy.venv, copy.wheels = tmp_path, tmp_path / ".venv", tmp_path / "wheels"
    copy.lock = tmp_path / "app" / "requirements.lock"
    return copy


@pytest.mark.long
def test_the_first_call_makes_the_environment_and_goes_on_inside(tmp_path):
    clone = Project(tmp_path)
    is_made(clone, *clone.run("--port", "1"))


def test_an_environment_whose_python_is_gone_is_made_anew(clone):
    is_made(clone, *clone.first)


def is_made(clone, status, said):
    assert status == 0, said
    assert "making .venv" in said
    assert "installing the packages of app/requirements.lock" in said
    assert f"inside {clone.venv} 51 --port 1" in said


def test_a_second_call_installs_nothing_and_needs_no_network(clone):
    assert clone.run("again", offline=True) == (0, f"inside {clone.venv} 51 again\n")


def test_packages_that_cannot_be_fetched_end_with_what_to_do(project):
    project.lock.write_text(make_wheel(project.wheels, "other"))
    shutil.rmtree(project.wheels)
    status, said = project.run()
    assert status == 1
    assert said.splitlines()[-1] == (
        "kalooki: The packages could not be fetched."
        " The first start needs the internet: connect this machine to it, then try again."
    )


def test_a_call_from_inside_the_environment_stays_in_it(clone):
    python = clone.venv / "bin" / "python"
    said = subprocess.run([python, "-m", "app"], cwd=clone.folder, check=True, capture_output=True, text=True)
    assert said.stdout == f"inside {clone.venv} 51\n"


def test_inside_threads_share_what_memory_they_have(clone):
    python = clone.venv / "bin" / "python"
    for each in (sys.executable, python):
        said = subprocess.run(
            [each, "-m", "app", "$MALLOC_ARENA_MAX"], cwd=clone.folder, check=True, capture_output=True, text=True
        )
        assert said.stdout == f"inside {clone.venv} 51 2\n"


@pytest.mark.long
def test_another_list_of_packages_is_installed_once(project):
    project.lock.write_text("# the same, compiled anew\n" + project.lock.read_text())
    assert "installing" in project.run()[1]
    assert "installing" not in project.run(offline=True)[1]


@pytest.mark.long
def test_only_what_is_listed_is_installed_however_new_others_are(project):
    listed = make_wheel(project.wheels, "other")
    make_wheel(project.wheels, "other", "1.1")
    asking = make_wheel(project.wheels, "asking", needs="Requires-Dist: other[more]>=1.0\n")
    project.lock.write_text(listed + asking + project.lock.read_text())
    status, said = project.run()
    assert status == 0, said
    assert [each.name for each in project.venv.rglob("other-*.dist-info")] == ["other-1.0.dist-info"]


@pytest.mark.parametrize("lock", [bootstrap.APP_LOCK, bootstrap.TESTS_LOCK], ids=["app", "tests"])
def test_a_list_of_packages_names_all_that_they_need(lock):
    listed = set(re.findall(r"^([\w.-]+)==", lock.read_text(), re.MULTILINE))
    needed = {each for name in listed if is_installed(name) for each in needs_of(name)}
    assert len(needed) > 20
    assert needed <= listed


def is_installed(name):
    """Whether a package of the list is for this kind of system."""
    return any(metadata.distributions(name=name))


def needs_of(name):
    """What a package needs on this system, and what the extras it asks others for need."""
    for each in map(Requirement, metadata.requires(name) or []):
        if each.marker is None or each.marker.evaluate({"extra": ""}):
            yield canonicalize_name(each.name)
            yield from (need for extra in each.extras for need in needs_of_extra(each.name, extra))


def needs_of_extra(name, extra):
    for each in map(Requirement, metadata.requires(name) or []):
        if each.marker is not None and "extra" in str(each.marker) and each.marker.evaluate({"extra": extra}):
            yield canonicalize_name(each.name)


@pytest.mark.long
def test_an_environment_half_made_is_finished(project):
    (project.venv / "installed").unlink()
    status, said = project.run()
    assert status == 0, said
    assert "installing" in said


def test_installed_for_other_users_everything_is_compiled(tmp_path):
    """A server that may not write beside its code would else compile it at each start."""
    module = tmp_path / "lib" / "python3" / "site-packages" / "spades.py"
    module.parent.mkdir(parents=True)
    module.write_text("ACE = 14\n")
    bootstrap.compile_all(tmp_path)
    for source in (module, bootstrap.ROOT / "app" / "kalooki" / "cards.py"):
        compiled = Path(cache_from_source(source))
        assert compiled.stat().st_mtime >= source.stat().st_mtime


@pytest.mark.long
def test_a_package_with_another_hash_is_refused_and_leaves_no_stamp(project):
    project.lock.write_text(f"tiny==1.0 --hash=sha256:{'0' * 64}\n")
    for installed in (project.venv / "installed", *project.venv.rglob("tiny.py")):
        installed.unlink()
    for about in project.venv.rglob("tiny-1.0.dist-info"):
        shutil.rmtree(about)
    status, said = project.run()
    assert status == 1
    assert "hash" in said.lower()
    assert not (project.venv / "installed").exists()


def test_two_first_calls_at_once_install_once(project):
    (project.venv / "installed").unlink()
    both = [project.start(), project.start()]
    said = [process.communicate(timeout=120)[0] for process in both]
    assert [process.returncode for process in both] == [0, 0]
    assert "".join(said).count("installing the packages") == 1


class Machine:
    """A machine with apt-get and perhaps sudo that only write down how they were called."""

    def __init__(self, folder):
        self.folder = folder
        self.calls = folder / "calls"
        self.calls.touch()
        self.calls.chmod(0o666)
        self.add("apt-get", 'echo "apt-get $*" >> "$CALLS"')

    def add(self, name, script):
        path = self.folder / name
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)

    def called(self):
        return self.calls.read_text().splitlines()

    def command(self, *, as_root):
        if as_root and os.geteuid() != 0:
            pytest.skip("only root can see what root sees")
        become = f"os.setuid({NOBODY})" if os.geteuid() == 0 and not as_root else ""
        return [sys.executable, "-c", INSTALL.format(become=become)]

    def run(self, *, as_root, stdin=subprocess.DEVNULL, **more):
        command = self.command(as_root=as_root)
        own = {"PATH": str(self.folder), "CALLS": str(self.calls), "HOME": "/"} | more
        return subprocess.run(command, cwd=ROOT, env=own, check=False, stdin=stdin, capture_output=True, text=True)

    def run_at_a_terminal(self, answer, **more):
        ours, theirs = pty.openpty()
        os.write(ours, f"{answer}\n".encode())
        try:
            return self.run(as_root=False, stdin=theirs, **more)
        finally:
            os.close(ours)
            os.close(theirs)


@pytest.fixture
def machine():
    folder = Path(tempfile.mkdtemp(prefix="kalooki-machine-"))
    folder.chmod(0o755)  # another user looks into it
    yield Machine(folder)
    shutil.rmtree(folder)


INSTALLS = ["apt-get update", "apt-get install -y --no-install-recommends libnothing7"]


FREE_SUDO = 'echo "sudo $*" >> "$CALLS"; [ "$1" = -n ] && shift; [ "$1" = true ] || "$@"'


NO_SUDO = 'echo "sudo $*" >> "$CALLS"; exit 1'
AS_ROOT, BY_SUDO = " && ".join(INSTALLS), " && ".join(f"sudo {command}" for command in INSTALLS)
UNATTENDED = {
    # who runs it, sudo, apt-get; how it ends, what it says, what it called
    "root installs and shows the command first": (True, "", "", 0, AS_ROOT, INSTALLS),
    "an installation that fails says what it needs": (True, "", "exit 100", 1, "first start needs the internet", []),
    "without sudo the command is root's": (False, "", "", 1, f"\n  {AS_ROOT}\n", []),
    "without the right it says who is to run it": (False, NO_SUDO, "", 1, "somebody who may install packages", []),
    "with a free sudo it goes on": (False, FREE_SUDO, "", 0, "went on", INSTALLS),
    "with a sudo that wants a password it stops": (False, NO_SUDO, "", 1, BY_SUDO, []),
}


@pytest.mark.parametrize("row", UNATTENDED.values(), ids=UNATTENDED)
def test_what_is_missing_is_installed_by_whoever_may(machine, row):
    as_root, sudo, apt, status, said, called = row
    for name, script in (("sudo", sudo), ("apt-get", apt)):
        if script:
            machine.add(name, script)
    done = machine.run(as_root=as_root)
    assert (done.returncode, done.stdout.endswith("went on\n")) == (status, status == 0)
    assert said in done.stdout + done.stderr
    assert [call for call in machine.called() if call.startswith("apt-get")] == called


def test_a_person_at_the_terminal_is_asked_before_sudo_and_continuous_integration_never(machine):
    machine.add("sudo", FREE_SUDO)
    refused = machine.run_at_a_terminal("n")
    assert refused.returncode == 1
    assert "Install them now?" in refused.stdout
    assert machine.called() == []
    agreed = machine.run_at_a_terminal("y")
    unasked = machine.run_at_a_terminal("n", CI="true")
    assert (agreed.returncode, unasked.returncode) == (0, 0)
    assert "Install them now?" not in unasked.stdout
    assert [call for call in machine.called() if call.startswith("apt-get")] == INSTALLS * 2


def test_a_system_without_apt_is_told_what_is_missing(machine):
    (machine.folder / "apt-get").unlink()
    done = machine.run(as_root=False)
    assert done.returncode == 1
    assert "libnothing7" in done.stderr
    assert "libthere1" not in done.stderr
    assert "docs/running.md" in done.stderr


def test_nothing_is_said_when_nothing_is_missing(capfd):
    bootstrap.install_missing({"libthere1": lambda: True})
    assert capfd.readouterr() == ("", "")


def test_libraries_are_looked_for_as_the_system_loads_them():
    assert bootstrap.has_library("libc.so.6" if sys.platform == "linux" else "libc.dylib")
    assert not bootstrap.has_library("libkalooki-nobody-has-this.so.9")


@pytest.mark.parametrize(("typed", "is_yes"), [("\n", True), (" Yes\n", True), ("n\n", False), ("", False)])
def test_enter_is_a_yes_and_the_end_of_input_a_no(monkeypatch, capsys, typed, is_yes):
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    assert bootstrap.says_yes("Go on?") is is_yes
    assert capsys.readouterr().out == "Go on? [Y/n] "
