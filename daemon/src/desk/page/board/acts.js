// All that can be asked of one board, by groups, as its role and state allow.

import { may } from "../line.js";
import { words } from "../words/index.js";
import { explain, resume, stop } from "../acts/stop.js";
import { enterResult, quick, RESULTS, sign, withdraw } from "../acts/result.js";
import { adjust, setTimes } from "../acts/times.js";
import { start } from "../acts/start.js";
import { decideClaim, openClaim } from "../acts/claim.js";
import { identify, swapClock, swapSides } from "../acts/clock.js";
import { makeRuling, recordFoul, withdrawFoul } from "../acts/foul.js";
import { arrived, exempt } from "../acts/presence.js";
import { hall } from "../hall.js";

// A score with whose it is: in an argument nobody counts which of them is the first player.
const scored = (result) => ({ "1-0": `1-0 ${words.chips[hall.variant].first}`, "0-1": `0-1 ${words.chips[hall.variant].second}` })[result] || result;

// [{name, acts: [{text, does(board), sends | opens, main?}]}]
export function groupsOf(board) {
  const groups = [];
  const group = (name, ...acts) => { const list = acts.filter(Boolean); if (list.length) groups.push({ name, acts: list }); };
  const open = !board.result;
  const arbiter = may("arbiter");
  if (may("results")) {
    group("result",
      ...(open ? RESULTS.slice(0, 3).map((result) => ({ text: scored(result), does: (board) => quick(board, result), sends: "board.result", main: true })) : []),
      { text: open ? words.more : words.change, does: (board) => enterResult(board), opens: "board.result" },
      board.result && board.result.status !== "signed" && board.result.status !== "official" ? { text: words.sign, does: sign, sends: "board.sign", main: true } : null,
      board.result ? { text: words.withdraw, does: withdraw, opens: "board.withdraw_result" } : null);
  }
  if (arbiter) {
    group("game",
      !board.held ? { text: words.stop, does: stop, sends: "board.stop" } : null,
      board.held ? { text: words.resume, does: resume, sends: "board.resume", main: true } : null,
      board.state === "stopped" ? { text: words.explain, does: explain, opens: "stop.explain" } : null,
      open ? { text: words.start.title, does: start, opens: "board.start" } : null,
      ...["first", "second"].filter((player) => board[player].presence !== "present")
        .map((player) => ({ text: `${words.chips[hall.variant][player]} ${words.chairs.arrived}`, does: (board) => arrived(board, player), sends: "player.arrived" })));
    group("times",
      { text: words.times.title, does: setTimes, opens: "board.set_times" },
      { text: words.times.adjust, does: adjust, opens: "board.adjust" });
    group("offence",
      { text: words.foul.title, does: recordFoul, opens: "foul.record" },
      board.first.fouls || board.second.fouls ? { text: words.foul.withdraw, does: (board) => withdrawFoul(board), opens: "foul.withdraw" } : null,
      { text: words.rule.title, does: makeRuling, opens: "ruling.make" },
      open && { text: words.claim.open, does: openClaim, opens: "claim.open" },
      [...hall.incidents.values()].some(({ kind, round, board: name }) => kind === "claim" && round === board.round && name === board.board)
        ? { text: words.claim.decide, does: decideClaim, opens: "claim.decide" } : null,
      board.first.exempt !== board.second.exempt || board.first.exempt ? { text: words.exempt, does: exempt, opens: "recording.exempt" } : null);
  }
  if (may("clocks")) {
    group("clock",
      { text: words.clock.swap, does: swapClock, opens: "board.assign" },
      arbiter && open ? { text: words.swap, does: swapSides, opens: "board.swap_sides" } : null,
      board.clock && may("technician") ? { text: words.clock.identify, does: identify, sends: "clock.identify" } : null);
  }
  return groups;
}
