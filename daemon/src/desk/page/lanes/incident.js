// A question: who goes there, and what answers it.

import { line, may } from "../line.js";
import { on } from "../hall.js";
import { goScreen } from "../address.js";
import { choose } from "../round.js";
import { said, words } from "../words/index.js";
import { act } from "../elements/made.js";
import { dialog } from "../elements/dialog.js";
import { tap } from "../elements/told.js";
import { explain } from "../acts/stop.js";
import { decideClaim } from "../acts/claim.js";
import { enterResult } from "../acts/result.js";
import { setTimes } from "../acts/times.js";
import { swapClock } from "../acts/clock.js";
import { placeOf } from "./lanes.js";

const TIMES = ["wrong_setting", "time_drift", "clock_reset", "time_after_flag"];
const CLOCK = ["lever", "time_drift", "clock_silent"];
const NO_RESULT = ["lever", "time_drift", "wrong_setting", "sides_reversed", "set_by_hand", "group_offline", "round_start_missing", "presence_unknown", "waiting"];

export function incidentActs(incident) {
  const { kind } = incident;
  const acts = [];
  if (may("arbiter")) {
    if (kind.startsWith("unexplained_")) acts.push(act(words.explain, () => explain(incident), { main: true, opens: "stop.explain" }));
    if (kind === "claim") acts.push(act(words.claim.decide, () => decideClaim(incident), { main: true, opens: "claim.decide" }));
    if (kind === "round_start_missing") {
      acts.push(act(words.begin, () => begin(incident), { main: true, opens: "round.start" }));
    }
    if (kind === "presence_unknown") {
      acts.push(act(words.chairs.go, () => { choose("chairs", incident.round); goScreen("chairs"); }, { main: true, opens: "round.absent" }));
    }
    if (kind === "sides_reversed") {
      acts.push(act(words.swap, () => tap(words.swapped(placeOf(incident)), "board.swap_sides", on(incident)), { main: true, sends: "board.swap_sides" }));
    }
    if (kind === "result_reversed") {
      acts.push(act(words.right, () => tap(words.closed, "incident.close", { id: incident.id, outcome: "right" }), { sends: "incident.close" }));
    }
    if (kind === "set_by_hand") {
      acts.push(act(words.setup.accept, () => tap(words.closed, "incident.close", { id: incident.id, outcome: "accept" }), { main: true, sends: "incident.close" }));
    }
    if (TIMES.includes(kind) && incident.board) acts.push(act(words.times.title, () => setTimes(incident), { opens: "board.set_times" }));
  }
  if (CLOCK.includes(kind) && incident.board && may("clocks")) acts.push(act(words.clock.swap, () => swapClock(incident), { opens: "board.assign" }));
  if (may("results") && incident.board && !NO_RESULT.includes(kind)) {
    acts.push(act(words.result, () => enterResult(incident), { main: kind === "over_claimed" || incident.lane === "result_wanted", opens: "board.result" }));
  }
  if (may("arbiter")) {
    if (!incident.taken_by) acts.push(act(words.take, () => tap("", "incident.take", { id: incident.id }), { sends: "incident.take" }));
    else if (incident.taken_by === line.user) acts.push(act(words.leaveIt, () => tap("", "incident.take", { id: incident.id, leave: true }), { sends: "incident.take" }));
    acts.push(act(words.closeIt, () => close(incident), { opens: "incident.close" }));
  }
  return acts;
}

// Lateness counts from then on.
function begin({ round, text }) {
  dialog({ title: words.course.askStart(round, ""), about: [said(text)], method: "round.start", yes: words.begin, says: words.begun(round), params: () => ({ round }) });
}

function close(incident) {
  dialog({
    title: `${placeOf(incident)} · ${words.closeIt}`, about: [said(incident.text)], method: "incident.close", yes: words.closeIt,
    fields: [{ name: "reason", label: words.reason, required: true }],
    params: ({ reason }) => reason ? { id: incident.id, reason } : words.needReason, says: words.closed,
  });
}
