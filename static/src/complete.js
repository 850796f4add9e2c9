// Completion and hints for the JSON of an award, by its schema and by the names that events came
// with. Both are asked for once; without them one writes as in any editor.

import { autocompletion } from "@codemirror/autocomplete";
import { hoverTooltip } from "@codemirror/view";

const get = path => fetch("/api/v1/admin/awards/" + path).then(r => r.ok ? r.json() : null, () => null);
let asked;
const known = () => asked ??= Promise.all([get("schema"), get("names")]);

// where says in what a position of a text is: the objects and lists around it, each with the plain
// values that it has so far, and whether a key or a value is expected. It reads what is no JSON yet.
export function where(text, at) {
  const frames = [];
  let key = "", open = -1, word = "";
  for (let i = 0; i < at; i++) {
    const c = text[i], top = frames[frames.length - 1];
    if (c === '"') {
      const end = /^(?:[^"\\\n]|\\.)*/.exec(text.slice(i + 1))[0].length + i + 1;
      word = text.slice(i + 1, Math.min(end, at));
      if (end >= at) {
        open = i;
        break;
      }
      i = end;
      if (!top) continue;
      if (top.list || top.value) top.values[top.list ? top.index : key] = word;
      else if (text[end] === '"') key = word;
    } else if (c === "{" || c === "[") {
      if (top) top.values[top.list ? top.index : key] = null;
      frames.push({ list: c === "[", from: i, key, index: 0, value: false, values: {} });
      key = "";
    } else if (c === "}" || c === "]") {
      key = frames.pop()?.key ?? "";
    } else if (c === ":" && top) {
      top.value = true;
    } else if (c === "," && top) {
      top.value = false;
      top.index++;
    }
  }
  const top = frames[frames.length - 1];
  return { frames, key, open, word: open < 0 ? "" : word, value: top ? top.list || top.value : true };
}

// inside is the schema of what is in a part: references followed, and of filters and rules the one
// that is named, or all of them.
function inside(schema, node, values) {
  for (let part = node?.$ref ?? node?.allOf?.[0].$ref; part; part = node.$ref) node = schema.$defs[part.split("/").pop()];
  const kinds = node?.oneOf?.filter(k => k.properties?.name?.const);
  if (!kinds?.length) return node;
  const one = kinds.find(k => k.properties.name.const === values?.name);
  return one ? { ...one, properties: { ...one.properties, name: { enum: kinds.map(k => k.properties.name.const) } } }
    : { properties: { name: { enum: kinds.map(k => k.properties.name.const), description: "What it is." }, config: {} } };
}

// schemaAt is the schema of the innermost part at a place.
function schemaAt(schema, place) {
  let node = schema;
  place.frames.forEach((frame, i) => {
    if (i > 0) node = place.frames[i - 1].list ? node?.items : node?.properties?.[frame.key];
    node = inside(schema, node, frame.values);
  });
  return node;
}

// named are the names of a kind that fit: types and facts of the sources of the task.
function named(names, kind, text, place) {
  if (kind === "objective") return [...text.matchAll(/"id"\s*:\s*"([^"]+)"/g)].map(m => ({ label: m[1], detail: "task" }));
  if (!names) return [];
  if (kind === "site") return names.sites.map(label => ({ label, detail: "site" }));
  if (kind === "source") return names.sources.map(s => ({ label: s.source, detail: s.own ? "Laurel's own" : "seen lately" }));
  const task = place.frames[2]; // The document, its objectives, this one.
  const listed = task && /"sources"\s*:\s*\[([^\]]*)\]/.exec(text.slice(task.from))?.[1];
  const sources = names.sources.filter(s => !listed || listed.includes('"' + s.source + '"'));
  return sources.flatMap(s => (kind === "type" ? s.types.map(name => ({ name, of: "type" })) : s.facts)
    .map(f => ({ label: f.name, detail: f.of + " of " + s.source })));
}

const empty = node => node?.type === "array" ? "[]" : node?.type === "string" || node?.enum ? '""' : node?.type === "number" || node?.type === "integer" ? "" : "{}";

async function complete(context) {
  const [schema, names] = await known();
  if (!schema) return null;
  const text = context.state.doc.toString(), place = where(text, context.pos);
  if (place.open < 0 && !context.explicit) return null;
  const top = place.frames[place.frames.length - 1], node = schemaAt(schema, place);
  if (!top || !node) return null;
  const from = place.open < 0 ? context.pos : place.open;
  const past = (view, at) => place.open >= 0 && view.state.sliceDoc(at, at + 1) === '"' ? at + 1 : at; // The closing quote goes, too.
  if (!place.value) {
    const options = Object.entries(node.properties ?? {}).filter(([key]) => !(key in top.values) || key === place.word).map(([key, of]) => {
      const value = empty(inside(schema, of)), written = JSON.stringify(key) + ": " + value, more = /^"?\s*:/.test(text.slice(context.pos));
      return { label: '"' + key + '"', detail: node.required?.includes(key) ? "required" : "", info: of.description, type: "property",
        apply: (view, _, a, b) => {
          const insert = more ? JSON.stringify(key) : written, back = more || value === "" ? 0 : 1;
          view.dispatch({ changes: { from: a, to: past(view, b), insert }, selection: { anchor: a + insert.length - back }, userEvent: "input.complete" });
        } };
    });
    return { from, options, validFor: /^"?[\w]*$/ };
  }
  const of = top.list ? node.items : node.properties?.[place.key], plain = inside(schema, of);
  const options = plain?.enum?.map(label => ({ label })) ?? plain?.examples?.map(label => ({ label })) ?? [];
  if (plain?.["x-names"]) options.push(...named(names, plain["x-names"], text, place));
  const quoted = options.map(o => ({ ...o, label: JSON.stringify(o.label), apply: (view, _, a, b) => {
    const insert = JSON.stringify(o.label);
    view.dispatch({ changes: { from: a, to: past(view, b), insert }, selection: { anchor: a + insert.length }, userEvent: "input.complete" });
  } }));
  return quoted.length ? { from, options: quoted, validFor: /^"?[^"\n]*$/ } : null;
}

// hint says what the key below the pointer means.
async function hint(view, pos) {
  const [schema] = await known();
  const text = view.state.doc.toString(), place = where(text, pos);
  if (!schema || place.open < 0 || place.value) return null;
  const end = text.indexOf('"', place.open + 1), key = text.slice(place.open + 1, end);
  const words = schemaAt(schema, place)?.properties?.[key]?.description;
  if (!words) return null;
  return { pos: place.open, end: end + 1, above: true, create() {
    const dom = document.createElement("div");
    dom.className = "hint";
    dom.textContent = key + ": " + words;
    return { dom };
  } };
}

export const completion = [autocompletion({ override: [complete], icons: false }), hoverTooltip(hint)];
