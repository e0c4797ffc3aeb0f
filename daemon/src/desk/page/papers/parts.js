// What all papers are made of. Names from outside may be long or run from right to left: each stands by itself.

import { hall, hallNow } from "../hall.js";
import { line } from "../line.js";
import { clockTime, dateOf } from "../time.js";
import { words } from "../words/index.js";
import { into, made } from "../elements/made.js";

export const own = (text, name) => made("bdi", text, name);
export const dayTime = (instant) => instant ? `${dateOf(instant)} ${clockTime(instant)}` : "";
export const colour = (player) => words.colours[hall.variant][player];

// A paper: its title, whose event it is, and at its end what it rests on.
export function paperOf(kind, title, { head, now } = {}) {
  const paper = made("article", undefined, `paper ${kind}`);
  const top = into(made("header", undefined, "paper-head"), own(hall.event, "paper-event"), made("h1", title));
  const foot = made("footer", words.papers.foot(dayTime(now || hallNow()), line.journal || "", head ?? line.head), "paper-foot");
  const body = made("div", undefined, "paper-body");
  into(paper, top, body, foot);
  return { paper, body };
}

// `heads` and cells are texts or elements; a head may name the class of its column: [text, class].
export function table(heads, rows, { name = "", caption } = {}) {
  const named = heads.map((head) => Array.isArray(head) ? head : [head, ""]);
  const head = into(made("tr"), ...named.map(([text, name]) => Object.assign(made("th", text, name), { scope: "col" })));
  const cell = (part, place) => part instanceof Node ? into(made("td", undefined, named[place]?.[1]), part) : made("td", part, named[place]?.[1]);
  return into(made("table", undefined, name), caption ? made("caption", caption) : null, into(made("thead"), head),
    into(made("tbody"), ...rows.map((cells) => into(made("tr"), ...cells.map(cell)))));
}

export function player(board, who) {
  const { name, team } = board[who];
  return into(made("span", undefined, "paper-player"), own(name || words.papers.unnamed, "paper-name"), team ? into(made("span", undefined, "paper-team"), own(team)) : null);
}

// A thing and its value, as often as there are any.
export function facts(...pairs) {
  const list = made("dl", undefined, "facts");
  for (const [what, value] of pairs) {
    if (value === "" || value === null || value === undefined) continue;
    into(list, into(made("div"), made("dt", what), value instanceof Node ? into(made("dd"), value) : made("dd", String(value))));
  }
  return list;
}

export const signatures = (...who) => into(made("div", undefined, "signatures"), ...who.map((text) => into(made("span"), made("span", text), made("i"))));
export const heading = (text) => made("h2", text);
export const none = (text) => made("p", text, "empty");
