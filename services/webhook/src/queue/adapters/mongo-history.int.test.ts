import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { openTestDatabase, type TestDatabase } from '@parcelway/mongo/testing/mongo-test-database';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import fc from 'fast-check';
import { webhookCollections } from '../../adapters/mongo-collections.ts';
import { openMongoStores } from '../../adapters/mongo-stores.ts';
import { openSqliteStores } from '../../adapters/sqlite-stores.ts';
import { change, type Endpoint, leasable } from '../../endpoints/domain/endpoint.ts';
import type { LeasedDelivery } from '../../intake/domain/delivery.ts';
import type { WebhookStores } from '../../ports.ts';
import { acceptIn, endpointFor, eventFor, T0 } from '../../testing/webhook-fixtures.ts';

let opened: TestDatabase;
let other: MongoDatabase;
beforeAll(async () => {
  opened = await openTestDatabase(webhookCollections);
  other = await opened.second();
});
afterAll(() => opened.close());

/** A process, with what it has leased. */
interface Process {
  readonly stores: WebhookStores;
  readonly leased: LeasedDelivery[];
}

/** @returns what can be seen of it. `now` rises with the steps, and `name` is another for each */
type Step = (process: Process, now: number, name: string) => Promise<unknown>;

/** The step under the name that a counterexample shows it by. */
function named(name: string, step: Step): Step {
  return Object.assign(step, { [fc.toStringMethod]: () => name });
}

const TENANT = 'tnt_one';
const ENDPOINTS = ['ep_0', 'ep_1', 'ep_2'];
const ALL = { types: ['parcel.weighed', 'tracking.changed'], since: 0, after: null, limit: 1000, matches: () => true } as const;

const idsOf = (leased: readonly LeasedDelivery[]) => leased.map(({ delivery }) => delivery.deliveryId).sort();

const compare = (a: string, b: string) => Number(a > b) - Number(a < b);

async function exhaust(batch: () => Promise<boolean>): Promise<void> {
  while (await batch()) {}
}

const register =
  (endpointId: string): Step =>
  async ({ stores }, now) => {
    if (await stores.endpoints.get(TENANT, endpointId)) return undefined;
    return stores.endpoints.insert(endpointFor(TENANT, { endpointId, createdAt: now, updatedAt: now }), 2);
  };

const setStatus =
  (endpointId: string, status: Endpoint['status']): Step =>
  async ({ stores }, now) => {
    const changed = await stores.endpoints.update(TENANT, endpointId, (one) => change(one, { status }, now));
    await exhaust(() => stores.maintenance.holdDisabled(2));
    return changed;
  };

const accept =
  (event: number, parcel: number, type: 'parcel.weighed' | 'tracking.changed', isLeased: boolean): Step =>
  async ({ stores, leased: ours }, now, name) => {
    const given = { eventId: `evt_${event}`, type, occurredAt: now } as const;
    const made = await acceptIn(stores.intake, eventFor(TENANT, `FC${parcel}`, given), now, (endpoint) => {
      const { endpointId, status, eventTypes } = endpoint;
      if (!eventTypes.some((one) => one === type)) return null;
      const deliveryId = `dlv_${name}_${endpointId}`;
      if (status === 'disabled') return { deliveryId, status: 'held', nextAttemptAt: null, leaseUntil: null };
      return {
        deliveryId,
        status: 'pending',
        nextAttemptAt: now,
        leaseUntil: isLeased && leasable(endpoint, 1, now) === 1 ? now + 5 : null,
      };
    });
    ours.push(...made.flatMap(({ leased }) => leased ?? []));
    return made;
  };

const lease =
  (endpointId: string): Step =>
  async ({ stores, leased: ours }, now) => {
    const leased = await stores.queue.lease([{ endpointId, count: 100 }], now, now + 5);
    ours.push(...leased);
    return [idsOf(leased), leased.map(({ body }) => body).sort(), leased[0]?.endpoint];
  };

const record =
  (status: 'succeeded' | 'failed' | 'pending' | 'held', share: number): Step =>
  async ({ stores, leased: ours }, now, name) => {
    // Of two leases of one delivery the earlier one is recorded in a call of its own: within a call, the order of the log is open.
    const inOrder = ours.sort((a, b) => compare(a.delivery.deliveryId, b.delivery.deliveryId));
    const taken = inOrder.splice(0, Math.ceil(inOrder.length / share));
    const outcome = status === 'succeeded' ? 'succeeded' : 'failed';
    const seen = {
      startedAt: now,
      durationMs: 1,
      outcome,
      statusCode: 200,
      error: null,
      errorCode: null,
      retryAfter: null,
      responseBody: name,
    } as const;
    const results = taken.map((leased, index) => {
      const attempt = { attemptId: `att_${name}_${index}`, url: name, ...seen };
      const next = {
        nextAttemptAt: status === 'pending' ? now + 3 : null,
        nextReason: status === 'pending' ? 'retry_after' : null,
      } as const;
      return { leased, attempt, status, ...next, gone: false };
    });
    const earlier = results.filter(({ leased }, index) => leased.delivery.deliveryId === taken[index + 1]?.delivery.deliveryId);
    const disabled = [];
    for (const call of [earlier, results.filter((one) => !earlier.includes(one))]) {
      disabled.push(await stores.queue.record(call, (one, ofOne) => ({ ...one, failingSince: ofOne.length + now })));
    }
    return disabled;
  };

/** Opens the circuit of an endpoint for some steps. */
const open =
  (endpointId: string, steps: number): Step =>
  ({ stores }, now) =>
    stores.endpoints.update(TENANT, endpointId, (one) => ({ ...one, circuit: { openUntil: now + steps, cooldownMs: steps } }));

const release: Step = ({ stores, leased }) => stores.queue.release(leased.splice(0));

const resend =
  (endpointId: string, place: number): Step =>
  async ({ stores }, now) => {
    // At a disabled one it is refused before it comes to the store.
    if ((await stores.endpoints.get(TENANT, endpointId))?.status !== 'enabled') return undefined;
    const { deliveries } = await stores.log.list(TENANT, endpointId, { limit: 100, before: null });
    const one = deliveries[place % (deliveries.length || 1)];
    return one && stores.redelivery.resend(TENANT, endpointId, one.deliveryId, now);
  };

const replay =
  (endpointId: string, only: 'all' | 'undelivered' | 'failed'): Step =>
  async ({ stores }, now, name) => {
    const endpoint = await stores.endpoints.get(TENANT, endpointId);
    if (endpoint?.status !== 'enabled') return undefined;
    const made: string[] = [];
    const range = { ...ALL, types: endpoint.eventTypes, until: now, only, matches: (body: string) => body !== '{"seq":2}' };
    return stores.redelivery.replay(endpoint, range, now, () => `dlv_${name}_${String(made.push('')).padStart(3, '0')}`);
  };

const remove =
  (endpointId: string): Step =>
  async ({ stores }) => {
    const removed = await stores.endpoints.remove(TENANT, endpointId);
    await exhaust(() => stores.maintenance.purgeDeleted(2));
    return removed;
  };

const expire =
  (age: number): Step =>
  ({ stores }, now) =>
    exhaust(() => stores.maintenance.expireDeliveries(now - age, 3)).then(() =>
      exhaust(() => stores.maintenance.expireEvents(now - age, 3)),
    );

/** Everything that a tenant can see. */
async function stateOf({ stores }: Process, now: number) {
  const found = await stores.endpoints.list(TENANT);
  const deliveries = await Promise.all(
    ENDPOINTS.map(async (endpointId) => (await stores.log.list(TENANT, endpointId, { limit: 100, before: null })).deliveries),
  );
  const attempts = await Promise.all(
    deliveries.flat().map(({ endpointId, deliveryId }) => stores.log.attempts(TENANT, endpointId, deliveryId, 100)),
  );
  const due = await stores.queue.dueEndpoints({ after: '', now, limit: 100 });
  return { found, deliveries, attempts, due: due.endpointIds };
}

test('any history has the outcome that it has in SQLite, whichever replica takes each step', async () => {
  const endpoint = fc.constantFrom(...ENDPOINTS);
  const event = fc.record({ event: fc.nat(9), isLeased: fc.boolean() });
  const step: fc.Arbitrary<Step> = fc.oneof(
    { weight: 2, arbitrary: endpoint.map((id) => named(`register ${id}`, register(id))) },
    // An event has its parcel and its type, however often it comes.
    {
      weight: 5,
      arbitrary: event.map(({ event, isLeased }) =>
        named(`accept ${event} ${isLeased}`, accept(event, event % 2, event % 3 === 0 ? 'tracking.changed' : 'parcel.weighed', isLeased)),
      ),
    },
    { weight: 4, arbitrary: endpoint.map((id) => named(`lease ${id}`, lease(id))) },
    {
      weight: 4,
      arbitrary: fc
        .tuple(fc.constantFrom('succeeded', 'failed', 'pending', 'held'), fc.integer({ min: 1, max: 3 }))
        .map((all) => named(`record ${all}`, record(...all))),
    },
    { weight: 1, arbitrary: fc.constant(named('release', release)) },
    { weight: 2, arbitrary: fc.tuple(endpoint, fc.nat(5)).map((all) => named(`resend ${all}`, resend(...all))) },
    {
      weight: 2,
      arbitrary: fc.tuple(endpoint, fc.constantFrom('all', 'undelivered', 'failed')).map((all) => named(`replay ${all}`, replay(...all))),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(endpoint, fc.constantFrom('enabled', 'paused', 'disabled'))
        .map((all) => named(`setStatus ${all}`, setStatus(...all))),
    },
    { weight: 1, arbitrary: fc.tuple(endpoint, fc.nat(4)).map((all) => named(`open ${all}`, open(...all))) },
    { weight: 1, arbitrary: endpoint.map((id) => named(`remove ${id}`, remove(id))) },
    { weight: 1, arbitrary: fc.nat(10).map((age) => named(`expire ${age}`, expire(age))) },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(step, fc.constantFrom(0, 1)), { minLength: 5, maxLength: 40 }), async (history) => {
      await opened.clear();
      const file = new SqliteDatabase(':memory:');
      const stores = await openSqliteStores(file);
      const inSqlite: Process[] = [0, 1].map(() => ({ stores, leased: [] }));
      const replicas: Process[] = [opened.database, other].map((database) => ({ stores: openMongoStores(database), leased: [] }));
      for (const [index, [run, place]] of history.entries()) {
        const [mongo, sqlite] = [replicas[place], inSqlite[place]] as [Process, Process];
        const now = T0 + 10 + index;
        const name = String(index).padStart(3, '0');
        expect({ index, is: await run(mongo, now, name) }).toEqual({ index, is: await run(sqlite, now, name) });
        expect({ index, is: await stateOf(mongo, now) }).toEqual({ index, is: await stateOf(sqlite, now) });
      }
      file.close();
    }),
    { numRuns: Number(process.env['RUNS'] ?? 40) },
  );
}, 120_000);
