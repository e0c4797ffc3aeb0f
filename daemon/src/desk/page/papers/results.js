// A round's results, match by match, with what is missing.

import { named, words } from "../words/index.js";
import { into, made } from "../elements/made.js";
import { colour, heading, none, own, paperOf, player, signatures, table } from "./parts.js";
import { counts, matches, points, roundWith, score } from "./rounds.js";

export async function results(round) {
  const view = await roundWith(Number(round));
  const { paper, body } = paperOf("results", `${words.ofRound(view.round)} · ${words.papers.kinds.results}`, view);
  const missing = view.boards.filter((board) => !counts(board));
  into(body, made("p", missing.length ? words.papers.missing(missing.length, missing.map(({ board }) => board).join(words.papers.comma)) : words.papers.complete, missing.length ? "paper-wants" : ""));
  if (!view.boards.length) into(body, none(words.papers.noBoards));
  for (const match of matches(view.boards)) into(body, matchOf(match));
  into(body, signatures(words.papers.sign.chief, words.papers.sign.date));
  return paper;
}

function matchOf({ no, boards }) {
  const box = made("section", undefined, "match");
  if (no !== null) {
    const { teams, sum, open } = score(boards);
    into(box, into(made("h2"), `${words.sheet.of(no)}  `, own(teams[0]), made("strong", `  ${points(sum[0])} : ${points(sum[1])}  `, "score"), own(teams[1]),
      open ? made("small", `  ${words.papers.openBoards(open)}`) : null));
  } else into(box, heading(words.boards));
  return into(box, table([[words.board, "narrow"], [words.setup.table, "narrow"], colour("first"), [words.papers.result, "mid"], colour("second"), [words.status, "some"]],
    boards.map((board) => [board.board, board.table ?? "", player(board, "first"), resultOf(board), player(board, "second"), statusOf(board)])));
}

export const resultOf = ({ result }) => result ? made("strong", result.result + (result.forfeit ? ` ${words.forfeit}` : "")) : "";
function statusOf({ result, state }) {
  if (!result) return into(made("span", undefined, "paper-wants"), `${words.papers.noResult}${words.states[state] ? ` (${words.states[state]})` : ""}`);
  return [named(words.statuses, result.status), named(words.ends, result.cause)].filter(Boolean).join(" · ");
}
