// Result slips to cut apart: what is known stands there, the rest is filled in, and both sign (九.2).

import { words } from "../words/index.js";
import { into, made } from "../elements/made.js";
import { colour, none, paperOf, player } from "./parts.js";
import { counts, roundWith } from "./rounds.js";

export async function slips(round) {
  const view = await roundWith(Number(round));
  const { paper, body } = paperOf("slips", `${words.ofRound(view.round)} · ${words.papers.kinds.slips}`, view);
  if (!view.boards.length) return into(body, none(words.papers.noBoards)), paper;
  into(body, into(made("div", undefined, "slips-of"), ...view.boards.map((board) => slip(board))));
  return paper;
}

const WAYS = ["1-0", "1/2-1/2", "0-1"];
function slip(board) {
  const known = counts(board) ? board.result : null;
  const way = (text, ticked) => into(made("span", undefined, "tick"), made("i", ticked ? "✓" : "", "box"), text);
  const other = known && (known.forfeit || !WAYS.includes(known.result)) ? `${known.result}${known.forfeit ? ` ${words.forfeit}` : ""}` : "";
  return into(made("section", undefined, "slip"),
    into(made("p", undefined, "slip-head"), made("strong", `${words.board} ${board.board}`), made("span", [words.ofRound(board.round), board.table ? `${words.table} ${board.table}` : "",
      board.match ? words.sheet.of(board.match) : ""].filter(Boolean).join(" · "))),
    ...["first", "second"].map((who) => into(made("p", undefined, "slip-player"), made("span", colour(who), "slip-colour"), player(board, who))),
    into(made("p", undefined, "slip-result"), made("span", words.papers.result), ...WAYS.map((result) => way(words.papers.ways[result](colour("first"), colour("second")), known && !other && known.result === result)),
      into(made("span", undefined, "tick fill"), made("span", words.papers.other), made("i", other, "rule"))),
    ...["first", "second"].map((who) => into(made("p", undefined, "slip-sign"), made("span", words.papers.signs(colour(who))), made("i", "", "rule"))),
    into(made("p", undefined, "slip-sign"), made("span", words.papers.sign.arbiter), made("i", "", "rule"), made("span", words.papers.timeOfDay), made("i", "", "rule short")));
}
