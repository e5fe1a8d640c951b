import {
  type EndpointFiguresOfDay,
  type EndpointFiguresQuery,
  type EndpointFiguresTotal,
  MAX_FIGURE_DAYS,
} from '@parcelway/contracts/webhook-figures-api';
import type { Clock } from '@parcelway/kernel/clock';
import { type DayRange, dayRange, daysIn } from '@parcelway/kernel/day-range';
import type { UsageCounter, UsageStore } from '@parcelway/kernel/usage-counter';
import type { EndpointManager } from '../endpoints/manage-endpoints.ts';
import type { AttemptResult } from './domain/attempt.ts';

/** Amounts of one day, of all endpoints of a tenant. */
interface CountedDay {
  readonly day: string;
  /** By their names. */
  readonly amounts: Readonly<Record<string, number>>;
}

export interface EndedAttempt {
  readonly outcome: 'succeeded' | 'failed';
  readonly durationMs: number;
}

/** Durations are counted in steps, of which four double them: a step is 19 % wide. */
const STEPS_TO_DOUBLE = 4;
const DURATION = 'ms';

const stepOf = (durationMs: number): number => (durationMs <= 1 ? 0 : Math.ceil(STEPS_TO_DOUBLE * Math.log2(durationMs)));
const longestOf = (step: number): number => Math.round(2 ** (step / STEPS_TO_DOUBLE));

/** How the names of the amounts of an endpoint begin. No name of one endpoint is a name of another. */
const prefixOf = (endpointId: string): string => `${endpointId}:`;

/** Names of the amounts that an attempt at an endpoint adds one to. */
export function amountsOf(endpointId: string, { outcome, durationMs }: EndedAttempt): readonly string[] {
  const prefix = prefixOf(endpointId);
  return [`${prefix}${outcome}`, `${prefix}${DURATION}${stepOf(durationMs)}`];
}

/** The figures of an endpoint, of amounts that are added up. */
function figuresFrom(endpointId: string, all: readonly CountedDay[]): EndpointFiguresTotal {
  const prefix = prefixOf(endpointId);
  const sums = new Map<string, number>();
  for (const [name, amount] of all.flatMap(({ amounts }) => Object.entries(amounts))) {
    const what = name.slice(prefix.length);
    if (name.startsWith(prefix)) sums.set(what, (sums.get(what) ?? 0) + amount);
  }
  const durations = [...sums]
    .filter(([what]) => what.startsWith(DURATION))
    .map(([what, amount]) => ({ step: Number(what.slice(DURATION.length)), amount }))
    .sort((one, other) => one.step - other.step);
  /** What a share of the attempts took at most; null without attempts. */
  const durationOf = (share: number): number | null => {
    let left = share * durations.reduce((sum, { amount }) => sum + amount, 0);
    const last = durations.find(({ amount }) => {
      left -= amount;
      return left <= 0;
    });
    return last === undefined ? null : longestOf(last.step);
  };
  const [succeeded, failed] = [sums.get('succeeded') ?? 0, sums.get('failed') ?? 0];
  return { attempts: succeeded + failed, succeeded, failed, duration_ms_median: durationOf(0.5), duration_ms_p95: durationOf(0.95) };
}

export function figuresOf(
  endpointId: string,
  range: DayRange,
  counted: readonly CountedDay[],
): { readonly days: EndpointFiguresOfDay[]; readonly total: EndpointFiguresTotal } {
  const ofDay = (date: string) =>
    figuresFrom(
      endpointId,
      counted.filter(({ day }) => day === date),
    );
  return { days: daysIn(range).map((date) => ({ date, ...ofDay(date) })), total: figuresFrom(endpointId, counted) };
}

/** Reads what became of the attempts at an endpoint. */
export type EndpointFiguresReader = ReturnType<typeof createEndpointFigures>;

/** Counts an attempt; tests are none. */
export function countAttempt(counter: Pick<UsageCounter, 'add'>, { leased: { delivery }, attempt }: AttemptResult): void {
  if (delivery.test) return;
  for (const name of amountsOf(delivery.endpointId, attempt)) counter.add(delivery.tenantId, name);
}

/**
 * The figures of an endpoint.
 * @throws AppError 40403 when there is no such endpoint, 42201 for a range that is not allowed
 */
export function createEndpointFigures(endpoints: Pick<EndpointManager, 'get'>, store: Pick<UsageStore, 'days'>, clock: Clock) {
  return async (tenantId: string, endpointId: string, asked: EndpointFiguresQuery) => {
    const range = dayRange(asked, clock.now(), MAX_FIGURE_DAYS);
    await endpoints.get(tenantId, endpointId);
    return figuresOf(endpointId, range, await store.days(tenantId, range.from, range.to, prefixOf(endpointId)));
  };
}
