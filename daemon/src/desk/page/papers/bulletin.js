// A day's fouls with what they come to, its rulings, and what is still to be done (五.3, 五.5).

import { call } from "../line.js";
import { hall, hallNow } from "../hall.js";
import { ruled } from "../board/happened.js";
import { clockTime, dateOf } from "../time.js";
import { said, words } from "../words/index.js";
import { into, made } from "../elements/made.js";
import { colour, dayTime, heading, none, own, paperOf, player, signatures, table } from "./parts.js";
import { printable, roundWith } from "./rounds.js";

// The days on which a round was played, and today.
export const days = () => [...new Set([...printable().filter(({ started }) => started).map(({ started }) => dateOf(started)), dateOf(hallNow())])].sort();

export async function bulletin(day) {
  const all = day === "all";
  const { fouls } = await call("foul.list");
  const rounds = printable().filter(({ started }) => started && (all || dateOf(started) === day));
  const views = [];
  for (const { number } of rounds) views.push(await roundWith(number));
  const { paper, body } = paperOf("bulletin", `${words.papers.kinds.bulletin} · ${all ? words.papers.allDays : day}`);
  const shown = fouls.filter(({ at }) => all || dateOf(at) === day);
  into(body, heading(words.papers.fouls), shown.length ? foulTable(shown, all) : none(words.papers.noFouls));
  const boards = new Map(views.flatMap(({ boards }) => boards.map((board) => [`${board.round}/${board.board}`, board])));
  const decided = views.flatMap(({ rulings }) => rulings).filter(({ state }) => state === "confirmed");
  into(body, heading(words.papers.rulings), decided.length ? rulingTable(decided, boards) : none(words.papers.noRulings));
  const tasks = [...hall.tasks.values()].filter(({ round }) => !round || all || rounds.some(({ number }) => number === round));
  into(body, heading(words.papers.tasks), tasks.length ? taskTable(tasks) : none(words.tasks.none));
  return into(body, signatures(words.papers.sign.chief, words.papers.sign.date)), paper;
}

const whereOf = ({ round, board }) => `${round ?? ""}/${board ?? ""}`;

function foulTable(fouls, all) {
  return table([[words.papers.when, "keep"], [words.papers.roundBoard, "mid"], [words.player, "some"], [words.foul.article, "some"], [words.papers.count, "narrow"], [words.papers.inGame, "narrow"], [words.papers.inEvent, "narrow"],
    [words.papers.points, "narrow"], [words.papers.remarks, "some"]],
  fouls.map((foul) => [all ? dayTime(foul.at) : clockTime(foul.at), whereOf(foul), who(foul), `${foul.article} ${said(foul.text)}`, foul.count, foul.in_game, foul.in_event, foul.points ?? "", remarks(foul)]));
}

const who = ({ player: side, name, team, team_foul }) => into(made("span", undefined, "paper-player"), `${colour(side)} `, team_foul ? null : own(name, "paper-name"),
  team ? into(made("span", undefined, "paper-team"), own(team)) : null);

function remarks({ by, team_foul, waived, withdrawn, ruling }) {
  return into(made("span"), ...[team_foul ? words.papers.teamFoul : "", waived ? words.history.waived : "", withdrawn ? words.papers.withdrawn(withdrawn.count, withdrawn.by) : "",
    ruling ? words.papers.byRuling(ruling) : "", words.by(by)].filter(Boolean).flatMap((text, place) => place ? [" · ", own(text)] : [own(text)]));
}

// The players of a board stand beside what was ruled there.
function rulingTable(rulings, boards) {
  return table([[words.papers.roundBoard, "mid"], words.papers.players, [words.papers.ruled, "some"], [words.foul.article, "narrow"], [words.papers.effect, "some"], [words.papers.decider, "some"], [words.papers.told, "keep"]],
    rulings.map((ruling) => {
      const { kind, article, offender, effect, decider, announced } = ruled(ruling);
      const board = boards.get(whereOf(ruling));
      return [whereOf(ruling), board ? into(made("span"), player(board, "first"), " – ", player(board, "second")) : "", `${kind}: ${offender}`, article, effect, own(decider),
        announced ? words.announced : made("strong", words.papers.notTold)];
    }));
}

const taskTable = (tasks) => table([[words.papers.roundBoard, "mid"], words.papers.task, [words.foul.article, "narrow"], [words.papers.due, "keep"]],
  tasks.map((task) => [whereOf(task), own(said(task.text)), task.article ?? "", task.due ? `${clockTime(task.due)}${task.overdue ? ` (${words.tasks.overdue})` : ""}` : ""]));
