// What an event of a board says, in words: for its history and for its record on paper.

import { hall } from "../hall.js";
import { resultOf } from "../grid/marks.js";
import { effectOf, offenderName, proofOf } from "../lanes/ruling.js";
import { clockTime, exact } from "../time.js";
import { named, said, words } from "../words/index.js";
import { asked } from "./asked.js";

// An event that is known no better is marked.
const ROUGH = 1000;
const parts = (...all) => all.filter(Boolean).join(" · ");
export const chip = (player) => words.chips[hall.variant][player] || "";
const colour = (player) => player === "both" ? words.both : words.colours[hall.variant][player] || "";
const by = (who) => named(words.history.by, who);
// In seconds, to the tenth.
export const seconds = (ms) => (ms / 1000).toFixed(1);

const TEXT = {
  press: ({ player, moves }) => `${chip(player)} ${words.history.move(moves)}`,
  game_started: ({ player, by: how, both_late }) => parts(words.history.runs(colour(player)), by(how), both_late ? words.history.bothLate : ""),
  stopped: ({ player, by: how, ordered }) => parts(player ? words.history.ran(colour(player)) : "", by(how), ordered ? words.history.ordered : words.history.notOrdered),
  resumed: ({ player, by: how, ordered }) => parts(player ? words.history.runs(colour(player)) : "", by(how), ordered ? words.history.ordered : words.history.notOrdered),
  times_changed: ({ before, after, how, by: who }) => parts(named(words.history.changes, how), by(who), changed(before, after)),
  flag: ({ player }) => colour(player),
  flag_suspected: ({ player }) => parts(colour(player), words.history.reckoned),
  low_time: ({ player }) => colour(player),
  recording_exempt: ({ player, state }) => parts(colour(player), named(words.history.exempt, state)),
  presence: ({ player, state, how, late_ms }) => parts(colour(player), named(words.chairs.presence, state), named(words.history.known, how),
    late_ms ? words.history.late(exact(late_ms)) : ""),
  incident: ({ text, state, outcome, taken_by }) => parts(said(text), state === "closed" ? words.history.closed(named(words.history.outcomes, outcome) || words.history.outcomes.answered) : "",
    taken_by && state !== "closed" ? words.taken(taken_by) : ""),
  ruling: ({ text, state, decided_by, reason, announced, grounds }) => parts(named(words.rulings, state), said(text),
    state === "proposed" || state === "withdrawn" ? "" : decider(decided_by), proofOf(grounds?.proof), reason, announced ? words.announced : ""),
  result: (result) => parts(result.withdrawn ? words.history.withdrawn(result.result) : resultOf(result), named(words.ends, result.cause)),
  request: (request) => parts(request.by, asked(request), request.ok ? "" : words.history.refused(request.error || "")),
  foul: ({ player, article, count, in_game, in_event, team, waived, points, by: who }) => parts(colour(player), article,
    count < 0 ? words.history.foulBack(-count) : words.fouls(count), team ? words.ofTeam : "", waived ? words.history.waived : "", words.history.totals(in_game, in_event),
    points ? `${points} ${words.points}` : "", words.by(who)),
  command: ({ do: told, state, error }) => parts(named(words.history.commands, told?.type), commanded(told || {}), named(words.history.commandStates, state), error),
  clock_online: ({ cause }) => named(words.history.links, cause),
  clock_offline: ({ cause }) => named(words.history.links, cause),
  clock_fault: ({ kind, message }) => parts(kind, message),
  gap: ({ from_seq, to_seq, first_presses, second_presses }) => parts(words.history.lost(from_seq, to_seq),
    first_presses + second_presses ? words.history.counted(first_presses, second_presses, words.chips[hall.variant]) : ""),
  assigned: ({ table, clock, first_side, by: who, carried }) => parts(clock, table ? `${words.table} ${table}` : "",
    words.setup[first_side](colour("first")), carried ? words.clock.carried(chip("first"), exact(carried.first_ms), chip("second"), exact(carried.second_ms), carried.bound_ms) : "", words.by(who)),
  task: ({ text, done, dropped, overdue, due }) => parts(said(text), dropped ? words.history.dropped : done ? words.tasks.done : overdue ? words.tasks.overdue : "", !done && due ? clockTime(due) : ""),
  notice: ({ message }) => message,
};

const decider = (who) => who ? words.by(who === "automatic" ? words.automatic : who) : "";
function changed(before, after) {
  const side = (player) => before[`${player}_ms`] === after[`${player}_ms`] ? "" : `${chip(player)} ${exact(before[`${player}_ms`])} → ${exact(after[`${player}_ms`])}`;
  return parts(side("first"), side("second"));
}
function commanded({ type, left_ms, right_ms, left_delta_ms, right_delta_ms, time_control }) {
  const signed = (ms) => `${ms > 0 ? "+" : ""}${exact(ms)}`;
  if (type === "set_times") return words.history.sides(exact(left_ms), exact(right_ms));
  if (type === "adjust") return words.history.sides(signed(left_delta_ms ?? 0), signed(right_delta_ms ?? 0));
  if (type === "configure" && time_control?.base_ms) return exact(time_control.base_ms) + (time_control.increment_ms ? ` + ${seconds(time_control.increment_ms)}` : "");
  return "";
}

// {what, text, times, marks, bad}: `events` are those around it, for what an undoing took back.
export function happened(event, events) {
  const news = event[event.type] || {};
  const text = event.type === "undone" ? undone(news, events) : TEXT[event.type] ? TEXT[event.type](news) : "";
  const times = news.after || (news.first_ms !== undefined && event.type !== "foul" ? news : null);
  const marks = [news.derived ? words.history.derived : "", event.bound_ms > ROUGH ? words.history.bound(seconds(event.bound_ms)) : ""].filter(Boolean);
  return { what: named(words.events, event.type), text, times, marks, bad: event.type === "request" && !news.ok };
}

function undone({ seq, by: who, reason }, events) {
  const event = events.find((one) => one.seq === seq);
  const what = event && event.type !== "undone" ? parts(named(words.events, event.type), happened(event, events).text) : `${seq}`;
  return parts(words.by(who), reason, words.history.took(what));
}

// What a ruling says, part by part, for a table.
export const ruled = ({ kind, article, offender, effect, state, decided_by, grounds, reason, announced }) => ({
  kind: named(words.kinds, kind), article, offender: offenderName(offender), effect: effectOf(effect), state: named(words.rulings, state),
  decider: state === "proposed" || state === "withdrawn" ? "" : decided_by === "automatic" ? words.automatic : decided_by || "",
  proof: proofOf(grounds?.proof), why: parts(reason, ...(grounds?.remarks || [])), announced,
});
