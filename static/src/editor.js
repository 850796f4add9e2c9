// The editor of an award: CodeMirror on the JSON, mistakes marked by the server
// as one types, and fields that follow the JSON and the other way round. The
// form works without any of it.

import { minimalSetup } from "codemirror";
import { EditorView, lineNumbers } from "@codemirror/view";
import { json } from "@codemirror/lang-json";
import { bracketMatching, syntaxHighlighting } from "@codemirror/language";
import { linter, lintGutter } from "@codemirror/lint";
import { classHighlighter } from "@lezer/highlight";
import { completion } from "./complete.js";

const nonce = document.currentScript.dataset.nonce;
const area = document.getElementById("document");
const form = area?.form;

// lint asks the server, which knows all that can be wrong.
async function lint(view) {
  const text = view.state.doc.toString();
  if ("fresh" in form.dataset) return []; // Nobody has written anything yet.
  let found;
  try {
    const answer = await fetch("/admin/awards/lint?slug=" + encodeURIComponent(form.dataset.slug), { method: "POST", body: text });
    if (!answer.ok) return [];
    found = await answer.json();
  } catch {
    return []; // Not reachable: saving says so.
  }
  if (view.state.doc.toString() === text) list(found);
  const end = view.state.doc.length;
  return found.map(m => ({ from: Math.min(m.from, end), to: Math.min(m.to, end), severity: m.severity, message: (m.path ? m.path + ": " : "") + m.message }));
}

// list shows the mistakes below the editor, each leading to its place.
function list(found) {
  const lines = found.map(m => {
    const line = document.createElement("li");
    line.className = m.severity === "warning" ? "wait" : "bad";
    const link = document.createElement("a");
    link.href = "#document";
    link.textContent = m.path || "The document";
    link.dataset.from = m.from;
    link.dataset.to = m.to;
    line.append(m.severity === "warning" ? "▲ " : "✕ ", link, ": " + m.message);
    if (m.field) {
      const field = document.createElement("a");
      field.href = "#" + m.field;
      field.textContent = "Show in the form";
      line.append(" ", field);
    }
    return line;
  });
  document.getElementById("mistakes").replaceChildren(...lines);
}

// measure makes the numbers stand beside their lines. While it is out of sight the editor only guesses how high lines
// are, which a picture of the whole page shows; it looks where it is asked to scroll, and the page stays where it is.
let measuring = false;
const stay = () => { const ours = measuring; measuring = false; return ours; };
function measure(view) {
  const { top, bottom } = view.dom.getBoundingClientRect();
  if (measuring || top < innerHeight && bottom > 0) return;
  measuring = true;
  view.dispatch({ effects: EditorView.scrollIntoView(0) });
}

function start() {
  const label = document.querySelector("label[for=document]");
  const view = new EditorView({
    doc: area.value,
    extensions: [
      EditorView.cspNonce.of(nonce), EditorView.scrollHandler.of(stay), minimalSetup, lineNumbers(), json(), bracketMatching(), syntaxHighlighting(classHighlighter),
      linter(lint, { delay: 300 }), lintGutter(), completion, EditorView.lineWrapping,
      EditorView.contentAttributes.of({ "aria-label": label.textContent, "aria-describedby": "mistakes", tabindex: "0" }),
      EditorView.updateListener.of(update => {
        if (!update.docChanged) return;
        area.value = update.state.doc.toString();
        delete form.dataset.fresh;
        if (update.transactions.some(t => t.isUserEvent("input") || t.isUserEvent("delete") || t.isUserEvent("undo") || t.isUserEvent("redo") || t.isUserEvent("move"))) later();
      }),
    ],
  });
  area.before(view.dom);
  area.hidden = true;
  measure(view);
  new ResizeObserver(() => measure(view)).observe(view.dom);
  label.addEventListener("click", () => view.focus());

  // A version is saved with a note: the button asks for it, and Enter in its field saves.
  const note = document.getElementById("note");
  note?.addEventListener("keydown", event => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    document.getElementById("save").click();
  });
  form.addEventListener("submit", event => {
    if (event.submitter?.value !== "save" || note.value.trim()) return;
    event.preventDefault();
    note.setAttribute("aria-invalid", "true");
    note.focus();
  });

  // exchange sends the form as "Apply to the JSON" does, and takes over what came of it. Fields are left alone while
  // somebody is at them: a button that is exchanged while it is pressed does nothing.
  let timer, running = 0, pressed = false;
  addEventListener("pointerdown", () => { pressed = true; }, true);
  for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => { pressed = false; }, true);
  const filled = () => { const f = new URLSearchParams(new FormData(form)); f.set("do", "apply"); return f.toString(); };
  const busy = so => document.getElementById("editor").toggleAttribute("data-busy", so);
  function later() {
    clearTimeout(timer);
    busy(true);
    timer = setTimeout(exchange, 700);
  }
  async function exchange() {
    clearTimeout(timer);
    busy(true);
    const turn = ++running, sent = filled();
    let page;
    try {
      const answer = await fetch(form.action, { method: "POST", body: new URLSearchParams(sent) });
      if (answer.ok) page = new DOMParser().parseFromString(await answer.text(), "text/html");
    } catch {
      // Not reachable: saving says so.
    }
    if (turn !== running) return; // A later one is under way.
    const at = document.activeElement, inside = document.getElementById("fields").contains(at);
    if (page && (pressed || filled() !== sent || inside && at.tagName === "SELECT")) return later();
    if (page?.getElementById("document")) take(page, inside ? at.id : "");
    busy(false);
  }
  function take(page, id) {
    const now = page.getElementById("document").value;
    document.getElementById("shown").value = page.getElementById("shown").value;
    for (const part of ["tree", "fields"]) document.getElementById(part).replaceWith(page.getElementById(part));
    if (now !== area.value) view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: now } });
    if (id) document.getElementById(id)?.focus();
  }
  form.addEventListener("change", event => {
    if (event.target.closest("#fields [data-field]")) exchange();
  });

  document.addEventListener("click", event => {
    const field = event.target.closest("#mistakes a:not([data-from])");
    if (field) {
      event.preventDefault();
      document.getElementById(field.hash.slice(1))?.focus();
      return;
    }
    const link = event.target.closest("#mistakes a[data-from]");
    if (!link) return;
    event.preventDefault();
    view.dispatch({ selection: { anchor: Math.min(+link.dataset.from, view.state.doc.length), head: Math.min(+link.dataset.to, view.state.doc.length) }, scrollIntoView: true });
    view.focus();
  });
}

if (area) start();
