import { expect, test } from '@jest/globals';
import { silentLogger } from '@parcelway/kernel/logger';
import type { AttemptResult } from './domain/delivery.ts';
import { ResultRecorder } from './record-results.ts';

test('a result that comes just as the last batch is done is written down too', async () => {
  const results = ['first', 'second'].map((name) => ({ attempt: { attemptId: name } }) as AttemptResult);
  const written: string[] = [];
  let further = results.slice(1);
  const recorder: ResultRecorder = new ResultRecorder({
    queue: {
      async record(batch) {
        written.push(...batch.map(({ attempt }) => attempt.attemptId));
        return [];
      },
    },
    clock: { now: () => 0 },
    logger: silentLogger,
    onRecorded() {
      const [next] = further;
      further = [];
      // One turn of the microtask queue later: the batch is done, and its promise not yet settled.
      if (next) void Promise.resolve().then(() => recorder.add(next));
    },
    onDisabled: () => undefined,
  });
  recorder.add(results[0] as AttemptResult);
  await recorder.flush();
  expect(written).toEqual(['first', 'second']);
  expect(recorder.size).toBe(0);
});
