// How teams and players stand after the rounds that count (十.2, 十.3).

import { call } from "../line.js";
import { words } from "../words/index.js";
import { into, made } from "../elements/made.js";
import { heading, none, own, paperOf, signatures, table } from "./parts.js";

export async function standings() {
  const { rounds, open, teams, players } = await call("event.standings");
  const { paper, body } = paperOf("standings", words.papers.kinds.standings);
  into(body, made("p", rounds.length ? words.papers.after(rounds.join(words.papers.comma)) : words.papers.noRounds));
  if (open.length) into(body, made("p", words.papers.missing(open.length, open.map(([round, board]) => `${round}/${board}`).join(words.papers.comma)), "paper-wants"));
  const { rank, team, player, points } = words.papers;
  const lot = (line) => line.by_lot ? `${line.place} *` : line.place;
  if (teams.length) {
    into(body, heading(words.papers.teams), table([[rank, "narrow"], [words.papers.drew, "narrow"], [team, "some"], ...words.papers.teamBreaks.map((text) => [text, "mid"])],
      teams.map((line) => [lot(line), line.number ?? "", own(line.team), line.points, line.opponents, line.board_points, line.match_wins, line.board_wins,
        line.last_of_its_score ? words.papers.last(line.fouls) : line.fouls])));
  }
  const boards = [...new Set(players.map(({ board }) => board))];
  for (const board of boards) {
    into(body, heading(board === null ? words.papers.players : `${words.papers.players} · ${words.papers.teamBoard(board)}`),
      table([[rank, "narrow"], [player, "some"], [team, "some"], [points, "mid"], ...words.papers.playerBreaks.map((text) => [text, "mid"])],
        players.filter((line) => line.board === board).map((line) => [lot(line), own(line.name), own(line.team), line.taken_off ? words.papers.takenOff(line.points, line.taken_off) : line.points,
          line.progressive, line.wins, line.fouls, line.second_games])));
  }
  if (!teams.length && !players.length) into(body, none(words.papers.noResultYet));
  if ([...teams, ...players].some(({ by_lot }) => by_lot)) into(body, made("p", `* ${words.papers.byLot}`, "paper-note"));
  into(body, signatures(words.papers.sign.chief, words.papers.sign.date));
  return paper;
}
