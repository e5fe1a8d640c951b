import Type from 'typebox';
import { collection } from '../collection.ts';
import type { Store } from '../store.ts';
import { upsert } from '../upsert.ts';

/** The last numbers that were given out. */
export const numberSeries = collection(
  'number_series',
  Type.Object({ series: Type.String(), last: Type.Integer() }, { additionalProperties: false }),
  {
    describe: 'The last number that was given out, of each series',
    key: ['series'],
    tenant: { none: 'numbers run over all tenants' },
    shard: { unsharded: 'a few documents, each of all tenants' },
    ends: 'never',
  },
);

/** Numbers are taken from the store in blocks of this size: one write for so many, gaps after a restart. */
const BLOCK = 64;

/** Gives out whole numbers from 1, each once over all processes; rising within a process, with gaps. @returns the next one @throws AppError 50301 */
export function createNumbers(store: Store, series: string): () => Promise<number> {
  let [next, end] = [1, 1];
  let refill: Promise<void> | undefined;
  const takeBlock = async (): Promise<void> => {
    const [{ last } = { last: 0 }] = await upsert(store, numberSeries, [[series]], (before) => ({
      series,
      last: (before?.last ?? 0) + BLOCK,
    }));
    [next, end] = [last - BLOCK + 1, last + 1];
  };
  return async () => {
    while (next >= end) {
      refill ??= takeBlock().finally(() => {
        refill = undefined;
      });
      await refill;
    }
    next += 1;
    return next - 1;
  };
}
