// `npm run paths`: follows requests through the running code, and says how often a reader changes files on the way.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Docstrings } from './docstrings.ts';
import { figuresOf } from './figures.ts';
import { pathsPage } from './page.ts';
import { type PathName, pathNames, recordPaths } from './paths.ts';
import { report, sequence } from './table.ts';

const USAGE = `Usage: npm run paths -- [options]
  --json             the figures, as JSON
  --sequence PATH    every entry of a path: ${pathNames.join(', ')}
  --write            writes docs/paths.md
  --all-functions    counts functions that are one expression, too
`;

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** @throws TypeError for an unknown option, RangeError for an unknown path */
function readOptions() {
  const { values } = parseArgs({
    options: {
      json: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      'all-functions': { type: 'boolean', default: false },
      sequence: { type: 'string' },
    },
  });
  const wanted = pathNames.find((name) => name === values.sequence);
  if (values.sequence !== undefined && wanted === undefined) throw new RangeError(`There is no path "${values.sequence}"`);
  return { ...values, sequence: wanted };
}

/** Measures, and prints or writes what was asked for. */
async function run({ json, write, sequence: wanted, 'all-functions': everyFunction }: ReturnType<typeof readOptions>): Promise<void> {
  const paths = await recordPaths(everyFunction);
  if (write) {
    writeFileSync(join(root, 'docs/paths.md'), pathsPage(paths, new Docstrings(root)));
    console.log('written: docs/paths.md');
  }
  if (json)
    console.log(JSON.stringify(Object.fromEntries(pathNames.map((name: PathName) => [name, figuresOf(paths[name])])), undefined, 2));
  else if (wanted !== undefined) console.log(sequence(paths[wanted]));
  else if (!write) console.log(report(paths));
}

let options: ReturnType<typeof readOptions> | undefined;
try {
  options = readOptions();
} catch (error) {
  console.error(`${(error as Error).message}\n\n${USAGE}`);
  process.exitCode = 2;
}
if (options !== undefined) await run(options);
