// Elements of the page. Everything that came from outside goes through textContent.

export const at = (id) => document.getElementById(id);

export function made(tag, text, name) {
  const element = document.createElement(tag);
  if (text !== undefined && text !== null) element.textContent = text;
  if (name) element.className = name;
  return element;
}
export function into(element, ...parts) {
  element.append(...parts.filter((part) => part !== null && part !== undefined && part !== ""));
  return element;
}

// What a person presses. `sends` is the request it sends at once, `opens` the one whose box it opens.
export function act(text, does, { main = false, sends, opens, icon: sign, off = false } = {}) {
  const button = made("button", sign ? undefined : text, main ? "main" : "");
  button.type = "button";
  if (sign) button.append(icon(sign), text);
  if (sends) button.dataset.act = sends;
  if (opens) button.dataset.opens = opens;
  button.disabled = off;
  // A second tap before the first is answered is the same one. So is the second of a double tap, which may meet what the
  // answer put in its place: who taps `stop` twice does not want the game to go on.
  let open = false;
  button.onclick = async ({ detail }) => {
    if (open || (sends && detail > 1)) return;
    open = true;
    try { await does(); } finally { open = false; }
  };
  return button;
}

// A sign from the page's own set: no font of a tablet is relied on.
export function icon(name, title) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("class", `icon ${name}`);
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  use.setAttribute("href", `#i-${name}`);
  svg.append(use);
  if (title) {
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", title);
  } else {
    svg.setAttribute("aria-hidden", "true");
  }
  return svg;
}

// Text of an element, written only where it differs: the browser lays out what changed, and nothing else.
export function write(element, text) {
  if (element.written === text) return;
  element.written = text;
  element.textContent = text;
}
