import { parseArgs } from 'node:util';
import type { Scale } from './suite.ts';

/** What a run is asked to do. */
export interface BenchArguments {
  readonly only: readonly string[];
  readonly json: boolean;
  readonly install: boolean;
  readonly help: boolean;
  /** Document to put the results into. */
  readonly write: string | undefined;
  readonly scale: Scale;
}

const FULL: Scale = { cycles: 5, measureMs: 2500, quick: false };
const QUICK: Scale = { cycles: 1, measureMs: 1000, quick: true };

/** What `--help` prints. */
export function usage(names: readonly string[]): string {
  return `npm run bench -- [options]

  --only a,b     measure only these: ${names.join(', ')}
  --quick        one short cycle of each, to see that it works
  --json         print one JSON object instead of a table
  --write FILE   put the table into a document, between its marks
  --install      install nginx and wrk from Debian first (as root)

With PROFILE_DIR=DIR in the environment the platform under load writes CPU profiles there.
`;
}

/**
 * Reads the command line.
 * @param names suites there are
 * @throws Error with what is wrong
 */
export function readArguments(args: readonly string[], names: readonly string[]): BenchArguments {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string' },
      json: { type: 'boolean', default: false },
      quick: { type: 'boolean', default: false },
      install: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
      write: { type: 'string' },
    },
  });
  const only = values.only === undefined ? names : values.only.split(',').map((name) => name.trim());
  const unknown = only.filter((name) => !names.includes(name));
  if (unknown.length > 0) throw new Error(`There is no ${unknown.join(', ')}; there are ${names.join(', ')}`);
  const { json, install, help, write, quick } = values;
  return { only: names.filter((name) => only.includes(name)), json, install, help, write, scale: quick ? QUICK : FULL };
}
