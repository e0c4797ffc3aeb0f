// Times of clocks and of the day, as people write them. Pure but for the zone, which the event gives.

let zone;
export function zoneIs(name) {
  try {
    new Intl.DateTimeFormat("en-GB", { timeZone: name });
    zone = name;
  } catch { zone = undefined; }
}

const two = (n) => String(n).padStart(2, "0");

// Rounded up, so that 0:00 is never shown before the flag; below zero rounded away from it.
export function time(ms) {
  if (ms === null || ms === undefined) return "–";
  const all = ms > 0 ? Math.ceil(ms / 1000) : Math.floor(-ms / 1000);
  const hours = Math.floor(all / 3600), minutes = Math.floor(all / 60) % 60;
  const sign = ms < 0 && all > 0 ? "-" : "";
  return sign + (hours ? `${hours}:${two(minutes)}` : minutes) + `:${two(all % 60)}`;
}

// To the tenth, for proof.
export function exact(ms) {
  if (ms === null || ms === undefined) return "–";
  const tenths = Math.floor(Math.abs(ms) / 100), all = Math.floor(tenths / 10);
  const hours = Math.floor(all / 3600), minutes = Math.floor(all / 60) % 60;
  const sign = ms < 0 && tenths > 0 ? "-" : "";
  return `${sign}${hours ? `${hours}:${two(minutes)}` : minutes}:${two(all % 60)}.${tenths % 10}`;
}

// What a person writes for a time of a clock: 42, 42:30, 1:05:00, -5:00. In milliseconds; null if it is none.
export function read(text) {
  const plain = text.replace(/[！-～]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0)).trim();
  const parts = /^([-−+]?)(?:(\d{1,2}):(?=\d+:))?(\d{1,3})(?::([0-5]?\d)(?:\.(\d))?)?$/.exec(plain);
  if (!parts) return null;
  const [, sign, hours = 0, minutes, seconds = 0, tenth = 0] = parts;
  const ms = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + Number(tenth) * 100;
  return /[-−]/.test(sign) ? -ms : ms;
}

const format = (options) => (instant) => new Intl.DateTimeFormat("en-GB", { timeZone: zone, hourCycle: "h23", ...options }).format(new Date(instant));
// A time of day in the event's own zone, whatever the tablet thinks.
export const clockTime = (instant) => format({ hour: "2-digit", minute: "2-digit", second: "2-digit" })(instant);
export const clockTimeExact = (instant) => format({ hour: "2-digit", minute: "2-digit", second: "2-digit", fractionalSecondDigits: 1 })(instant);
export function dateOf(instant) {
  const parts = Object.fromEntries(new Intl.DateTimeFormat("en-GB", { timeZone: zone, year: "numeric", month: "2-digit", day: "2-digit" })
    .formatToParts(new Date(instant)).map(({ type, value }) => [type, value]));
  return `${parts.year}-${parts.month}-${parts.day}`;
}

// A time of day in the event's zone, as the instant nearest to `now`.
export function instant(clock, now) {
  const [hours, minutes, seconds = 0] = clock.split(":").map(Number);
  const day = 24 * 3600 * 1000;
  const [h, m, s] = clockTime(now).split(":").map(Number);
  const wanted = ((hours * 60 + minutes) * 60 + seconds) * 1000, is = ((h * 60 + m) * 60 + s) * 1000;
  let by = wanted - is;
  if (by > day / 2) by -= day;
  if (by < -day / 2) by += day;
  return new Date(Math.floor(now / 1000) * 1000 + by).toISOString();
}
