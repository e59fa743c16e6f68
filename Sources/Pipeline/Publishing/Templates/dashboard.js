// The dashboard: headline figures, charts and cohorts of what the filters choose. Nothing is fetched.
"use strict";

const place = document.getElementById("dashboard");
const palette = ["c1", "c2", "c3", "c4", "c5", "c6", "c7"];
const last = () => currentMonth();

// Filters

function select(id, label, options, chosen, onChange = () => {}) {
  const made = element("select", { id }, ...optionsOf(options));
  made.value = String(chosen);
  made.addEventListener("change", () => {
    shown[id] = Number(made.value);
    onChange();
    build();
  });
  return element("label", { for: id }, element("span", {}, label), made);
}

const optionsOf = (list) => list.map(([value, text]) => element("option", { value }, text));
const names = (list) => [[-1, "All"], ...(list.length > 2 ? [[-2, "Several"]] : []),
  ...list.map((name, index) => [index, name])];

// The products of the chosen app.
const products = () => names(data.products).filter(([index]) => index < 0 || isOfApp(index));

// The choice of several products or countries, below the filters while it is in use.
function severalOf(filter) {
  const box = element("fieldset", { class: "several", id: filter + "-several" });
  box.hidden = true;
  box.addEventListener("change", (event) => {
    const place = Number(event.target.value);
    if (event.target.checked) several[filter].add(place);
    else several[filter].delete(place);
    build();
  });
  return box;
}

// Offers the three busiest ones first.
function showSeveral(filter, label, list) {
  const box = place.querySelector("#" + filter + "-several");
  box.hidden = shown[filter] !== -2;
  if (box.hidden) return;
  const places = list.map((_, index) => index)
    .filter((index) => filter !== "product" || isOfApp(index));
  several[filter] = new Set(places.slice(0, 3));
  box.replaceChildren(element("legend", {}, label), ...places.map((index) => {
    const check = element("input", { type: "checkbox", value: index });
    check.checked = several[filter].has(index);
    return element("label", {}, check, " ", element("bdi", {}, list[index]));
  }));
}

const showProducts = () => showSeveral("product", "Products", data.products);
const showCountries = () => showSeveral("storefront", "Countries", data.storefronts);

function chooseApp() {
  shown.product = -1;
  showProducts();
  place.querySelector("#product").replaceChildren(...optionsOf(products()));
}

// The choice of the first or last month, which is shown for other months alone.
function month(id, label) {
  const made = select(id, label, data.months.map((name, place) => [place, name]), shown[id]);
  made.hidden = true;
  return made;
}

function showRange() {
  for (const id of ["first", "final"]) {
    place.querySelector("label[for=" + id + "]").hidden = shown.span >= 0;
  }
}

function filters() {
  const spans = [[0, "All " + data.months.length + " months"],
    ...[24, 12, 6].filter((span) => span < data.months.length)
      .map((span) => [span, "Last " + span + " months"]),
    ...(data.months.length > 1 ? [[-1, "Other months"]] : [])];
  shown.span = data.months.length > 24 ? 24 : 0;
  const units = data.units.map(([code, , isConverted], index) =>
    [index, code + (isConverted ? " (all, converted)" : " alone")]);
  return element("form", { id: "filters", "aria-label": "What is shown" },
    data.apps.length > 1 ? select("app", "App", names(data.apps), -1, chooseApp) : null,
    select("product", "Product", products(), -1, showProducts),
    select("storefront", "Country", names(data.storefronts), -1, showCountries),
    select("span", "Period", spans, shown.span, showRange),
    month("first", "From month"), month("final", "To month"),
    units.length > 1 ? select("unit", "Currency", units, 0) : null,
    rates.size > 1 ? select("rate", "Exchange rates", rateChoices(), -1) : null,
    severalOf("product"), severalOf("storefront"));
}

// Headline figures

function tile(one) {
  const months = shownMonths().filter((month) => month <= last());
  let month = last();
  // Trials of the newest months had no time to convert yet.
  while (one.isShare && month > months[0] && one.value(month) === null) month -= 1;
  const value = one.value(month);
  const before = month > 0 ? one.value(month - 1) : null;
  let change = null;
  if (value !== null && before && isOver(month) && (one.isComparable?.(month) ?? true)) {
    const difference = one.isShare ? 100 * (value - before) : (100 * (value - before)) / before;
    const text = Math.abs(difference).toFixed(1) + (one.isShare ? " points" : " %");
    const isLess = difference < 0;
    const isSame = Math.abs(difference) < 0.05;
    change = element("dd", {
      class: "change " + (isSame ? "" : isLess === (one.isGood < 0) ? "good" : "bad"),
    }, isSame ? "as in " : (isLess ? "▼ " : "▲ ") + text + " against ", monthName(month - 1));
  }
  return element("div", { class: "tile", "data-figure": one.id },
    element("dt", {}, one.label),
    element("dd", { class: "value" }, value === null ? "–" : one.text(month),
      one.unit && value !== null ? element("small", {}, " " + one.unit) : null),
    element("dd", { class: "note" },
      monthName(month) + (isOver(month) ? "" : " so far")
        + (one.note && value !== null ? ", " + one.note(month) : "")),
    change, sparkline(months.map(one.value)));
}

// Charts

// The names that occur most, each with a colour, and one more for all others.
function groups(column, list) {
  const all = list.map((_, index) => index).filter((index) =>
    isChosen(column, index) && (column !== "product" || isOfApp(index)));
  const own = all.length <= palette.length ? all : all.slice(0, 6);
  const made = own.map((index, at) => ({ label: list[index], color: palette[at],
    isIn: (row) => row[column] === index }));
  return own.length === all.length ? made
    : [...made, { label: "all others", color: "c8", isIn: (row) => !own.includes(row[column]) }];
}

// The choice of steps, and of the days between which they lie.
function stepChoice() {
  if (!tables.days.length) return null;
  const made = element("select", { id: "step" }, ...["Months", "Weeks", "Days"].map((text, value) =>
    element("option", { value }, text)));
  made.value = String(shown.step);
  made.addEventListener("change", () => {
    shown.step = Number(made.value);
    if (shown.step && !shown.from) {
      shown.from = dayNames[Math.max(0, dayNames.length - (shown.step === 1 ? 91 : 31))];
      shown.to = dayNames[dayNames.length - 1];
    }
    build();
  });
  const day = (id, label) => {
    const input = element("input", {
      type: "date", id, value: shown[id], min: dayNames[0], max: dayNames[dayNames.length - 1],
    });
    input.addEventListener("change", () => {
      shown[id] = input.value;
      build();
    });
    return element("label", { for: id }, element("span", {}, label), input);
  };
  return element("div", { class: "steps" },
    element("label", { for: "step" }, element("span", {}, "Steps"), made),
    shown.step ? day("from", "From") : null, shown.step ? day("to", "To") : null);
}

// The sum of what is shown, and the share of its amounts that is known.
function together(sums, places) {
  const sum = (column) => places.reduce((total, at) => total + sums[column][at], 0);
  return element("p", { class: "about", id: "together" },
    "Together " + money(sum("net")) + " " + unit()[0] + ", "
      + (sum("unknown") ? percent(sum("chargeable") - sum("unknown"), sum("chargeable"))
        : "all") + " of the amounts known.");
}

// Revenue by week or day, in the first currency. Earlier days have no products and countries.
function shortRevenue() {
  const byCountry = shown.product >= 0;
  const list = steps();
  const title = "Revenue by " + (shown.step === 1 ? "week" : "day");
  const isEarly = list.some((step) => step.days[0] < detailed);
  const about = "What customers paid, tax included, minus later refunds; "
    + (isEarly ? "in total." : byCountry ? "by country." : "by product.")
    + (shown.step === 1 ? " Weeks begin on Monday." : "");
  if (shown.unit !== 0 || isAtOneRate() || !list.length) {
    return panel("revenue", title, about, stepChoice(), nothing(shown.unit
      ? "Only shown in " + data.units[0][0] + ": choose this currency above."
      : isAtOneRate() ? "Only shown at the exchange rates of each day: choose these above."
        : undefined));
  }
  const total = isTotal() ? totalsByStep(list) : byStep(list, ["net", "chargeable", "unknown"]);
  const sets = isEarly
    ? [{ label: "all products", color: palette[0], data: total.net }]
    : groups(
      byCountry ? "storefront" : "product", byCountry ? data.storefronts : data.products
    ).map((group) => ({ ...group, data: byStep(list, ["net"], group.isIn).net }))
      .filter((group) => group.data.some((value) => value !== 0));
  const limits = detailed > 0 && detailed < dayNames.length
    ? element("p", { class: "about" }, "By product or country from " + dayNames[detailed]
      + " on; earlier days in total.") : null;
  return panel("revenue", title, about, stepChoice(), limits,
    together(total, list.map((_, at) => at)),
    ...chartWithTable(
      { name: "revenue", caption: "Net revenue, " + unit()[0], datasets: sets, isStacked: true,
        format: money, places: list.map((_, at) => at), names: list.map((step) => step.name),
        isOpen: (at) => list[at].isOpen },
      [shown.step === 1 ? "Week from" : "Day", "All", "Known", ...sets.map((set) => set.label)],
      list.map((step, at) => [
        { text: step.name },
        { text: money(total.net[at]), value: total.net[at], isOpen: step.isOpen },
        { text: percent(total.chargeable[at] - total.unknown[at], total.chargeable[at]) },
        ...sets.map((set) => ({ text: money(set.data[at]) })),
      ])));
}

function revenue() {
  if (shown.step) return shortRevenue();
  const byCountry = shown.product >= 0;
  const sets = groups(
    byCountry ? "storefront" : "product", byCountry ? data.storefronts : data.products
  ).map((group) => ({ ...group, data: monthly("money", ["net"], group.isIn).net }))
    .filter((group) => group.data.some((value) => value !== 0));
  const total = monthly("money", ["net", "chargeable", "unknown"]);
  const byDay = monthly("money", ["net"], undefined, true).net;
  const months = shownMonths();
  return panel("revenue", "Revenue by month",
    "What customers paid in the month, tax included, minus later refunds; by "
      + (byCountry ? "country." : "product.") + rateNote(),
    stepChoice(), together(total, months),
    ...chartWithTable(
      { name: "revenue", caption: "Net revenue by month, " + unit()[0], datasets: sets,
        isStacked: true, format: money },
      ["Month", "All", ...(isAtOneRate() ? ["At the rates of each day"] : []), "Known",
        ...sets.map((set) => set.label)],
      months.map((month) => [
        { text: data.months[month] },
        { text: money(total.net[month]), value: total.net[month], isOpen: isOpen(month) },
        ...(isAtOneRate() ? [{ text: money(byDay[month]) }] : []),
        { text: percent(total.chargeable[month] - total.unknown[month], total.chargeable[month]) },
        ...sets.map((set) => ({ text: money(set.data[month]) })),
      ])));
}

const movements = [
  ["new", "New", "c1"], ["reactivated", "Came back", "c3"], ["recovered", "Paid late", "c4"],
  ["expansion", "Pay more", "c6"], ["contraction", "Pay less", "c5"], ["churned", "Left", "c2"],
  ["not_seen", "Not seen", "c9"], ["unresolved", "Amount unknown", "c10"],
  ["product_change", "Other product", "c7"], ["exchange", "Exchange rates", "c8"],
];

function recurring() {
  const sums = monthly(
    "money", [...movements.map(([key]) => key), "end"], undefined, true);
  const change = (month) => movements.reduce((sum, [key]) => sum + sums[key][month], 0);
  const months = shownMonths();
  return panel("recurring", "Why recurring revenue changed",
    "Monthly recurring revenue is what running subscriptions paid, divided by the months they cover. "
      + "Above the line: gains. Below the line: losses."
      + (isAtOneRate() ? " Here at the exchange rates of each day." : ""),
    ...chartWithTable(
      { name: "recurring", caption: "Changes of monthly recurring revenue, " + unit()[0],
        datasets: movements.map(([key, label, name]) => ({ label, color: name, data: sums[key] })),
        isStacked: true, format: money },
      ["Month", "At the beginning", ...movements.map(([, label]) => label), "At the end"],
      months.map((month) => [
        { text: data.months[month] }, { text: money(sums.end[month] - change(month)) },
        ...movements.map(([key]) => ({ text: money(sums[key][month]), value: sums[key][month] })),
        { text: money(sums.end[month]), isOpen: isOpen(month) },
      ])));
}

// What a column of a table sums to by product, or by country for a single product.
function bySort(table, column) {
  const byCountry = shown.product >= 0;
  return groups(
    byCountry ? "storefront" : "product", byCountry ? data.storefronts : data.products
  ).map((group) => ({ ...group, data: monthly(table, [column], group.isIn)[column] }))
    .filter((group) => group.data.some((value) => value !== 0));
}

const sortNote = () => (shown.product >= 0 ? " By country." : " By product.");

function recurringLevel() {
  const sets = bySort("money", "end");
  const total = monthly("money", ["end"]).end;
  const other = monthly("money", ["rc"], undefined, true).rc;
  return panel("mrr", "Monthly recurring revenue",
    "At the end of each month: what running subscriptions paid, divided by the months they cover."
      + sortNote() + rateNote(),
    ...chartWithTable(
      { name: "mrr", caption: "Monthly recurring revenue, " + unit()[0], datasets: sets,
        isStacked: true, format: money },
      ["Month", "All", "As RevenueCat counts" + (isAtOneRate() ? ", at the rates of each day" : ""),
        ...sets.map((set) => set.label)],
      shownMonths().map((month) => [
        { text: data.months[month] },
        { text: money(total[month]), value: total[month], isOpen: isOpen(month) },
        { text: money(other[month]) }, ...sets.map((set) => ({ text: money(set.data[month]) })),
      ])));
}

function subscriptions() {
  const sets = bySort("counts", "active");
  const sums = monthly("counts", ["active", "cancelling", "on_trial", "not_seen"]);
  return panel("subscriptions", "Active subscriptions",
    "Paid for and running at the end of each month." + sortNote()
      + " The table also has those set to cancel, and free trials, which are not among them.",
    ...chartWithTable(
      { name: "subscriptions", caption: "Active subscriptions", datasets: sets, isStacked: true,
        isCount: true, format: count },
      ["Month", "Active", "Set to cancel", "Not seen", "On a free trial",
        ...sets.map((set) => set.label)],
      shownMonths().map((month) => [
        { text: data.months[month] },
        { text: count(sums.active[month]), value: sums.active[month], isOpen: isOpen(month) },
        { text: count(sums.cancelling[month]) }, { text: count(sums.not_seen[month]) },
        { text: count(sums.on_trial[month]) },
        ...sets.map((set) => ({ text: count(set.data[month]) })),
      ])));
}

function newcomers() {
  const sets = bySort("counts", "newcomers");
  const sums = monthly("counts", ["newcomers", "new_payers"]);
  return panel("newcomers", "New customers",
    "By the month of a customer's first purchase or trial." + sortNote(),
    ...chartWithTable(
      { name: "newcomers", caption: "New customers by month", datasets: sets, isStacked: true,
        isCount: true, format: count },
      ["Month", "New", "Paid in that month", ...sets.map((set) => set.label)],
      shownMonths().map((month) => [
        { text: data.months[month] },
        { text: count(sums.newcomers[month]), value: sums.newcomers[month], isOpen: isOpen(month) },
        { text: count(sums.new_payers[month]) },
        ...sets.map((set) => ({ text: count(set.data[month]) })),
      ])));
}

function shares(name, title, about, part, whole, label, tone) {
  const sums = monthly("counts", [part, whole]);
  const rates = sums[part].map((value, month) =>
    sums[whole][month] ? (100 * value) / sums[whole][month] : null);
  const notes = sums[part].map((value, month) =>
    count(value) + " of " + count(sums[whole][month]) + few(sums[whole][month]));
  const months = shownMonths();
  if (!months.some((month) => sums[whole][month])) return panel(name, title, about, nothing());
  return panel(name, title, about,
    ...chartWithTable(
      { name, caption: title, isPercent: true, format: (value) => value.toFixed(1) + " %",
        datasets: [{ label, color: tone, data: rates, notes }] },
      ["Month", ...(whole === "mature" ? ["Trials", "Became paid"] : ["Purchases", "Refunded"]),
        "Share"],
      months.map((month) => [
        { text: data.months[month] }, { text: count(sums[whole][month]) },
        { text: count(sums[part][month]) },
        { text: percent(sums[part][month], sums[whole][month]) + few(sums[whole][month]) },
      ])));
}

// Said in place of figures that a choice leaves none of.
const nothing = (text = "None for this choice.") => element("p", { class: "empty" }, text);

// Cohorts

// Rows of a cohort table by month, added up over some products.
function cohorts(name, number, columns, isIn) {
  const found = new Map();
  for (const row of tables[name]) {
    if (!isIn(row.product) || !isOfApp(row.product)) continue;
    if (!shownMonths().includes(row.month)) continue;
    if (!found.has(row.month)) found.set(row.month, new Map());
    const line = found.get(row.month);
    const sum = line.get(row[number]) || { complete: 1 };
    for (const column of columns) sum[column] = (sum[column] || 0) + row[column];
    sum.complete = Math.min(sum.complete, row.complete);
    line.set(row[number], sum);
  }
  return [...found.entries()].sort((a, b) => a[0] - b[0]);
}

function retention() {
  // Periods of different lengths do not add up: without a choice the busiest product is shown.
  const product = shown.product >= 0 ? shown.product
    : Math.min(...tables.retention.map((row) => row.product)
      .filter((one) => isOfApp(one) && isChosen("product", one)));
  const lines = cohorts("retention", "period", ["subscriptions", "retained", "possible"],
    (one) => one === product);
  if (!lines.length) {
    return panel("retention", "Who stays",
      "Of the subscriptions first paid in a month, the share that continues.", nothing());
  }
  const longest = Math.max(...lines.flatMap(([, line]) => [...line.keys()]));
  const numbers = Array.from({ length: longest }, (_, index) => index + 1);
  return panel("retention", "Who stays",
    "Of the subscriptions to " + data.products[product] + " first paid in a month, the share that "
      + "reached each further paid period, of those for whom it could have begun. Hatched: some may still renew. All countries"
      + (shown.product < 0 ? "; other products by the choice above." : "."),
    ...tableWithButton("retention", "Retention by month of the first paid period",
      ["First paid", "Subscriptions", ...numbers.map((number) => "Period " + number)],
      lines.map(([month, line]) => [
        { text: data.months[month] },
        { text: count(line.get(1).subscriptions) + few(line.get(1).subscriptions) },
        ...numbers.map((number) => {
          const sum = line.get(number);
          if (!sum) return { text: "" };
          const share = sum.retained / sum.possible;
          return { text: Math.round(100 * share) + " %", heat: 0.55 * share, isOpen: !sum.complete };
        }),
      ])));
}

function lifetime() {
  const lines = cohorts("lifetime", "since", ["customers", "payers", "net"],
    (one) => isChosen("product", one));
  if (!lines.length || shown.unit !== 0) {
    return panel("lifetime", "What a customer is worth",
      "What the new customers of a month have paid until each later month, minus refunds.",
      nothing(shown.unit
        ? "Only shown in " + data.units[0][0] + ": choose this currency above." : undefined));
  }
  const steps = [0, 1, 2, 3, 6, 9, 12, 18, 24].filter((step) =>
    lines.some(([, line]) => line.has(step)));
  const worth = (sum) => (sum && sum.customers ? sum.net / sum.customers : null);
  const most = Math.max(...lines.flatMap(([, line]) => steps.map((step) => worth(line.get(step)) || 0)));
  return panel("lifetime", "What a customer is worth",
    "What a new customer of a month has paid on average until each later month, minus refunds. "
      + "Trials that never paid are included, predictions are not. Hatched: not over yet. All "
      + "countries; amounts in " + unit()[0] + ".",
    ...tableWithButton("lifetime", "Lifetime value by month of the first purchase",
      ["First purchase", "Customers", "Who paid", ...steps.map((step) =>
        step === 0 ? "Same month" : step === 1 ? "1 month" : step + " months")],
      lines.map(([month, line]) => {
        const newest = line.get(Math.max(...line.keys()));
        return [
          { text: data.months[month] },
          { text: count(newest.customers) + few(newest.customers) },
          { text: percent(newest.payers, newest.customers) },
          ...steps.map((step) => {
            const value = worth(line.get(step));
            return value === null ? { text: "" } : {
              text: money(value), heat: most ? (0.55 * value) / most : 0,
              isOpen: !line.get(step).complete,
            };
          }),
        ];
      })));
}

// Apple's reports

// A bar for each month: Apple's money less that of the receipts, by cause. No filter changes it.
function compared() {
  const causes = data.causes.map((cause) => cause.replaceAll("_", " "));
  const shares = causes.map(() => data.comparedMonths.map(() => null));
  for (const row of tables.compared) shares[row.cause][row.month] = row.part / 100;
  const text = (value) => (value === null ? "–" : value.toFixed(2) + "\u00a0%");
  const caption = "Differences from Apple's reports by month and cause, % of the money in these reports";
  return element("div", { class: "panel" },
    element("p", { class: "about" },
      "Above the line: money that only Apple's reports have. Below the line: money that only the "
        + "receipts have. All products and countries."),
    ...chartWithTable(
      { name: "compared", caption, isStacked: true, isPercent: true, format: text,
        places: data.comparedMonths.map((_, at) => at), names: data.comparedMonths,
        isOpen: () => false,
        datasets: causes.slice(1).map((label, at) => ({
          label, data: shares[at + 1],
          color: at < palette.length ? palette[at] : "c8" })) },
      ["Month", ...causes],
      data.comparedMonths.map((month, at) => [
        { text: month }, ...shares.map((share) => ({ text: text(share[at]) })),
      ])));
}

const fixed = [];
function addCompared() {
  if (!tables.compared.length) return;
  document.querySelector("#reconciliation > .panel").before(compared());
  fixed.push(...drawn);
}

// The page

const chosenNames = (filter, all, list) => (shown[filter] === -1 ? all
  : list.filter((_, index) => isChosen(filter, index)).join(", ") || "nothing");

function build() {
  drawn.splice(0, drawn.length, ...fixed);
  const open = [...place.querySelectorAll("section:has(details[open])")].map((part) => part.id);
  const figures = headlines();
  const choices = [
    ...(shown.app < 0 ? [] : [data.apps[shown.app]]),
    chosenNames("product", "all products", data.products),
    chosenNames("storefront", "all countries", data.storefronts),
  ];
  place.querySelector("#shown").textContent = "Showing " + choices.join(", ") + ".";
  place.querySelector("#tiles").replaceChildren(...figures.map(tile));
  const hasMoney = data.units.length > 0;
  place.querySelector("#panels").replaceChildren(...[
    hasMoney ? revenue() : null, hasMoney ? recurringLevel() : null,
    hasMoney ? recurring() : null, subscriptions(), newcomers(), retention(),
    hasMoney ? lifetime() : null,
    shares("conversion", "Trials that became paid",
      "By the month in which the trial began. Only trials whose time to convert is over, including "
        + "the time in which Apple retries a failed payment.",
      "converted", "mature", "became paid, same product", "c1"),
    shares("refunds", "Refunded purchases",
      "The share of a month's paid purchases that were refunded since; it grows for about 90 days. "
        + "Consumables are left out unless Apple signed them: a receipt forgets them once finished.",
      "refunded", "paid", "refunded", "c2"),
  ].filter(Boolean));
  for (const id of open) {
    const details = document.querySelector("#" + id + " details");
    if (details) details.open = true;
  }
  for (const one of drawn) one();
  document.documentElement.dataset.charts = String(drawn.length);
}

const short = {
  revenue: "Revenue", mrr: "Recurring revenue", recurring: "Its changes",
  subscriptions: "Subscriptions", newcomers: "New customers", retention: "Retention",
  lifetime: "Lifetime value", conversion: "Trials", refunds: "Refunds",
};

// Links to the panels, after that to the overview.
function addLinks() {
  const links = [...place.querySelectorAll("#panels > section")].map((one) =>
    element("li", {}, element("a", { href: "#" + one.id }, short[one.id])));
  document.querySelector("nav li").after(...links);
}

if (data.months.length) {
  if (!hasCharts && typeof Chart !== "undefined") {
    place.prepend(element("p", { class: "notice" },
      "Charts cannot be drawn, because the script named by report_chart_script is not Chart.js 3 or "
        + "newer. The tables show the same figures."));
  }
  if (hasCharts) Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
  place.querySelector("#filters").replaceWith(filters());
  place.hidden = false;
  addCompared();
  build();
  addLinks();
  const again = () => build();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", again);
  addEventListener("beforeprint", () => {
    document.documentElement.dataset.print = "";
    again();
  });
  addEventListener("afterprint", () => {
    delete document.documentElement.dataset.print;
    again();
  });
}
