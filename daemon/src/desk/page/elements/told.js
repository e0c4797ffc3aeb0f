// What a form or the page is told: answers below their form, refusals, and the way back from what was just done.

import { CUT, ask, may } from "../line.js";
import { words } from "../words/index.js";
import { UNDOABLE } from "../board/undoable.js";
import { act, at, made } from "./made.js";

const told = new Map();

// `make` gives the lines; the first one is the message, the others belong to it. Said again when the language is turned.
export function tell(id, make, bad) {
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
export const sayAgain = () => [...told.keys()].forEach(showTold);

// A refusal in the daemon's words, with all it names.
export function refusal(error) {
  if (error.code === CUT) return [words.cut];
  const data = error.data || {};
  const findings = (data.findings || []).map(({ where, message, proposal }) =>
    [where, proposal ? `${message} (${words.load.meant}: ${proposal})` : message].filter(Boolean).join(": "));
  const missing = (data.missing || []).map(({ board, missing }) => `${words.board} ${board}: ${missing}`);
  const conflicts = (data.conflicts || []).map(({ message }) => message);
  const followed = (data.followed || []).map(({ seq, type }) => `${seq} ${words.events[type] || type}`);
  const head = error.code === -32002 ? words.overtaken : error.message;
  // what the message says already is not said twice
  return [head, ...[...findings, ...missing, ...conflicts, ...followed].filter((line) => !error.message.includes(line))];
}

// Asks, and tells the answer or the refusal below its form.
export async function askIn(id, method, params, make, options) {
  try {
    const answer = await ask(method, params, options);
    tell(id, () => [make(answer)].flat());
    return answer;
  } catch (error) {
    tell(id, () => refusal(error), true);
    return null;
  }
}

let alarmTimer = 0;
export function alarm(text) {
  at("alarm-text").textContent = text;
  at("alarm").hidden = false;
  clearTimeout(alarmTimer);
  alarmTimer = setTimeout(calm, 12000);
}
export function calm() { at("alarm").hidden = true; }
export const complain = (error) => alarm(`${words.refused}: ${refusal(error).join("\n")}`);

let doneTimer = 0;
// Says what was done, with its way back in reach for a while.
export function done(text, method, answer) {
  const box = at("done");
  const lines = [made("span", text)];
  if (answer && answer.seq && UNDOABLE.has(method) && may("arbiter")) {
    const { seq } = answer;
    lines.push(act(words.undo, () => tap(words.undone, "undo", { seq }), { sends: "undo" }));
  }
  lines.push(act(words.close, () => { box.hidden = true; }));
  box.replaceChildren(...lines);
  box.hidden = false;
  clearTimeout(doneTimer);
  doneTimer = setTimeout(() => { if (!box.contains(document.activeElement)) box.hidden = true; }, 20000);
}

// One tap: asked, and what became of it said. Gives the answer, or null where it was refused.
export async function tap(text, method, params, options) {
  try {
    const answer = await ask(method, params, options);
    const told = typeof text === "function" ? text(answer) : text;
    if (told) done(told, method, answer);
    return answer;
  } catch (error) {
    complain(error);
    return null;
  }
}
