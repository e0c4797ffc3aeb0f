// What is printed: a list of all papers by round, and each paper as its address names it.

import { CUT, line, may } from "../line.js";
import { hall, later, roundState } from "../hall.js";
import { goBoard, goPaper, goScreen, place } from "../address.js";
import { chosen, choose } from "../round.js";
import { language, words } from "../words/index.js";
import { act, at, into, made } from "../elements/made.js";
import { keepOptions } from "../elements/keep.js";
import { refusal } from "../elements/told.js";
import { bulletin, days } from "./bulletin.js";
import { clocks } from "./clocks.js";
import { record } from "./record.js";
import { results } from "./results.js";
import { printable, roundWith } from "./rounds.js";
import { slips } from "./slips.js";
import { standings } from "./standings.js";

const KINDS = { record, slips, results, bulletin, standings, clocks };
const OF_A_ROUND = ["slips", "results", "clocks"];

export function showPapers() {
  if (place.paper) return showPaper();
  drawnAs = "";
  at("paper").replaceChildren();
  showList();
}

// A paper is made once, when it is opened: it says as of when it is, and does not change under a reader's eyes.
let drawnAs = "";
async function showPaper() {
  const box = at("paper");
  const wanted = `${place.paper} ${language}`;
  if (drawnAs === wanted || !line.ready) return;
  drawnAs = wanted;
  const [kind, ...about] = place.paper.split("/");
  const said = made("p", words.history.asked, "hint");
  said.setAttribute("role", "status");
  const wait = into(made("div", undefined, "paper-wait"), made("h1", words.screens.papers, "away"), said);
  box.replaceChildren(tools(kind, about), wait);
  try {
    if (!Object.hasOwn(KINDS, kind)) throw { code: 0, message: words.papers.unknown(place.paper) };
    const paper = await KINDS[kind](...about);
    if (drawnAs === wanted) wait.replaceWith(paper);
  } catch (error) {
    if (drawnAs !== wanted) return;
    // without an answer it is asked again once the line is back
    if (error.code === CUT) drawnAs = "";
    said.textContent = refusal(error).join("\n");
    said.className = "bad";
    said.setAttribute("role", "alert");
  }
}

function tools(kind, about) {
  const [round, ...board] = about;
  const id = `${round}/${board.join("/")}`;
  const bar = into(made("div", undefined, "paper-tools line"),
    act(words.papers.back, () => goScreen("papers")),
    kind === "record" && hall.boards.has(id) ? act(`${words.board} ${board.join("/")}`, () => goBoard(id)) : null,
    act(words.papers.anew, () => { drawnAs = ""; later(); }),
    act(words.papers.print, () => print(), { main: true }));
  bar.lastElementChild.id = "paper-print";
  bar.firstElementChild.id = "paper-back";
  return bar;
}

// The boards of the round chosen; of one that is not in the hall they are asked for.
let known = { round: null, boards: [], said: "" };
async function boardsFor(round, state) {
  known = { round, state, boards: [], said: words.history.asked };
  try {
    const view = await roundWith(round);
    if (known.round === round) Object.assign(known, { boards: view.boards, said: "" });
  } catch (error) {
    if (known.round === round) known.said = refusal(error).join("\n");
  }
  later();
}

function showList() {
  const box = at("screen-papers");
  const rounds = printable();
  const round = rounds.some(({ number }) => number === chosen("papers")) ? chosen("papers") : rounds[rounds.length - 1]?.number ?? null;
  const state = roundState(rounds.find(({ number }) => number === round) || {});
  if (line.ready && round !== null && (known.round !== round || known.state !== state)) boardsFor(round, state);
  const about = JSON.stringify([language, line.role, line.ready, round, known.said, known.boards.map(({ board }) => board), rounds.map((one) => [one.number, roundState(one)]), days()]);
  if (box.about === about) return;
  box.about = about;
  box.replaceChildren(roundPart(rounds, round), eventPart());
}

function button(text, name) {
  const one = act(text, () => goPaper(name), { off: !line.ready });
  one.dataset.paper = name.split("/")[0];
  return one;
}

function roundPart(rounds, round) {
  const box = into(made("section"), made("h2", words.papers.ofRound));
  if (round === null) return into(box, made("p", words.papers.noRounds, "empty"));
  const select = made("select");
  select.id = "papers-round";
  keepOptions(select, rounds.map((one) => [String(one.number), `${words.ofRound(one.number)} · ${words.roundStates[roundState(one)]}`]));
  select.value = String(round);
  select.onchange = () => { choose("papers", Number(select.value)); later(); };
  into(box, into(made("div", undefined, "line"), into(made("label"), made("span", words.load.round), " ", select), ...OF_A_ROUND.map((kind) => button(words.papers.kinds[kind], `${kind}/${round}`))),
    made("h2", words.papers.records), known.said ? made("p", known.said, "hint") : null,
    into(made("div", undefined, "line paper-boards"), ...known.boards.map(({ board }) => {
      const one = button(board, `record/${round}/${board}`);
      one.setAttribute("aria-label", `${words.papers.record}: ${board}`);
      return one;
    })));
  return box;
}

function eventPart() {
  const box = into(made("section"), made("h2", words.papers.ofEvent));
  if (!may("results")) return into(box, made("p", words.papers.notYours, "hint"));
  return into(box, into(made("div", undefined, "line"), ...days().map((day) => button(`${words.papers.kinds.bulletin} ${day}`, `bulletin/${day}`)),
    button(`${words.papers.kinds.bulletin} · ${words.papers.allDays}`, "bulletin/all"), button(words.papers.kinds.standings, "standings")));
}
