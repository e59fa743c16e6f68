// The figures of the page and their sums. They stand as JSON in the element #data: whole numbers row
// after row, the places of month, product and storefront first. Amounts are millionths of the unit.
"use strict";

const data = JSON.parse(document.getElementById("data").textContent);

// The current filters; -1 is all, -2 those in `several`. `span` is a number of months, 0 all of them, -1 those from `first`
// to `final`, which are places in data.months.
// The steps of the revenue chart are months (0), weeks (1) or days (2), between two days. `rate` is the
// month whose exchange rates hold for all months; -1 takes those of each day.
const shown = {
  unit: 0, app: -1, product: -1, storefront: -1, span: 0, first: 0, final: data.months.length - 1,
  step: 0, from: "", to: "", rate: -1,
};
const several = { product: new Set(), storefront: new Set() };

// Whether a place in data.products or data.storefronts is chosen.
const isChosen = (filter, place) => shown[filter] === -1 || shown[filter] === place
  || (shown[filter] === -2 && several[filter].has(place));

// The months that are shown, as places in data.months.
function shownMonths() {
  const all = data.months.map((_, place) => place);
  if (shown.span < 0) {
    return all.slice(Math.min(shown.first, shown.final), Math.max(shown.first, shown.final) + 1);
  }
  return shown.span ? all.slice(-shown.span) : all;
}

// Whether later exports, or another look at subscriptions, can still change the figures of a month.
const isOpen = (month) => month >= data.completeMonths || data.openMonths.includes(month);

// Whether a month is over; one that is not is never compared with a whole one.
const isOver = (month) => month < Math.max(data.overMonths, data.completeMonths);

// The rows of a table as objects.
function rowsOf(name) {
  const { columns, figures } = data.tables[name] || { columns: [], figures: [] };
  const rows = [];
  for (let at = 0; at < figures.length; at += columns.length) {
    rows.push(Object.fromEntries(columns.map((column, index) => [column, figures[at + index]])));
  }
  return rows;
}
const tables = Object.fromEntries(
  ["money", "counts", "payers", "retention", "lifetime", "days", "totals", "own", "rates", "compared"]
    .map((name) => [name, rowsOf(name)]));

// Whether a product is of the chosen app.
const isOfApp = (product) => shown.app < 0 || data.appsOfProducts[product] === shown.app;

function isShown(row) {
  return (row.unit === undefined || row.unit === shown.unit)
    && isChosen("product", row.product)
    && isOfApp(row.product)
    && (row.storefront === undefined || isChosen("storefront", row.storefront));
}

// The sums of some columns by month, each an array as long as data.months.
function monthly(name, columns, isIn = () => true, isByDay = false) {
  const sums = Object.fromEntries(columns.map((c) => [c, new Array(data.months.length).fill(0)]));
  const constant = name === "money" && !isByDay && isAtOneRate()
    ? columns.filter((c) => c === "net" || c === "end") : [];
  const others = columns.filter((c) => !constant.includes(c));
  for (const row of tables[name]) {
    if (!isShown(row) || !isIn(row)) continue;
    for (const column of others) sums[column][row.month] += row[column];
  }
  if (constant.length) addAtOneRate(sums, constant, isIn);
  return sums;
}

// The days that can be shown one by one, `2024-05-01`, and the week of each by its Monday.
const dayNames = Array.from({ length: data.days[1] }, (_, index) =>
  new Date(Date.parse(data.days[0] + "T00:00:00Z") + index * 864e5).toISOString().slice(0, 10));
const weekOf = (day) => {
  const time = Date.parse(day + "T00:00:00Z");
  return new Date(time - ((new Date(time).getUTCDay() + 6) % 7) * 864e5).toISOString().slice(0, 10);
};

// The first day with figures by product and country; earlier days have only totals.
const detailed = tables.days.length ? tables.days[0].day : dayNames.length;

// Whether all products and countries are shown.
const isTotal = () => shown.app < 0 && shown.product === -1 && shown.storefront === -1;

// The steps of the chosen days: {name, days: places in dayNames, isOpen}.
function steps() {
  const found = new Map();
  dayNames.forEach((day, place) => {
    if (place < detailed && !isTotal()) return;
    if ((shown.from && day < shown.from) || (shown.to && day > shown.to)) return;
    const name = shown.step === 1 ? weekOf(day) : day;
    if (!found.has(name)) found.set(name, { name, days: [], isOpen: false });
    const step = found.get(name);
    step.days.push(place);
    step.isOpen = step.isOpen || place >= data.days[2];
  });
  // A week that is not whole says less than its neighbors.
  for (const step of found.values()) {
    if (shown.step === 1 && step.days.length < 7) step.isOpen = true;
  }
  return [...found.values()];
}

// The sums of some columns by step, each an array as long as the steps.
function byStep(list, columns, isIn = () => true) {
  const places = new Map(list.flatMap((step, at) => step.days.map((day) => [day, at])));
  const sums = Object.fromEntries(columns.map((c) => [c, new Array(list.length).fill(0)]));
  for (const row of tables.days) {
    const at = places.get(row.day);
    if (at === undefined || !isShown(row) || !isIn(row)) continue;
    for (const column of columns) sums[column][at] += row[column];
  }
  return sums;
}

// The sums of all products and countries by step.
function totalsByStep(list) {
  const places = new Map(list.flatMap((step, at) => step.days.map((day) => [day, at])));
  const sums = Object.fromEntries(
    ["net", "chargeable", "unknown"].map((c) => [c, new Array(list.length).fill(0)]));
  for (const row of tables.totals) {
    const at = places.get(row.day);
    if (at === undefined) continue;
    for (const column of Object.keys(sums)) sums[column][at] += row[column];
  }
  return sums;
}

// Paying customers by month: counted for each choice, so that each counts once; those of several
// products or countries cannot be added up. An app stands as a product at -2 less its place.
function payers() {
  if (shown.product >= 0 && shown.storefront >= 0) return monthly("money", ["customers"]).customers;
  const counts = new Array(data.months.length).fill(0);
  if (shown.product === -2 || shown.storefront === -2) return counts;
  const product = shown.product < 0 && shown.app >= 0 ? -2 - shown.app : shown.product;
  for (const row of tables.payers) {
    if (row.unit === shown.unit && row.product === product
      && row.storefront === shown.storefront) counts[row.month] = row.customers;
  }
  return counts;
}

// The month whose figures stand in large type: of the shown ones the last complete one, else the
// last.
function currentMonth() {
  const newest = (data.completeMonths || data.overMonths || data.months.length) - 1;
  const months = shownMonths();
  return months.filter((month) => month <= newest).pop() ?? months[months.length - 1];
}

const unit = () => data.units[shown.unit] || ["", 2, 0];

function money(micros, decimals = unit()[1]) {
  return (micros / 1e6).toLocaleString("en", {
    minimumFractionDigits: decimals, maximumFractionDigits: decimals,
  });
}
// Whole units where cents say nothing: 12,345 rather than 12,345.67.
const roughly = (micros) => money(micros, Math.abs(micros) >= 1e9 ? 0 : unit()[1]);
const count = (number) => number.toLocaleString("en");
const percent = (part, whole) => (whole ? ((100 * part) / whole).toFixed(1) + "\u00a0%" : "–");

// A share of fewer than twenty says little, and says so.
const isFew = (whole) => whole > 0 && whole < 20;
const few = (whole) => (isFew(whole) ? " (few)" : "");

const monthNames = ["January", "February", "March", "April", "May", "June", "July", "August",
  "September", "October", "November", "December"];
function monthName(place) {
  const [year, month] = data.months[place].split("-");
  return monthNames[Number(month) - 1] + " " + year;
}

// The headline figures: what each is, its value by month, and whether more is better.
function headlines() {
  const paid = monthly(
    "money", ["net", "end", "chargeable", "unknown", "low", "high", "unbounded"]);
  const counts = monthly(
    "counts", ["active", "active_known", "not_seen", "start", "churned", "begun", "mature", "converted",
      "paid", "refunded", "without_rate", "open_low", "open_high", "unbounded", "on_trial",
      "cancelling", "newcomers", "new_payers"]);
  const customers = payers();
  // Subscriptions that have ended and at which nobody has looked since: they may still run.
  const unseen = (m) => (counts.not_seen[m] ? ", " + count(counts.not_seen[m]) + " not seen" : "");
  const share = (part, whole, more = () => "") => ({
    value: (m) => (whole[m] ? part[m] / whole[m] : null),
    text: (m) => percent(part[m], whole[m]),
    note: (m) => count(part[m]) + " of " + count(whole[m])
      + (isFew(whole[m]) ? ", too few to compare" : "") + more(m),
    isComparable: (m) => m > 0 && !isFew(whole[m]) && !isFew(whole[m - 1]),
    isShare: true,
  });
  // Never below the lower bound: what is known, and what the unknown amounts are at least.
  const amount = (value, low = () => 0) => ({
    value: (m) => value(m) + (isAtOneRate() ? 0 : low(m)), unit: unit()[0],
    text: (m) => roughly(value(m) + (isAtOneRate() ? 0 : low(m))),
  });
  const least = (low) => (low && !isAtOneRate() ? "at least, " : "");
  // What the sum leaves out: the share of amounts that are known, and the most that it can be.
  const known = (m) => {
    if (isAtOneRate()) {
      return "at the rates of " + monthName(shown.rate) + ", "
        + percent(paid.chargeable[m] - paid.unknown[m], paid.chargeable[m]) + " known";
    }
    if (!paid.unknown[m]) {
      return "every amount known"
        + (paid.unbounded[m] ? ", " + count(paid.unbounded[m]) + " without a rate" : "");
    }
    const share = least(paid.low[m]) + percent(paid.chargeable[m] - paid.unknown[m], paid.chargeable[m]) + " known";
    if (paid.unbounded[m]) {
      return share + ", " + count(paid.unbounded[m])
        + (paid.unbounded[m] === 1 ? " amount" : " amounts") + " without a limit";
    }
    return roughly(paid.net[m] + paid.high[m]) + " at most, " + share;
  };
  // The same subscriptions as the count beside it, or how many of them.
  const covered = (m) => {
    const known = counts.active_known[m] - counts.without_rate[m];
    return least(shown.unit === 0 ? counts.open_low[m] : 0)
      + (known === counts.active[m] ? "of all subscriptions"
      : "of " + count(known) + " of " + count(counts.active[m]) + " subscriptions")
        + unseen(m) + (isAtOneRate() ? "" : limit(m));
  };
  const limit = (m) => (counts.unbounded[m]
    ? ", " + count(counts.unbounded[m]) + " without a limit"
    : counts.open_high[m] ? ", " + roughly(paid.end[m] + counts.open_high[m]) + " at most" : "");
  // How many there are; fewer than twenty a month before are too few to compare.
  const number = (values) => ({
    value: (m) => values[m], text: (m) => count(values[m]),
    isComparable: (m) => values[m - 1] > 0 && !isFew(values[m - 1]),
  });
  const all = [
    { id: "net", label: "Net revenue", isGood: 1, ...amount((m) => paid.net[m], (m) => paid.low[m]),
      note: known },
    {
      id: "mrr", label: "Monthly recurring revenue", isGood: 1,
      ...amount((m) => paid.end[m], (m) => (shown.unit === 0 && unit()[2] ? counts.open_low[m] : 0)),
      note: shown.unit === 0 && unit()[2] ? covered : undefined,
    },
    {
      id: "active", label: "Active subscriptions", isGood: 1, value: (m) => counts.active[m],
      text: (m) => count(counts.active[m]),
      note: (m) => (counts.active_known[m] === counts.active[m] ? "all with a known amount"
        : percent(counts.active_known[m], counts.active[m]) + " with a known amount") + unseen(m),
    },
    {
      id: "cancelling", label: "Set to cancel", isGood: -1, ...number(counts.cancelling),
      note: (m) => percent(counts.cancelling[m], counts.active[m]) + " of the active ones",
    },
    { id: "on_trial", label: "On a free trial", isGood: 1, ...number(counts.on_trial) },
    {
      id: "newcomers", label: "New customers", isGood: 1, ...number(counts.newcomers),
      note: (m) => count(counts.new_payers[m]) + " paid in that month",
    },
    {
      id: "trials", label: "Trials that became paid", isGood: 1,
      ...share(counts.converted, counts.mature, (m) => (counts.begun[m] === counts.mature[m] ? ""
        : " mature, " + count(counts.begun[m]) + " began")),
    },
    { id: "churn", label: "Churn", isGood: -1, ...share(counts.churned, counts.start, unseen) },
    { id: "refunds", label: "Refunded purchases", isGood: -1, ...share(counts.refunded, counts.paid) },
    {
      id: "arppu", label: "Per paying customer", isGood: 1, unit: unit()[0],
      value: (m) => (customers[m] ? paid.net[m] / customers[m] : null),
      text: (m) => money(paid.net[m] / customers[m]),
      note: (m) => count(customers[m]) + " paying customers" + few(customers[m])
        + (paid.unknown[m]
          ? ", " + percent(paid.chargeable[m] - paid.unknown[m], paid.chargeable[m])
            + " of amounts known" : ""),
    },
  ];
  return data.units.length ? all : all.filter((one) => !["net", "mrr", "arppu"].includes(one.id));
}
