// A proposed ruling: what it rests on, what it would do to both clocks, and how an arbiter decides it.

import { may } from "../line.js";
import { boardOf, hall, remaining } from "../hall.js";
import { read, time } from "../time.js";
import { named, said, words } from "../words/index.js";
import { act, into, made } from "../elements/made.js";
import { dialog } from "../elements/dialog.js";
import { tap } from "../elements/told.js";
import { placeOf } from "./lanes.js";

// What it does, in words: of an effect, a deduction is the offender's.
export function effectOf(effect) {
  if (!effect) return "";
  const parts = [];
  if (effect.result) parts.push(effect.result + (effect.forfeit ? ` ${words.forfeit}` : ""));
  if (effect.foul) parts.push(words.fouls(effect.foul));
  if (effect.deduct_ms) parts.push(`-${time(effect.deduct_ms)}`);
  if (effect.opponent_ms) parts.push(`+${time(effect.opponent_ms)} ${words.opponent}`);
  if (effect.restored) parts.push(words.restored);
  if (effect.team_foul) parts.push(`${words.fouls(effect.team_foul)} ${words.ofTeam}`);
  if (effect.points) parts.push(`${effect.points} ${words.points}`);
  return parts.join(" · ");
}
export const offenderName = (offender) => offender === "first" || offender === "second"
  ? words.colours[hall.variant][offender] : offender === "both" ? words.both : words.notNamed;

export function proofOf(proof) {
  if (!proof) return "";
  const bound = proof.bound_ms !== null && proof.bound_ms !== undefined ? words.within(proof.bound_ms) : "";
  return [proof.provable ? words.provable : words.unprovable, proof.by ? named(words.proofs, proof.by) : "", bound].filter(Boolean).join(" · ");
}

// Both clocks before and after one way. What it takes or gives is known; where times are restored to an earlier
// press, before is what the clock shows.
function clocksOf(ruling, { first_ms, second_ms, offender, effect }) {
  if (!Number.isFinite(first_ms) || !Number.isFinite(second_ms)) return "";
  const board = boardOf(ruling);
  const side = (player, after) => {
    const guilty = offender === player || offender === "both";
    const before = effect.restored && board ? remaining(board, player) : after + (guilty ? effect.deduct_ms || 0 : -(effect.opponent_ms || 0));
    const chip = words.chips[hall.variant][player];
    return before === null || Math.abs(before - after) < 1000 ? `${chip} ${time(after)}` : `${chip} ${time(before)} → ${time(after)}`;
  };
  return `${side("first", first_ms)}   ${side("second", second_ms)}`;
}

export function rulingLines(ruling) {
  const way = (ruling.options || [])[0];
  const about = made("div", undefined, "about");
  into(about, made("span", ruling.article, "article"), made("span", offenderName(ruling.offender), "offender"), made("span", effectOf(ruling.effect), "effect"));
  const clocks = way ? clocksOf(ruling, way) : "";
  const proof = proofOf(ruling.grounds && ruling.grounds.proof);
  return [about, clocks ? made("div", clocks, "clocks") : null, proof ? made("div", `${words.proof}: ${proof}`, "proof") : null];
}

export function rulingActs(ruling) {
  if (!may("arbiter")) return [];
  const ways = ruling.options || [];
  const one = ruling.offender && ways.length <= 1;
  return [
    act(one ? words.confirm : words.decide, () => confirm(ruling, one), { main: true, [one ? "sends" : "opens"]: "ruling.confirm" }),
    ...(one ? [act(words.more, () => confirm(ruling, false), { opens: "ruling.confirm" })] : []),
    act(words.dismiss, () => overrule(ruling), { opens: "ruling.overrule" }),
  ];
}

// One tap where the regulations leave one way; a choice where they leave several or nobody is named.
function confirm(ruling, one) {
  if (one) return tap(words.confirmed(placeOf(ruling)), "ruling.confirm", { id: ruling.id });
  const ways = ruling.options || [];
  const board = boardOf(ruling);
  const fields = [];
  if (ways.length) {
    fields.push({ name: "option", label: words.way, ways: ways.map((way, place) => ({
      value: String(place), title: `${offenderName(way.offender)} · ${way.article} · ${effectOf(way.effect)}`, lines: [clocksOf(ruling, way)],
    })) });
  }
  if (!ruling.offender && ways.some((way) => !way.offender)) {
    fields.push({ name: "offender", label: words.offender, options: ["first", "second", "both"].map((who) => [who, offenderName(who)]) });
  }
  fields.push({ name: "proof", label: words.proof, options: Object.entries(words.proofs) });
  fields.push(...["first", "second"].map((player) => ({ name: `${player}_ms`, label: words.stoodAt(offenderName(player)) })));
  fields.push({ name: "reason", label: words.reason });
  dialog({
    title: `${placeOf(ruling)} · ${named(words.kinds, ruling.kind)}`,
    about: [said(ruling.text), board ? words.nowOn(time(remaining(board, "first")), time(remaining(board, "second")), words.chips[hall.variant]) : ""],
    fields, method: "ruling.confirm", yes: words.confirm, says: words.confirmed(placeOf(ruling)),
    params: ({ option, offender, proof, reason, first_ms, second_ms }) => {
      const way = ways[Number(option)];
      const times = [first_ms, second_ms].map((text) => text ? read(text) : undefined);
      const bad = times.indexOf(null);
      if (bad >= 0) return words.times.wrong([first_ms, second_ms][bad]);
      if ((times[0] === undefined) !== (times[1] === undefined)) return words.start.both;
      const who = way?.offender || offender;
      return {
        id: ruling.id, ...(ways.length ? { option: Number(option) } : {}), ...(who ? { offender: who } : {}),
        ...(proof && proof !== "journal" ? { proof } : {}), ...(times[0] === undefined ? {} : { times: { first_ms: times[0], second_ms: times[1] } }), ...(reason ? { reason } : {}),
      };
    },
  });
}

// One that was only proposed is set aside, one that was confirmed is changed.
export function overrule(ruling) {
  const name = ruling.state === "proposed" ? words.dismiss : words.overrule;
  dialog({
    title: `${name} · ${placeOf(ruling)}`, about: [said(ruling.text)], method: "ruling.overrule", yes: name, danger: true,
    fields: [{ name: "reason", label: words.reason, required: true }],
    params: ({ reason }) => reason ? { id: ruling.id, reason } : words.needReason, says: words.overruled(placeOf(ruling)),
  });
}
