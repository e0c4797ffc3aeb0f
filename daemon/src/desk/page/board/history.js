// What happened at the board shown, newest first, with the way back from what a person did.

import { line, may } from "../line.js";
import { hall, later } from "../hall.js";
import { clockTime, exact } from "../time.js";
import { language, words } from "../words/index.js";
import { act, at, into, made, write } from "../elements/made.js";
import { keep } from "../elements/keep.js";
import { refusal, tap } from "../elements/told.js";
import { happened } from "./happened.js";
import { pastOf } from "./past.js";
import { showPlot } from "./plot.js";
import { undoable } from "./undoable.js";

// So many presses in a row are folded into one line.
const FOLDED = 4;
// The first presses of the runs that somebody unfolded.
const unfolded = new Set();

export function showHistory(board) {
  const past = pastOf(board);
  showPlot(board, past.events);
  const box = at("board-history");
  const about = [past.id, past.events.length, past.state === "asked", language, line.role, line.ready, hall.variant, [...unfolded]].join("|");
  if (box.about === about) return;
  box.about = about;
  if (!box.firstChild) frame(box);
  write(at("history-title"), words.history.title);
  [words.history.time, words.history.what, ...["first", "second"].map((player) => words.chips[hall.variant][player])]
    .forEach((text, place) => write(at("history-head").children[place], text));
  const { events, state } = past;
  const said = state === "asked" ? words.history.asked : state === "there" ? (events.length ? "" : words.history.none) : refusal(state).join("\n");
  write(at("history-said"), said);
  at("history-said").hidden = !said;
  const back = may("arbiter") ? undoable(events) : new Set();
  keep(at("history-rows"), rowsOf(events).map((row) => row.run ? runRow(row.run) : eventRow(row.event, events, back.has(row.event.seq))));
}

function frame(box) {
  const part = (tag, id) => { const element = made(tag); element.id = id; return element; };
  const head = into(part("tr", "history-head"), ...Array.from({ length: 4 }, () => { const cell = made("th"); cell.scope = "col"; return cell; }));
  const table = into(made("table", undefined, "history"), into(made("thead"), head), part("tbody", "history-rows"));
  into(box, part("h2", "history-title"), Object.assign(part("p", "history-said"), { className: "hint" }), table);
}

// Newest first; runs of presses are one row until they are unfolded, and have a row to fold them again.
export function rowsOf(events) {
  const rows = [];
  let run = [];
  const end = () => {
    if (run.length >= FOLDED) rows.push(...(unfolded.has(run[0].seq) ? run.map((event) => ({ event })) : []), { run });
    else rows.push(...run.map((event) => ({ event })));
    run = [];
  };
  for (const event of events) {
    if (event.type === "press") { run.push(event); continue; }
    end();
    rows.push({ event });
  }
  end();
  return rows.reverse();
}

function runRow(run) {
  const [first, last] = [run[0], run[run.length - 1]];
  const open = unfolded.has(first.seq);
  return { key: `run${first.seq}`, about: [run.length, open], make: () => {
    const button = act(words.history.moves(run.length, clockTime(first.happened), clockTime(last.happened)), () => {
      if (open) unfolded.delete(first.seq); else unfolded.add(first.seq);
      later();
    });
    button.setAttribute("aria-expanded", String(open));
    button.className = "fold";
    return row(clockTime(last.happened), [button], last.press, "run");
  } };
}

function eventRow(event, events, undo) {
  return { key: event.seq, about: [undo], make: () => {
    const { what, text, times, marks, bad } = happened(event, events);
    const parts = [made("span", what, "what"), " ", made("span", text, bad ? "bad" : undefined), ...marks.map((mark) => made("span", mark, "rough"))];
    if (undo) parts.push(act(words.undo, () => tap(words.undone, "undo", { seq: event.seq }), { sends: "undo" }));
    const element = row(clockTime(event.happened), parts, times, event.type);
    element.dataset.seq = event.seq;
    return element;
  } };
}

function row(time, parts, times, name) {
  return into(made("tr", undefined, name), made("td", time, "number"), into(made("td", undefined, "said-of"), ...parts),
    ...["first_ms", "second_ms"].map((side) => made("td", times ? exact(times[side]) : "", "number")));
}
