import type { EndpointFiguresOfDay, EndpointFiguresTotal } from '@parcelway/contracts/webhook-figures-api';
import { type DayRange, daysIn } from '@parcelway/kernel/day-range';

/** Amounts of a day, by their names. */
type Amounts = Readonly<Record<string, number>>;

/** Amounts of one day, of all endpoints of a tenant. */
interface CountedDay {
  readonly day: string;
  readonly amounts: Amounts;
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
export const prefixOf = (endpointId: string): string => `${endpointId}:`;

/** Names of the amounts that an attempt at an endpoint adds one to. */
export function amountsOf(endpointId: string, { outcome, durationMs }: EndedAttempt): readonly string[] {
  const prefix = prefixOf(endpointId);
  return [`${prefix}${outcome}`, `${prefix}${DURATION}${stepOf(durationMs)}`];
}

/** Counts of one endpoint that can be added up. */
class Tally {
  #succeeded = 0;
  #failed = 0;
  readonly #steps = new Map<number, number>();

  add(endpointId: string, amounts: Amounts): void {
    const prefix = prefixOf(endpointId);
    for (const [name, amount] of Object.entries(amounts)) {
      if (!name.startsWith(prefix)) continue;
      const what = name.slice(prefix.length);
      if (what === 'succeeded') this.#succeeded += amount;
      else if (what === 'failed') this.#failed += amount;
      else if (what.startsWith(DURATION)) this.#addStep(Number(what.slice(DURATION.length)), amount);
    }
  }

  figures(): EndpointFiguresTotal {
    return {
      attempts: this.#succeeded + this.#failed,
      succeeded: this.#succeeded,
      failed: this.#failed,
      duration_ms_median: this.#durationOf(0.5),
      duration_ms_p95: this.#durationOf(0.95),
    };
  }

  #addStep(step: number, amount: number): void {
    this.#steps.set(step, (this.#steps.get(step) ?? 0) + amount);
  }

  /** What a share of the attempts took at most; null without attempts. */
  #durationOf(share: number): number | null {
    const steps = [...this.#steps].sort(([one], [other]) => one - other);
    let left = share * steps.reduce((sum, [, amount]) => sum + amount, 0);
    for (const [step, amount] of steps) {
      left -= amount;
      if (left <= 0) return longestOf(step);
    }
    return null;
  }
}

export function figuresOf(
  endpointId: string,
  range: DayRange,
  counted: readonly CountedDay[],
): { readonly days: EndpointFiguresOfDay[]; readonly total: EndpointFiguresTotal } {
  const total = new Tally();
  const days = new Map(daysIn(range).map((date) => [date, new Tally()]));
  for (const { day, amounts } of counted) {
    days.get(day)?.add(endpointId, amounts);
    total.add(endpointId, amounts);
  }
  return { days: [...days].map(([date, tally]) => ({ date, ...tally.figures() })), total: total.figures() };
}
