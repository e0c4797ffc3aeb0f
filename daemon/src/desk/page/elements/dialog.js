// What is asked in a box of its own. It stays open until the daemon has answered: what was filled in is not lost with
// the line, and a refusal is read where the question was asked.

import { CUT, ask, seenNow, tapId } from "../line.js";
import { words } from "../words/index.js";
import { keepOptions } from "./keep.js";
import { act, at, into, made } from "./made.js";
import { complain, done, refusal } from "./told.js";

// A field: {name, label, value?, required?, hint?} and one of `options` (a choice), `ways` (a choice as a list of rows, the
// first one taken unless `value` says otherwise; "": none, he must choose),
// `check` (a tick), or a line to write.
function drawn(field) {
  const { name, label, options, ways, check, required, value, hint, kind } = field;
  if (ways) return drawnWays(field);
  const row = made("label", undefined, check ? "check" : "");
  const input = made(options ? "select" : "input");
  input.name = name;
  if (options) keepOptions(input, options);
  else if (check) input.type = "checkbox";
  else input.autocomplete = "off";
  if (kind) input.inputMode = kind;
  if (value !== undefined) { if (check) input.checked = value; else input.value = value; }
  input.required = Boolean(required);
  const text = made("span", label);
  into(row, ...(check ? [input, text] : [text, input]), hint ? made("small", hint) : null);
  return { name, row, read: () => check ? input.checked : input.value.trim(), input };
}

function drawnWays({ name, label, ways, value }) {
  const row = made("fieldset");
  row.append(made("legend", label));
  ways.forEach(({ value: own, lines, title }, place) => {
    const one = made("label", undefined, "way");
    const input = made("input");
    input.type = "radio";
    input.name = name;
    input.value = own;
    input.required = true;
    input.checked = value === undefined ? place === 0 : value === own;
    one.append(input, into(made("span"), made("strong", title), ...lines.filter(Boolean).map((line) => made("span", line, "sub"))));
    row.append(one);
  });
  return { name, row, read: () => row.querySelector("input:checked")?.value ?? "", input: row.querySelector("input") };
}

// `params(values)` makes the parameters, or a text where something is wrong. What is asked is asked as of the opening:
// whatever a person or a ruling does there meanwhile makes the daemon refuse.
export function dialog({ title, about = [], fields = [], method, params = (values) => values, yes = words.send, says, then, danger }) {
  const box = at("dialog"), form = at("dialog-form");
  let seen = seenNow();
  // the same again after a cut line is the same request: what was done unheard is not done twice
  let sent = "", id = tapId();
  const drawnFields = fields.map(drawn);
  const wrong = made("p", "", "bad");
  wrong.setAttribute("role", "alert");
  const cancel = act(words.cancel, () => box.close());
  const ok = made("button", yes, danger ? "main danger" : "main");
  ok.dataset.act = method;
  const head = made("h2", title);
  head.id = "dialog-title";
  form.replaceChildren(head, ...about.filter(Boolean).map((line) => line instanceof Node ? line : made("p", line)),
    ...drawnFields.map(({ row }) => row), wrong, into(made("div", undefined, "acts"), cancel, ok));
  form.onsubmit = async (submitted) => {
    submitted.preventDefault();
    const made = params(Object.fromEntries(drawnFields.map(({ name, read }) => [name, read()])));
    if (typeof made === "string") return void (wrong.textContent = made);
    ok.disabled = true;
    wrong.textContent = "";
    if (sent !== JSON.stringify(made)) id = tapId();
    sent = JSON.stringify(made);
    try {
      const answer = await ask(method, made, { seen, id });
      if (form.contains(ok)) box.close();
      const text = typeof says === "function" ? says(answer) : says;
      if (text) done(text, method, answer);
      if (then) then(answer);
    } catch (error) {
      // a box that was closed meanwhile has nobody to read it
      if (!box.open || !form.contains(ok)) return complain(error);
      wrong.textContent = refusal(error).join("\n");
      ok.disabled = false;
      // a refusal is an answer: what is asked after it is another request
      if (error.code !== CUT) sent = "";
      // who reads here what came before him and asks all the same has seen it
      if (error.code === -32002) seen = seenNow();
    }
  };
  if (!box.open) box.showModal();
  (drawnFields[0] ? drawnFields[0].input : ok).focus();
  return { form, fields: Object.fromEntries(drawnFields.map((field) => [field.name, field])) };
}

// A box that is only read.
export function show(title, ...parts) {
  const head = made("h2", title);
  head.id = "dialog-title";
  at("dialog-form").replaceChildren(head, ...parts, into(made("div", undefined, "acts"), act(words.close, () => at("dialog").close(), { main: true })));
  at("dialog-form").onsubmit = (submitted) => { submitted.preventDefault(); at("dialog").close(); };
  if (!at("dialog").open) at("dialog").showModal();
}
