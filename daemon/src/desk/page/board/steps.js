// The marks of an axis of time.

const SECOND = 1000, MINUTE = 60 * SECOND, HOUR = 60 * MINUTE;
const STEPS = [15 * SECOND, 30 * SECOND, MINUTE, 2 * MINUTE, 5 * MINUTE, 10 * MINUTE, 15 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 6 * HOUR, 24 * HOUR];

// Where an axis up to `most` has its marks: about so many, at times that people count in.
export function steps(most, count) {
  const step = STEPS.find((step) => most / step <= count) || STEPS[STEPS.length - 1];
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, place) => place * step);
}
