"""A private PostgreSQL cluster on a socket in a folder of its own, gone after the tests."""

import getpass
import itertools
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from contextlib import suppress
from pathlib import Path

PACKAGED = Path("/usr/lib/postgresql")


def programs():
    """The folder of PostgreSQL's programs, the newest release's where there are several."""
    for path in sorted(PACKAGED.glob("*/bin"), key=lambda path: int(path.parent.name))[::-1]:
        if (path / "initdb").exists():
            return path
    found = shutil.which("initdb")
    return Path(found).resolve().parent if found else None


class Cluster:
    """PostgreSQL refuses to run as root, so as root its processes belong to somebody else."""

    def __init__(self, where):
        self.where = where
        self.folder = Path(tempfile.mkdtemp(prefix="kalooki-pg-"))
        self.user = None
        self.process = None
        self.is_safe = False
        self.port = 5432
        self.names = (f"games_{number}" for number in itertools.count(1))
        if os.geteuid() == 0:
            known = {user.pw_name for user in pwd.getpwall()}
            self.user = "postgres" if "postgres" in known else "nobody"
            shutil.chown(self.folder, self.user)

    def start(self, tls_on=None, *, is_safe=False):
        """Start it on a socket alone, or also on that port of this machine, with TLS and a certificate of its own.

        Only where it `is_safe` does it wait for the disk.
        """
        self.is_safe = is_safe
        owner = self.user or getpass.getuser()
        data = self.folder / "data"
        make = ["initdb", "-D", data, "-U", owner, "-A", "trust", "--no-sync", "-E", "UTF8"]
        self.call(*make, "--locale=C")
        self.owner = owner
        self.launch(["listen_addresses="] if tls_on is None else self.encrypted(data, tls_on))

    def launch(self, where=("listen_addresses=",)):
        """Start it again, and return when it answers."""
        quick = ["-c", f"fsync={'on' if self.is_safe else 'off'}", "-c", "max_connections=200", "-c", *where]
        until = time.monotonic() + 60
        self.process = None
        while self.ask("select 1").returncode:
            assert time.monotonic() < until, "PostgreSQL never answered"
            if self.process is None or self.process.poll() is not None:  # what is left of a killed one is in its way
                self.process = subprocess.Popen(
                    [self.where / "postgres", "-D", self.folder / "data", "-k", self.folder, *quick],
                    user=self.user,
                    cwd=self.folder,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                )
            time.sleep(0.05)

    def encrypted(self, data, port):
        """How it is told to encrypt, with the certificate it has made for itself."""
        self.port, self.certificate = port, data / "server.crt"
        files = ["-keyout", data / "server.key", "-out", self.certificate]
        of_whom = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"]
        command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", *files, *of_whom]
        subprocess.run(command, check=True, user=self.user, cwd=self.folder, capture_output=True)
        return ["listen_addresses=127.0.0.1", "-c", f"port={port}", "-c", "ssl=on"]

    def call(self, program, *arguments):
        command = [self.where / program, *arguments]
        subprocess.run(command, check=True, user=self.user, cwd=self.folder, capture_output=True)

    def ask(self, statement, database="postgres"):
        """Let psql run one statement."""
        command = [self.where / "psql", "-h", self.folder, "-p", str(self.port), "-U", self.owner, "-d", database]
        return subprocess.run([*command, "-Atc", statement], check=False, capture_output=True, text=True)

    def create_database(self, like="template1"):
        """The URL of a new database: an empty one, or a copy of another that nobody is connected to."""
        name = next(self.names)
        assert self.ask(f"create database {name} template {like}").returncode == 0
        return f"postgresql://{self.owner}@/{name}?host={self.folder}"

    def halt(self):
        """Stop it properly, whoever is connected."""
        self.process.send_signal(signal.SIGINT)
        self.process.wait(timeout=60)

    def kill(self):
        """Pull the plug: it and all its processes at once."""
        pid = self.process.pid
        others = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        for each in (pid, *map(int, others)):
            with suppress(ProcessLookupError):
                os.kill(each, signal.SIGKILL)
        self.process.wait(timeout=60)

    def follow(self, first):
        """Be a copy of another cluster that hears of everything recorded there."""
        self.owner = first.owner
        shutil.rmtree(self.folder / "data", ignore_errors=True)
        self.call("pg_basebackup", "-D", self.folder / "data", "-R", "-c", "fast", "-h", first.folder, "-U", self.owner)
        self.launch()

    def stop(self):
        self.process.send_signal(signal.SIGQUIT)  # its data is thrown away, so it need not shut down properly
        self.process.wait(timeout=30)
        shutil.rmtree(self.folder, ignore_errors=True)
