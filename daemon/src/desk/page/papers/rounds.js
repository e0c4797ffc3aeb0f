// A round as papers need it: loaded, played or closed.

import { call } from "../line.js";
import { hall } from "../hall.js";

export const roundWith = (round) => call("round.view", { round });
export const printable = () => hall.rounds.filter((round) => round.boards);

// Boards by match, in their order; those of no match together at the end.
export function matches(boards) {
  const by = new Map();
  for (const board of boards) {
    const no = board.match ?? null;
    if (!by.has(no)) by.set(no, []);
    by.get(no).push(board);
  }
  return [...by].sort(([a], [b]) => a === null ? 1 : b === null ? -1 : a - b).map(([no, boards]) => ({ no, boards }));
}

const HALVES = { "1-0": [2, 0], "0-1": [0, 2], "1/2-1/2": [1, 1], "0-0": [0, 0] };
// Only what a person has said counts.
export const counts = ({ result }) => Boolean(result) && ["entered", "signed", "official"].includes(result.status);
export const points = (halves) => `${Math.floor(halves / 2) || (halves % 2 ? "" : "0")}${halves % 2 ? "½" : ""}`;

// The score of a match for the team listed first, which has the first move on the match's first board (二.4).
export function score(boards) {
  const teams = [boards[0].first.team, boards[0].second.team];
  const sum = [0, 0];
  let open = 0;
  boards.forEach((board, place) => {
    if (!counts(board)) { open++; return; }
    const [first, second] = HALVES[board.result.result] || [0, 0];
    const turned = board.first.team !== board.second.team && teams[0] !== teams[1] ? board.first.team !== teams[0] : place % 2 === 1;
    sum[0] += turned ? second : first;
    sum[1] += turned ? first : second;
  });
  return { teams, sum, open };
}
