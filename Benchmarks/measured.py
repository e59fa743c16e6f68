"""Runs programs and measures their time and memory."""

import os
import subprocess
import time
from dataclasses import asdict, dataclass


class Failed(Exception):
    """A failed program or check; the message has the details."""


@dataclass
class Measured:
    """The resources that a program used, its children included."""

    wall_s: float
    user_s: float
    system_s: float
    peak_kib: int  # Of its largest process.

    def as_json(self):
        return {name: round(value, 4) for name, value in asdict(self).items()}


def measure(command, endings=(0,)):
    """Runs a command; returns the resources that it used, and its standard output.

    Raises Failed if its exit status is not in `endings`. Flushes the output of earlier runs to the
    disk first, so that writing it is not included.
    """
    os.sync()
    read, write = os.pipe()
    errors = os.memfd_create("errors")
    start = time.monotonic()
    # posix_spawn, not fork: the peak memory of a forked child would include that of this process.
    process = os.posix_spawnp(
        command[0], command, os.environ,
        file_actions=[
            (os.POSIX_SPAWN_DUP2, write, 1), (os.POSIX_SPAWN_DUP2, errors, 2),
            (os.POSIX_SPAWN_CLOSE, read)])
    os.close(write)
    with os.fdopen(read, "rb") as output:
        text = output.read().decode()
    _, status, usage = os.wait4(process, 0)
    wall = time.monotonic() - start
    os.lseek(errors, 0, os.SEEK_SET)
    with os.fdopen(errors, "rb") as file:
        said = file.read().decode(errors="replace")
    code = os.waitstatus_to_exitcode(status)
    if code not in endings:
        raise Failed(f"{' '.join(command)} exited with {code}:\n{said[-2000:]}")
    return Measured(wall, usage.ru_utime, usage.ru_stime, usage.ru_maxrss), text


def require(folder, names):
    """Raises Failed if one of the executables is missing from the folder."""
    for name in names:
        if not os.access(f"{folder}/{name}", os.X_OK):
            raise Failed(
                f"{folder}/{name} is missing or not executable; start this script with make, "
                "which builds it")


def quiet(command):
    """Runs a command without measuring it; returns its standard output."""
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise Failed(f"{' '.join(command)} exited with {done.returncode}:\n{done.stderr[-2000:]}")
    return done.stdout
