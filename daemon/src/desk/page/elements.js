// Elements of the page: made with textContent only, kept as long as what they show.
"use strict";

const at = (id) => document.getElementById(id);

function made(tag, text, name) {
  const element = document.createElement(tag);
  if (text !== undefined) element.textContent = text;
  if (name) element.className = name;
  return element;
}
function act(text, does, main) {
  const button = made("button", text, main ? "main" : "");
  button.type = "button";
  button.onclick = does;
  return button;
}

// Elements stay as long as what they show: a tap or a focus on one is not lost because something else changed.
function keep(container, wanted) {
  const there = new Map(Array.from(container.children, (element) => [element.dataset.key, element]));
  const elements = wanted.map(({ key, about, make }) => {
    const shown = `${language} ${role} ${ready} ${JSON.stringify(about)}`;
    const old = there.get(String(key));
    if (old && old.shown === shown) return old;
    const element = make();
    element.dataset.key = key;
    element.shown = shown;
    return element;
  });
  const same = elements.length === container.children.length &&
    elements.every((element, place) => element === container.children[place]);
  if (!same) container.replaceChildren(...elements);
}

// The options of a select; what is chosen stays chosen.
function keepOptions(select, options) {
  const about = JSON.stringify(options);
  if (select.shown === about) return;
  const value = select.value;
  select.shown = about;
  select.replaceChildren(...options.map(([value, text]) => {
    const option = made("option", text);
    option.value = value;
    return option;
  }));
  if (options.some(([known]) => known === value)) select.value = value;
}

// --- what is asked in a box of its own

function dialog(title, fields, send, yes = words.send) {
  const form = at("dialog-form");
  const values = fields.map(({ name, label, options, required }) => {
    const line = made("label", `${label} `);
    const input = made(options ? "select" : "input");
    if (options) keepOptions(input, options);
    input.required = Boolean(required);
    line.append(input);
    return { name, line, input };
  });
  const acts = made("div", undefined, "acts");
  const cancel = act(words.cancel, () => at("dialog").close());
  const ok = made("button", yes, "main");
  acts.append(cancel, ok);
  form.replaceChildren(made("strong", title), ...values.map((value) => value.line), acts);
  form.onsubmit = () => send(Object.fromEntries(values.map(({ name, input }) => [name, input.value.trim()])));
  at("dialog").showModal();
}

// --- what a form is told, below it; said again when the language is turned

const told = new Map();

// `make` gives the lines; the first one is the message, the others belong to it.
function tell(id, make, bad) {
  told.set(id, { make, bad });
  showTold(id);
}
function showTold(id) {
  const { make, bad } = told.get(id);
  const lines = make().filter(Boolean);
  const box = at(id);
  box.className = bad ? "said bad" : "said";
  box.hidden = !lines.length;
  const more = lines.slice(1).map((line) => made("li", line));
  const list = made("ul");
  list.append(...more);
  box.replaceChildren(made("p", lines[0]), ...(more.length ? [list] : []));
}
// An answer of the daemon below its form, in our words; a refusal as it is.
const answers = (id, make) => (answer) => tell(id, () => [make(answer)].flat());
const refuses = (id) => (error) => tell(id, () => refusal(error), true);

// A refusal in the daemon's words, with all it names.
function refusal(error) {
  const data = error.data || {};
  const findings = (data.findings || []).map(({ where, message, proposal }) =>
    [where, proposal ? `${message} (${words.load.meant}: ${proposal})` : message].filter(Boolean).join(": "));
  const missing = (data.missing || []).map(({ board, missing }) => `${words.board} ${board}: ${missing}`);
  const conflicts = (data.conflicts || []).map(({ message }) => message);
  // what the message says already is not said twice
  return [error.message, ...[...findings, ...missing, ...conflicts].filter((line) => !error.message.includes(line))];
}

// Static texts carry the place of their words: data-word="setup.title".
function translate() {
  for (const element of document.querySelectorAll("[data-word]")) {
    const text = element.dataset.word.split(".").reduce((table, name) => table[name], words);
    if (element.textContent !== text) element.textContent = text;
  }
}
