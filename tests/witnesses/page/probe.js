// Put at the end of a page: presses its keys and buttons, and leaves what there was to see in an element of its own.
"use strict";
addEventListener("load", () => {
  const press = key => document.dispatchEvent(new KeyboardEvent("keydown", { key, cancelable: true }));
  const current = () => [...document.querySelectorAll("[aria-current]")].map(element => element.textContent.trim());
  const drawn = () => [...document.querySelectorAll("svg")].map(svg => svg.outerHTML).join("");
  const style = getComputedStyle(document.body);
  const seen = { load: performance.now(), back: style.backgroundColor, text: style.color, wide: document.documentElement.scrollWidth > innerWidth };
  // Boxes whose content reaches beyond them, where nothing scrolls or hides it.
  const reaches = element => element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).overflowX === "visible" && getComputedStyle(element).display !== "inline";
  const overflowing = () => [...document.querySelectorAll("header, header *, main, section, section > *, li, li button, pre span, .scroll > p")].filter(reaches).map(element => element.outerHTML.slice(0, 200));
  seen.over = overflowing();
  const mark = document.querySelector("mark"), box = mark && mark.getBoundingClientRect(), around = mark && mark.closest(".scroll").getBoundingClientRect();
  seen.mark = mark ? { text: mark.textContent, visible: box.left >= around.left && box.right <= around.right + 1 && box.top >= around.top - 1 && box.bottom <= around.bottom + 1 } : null;
  seen.labels = [...document.querySelectorAll("section, button, svg, [tabindex]")].filter(element => !(element.getAttribute("aria-label") || element.getAttribute("aria-labelledby") || element.textContent.trim())).length;
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
