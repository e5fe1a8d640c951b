// `npm run terms [-- FOLDER...]`: old terms in the tracked files, and what to write instead. Paths are from the root of the repository; default all.

import { fileURLToPath } from 'node:url';
import { findTerms } from './find-terms.ts';

const { findings } = findTerms(fileURLToPath(new URL('../../../', import.meta.url)), process.argv.slice(2));
for (const { path, line, found, use } of findings) console.log(`${path}:${line}: "${found}": use ${use}`);
console.log(`${findings.length} old terms in ${new Set(findings.map(({ path }) => path)).size} files`);
process.exitCode = findings.length === 0 ? 0 : 1;
