// A player claims (七.4): the clock stops while an arbiter looks, and he says what he found.

import { boardOf, hall, on } from "../hall.js";
import { said, words } from "../words/index.js";
import { dialog } from "../elements/dialog.js";
import { offenderName } from "../lanes/ruling.js";
import { placeOf } from "../lanes/lanes.js";

const players = (item) => ["first", "second"].map((who) => [who, `${offenderName(who)} ${boardOf(item)?.[who].name || ""}`]);

export function openClaim(item) {
  dialog({
    title: `${placeOf(item)} · ${words.claim.open}`, about: [words.claim.hint], method: "claim.open", yes: words.claim.open,
    fields: [
      { name: "player", label: words.claim.by, options: players(item) },
      { name: "kind", label: words.claim.kind, options: Object.entries(words.claim.kinds) },
      { name: "reason", label: words.reason },
    ],
    params: ({ player, kind, reason }) => ({ ...on(item), player, kind, ...(reason ? { reason } : {}) }), says: words.claim.opened(placeOf(item)),
  });
}

const whole = (text) => /^\d+$/.test(text) ? Number(text) : null;
export function decideClaim(item) {
  // the claim itself, where it is decided from the board's own view
  const claim = item.kind === "claim" ? item : [...hall.incidents.values()].find(({ kind, round, board }) => kind === "claim" && round === item.round && board === item.board);
  dialog({
    title: `${placeOf(item)} · ${words.claim.decide}`, about: [claim ? said(claim.text) : ""], method: "claim.decide", yes: words.claim.decide,
    fields: [
      { name: "player", label: words.claim.by, options: players(item), value: boardOf(item)?.claim?.player },
      { name: "outcome", label: words.claim.outcome, ways: Object.entries(words.claim.outcomes).map(([value, title]) => ({ value, title, lines: [words.claim.outcomesAre[value]] })), value: "" },
      { name: "rounds", label: words.claim.rounds, kind: "numeric" },
      { name: "checks", label: words.claim.checks, kind: "numeric" },
      { name: "reason", label: words.reason },
    ],
    params: ({ player, outcome, rounds, checks, reason }) => {
      const [n, c] = [rounds, checks].map((text) => text ? whole(text) : undefined);
      if (n === null || c === null) return words.needNumber;
      return { ...on(item), player, outcome, ...(n === undefined ? {} : { rounds: n }), ...(c === undefined ? {} : { checks: c }), ...(reason ? { reason } : {}) };
    },
    says: (answer) => words.claim.said(placeOf(item), answer.result),
  });
}
