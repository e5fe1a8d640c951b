import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import { type LogFields, silentLogger } from '@parcelway/kernel/logger';
import type { LeasedDelivery } from '../intake/domain/delivery.ts';
import { leasedOf, T0 } from '../testing/webhook-fixtures.ts';
import { DueFeed, POLL_MS } from './due-feed.ts';

const SLACK_MS = 2;

beforeEach(() => void jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] }));
afterEach(() => void jest.useRealTimers());

/** A feed on a store whose due endpoints come in pages. */
function world() {
  const clock = new ManualClock(T0);
  const state = {
    pages: [[]] as string[][],
    room: new Map<string, number>(),
    lease: async (): Promise<LeasedDelivery[]> => [],
    dueEndpoints: (): void => undefined,
    nextDueAt: 0,
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
        return {
          endpointIds: state.pages[page] ?? [],
          next: page + 1 < state.pages.length ? String(page + 1) : null,
          nextDueAt: state.nextDueAt,
        };
      },
      lease(wanted, now, leaseUntil) {
        leases.push([Object.fromEntries(wanted.map(({ endpointId, count }) => [endpointId, count])), now, leaseUntil]);
        return state.lease();
      },
    },
    clock,
    logger: { ...silentLogger, error: (fields) => void errors.push(fields) },
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

/** A feed that has looked once. */
async function started(prepare: (w: ReturnType<typeof world>) => void = () => undefined) {
  const w = world();
  prepare(w);
  w.feed.start();
  await w.pass(0);
  return w;
}

const roomOf = (room: Record<string, number>) => new Map(Object.entries(room));

test('a feed looks at once, and then at every poll; asked before its start it does nothing', async () => {
  const { feed, looks, leases, pass, polls } = world();
  feed.fetch('a');
  feed.wakeAt(T0);
  await pass(0);
  expect([looks.length, leases.length]).toEqual([0, 0]);
  feed.start();
  await pass(0);
  expect(looks).toEqual([{ after: '', now: T0, limit: 1000 }]);
  await pass(POLL_MS - 1);
  expect(looks).toHaveLength(1);
  await pass(1);
  expect([looks.length, polls()]).toEqual([2, 2]);
});

test('leases what there is room for, and says what was asked for', async () => {
  const { leases, taken } = await started(({ state }) => {
    state.pages = [['a', 'full', 'b']];
    state.room = roomOf({ full: 0 });
    state.lease = async () => [leasedOf(), leasedOf()];
  });
  expect(leases).toEqual([[{ a: 10, b: 10 }, T0, T0 + 60_000]]);
  expect(taken).toEqual([[2, { a: 10, b: 10 }]]);
});

test('leases in batches of five hundred, and asks for nothing when no endpoint has room', async () => {
  const room = { a: 400, b: 100, full: 0, c: 400, d: 400, e: 400 };
  const { leases } = await started(({ state }) => {
    state.pages = [Object.keys(room), ['full']];
    state.room = roomOf(room);
  });
  expect(leases.map(([wanted]) => wanted)).toEqual([{ a: 400, b: 100 }, { c: 400, d: 400 }, { e: 400 }]);
});

test('a round looks at two pages, and the next one goes on where it ended', async () => {
  const { looks, pass } = await started(({ state }) => {
    state.pages = [['a'], ['b'], ['c']];
  });
  await pass(POLL_MS);
  await pass(POLL_MS);
  expect(looks.map(({ after, now }) => [after, now - T0])).toEqual([
    ['', 0],
    ['1', 0],
    ['2', POLL_MS],
    ['', 2 * POLL_MS],
    ['1', 2 * POLL_MS],
  ]);
});

test('an announced delivery is looked for just after it is due; a later one does not delay it', async () => {
  const { feed, looks, pass } = await started();
  feed.wakeAt(T0 + 100);
  feed.wakeAt(T0 + 500);
  await pass(100 + SLACK_MS - 1);
  expect(looks).toHaveLength(1);
  await pass(1);
  expect(looks).toHaveLength(2);
  // The poll is counted from there.
  await pass(POLL_MS - 1);
  expect(looks).toHaveLength(2);
  await pass(1);
  expect(looks).toHaveLength(3);
});

test('endpoints fetched together are leased together, without a look at all endpoints; later ones follow', async () => {
  const { feed, state, looks, leases, pass } = await started();
  let finish = (): void => undefined;
  state.lease = () => new Promise((resolve) => (finish = () => resolve([])));
  for (const endpointId of ['a', 'b', 'a']) feed.fetch(endpointId);
  await pass(0);
  feed.fetch('c');
  await pass(0);
  expect(leases.map(([wanted]) => wanted)).toEqual([{ a: 10, b: 10 }]);
  finish();
  await pass(0);
  expect(leases.map(([wanted]) => wanted)).toEqual([{ a: 10, b: 10 }, { c: 10 }]);
  expect(looks).toHaveLength(1);
  finish();
});

test('a failure is logged, and the next poll tries again', async () => {
  const err = new Error('out');
  const { state, looks, errors, pass } = await started((w) => {
    w.state.dueEndpoints = () => {
      throw err;
    };
  });
  expect(errors).toEqual([{ err }]);
  state.dueEndpoints = () => undefined;
  await pass(POLL_MS);
  expect([looks.length, errors.length]).toEqual([2, 1]);
});

test('a stop waits for the query that runs, and nothing is asked after it', async () => {
  let finish = (): void => undefined;
  const { feed, looks, leases, pass } = await started(({ state }) => {
    state.pages = [['a'], ['b']];
    state.room = roomOf({ a: 500 });
    state.lease = () => new Promise((resolve) => (finish = () => resolve([])));
  });
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

test('a feed whose store knows what is due next looks then, or after some seconds, and when it is woken', async () => {
  const { feed, looks, state, pass } = await started((w) => {
    w.state.nextDueAt = Number.POSITIVE_INFINITY;
  });
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
});

test('a feed that is woken while it looks does not rest', async () => {
  const { looks, pass } = await started(({ feed, state }) => {
    state.nextDueAt = Number.POSITIVE_INFINITY;
    state.dueEndpoints = () => feed.wakeAt(T0 + 50);
  });
  await pass(50 + SLACK_MS);
  expect(looks).toHaveLength(2);
});
