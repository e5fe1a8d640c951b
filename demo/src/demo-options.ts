import { parseArgs } from 'node:util';
import { demoSources } from './demo-sources.ts';

/** What `npm run demo` is asked for. */
export interface DemoOptions {
  readonly isHelp: boolean;
  /** Name of a tracking source; undefined for the simulated carrier. */
  readonly source: string | undefined;
}

/** What `--help` prints. */
export function usage(): string {
  const width = Math.max(...[...demoSources.keys()].map(({ length }) => length));
  const sources = [...demoSources].map(
    ([name, { title, carrierCode, trackingNumber }]) =>
      `  ${name.padEnd(width)}  ${title}: the parcel ${trackingNumber} with the carrier ${carrierCode}`,
  );
  return [
    'npm run demo [-- --source NAME]',
    '',
    'Takes one parcel from submission to delivery on a platform of its own, and prints each request and response.',
    'Without --source the carrier is simulated. With it, the demo starts a server that speaks the wire format of that',
    'tracking source. The platform asks it, and it pushes to the platform. Sources:',
    '',
    ...sources,
    '',
  ].join('\n');
}

/**
 * Reads the arguments of the demo.
 * @throws Error with a sentence for the reader when an argument is unknown, or no source has the name
 */
export function readDemoOptions(args: readonly string[]): DemoOptions {
  const { values } = parseArgs({
    args: [...args],
    options: { source: { type: 'string' }, help: { type: 'boolean', short: 'h', default: false } },
  });
  const { source, help } = values;
  if (!help && source !== undefined && !demoSources.has(source))
    throw new Error(`There is no tracking source ${JSON.stringify(source)}; choose one of ${[...demoSources.keys()].join(', ')}.`);
  return { isHelp: help, source };
}
