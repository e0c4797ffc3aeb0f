// Set-up: every table of the round in one list, what is not ready first; the walk along the tables.
"use strict";

const CHECK_EVERY = 3000;
const ORDER = ["offline", "wrong_times", "by_hand", "low_battery", "in_play", "ready"];
let checked = { round: null, tables: [] }, checking = false, failed = false;

// The daemon is asked while the screen is looked at, and not otherwise.
function check() {
  if (screenNow !== "setup" || checking || document.hidden || !may(ROLES.desk)) return;
  checking = true;
  const round = chosen("setup");
  call("round.check", round ? { round } : {}, (answer) => {
    checking = false;
    if (failed) tell("setup-said", () => [""]);
    failed = false;
    tablesAre(answer);
  }, (error) => {
    checking = false;
    failed = true;
    // no code: the line is down, and what was seen last is still of use
    if (error.code) tablesAre({ round: null, tables: [] });
    tell("setup-said", () => refusal(error), true);
  });
}
setInterval(check, CHECK_EVERY);

function tablesAre({ round, tables }) {
  checked = { round, tables };
  later();
}

function showSetup() {
  const tables = checked.tables;
  const counts = ORDER.map((state) => [state, tables.filter((table) => table.state === state).length]);
  const ready = tables.filter((table) => table.state === "ready").length;
  const others = counts.filter(([state, count]) => count && state !== "ready");
  at("setup-count").textContent = tables.length
    ? [words.setup.ready(ready, tables.length), ...others.map(([state, count]) => `${words.setup.states[state]} ${count}`)].join(" · ")
    : words.setup.none;
  at("setup-tables").hidden = !tables.length;
  at("setup-prepare").disabled = !may(ROLES.technician) || preparing || !checked.round;
  const place = (row) => ORDER.indexOf(row.state);
  const order = [...tables].sort((a, b) => place(a) - place(b) || (a.table ?? 0) - (b.table ?? 0));
  keep(at("setup-rows"), order.map((row) => ({
    key: `${row.board ?? ""}/${row.table ?? ""}`, about: { ...row, as_of: null, variant }, make: () => tableRow(row),
  })));
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
  cell(row.running ? words.setup.runs(colour(runs)) : row.first_ms === null ? "–" : words.setup.stopped);
  cell(time(row.first_ms), "number");
  cell(time(row.second_ms), "number");
  cell(row.battery_pct === null ? "–" : `${row.battery_pct} %`, row.state === "low_battery" ? "number bad" : "number");
  cell(row.first_side === "left" ? words.setup.left(colour("first")) : words.setup.right(colour("first")));
  return line;
}

// One line for all clocks that only a person can set.
function showByHand() {
  const asked = [...incidents.values()].filter((incident) =>
    incident.kind === "set_by_hand" && incident.state === "open" && (!checked.round || incident.round === checked.round));
  keep(at("setup-by-hand"), asked.map((incident) => ({
    key: incident.id,
    about: incident,
    make: () => card("technical", place(incident), said(incident.text), incident.taken_by || "", may(RULES) ? [
      act(words.setup.accept, () => ask("incident.close", { id: incident.id, outcome: "accept" }, () => check(), refuses("setup-said")), true),
    ] : []),
  })));
}

let preparing = false;
at("setup-prepare").onclick = () => {
  preparing = true;
  tell("setup-said", () => [words.setup.preparing]);
  showSetup();
  const over = () => { preparing = false; later(); };
  ask("round.prepare", { round: checked.round }, (answer) => {
    over();
    tablesAre(answer);
    tell("setup-said", () => [
      `${words.ofRound(answer.round)}: ${words.setup.ready(answer.tables.filter((table) => table.state === "ready").length, answer.tables.length)}`]);
  }, (error) => {
    over();
    tell("setup-said", () => refusal(error), true);
  });
};

// --- the walk along the tables

function showWalk() {
  at("walk-form").hidden = Boolean(walk) || !ROLES.technician.includes(role);
  at("walk-on").hidden = !walk;
  if (!walk) return;
  at("walk-next").textContent = words.setup.next(walk.next);
  at("walk-by").textContent = words.setup.walkBy(walk.by, walk.next - walk.from, walk.to - walk.from + 1);
  at("walk-last").textContent = walk.last ? words.setup.last(walk.last.clock, walk.last.table) : "";
  at("walk-stop").hidden = !ROLES.technician.includes(role);
}

at("walk-form").onsubmit = (submitted) => {
  submitted.preventDefault();
  const number = (id, name) => at(id).value ? { [name]: Number(at(id).value) } : {};
  const side = at("walk-side").value;
  const params = {
    ...number("walk-from", "from_table"), ...number("walk-to", "to_table"), ...(side ? { first_side: side } : {}),
  };
  ask("setup.walk", params, ({ from_table, to_table, next }) => {
    tell("walk-said", () => [""]);
    walk = { by: at("who").textContent, from: from_table, next, to: to_table };
    later();
  }, refuses("walk-said"));
};
at("walk-stop").onclick = () =>
  ask("setup.walk", { stop: true }, answers("walk-said", ({ bound, next }) => words.setup.bound(bound, next)), refuses("walk-said"));
