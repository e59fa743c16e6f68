"""The synthetic stores that everyone reads."""

import os
import shutil

from measured import quiet


def written(bin, folder, options):
    """A store with these options; written unless a newer one than the generator lies there."""
    sample, stamp = f"{bin}/paidline-sample", f"{folder}/.written"
    if not os.path.exists(stamp) or os.path.getmtime(stamp) < os.path.getmtime(sample):
        shutil.rmtree(folder, ignore_errors=True)
        quiet([sample, folder, *options])
        with open(stamp, "w"):
            pass
    return folder


def gzip_bytes(store):
    """The size of its exports."""
    return sum(
        entry.stat().st_size for part in ("receipts", "prices")
        for entry in os.scandir(f"{store}/{part}") if entry.name.endswith(".gz"))


def warm(store):
    """Brings its exports into the page cache, for everyone alike."""
    for part in ("receipts", "prices"):
        for entry in os.scandir(f"{store}/{part}"):
            with open(entry.path, "rb") as file:
                while file.read(1 << 20):
                    pass
