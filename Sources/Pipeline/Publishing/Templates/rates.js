// Revenue at the exchange rates of one month for the whole period, beside that at the rates of each
// day: what customers did, without what currencies did.
"use strict";

// Whether the figures shown are at the rates of one month.
const isAtOneRate = () => shown.rate >= 0 && shown.unit === 0 && tables.rates.length > 0;

// The rates of each currency by month: millionths of the reporting currency for a millionth.
const rates = new Map();
for (const row of tables.rates) {
  if (!rates.has(row.currency)) rates.set(row.currency, []);
  rates.get(row.currency).push([row.month, row.converted / row.own]);
}

// The rate of a currency in a month, else in the nearest month before it, else after it.
function rateOf(currency, month) {
  const known = rates.get(currency) || [];
  const before = known.filter(([at]) => at <= month);
  const found = before.length ? before[before.length - 1] : known[0];
  return found ? found[1] : 0;
}

// Adds revenue and recurring revenue at the rates of the chosen month.
function addAtOneRate(sums, columns, isIn) {
  for (const row of tables.own) {
    if (!isShown(row) || !isIn(row)) continue;
    const rate = rateOf(row.currency, shown.rate);
    for (const column of columns) sums[column][row.month] += row[column] * rate;
  }
}

// The choices: the rates of each day, or those of a month, newest first.
function rateChoices() {
  const months = [...new Set(tables.rates.map((row) => row.month))].sort((a, b) => b - a);
  return [[-1, "of each day"], ...months.map((month) => [month, "of " + monthName(month)])];
}

// Told with figures at the rates of one month.
const rateNote = () => (isAtOneRate() ? " All at the exchange rates of "
  + monthName(shown.rate) + "." : "");
