// A board's record for an appeal: both times at every press, what interrupted it, who decided what and on whose proof.

import { hall } from "../hall.js";
import { allOf } from "../board/past.js";
import { resultOf } from "../grid/marks.js";
import { happened, ruled, seconds } from "../board/happened.js";
import { plotOf, pointsOf } from "../board/plot.js";
import { clockTime, clockTimeExact, exact } from "../time.js";
import { named, words } from "../words/index.js";
import { into, made } from "../elements/made.js";
import { colour, dayTime, facts, heading, none, own, paperOf, player, signatures, table } from "./parts.js";
import { roundWith } from "./rounds.js";

export async function record(round, ...rest) {
  const name = rest.join("/");
  const view = await roundWith(Number(round));
  const board = view.boards.find((one) => one.board === name);
  if (!board) throw { code: 0, message: words.noBoard(`${round}/${name}`) };
  const { events, told } = await allOf(Number(round), name);
  const { paper, body } = paperOf("record", `${words.ofRound(view.round)} · ${words.board} ${name} · ${words.papers.kinds.record}`, { now: view.now, head: told });
  into(body, facts(...about(board, view), ...regulations()));
  const points = pointsOf(events);
  if (points.length > 1) body.append(plotOf(points, events, 1200));
  into(body, heading(words.papers.presses), pressTable(events), ...rulingPart(events), ...restPart(events), ...resultPart(events), ...gapPart(events),
    signatures(colour("first"), colour("second"), words.papers.sign.arbiter, words.papers.sign.chief, words.papers.sign.date));
  return paper;
}

function about(board, { rounds, round }) {
  const course = rounds?.find(({ number }) => number === round) || {};
  return [[colour("first"), player(board, "first")], [colour("second"), player(board, "second")], [words.papers.began, dayTime(course.started)],
    [words.papers.place, [board.table ? `${words.table} ${board.table}` : "", board.match ? words.sheet.of(board.match) : "", board.clock ? `${words.setup.clock} ${board.clock}` : "",
      words.setup[board.first_side]?.(colour("first"))].filter(Boolean).join(" · ")],
    [words.papers.result, board.result ? resultOf(board.result) : words.papers.noResult]];
}

// What was in force, and what of it this event changed.
const valueOf = (key, value) => key.endsWith("_ms") && Number.isFinite(value) ? exact(value) : typeof value === "object" ? JSON.stringify(value) : String(value);
const keyOf = (key) => named(words.papers.values, key);
function regulations() {
  const changed = new Set(hall.changed.map(({ key }) => key));
  const plain = ["base_ms", "increment_ms", "default_ms"].filter((key) => !changed.has(key) && hall.values[key] !== undefined);
  const list = (pairs) => pairs.map(({ key, value }) => `${keyOf(key)} ${valueOf(key, value)}`).join(words.papers.comma);
  return [[words.papers.regulations, own([hall.regulations, list(plain.map((key) => ({ key, value: hall.values[key] })))].filter(Boolean).join(" · "))],
    [words.papers.changed, hall.changed.length ? own(list(hall.changed)) : ""]];
}

// Both times at every press, in columns; what is not known as well as the rest is marked, and said below.
const rough = ({ bound_ms }) => bound_ms > 1000;
const moveOf = ({ type, press }) => type === "press" ? `${press.moves} ${words.chips[hall.variant][press.player]}` : words.papers.start;
function pressTable(events) {
  const presses = events.filter(({ type }) => type === "game_started" || type === "press");
  if (!presses.length) return none(words.nothing);
  const rows = presses.map((event) => {
    const { first_ms, second_ms, derived } = event[event.type];
    return [moveOf(event), clockTimeExact(event.happened) + (derived ? "*" : "") + (rough(event) ? "~" : ""), exact(first_ms), exact(second_ms)];
  });
  const wide = presses.some((event) => Math.max(event[event.type].first_ms, event[event.type].second_ms) >= 3600000);
  const columns = into(made("div", undefined, wide ? "presses wide-times" : "presses"),
    table([words.papers.move, words.papers.when, words.chips[hall.variant].first, words.chips[hall.variant].second], rows));
  const known = presses.filter(rough).map((event) => `${moveOf(event)} ±${seconds(event.bound_ms)}`);
  return into(made("div"), columns, presses.some((event) => event[event.type].derived) ? made("p", words.papers.derived, "paper-note") : null,
    known.length ? made("p", words.papers.rough(known.join(words.papers.comma)), "paper-note") : null);
}

// A ruling is told whole at each change: its last state, and when it came to that.
function rulingPart(events) {
  const by = new Map();
  for (const { type, at, ruling } of events) {
    if (type !== "ruling") continue;
    const known = by.get(ruling.id) || { proposed: at };
    if (known.ruling?.state !== ruling.state) known.since = at;
    if (ruling.announced) known.announced ??= at;
    by.set(ruling.id, { ...known, ruling });
  }
  if (!by.size) return [];
  return [heading(words.papers.rulings), table([[words.papers.no, "narrow"], words.papers.ruled, words.papers.effect, words.papers.state, words.papers.decider, words.proof, words.papers.why, [words.papers.told, "mid"]],
    [...by.values()].map(({ ruling, since, announced }) => {
      const { kind, article, offender, effect, state, decider, proof, why } = ruled(ruling);
      return [ruling.id, `${article} ${kind}: ${offender}`, effect, `${state} ${clockTime(since)}`, own(decider), proof, own(why), announced ? clockTime(announced) : words.papers.notTold];
    }))];
}

// What stands in a table of its own, or says nothing that an appeal could turn on.
const APART = new Set(["press", "game_started", "ruling", "result", "gap"]);
const PLAIN = new Set(["incident.take", "ruling.announce", "board.sign", "clock.identify"]);
function told({ type, ...event }) {
  if (type === "request") return !event.request.ok || !PLAIN.has(event.request.method);
  if (type === "command") return !["sent", "done"].includes(event.command.state);
  if (type === "presence") return event.presence.how !== "press";
  if (type === "clock_online") return event.clock_online.cause !== "first";
  return !APART.has(type);
}
function restPart(events) {
  const rest = events.filter(told);
  if (!rest.length) return [];
  return [heading(words.papers.rest), table([[words.papers.when, "mid"], [words.history.what, "keep"], words.papers.how, [words.chips[hall.variant].first, "mid"], [words.chips[hall.variant].second, "mid"]], rest.map((event) => {
    const { what, text, times, marks } = happened(event, events);
    return [clockTimeExact(event.happened), what, own([text, ...marks].join(" ")), times ? exact(times.first_ms) : "", times ? exact(times.second_ms) : ""];
  }))];
}

// Each result with who said it: his request is recorded at the same time.
function resultPart(events) {
  const results = events.filter(({ type }) => type === "result");
  if (!results.length) return [];
  return [heading(words.papers.resultsOf), table([[words.papers.when, "mid"], words.papers.result, words.papers.decider], results.map((event) => {
    const asked = events.find((one) => one.type === "request" && one.request.ok && one.at === event.at);
    return [clockTimeExact(event.at), happened(event, events).text, own(asked?.request.by || (event.result.ruling ? words.papers.byRuling(event.result.ruling) : ""))];
  }))];
}

// What was not heard, and what of it the counts gave back.
function gapPart(events) {
  const gaps = events.filter(({ type }) => type === "gap");
  if (!gaps.length) return [facts([words.papers.gaps, words.papers.noGaps])];
  return [heading(words.papers.gaps), table([[words.papers.when, "mid"], words.history.what], gaps.map((event) => [clockTimeExact(event.happened), happened(event, events).text]))];
}
