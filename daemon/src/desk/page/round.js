// Which round a screen is about.

import { hall } from "./hall.js";

const chosenRounds = new Map();
export const choose = (screen, round) => chosenRounds.set(screen, round);

// What was chosen, or what is next to be done there: set-up comes before a round has begun, all else after.
export function chosen(screen) {
  const { rounds } = hall;
  const own = chosenRounds.get(screen);
  if (rounds.some((round) => round.number === own)) return own;
  const open = rounds.filter((round) => round.started && !round.closed);
  const next = rounds.find((round) => !round.started && !round.closed && round.boards);
  const [begun, over] = [open, rounds.filter((round) => round.closed)].map((list) => list[list.length - 1]);
  const order = screen === "setup" ? [next, begun] : [begun, next, over];
  const found = order.find(Boolean);
  return found ? found.number : null;
}
