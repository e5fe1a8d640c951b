import { describe, expect, test } from '@jest/globals';
import { newId } from '@parcelway/kernel/ids';
import fc from 'fast-check';
import { change, type Endpoint } from '../endpoints/domain/endpoint.ts';
import type { DeliveryStatus, LeasedDelivery } from '../intake/domain/delivery.ts';
import type { WebhookStores } from '../stores.ts';
import { useStores } from '../testing/stores-under-test.ts';
import { acceptIn, endpointFor, eventFor, keep, planned, resultOf, T0 } from '../testing/webhook-fixtures.ts';
import { createRedeliverer, type Redeliverer } from './redeliver.ts';

/*
 * Random histories of one endpoint, on a store and on a model of the rules that no store has to do with. Time rises with each step; no
 * lease ends when an attempt is due.
 */
const STEP_MS = 10;
const LEASE_MS = 55;
const RETRY_MS = 33;

/** A delivery as the rules say it is. Instants are epoch milliseconds. */
interface Modelled {
  status: DeliveryStatus;
  attemptCount: number;
  step: number;
  nextAttemptAt: number | null;
  /** From then on it may be leased; null unless it is pending. */
  availableAt: number | null;
}

type Outcome = 'succeeded' | 'failed' | 'pending' | 'gone';

/** One endpoint on a store, and what must be true of its deliveries. */
class History {
  readonly #stores: WebhookStores;
  readonly #redeliverer: Redeliverer;
  readonly #tenantId = newId('tnt');
  readonly #endpointId = newId('ep');
  readonly #model = new Map<string, Modelled>();
  /** What has been leased and has no result yet, lost leases included. */
  readonly #leased: LeasedDelivery[] = [];
  #isPaused = false;
  now = T0;

  constructor(stores: WebhookStores) {
    this.#stores = stores;
    this.#redeliverer = createRedeliverer({
      store: stores.documents,
      // Also of an endpoint that is paused: its deliveries wait.
      endpoints: { get: async () => endpointFor(this.#tenantId) },
      runner: { wake: () => undefined },
      clock: { now: () => this.now },
      retentionMs: T0,
    });
  }

  async begin(): Promise<void> {
    await this.#stores.endpoints.insert(endpointFor(this.#tenantId, { endpointId: this.#endpointId }), 10);
  }

  async accept(isLeased: boolean): Promise<void> {
    const leaseUntil = isLeased ? this.now + LEASE_MS : null;
    const event = eventFor(this.#tenantId, newId('evt'));
    const plan = () => planned({ nextAttemptAt: this.now, leaseUntil });
    const [made] = await acceptIn(this.#stores.intake, event, this.now, plan);
    if (made === undefined) throw new Error('The event brought no delivery');
    const availableAt = leaseUntil ?? this.now;
    this.#model.set(made.delivery.deliveryId, { status: 'pending', attemptCount: 0, step: 0, nextAttemptAt: this.now, availableAt });
    if (made.leased) this.#leased.push(made.leased);
  }

  async lease(count: number): Promise<void> {
    const available = this.#available();
    const leaseUntil = this.now + LEASE_MS;
    const leased = await this.#stores.queue.lease([{ endpointId: this.#endpointId, count }], this.now, leaseUntil);
    const ids = leased.map(({ delivery }) => delivery.deliveryId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toHaveLength(this.#isPaused ? 0 : Math.min(count, available.length));
    const times = (of: readonly string[]) => of.map((id) => this.#of(id).availableAt ?? 0).sort();
    // The longest due first; which of two that are due since the same instant is open.
    expect(times(ids)).toEqual(times(available).slice(0, ids.length));
    for (const id of ids) this.#of(id).availableAt = leaseUntil;
    this.#leased.push(...leased);
  }

  async release(place: number, postponedMs: number | undefined): Promise<void> {
    const [one] = this.#take(place);
    if (!one) return;
    const until = postponedMs === undefined ? undefined : this.now + postponedMs;
    await this.#stores.queue.release([one], until);
    if (this.#holds(one)) this.#free(one, until);
  }

  async record(place: number, outcome: Outcome): Promise<void> {
    const [one] = this.#take(place);
    if (!one) return;
    const nextAttemptAt = outcome === 'pending' ? this.now + RETRY_MS : null;
    const status = outcome === 'gone' ? 'held' : outcome;
    await this.#stores.queue.record([{ ...resultOf(one, status, nextAttemptAt), gone: outcome === 'gone' }], keep);
    const delivery = this.#of(one.delivery.deliveryId);
    const holds = this.#holds(one);
    delivery.attemptCount += 1;
    if (outcome === 'gone') {
      if (holds) this.#free(one, undefined);
    } else if (holds || outcome === 'succeeded') {
      delivery.step += 1;
      Object.assign(delivery, { status, nextAttemptAt, availableAt: nextAttemptAt });
    }
  }

  async resend(place: number): Promise<void> {
    const id = [...this.#model.keys()][place % (this.#model.size || 1)];
    if (id === undefined) return;
    const delivery = this.#of(id);
    const { now } = this;
    await this.#redeliverer.resend(this.#tenantId, this.#endpointId, id);
    const isInFlight = delivery.status === 'pending' && (delivery.nextAttemptAt ?? 0) <= now;
    if (!isInFlight) Object.assign(delivery, { status: 'pending', step: 0, nextAttemptAt: now, availableAt: now });
  }

  async pause(isPaused: boolean): Promise<void> {
    const status = isPaused ? 'paused' : 'enabled';
    await this.#stores.endpoints.update(this.#tenantId, this.#endpointId, (one: Endpoint) => change(one, { status }, this.now));
    this.#isPaused = isPaused;
  }

  /** Compares everything that can be seen with the model. */
  async check(): Promise<void> {
    const { deliveries } = await this.#stores.log.list(this.#tenantId, this.#endpointId, { limit: 100, before: null });
    const seen = deliveries.map(({ deliveryId, status, attemptCount, step, nextAttemptAt }) => [
      deliveryId,
      { status, attemptCount, step, nextAttemptAt },
    ]);
    const expected = [...this.#model].map(([id, { availableAt: _, ...delivery }]) => [id, delivery]);
    expect(Object.fromEntries(seen)).toEqual(Object.fromEntries(expected));
    const { endpointIds } = await this.#stores.queue.dueEndpoints({ after: '', now: this.now, limit: 1000 });
    const available = this.#available();
    expect(endpointIds.includes(this.#endpointId)).toBe(available.length > 0 && !this.#isPaused);
    const { count } = await this.#stores.queue.backlogOf([this.#endpointId], this.now, 100);
    expect(count).toBe(available.length);
  }

  #of(deliveryId: string): Modelled {
    const delivery = this.#model.get(deliveryId);
    if (delivery === undefined) throw new Error(`There is no delivery ${deliveryId}`);
    return delivery;
  }

  #available(): string[] {
    return [...this.#model].flatMap(([id, { availableAt }]) => (availableAt !== null && availableAt <= this.now ? id : []));
  }

  #take(place: number): LeasedDelivery[] {
    return this.#leased.splice(place % (this.#leased.length || 1), 1);
  }

  /** True while a lease is the one that its delivery has. */
  #holds({ delivery, leaseUntil }: LeasedDelivery): boolean {
    const { status, availableAt } = this.#of(delivery.deliveryId);
    return status === 'pending' && availableAt === leaseUntil;
  }

  #free({ delivery }: LeasedDelivery, until: number | undefined): void {
    const modelled = this.#of(delivery.deliveryId);
    modelled.availableAt = Math.max(modelled.nextAttemptAt ?? 0, until ?? 0);
  }
}

type Step = (history: History) => Promise<void>;

/** The step under the name that a counterexample shows it by. */
const named = (name: string, step: Step): Step => Object.assign(step, { [fc.toStringMethod]: () => name });

const place = fc.nat(9);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.boolean().map((leased) => named(`accept ${leased}`, (one) => one.accept(leased))) },
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 3 }).map((count) => named(`lease ${count}`, (one) => one.lease(count))) },
  {
    weight: 5,
    arbitrary: fc
      .tuple(place, fc.constantFrom<Outcome>('succeeded', 'failed', 'pending', 'gone'))
      .map((all) => named(`record ${all}`, (one) => one.record(...all))),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(place, fc.constantFrom(undefined, 12, 47)).map((all) => named(`release ${all}`, (one) => one.release(...all))),
  },
  { weight: 2, arbitrary: place.map((at) => named(`resend ${at}`, (one) => one.resend(at))) },
  { weight: 1, arbitrary: fc.boolean().map((paused) => named(`pause ${paused}`, (one) => one.pause(paused))) },
);

const under = useStores();

describe('queue histories', () => {
  test('after each step the deliveries are as the rules say', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
        const history = new History(under.stores);
        await history.begin();
        for (const run of steps) {
          history.now += STEP_MS;
          await run(history);
          await history.check();
        }
      }),
      { numRuns: Number(process.env['RUNS'] ?? 40) },
    );
  }, 60_000);
});
