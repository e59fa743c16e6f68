"""Opens a report in chromium at three widths, light and dark, and without its scripts.

Usage: report.py REPORT CHARTS [FOLDER]

CHARTS is how many charts it must draw; FOLDER is where pictures of the page go.
"""

import sys
from pathlib import Path

from browser import Browser

SIZES = [("phone", 360, 740, True), ("tablet", 820, 1180, False), ("desktop", 1280, 900, False)]

# What every drawn chart says of itself: the sum of its bars, and of its table.
FIGURES = """
[...document.querySelectorAll("figure[data-chart=revenue]")].map((figure) => {
  const chart = Chart.getChart(figure.querySelector("canvas"));
  const tables = [...figure.parentElement.querySelectorAll("table")];
  const isMonthly = chart.data.labels.every((label) => label.length === 7);
  const table = isMonthly ? tables[tables.length - 1] : tables[0];
  const index = (key) => [...table.tHead.rows[0].cells].findIndex((cell) => cell.dataset.key === key);
  const sum = (key) => [...table.tBodies[0].rows].reduce(
    (total, row) => total + Number(row.cells[index(key)].dataset.value || 0), 0);
  const drawn = chart.data.datasets.filter((set) => !set.label.startsWith("unresolved"))
    .reduce((total, set) => total + set.data.reduce((a, b) => a + b, 0), 0);
  return [figure.dataset.unit, drawn, sum("gross")];
})
"""

# The least contrast of a text against the background behind it, as WCAG computes it.
CONTRAST = """
(() => {
  const channel = (value) => {
    const share = value / 255;
    return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  const light = (color) => {
    const [r, g, b] = color.match(/[\\d.]+/g).map(Number);
    return 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
  };
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const color = getComputedStyle(at).backgroundColor;
      if (color !== "rgba(0, 0, 0, 0)" && color !== "transparent") return color;
    }
    return "rgb(255, 255, 255)";
  };
  let least = 21;
  for (const element of document.querySelectorAll("body *")) {
    if (!element.firstChild || element.firstChild.nodeType !== 3 || !element.offsetParent) continue;
    const [a, b] = [light(getComputedStyle(element).color), light(behind(element))];
    least = Math.min(least, (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05));
  }
  return least;
})()
"""


def main(report, charts, folder=None):
    url = Path(report).resolve().as_uri()
    with Browser() as browser:
        for name, width, height, is_phone in SIZES:
            for is_dark in (False, True):
                view = f"{name}, {'dark' if is_dark else 'light'}"
                browser.open(url, width, height, is_dark, is_phone)
                check(browser.complaints() == [], f"{view}: {browser.complaints()}")
                check(browser.requests() == [url], f"{view}: asks for {browser.requests()}")
                drawn = int(browser.evaluate("document.documentElement.dataset.charts || '0'"))
                check(drawn == int(charts), f"{view}: {drawn} charts")
                wide = browser.evaluate("document.documentElement.scrollWidth")
                check(wide <= width, f"{view}: the page is {wide} wide")
                for unit, bars, table in browser.evaluate(FIGURES) if drawn else []:
                    check(bars == table, f"{view}: {unit} bars add up to {bars}, the table to {table}")
                contrast = browser.evaluate(CONTRAST)
                check(contrast >= 4.5, f"{view}: the contrast of a text is {contrast:.2f}")
                if drawn:
                    choose(browser, view)
                if folder:
                    shade = "dark" if is_dark else "light"
                    browser.screenshot(f"{folder}/{name}-{shade}.png")
        alerts = browser.evaluate("typeof window.hacked")
        check(alerts == "undefined", "a text of the data ran as a script")
        if folder:
            browser.print(f"{folder}/print.pdf")
    print(f"{charts} charts at {len(SIZES)} widths, light and dark, without a complaint")


def choose(browser, view):
    """Presses every button: the sums stay what they are."""
    for grain in ("Day", "Week", "Month"):
        pressed = browser.evaluate(
            f"[...document.querySelectorAll('.grain button')].filter("
            f"(button) => button.textContent === '{grain}').map("
            f"(button) => {{ button.click(); return button.getAttribute('aria-pressed'); }})")
        check(set(pressed) <= {"true"}, f"{view}: {grain} is not pressed")
        for unit, bars, table in browser.evaluate(FIGURES):
            check(bars == table, f"{view}: {unit} by {grain} is {bars}, in the table {table}")
    check(browser.complaints() == [], f"{view}: {browser.complaints()}")


def check(is_right, message):
    if not is_right:
        raise SystemExit(message)


if __name__ == "__main__":
    main(*sys.argv[1:])
