// Classes built on those of a chip's own parts, which the package does not export. Each is built once: a class anew for each
// power-up would be a stranger to all code that was compiled for the one before.

const made = new Map();

/** The class that `make` builds on the class of `part`. */
export function builtOn(part, make) {
  if (!made.has(make)) made.set(make, make(part.constructor));
  return made.get(make);
}
