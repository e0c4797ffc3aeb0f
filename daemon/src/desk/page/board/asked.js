// What a person asked, in words: the request and those of its parameters that say something.

import { hall } from "../hall.js";
import { clockTime, exact } from "../time.js";
import { named, words } from "../words/index.js";

const colour = (player) => player === "both" ? words.both : words.colours[hall.variant][player] || String(player);
const instant = (at) => typeof at === "string" && !Number.isNaN(Date.parse(at)) ? clockTime(at) : String(at);
const time = (ms) => Number.isFinite(ms) ? exact(ms) : String(ms);
const text = (value) => typeof value === "string" || typeof value === "number" ? String(value) : JSON.stringify(value);

// Whoever asked may have sent anything: what does not fit is shown as it came.
const SAY = {
  result: (value) => text(value),
  cause: (value) => named(words.ends, value) !== value ? named(words.ends, value) : named(words.causes, text(value)),
  status: (value) => named(words.statuses, text(value)),
  forfeit: (value) => value ? words.forfeit : "",
  player: colour, offender: colour,
  article: text,
  kind: (value) => named(words.kinds, value) !== value ? named(words.kinds, value) : named(words.claim.kinds, text(value)),
  first_ms: (value) => `${words.chips[hall.variant].first} ${time(value)}`,
  second_ms: (value) => `${words.chips[hall.variant].second} ${time(value)}`,
  delta_ms: (value) => (value > 0 ? "+" : "") + time(value),
  moves: (value) => words.movesOf(text(value)),
  count: (value) => words.fouls(text(value)),
  outcome: (value) => named(words.claim.outcomes, value) !== value ? named(words.claim.outcomes, value) : named(words.history.outcomes, text(value)),
  rounds: (value) => `${words.claim.rounds} ${text(value)}`,
  checks: (value) => `${words.claim.checks} ${text(value)}`,
  proof: (value) => `${words.proof}: ${named(words.proofs, text(value))}`,
  times: (value) => typeof value === "string" ? value : `${time(value?.first_ms)} / ${time(value?.second_ms)}`,
  clock: text, first_side: (value) => words.setup[value] ? words.setup[value](colour("first")) : text(value),
  policy: (value) => named(words.start.policies, text(value)),
  id: (value) => words.history.number(text(value)),
  ids: (value) => Array.isArray(value) ? value.map((one) => words.history.number(text(one))).join(" ") : text(value),
  over: (value) => words.history.over(text(value)),
  seq: (value) => words.history.event(text(value)),
  at: instant, until: instant,
  waived: (value) => value ? words.history.waived : "",
  leave: (value) => value ? words.leaveIt : "",
  reason: (value) => words.history.because(text(value)),
};

export function asked({ method, params }) {
  const given = params && typeof params === "object" ? params : {};
  const said = Object.keys(SAY).filter((name) => given[name] !== undefined && given[name] !== null).map((name) => SAY[name](given[name])).filter(Boolean);
  const what = method.split(".").reduce((table, part) => (table && typeof table === "object" && Object.hasOwn(table, part) ? table[part] : null), words.history.methods) || method;
  return said.length ? `${what} (${said.join(words.history.comma)})` : what;
}
