import { describe, expect, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import type { HeldWork } from '@parcelway/kernel/leased-work';
import { silentLogger } from '@parcelway/kernel/logger';
import type { WorkLease } from '@parcelway/kernel/work-lease';
import { FILLED } from './domain/filling.ts';
import { createTermFilling, fillTerms, NEXT_PASS_MS } from './fill-terms.ts';
import type { FillableForecast, TermFilling } from './ports.ts';

/** Forecasts in memory, some of which lack terms. */
class Forecasts implements TermFilling {
  readonly lacking: Set<string>;
  readonly #all: readonly FillableForecast[];
  readonly filled: string[][] = [];

  constructor(count: number, lacking: readonly number[], itemCount = 1) {
    this.#all = Array.from({ length: count }, (_, index) => ({ place: `tnt F${String(index).padStart(3, '0')}`, itemCount }));
    this.lacking = new Set(lacking.map((index) => (this.#all[index] as FillableForecast).place));
  }

  async next(after: string | null, limit: number): Promise<readonly FillableForecast[]> {
    return this.#all.filter(({ place }) => place > (after ?? '')).slice(0, limit);
  }

  async fill(places: readonly string[]): Promise<number> {
    this.filled.push([...places]);
    return places.filter((place) => this.lacking.delete(place)).length;
  }
}

/** Work from a place on, which is over after so many steps. */
function held(place = '', stopsAfter = Number.POSITIVE_INFINITY): HeldWork {
  let steps = 0;
  const work: { -readonly [K in keyof HeldWork]: HeldWork[K] } = {
    place,
    async reach(to: string) {
      work.place = to;
    },
    async renew(to = work.place) {
      work.place = to;
      steps += 1;
    },
    isOver: () => steps >= stopsAfter,
  };
  return work;
}

const clock = new ManualClock(1_000_000);
const lease = {} as WorkLease;
const pace = async (): Promise<void> => undefined;
const optionsOf = (filling: TermFilling, passes = 2) => ({ filling, lease, clock, logger: silentLogger, passes });

describe('giving older forecasts their terms', () => {
  test('is done at once when none lacks any', async () => {
    const work = held();
    expect(await fillTerms(optionsOf(new Forecasts(120, [])), work, pace)).toBeUndefined();
    expect(work.place).toBe(FILLED);
  });

  test('takes a second pass after an hour when some did, and a third never', async () => {
    const forecasts = new Forecasts(120, [3, 119]);
    const work = held();
    expect(await fillTerms(optionsOf(forecasts), work, pace)).toBe(clock.now() + NEXT_PASS_MS);
    expect(forecasts.lacking.size).toBe(0);
    forecasts.lacking.add('tnt F007');
    expect(await fillTerms(optionsOf(forecasts), work, pace)).toBeUndefined();
    expect([forecasts.lacking.size, work.place]).toEqual([0, FILLED]);
  });

  test('takes one pass where nobody else writes', async () => {
    expect(await fillTerms(optionsOf(new Forecasts(1, [0]), 1), held(), pace)).toBeUndefined();
  });

  test('goes on where it was left, in steps of a bounded number of items', async () => {
    const forecasts = new Forecasts(10, [0, 9], 700);
    const first = held('', 2);
    expect(await fillTerms(optionsOf(forecasts), first, pace)).toBe(clock.now());
    expect(forecasts.filled.map(({ length }) => length)).toEqual([2, 2]);
    const second = held(first.place);
    await fillTerms(optionsOf(forecasts), second, pace);
    expect(forecasts.filled.flat()).toHaveLength(10);
    // It knows of the first step that a second pass is needed.
    expect(second.place).not.toBe(FILLED);
  });

  test('does nothing once it is done', async () => {
    const forecasts = new Forecasts(1, [0]);
    expect(await fillTerms(optionsOf(forecasts), held(FILLED), pace)).toBeUndefined();
    expect(forecasts.filled).toEqual([]);
  });
});

test('the work ends for ever once it is done', async () => {
  const forecasts = new Forecasts(3, [1]);
  const takes: string[] = [];
  const place = await new Promise<string>((resolve) => {
    const once: WorkLease = {
      async take() {
        takes.push('taken');
        return '';
      },
      keep: async () => true,
      giveBack: async (given) => resolve(given),
    };
    createTermFilling({ ...optionsOf(forecasts, 1), lease: once }).start();
  });
  expect([place, forecasts.lacking.size, takes]).toEqual([FILLED, 0, ['taken']]);
});
