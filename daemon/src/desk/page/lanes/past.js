// The rulings of late: confirmed ones that nobody has announced yet, and the way back from each.

import { may } from "../line.js";
import { hall, key } from "../hall.js";
import { goBoard } from "../address.js";
import { clockTime } from "../time.js";
import { named, said, words } from "../words/index.js";
import { act, at, into, made, write } from "../elements/made.js";
import { keep } from "../elements/keep.js";
import { dialog } from "../elements/dialog.js";
import { overrule } from "./ruling.js";
import { placeOf } from "./lanes.js";

const MOST = 30;
export const byId = (a, b) => (b.seq ?? 0) - (a.seq ?? 0) || b.id - a.id;

export function showPast() {
  const past = [...hall.rulings.values()].filter((ruling) => ruling.state !== "proposed").sort(byId);
  const silent = past.filter((ruling) => ruling.state === "confirmed" && !ruling.announced).map(({ id }) => id);
  write(at("past-title"), words.past);
  at("past-box").hidden = !past.length;
  keep(at("past-acts"), may("arbiter") && silent.length > 1 ? [{ key: "all", about: silent, make: () =>
    act(words.announceAll(silent.length), () => announce({ ids: silent }, silent.length), { opens: "ruling.announce" }) }] : []);
  keep(at("past"), past.slice(0, MOST).map((ruling) => ({ key: ruling.id, about: [ruling, placeOf(ruling)], make: () => pastLine(ruling) })));
}

// What was told to the public cannot be taken back.
function announce(which, count, text) {
  dialog({ title: words.askAnnounce(count), about: [text], method: "ruling.announce", yes: words.announce, says: words.announcedSaid, params: () => which });
}

export function pastLine(ruling) {
  const line = made("li");
  line.dataset.ruling = ruling.id;
  line.className = ruling.state;
  const who = ruling.decided_by ? words.by(ruling.decided_by === "automatic" ? words.automatic : ruling.decided_by) : "";
  const head = [ruling.at ? clockTime(ruling.at) : "", named(words.rulings, ruling.state), who, ruling.announced ? words.announced : "", ruling.reason].filter(Boolean).join(" · ");
  const place = made("button", placeOf(ruling), "place");
  place.type = "button";
  place.onclick = () => goBoard(key(ruling.round, ruling.board));
  into(line, place, made("span", head, "about"), made("div", said(ruling.text), "text"));
  if (may("arbiter") && ruling.state === "confirmed") {
    into(line, into(made("div", undefined, "acts"),
      ruling.announced ? null : act(words.announce, () => announce({ id: ruling.id }, 1, said(ruling.text)), { opens: "ruling.announce" }),
      act(words.overrule, () => overrule(ruling), { opens: "ruling.overrule" })));
  }
  return line;
}
