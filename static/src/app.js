// What the pages do beyond links and forms. Every page works without it.

const tip = document.createElement("div");
tip.id = "tip";
tip.setAttribute("aria-hidden", "true"); // The words are in the page already.

function show(text, x, y) {
  tip.textContent = text;
  document.body.append(tip);
  const left = Math.min(x + 12, document.documentElement.clientWidth - tip.offsetWidth - 8);
  tip.style.left = Math.max(8, left) + scrollX + "px";
  tip.style.top = y + scrollY - tip.offsetHeight - 10 + "px";
}

// dayAt returns the day under the pointer in a year's picture: its date and its count.
function dayAt(svg, event) {
  const box = svg.getBoundingClientRect();
  const unit = box.height / 8; // A row of month names, and seven days.
  const week = Math.floor((event.clientX - box.left) / unit);
  const row = Math.floor((event.clientY - box.top) / unit) - 1;
  const first = new Date(svg.dataset.first + "T00:00Z");
  const days = svg.dataset.days.match(/\(\d+\)|./g); // One digit of base 36 a day, or (a number).
  const i = week * 7 + row - (first.getUTCDay() + 6) % 7;
  if (row < 0 || i < 0 || i >= days.length) return null;
  first.setUTCDate(first.getUTCDate() + i);
  const count = days[i][0] === "(" ? parseInt(days[i].slice(1)) : parseInt(days[i], 36);
  const undetailed = svg.dataset.undetailed?.match(`(?:^| )${i}:(\\d+)`)?.[1] ?? 0; // Counted by a site, not listed.
  return { date: first.toISOString().slice(0, 10), count, undetailed: Number(undetailed), time: first };
}

const longDay = { weekday: "short", day: "numeric", month: "short", year: "numeric", timeZone: "UTC" };

document.addEventListener("pointermove", event => {
  const svg = event.target.closest?.("svg[data-days]");
  const day = svg && dayAt(svg, event);
  if (day) {
    const said = svg.dataset.said.split("|");
    const unknown = day.undetailed === 0 ? "" : ", " + (day.undetailed === day.count ? said[3] : said[4].replace("#", day.undetailed));
    const date = day.time.toLocaleDateString(document.documentElement.lang.replace(/^en$/, "en-GB"), longDay);
    show(date + ": " + said[Math.min(day.count, 2)].replace("#", day.count) + unknown, event.clientX, event.clientY);
  } else if (!document.activeElement.closest(".plot [tabindex]")) {
    tip.remove();
  }
});

// A day of the picture leads to its submissions; the keyboard takes the link around it, to the table.
document.addEventListener("click", event => {
  const svg = event.target.closest("svg[data-days]");
  const day = svg && event.detail && dayAt(svg, event);
  if (day && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    event.preventDefault();
    location.assign(svg.closest("a").href.replace(/days$/, "submissions?from=" + day.date + "&to=" + day.date));
  }
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    if (!menu.contains(event.target)) menu.open = false;
  }
});

document.addEventListener("focusin", event => {
  const point = event.target.closest(".plot [tabindex]");
  if (!point) return;
  const box = point.getBoundingClientRect();
  show(point.textContent, box.left, box.top);
});
document.addEventListener("focusout", () => tip.remove());

document.addEventListener("keydown", event => {
  if (event.key !== "Escape") return;
  tip.remove();
  const menu = document.querySelector("details.menu[open]");
  if (menu) {
    menu.open = false;
    menu.querySelector("summary").focus();
  }
});

// A new member's days begin where the browser is, unless they say otherwise.
const zone = document.getElementById("time_zone");
if (zone?.value === "UTC" && !document.querySelector("[aria-invalid]")) {
  zone.value = Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
}

// A button copies what is in a field.
for (const button of document.querySelectorAll("[data-copy]")) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    const field = document.getElementById(button.dataset.copy);
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
    } catch {
      document.execCommand("copy"); // Where the page is not encrypted.
    }
    button.textContent = button.dataset.copied;
    document.getElementById("said").textContent = button.dataset.copied;
  });
}

// A button whose part of the page cannot be had sends its form plainly: the answer is a page that says why.
for (const failed of ["htmx:responseError", "htmx:sendError"]) {
  document.addEventListener(failed, event => {
    if (event.target.matches("form")) HTMLFormElement.prototype.submit.call(event.target);
  });
}

// reach lets the keyboard scroll what overflows.
function reach() {
  for (const part of document.querySelectorAll(".scroll")) {
    if (part.scrollWidth > part.clientWidth && !part.querySelector("a")) part.tabIndex = 0;
  }
}
reach();

// After each exchange of a part, progress is told to those who cannot see it.
document.addEventListener("htmx:afterSettle", () => {
  reach();
  const said = document.getElementById("said");
  const words = document.getElementById("progress")?.textContent ?? "";
  if (said.textContent !== words) said.textContent = words;
});
