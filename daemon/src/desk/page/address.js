// Where on the page a person is: in the address, so that a reload comes back there and Back goes back.

export const SCREENS = ["hall", "setup", "round", "chairs", "sheet", "tasks", "papers"];
export const place = { screen: "hall", board: null, paper: null };

let moved = () => {};
export const onMove = (does) => { moved = does; };

function read() {
  let hash = "";
  // what no browser wrote is no place
  try { hash = decodeURIComponent(location.hash.slice(1)); } catch { /* the hall */ }
  const [name, rest = ""] = hash.split(/=(.*)/s);
  Object.assign(place, { screen: "hall", board: null, paper: null });
  if (name === "board" && rest) place.board = rest;
  else if (name === "paper" && rest) Object.assign(place, { screen: "papers", paper: rest });
  else if (SCREENS.includes(name)) place.screen = name;
}

// A token in the address is taken once and wiped from it before anything else happens.
export function tokenGiven() {
  const given = new URLSearchParams(location.hash.slice(1)).get("token");
  if (given) history.replaceState(null, "", location.pathname);
  read();
  return given || "";
}

const written = (to) => "#" + to.split("/").map(encodeURIComponent).join("/").replace("%3D", "=");
export function go(to) {
  if (written(to) === location.hash) return;
  history.pushState(null, "", written(to));
  read();
  moved();
}
export const goScreen = (screen) => go(screen);
export const goBoard = (id) => go(`board=${id}`);
export const goPaper = (name) => go(`paper=${name}`);
for (const what of ["popstate", "hashchange"]) {
  addEventListener(what, () => {
    // another code, opened in this very tab: taken as on any coming, and wiped
    if (new URLSearchParams(location.hash.slice(1)).get("token")) return location.reload();
    read();
    moved();
  });
}
