// Set-up: every table of the round in one list, what is not ready first; the walk along the tables.

import { ask, call, line, may, ROLES } from "../line.js";
import { hall, later } from "../hall.js";
import { place } from "../address.js";
import { chosen } from "../round.js";
import { time } from "../time.js";
import { named, said, words } from "../words/index.js";
import { act, at, into, made } from "../elements/made.js";
import { keep } from "../elements/keep.js";
import { askIn, refusal, tap, tell } from "../elements/told.js";
import { assign, identify } from "../acts/clock.js";
import { placeOf } from "../lanes/lanes.js";

const CHECK_EVERY = 3000;
const ORDER = ["offline", "wrong_times", "by_hand", "low_battery", "in_play", "ready"];
let checked = { round: null, tables: [] }, checking = false, failed = false;

// The daemon is asked while the screen is looked at, and not otherwise.
export async function check() {
  if (place.screen !== "setup" || checking || document.hidden || !may("desk")) return;
  checking = true;
  const round = chosen("setup");
  try {
    const answer = await call("round.check", round ? { round } : {});
    if (failed) tell("setup-said", () => [""]);
    failed = false;
    tablesAre(answer);
  } catch (error) {
    failed = true;
    // a refusal, not a cut line: what was seen last would be of another round
    if (Number.isInteger(error.code)) tablesAre({ round: null, tables: [] });
    tell("setup-said", () => refusal(error), true);
  }
  checking = false;
}
setInterval(check, CHECK_EVERY);

function tablesAre({ round, tables }) {
  checked = { round, tables };
  later();
}

export function showSetup() {
  const { tables } = checked;
  for (const [id, player] of [["setup-first", "first"], ["setup-second", "second"]]) at(id).textContent = words.colours[hall.variant][player];
  const counts = ORDER.map((state) => [state, tables.filter((table) => table.state === state).length]);
  const ready = tables.filter((table) => table.state === "ready").length;
  const others = counts.filter(([state, count]) => count && state !== "ready");
  at("setup-count").textContent = tables.length
    ? [words.setup.ready(ready, tables.length), ...others.map(([state, count]) => `${words.setup.states[state]} ${count}`)].join(" · ")
    : words.setup.none;
  at("setup-tables").hidden = !tables.length;
  at("setup-prepare").disabled = !may("technician") || preparing || !checked.round;
  const place = (row) => ORDER.indexOf(row.state);
  const order = [...tables].sort((a, b) => place(a) - place(b) || (a.table ?? 0) - (b.table ?? 0));
  keep(at("setup-rows"), order.map((row) => ({
    key: `${row.board ?? ""}/${row.table ?? ""}`, about: { ...row, as_of: null, first_ms: time(row.first_ms), second_ms: time(row.second_ms), variant: hall.variant }, make: () => tableRow(row),
  })));
  // where the venue file and the journal differ, the journal holds
  keep(at("setup-differs"), hall.differences.map((text, place) => ({ key: place, about: text, make: () => made("li", said(text)) })));
  showLoose();
  showByHand();
  showWalk();
}

function tableRow(row) {
  const line = made("tr", undefined, row.state);
  line.dataset.state = row.state;
  line.dataset.table = row.table ?? "";
  const cell = (text, name) => line.append(made("td", text ?? "–", name));
  cell(row.table);
  cell(row.board);
  cell(row.clock);
  cell(named(words.setup.states, row.state), "state");
  cell(row.online ? words.setup.heard : words.setup.silent, row.online ? "" : "bad");
  // it is a side of the clock that runs
  const runs = row.running === row.first_side ? "first" : "second";
  cell(row.running ? words.setup.runs(words.colours[hall.variant][runs]) : row.first_ms === null ? "–" : words.setup.stopped);
  cell(time(row.first_ms), "number");
  cell(time(row.second_ms), "number");
  cell(row.battery_pct === null ? "–" : `${row.battery_pct} %`, row.state === "low_battery" ? "number bad" : "number");
  cell(row.first_side === "left" ? words.setup.left(words.colours[hall.variant].first) : words.setup.right(words.colours[hall.variant].first));
  const last = made("td");
  if (row.clock && may("technician")) last.append(act(words.clock.identify, () => identify(row), { sends: "clock.identify" }));
  line.append(last);
  return line;
}

// Clocks that stand at no table: shown, never assigned by themselves.
function showLoose() {
  const used = new Set([...hall.boards.values()].map((board) => board.clock));
  const loose = [...hall.clocks.values()].filter(({ clock, table, online }) => online && (table ?? null) === null && !used.has(clock));
  keep(at("setup-loose"), loose.map(({ clock }) => ({ key: clock, about: clock, make: () => into(made("li"), made("strong", clock), ...(may("technician") ? [
    act(words.clock.identify, () => identify({ clock }), { sends: "clock.identify" }),
    act(words.clock.assign, () => assign(clock), { opens: "board.assign" })] : [])) })));
  at("setup-loose-box").hidden = !loose.length;
}

// One line for all clocks that only a person can set.
function showByHand() {
  const asked = [...hall.incidents.values()].filter((incident) =>
    incident.kind === "set_by_hand" && incident.state === "open" && (!checked.round || incident.round === checked.round));
  keep(at("setup-by-hand"), asked.map((incident) => ({
    key: incident.id,
    about: incident,
    make: () => {
      const accept = async () => { if (await tap(words.closed, "incident.close", { id: incident.id, outcome: "accept" })) check(); };
      return into(made("article", undefined, "card technical"), made("strong", placeOf(incident)), made("div", said(incident.text)),
        may("arbiter") ? into(made("div", undefined, "acts"), act(words.setup.accept, accept, { main: true, sends: "incident.close" })) : null);
    },
  })));
}

let preparing = false;
at("setup-prepare").onclick = async () => {
  preparing = true;
  tell("setup-said", () => [words.setup.preparing]);
  showSetup();
  const { round } = checked;
  const answer = await askIn("setup-said", "round.prepare", { round }, (answer) =>
    `${words.ofRound(answer.round)}: ${words.setup.ready(answer.tables.filter((table) => table.state === "ready").length, answer.tables.length)}`);
  preparing = false;
  if (answer) tablesAre(answer);
  later();
};

// --- the walk along the tables

function showWalk() {
  const { walk } = hall;
  const technician = ROLES.technician.includes(line.role);
  at("walk-form").hidden = Boolean(walk) || !technician;
  at("walk-on").hidden = !walk;
  if (!walk) return;
  at("walk-next").textContent = words.setup.next(walk.next);
  at("walk-by").textContent = words.setup.walkBy(walk.by, walk.next - walk.from, walk.to - walk.from + 1);
  at("walk-last").textContent = walk.last ? words.setup.last(walk.last.clock, walk.last.table) : "";
  at("walk-stop").hidden = !technician;
}

at("walk-form").onsubmit = async (submitted) => {
  submitted.preventDefault();
  const number = (id, name) => at(id).value ? { [name]: Number(at(id).value) } : {};
  const side = at("walk-side").value;
  const params = { ...number("walk-from", "from_table"), ...number("walk-to", "to_table"), ...(side ? { first_side: side } : {}) };
  try {
    const { from_table, to_table, next } = await ask("setup.walk", params);
    tell("walk-said", () => [""]);
    hall.walk = { by: line.user, from: from_table, next, to: to_table };
    later();
  } catch (error) {
    tell("walk-said", () => refusal(error), true);
  }
};
at("walk-stop").onclick = () => askIn("walk-said", "setup.walk", { stop: true }, ({ bound, next }) => words.setup.bound(bound, next));
