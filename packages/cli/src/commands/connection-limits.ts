import type { Command } from 'commander';
import type { Data } from '../admin-client.ts';
import { usageError } from '../cli-error.ts';
import { parseCount, parsePositive } from '../option-values.ts';

/** Options that name what a vendor grants an account. */
export interface LimitOptions {
  readonly requestsPerSecond?: number;
  readonly callsPerDay?: number;
  readonly fetchesPerParcelPerDay?: number;
}

/** Adds the options of limits to a command. */
export function addLimitOptions(command: Command): Command {
  return command
    .option(
      '--requests-per-second <number>',
      'calls in a second that the vendor grants, in the place of its standard limit; may be below 1',
      parsePositive,
    )
    .option('--calls-per-day <count>', 'calls in a day that the vendor grants', parseCount)
    .option('--fetches-per-parcel-per-day <count>', 'calls for one parcel in a day that the vendor grants', parseCount);
}

/** The limits that the options name, as the API takes them; undefined when they name none. */
export function limitsIn({ requestsPerSecond, callsPerDay, fetchesPerParcelPerDay }: LimitOptions): Data | undefined {
  const named = [
    ['requests_per_second', requestsPerSecond],
    ['calls_per_day', callsPerDay],
    ['fetches_per_parcel_per_day', fetchesPerParcelPerDay],
  ].filter(([, value]) => value !== undefined);
  return named.length === 0 ? undefined : Object.fromEntries(named);
}

/** As {@link limitsIn}, of a change: null for the standard limits. @throws CliError when the options ask for both */
export function limitChangeIn(options: LimitOptions & { readonly standardLimits?: true }): Data | null | undefined {
  const limits = limitsIn(options);
  if (options.standardLimits === undefined) return limits;
  if (limits !== undefined) throw usageError('Give either limits or --standard-limits');
  return null;
}

/** Limits as a cell of a table. */
export function limitsCell({ limits }: Data): string {
  if (typeof limits !== 'object' || limits === null) return 'standard';
  return Object.entries(limits)
    .map(([name, value]) => `${name}=${value}`)
    .join(',');
}
