"""Tests a report in chromium: four widths, light and dark, accessibility, and its filters.

Usage: report.py REPORT WAREHOUSE CHARTS [FOLDER]

CHARTS is the expected number of charts. Screenshots are written to FOLDER.
"""

import sqlite3
import sys
from pathlib import Path

from browser import Browser

SIZES = [("390", 390, 844, True), ("768", 768, 1024, False), ("1280", 1280, 900, False),
         ("1920", 1920, 1080, False)]

# The lowest contrast of any text on the page to its background, as defined by WCAG.
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

# The accessibility rules of axe that this page could break: names of controls, regions and images;
# ids, headings, table headers, keyboard access.
AUDIT = """
(() => {
  const found = [];
  const ids = [...document.querySelectorAll("[id]")].map((one) => one.id);
  for (const id of ids) if (ids.indexOf(id) !== ids.lastIndexOf(id)) found.push("duplicate id #" + id);
  for (const one of document.querySelectorAll("select")) {
    if (!one.labels.length) found.push("a select without a label");
  }
  for (const one of document.querySelectorAll("canvas, [role=region], [role=img]")) {
    if (!one.getAttribute("aria-label")) found.push(one.tagName + " without a name");
  }
  for (const one of document.querySelectorAll("[aria-labelledby]")) {
    if (!document.getElementById(one.getAttribute("aria-labelledby"))) {
      found.push("aria-labelledby of a missing element");
    }
  }
  for (const one of document.querySelectorAll("table")) {
    if (!one.caption || [...one.querySelectorAll("th")].some((head) => !head.scope)) {
      found.push("a table without a caption, or a th without a scope");
    }
  }
  for (const one of document.querySelectorAll(".scroll")) {
    if (one.tabIndex !== 0) found.push("a table that the keyboard cannot scroll");
  }
  let level = 0;
  for (const one of document.querySelectorAll("h1, h2, h3")) {
    const next = Number(one.tagName[1]);
    if (next > level + 1) found.push("a heading level is skipped before " + one.textContent);
    level = next;
  }
  for (const one of document.querySelectorAll("nav a")) {
    if (!document.querySelector(one.getAttribute("href"))) found.push("a link to a missing element");
  }
  if (!document.documentElement.lang || !document.title) found.push("the page has no language or no title");
  return found;
})()
"""

# The sum of all bars of each chart, keyed by the name of the chart.
BARS = """
Object.fromEntries([...document.querySelectorAll("figure[data-chart]")].map((figure) => {
  const chart = Chart.getChart(figure.querySelector("canvas"));
  return [figure.dataset.chart, chart.data.datasets.reduce(
    (total, set) => total + set.data.reduce((a, b) => a + b, 0), 0)];
}))
"""


# The condition for the rows of a product by its name on the page; all rows without a name.
NAMED = ("(:name IS NULL OR product_id IN (SELECT product_id FROM dim_product "
         "WHERE COALESCE(product_name, product_id) = :name))")


def main(report, warehouse, charts, folder=None):
    url = Path(report).resolve().as_uri()
    facts = sqlite3.connect(f"file:{warehouse}?mode=ro", uri=True)
    with Browser() as browser:
        for name, width, height, is_phone in SIZES:
            for is_dark in (False, True):
                view = f"{name}, {'dark' if is_dark else 'light'}"
                browser.open(url, width, height, is_dark, is_phone)
                check(browser.complaints() == [], f"{view}: {browser.complaints()}")
                check(browser.requests() == [url],
                      f"{view}: expected only the page to be loaded; found {browser.requests()}")
                drawn = int(browser.evaluate("document.documentElement.dataset.charts || '0'"))
                check(drawn == int(charts), f"{view}: expected {charts} charts; found {drawn}")
                wide = browser.evaluate("document.documentElement.scrollWidth")
                check(wide <= width, f"{view}: the page is {wide} pixels wide, wider than the window")
                contrast = browser.evaluate(CONTRAST)
                check(contrast >= 4.5, f"{view}: the contrast of a text is {contrast:.2f}, below 4.5")
                check(browser.evaluate(AUDIT) == [], f"{view}: {browser.evaluate(AUDIT)}")
                if folder:
                    browser.screenshot(f"{folder}/{name}-{'dark' if is_dark else 'light'}.png")
        if int(charts):
            filters(browser, facts)
            several(browser, facts)
            ranges(browser, facts)
        alerts = browser.evaluate("typeof window.hacked")
        check(alerts == "undefined", "a string of the data ran as a script")
        check(browser.complaints() == [], f"{browser.complaints()}")
        if folder:
            browser.print(f"{folder}/print.pdf")
    print(f"{charts} charts at {len(SIZES)} widths, light and dark: no errors")


def filters(browser, facts):
    """Selects every unit, product and country: the bars must equal the sums of SQL."""
    for unit in range(browser.evaluate("data.units.length")):
        code, _, is_converted = browser.evaluate(f"data.units[{unit}]")
        places = [(-1, -1)]
        places += [(at, -1) for at in range(browser.evaluate("data.products.length"))]
        places += [(-1, at) for at in range(browser.evaluate("data.storefronts.length"))]
        for product, storefront in places:
            browser.evaluate(
                f"shown.unit = {unit}; shown.product = {product}; shown.storefront = {storefront};"
                "shown.span = 0; build();")
            name = browser.evaluate(f"data.products[{product}] ?? null")
            country = browser.evaluate(f"data.storefronts[{storefront}] ?? null")
            amount = "paid_reporting_micros" if is_converted else "paid_milli * 1000"
            where = "1 = 1" if is_converted else f"currency = '{code}'"
            (net, refunded), (end, start) = (
                facts.execute(
                    f"SELECT COALESCE(SUM(CASE WHEN reversal_kind <> 'refund' THEN {amount} END), 0), "
                    f"count(refunded_milli) FROM fct_revenue WHERE {where} "
                    f"AND {NAMED} "
                    "AND COALESCE(:country, storefront, 'unknown') = COALESCE(storefront, 'unknown')",
                    {"name": name, "country": country}).fetchone(),
                facts.execute(
                    f"SELECT COALESCE(SUM(mrr_{'reporting_' if is_converted else ''}micros), 0), 0 "
                    f"FROM mrr_by_purchase WHERE {where} "
                    "AND first_date <= (SELECT MAX(date_day) FROM dim_date) "
                    "AND end_date > (SELECT MAX(date_day) FROM dim_date) "
                    f"AND {NAMED} "
                    "AND COALESCE(:country, storefront, 'unknown') = COALESCE(storefront, 'unknown')",
                    {"name": name, "country": country}).fetchone())
            bars = browser.evaluate(BARS)
            choice = f"{code}, {name}, {country}"
            if refunded == 0:
                check(bars["revenue"] == net, f"{choice}: the bars sum to {bars['revenue']}, SQL to {net}")
            # The sum of all movements is the recurring revenue on the last day.
            check(bars["recurring"] == end,
                  f"{choice}: movements sum to {bars['recurring']}, recurring revenue is {end}")
            check(browser.evaluate(AUDIT) == [], f"{choice}: {browser.evaluate(AUDIT)}")
    # By keyboard: focus the select of products and press the down arrow twice.
    browser.evaluate("document.getElementById('product').focus()")
    for key in ("ArrowDown", "ArrowDown"):
        for kind in ("keyDown", "keyUp"):
            browser.call("Input.dispatchKeyEvent", type=kind, key=key, code=key,
                         windowsVirtualKeyCode=40)
    said = browser.evaluate("document.getElementById('shown').textContent")
    chosen = browser.evaluate("data.products[shown.product] ?? 'all products'")
    check(chosen in said and chosen != "all products",
          f"the keyboard selected {chosen}; the page shows: {said}")


def several(browser, facts):
    """Selects two products in two countries by their boxes; saves a table with formulas as CSV."""
    if browser.evaluate("data.products.length") > 2 and browser.evaluate("data.storefronts.length") > 2:
        for name in ("product", "storefront"):
            browser.evaluate(f"choose = document.getElementById('{name}'); choose.value = '-2';"
                             "choose.dispatchEvent(new Event('change'));")
            # The first three are chosen at once.
            browser.evaluate(f"document.querySelectorAll('#{name}-several input')[2].click()")
        browser.evaluate("shown.unit = 0; shown.span = 0; build();")
        code, _, is_converted = browser.evaluate("data.units[0]")
        amount = "net_cohort_reporting_micros" if is_converted else "net_cohort_milli * 1000"
        where = "1 = 1" if is_converted else f"currency = '{code}'"
        names = browser.evaluate("data.products.slice(0, 2)")
        countries = browser.evaluate("data.storefronts.slice(0, 2)")
        net, = facts.execute(
            f"SELECT COALESCE(SUM({amount}), 0) FROM revenue_daily WHERE {where} AND product_id IN ("
            "SELECT product_id FROM dim_product WHERE COALESCE(product_name, product_id) IN (?, ?)) "
            "AND COALESCE(storefront, 'unknown') IN (?, ?)", (*names, *countries)).fetchone()
        bars = browser.evaluate(BARS)["revenue"]
        check(bars == net, f"{names}, {countries}: the bars sum to {bars}, SQL to {net}")
        check(browser.evaluate(AUDIT) == [], f"{names}: {browser.evaluate(AUDIT)}")
        for name in ("product", "storefront"):
            browser.evaluate(f"choose = document.getElementById('{name}'); choose.value = '-1';"
                             "choose.dispatchEvent(new Event('change'));")
    saved = browser.evaluate(
        "csv(['=a', 'b'], [['-5', '1,234.50'], ['@x', '–'], ['say \x221\x22', '12.3\u00a0% (few)']])")
    check(saved == '\ufeff"\'=a","b"\r\n-5,1234.50\r\n"\'@x",\r\n"say ""1""",12.3%\r\n',
          f"a table is saved as {saved!r}")


def ranges(browser, facts):
    """Selects ranges of months, then of days: the bars must equal the sums of SQL."""
    code, _, is_converted = browser.evaluate("data.units[0]")
    amount = "net_cohort_reporting_micros" if is_converted else "net_cohort_milli * 1000"
    where = "1 = 1" if is_converted else f"currency = '{code}'"
    months = browser.evaluate("data.months")
    browser.evaluate("shown.unit = 0; shown.product = -1; shown.storefront = -1;")
    for first, last in ((0, len(months) - 1), (len(months) - 2, 1), (2, len(months) - 3)):
        if not 0 <= first < len(months) or not 0 <= last < len(months) or abs(last - first) < 3:
            continue
        browser.evaluate(f"shown.span = -1; shown.first = {first}; shown.final = {last};"
                         "showRange(); build();")
        begin, end = months[min(first, last)], months[max(first, last)]
        net, = facts.execute(
            f"SELECT COALESCE(SUM({amount}), 0) FROM revenue_daily WHERE {where} "
            "AND substr(date_day, 1, 7) BETWEEN ? AND ?", (begin, end)).fetchone()
        bars = browser.evaluate(BARS)["revenue"]
        check(bars == net, f"{begin} to {end}: the bars sum to {bars}, SQL to {net}")
        check(browser.evaluate(AUDIT) == [], f"{begin} to {end}: {browser.evaluate(AUDIT)}")
        for step in (1, 2):
            browser.evaluate(f"shown.step = {step}; shown.from = '{begin}-05';"
                             f"shown.to = '{end}-20'; build();")
            net, = facts.execute(
                f"SELECT COALESCE(SUM({amount}), 0) FROM revenue_daily WHERE {where} "
                "AND date_day BETWEEN ? AND ?", (begin + "-05", end + "-20")).fetchone()
            bars = browser.evaluate(BARS)["revenue"]
            check(bars == net, f"{begin}-05 to {end}-20, step {step}: the bars sum to {bars}, SQL to {net}")
        browser.evaluate("shown.step = 0; shown.from = ''; shown.to = ''; build();")
    browser.evaluate("shown.span = 0; showRange(); build();")


def check(is_right, message):
    if not is_right:
        raise SystemExit(message)


if __name__ == "__main__":
    main(*sys.argv[1:])
