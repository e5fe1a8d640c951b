import { expect, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import { silentLogger } from '@parcelway/kernel/logger';
import { Sweep } from './sweep.ts';

/** A sweep of two kinds. @param counts what each batch of the first kind deletes; `asked` lists the instants of all batches */
function setUp(counts: Array<number | Error>) {
  const asked: string[] = [];
  const first = async (at: number): Promise<number> => {
    asked.push(`first ${at}`);
    const count = counts.shift() ?? 0;
    if (count instanceof Error) throw count;
    return count;
  };
  const second = async (at: number): Promise<number> => asked.push(`second ${at}`);
  const deletions = [
    { keptMs: 400, deleteBefore: first },
    { keptMs: 1000, deleteBefore: second },
  ];
  const options = { what: 'things', everyMs: 60_000, clock: new ManualClock(5000), logger: silentLogger };
  return { asked, sweep: new Sweep({ ...options, deletions }) };
}

test('deletes expired records in batches at the start', async () => {
  const { asked, sweep } = setUp([1000, 500, 7]);
  sweep.start();
  await sweep.stop();
  expect(asked).toEqual(['first 4600', 'first 4600', 'first 4600', 'second 4000']);
});

test('retries at the next sweep after a failure', async () => {
  const { asked, sweep } = setUp([new Error('out')]);
  await sweep.sweep();
  await sweep.sweep();
  expect(asked).toEqual(['first 4600', 'first 4600', 'second 4000']);
});
