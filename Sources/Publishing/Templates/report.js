// Draws the charts of the report from the tables beside them: whole numbers stand in data-value,
// names of columns in data-key. Nothing is fetched, and nothing becomes markup.
(() => {
  "use strict";
  const figures = [...document.querySelectorAll("figure[data-chart]")];
  const isUsable = typeof Chart === "function" && Number.parseInt(Chart.version, 10) >= 3;
  if (!isUsable) {
    const notice = document.createElement("p");
    notice.className = "notice";
    notice.textContent =
      "Charts cannot be drawn, because the script named by report_chart_script is not Chart.js 3 " +
      "or newer. The tables carry the same figures.";
    document.querySelector("header .lead").after(notice);
    for (const details of document.querySelectorAll("details")) details.open = true;
    return;
  }

  const openFrom = document.body.dataset.openFrom;
  const color = (name) =>
    getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();

  // The rows of a table as objects: the text of each keyed column, or its whole number.
  const read = (table) => {
    const keys = [...table.tHead.rows[0].cells].map((cell) => cell.dataset.key);
    return [...table.tBodies[0].rows].map((row) => {
      const line = {};
      [...row.cells].forEach((cell, index) => {
        if (!keys[index]) return;
        if (cell.classList.contains("number")) {
          line[keys[index]] = cell.dataset.value === undefined ? null : Number(cell.dataset.value);
        } else {
          line[keys[index]] = cell.textContent;
        }
      });
      return line;
    });
  };

  // Periods are days as 2021-08-09 or months as 2021-08; all arithmetic is in UTC.
  const day = 86400000;
  const text = (time) => new Date(time).toISOString().slice(0, 10);
  const bucket = (period, grain) => {
    if (grain === "month" || period.length === 7) return period.slice(0, 7);
    if (grain === "day") return period;
    const time = Date.parse(period + "T00:00:00Z");
    return text(time - ((new Date(time).getUTCDay() + 6) % 7) * day);
  };
  const next = (period, grain) => {
    if (period.length === 7) {
      const [year, month] = period.split("-").map(Number);
      return text(Date.UTC(year, month, 1)).slice(0, 7);
    }
    return text(Date.parse(period + "T00:00:00Z") + (grain === "week" ? 7 : 1) * day);
  };
  // Every period from the first to the last, so that days without a purchase keep their place.
  const periods = (lines, grain) => {
    const found = lines.map((line) => bucket(line.period, grain)).sort();
    const all = [];
    for (let at = found[0]; at <= found[found.length - 1] && all.length < 5000; ) {
      all.push(at);
      at = next(at, grain);
    }
    return all;
  };
  // Which periods hold figures that later exports can still change.
  const openPeriods = (lines, labels, grain) => {
    const open = new Set(
      lines.filter((line) => line.complete !== "yes").map((line) => bucket(line.period, grain)));
    return labels.map((label) => open.has(label) || openFrom === "" || label >= openFrom);
  };

  const sums = (lines, labels, grain, value) => {
    const place = new Map(labels.map((label, index) => [label, index]));
    const totals = new Array(labels.length).fill(0);
    for (const line of lines) totals[place.get(bucket(line.period, grain))] += value(line);
    return totals;
  };
  const share = (part, whole) => ({
    data: part.map((count, index) => (whole[index] ? (100 * count) / whole[index] : null)),
    counts: part.map((count, index) => count + " of " + whole[index]),
  });
  const percent = (number) => number.toFixed(1) + " %";
  const amount = (milli, decimals) =>
    (milli / 1000).toLocaleString("en", {
      minimumFractionDigits: decimals, maximumFractionDigits: 3,
    });

  const hatch = (stroke) => {
    const tile = document.createElement("canvas");
    tile.width = tile.height = 6;
    const pen = tile.getContext("2d");
    pen.strokeStyle = stroke;
    pen.lineWidth = 1.5;
    pen.beginPath();
    pen.moveTo(0, 6);
    pen.lineTo(6, 0);
    pen.stroke();
    return pen.createPattern(tile, "repeat");
  };

  // One color for a product in every chart: the seven products that occur most often, in all
  // currencies together, have one each; the others share the eighth.
  const colors = new Map();
  const assignColors = (tables) => {
    const count = new Map();
    for (const line of tables.flat()) {
      if (line.gross > 0) count.set(line.product, (count.get(line.product) || 0) + 1);
    }
    [...count.keys()]
      .sort((a, b) => count.get(b) - count.get(a) || (a < b ? -1 : 1))
      .slice(0, 7)
      .forEach((name, index) => colors.set(name, "c" + (index + 1)));
  };

  const build = {
    // A bar of each product; on top what is not known: at least so much, and at most.
    revenue(lines, labels, grain, figure) {
      const paid = lines.filter((line) => line.gross > 0);
      const names = [...colors.keys()].filter((name) => paid.some((line) => line.product === name));
      const groups = names.map((name) => [name, colors.get(name), (line) => line.product === name]);
      if (paid.some((line) => !colors.has(line.product))) {
        groups.push(["other products", "c8", (line) => !colors.has(line.product)]);
      }
      const datasets = groups.map(([label, name, isIn]) => ({
        label, backgroundColor: color(name),
        data: sums(lines.filter(isIn), labels, grain, (line) => line.gross),
      }));
      if (lines.some((line) => line.unresolved > 0)) {
        const least = sums(lines, labels, grain, (line) => line.low - line.gross);
        const most = sums(lines, labels, grain, (line) =>
          line.high === null ? 0 : line.high - line.low);
        if (least.some((value) => value > 0)) {
          datasets.push({ label: "unresolved: at least", data: least, backgroundColor: color("low") });
        }
        datasets.push({
          label: "unresolved: up to", data: most, backgroundColor: hatch(color("low")),
          borderColor: color("low"), borderWidth: 1,
        });
      }
      const decimals = Number(figure.dataset.decimals);
      return {
        type: "bar", datasets, stacked: true, unit: figure.dataset.unit,
        format: (value) => amount(value, decimals),
      };
    },
    coverage(lines, labels, grain) {
      const whole = sums(lines, labels, grain, (line) => line.whole);
      const line = (label, key, name) => ({
        label, ...share(sums(lines, labels, grain, (row) => row[key]), whole),
        borderColor: color(name), backgroundColor: color(name), pointRadius: 2, borderWidth: 2,
        spanGaps: true, tension: 0,
      });
      return {
        type: "line", unit: "%", max: 100, format: percent,
        datasets: [line("amount known", "known", "c1"), line("exact", "exact", "c2")],
      };
    },
    outcomes(lines, labels, grain) {
      const whole = sums(lines, labels, grain, (line) => line.whole);
      const bar = (label, value, name) => ({
        label, ...share(sums(lines, labels, grain, value), whole), backgroundColor: color(name),
      });
      return {
        type: "bar", stacked: true, unit: "%", max: 100, format: percent,
        datasets: [
          bar("to the same product", (line) => line.same, "c1"),
          bar("to another product", (line) => line.any - line.same, "c6"),
          bar("still open", (line) => line.open, "c5"),
          bar("lapsed", (line) => line.lapsed, "c8"),
        ].filter((set) => set.data.some((value) => value > 0)),
      };
    },
    rate(lines, labels, grain) {
      const whole = sums(lines, labels, grain, (line) => line.whole);
      return {
        type: "bar", unit: "%", format: percent,
        datasets: [{
          label: "refunded", backgroundColor: color("c2"),
          ...share(sums(lines, labels, grain, (line) => line.part), whole),
        }],
      };
    },
  };

  // Shades the periods that can still change.
  const shading = {
    id: "shading",
    beforeDraw(chart, _, options) {
      const { left, right, top, bottom } = chart.chartArea;
      const width = (right - left) / chart.data.labels.length;
      chart.ctx.save();
      chart.ctx.fillStyle = color("shade");
      for (let index = 0; index < options.open.length; ) {
        let end = index;
        while (options.open[end]) end += 1;
        chart.ctx.fillRect(left + width * index, top, width * (end - index), bottom - top);
        index = end + 1;
      }
      chart.ctx.restore();
    },
  };

  const draw = (entry) => {
    const { figure, grain } = entry;
    const lines = grain === "month" ? entry.months : entry.lines;
    if (entry.chart) entry.chart.destroy();
    const labels = periods(lines, grain);
    const spec = build[figure.dataset.chart](lines, labels, grain, figure);
    const open = openPeriods(lines, labels, grain);
    figure.querySelector(".open-note").hidden = !open.includes(true);
    const grid = { color: color("line") };
    const ticks = { color: color("soft") };
    entry.chart = new Chart(figure.querySelector("canvas"), {
      type: spec.type,
      data: { labels, datasets: spec.datasets },
      plugins: [shading],
      options: {
        animation: false, responsive: true, maintainAspectRatio: false,
        interaction: { mode: "index", intersect: false },
        datasets: { bar: { categoryPercentage: 0.9, barPercentage: 0.95, maxBarThickness: 56 } },
        scales: {
          x: {
            stacked: spec.stacked, offset: true, grid: { display: false },
            ticks: { ...ticks, maxRotation: 0, autoSkipPadding: 16 },
          },
          y: {
            stacked: spec.stacked, beginAtZero: true, max: spec.max, grid,
            title: { display: true, text: spec.unit, color: color("soft") },
            ticks: {
              ...ticks,
              callback: (value) =>
                spec.unit === "%" ? value : (value / 1000).toLocaleString("en"),
            },
          },
        },
        plugins: {
          shading: { open },
          legend: { labels: { color: color("ink"), boxWidth: 14, boxHeight: 14 } },
          tooltip: {
            filter: (item) => item.raw !== null && item.raw !== 0,
            callbacks: {
              title: (items) =>
                items.length ? (grain === "week" ? "week of " : "") + items[0].label : "",
              label: (item) => {
                const counts = item.dataset.counts;
                return item.dataset.label + ": " + spec.format(item.raw) +
                  (counts ? " (" + counts[item.dataIndex] + ")" : "");
              },
            },
          },
        },
      },
    });
  };

  // Days where they are few enough to be seen, weeks and months else.
  const choose = (entry, count) => {
    const limit = window.innerWidth < 600 ? 62 : 124;
    return count <= limit ? "day" : count <= limit * 7 ? "week" : "month";
  };
  const offer = (entry) => {
    const group = entry.figure.querySelector(".grain");
    for (const grain of ["day", "week", "month"]) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = grain[0].toUpperCase() + grain.slice(1);
      button.setAttribute("aria-pressed", String(grain === entry.grain));
      button.addEventListener("click", () => {
        entry.grain = grain;
        for (const other of group.children) {
          other.setAttribute("aria-pressed", String(other === button));
        }
        draw(entry);
      });
      group.append(button);
    }
  };

  Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
  const entries = figures.map((figure) => {
    // A table of days may begin late; the table of months beside it holds all of them.
    const [lines = [], months = lines] = [...figure.parentElement.querySelectorAll("table")].map(read);
    return { figure, lines, months, grain: "month" };
  }).filter((entry) => entry.lines.length);
  assignColors(
    entries
      .filter((entry) => entry.figure.dataset.chart === "revenue" && entry.lines[0].period.length > 7)
      .map((entry) => entry.lines));
  for (const entry of entries) {
    const { figure, lines } = entry;
    if (lines[0].period.length === 10) {
      entry.grain = choose(entry, periods(lines, "day").length);
      offer(entry);
    }
    figure.hidden = false;
    draw(entry);
  }
  const drawAll = () => entries.forEach(draw);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawAll);
  addEventListener("beforeprint", () => {
    document.documentElement.dataset.print = "";
    drawAll();
  });
  addEventListener("afterprint", () => {
    delete document.documentElement.dataset.print;
    drawAll();
  });
  document.documentElement.dataset.charts = String(entries.length);
})();
