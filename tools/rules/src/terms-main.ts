// `npm run terms`: old terms in the tracked files, and what to write instead.

import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { findTerms } from './find-terms.ts';

const USAGE = `Usage: npm run terms [-- FOLDER... [--json]]
  FOLDER   files and folders from the root of the repository; default all
  --json   findings as JSON
`;

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** @throws TypeError for an unknown option */
function readOptions() {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { json: { type: 'boolean', default: false } } });
  return { json: values.json, folders: positionals };
}

/** Prints what is found; the exit code is 1 when there is anything. */
function run({ json, folders }: ReturnType<typeof readOptions>): void {
  const { findings } = findTerms(root, folders);
  if (json) console.log(JSON.stringify(findings, undefined, 2));
  else {
    for (const { path, line, found, use } of findings) console.log(`${path}:${line}: "${found}": use ${use}`);
    console.log(`${findings.length} old terms in ${new Set(findings.map(({ path }) => path)).size} files`);
  }
  process.exitCode = findings.length === 0 ? 0 : 1;
}

let options: ReturnType<typeof readOptions> | undefined;
try {
  options = readOptions();
} catch (error) {
  console.error(`${(error as Error).message}\n\n${USAGE}`);
  process.exitCode = 2;
}
if (options !== undefined) run(options);
