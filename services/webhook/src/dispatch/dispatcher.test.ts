import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { createMemoryRateLimiter } from '@parcelway/cache/memory-rate-limiter';
import type { RateDecision, RateLimit, RateLimiter } from '@parcelway/cache/rate-limiter';
import { ManualClock } from '@parcelway/kernel/clock';
import { type LogFields, silentLogger } from '@parcelway/kernel/logger';
import type { Endpoint } from '../endpoints/domain/endpoint.ts';
import { LEASE_MS, type LeasedDelivery } from '../intake/domain/delivery.ts';
import type { AttemptResult } from '../queue/domain/attempt.ts';
import { endpointFor, leasedOf, T0 } from '../testing/webhook-fixtures.ts';
import type { WebhookRequest } from './attempt-delivery.ts';
import { Dispatcher } from './dispatcher.ts';
import type { Interruption } from './domain/lane.ts';
import type { Reply } from './domain/settle.ts';
import { POLL_MS } from './due-feed.ts';

/* The dispatcher with a scripted store, scripted receivers and fake timers. The tests in domain/ cover its decisions. */

const good: Reply = { statusCode: 200, error: null, errorCode: null, responseBody: '', retryAfter: null };
const bad: Reply = { ...good, statusCode: 500, error: 'The response had status 500', errorCode: 'status' };

beforeEach(() => void jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] }));
afterEach(() => void jest.useRealTimers());

interface Sent {
  readonly request: WebhookRequest;
  readonly interruption: Interruption;
  readonly response: (reply?: Reply) => void;
}

/** A dispatcher before its start, and a record of its calls. @param take of the rate limiter */
function world(take?: RateLimiter['take']) {
  const clock = new ManualClock(T0);
  const sent: Sent[] = [];
  const looks: number[] = [];
  const released: string[] = [];
  const recorded: AttemptResult[] = [];
  const reported: boolean[] = [];
  const warnings: LogFields[] = [];
  const errors: LogFields[] = [];
  const state = {
    record: async (): Promise<readonly Endpoint[]> => [],
    release: async (): Promise<void> => undefined,
    disabled: 0,
    report: (): void => undefined,
  };
  const dispatcher = new Dispatcher({
    queue: {
      async dueEndpoints({ now }) {
        looks.push(now);
        return { endpointIds: [], next: null, nextDueAt: 0 };
      },
      lease: async () => [],
      async release(batch) {
        await state.release();
        released.push(...batch.map(({ delivery }) => delivery.deliveryId));
      },
      async record(results) {
        const disabled = await state.record();
        recorded.push(...results);
        return disabled;
      },
      untilRecordable: async () => undefined,
    },
    rateLimiter: take ? { take } : createMemoryRateLimiter({ clock }),
    attempts: {
      sender: {
        send: (request, interruption) =>
          new Promise((resolve) => {
            interruption.onInterrupt(() => resolve({ ...bad, statusCode: null, error: 'stopped', errorCode: 'failed' }));
            sent.push({ request, interruption, response: (reply = good) => resolve(reply) });
          }),
        close: async () => undefined,
      },
      schedule: [0, 100],
      full: {
        concerns: ({ endpoint: { payload } }) => payload === 'full',
        prepare: async () => ({ postponedUntil: T0 + 300 }),
      },
      clock,
      random: () => 0.5,
    },
    clock,
    logger: { ...silentLogger, warn: (fields) => void warnings.push(fields), error: (fields) => void errors.push(fields) },
    report(_result, heldBack) {
      reported.push(heldBack);
      state.report();
    },
    onDisabled: () => {
      state.disabled += 1;
    },
  });
  const { scheduler } = dispatcher;
  const turns = async (): Promise<void> => {
    for (let turn = 0; turn < 4; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  };
  const pass = async (ms: number): Promise<void> => {
    await turns();
    clock.advance(ms);
    await jest.advanceTimersByTimeAsync(ms);
    await turns();
  };
  const run = async (leased: readonly LeasedDelivery[]): Promise<void> => {
    scheduler.run(leased);
    await turns();
  };
  const respond = async (reply?: Reply, to: readonly Sent[] = sent): Promise<void> => {
    for (const { response } of to) response(reply);
    await turns();
  };
  const ids = (): string[] => recorded.map(({ leased }) => leased.delivery.deliveryId);
  return { dispatcher, scheduler, state, sent, looks, released, recorded, reported, warnings, errors, turns, pass, run, respond, ids };
}

const endpoint = endpointFor('tnt_one', { endpointId: 'ep_1', url: 'https://one.example/' });
const other = endpointFor('tnt_one', { endpointId: 'ep_2', url: 'https://two.example/' });
const some = (count: number, of = endpoint, name = 'dlv'): LeasedDelivery[] =>
  Array.from({ length: count }, (_, index) => {
    const { endpointId } = of;
    return { ...leasedOf({ deliveryId: `${name}_${endpointId}_${index}`, endpointId }), endpoint: of, leaseUntil: T0 + LEASE_MS };
  });

describe('a delivery', () => {
  test('that cannot be attempted is logged, and can be taken again', async () => {
    const w = world();
    await w.run(some(1, { ...endpoint, secret: 'whsec_' }));
    expect(w.errors).toEqual([{ err: expect.any(Error), delivery_id: 'dlv_ep_1_0' }]);
    await w.run(some(1, { ...endpoint, updatedAt: T0 + 1 }));
    expect(w.sent).toHaveLength(1);
  });

  test('whose report fails is recorded all the same, and its endpoint goes on', async () => {
    const w = world();
    const err = new Error('no report');
    w.state.report = () => {
      throw err;
    };
    await w.run(some(9));
    await w.respond();
    await w.respond();
    expect(w.errors).toEqual(w.ids().map((delivery_id) => ({ err, delivery_id })));
    expect([w.recorded.length, w.scheduler.running, w.scheduler.known.size]).toEqual([9, 0, 0]);
  });

  test('whose full data is unavailable goes back to the store until its next try', async () => {
    const w = world();
    w.dispatcher.start();
    await w.run(some(1, { ...endpoint, payload: 'full' }));
    expect([w.released, w.sent]).toEqual([['dlv_ep_1_0'], []]);
    await w.pass(301);
    expect(w.looks).toHaveLength(1);
    await w.pass(1);
    expect(w.looks).toHaveLength(2);
    await w.dispatcher.stop(0);
  });
});

describe('an endpoint', () => {
  test('that its responses have disabled gets nothing more, is warned of, and what is pending is to be held', async () => {
    const w = world();
    await w.run([...some(10), ...some(1, other)]);
    expect(w.scheduler.endpointsInUse()).toEqual([endpoint, other]);
    w.state.record = async () => [{ ...endpoint, status: 'disabled', disabledReason: 'gone', updatedAt: T0 + 1 }];
    await w.respond({ ...bad, statusCode: 410 }, w.sent.slice(0, 1));
    expect(w.warnings).toEqual([{ tenant_id: 'tnt_one', endpoint_id: 'ep_1', reason: 'gone' }]);
    expect(w.state.disabled).toBe(1);
    w.state.record = async () => [];
    const { length } = w.sent;
    await w.respond(
      good,
      w.sent.filter(({ request }) => request.url === endpoint.url),
    );
    expect([w.sent.length, w.scheduler.endpointsInUse()]).toEqual([length, [other]]);
  });

  test('that was deleted has its attempts ended, and nothing of them is written down or given back', async () => {
    const w = world();
    await w.run(some(10));
    w.scheduler.endpointRemoved('ep_1');
    expect(w.sent.map(({ interruption }) => interruption.done)).toEqual(w.sent.map(() => true));
    await w.turns();
    expect([w.sent.length, w.released, w.ids(), w.reported]).toEqual([8, [], [], []]);
  });
});

test('results that the store refuses are recorded a quarter of a second later', async () => {
  const w = world();
  await w.run(some(2));
  const err = new Error('out');
  w.state.record = () => Promise.reject(err);
  await w.respond();
  expect(w.errors).toEqual([{ err, results: 2 }]);
  w.state.record = async () => [];
  await w.pass(249);
  expect(w.ids()).toEqual([]);
  await w.pass(1);
  expect([w.ids().length, w.errors.length, w.reported]).toEqual([2, 1, [false, false]]);
});

describe('a stop', () => {
  test('releases waiting deliveries, lets running attempts finish, records them, and waits for the store', async () => {
    const w = world();
    let giveBack = (): void => undefined;
    w.state.release = () => new Promise((resolve) => (giveBack = resolve));
    await w.run(some(10));
    let isStopped = false;
    const stopping = w.dispatcher.stop(500).then(() => {
      isStopped = true;
    });
    await w.respond(undefined, w.sent.slice(1));
    await w.pass(499);
    expect([isStopped, w.sent[0]?.interruption.done]).toEqual([false, false]);
    await w.respond();
    expect([isStopped, w.recorded.length]).toEqual([false, 8]);
    giveBack();
    await stopping;
    expect([w.sent.length, w.released]).toEqual([8, ['dlv_ep_1_8', 'dlv_ep_1_9']]);
    await w.pass(POLL_MS);
    expect([w.looks, jest.getTimerCount()]).toEqual([[], 0]);
  });

  test('interrupts attempts at the deadline and releases their leases; a lease that cannot be released expires', async () => {
    const w = world();
    const err = new Error('out');
    w.state.release = async () => {
      w.state.release = () => Promise.reject(err);
    };
    await w.run([...some(1), ...some(1, other)]);
    const stopping = w.dispatcher.stop(500);
    await w.pass(500);
    await stopping;
    expect([w.released, w.ids(), w.reported, w.warnings]).toEqual([['dlv_ep_1_0'], [], [], [{ err }]]);
  });

  test('drops after two seconds what the store refuses', async () => {
    const w = world();
    await w.run(some(1));
    w.state.record = () => Promise.reject(new Error('out'));
    await w.respond();
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
});

describe('a rate limiter', () => {
  const allowed: RateDecision = { allowed: true, limit: 1, remaining: 0, resetSeconds: 1, waitMs: 0, retryAfterSeconds: 0 };
  const limited = { ...endpoint, rateLimit: 25 };

  test.each([
    ['at once', () => allowed],
    ['over the network', async () => allowed],
  ])('that responds %s is asked for each attempt, in bursts of a tenth', async (_name, decide) => {
    const asked: [string, RateLimit][] = [];
    const w = world((bucket, limit) => {
      asked.push([bucket, limit]);
      return decide();
    });
    await w.run(some(2, limited));
    expect(w.sent).toHaveLength(2);
    expect(asked).toEqual(Array(2).fill(['webhook ep_1', { perSecond: 25, burst: 3 }]));
  });

  test('that fails is asked again a second later, and the failure is logged', async () => {
    const err = new Error('out');
    const decisions = [Promise.reject(err), allowed];
    const w = world(() => decisions.shift() as RateDecision | Promise<RateDecision>);
    await w.run(some(1, limited));
    await w.pass(999);
    expect([w.sent.length, w.warnings]).toEqual([0, [{ err, endpoint_id: 'ep_1' }]]);
    await w.pass(1);
    expect(w.sent).toHaveLength(1);
  });
});
