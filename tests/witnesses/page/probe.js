// Put at the end of a page: presses its keys and buttons, and leaves what there was to see in an element of its own.
"use strict";
addEventListener("load", () => {
  const press = key => document.dispatchEvent(new KeyboardEvent("keydown", { key, cancelable: true }));
  const current = () => [...document.querySelectorAll("[aria-current]")].map(element => element.textContent.trim());
  const drawn = () => [...document.querySelectorAll("svg")].map(svg => svg.outerHTML).join("");
  const style = getComputedStyle(document.body);
  const seen = { load: performance.now(), back: style.backgroundColor, text: style.color, wide: document.documentElement.scrollWidth > innerWidth };
  seen.moves = [current()];
  for (const key of ["Home", "j", "k", "End"]) { press(key); seen.moves.push(current()); }
  const buttons = [...document.querySelectorAll("li button")];
  seen.buttons = buttons.length;
  seen.drawings = 0;
  seen.broken = false;
  for (const button of buttons) {
    button.click();
    const picture = drawn();
    seen.drawings += picture ? 1 : 0;
    seen.broken = seen.broken || /NaN|undefined/.test(picture);
  }
  const out = document.createElement("script");
  out.type = "application/json";
  out.id = "seen";
  out.textContent = JSON.stringify(seen).replaceAll("<", "\\u003c");
  document.body.append(out);
});
