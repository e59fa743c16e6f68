// The parts of which the page is built: elements, tables, sparklines, charts. Texts are only ever
// set as text, so nothing of the data becomes markup.
"use strict";

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== null) made.setAttribute(key, value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

const color = (name) =>
  getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();

// A colour between two, each #rrggbb.
function mixed(from, to, share) {
  const part = (text, at) => Number.parseInt(text.slice(at, at + 2), 16);
  const mix = (at) => Math.round(part(from, at) + (part(to, at) - part(from, at)) * share);
  return `rgb(${mix(1)}, ${mix(3)}, ${mix(5)})`;
}

// A line of the values through the shown months; decoration, as the table says the same.
function sparkline(values) {
  const known = values.filter((value) => value !== null);
  if (known.length < 3) return null;
  const [least, most] = [Math.min(...known), Math.max(...known)];
  const x = (index) => (index / (values.length - 1)) * 98 + 1;
  const y = (value) => 23 - ((value - least) / (most - least || 1)) * 20;
  const points = values.map((value, index) =>
    value === null ? null : `${x(index).toFixed(1)},${y(value).toFixed(1)}`).filter(Boolean);
  const picture = document.getElementById("spark").content.firstElementChild.cloneNode(true);
  picture.firstElementChild.setAttribute("points", points.join(" "));
  return picture;
}

// A table in a region that can be scrolled with the keyboard. Cells are texts, or
// {text, value, heat, isOpen}; the first of a row is its head.
function tableOf(caption, heads, rows) {
  const cell = (content, index) => {
    const { text, value, heat, isOpen: open } =
      typeof content === "object" && content !== null ? content : { text: content };
    const made = element(index ? "td" : "th", {
      scope: index ? null : "row", class: index ? "number" + (open ? " open" : "") : null,
      title: open ? "can still change" : null,
      "data-value": value,
    }, String(text ?? ""));
    if (heat !== undefined && heat !== null) {
      made.classList.add("heat");
      made.style.backgroundColor = mixed(color("card"), color("heat"), Math.min(1, heat));
    }
    return made;
  };
  return element(
    "div", { class: "scroll", role: "region", tabindex: "0", "aria-label": caption },
    element("table", {},
      element("caption", {}, caption),
      element("thead", {}, element("tr", {}, ...heads.map((head, index) =>
        element("th", { scope: "col", class: index ? "number" : null }, head)))),
      element("tbody", {}, ...rows.map((row) => element("tr", {}, ...row.map(cell))))));
}

// What a spreadsheet would run as a formula gets an apostrophe, as in `paidline export`.
const formula = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
const figure = /^-?[\d,]+(\.\d+)?( ?%)?$/;

// A cell of CSV: figures without separators of thousands, nothing where nothing is known.
function csvCell(content) {
  const cell = typeof content === "object" && content !== null ? content.text : content;
  const text = String(cell ?? "").replaceAll("\u00a0", " ").replace(" (few)", "");
  if (text === "–") return "";
  if (figure.test(text)) return text.replaceAll(",", "").replace(" ", "");
  return '"' + (formula.test(text) ? "'" : "") + text.replaceAll('"', '""') + '"';
}

// The lines of a table as CSV; the mark at the beginning lets spreadsheets read UTF-8.
const csv = (heads, rows) =>
  "\ufeff" + [heads, ...rows].map((row) => row.map(csvCell).join(",") + "\r\n").join("");

// A button that saves a table as a file of CSV.
function saveButton(name, heads, rows) {
  const made = element("button", { type: "button", class: "save" }, "Save as CSV");
  made.addEventListener("click", () => {
    const url = URL.createObjectURL(new Blob([csv(heads, rows)], { type: "text/csv" }));
    element("a", { href: url, download: "paidline-" + name + ".csv" }).click();
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
  });
  return made;
}

const tableWithButton = (name, caption, heads, rows) =>
  [tableOf(caption, heads, rows), saveButton(name, heads, rows)];

// A panel: heading, what it means, then what it shows.
function panel(id, title, about, ...parts) {
  return element("section", { class: "panel", id, "aria-labelledby": id + "-title" },
    element("h2", { id: id + "-title" }, title), element("p", { class: "about" }, about),
    ...parts);
}

// Shades the months that can still change.
const shading = {
  id: "shading",
  beforeDraw(chart, _, options) {
    const { left, right, top, bottom } = chart.chartArea;
    const width = (right - left) / chart.data.labels.length;
    chart.ctx.save();
    chart.ctx.fillStyle = color("shade");
    options.open.forEach((open, index) => {
      if (open) chart.ctx.fillRect(left + width * index, top, width, bottom - top);
    });
    chart.ctx.restore();
  },
};

const hasCharts = typeof Chart === "function" && Number.parseInt(Chart.version, 10) >= 3;
const drawn = [];

// A chart over the shown months with its table below. Fewer than four months are a table alone.
// spec: {caption, datasets: [{label, data, color, type}], format, isStacked, isPercent, isCount}, and for
// other steps than months {places, names, isOpen}
function chartWithTable(spec, heads, rows) {
  const months = spec.places || shownMonths();
  const table = tableWithButton(spec.name, spec.caption, heads, rows);
  if (!hasCharts || months.length < 4) return table;
  const canvas = element("canvas", {
    role: "img", "aria-label": spec.caption + ". The table below has the same figures.",
  });
  const details = element("details", {}, element("summary", {}, "The same as a table"), ...table);
  const hasOpen = months.some(spec.isOpen || isOpen);
  drawn.push(() => draw(canvas, spec, months));
  return [
    element("figure", { "data-chart": spec.name }, element("div", { class: "canvas" }, canvas)),
    hasOpen ? element("p", { class: "about" }, "Shaded: figures that later exports can still change.")
      : null,
    details,
  ];
}

function draw(canvas, spec, months) {
  const former = Chart.getChart(canvas);
  if (former) former.destroy();
  const ticks = { color: color("soft") };
  new Chart(canvas, {
    type: spec.type || "bar",
    plugins: [shading],
    data: {
      labels: months.map((month) => (spec.names || data.months)[month]),
      datasets: spec.datasets.map((set) => ({
        label: set.label, data: months.map((month) => set.data[month]), type: set.type,
        backgroundColor: color(set.color), borderColor: color(set.color), notes: set.notes,
        borderWidth: spec.type === "line" || set.type === "line" ? 2 : 0, pointRadius: 2,
        tension: 0, spanGaps: true,
      })),
    },
    options: {
      animation: false, responsive: true, maintainAspectRatio: false,
      interaction: { mode: "index", intersect: false },
      datasets: { bar: { categoryPercentage: 0.9, barPercentage: 0.95, maxBarThickness: 56 } },
      scales: {
        x: {
          stacked: spec.isStacked, offset: true, grid: { display: false },
          ticks: { ...ticks, maxRotation: 0, autoSkipPadding: 16 },
        },
        y: {
          stacked: spec.isStacked, beginAtZero: true, grid: { color: color("line") },
          ticks: { ...ticks, callback: (value) =>
            spec.isPercent ? value + " %" : (spec.isCount ? value : value / 1e6).toLocaleString("en"),
            precision: spec.isCount ? 0 : undefined },
          title: {
            display: !spec.isPercent && !spec.isCount, text: unit()[0], color: color("soft"),
          },
        },
      },
      plugins: {
        shading: { open: months.map(spec.isOpen || isOpen) },
        legend: {
          display: spec.datasets.length > 1,
          labels: { color: color("ink"), boxWidth: 14, boxHeight: 14 },
        },
        tooltip: {
          filter: (item) => item.raw !== null && item.raw !== 0,
          callbacks: {
            label: (item) => {
              const notes = item.dataset.notes;
              return item.dataset.label + ": " + spec.format(item.raw)
                + (notes ? " (" + notes[months[item.dataIndex]] + ")" : "");
            },
          },
        },
      },
    },
  });
}
