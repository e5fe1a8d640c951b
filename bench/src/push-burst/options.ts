import { parseArgs } from 'node:util';

/** What a run is asked to do. */
export interface PushBurstOptions {
  readonly pushes: number;
  readonly connections: number;
  readonly json: boolean;
  readonly help: boolean;
}

const MAX_PUSHES = 1_000_000;
/** What the gateway grants one address, less those of the merchant. */
const MAX_CONNECTIONS = 200;

/** What `--help` prints. */
export function usage(): string {
  return `npm run bench:pushes -- [options]

Sends pushes of a tracking source to one connection, one in four signed by the vendor and the others forged, while a merchant queries.
Shows how long the merchant's queries take before and during the burst. PARCELWAY_MODE chooses the mode, as for the scenarios.

  --pushes N       1 to ${MAX_PUSHES} (default 10000)
  --connections N  that send them, each one at a time: 1 to ${MAX_CONNECTIONS} (default 64)
  --json           print one JSON object instead of the text
`;
}

function integerOf(name: string, text: string, max: number): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < 1 || value > max) throw new Error(`--${name} takes an integer from 1 to ${max}, not ${text}`);
  return value;
}

/** Reads the command line. @throws Error with the option that is wrong and what it takes */
export function readPushBurstOptions(args: readonly string[]): PushBurstOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      pushes: { type: 'string', default: '10000' },
      connections: { type: 'string', default: '64' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  return {
    pushes: integerOf('pushes', values.pushes, MAX_PUSHES),
    connections: integerOf('connections', values.connections, MAX_CONNECTIONS),
    json: values.json,
    help: values.help,
  };
}
