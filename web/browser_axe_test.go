package main

// axeFile is brought by npm, beside what the pages use.
const axeFile = "../static/node_modules/axe-core/axe.min.js"

// shorten leaves two of each kind of entry in a list: axe takes most of the time of this test, and the
// others have the same elements with the same attributes, with and without words in the same places.
const shorten = `
for (const list of document.querySelectorAll("main :is(tbody, ol, ul, g)")) {
	const seen = {}, kind = e => [e.tagName, e.getAttribute("class"), !e.textContent.trim(),
		...e.getAttributeNames().map(name => name + !e.getAttribute(name)), "(", ...[...e.children].map(kind), ")"].join();
	for (const e of [...list.children]) (seen[kind(e)] = (seen[kind(e)] ?? 0) + 1) > 2 && e.remove();
}`

// examine runs axe and returns how many rules are kept, and the words of what breaks one. Rules of
// colours take longest by far: what passed them on another page, in the same place and colours, is
// not examined again. A tab remembers that for each scheme.
const examine = `
const byColours = {
	"color-contrast": e => e.matches("input, select, textarea") || [...e.childNodes].some(n => n.nodeType === Node.TEXT_NODE && n.data.trim()),
	"link-in-text-block": e => e.matches("a"),
};
const coloured = ["color", "backgroundColor", "backgroundImage", "opacity", "fontSize", "fontWeight", "textDecorationLine", "position"];
axe.configure({rules: Object.keys(byColours).map(id => ({id, selector: "[data-" + id + "]"}))});

async function examine(scheme, runOnly) {
	const passed = new Set(JSON.parse(sessionStorage.getItem(scheme) ?? "[]"));
	const looks = new Map([[null, ""]]), look = e => { // Of an element and all around it.
		if (!looks.has(e)) {
			const style = getComputedStyle(e);
			const words = [look(e.parentElement), e.tagName, e.getAttribute("class"), ...coloured.map(name => style[name])].join();
			looks.set(e, [...words].reduce((hash, c) => Math.imul(hash, 31) + c.charCodeAt(0) | 0, 0));
		}
		return looks.get(e);
	};
	const times = {}; // Two of one look are enough on a page.
	for (const id in byColours)
		for (const e of document.querySelectorAll("body *")) {
			const mine = byColours[id](e) && e.getClientRects().length > 0 && id + look(e);
			e.toggleAttribute("data-" + id, mine && !passed.has(mine) && (times[mine] = (times[mine] ?? 0) + 1) < 3);
		}
	const run = () => axe.run(document, {preload: false, elementRef: true, runOnly});
	const found = await run().catch(() => new Promise(requestAnimationFrame).then(run)); // An editor may have drawn itself anew meanwhile.
	for (const rule of found.passes)
		if (rule.id in byColours) rule.nodes.forEach(n => passed.add(rule.id + look(n.element)));
	sessionStorage.setItem(scheme, JSON.stringify([...passed]));
	return ["" + found.passes.length].concat(found.violations.map(v =>
		v.id + " (" + v.help + "): " + v.nodes.map(n => n.target.join(" ") + " " + n.any.concat(n.all).map(c => c.message).join("; ")).join(" | ")));
}`
