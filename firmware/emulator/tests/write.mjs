// `node tests/write.mjs NAME PATH` writes one of the programs as an ELF.

import { writeFileSync } from 'node:fs';
import { programs } from './programs.mjs';

const [name, path] = process.argv.slice(2);
writeFileSync(path, programs[name]());
