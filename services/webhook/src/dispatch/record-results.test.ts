import { expect, test } from '@jest/globals';
import { silentLogger } from '@parcelway/kernel/logger';
import type { AttemptResult } from '../queue/domain/attempt.ts';
import { type RecorderOptions, ResultRecorder } from './record-results.ts';

function world(queue: Partial<RecorderOptions['queue']>, onRecorded: RecorderOptions['onRecorded'] = () => undefined) {
  const recorded: (readonly AttemptResult[])[] = [];
  const recorder = new ResultRecorder({
    queue: { record: async () => [], untilRecordable: async () => undefined, ...queue },
    clock: { now: () => 0 },
    logger: silentLogger,
    onRecorded(batch) {
      recorded.push(batch);
      onRecorded(batch);
    },
    onDisabled: () => undefined,
  });
  return { recorder, recorded };
}

const someResults = (count: number): AttemptResult[] => Array.from({ length: count }, () => ({}) as AttemptResult);

test('results that arrive together are written together, up to 256 at once, in their order', async () => {
  const results = someResults(257);
  const { recorder, recorded } = world({});
  for (const result of results) recorder.add(result);
  await recorder.flush();
  expect(recorded).toEqual([results.slice(0, 256), results.slice(256)]);
  expect(recorded[1]?.[0]).toBe(results[256]);
});

test('what comes until the store is to write again is in the same batch', async () => {
  const results = someResults(3);
  let goOn = (): void => undefined;
  const turn = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const { recorder, recorded } = world({ untilRecordable: () => turn });
  recorder.add(results[0] as AttemptResult);
  await new Promise((done) => setImmediate(done));
  await new Promise((done) => setImmediate(done));
  for (const result of results.slice(1)) recorder.add(result);
  expect(recorded).toEqual([]);
  goOn();
  await recorder.flush();
  expect(recorded).toEqual([results]);
});

test('a result that comes just as the last batch is done is written down too', async () => {
  const [first, ...further] = someResults(2);
  const { recorder, recorded } = world({}, () => {
    const next = further.pop();
    // One turn of the microtask queue later: the batch is done, and its promise not yet settled.
    if (next) void Promise.resolve().then(() => recorder.add(next));
  });
  recorder.add(first as AttemptResult);
  await recorder.flush();
  expect(recorded).toHaveLength(2);
});
