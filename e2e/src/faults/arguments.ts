import { parseArgs } from 'node:util';

/** What `--help` prints. */
export const USAGE = `npm run test:faults -- [options]

Breaks real servers and processes under load, and lets the ledger judge. Without options it runs every row: some two hours.

  --only a,b       only rows whose group or name has one of the texts
  --soak SECONDS   how long services are killed at random, default 300
  --kills N        kills at each kill point of embedded mode, default 3
  --json           print the reports as JSON
  --keep           leave the servers up

Exit codes: 0 no row has violations, 1 one has, 2 wrong usage.
`;

/** What a run is asked to do. */
export interface FaultArguments {
  readonly help: boolean;
  /** Lower case. A row is meant when its group or name has one of them; undefined means every row. */
  readonly texts: readonly string[] | undefined;
  readonly soakSeconds: number;
  readonly kills: number;
  readonly json: boolean;
  readonly keep: boolean;
}

/** @throws Error naming the option */
function wholeNumber(option: string, value: string, most: number): number {
  const number = Number(value);
  if (!Number.isInteger(number) || number < 1 || number > most)
    throw new Error(`--${option} must be a whole number from 1 to ${most}, not "${value}"`);
  return number;
}

/** @throws Error when one is empty: it would be in every row */
function textsIn(only: string): readonly string[] {
  const texts = only.split(',').map((text) => text.trim().toLowerCase());
  if (texts.includes('')) throw new Error(`--only needs texts between its commas, not "${only}"`);
  return texts;
}

/**
 * Reads the command line.
 * @throws Error with what is wrong
 */
export function readArguments(args: readonly string[]): FaultArguments {
  const { values } = parseArgs({
    args: [...args],
    options: {
      help: { type: 'boolean', short: 'h', default: false },
      only: { type: 'string' },
      soak: { type: 'string', default: '300' },
      kills: { type: 'string', default: '3' },
      json: { type: 'boolean', default: false },
      keep: { type: 'boolean', default: false },
    },
  });
  const { only, soak, kills, ...others } = values;
  return {
    ...others,
    texts: only === undefined ? undefined : textsIn(only),
    soakSeconds: wholeNumber('soak', soak, 7 * 86_400),
    kills: wholeNumber('kills', kills, 1000),
  };
}
