"""The machine on which the figures were measured, and the time."""

import os
import platform
import subprocess
from datetime import datetime, timezone


def describe():
    """Returns date, commit, processor, cores, memory, system and load average."""
    return {
        "date": datetime.now(timezone.utc).strftime("%Y-%m-%d %H:%M UTC"),
        "commit": _commit(),
        "processor": _first("/proc/cpuinfo", "model name"),
        "cores": os.cpu_count(),
        "memory_gib": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30),
        "system": _first("/etc/os-release", "PRETTY_NAME", "=").strip('"') or platform.platform(),
        "load": round(os.getloadavg()[0], 1),
    }


def sentence(machine):
    """Formats the result of `describe` as a sentence."""
    return (
        f"{machine['cores']} cores of {machine['processor'] or 'an unnamed processor'}, "
        f"{machine['memory_gib']} GiB, {machine['system']}; {machine['date']}, "
        f"commit {machine['commit']}, load {machine['load']} before the first run.")


def _commit():
    folder = os.path.dirname(__file__)
    done = subprocess.run(
        ["git", "-C", folder, "describe", "--always", "--dirty", "--abbrev=10"],
        capture_output=True, text=True)
    return done.stdout.strip() or "unknown"


def _first(path, key, separator=":"):
    try:
        with open(path) as lines:
            for line in lines:
                name, _, value = line.partition(separator)
                if name.strip() == key:
                    return value.strip()
    except OSError:
        pass
    return ""
