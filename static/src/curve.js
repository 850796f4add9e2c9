// The curve of a post, to be zoomed into: by dragging over it, or by its buttons.
// Without this the page has the same as a picture and as a table.

import uPlot from "uplot";

// What the page says in its language: the names of the lines, of the buttons, and the rest.
let said;
const views = 3; // The line with a scale of its own.
const dashes = [[], [7, 3], [2, 4], [9, 3, 2, 3]];
const day = 86400;

const colour = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const language = document.documentElement.lang;
const months = [...Array(12).keys()].map(m => new Date(Date.UTC(2000, m, 15)).toLocaleString(language, { month: "long", timeZone: "UTC" }));
const names = { MMMM: months, MMM: months.map(m => m.slice(0, 3)), WWWW: [], WWW: [] };
const words = n => n == null ? "-" : n.toLocaleString(language);
const short = n => n >= 1e6 ? words(n / 1e6) + "M" : n >= 1e4 ? words(n / 1e3) + "k" : words(n);

// times are how instants stand below the plot: the day beneath where it begins.
const times = [
  [28 * day, "{MMM}", "\n{YYYY}", null, null, null, null, null, 1],
  [day, "{D} {MMM}", "\n{YYYY}", null, null, null, null, null, 1],
  [1, "{HH}:{mm}", "\n{D} {MMM}", null, "\n{D} {MMM}", null, null, null, 1],
];

// options say what is drawn where; views have a scale of their own.
function options(data, width, zone) {
  const axis = { stroke: colour("--soft"), grid: { stroke: colour("--line"), width: 1 }, ticks: { show: false }, font: "12px system-ui, sans-serif" };
  const told = said.slice(0, 4).map((name, i) => [name, i]).filter(([, i]) => data[i + 1].some(n => n != null));
  const viewed = told.some(([, i]) => i === views);
  return {
    width, height: 300, fmtDate: tpl => uPlot.fmtDate(tpl, names), tzDate: ts => uPlot.tzDate(new Date(ts * 1000), zone),
    legend: { markers: { width: 2, dash: (_, i) => ["", "solid", "dashed", "dotted", "dashed"][told[i - 1]?.[1] + 1] } },
    cursor: { drag: { x: true, y: false, setScale: true } },
    scales: { x: { range: (_, low, high) => high - low < 60 ? [low - 30, high + 30] : [low, high] }, n: { range: (_, low, high) => [0, Math.max(high * 1.05, 4)] }, views: { range: (_, low, high) => [0, Math.max(high * 1.25, 4)] } },
    axes: [{ ...axis, values: times }, { ...axis, scale: "n", size: 55, values: (_, all) => all.map(short) }].concat(viewed ? [{ ...axis, scale: "views", side: 1, size: 55, grid: { show: false }, values: (_, all) => all.map(short) }] : []),
    series: [{ label: said[4], value: "{YYYY}-{MM}-{DD} {HH}:{mm}" }].concat(told.map(([name, i]) => ({
      label: name, scale: i === views ? "views" : "n", stroke: colour("--line" + i), width: 2, dash: dashes[i], value: (_, n) => words(n), points: { size: 5 },
    }))),
    told,
  };
}

function draw(figure) {
  const all = JSON.parse(figure.dataset.curve);
  said = figure.dataset.said.split("|");
  if (figure.querySelector(".uplot") || all[0].length < 2) return;
  const first = all[0][0], last = all[0].at(-1);
  const picture = figure.querySelector("svg");
  const bar = document.createElement("div");
  bar.className = "zoom";
  bar.setAttribute("role", "toolbar");
  bar.setAttribute("aria-label", said[5]);
  let plot;
  const show = (from, to) => plot.setScale("x", { min: from, max: to });
  const spans = [[said[6], last - first], [said[7], 3600], [said[8], day], [said[9], 7 * day]].filter(([, s]) => s <= last - first);
  const buttons = spans.map(([name, s]) => {
    const b = document.createElement("button");
    b.type = "button";
    b.textContent = name;
    b.addEventListener("click", () => show(first, first + s));
    bar.append(b);
    return [b, s];
  });
  const hint = document.createElement("span");
  hint.className = "soft";
  hint.textContent = said[10];
  bar.append(hint);
  const place = document.createElement("div");
  place.setAttribute("role", "img");
  place.setAttribute("aria-label", picture.getAttribute("aria-label"));
  figure.prepend(bar);
  const make = () => {
    plot?.destroy();
    const o = options(all, figure.clientWidth, figure.dataset.zone);
    o.hooks = { setScale: [(u, key) => {
      if (key !== "x") return;
      for (const [b, s] of buttons) b.setAttribute("aria-pressed", Math.abs(u.scales.x.min - first) < 1 && Math.abs(u.scales.x.max - first - s) < 1);
    }] };
    plot = new uPlot(o, [all[0], ...o.told.map(([, i]) => all[i + 1])], place);
  };
  picture.replaceWith(place);
  figure.parentNode.querySelector("#lines")?.remove(); // The plot has its own, with numbers.
  make();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", make);
  new ResizeObserver(() => figure.clientWidth !== plot.width && plot.setSize({ width: figure.clientWidth, height: 300 })).observe(figure);
}

function drawAll() {
  for (const figure of document.querySelectorAll("figure[data-curve]")) draw(figure);
}
drawAll();
document.addEventListener("htmx:afterSettle", drawAll); // A look has come.
