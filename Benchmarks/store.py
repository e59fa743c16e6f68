"""Creates and prepares the synthetic stores of the benchmarks."""

import os
import shutil

from measured import quiet


def written(bin, folder, options):
    """Writes a store, unless one newer than `paidline-sample` exists; returns its folder."""
    sample, stamp = f"{bin}/paidline-sample", f"{folder}/.written"
    if not os.path.exists(stamp) or os.path.getmtime(stamp) < os.path.getmtime(sample):
        shutil.rmtree(folder, ignore_errors=True)
        quiet([sample, folder, *options])
        with open(stamp, "w"):
            pass
    return folder


def gzip_bytes(store):
    """The total size of the gzip files of a store."""
    return sum(
        entry.stat().st_size for part in ("receipts", "prices")
        for entry in os.scandir(f"{store}/{part}") if entry.name.endswith(".gz"))


def warm(store):
    """Reads all exports of a store into the page cache, so that all programs start alike."""
    for part in ("receipts", "prices"):
        for entry in os.scandir(f"{store}/{part}"):
            with open(entry.path, "rb") as file:
                while file.read(1 << 20):
                    pass
