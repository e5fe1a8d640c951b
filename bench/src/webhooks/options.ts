import { parseArgs } from 'node:util';
import type { Mode } from '../report.ts';
import { type ShapeName, shapeNames } from './shapes.ts';

/** What a run is asked to do. */
export interface WebhookBenchOptions {
  readonly shapes: readonly ShapeName[];
  /** Length of each load, each time. */
  readonly seconds: number;
  /** How often each load is measured; the medians count. */
  readonly cycles: number;
  readonly mode: Mode;
  /** True when Outpost is measured as well. */
  readonly peer: boolean;
  readonly json: boolean;
  /** File to write the results into, as Markdown. */
  readonly write: string | undefined;
  readonly help: boolean;
}

const MAX_SECONDS = 600;
const MAX_CYCLES = 25;

/** What `--help` prints. */
export function usage(): string {
  return `npm run bench:webhooks -- [options]

  --shape A,B,…  of ${shapeNames.join(', ')}, or all (default)
                   A  50/s, then 200/s, to one endpoint
                   B  1000/s, 1000 tenants with one endpoint each
                   C  10 publishers of 100/s each, 100 endpoints
                   D  B, with 1 % of the endpoints hanging to the timeout and 5 % responding with 500
                   E  B, with the process that has the queue killed and started again half way
  --seconds N    length of each load, 1 to ${MAX_SECONDS} (default 20)
  --cycles N     how often each load is measured, in turn with the peer, 1 to ${MAX_CYCLES} (default 3); the medians count
  --mode MODE    embedded (default) or distributed: on MongoDB and Kafka
  --peer NAME    outpost: measure Outpost as well, on the same machine and receiver; none (default)
  --json         print one JSON object instead of a table
  --write FILE   write the results as Markdown into a file
`;
}

function integerOf(name: string, text: string, max: number): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < 1 || value > max) throw new Error(`--${name} takes an integer from 1 to ${max}, not ${text}`);
  return value;
}

function oneOf<T extends string>(name: string, text: string, allowed: readonly T[]): T {
  const found = allowed.find((one) => one === text);
  if (found === undefined) throw new Error(`--${name} must be one of ${allowed.join(', ')}, not ${text}`);
  return found;
}

function shapesOf(text: string): readonly ShapeName[] {
  if (text === 'all') return shapeNames;
  return text.split(',').map((name) => oneOf('shape', name.trim().toUpperCase(), shapeNames));
}

/** Reads the command line. @throws Error with the option that is wrong and what it takes */
export function readOptions(args: readonly string[]): WebhookBenchOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      shape: { type: 'string', default: 'all' },
      seconds: { type: 'string', default: '20' },
      cycles: { type: 'string', default: '3' },
      mode: { type: 'string', default: 'embedded' },
      peer: { type: 'string', default: 'none' },
      json: { type: 'boolean', default: false },
      write: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  const { json, help, write } = values;
  return {
    shapes: shapesOf(values.shape),
    seconds: integerOf('seconds', values.seconds, MAX_SECONDS),
    cycles: integerOf('cycles', values.cycles, MAX_CYCLES),
    mode: oneOf('mode', values.mode, ['embedded', 'distributed']),
    peer: oneOf('peer', values.peer, ['outpost', 'none']) === 'outpost',
    json,
    write,
    help,
  };
}
