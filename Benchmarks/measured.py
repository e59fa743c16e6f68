"""One program run to its end, with its time and memory."""

import os
import subprocess
import time
from dataclasses import asdict, dataclass


class Failed(Exception):
    """A program ended badly; says which and how."""


@dataclass
class Measured:
    """What a program used, its children included."""

    wall_s: float
    user_s: float
    system_s: float
    peak_kib: int  # of the largest of its processes

    def as_json(self):
        return {name: round(value, 4) for name, value in asdict(self).items()}


def measure(command, endings=(0,)):
    """Runs a command, which ends with one of some codes; answers what it used, and its standard output.

    What earlier runs have written goes to the disk first, so that nobody pays for another's pages.
    """
    os.sync()
    read, write = os.pipe()
    errors = os.memfd_create("errors")
    start = time.monotonic()
    # posix_spawn, not fork: a forked child's peak would begin with this process' memory.
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
        raise Failed(f"{' '.join(command)} ended with {code}:\n{said[-2000:]}")
    return Measured(wall, usage.ru_utime, usage.ru_stime, usage.ru_maxrss), text


def require(folder, names):
    """Refuses a folder without these executables."""
    for name in names:
        if not os.access(f"{folder}/{name}", os.X_OK):
            raise Failed(f"{folder}/{name} is missing: start this with make, which builds it")


def quiet(command):
    """Runs a command that is not measured; answers its standard output."""
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise Failed(f"{' '.join(command)} ended with {done.returncode}:\n{done.stderr[-2000:]}")
    return done.stdout
