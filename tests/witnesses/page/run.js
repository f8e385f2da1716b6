// Runs the script of a page on the least of a browser's document that it needs, presses its keys, and prints what came of it.
"use strict";
const text = require("fs").readFileSync(process.argv[2], "utf8");
const script = text.split("<script>\n")[1].split("</script>")[0];
const data = text.split('id="data">')[1].split("</script>")[0];

class Element {
  constructor(tag) { this.tag = tag; this.children = []; this.attributes = {}; this.style = {}; this.listeners = {}; this.text = ""; this.html = ""; }
  set textContent(value) { this.text = value; }
  get textContent() { return this.text + this.children.map(child => typeof child === "string" ? child : child.textContent).join(""); }
  set innerHTML(value) { this.html = value; this.children = []; }
  set className(value) { this.attributes.class = value; }
  get className() { return this.attributes.class || ""; }
  appendChild(child) { this.children.push(child); }
  append(...children) { this.children.push(...children); }
  setAttribute(key, value) { this.attributes[key] = value; }
  removeAttribute(key) { delete this.attributes[key]; }
  addEventListener(kind, listener) { this.listeners[kind] = listener; }
  querySelector() { return null; }
  all() { return [this, ...this.children.flatMap(child => typeof child === "string" ? [] : child.all())]; }
}

const known = { facts: new Element("div"), main: new Element("main"), data: new Element("script") };
known.data.textContent = data;
let keys;
const document = {
  getElementById: id => known[id],
  createElement: tag => new Element(tag),
  addEventListener: (kind, listener) => { if (kind === "keydown") keys = listener; },
};
const module_ = {};
class ResizeObserver { observe() {} }
new Function("document", "module", "ResizeObserver", script)(document, module_, ResizeObserver);
const main = known.main, [left, middle, right] = main.children.map(section => section.children[1]);
const current = () => main.all().filter(e => e.attributes["aria-current"]).map(e => e.textContent.trim());
const here = () => main.all().filter(e => e.className === "here").map(e => e.textContent);
const press = key => { keys({ key, preventDefault() {} }); return { key, current: current(), here: here(), html: right.html }; };
const first = { key: "", current: current(), here: here(), html: right.html };
const parsed = JSON.parse(data);
console.log(JSON.stringify({
  facts: known.facts.all().map(e => e.text).filter(Boolean),
  steps: left.all().filter(e => e.tag === "button").length,
  legend: main.all().filter(e => e.tag === "dt").map(e => e.text),
  lines: middle.all().filter(e => e.tag === "span").length,
  moves: [first, press("Home"), press("k"), press("ArrowDown"), press("End")],
  drawn: parsed.pictures.map((picture, index) => module_.exports.svg(picture, parsed.pictures[index - 1])),
}));
