import { expect, test } from '@jest/globals';
import { silentLogger } from '@parcelway/kernel/logger';
import type { AttemptResult } from './domain/delivery.ts';
import type { Endpoint } from './domain/endpoint.ts';
import { ResultRecorder } from './record-results.ts';
import { endpointFor } from './testing/webhook-fixtures.ts';

test('what a receiver said that the endpoint has left since does not count', async () => {
  const endpoint = endpointFor('tnt_one', { url: 'https://new.example/' });
  const said = (url: string) => ({ leased: { endpoint: { ...endpoint, url }, delivery: {} }, attempt: { outcome: 'failed' }, gone: true });
  const after = async (url: string): Promise<Endpoint> => {
    let decided = endpoint;
    const recorder = new ResultRecorder({
      queue: {
        async record(batch, health) {
          decided = health(endpoint, batch);
          return [];
        },
      },
      clock: { now: () => 0 },
      logger: silentLogger,
      onRecorded: () => undefined,
      onDisabled: () => undefined,
    });
    recorder.add(said(url) as AttemptResult);
    await recorder.flush();
    return decided;
  };
  expect(await after('https://old.example/')).toBe(endpoint);
  expect(await after(endpoint.url)).toMatchObject({ status: 'disabled', disabledReason: 'gone' });
});

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
