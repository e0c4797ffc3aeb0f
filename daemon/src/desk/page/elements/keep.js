// Elements stay as long as what they show: a tap or a focus on one is not lost because something else changed.

import { line } from "../line.js";
import { language } from "../words/index.js";

// `wanted`: [{key, about, make}] in order; one is made anew where `about` differs.
export function keep(container, wanted) {
  const there = new Map(Array.from(container.children, (element) => [element.dataset.key, element]));
  const focus = document.activeElement;
  const held = focus && container.contains(focus) ? focus.closest("[data-key]") : null;
  const elements = wanted.map(({ key, about, make }) => {
    const shown = `${language} ${line.role} ${line.ready} ${JSON.stringify(about)}`;
    const old = there.get(String(key));
    if (old && old.shown === shown) return old;
    const element = make();
    element.dataset.key = key;
    element.shown = shown;
    if (old && old === held) refocus(old, element, focus);
    return element;
  });
  const same = elements.length === container.children.length &&
    elements.every((element, place) => element === container.children[place]);
  if (same) return;
  container.replaceChildren(...elements);
  const again = elements.find((element) => element.again);
  if (again) {
    const wants = again.again;
    delete again.again;
    wants.focus();
  } else if (held && container.contains(held) && document.activeElement !== focus) {
    focus.focus();
  }
}

// Whoever stood on a button of what was made anew stands on the same button again; where that is gone (while the line is
// down there are none), on what it stood in, and not at the page's beginning.
function refocus(old, element, focus) {
  const buttons = (of) => [of, ...of.querySelectorAll("button, a, input, select, [tabindex]")];
  const place = buttons(old).indexOf(focus);
  element.again = buttons(element)[place] ?? element.querySelector("button") ?? element;
}

// The options of a select; what is chosen stays chosen.
export function keepOptions(select, options) {
  const about = JSON.stringify(options);
  if (select.shown === about) return;
  const { value } = select;
  select.shown = about;
  select.replaceChildren(...options.map(([value, text]) => {
    const option = document.createElement("option");
    option.textContent = text;
    option.value = value;
    return option;
  }));
  if (options.some(([known]) => known === value)) select.value = value;
}
