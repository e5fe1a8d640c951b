import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { createMemoryRateLimiter } from '@parcelway/cache/memory-rate-limiter';
import { ManualClock } from '@parcelway/kernel/clock';
import { type LogFields, silentLogger } from '@parcelway/kernel/logger';
import type { Endpoint } from '../endpoints/domain/endpoint.ts';
import type { LeasedDelivery } from '../intake/domain/delivery.ts';
import type { AttemptResult } from '../queue/domain/attempt.ts';
import { LEASE_MS } from '../queue/domain/lease.ts';
import { noContent } from '../testing/dispatch-world.ts';
import { endpointFor, T0 } from '../testing/webhook-fixtures.ts';
import { Dispatcher } from './dispatcher.ts';
import type { Interruption } from './domain/interruption.ts';
import { LANE_QUEUE_LIMIT } from './domain/lane.ts';
import type { Reply } from './domain/settle.ts';
import type { WebhookRequest } from './ports.ts';

/* What the dispatcher keeps in memory, and what it asks of the store: on a store and receivers that do what the test says. */

const POLL_MS = 1000;
const good: Reply = { statusCode: 200, error: null, errorCode: null, responseBody: '', retryAfter: null };
const bad: Reply = { ...good, statusCode: 500, error: 'status 500', errorCode: 'status' };

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
});
afterEach(() => {
  jest.useRealTimers();
});

interface Sent {
  readonly request: WebhookRequest;
  readonly interruption: Interruption;
  readonly response: (reply?: Reply) => void;
}

function leasedOf(endpoint: Endpoint, deliveryId: string, leaseUntil = T0 + LEASE_MS): LeasedDelivery {
  const { tenantId, endpointId } = endpoint;
  const state = { attemptCount: 0, step: 0, test: false, eventType: 'parcel.weighed', status: 'pending' };
  const delivery = { tenantId, endpointId, deliveryId, eventId: `evt_${deliveryId}`, ...state };
  return { endpoint, delivery, body: '{}', origin: { occurredAt: T0, traceparent: null }, leaseUntil } as unknown as LeasedDelivery;
}

function world() {
  const clock = new ManualClock(T0);
  const sent: Sent[] = [];
  const looks: number[] = [];
  const leases: Record<string, number>[] = [];
  const released: string[] = [];
  const recorded: AttemptResult[] = [];
  const reported: boolean[] = [];
  const warnings: LogFields[] = [];
  const errors: LogFields[] = [];
  const state = {
    due: [] as string[],
    lease: (): LeasedDelivery[] => [],
    record: async (): Promise<readonly Endpoint[]> => [],
    onSent: (_sent: Sent): void => undefined,
    sign: () => 'v1,x',
    disabled: 0,
  };
  const dispatcher = new Dispatcher({
    queue: {
      async dueEndpoints({ now }) {
        looks.push(now);
        return { endpointIds: state.due, next: null };
      },
      backlogOf: async () => ({ count: 0, oldestDueAt: null }),
      async lease(wanted) {
        leases.push(Object.fromEntries(wanted.map(({ endpointId, count }) => [endpointId, count])));
        return state.lease();
      },
      release: async (batch) => void released.push(...batch.map(({ delivery }) => delivery.deliveryId)),
      async record(results) {
        const disabled = await state.record();
        recorded.push(...results);
        return disabled;
      },
    },
    rateLimiter: createMemoryRateLimiter({ clock }),
    content: noContent,
    onFullPayload: () => undefined,
    attempts: {
      sender: {
        send: (request, interruption) =>
          new Promise((resolve) => {
            const one: Sent = { request, interruption, response: (reply = good) => resolve(reply) };
            interruption.onInterrupt(() => resolve({ ...bad, statusCode: null, error: 'stopped', errorCode: 'failed' }));
            sent.push(one);
            state.onSent(one);
          }),
        close: async () => undefined,
      },
      sign: () => state.sign(),
      schedule: [0, 100],
      clock,
      random: () => 0.5,
    },
    clock,
    logger: { ...silentLogger, warn: (fields) => void warnings.push(fields), error: (fields) => void errors.push(fields) },
    pollMs: POLL_MS,
    report: (_result, heldBack) => void reported.push(heldBack),
    onDisabled: () => {
      state.disabled += 1;
    },
  });
  const turns = async (): Promise<void> => {
    for (let turn = 0; turn < 4; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  };
  const pass = async (ms: number): Promise<void> => {
    await turns();
    clock.advance(ms);
    await jest.advanceTimersByTimeAsync(ms);
    await turns();
  };
  /** Stops without waiting for anybody. */
  const stop = async (): Promise<void> => {
    const stopping = dispatcher.stop(0);
    await pass(0);
    await stopping;
  };
  const ids = (): string[] => recorded.map(({ leased }) => leased.delivery.deliveryId);
  return { dispatcher, state, clock, sent, looks, leases, released, recorded, reported, warnings, errors, turns, pass, stop, ids };
}

const endpoint = endpointFor('tnt_one', { endpointId: 'ep_1', url: 'https://one.example/' });
const other = endpointFor('tnt_one', { endpointId: 'ep_2', url: 'https://two.example/' });
const some = (count: number, of = endpoint, name = 'dlv'): LeasedDelivery[] =>
  Array.from({ length: count }, (_, index) => leasedOf(of, `${name}_${of.endpointId}_${index}`));
const fleet = (count: number): Endpoint[] =>
  Array.from({ length: count }, (_, index) => endpointFor('tnt_one', { endpointId: `ep_${index}`, url: `https://r${index}.example/` }));

describe('a delivery', () => {
  test('is in flight until its result is on disk: the same one is not taken twice', async () => {
    const w = world();
    const [one] = some(1) as [LeasedDelivery];
    let write = (): void => undefined;
    w.state.record = () => new Promise((resolve) => (write = () => resolve([])));
    w.dispatcher.run([one, one]);
    w.dispatcher.run([one]);
    await w.turns();
    w.sent[0]?.response();
    await w.turns();
    w.dispatcher.run([one]);
    await w.turns();
    expect(w.sent).toHaveLength(1);
    write();
    await w.turns();
    expect([w.ids(), w.reported]).toEqual([['dlv_ep_1_0'], [false]]);
    w.dispatcher.run([one]);
    await w.turns();
    expect(w.sent).toHaveLength(2);
  });

  test('that cannot be attempted is logged, and can be taken again', async () => {
    const w = world();
    const err = new Error('no key');
    w.state.sign = () => {
      throw err;
    };
    w.dispatcher.run(some(1));
    await w.turns();
    expect(w.errors).toEqual([{ err, delivery_id: 'dlv_ep_1_0' }]);
    w.state.sign = () => 'v1,x';
    w.dispatcher.run(some(1));
    await w.turns();
    expect(w.sent).toHaveLength(1);
  });

  test('that is to be tried again is looked for at that time', async () => {
    const w = world();
    w.dispatcher.start();
    await w.turns();
    w.dispatcher.run(some(1));
    await w.turns();
    w.sent[0]?.response(bad);
    await w.turns();
    const next = w.recorded[0]?.nextAttemptAt ?? 0;
    expect(next).toBeGreaterThan(T0);
    expect(next).toBeLessThan(T0 + POLL_MS - 100);
    await w.pass(next - T0 + 1);
    expect(w.looks).toHaveLength(1);
    await w.pass(1);
    expect(w.looks).toHaveLength(2);
    await w.dispatcher.stop(0);
  });

  test('that has succeeded makes nobody look', async () => {
    const w = world();
    w.dispatcher.start();
    w.dispatcher.run(some(1));
    await w.turns();
    w.sent[0]?.response();
    await w.pass(POLL_MS - 1);
    expect([w.looks.length, w.leases]).toEqual([1, []]);
    await w.dispatcher.stop(0);
  });

  test('that waited because its receiver had asked for less is reported as such', async () => {
    const w = world();
    w.dispatcher.run(some(1));
    await w.turns();
    w.sent[0]?.response({ ...bad, statusCode: 429, retryAfter: '5' });
    await w.turns();
    w.dispatcher.run(some(1, endpoint, 'later'));
    await w.turns();
    expect(w.sent).toHaveLength(1);
    await w.pass(5000);
    w.sent[1]?.response();
    await w.turns();
    expect(w.reported).toEqual([false, true]);
    expect(w.recorded[0]?.restraint).toEqual({ slowedUntil: T0 + 5000 });
    expect(w.recorded[1]).not.toHaveProperty('restraint');
  });
});

describe('room', () => {
  test('is there until the queue of an endpoint is full; then the rest waits in the store until it is fetched', async () => {
    const w = world();
    expect(w.dispatcher.roomFor('ep_1')).toBeGreaterThan(0);
    w.dispatcher.run(some(8));
    await w.turns();
    w.dispatcher.run(some(LANE_QUEUE_LIMIT, endpoint, 'waiting'));
    await w.turns();
    expect(w.released).toEqual([]);
    expect(w.sent).toHaveLength(8);
    expect(w.dispatcher.roomFor('ep_1')).toBe(0);
    expect(w.dispatcher.roomFor('ep_2')).toBeGreaterThan(0);
    w.dispatcher.run([], new Set(['ep_1']));
    w.dispatcher.start();
    await w.turns();
    expect(w.leases).toEqual([]);
    // The queue is empty again: more is fetched without a look at all endpoints, and then there is room once more.
    w.state.onSent = ({ response }) => response();
    for (const { response } of w.sent) response();
    await w.pass(1);
    await w.pass(1);
    expect(w.leases.length).toBeGreaterThan(0);
    expect(w.looks).toHaveLength(1);
    expect(w.dispatcher.roomFor('ep_1')).toBeGreaterThan(0);
    await w.dispatcher.stop(0);
  });

  test('is no longer there when the store gave as much as was asked for: it may hold more', async () => {
    const w = world();
    w.state.due = ['ep_1', 'ep_2'];
    w.state.lease = () => [...some(LANE_QUEUE_LIMIT), ...some(LANE_QUEUE_LIMIT - 1, other)];
    w.dispatcher.start();
    await w.turns();
    expect(w.leases).toEqual([{ ep_1: LANE_QUEUE_LIMIT, ep_2: LANE_QUEUE_LIMIT }]);
    expect(w.dispatcher.roomFor('ep_1')).toBe(0);
    expect(w.dispatcher.roomFor('ep_2')).toBeGreaterThan(0);
    w.state.due = [];
    await w.stop();
  });

  test('ends with twenty thousand deliveries in memory, for all endpoints', async () => {
    const w = world();
    const endpoints = fleet(313);
    w.dispatcher.run(endpoints.flatMap((one) => some(LANE_QUEUE_LIMIT, one)).slice(0, 19_999));
    expect(w.dispatcher.roomFor('ep_new')).toBeGreaterThan(0);
    w.dispatcher.run(some(1, other, 'last'));
    expect(w.dispatcher.roomFor('ep_new')).toBe(0);
    w.state.due = ['ep_new'];
    w.dispatcher.start();
    await w.turns();
    expect(w.leases).toEqual([]);
    await w.stop();
  });

  test('that is asked for in vain is no failure', async () => {
    const w = world();
    w.state.due = ['ep_1'];
    w.dispatcher.start();
    await w.turns();
    expect([w.leases, w.errors]).toEqual([[{ ep_1: LANE_QUEUE_LIMIT }], []]);
    await w.dispatcher.stop(0);
  });

  test('ends with a stop', async () => {
    const w = world();
    await w.dispatcher.stop(0);
    expect(w.dispatcher.roomFor('ep_1')).toBe(0);
  });
});

describe('attempts side by side', () => {
  test('are 512, however many endpoints there are', async () => {
    const w = world();
    w.dispatcher.run(fleet(520).flatMap((one) => some(1, one)));
    await w.turns();
    expect(w.sent).toHaveLength(512);
    w.sent[0]?.response();
    await w.turns();
    expect(w.sent).toHaveLength(513);
  });

  test('leave the upper half to endpoints that have none yet', async () => {
    const w = world();
    w.dispatcher.run(fleet(100).flatMap((one) => some(4, one)));
    await w.turns();
    expect(w.sent).toHaveLength(256);
    const late = endpointFor('tnt_one', { endpointId: 'ep_late' });
    w.dispatcher.run(some(2, late));
    await w.turns();
    expect(w.sent).toHaveLength(257);
  });

  test('stop while two thousand results wait for the store', async () => {
    const w = world();
    const kept: (() => void)[] = [];
    w.state.onSent = ({ response }) => response();
    w.state.record = () => new Promise((resolve) => kept.push(() => resolve([])));
    w.dispatcher.run(fleet(50).flatMap((one) => some(LANE_QUEUE_LIMIT, one)));
    for (let round = 0; round < 20; round += 1) await w.turns();
    expect(w.sent.length).toBeGreaterThanOrEqual(2000);
    expect(w.sent.length).toBeLessThan(2512);
    w.state.record = async () => [];
    for (const write of kept) write();
    for (let round = 0; round < 20; round += 1) await w.turns();
    expect([w.sent.length, w.recorded.length]).toEqual([3200, 3200]);
  });

  test('start only with a lease that lasts for 20 s; what does not is given back', async () => {
    const w = world();
    w.dispatcher.run([leasedOf(endpoint, 'short', T0 + 19_999), leasedOf(endpoint, 'long', T0 + 20_000)]);
    await w.turns();
    expect(w.sent.map(({ request }) => request.headers['webhook-id'])).toEqual(['evt_long']);
    expect(w.released).toEqual(['short']);
    // Given back, it is no longer in flight.
    w.dispatcher.run([leasedOf(endpoint, 'short')]);
    await w.turns();
    expect(w.sent).toHaveLength(2);
  });
});

describe('an endpoint', () => {
  test('that fails keeps little in memory: the surplus is given back', async () => {
    const w = world();
    w.dispatcher.run(some(30));
    await w.turns();
    w.sent[0]?.response(bad);
    await w.turns();
    // Four may run now, and twice as many wait.
    expect(w.released).toEqual(
      some(30)
        .slice(16)
        .map(({ delivery }) => delivery.deliveryId),
    );
    expect(w.dispatcher.roomFor('ep_1')).toBe(0);
  });

  test('that keeps failing is warned of once its circuit opens, with the time', async () => {
    const w = world();
    w.state.onSent = ({ response }) => response(bad);
    for (let round = 0; round < 20; round += 1) {
      w.dispatcher.run(some(1, endpoint, `r${round}`));
      await w.turns();
    }
    const openUntil = w.recorded[19]?.restraint?.circuit?.openUntil;
    expect(openUntil).toBeGreaterThan(T0);
    expect(w.warnings).toEqual([{ tenant_id: 'tnt_one', endpoint_id: 'ep_1', open_until: openUntil }]);
    expect(w.dispatcher.circuits()).toEqual({ closed: 0, open: 1, half_open: 0 });
  });

  test('that its responses have disabled gets nothing more, is warned of, and what is pending is to be held', async () => {
    const w = world();
    w.dispatcher.run(some(10));
    await w.turns();
    const disabled = { ...endpoint, status: 'disabled', disabledReason: 'gone', updatedAt: T0 + 1 } as const;
    w.state.record = async () => [disabled];
    w.sent[0]?.response({ ...bad, statusCode: 410 });
    await w.turns();
    expect(w.warnings).toEqual([{ tenant_id: 'tnt_one', endpoint_id: 'ep_1', reason: 'gone' }]);
    expect(w.state.disabled).toBe(1);
    w.state.record = async () => [];
    const { length } = w.sent;
    for (const { response } of w.sent) response();
    await w.turns();
    expect(w.sent).toHaveLength(length);
  });

  test('that is enabled is looked for at once, one that is paused is not', async () => {
    const w = world();
    w.dispatcher.start();
    await w.turns();
    w.dispatcher.endpointChanged({ ...endpoint, status: 'paused' });
    await w.pass(10);
    expect(w.looks).toHaveLength(1);
    w.dispatcher.endpointChanged(endpoint);
    await w.pass(10);
    expect(w.looks).toHaveLength(2);
    w.dispatcher.wake();
    await w.pass(10);
    expect(w.looks).toHaveLength(3);
    await w.dispatcher.stop(0);
  });

  test('that has moved gets what waits at its new address, and an older state changes nothing', async () => {
    const w = world();
    w.dispatcher.run(some(9));
    await w.turns();
    w.dispatcher.endpointChanged({ ...endpoint, url: 'https://new.example/', updatedAt: T0 + 1 });
    w.dispatcher.endpointChanged({ ...endpoint, url: 'https://older.example/', updatedAt: T0 });
    w.sent[0]?.response();
    await w.turns();
    expect(w.sent[8]?.request.url).toBe('https://new.example/');
  });

  test('that is disabled is not in use any more once its attempts are over', async () => {
    const w = world();
    w.dispatcher.run([...some(20), ...some(1, other)]);
    await w.turns();
    expect(w.dispatcher.endpointsInUse()).toEqual([endpoint, other]);
    w.dispatcher.endpointChanged({ ...endpoint, status: 'disabled', updatedAt: T0 + 1 });
    for (const { response, request } of w.sent) if (request.url === endpoint.url) response();
    await w.turns();
    expect(w.dispatcher.endpointsInUse()).toEqual([other]);
    // What waited is no longer in flight: once the endpoint is enabled it can be taken again.
    w.dispatcher.endpointChanged({ ...endpoint, updatedAt: T0 + 2 });
    w.dispatcher.run(
      some(20)
        .slice(8)
        .map((one) => ({ ...one, endpoint: { ...endpoint, updatedAt: T0 + 2 } })),
    );
    await w.turns();
    expect(w.sent.length).toBeGreaterThan(9);
  });

  test('that was deleted has its attempts ended, and nothing of them is written down or given back', async () => {
    const w = world();
    w.dispatcher.endpointRemoved('ep_9');
    w.dispatcher.run(some(10));
    await w.turns();
    w.dispatcher.endpointRemoved('ep_1');
    expect(w.sent.map(({ interruption }) => interruption.done)).toEqual(w.sent.map(() => true));
    await w.turns();
    expect([w.sent.length, w.released, w.ids(), w.reported]).toEqual([8, [], [], []]);
    expect(w.dispatcher.endpointsInUse()).toEqual([]);
    expect(w.dispatcher.circuits()).toEqual({ closed: 0, open: 0, half_open: 0 });
  });

  test('that nothing waits for is forgotten', async () => {
    const w = world();
    w.dispatcher.run(some(1));
    await w.turns();
    expect(w.dispatcher.circuits().closed).toBe(1);
    w.sent[0]?.response();
    await w.turns();
    expect(w.dispatcher.circuits().closed).toBe(0);
  });
});

test('what was learnt of an endpoint is forgotten at a poll, an hour after its last attempt', async () => {
  const w = world();
  w.dispatcher.run(some(1));
  await w.turns();
  w.sent[0]?.response(bad);
  await w.turns();
  w.dispatcher.start();
  await w.turns();
  expect(w.dispatcher.circuits().closed).toBe(1);
  w.clock.advance(3_600_000);
  await w.pass(POLL_MS);
  expect(w.dispatcher.circuits().closed).toBe(0);
  await w.dispatcher.stop(0);
});

describe('a stop', () => {
  test('gives back what waits, lets what runs finish, and writes it down', async () => {
    const w = world();
    w.dispatcher.run(some(10));
    await w.turns();
    let isStopped = false;
    const stopping = w.dispatcher.stop(500).then(() => {
      isStopped = true;
    });
    await w.turns();
    expect(w.released).toEqual(['dlv_ep_1_8', 'dlv_ep_1_9']);
    for (const { response } of w.sent.slice(1)) response();
    await w.pass(499);
    expect([isStopped, w.sent[0]?.interruption.done]).toEqual([false, false]);
    w.sent[0]?.response();
    await stopping;
    expect([w.sent.length, w.recorded.length]).toEqual([8, 8]);
    expect(jest.getTimerCount()).toBe(0);
  });

  test('ends what still runs at the deadline, and gives it back', async () => {
    const w = world();
    w.dispatcher.run([...some(1), ...some(1, other)]);
    await w.turns();
    const stopping = w.dispatcher.stop(500);
    await w.pass(500);
    await stopping;
    expect([w.released, w.ids(), w.reported]).toEqual([['dlv_ep_1_0', 'dlv_ep_2_0'], [], []]);
  });

  test('drops after two seconds what the store refuses', async () => {
    const w = world();
    w.dispatcher.run(some(1));
    await w.turns();
    w.state.record = () => Promise.reject(new Error('out'));
    w.sent[0]?.response();
    await w.turns();
    let isStopped = false;
    const stopping = w.dispatcher.stop(0).then(() => {
      isStopped = true;
    });
    for (let step = 0; step < 7; step += 1) await w.pass(249);
    expect(isStopped).toBe(false);
    for (let step = 0; step < 4; step += 1) await w.pass(250);
    await stopping;
    expect(w.recorded).toEqual([]);
  });

  test('gives back what comes after it', async () => {
    const w = world();
    w.dispatcher.run(some(1));
    await w.turns();
    const stopping = w.dispatcher.stop(0);
    w.sent[0]?.response();
    await stopping;
    await w.pass(POLL_MS);
    expect(w.looks).toEqual([]);
  });
});

test('a 410 of a receiver that the endpoint has left is not written down; the delivery is given back', async () => {
  const w = world();
  w.dispatcher.run(some(1));
  await w.turns();
  w.dispatcher.endpointChanged({ ...endpoint, url: 'https://new.example/', updatedAt: T0 + 1 });
  w.sent[0]?.response({ ...bad, statusCode: 410 });
  await w.turns();
  expect([w.released, w.ids(), w.reported]).toEqual([['dlv_ep_1_0'], [], []]);
});
