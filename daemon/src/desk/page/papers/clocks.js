// What each clock shows now, for the walk along the tables.

import { call } from "../line.js";
import { hall } from "../hall.js";
import { time } from "../time.js";
import { named, words } from "../words/index.js";
import { into, made } from "../elements/made.js";
import { none, paperOf, signatures, table } from "./parts.js";

export async function clocks(round) {
  const { tables } = await call("round.check", { round: Number(round) });
  const { paper, body } = paperOf("clocks", `${words.ofRound(Number(round))} · ${words.papers.kinds.clocks}`);
  if (!tables.length) return into(body, none(words.papers.noBoards)), paper;
  const ready = tables.filter(({ state }) => state === "ready").length;
  // as seen from the clock's front, where the technician stands
  const shown = (row, side) => {
    const first = row.first_side === side;
    return `${words.chips[hall.variant][first ? "first" : "second"]} ${time(first ? row.first_ms : row.second_ms)}${row.running === side ? " ▶" : ""}`;
  };
  into(body, made("p", words.setup.ready(ready, tables.length)),
    table([[words.setup.table, "narrow"], [words.setup.board, "narrow"], words.setup.clock, words.setup.state, words.setup.alive, [words.papers.left, "mid"], [words.papers.right, "mid"], words.setup.battery, [words.papers.looked, "blank"]],
      tables.map((row) => [row.table ?? "", row.board ?? "", row.clock ?? "", row.state === "ready" ? words.setup.states.ready : made("strong", named(words.setup.states, row.state)),
        row.online ? words.setup.heard : words.setup.silent, shown(row, "left"), shown(row, "right"), Number.isFinite(row.battery_pct) ? `${row.battery_pct} %` : "", ""])),
    signatures(words.roles.technician, words.papers.sign.date));
  return paper;
}
