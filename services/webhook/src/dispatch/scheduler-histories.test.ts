import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import fc from 'fast-check';
import type { Endpoint } from '../endpoints/domain/endpoint.ts';
import type { LeasedDelivery } from '../intake/domain/delivery.ts';
import type { AttemptResult } from '../queue/domain/attempt.ts';
import { endpointFor, leasedOf, resultOf, T0 } from '../testing/webhook-fixtures.ts';
import { AttemptScheduler, MIN_LEASE_LEFT_MS, type RunningAttempt } from './attempt-scheduler.ts';
import { MAX_LANE_LIMIT } from './domain/lane.ts';
import { MAX_RUNNING } from './domain/turns.ts';

const ENDPOINTS = 4;
const LEASE_MS = 60_000;

beforeAll(() => void jest.useFakeTimers());
afterAll(() => void jest.useRealTimers());

/** A store, receivers and a limiter that do what a history says; checks the invariants after every step. */
class History {
  readonly #clock = new ManualClock(T0);
  readonly #scheduler = new AttemptScheduler({
    clock: this.#clock,
    random: () => 0.5,
    feed: { wakeAt: () => undefined, fetch: () => undefined },
    attempt: (attempt) => this.#start(attempt),
    release: (leased) => {
      for (const { delivery } of leased) this.#held.delete(delivery.deliveryId);
    },
    settle: (result) => void this.#results.push(result),
    takeToken: (_endpointId, _perSecond, decided) => void this.#tokens.push(decided),
  });
  readonly #endpoints = Array.from({ length: ENDPOINTS }, (_, index) =>
    endpointFor('tnt_one', { endpointId: `ep_${index}`, rateLimit: index === 1 ? 5 : null }),
  );
  readonly #running: RunningAttempt[] = [];
  readonly #results: AttemptResult[] = [];
  readonly #tokens: ((token: { allowed: boolean; waitMs: number }) => void)[] = [];
  /** What this process holds the lease of. */
  readonly #held = new Set<string>();
  readonly #dropped = new Set<string>();
  #deliveries = 0;

  constructor() {
    jest.clearAllTimers();
  }

  lease(index: number, count: number, asksStore: boolean): void {
    const endpoint = this.#endpoints[index] as Endpoint;
    const leased = Array.from({ length: count }, (): LeasedDelivery => {
      this.#deliveries += 1;
      const { endpointId } = endpoint;
      return { ...leasedOf({ deliveryId: `dlv_${this.#deliveries}`, endpointId }), endpoint, leaseUntil: this.#clock.now() + LEASE_MS };
    });
    for (const { delivery } of leased) this.#held.add(delivery.deliveryId);
    this.#scheduler.leased(leased, asksStore ? new Map([[endpoint.endpointId, count + 1]]) : undefined);
  }

  /** Leases what the process has already: it must take none of it twice. */
  leaseAgain(): void {
    const known = [...this.#scheduler.lanes.values()].flatMap(({ queue }) => queue);
    this.#scheduler.leased([...known, ...this.#running.map(({ leased }) => leased)]);
  }

  end(index: number, outcome: 'succeeded' | 'failed' | 'postponed' | 'crashed'): void {
    const [attempt] = this.#running.splice(index % Math.max(1, this.#running.length), 1);
    if (!attempt) return;
    if (outcome === 'crashed') this.#held.delete(attempt.leased.delivery.deliveryId);
    if (outcome === 'crashed') this.#scheduler.crashed(attempt);
    else if (outcome === 'postponed') this.#scheduler.postponed(attempt, this.#clock.now() + 1000);
    else this.#scheduler.attempted(attempt, resultOf(attempt.leased, outcome));
  }

  record(): void {
    const results = this.#results.splice(0);
    for (const { leased } of results) this.#held.delete(leased.delivery.deliveryId);
    this.#scheduler.recorded(results);
  }

  decideTokens(allowed: boolean): void {
    for (const decided of this.#tokens.splice(0)) decided({ allowed, waitMs: 200 });
  }

  pass(ms: number): void {
    this.#clock.advance(ms);
    jest.advanceTimersByTime(ms);
    this.#scheduler.polled();
  }

  change(index: number, status: Endpoint['status']): void {
    const updatedAt = this.#clock.now() + this.#deliveries + 1;
    const endpoint = { ...(this.#endpoints[index] as Endpoint), status, updatedAt };
    this.#endpoints[index] = endpoint;
    if (status === 'disabled') this.#dropQueueOf(endpoint.endpointId);
    this.#scheduler.endpointChanged(endpoint);
  }

  remove(index: number): void {
    const { endpointId } = this.#endpoints[index] as Endpoint;
    this.#dropQueueOf(endpointId);
    for (const { lane, leased } of this.#running)
      if (lane.endpoint.endpointId === endpointId) this.#dropped.add(leased.delivery.deliveryId);
    this.#scheduler.endpointRemoved(endpointId);
  }

  /** Receivers, store and limiter do what is asked of them until nothing is left to do. */
  drain(): void {
    for (let round = 0; round < 2_000 && (this.#scheduler.known.size > 0 || this.#running.length > 0); round += 1) {
      this.decideTokens(true);
      this.end(0, 'succeeded');
      this.record();
      this.pass(100);
      this.check();
    }
    const waiting = [...this.#scheduler.lanes.values()].filter(({ queue, endpoint }) => queue.length > 0 && endpoint.status === 'enabled');
    expect(waiting.map(({ endpoint }) => endpoint.endpointId)).toEqual([]);
  }

  stop(): void {
    this.#scheduler.stopping();
    this.lease(0, 2, false);
    this.#scheduler.stopped();
    this.#scheduler.interrupt();
    const before = this.#running.length;
    while (this.#running.length > 0) this.end(0, 'failed');
    expect(before).toBeLessThanOrEqual(MAX_RUNNING);
    this.record();
    this.check();
    expect(this.#scheduler.running).toBe(0);
    expect([...this.#held].filter((id) => !this.#dropped.has(id))).toEqual([]);
    expect(this.#scheduler.known.size).toBe(0);
  }

  #dropQueueOf(endpointId: string): void {
    for (const { delivery } of this.#scheduler.lanes.get(endpointId)?.queue ?? []) this.#dropped.add(delivery.deliveryId);
  }

  #start(attempt: RunningAttempt): void {
    const { deliveryId } = attempt.leased.delivery;
    const taken = [...this.#running.map(({ leased }) => leased), ...this.#results.map(({ leased }) => leased)];
    expect(taken.map(({ delivery }) => delivery.deliveryId)).not.toContain(deliveryId);
    expect(this.#held.has(deliveryId)).toBe(true);
    expect(attempt.leased.leaseUntil).toBeGreaterThanOrEqual(this.#clock.now() + MIN_LEASE_LEFT_MS);
    expect([attempt.leased.endpoint.status, attempt.lane.removed]).toEqual(['enabled', false]);
    this.#running.push(attempt);
  }

  check(): void {
    const lanes = [...this.#scheduler.lanes.values()];
    for (const { running } of lanes) expect(running.size).toBeLessThanOrEqual(MAX_LANE_LIMIT);
    expect(this.#scheduler.running).toBe(this.#running.length);
    const queued = lanes.flatMap(({ queue }) => queue.map(({ delivery }) => delivery.deliveryId));
    const taken = [...this.#running.map(({ leased }) => leased), ...this.#results.map(({ leased }) => leased)];
    expect([...this.#scheduler.known].sort()).toEqual([...queued, ...taken.map(({ delivery }) => delivery.deliveryId)].sort());
  }
}

const place = fc.nat({ max: ENDPOINTS - 1 });
const command = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.tuple(place, fc.integer({ min: 1, max: 30 }), fc.boolean()).map((given) => (h: History) => h.lease(...given)),
  },
  {
    weight: 6,
    arbitrary: fc
      .tuple(fc.nat(40), fc.constantFrom('succeeded', 'succeeded', 'failed', 'postponed', 'crashed'))
      .map((given) => (h: History) => h.end(...(given as Parameters<History['end']>))),
  },
  { weight: 2, arbitrary: fc.constant((h: History) => h.record()) },
  { weight: 2, arbitrary: fc.boolean().map((allowed) => (h: History) => h.decideTokens(allowed)) },
  { weight: 2, arbitrary: fc.constantFrom(10, 300, 5_000, 45_000).map((ms) => (h: History) => h.pass(ms)) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(place, fc.constantFrom('enabled', 'paused', 'disabled'))
      .map((given) => (h: History) => h.change(...(given as [number, Endpoint['status']]))),
  },
  { weight: 1, arbitrary: fc.constant((h: History) => h.leaseAgain()) },
);

test('in any history nothing is sent twice, limits hold, and at a stop everything is recorded or given back', () => {
  const removing = fc.oneof(
    { weight: 20, arbitrary: command },
    { weight: 1, arbitrary: place.map((index) => (h: History) => h.remove(index)) },
  );
  fc.assert(
    fc.property(fc.array(removing, { maxLength: 60 }), (commands) => {
      const history = new History();
      for (const run of commands) {
        run(history);
        history.check();
      }
      history.stop();
    }),
    { numRuns: 80 },
  );
});

test('after any history no lane starves: what waits at an enabled endpoint is sent once its receiver responds', () => {
  fc.assert(
    fc.property(fc.array(command, { maxLength: 60 }), (commands) => {
      const history = new History();
      for (const run of commands) {
        run(history);
        history.check();
      }
      history.drain();
    }),
    { numRuns: 40 },
  );
});
