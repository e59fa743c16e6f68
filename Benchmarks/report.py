"""Formats the results as two Markdown tables: an overview, and one with all figures."""

import math
from statistics import median

import machine

NAMES = {
    "floor": "floor: zlib and inserts",
    "paidline": "**Paidline**",
    "python_orjson": "Python, orjson and sqlite3",
    "duckdb_sql": "DuckDB",
    "polars_frames": "Polars",
    "pandas_frames": "pandas",
}


def middle(runs, what="wall_s"):
    """The median of one figure over all runs."""
    return median(run[what] for run in runs)


def exponent(scales, name):
    """The growth of time with the size of the text, from each scale to the next.

    It is the exponent: 1 is linear, 2 is quadratic.
    """
    found = []
    for small, large in zip(scales, scales[1:]):
        if small["store"]["bought_nothing"] != large["store"]["bought_nothing"]:
            continue
        if name in small["runs"] and name in large["runs"]:
            time = middle(large["runs"][name]) / middle(small["runs"][name])
            size = large["store"]["text_bytes"] / small["store"]["text_bytes"]
            found.append(f"{math.log(time) / math.log(size):.2f}" if size > 1 else "-")
    return ", ".join(found) or "-"


def row(cells):
    return "| " + " | ".join(cells) + " |"


def overview(scales):
    """Yields a row per program with a column per scale.

    A cell has the median time, and its ratio to the floor or to Paidline.
    """
    head = [
        f"{scale['store']['customers']:,} customers, {scale['store']['bought_nothing']:.0%} without a "
        "purchase" for scale in scales]
    yield row(["", *head, "growth"])
    yield row(["---", *["---:" for _ in scales], "---:"])
    sizes = [
        f"{scale['store']['text_bytes'] / 1e6:,.0f} MB in {scale['store']['gzip_bytes'] / 1e6:,.0f}"
        for scale in scales]
    yield row(["JSON, in gzip", *sizes, ""])
    bases = [
        f"{(scale['store']['state_bytes'] + scale['store']['warehouse_bytes']) / 1e6:,.0f} MB"
        for scale in scales]
    yield row(["state.db and warehouse.db", *bases, ""])
    for name, title in NAMES.items():
        cells = []
        for scale in scales:
            runs = scale["runs"]
            if name not in runs:
                cells.append("-")
                continue
            time, base = middle(runs[name]), "floor" if name == "paidline" else "paidline"
            ratio = f"{time / middle(runs[base]):.2f}"
            note = {"floor": "", "paidline": f", {ratio} × floor"}.get(name, f", {ratio} × Paidline")
            cells.append(f"{time:.2f} s{note}")
        if set(cells) != {"-"}:
            yield row([title, *cells, exponent(scales, name)])


def details(scales):
    """Yields a row per program and scale, with all figures."""
    yield row([
        "customers", "bought nothing", "program", "runs", "median", "least–most", "user CPU", "system CPU",
        "peak memory"])
    yield row(["---:", "---:", "---", *["---:"] * 6])
    for scale in scales:
        for name, title in NAMES.items():
            runs = scale["runs"].get(name)
            if not runs:
                continue
            times = [run["wall_s"] for run in runs]
            system = "-" if name == "floor" else f"{middle(runs, 'system_s'):.2f} s"
            peak = f"{max(run['peak_kib'] for run in runs) / 1024:,.0f} MiB"
            if name == "floor":
                # It holds all rows in memory, which a real loader would create one by one.
                peak = "-"
                title += f" ({middle(runs, 'inflate_s'):.2f} + {middle(runs, 'insert_s'):.2f} s)"
            yield row([
                f"{scale['store']['customers']:,}", f"{scale['store']['bought_nothing']:.0%}", title, str(len(runs)), f"{median(times):.2f} s",
                f"{min(times):.2f}–{max(times):.2f}", f"{middle(runs, 'user_s'):.2f} s", system,
                peak])


def text(results):
    """Both tables, below a line with the machine and the date."""
    scales = results["scales"]
    return "\n".join([
        machine.sentence(results["machine"]), "", *overview(scales), "", *details(scales), ""])
