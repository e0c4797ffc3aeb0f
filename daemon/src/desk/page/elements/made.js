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
export function act(text, does, { main = false, sends, opens, off = false } = {}) {
  const button = made("button", text, main ? "main" : "");
  button.type = "button";
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

// Parts of a drawing.
export function drawn(tag, attributes = {}, ...parts) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...parts);
  return element;
}

// A sign from the page's own set: no font of a tablet is relied on.
export const icon = (name, title) => drawn("svg",
  { class: `icon ${name}`, ...(title ? { role: "img", "aria-label": title } : { "aria-hidden": "true" }) }, drawn("use", { href: `#i-${name}` }));

// Text of an element, written only where it differs: the browser lays out what changed, and nothing else.
export function write(element, text) {
  if (element.written === text) return;
  element.written = text;
  element.textContent = text;
}
