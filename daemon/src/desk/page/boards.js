// The boards of the hall with their times, and the rulings of late.
"use strict";

function showBoards() {
  const order = [...boards.values()].sort((a, b) =>
    a.round - b.round || (a.table ?? 0) - (b.table ?? 0) || a.board.localeCompare(b.board, undefined, { numeric: true }));
  // The times count by themselves.
  const still = (board) => ({
    ...board, as_of: null, first: { ...board.first, ms: null }, second: { ...board.second, ms: null },
  });
  keep(at("boards"), order.map((board) =>
    ({ key: key(board.round, board.board), about: still(board), make: () => showBoard(board) })));
}

function showBoard(board) {
  const off = board.online || board.state === "waiting" || board.state === "finished" ? "" : " offline";
  const box = made("article", undefined, `board ${board.state}${off}${board.owes ? " owes" : ""}`);
  const top = made("div", undefined, "top");
  const table = board.table ? ` · ${words.table} ${board.table}` : "";
  top.append(made("span", `${words.board} ${board.board}${table}`));
  top.append(made("span", `${SYMBOLS[board.state] || ""} ${named(words.states, board.state)}`));
  box.append(top);
  for (const player of ["first", "second"]) {
    const about = board[player];
    const row = made("div", undefined, `player${board.running === player ? " runs" : ""}`);
    const flag = board.flag === player ? ` ⚑ ${words.fallen}` : "";
    const fouls = about.fouls > 0 ? ` ✗${about.fouls}` : "";
    row.append(made("span", `${player === "first" ? "①" : "②"} ${about.name || words[player]}${fouls}${flag}`, "name"));
    const clock = made("span", time(remaining(board, player)), "time");
    clock.dataset.board = key(board.round, board.board);
    clock.dataset.player = player;
    row.append(clock);
    box.append(row);
  }
  const notes = [];
  if (off) notes.push(words.offline);
  if (board.held) notes.push(words.held);
  if (board.owes) notes.push(`${words.owes}: ${time(board.owes.first_ms)} / ${time(board.owes.second_ms)}`);
  if (board.result) notes.push(`${board.result.result} (${board.result.status})`);
  box.append(made("div", notes.join(" · "), "notes"));
  const acts = made("div", undefined, "acts");
  if (may(RULES) && board.state === "running") {
    acts.append(act(words.stop, () => ask("board.stop", { round: board.round, board: board.board })));
  }
  if (may(RULES) && board.held && board.state !== "finished") {
    acts.append(act(words.resume, () => ask("board.resume", { round: board.round, board: board.board })));
  }
  if (may(RESULT_ROLES)) acts.append(act(words.result, () => enterResult(board)));
  box.append(acts);
  return box;
}

function showPast() {
  const past = [...rulings.values()].filter((ruling) => ruling.state !== "proposed");
  past.sort((a, b) => (b.seq ?? b.id) - (a.seq ?? a.id));
  at("past").replaceChildren(...past.slice(0, 30).map((ruling) => {
    const who = ruling.decided_by ? ` · ${words.by} ${ruling.decided_by}` : "";
    const why = ruling.reason ? ` · ${ruling.reason}` : "";
    return made("li", `${place(ruling)} · ${named(words.rulings, ruling.state)} · ${said(ruling.text)}${who}${why}`);
  }));
}
