import { afterEach, beforeEach, jest } from '@jest/globals';
import { createMemoryRateLimiter } from '@parcelway/cache/memory-rate-limiter';
import type { RateLimiter } from '@parcelway/cache/rate-limiter';
import { ManualClock } from '@parcelway/kernel/clock';
import { type LogFields, silentLogger } from '@parcelway/kernel/logger';
import { Dispatcher } from '../dispatch/dispatcher.ts';
import type { Interruption } from '../dispatch/domain/interruption.ts';
import type { Reply } from '../dispatch/domain/settle.ts';
import type { FullContent, WebhookRequest } from '../dispatch/ports.ts';
import type { Endpoint } from '../endpoints/domain/endpoint.ts';
import type { LeasedDelivery } from '../intake/domain/delivery.ts';
import type { AttemptResult } from '../queue/domain/attempt.ts';
import { LEASE_MS } from '../queue/domain/lease.ts';
import { endpointFor, T0 } from './webhook-fixtures.ts';

/* A dispatcher on a store and receivers that do what the test says, under fake timers. */

/** The dispatcher looks at the store this often. */
export const POLL_MS = 1000;

/** A response of 200. */
const good: Reply = { statusCode: 200, error: null, errorCode: null, responseBody: '', retryAfter: null };
/** A response of 500. */
export const bad: Reply = { ...good, statusCode: 500, error: 'The response had status 500', errorCode: 'status' };
/** Nobody is to ask for full data. */
const noContent: FullContent = { read: () => Promise.reject(new Error('not asked for')) };

/** Has the tests of a file run under fake timers. */
export function useFakeTimers(): void {
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
  });
  afterEach(() => {
    jest.useRealTimers();
  });
}

/** A request that a receiver has got. */
export interface Sent {
  readonly request: WebhookRequest;
  readonly interruption: Interruption;
  readonly response: (reply?: Reply) => void;
}

/** A delivery that is leased. */
export function leasedOf(endpoint: Endpoint, deliveryId: string, leaseUntil = T0 + LEASE_MS): LeasedDelivery {
  const { tenantId, endpointId } = endpoint;
  const state = { attemptCount: 0, step: 0, test: false, eventType: 'parcel.weighed', status: 'pending' };
  const delivery = { tenantId, endpointId, deliveryId, eventId: `evt_${deliveryId}`, ...state };
  return { endpoint, delivery, body: '{}', origin: { occurredAt: T0, traceparent: null }, leaseUntil } as unknown as LeasedDelivery;
}

/** Passes the time of a dispatcher. */
function timeOf(dispatcher: Dispatcher, clock: ManualClock) {
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
  return { turns, pass, stop };
}

/** A dispatcher that has not started yet, and what it has asked for so far. @param take of the rate limiter; default: one in memory */
export function world(take?: RateLimiter['take']) {
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
      async release(batch) {
        await new Promise((resolve) => setImmediate(resolve));
        released.push(...batch.map(({ delivery }) => delivery.deliveryId));
      },
      async record(results) {
        const disabled = await state.record();
        recorded.push(...results);
        return disabled;
      },
    },
    rateLimiter: take ? { take } : createMemoryRateLimiter({ clock }),
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
  const { turns, pass, stop } = timeOf(dispatcher, clock);
  const ids = (): string[] => recorded.map(({ leased }) => leased.delivery.deliveryId);
  return { dispatcher, state, clock, sent, looks, leases, released, recorded, reported, warnings, errors, turns, pass, stop, ids };
}

/** The endpoint of most tests. */
export const endpoint = endpointFor('tnt_one', { endpointId: 'ep_1', url: 'https://one.example/' });
/** Another one. */
export const other = endpointFor('tnt_one', { endpointId: 'ep_2', url: 'https://two.example/' });
/** Leased deliveries of one endpoint. */
export const some = (count: number, of = endpoint, name = 'dlv'): LeasedDelivery[] =>
  Array.from({ length: count }, (_, index) => leasedOf(of, `${name}_${of.endpointId}_${index}`));
/** Endpoints with one receiver each. */
export const fleet = (count: number): Endpoint[] =>
  Array.from({ length: count }, (_, index) => endpointFor('tnt_one', { endpointId: `ep_${index}`, url: `https://r${index}.example/` }));
