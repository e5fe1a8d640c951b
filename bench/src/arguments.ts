import { parseArgs } from 'node:util';
import type { Scale } from './suite.ts';

/** How the measured platform runs. */
export type Mode = 'embedded' | 'distributed';

/** Names of the suites. */
export interface SuiteNames extends Readonly<Record<Mode, readonly string[]>> {
  /** Those that run when they are named, and not with all the others: they take minutes. */
  readonly namedOnly: readonly string[];
}

/** What a run is asked to do. */
export interface BenchArguments {
  readonly mode: Mode;
  readonly only: readonly string[];
  readonly json: boolean;
  readonly install: boolean;
  readonly help: boolean;
  /** File to write the results into, as Markdown. */
  readonly write: string | undefined;
  readonly scale: Scale;
}

const scales: Readonly<Record<Mode, { readonly full: Scale; readonly quick: Scale }>> = {
  embedded: { full: { cycles: 5, measureMs: 2500, quick: false }, quick: { cycles: 1, measureMs: 1000, quick: true } },
  // More is measured, and each start takes seconds.
  distributed: { full: { cycles: 3, measureMs: 2000, quick: false }, quick: { cycles: 1, measureMs: 500, quick: true } },
};

/** What `--help` prints. */
export function usage(names: SuiteNames): string {
  const listed = (mode: Mode): string => names[mode].map((name) => (names.namedOnly.includes(name) ? `(${name})` : name)).join(', ');
  return `npm run bench -- [options]

  --mode MODE    embedded (default) or distributed: every service a process of its own, on real servers
  --only a,b     measure only these (those in brackets: only when named)
                   embedded:    ${listed('embedded')}
                   distributed: ${listed('distributed')}
  --quick        one short cycle of each, to see that it works
  --json         print one JSON object instead of a table
  --write FILE   write the results as Markdown into a file
  --install      install nginx and wrk from Debian first (as root)

Distributed mode takes the servers that the environment names (MONGODB_URL and so on, see tools/servers/README.md); otherwise it
starts its own and takes them down at the end.
`;
}

function modeOf(value: string): Mode {
  if (value !== 'embedded' && value !== 'distributed') throw new Error(`There is no mode ${value}; there are embedded and distributed`);
  return value;
}

/**
 * Reads the command line.
 * @param names suites there are
 * @throws Error with what is wrong
 */
export function readArguments(args: readonly string[], names: SuiteNames): BenchArguments {
  const { values } = parseArgs({
    args: [...args],
    options: {
      mode: { type: 'string', default: 'embedded' },
      only: { type: 'string' },
      json: { type: 'boolean', default: false },
      quick: { type: 'boolean', default: false },
      install: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
      write: { type: 'string' },
    },
  });
  const mode = modeOf(values.mode);
  const all = names[mode];
  const asked =
    values.only === undefined ? all.filter((name) => !names.namedOnly.includes(name)) : values.only.split(',').map((name) => name.trim());
  const unknown = asked.filter((name) => !all.includes(name));
  if (unknown.length > 0) throw new Error(`There is no ${unknown.join(', ')}; there are ${all.join(', ')}`);
  const { json, install, help, write, quick } = values;
  const only = all.filter((name) => asked.includes(name));
  return { mode, only, json, install, help, write, scale: quick ? scales[mode].quick : scales[mode].full };
}
