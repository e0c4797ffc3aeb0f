// Questions and proposed rulings, in their lanes, and how an arbiter answers them.
"use strict";

function place(item) {
  const list = item.boards && item.boards.length ? item.boards.join(", ") : item.board;
  if (!list) return item.round ? `${words.round} ${item.round}` : "";
  return `${words.board} ${list}`;
}

function card(lane, where, text, about, acts) {
  const box = made("article", undefined, `card ${lane}`);
  box.append(made("div", where, "place"), made("div", text));
  if (about) box.append(made("div", about, "about"));
  if (acts.length) {
    const row = made("div", undefined, "acts");
    row.append(...acts);
    box.append(row);
  }
  return box;
}

function showLanes() {
  const lanes = { decide: [], look: [], result_wanted: [], technical: [] };
  for (const ruling of rulings.values()) {
    if (ruling.state !== "proposed") continue;
    const acts = may(RULES) ? [
      act(words.confirm, () => confirmRuling(ruling), true),
      act(words.overrule, () => overrule(ruling)),
    ] : [];
    const about = [ruling.article, effect(ruling.effect)];
    const make = () => card("decide", place(ruling), said(ruling.text), about.filter(Boolean).join(" · "), acts);
    lanes.decide.push({ key: `r${ruling.id}`, about: ruling, make });
  }
  for (const incident of incidents.values()) {
    if (incident.state !== "open") continue;
    const acts = [];
    if (may(RULES)) {
      if (incident.kind.startsWith("unexplained_")) acts.push(act(words.explain, () => explain(incident), true));
      if (incident.kind === "round_start_missing") {
        acts.push(act(words.begin, () => ask("round.start", { round: incident.round }), true));
      }
      if (incident.kind === "presence_unknown") {
        acts.push(act(words.chairs.go, () => { choose("chairs", incident.round); show("chairs"); }, true));
      }
      if (incident.kind === "sides_reversed") {
        acts.push(act(words.swap, () => ask("board.swap_sides", { round: incident.round, board: incident.board }), true));
      }
      if (incident.kind === "result_reversed") {
        acts.push(act(words.right, () => ask("incident.close", { id: incident.id, outcome: "right" }), true));
      }
      if (!incident.taken_by) acts.push(act(words.take, () => ask("incident.take", { id: incident.id })));
    }
    if (may(RESULT_ROLES) && incident.board) acts.push(act(words.result, () => enterResult(incident)));
    const lane = lanes[incident.lane] ? incident.lane : "look";
    const make = () => card(lane, place(incident), said(incident.text), incident.taken_by || "", acts);
    lanes[lane].push({ key: `i${incident.id}`, about: incident, make });
  }
  for (const [lane, cards] of Object.entries(lanes)) {
    const column = at(`lane-${lane}`);
    column.firstElementChild.textContent = `${words.lanes[lane]} (${cards.length})`;
    const none = { key: "none", about: "", make: () => made("p", words.nothing, "empty") };
    keep(column.lastElementChild, cards.length ? cards : [none]);
  }
}

function effect(effect) {
  if (!effect) return "";
  const parts = [];
  if (effect.result) parts.push(effect.result + (effect.forfeit ? " F" : ""));
  if (effect.foul) parts.push(`+${effect.foul} ✗`);
  if (effect.deduct_ms) parts.push(`-${time(effect.deduct_ms)}`);
  if (effect.opponent_ms) parts.push(`+${time(effect.opponent_ms)} ${words.opponent}`);
  if (effect.restored) parts.push(words.restored);
  if (effect.team_foul) parts.push(`+${effect.team_foul} ✗ ${words.ofTeam}`);
  if (effect.points) parts.push(`${effect.points} ${words.points}`);
  return parts.join(", ");
}

// Both clocks as they would stand.
function after(way) {
  const known = Number.isFinite(way.first_ms) && Number.isFinite(way.second_ms);
  return known ? `${time(way.first_ms)} / ${time(way.second_ms)}` : "";
}

// --- what is asked

// One tap where the regulations leave one way; a choice where they leave several or nobody is named.
function confirmRuling(ruling) {
  const ways = ruling.options || [];
  if (ways.length <= 1 && ruling.offender) return ask("ruling.confirm", { id: ruling.id });
  if (!ways.length) return ask("ruling.confirm", { id: ruling.id });
  const options = ways.map((way, place) =>
    [String(place), [named(words, way.offender), way.article, effect(way.effect), after(way)].filter(Boolean).join(" · ")]);
  dialog(said(ruling.text), [{ name: "option", label: words.way, options }], ({ option }) => {
    const way = ways[Number(option)];
    ask("ruling.confirm", {
      id: ruling.id, option: Number(option), ...(way.offender ? { offender: way.offender } : {}),
    });
  });
}

function overrule(ruling) {
  const fields = [{ name: "reason", label: words.reason, required: true }];
  dialog(`${words.overrule}: ${said(ruling.text)}`, fields, ({ reason }) => {
    if (reason) ask("ruling.overrule", { id: ruling.id, reason });
  });
}

function explain(incident) {
  const offenders = [["", "–"], ["first", words.first], ["second", words.second]];
  dialog(`${place(incident)} · ${words.explain}`, [
    { name: "cause", label: words.cause, options: Object.entries(words.causes) },
    { name: "offender", label: words.offender, options: offenders },
    { name: "reason", label: words.reason },
  ], ({ cause, offender, reason }) => ask("stop.explain", {
    ...on(incident), cause, ...(offender && cause === "without_cause" ? { offender } : {}), ...(reason ? { reason } : {}),
  }));
}

function enterResult(item) {
  dialog(`${place(item)} · ${words.result}`, [
    { name: "result", label: words.result, options: RESULTS.map((result) => [result, result]) },
    { name: "cause", label: words.cause, options: Object.entries(words.ends) },
    { name: "status", label: words.status, options: [["entered", words.entered], ["signed", words.signed]] },
  ], (entry) => ask("board.result", { ...on(item), ...entry }));
}
