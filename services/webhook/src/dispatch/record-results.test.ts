import { afterEach, expect, jest, test } from '@jest/globals';
import { type LogFields, silentLogger } from '@parcelway/kernel/logger';
import type { Endpoint } from '../endpoints/domain/endpoint.ts';
import type { AttemptResult } from '../queue/domain/attempt.ts';
import { endpointFor } from '../testing/webhook-fixtures.ts';
import { ResultRecorder } from './record-results.ts';

afterEach(() => {
  jest.useRealTimers();
});

/** A recorder on a store whose responses the test decides. */
function world(record: (batch: readonly AttemptResult[]) => Promise<readonly Endpoint[]>) {
  const recorded: (readonly AttemptResult[])[] = [];
  const disabled: Endpoint[] = [];
  const errors: LogFields[] = [];
  const recorder = new ResultRecorder({
    queue: { record },
    clock: { now: () => 0 },
    logger: { ...silentLogger, error: (fields) => void errors.push(fields) },
    onRecorded: (batch) => void recorded.push(batch),
    onDisabled: (endpoint) => void disabled.push(endpoint),
  });
  return { recorder, recorded, disabled, errors };
}

const someResults = (count: number): AttemptResult[] => Array.from({ length: count }, () => ({}) as AttemptResult);

test('results that arrive together are written together, up to 256 at once, in their order', async () => {
  const results = someResults(257);
  const { recorder, recorded } = world(async () => []);
  for (const result of results) recorder.add(result);
  expect(recorder.size).toBe(257);
  await recorder.flush();
  expect(recorded).toEqual([results.slice(0, 256), results.slice(256)]);
  expect(recorded[1]?.[0]).toBe(results[256]);
  expect(recorder.size).toBe(0);
});

test('what comes until the store is to write again is in the same batch', async () => {
  const results = someResults(3);
  const recorded: (readonly AttemptResult[])[] = [];
  let goOn = (): void => undefined;
  const turn = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const recorder = new ResultRecorder({
    queue: { record: async () => [], untilRecordable: () => turn },
    clock: { now: () => 0 },
    logger: silentLogger,
    onRecorded: (batch) => void recorded.push(batch),
    onDisabled: () => undefined,
  });
  recorder.add(results[0] as AttemptResult);
  await new Promise((done) => setImmediate(done));
  await new Promise((done) => setImmediate(done));
  for (const result of results.slice(1)) recorder.add(result);
  expect(recorded).toEqual([]);
  goOn();
  await recorder.flush();
  expect(recorded).toEqual([results]);
});

test('endpoints that a batch has disabled are reported', async () => {
  const endpoints = [endpointFor('tnt_one'), endpointFor('tnt_two')];
  const { recorder, disabled } = world(async () => endpoints);
  recorder.add({} as AttemptResult);
  await recorder.flush();
  expect(disabled).toEqual(endpoints);
});

test('what the store refuses is kept, and written a quarter of a second later', async () => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
  const err = new Error('out');
  let isOut = true;
  const { recorder, recorded, errors } = world(async () => {
    if (isOut) throw err;
    return [];
  });
  for (const result of someResults(2)) recorder.add(result);
  const turns = async (): Promise<void> => {
    for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  };
  await turns();
  expect(errors).toEqual([{ err, results: 2 }]);
  isOut = false;
  await jest.advanceTimersByTimeAsync(249);
  await turns();
  expect([recorder.size, recorded.length]).toEqual([2, 0]);
  await jest.advanceTimersByTimeAsync(1);
  await recorder.flush();
  expect([recorder.size, recorded.length, errors.length]).toEqual([0, 1, 1]);
});

test('what the store keeps refusing is dropped when that is asked for', async () => {
  const { recorder, recorded, errors } = world(async () => {
    recorder.abandon();
    throw new Error('out');
  });
  recorder.add({} as AttemptResult);
  await recorder.flush();
  expect([recorder.size, recorded.length, errors.length]).toEqual([1, 0, 1]);
});

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
