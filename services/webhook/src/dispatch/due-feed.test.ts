import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import { type LogFields, silentLogger } from '@parcelway/kernel/logger';
import type { LeasedDelivery } from '../intake/domain/delivery.ts';
import { T0 } from '../testing/webhook-fixtures.ts';
import { DueFeed } from './due-feed.ts';

const POLL_MS = 1000;
const SLACK_MS = 2;

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
});
afterEach(() => {
  jest.useRealTimers();
});

/** A feed on a store whose due endpoints come in pages. */
function world() {
  const clock = new ManualClock(T0);
  const state = {
    pages: [[]] as string[][],
    room: new Map<string, number>(),
    lease: async (): Promise<LeasedDelivery[]> => [],
    dueEndpoints: (): void => undefined,
    nextDueAt: undefined as number | undefined,
  };
  const looks: { after: string; now: number; limit: number }[] = [];
  const leases: [wanted: Record<string, number>, now: number, until: number][] = [];
  const taken: [count: number, asked: Record<string, number>][] = [];
  const errors: LogFields[] = [];
  let polls = 0;
  const feed = new DueFeed({
    queue: {
      async dueEndpoints(options) {
        looks.push(options);
        state.dueEndpoints();
        const page = options.after === '' ? 0 : Number(options.after);
        const found = { endpointIds: state.pages[page] ?? [], next: page + 1 < state.pages.length ? String(page + 1) : null };
        return state.nextDueAt === undefined ? found : { ...found, nextDueAt: state.nextDueAt };
      },
      lease(wanted, now, leaseUntil) {
        leases.push([Object.fromEntries(wanted.map(({ endpointId, count }) => [endpointId, count])), now, leaseUntil]);
        return state.lease();
      },
    },
    clock,
    logger: { ...silentLogger, error: (fields) => void errors.push(fields) },
    pollMs: POLL_MS,
    leaseMs: 60_000,
    roomOf: (endpointId) => state.room.get(endpointId) ?? 10,
    onLeased: (leased, asked) => void taken.push([leased.length, Object.fromEntries(asked)]),
    onPoll: () => {
      polls += 1;
    },
  });
  const pass = async (ms: number): Promise<void> => {
    clock.advance(ms);
    await jest.advanceTimersByTimeAsync(ms);
    // Turns of the event loop, for the work that a timer has begun.
    for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  };
  return { feed, clock, state, looks, leases, taken, errors, pass, polls: () => polls };
}

test('a feed looks at once, and then at every poll', async () => {
  const { feed, looks, pass, polls } = world();
  feed.start();
  await pass(0);
  expect(looks).toEqual([{ after: '', now: T0, limit: 1000 }]);
  await pass(POLL_MS - 1);
  expect(looks).toHaveLength(1);
  await pass(1);
  expect([looks.length, polls()]).toEqual([2, 2]);
  await feed.stop();
});

test('leases what there is room for, and says what was asked for', async () => {
  const { feed, state, leases, taken, pass } = world();
  state.pages = [['a', 'full', 'b']];
  state.room = new Map([['full', 0]]);
  state.lease = async () => [{} as LeasedDelivery, {} as LeasedDelivery];
  feed.start();
  await pass(0);
  expect(leases).toEqual([[{ a: 10, b: 10 }, T0, T0 + 60_000]]);
  expect(taken).toEqual([[2, { a: 10, b: 10 }]]);
  await feed.stop();
});

test('asks the store for nothing when no endpoint has room', async () => {
  const { feed, state, leases, pass } = world();
  state.pages = [['full']];
  state.room = new Map([['full', 0]]);
  feed.start();
  await pass(0);
  expect(leases).toEqual([]);
  await feed.stop();
});

test('leases in batches of five hundred', async () => {
  const { feed, state, leases, pass } = world();
  state.pages = [['a', 'b', 'c', 'd', 'e']];
  state.room = new Map(['a', 'b', 'c', 'd', 'e'].map((id) => [id, id === 'b' ? 100 : 400]));
  feed.start();
  await pass(0);
  expect(leases.map(([wanted]) => wanted)).toEqual([{ a: 400, b: 100 }, { c: 400, d: 400 }, { e: 400 }]);
  await feed.stop();
});

test('a round looks at two pages, and the next one goes on where it ended', async () => {
  const { feed, state, looks, pass } = world();
  state.pages = [['a'], ['b'], ['c']];
  feed.start();
  await pass(0);
  expect(looks.map(({ after }) => after)).toEqual(['', '1']);
  await pass(POLL_MS);
  expect(looks.map(({ after }) => after)).toEqual(['', '1', '2']);
  await pass(POLL_MS);
  expect(looks.map(({ after }) => after)).toEqual(['', '1', '2', '', '1']);
  await feed.stop();
});

test('what is announced is looked for when it is due, a little later than a timer may be early', async () => {
  const { feed, looks, pass } = world();
  feed.start();
  await pass(0);
  feed.wakeAt(T0 + 100);
  await pass(100 + SLACK_MS - 1);
  expect(looks).toHaveLength(1);
  await pass(1);
  expect(looks).toHaveLength(2);
  // The poll is counted from there.
  await pass(POLL_MS - 1);
  expect(looks).toHaveLength(2);
  await pass(1);
  expect(looks).toHaveLength(3);
  await feed.stop();
});

test('what is due already is looked for at once; what is due after the next poll is left to that', async () => {
  const { feed, looks, pass } = world();
  feed.start();
  await pass(0);
  feed.wakeAt(T0 - 5000);
  await pass(0);
  expect(looks).toHaveLength(2);
  feed.wakeAt(T0 + 5 * POLL_MS);
  await pass(POLL_MS - 1);
  expect(looks).toHaveLength(2);
  await pass(1);
  expect(looks).toHaveLength(3);
  await feed.stop();
});

test('a later announcement does not put an earlier one off', async () => {
  const { feed, looks, pass } = world();
  feed.start();
  await pass(0);
  feed.wakeAt(T0 + 100);
  feed.wakeAt(T0 + 500);
  await pass(100 + SLACK_MS);
  expect(looks).toHaveLength(2);
  await feed.stop();
});

test('what is fetched together is leased together, without a look at all endpoints', async () => {
  const { feed, looks, leases, pass } = world();
  feed.start();
  await pass(0);
  feed.fetch('a');
  feed.fetch('b');
  feed.fetch('a');
  await pass(0);
  expect(leases.map(([wanted]) => wanted)).toEqual([{ a: 10, b: 10 }]);
  expect(looks).toHaveLength(1);
  await feed.stop();
});

test('what is fetched while a lease is under way is leased after it', async () => {
  const { feed, state, leases, pass } = world();
  feed.start();
  await pass(0);
  let finish = (): void => undefined;
  state.lease = () => new Promise((resolve) => (finish = () => resolve([])));
  feed.fetch('a');
  await pass(0);
  feed.fetch('b');
  await pass(0);
  expect(leases.map(([wanted]) => wanted)).toEqual([{ a: 10 }]);
  finish();
  await pass(0);
  expect(leases.map(([wanted]) => wanted)).toEqual([{ a: 10 }, { b: 10 }]);
  finish();
  await feed.stop();
});

test('a failure is logged, and the next poll tries again', async () => {
  const { feed, state, looks, errors, pass } = world();
  const err = new Error('out');
  state.dueEndpoints = () => {
    throw err;
  };
  feed.start();
  await pass(0);
  expect(errors).toEqual([{ err }]);
  state.dueEndpoints = () => undefined;
  await pass(POLL_MS);
  expect([looks.length, errors.length]).toEqual([2, 1]);
  await feed.stop();
});

test('a stop waits for the query that runs, and nothing is asked after it', async () => {
  const { feed, state, looks, leases, pass } = world();
  state.pages = [['a'], ['b']];
  state.room = new Map([['a', 500]]);
  let finish = (): void => undefined;
  state.lease = () => new Promise((resolve) => (finish = () => resolve([])));
  feed.start();
  await pass(0);
  expect(leases).toHaveLength(1);
  let stopped = false;
  const stopping = feed.stop().then(() => {
    stopped = true;
  });
  await pass(0);
  expect(stopped).toBe(false);
  finish();
  await stopping;
  feed.fetch('a');
  feed.wakeAt(T0);
  await pass(10 * POLL_MS);
  expect([looks.length, leases.length, jest.getTimerCount()]).toEqual([1, 1, 0]);
});

test('a feed that was not started does nothing', async () => {
  const { feed, looks, leases, pass } = world();
  feed.fetch('a');
  feed.wakeAt(T0);
  await pass(POLL_MS);
  expect([looks.length, leases.length]).toEqual([0, 0]);
});

test('a feed whose store knows what is due next looks then, or after some seconds, and when it is woken', async () => {
  const { feed, looks, state, pass } = world();
  state.nextDueAt = Number.POSITIVE_INFINITY;
  feed.start();
  await pass(0);
  await pass(2999);
  expect(looks).toHaveLength(1);
  await pass(1);
  expect(looks).toHaveLength(2);
  state.nextDueAt = T0 + 3000 + 1500;
  feed.wakeAt(T0 + 3000 + 100);
  await pass(100 + SLACK_MS);
  expect(looks).toHaveLength(3);
  await pass(1399);
  expect(looks).toHaveLength(3);
  await pass(SLACK_MS);
  expect(looks).toHaveLength(4);
  // Due and not taken: as often as ever.
  await pass(POLL_MS);
  expect(looks).toHaveLength(5);
  await feed.stop();
});

test('a feed that is woken while it looks does not rest', async () => {
  const { feed, looks, state, pass } = world();
  state.nextDueAt = Number.POSITIVE_INFINITY;
  state.dueEndpoints = () => feed.wakeAt(T0 + 50);
  feed.start();
  await pass(0);
  await pass(50 + SLACK_MS);
  expect(looks).toHaveLength(2);
  await feed.stop();
});
