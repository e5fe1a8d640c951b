import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { createMemoryRateLimiter } from '@parcelway/cache/memory-rate-limiter';
import { AppError } from '@parcelway/kernel/app-error';
import { ManualClock } from '@parcelway/kernel/clock';
import { newId } from '@parcelway/kernel/ids';
import { type LogFields, silentLogger } from '@parcelway/kernel/logger';
import { until } from '@parcelway/kernel/testing/until';
import type { Endpoint } from '../endpoints/domain/endpoint.ts';
import type { LeasedDelivery } from '../intake/domain/delivery.ts';
import type { DeliveryQueue } from '../queue/ports.ts';
import { noContent } from '../testing/dispatch-world.ts';
import { endpointFor, T0 } from '../testing/webhook-fixtures.ts';
import { Dispatcher } from './dispatcher.ts';
import type { Interruption } from './domain/interruption.ts';
import type { Reply } from './domain/settle.ts';
import { EndpointFollower } from './follow-endpoints.ts';
import type { WebhookRequest } from './ports.ts';

const good: Reply = { statusCode: 200, error: null, errorCode: null, responseBody: '', retryAfter: null };
const stopped: Reply = { ...good, statusCode: null, error: 'stopped', errorCode: 'failed', responseBody: null };
const idle: DeliveryQueue = {
  backlogOf: async () => ({ count: 0, oldestDueAt: null }),
  dueEndpoints: async () => ({ endpointIds: [], next: null }),
  lease: async () => [],
  release: async () => undefined,
  record: async () => [],
};

function leasedOf(endpoint: Endpoint): LeasedDelivery {
  const { tenantId, endpointId } = endpoint;
  const ids = { tenantId, endpointId, deliveryId: newId('dlv'), eventId: newId('evt') };
  const state = {
    status: 'pending',
    attemptCount: 0,
    step: 0,
    nextAttemptAt: T0,
    nextReason: 'first',
    test: false,
    lastStatusCode: null,
  } as const;
  const delivery = { ...ids, ...state, eventType: 'parcel.weighed', poNumber: null, createdAt: T0 } as const;
  return { endpoint, delivery, body: '{}', origin: { occurredAt: T0, traceparent: null }, leaseUntil: T0 + 60_000 };
}

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A process that has leased `count` deliveries of an endpoint, to a receiver that waits for `response`. */
function world(count: number) {
  const endpoint = endpointFor('tnt_one');
  const sent: WebhookRequest[] = [];
  const responses: (() => void)[] = [];
  const warnings: LogFields[] = [];
  const sender = {
    send(request: WebhookRequest, interruption: Interruption): Promise<Reply> {
      sent.push(request);
      return new Promise((resolve) => {
        responses.push(() => resolve(good));
        interruption.onInterrupt(() => resolve(stopped));
      });
    },
    close: async () => undefined,
  };
  const clock = new ManualClock(T0);
  const attempts = { sender, sign: () => 'v1,x', schedule: [0], clock, random: () => 0.5 };
  const dispatcher = new Dispatcher({
    queue: idle,
    rateLimiter: createMemoryRateLimiter({ clock }),
    attempts,
    content: noContent,
    onFullPayload: () => undefined,
    clock,
    logger: silentLogger,
    pollMs: 10,
    report: () => undefined,
    onDisabled: () => undefined,
  });
  // What the store says, changed by other processes.
  const store: { present: () => Endpoint[] } = { present: () => [endpoint] };
  const logger = { ...silentLogger, warn: (fields: LogFields) => void warnings.push(fields) };
  const endpoints = { present: async () => store.present() };
  const follower = new EndpointFollower({ endpoints, runner: dispatcher, logger, everyMs: 5 });
  dispatcher.start();
  dispatcher.run(Array.from({ length: count }, () => leasedOf(endpoint)));
  follower.start();
  closing.push(async () => {
    await follower.stop();
    await dispatcher.stop(0);
  });
  return { endpoint, sent, responses, warnings, dispatcher, store };
}

describe('an endpoint that another process', () => {
  test('has disabled gets nothing of what waits here', async () => {
    const w = world(20);
    await until(() => w.sent.length === 8, { what: 'the lane to be full' });
    w.store.present = () => [{ ...w.endpoint, status: 'disabled', disabledReason: 'tenant', updatedAt: T0 + 1 }];
    await until(() => w.dispatcher.endpointsInUse()[0]?.status === 'disabled', { what: 'the change' });
    for (const response of w.responses.splice(0)) response();
    await until(() => w.dispatcher.endpointsInUse().length === 0, { what: 'the attempts to end' });
    expect(w.sent).toHaveLength(8);
  });

  test('has moved gets the rest at its new address, and an older state changes nothing', async () => {
    const w = world(9);
    await until(() => w.sent.length === 8, { what: 'the lane to be full' });
    const moved = { ...w.endpoint, url: 'https://new.example/', updatedAt: T0 + 2 };
    w.store.present = () => [moved];
    await until(() => w.dispatcher.endpointsInUse()[0]?.url === moved.url, { what: 'the change' });
    w.dispatcher.endpointChanged({ ...w.endpoint, url: 'https://older.example/', updatedAt: T0 + 1 });
    w.responses.shift()?.();
    await until(() => w.sent.length === 9, { what: 'the last one' });
    expect(w.sent.at(-1)?.url).toBe(moved.url);
  });

  test('has found to ask for less gets nothing from here either, until that is over', async () => {
    const w = world(1);
    await until(() => w.sent.length === 1, { what: 'the first' });
    w.store.present = () => [{ ...w.endpoint, slowedUntil: T0 + 5_000 }];
    await until(() => w.dispatcher.endpointsInUse()[0]?.slowedUntil === T0 + 5_000, { what: 'the news' });
    w.dispatcher.run([leasedOf(w.endpoint)]);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(w.sent).toHaveLength(1);
    w.store.present = () => [w.endpoint];
    await until(() => w.sent.length === 2, { what: 'the second' });
  });

  test('has deleted is left alone at once', async () => {
    const w = world(20);
    await until(() => w.sent.length === 8, { what: 'the lane to be full' });
    w.store.present = () => [];
    await until(() => w.dispatcher.endpointsInUse().length === 0, { what: 'all attempts to be ended' });
    expect(w.sent).toHaveLength(8);
  });

  test('has changed while the store was out is seen once that is back', async () => {
    const w = world(1);
    w.store.present = () => {
      throw AppError.unavailable('The store is out');
    };
    await until(() => w.warnings.length > 0, { what: 'a warning' });
    w.store.present = () => [];
    await until(() => w.dispatcher.endpointsInUse().length === 0, { what: 'the attempt to be ended' });
  });
});

describe('a look at the endpoints in use', () => {
  const EVERY_MS = 1000;
  afterEach(() => {
    jest.useRealTimers();
  });

  /** A follower of some endpoints on a store that says what is present of them. */
  function followerOf(known: readonly Endpoint[], present: (asked: readonly string[]) => Promise<readonly Endpoint[]>) {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
    const looks: number[] = [];
    const notified: unknown[] = [];
    const warnings: LogFields[] = [];
    const follower = new EndpointFollower({
      endpoints: {
        present(asked) {
          looks.push(asked.length);
          return present(asked.map(({ endpointId }) => endpointId));
        },
      },
      runner: {
        endpointsInUse: () => known,
        endpointChanged: (endpoint) => void notified.push(endpoint),
        endpointRemoved: (endpointId) => void notified.push(endpointId),
      },
      logger: { ...silentLogger, warn: (fields) => void warnings.push(fields) },
      everyMs: EVERY_MS,
    });
    const pass = async (ms: number): Promise<void> => {
      await jest.advanceTimersByTimeAsync(ms);
      for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    };
    return { follower, looks, notified, warnings, pass };
  }

  const circuit = { openUntil: T0 + 1000, cooldownMs: 1000 };
  const known = endpointFor('tnt_one', { endpointId: 'ep_1', circuit, slowedUntil: T0 + 5 });

  test.each<[string, Partial<Endpoint>, boolean]>([
    ['a later change', { updatedAt: T0 + 1 }, true],
    ['an earlier state', { updatedAt: T0 - 1 }, false],
    ['the same state', { circuit: { ...circuit } }, false],
    ['a circuit that has opened for longer', { circuit: { ...circuit, openUntil: T0 + 2000 } }, true],
    ['a circuit that has closed', { circuit: null }, true],
    ['a slow-down that goes on', { slowedUntil: T0 + 6 }, true],
    ['the end of a slow-down', { slowedUntil: null }, true],
  ])('notifies of what is new: %s', async (_name, given, isNotified) => {
    const present = { ...known, ...given };
    const { follower, notified, pass } = followerOf([known], async () => [present]);
    follower.start();
    await pass(EVERY_MS);
    expect(notified).toEqual(isNotified ? [present] : []);
    await follower.stop();
  });

  test('comes when it is time, again and again, and not after a stop', async () => {
    const { follower, looks, notified, pass } = followerOf([known], async () => []);
    follower.start();
    await pass(EVERY_MS - 1);
    expect(looks).toEqual([]);
    await pass(1);
    expect([looks, notified]).toEqual([[1], ['ep_1']]);
    await pass(EVERY_MS);
    expect(looks).toEqual([1, 1]);
    await follower.stop();
    await pass(5 * EVERY_MS);
    expect([looks.length, jest.getTimerCount()]).toEqual([2, 0]);
  });

  test('reads five hundred at once', async () => {
    const many = Array.from({ length: 501 }, (_, index) => ({ ...known, endpointId: `ep_${index}` }));
    const asked: string[] = [];
    const { follower, looks, notified, pass } = followerOf(many, async (ids) => {
      asked.push(...ids);
      return many;
    });
    follower.start();
    await pass(EVERY_MS);
    expect(looks).toEqual([500, 1]);
    expect(asked).toEqual(many.map(({ endpointId }) => endpointId));
    expect(notified).toEqual([]);
    await follower.stop();
  });

  test('that runs is waited for by a stop, and no other follows', async () => {
    const many = Array.from({ length: 501 }, (_, index) => ({ ...known, endpointId: `ep_${index}` }));
    let finish = (): void => undefined;
    const { follower, looks, pass } = followerOf(many, () => new Promise((resolve) => (finish = () => resolve(many))));
    follower.start();
    await pass(EVERY_MS);
    let isStopped = false;
    const stopping = follower.stop().then(() => {
      isStopped = true;
    });
    await pass(0);
    expect(isStopped).toBe(false);
    finish();
    await stopping;
    await pass(5 * EVERY_MS);
    expect([looks, jest.getTimerCount()]).toEqual([[500], 0]);
  });

  test('that fails is logged, and the next one comes', async () => {
    const err = new Error('out');
    const { follower, looks, warnings, pass } = followerOf([known], () => Promise.reject(err));
    follower.start();
    await pass(EVERY_MS);
    expect(warnings).toEqual([{ err }]);
    await pass(EVERY_MS);
    expect(looks).toHaveLength(2);
    await follower.stop();
  });
});
