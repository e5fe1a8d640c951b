import { describe, expect, test } from '@jest/globals';
import { AppError } from '@parcelway/kernel/app-error';
import type { TestDatabase } from '@parcelway/mongo/testing/mongo-test-database';
import { openMongoStores } from '../../adapters/mongo-stores.ts';
import { collectionOf } from '../../endpoints/adapters/mongo-access.ts';
import { change, type Endpoint } from '../../endpoints/domain/endpoint.ts';
import type { WebhookStores } from '../../ports.ts';
import { dyingAfter } from '../../testing/mongo-faults.ts';
import { type MongoReplicas, useMongoReplicas } from '../../testing/mongo-replicas.ts';
import { acceptIn, endpointFor, eventFor, keep, planned, resultOf, T0 } from '../../testing/webhook-fixtures.ts';
import type { Delivery, LeasedDelivery } from '../domain/delivery.ts';
import type { PlannedDelivery } from '../domain/plan-delivery.ts';
import type { TenantEvent } from '../domain/tenant-event.ts';
import { eventKey, events, parcelKey } from './mongo-event-documents.ts';

let opened: TestDatabase;
let databases: MongoReplicas['databases'];
let replicas: MongoReplicas['replicas'];
let stores: WebhookStores;
useMongoReplicas((made) => {
  ({ opened, databases, replicas } = made);
  [stores] = replicas;
});

const ids = ['ep_1', 'ep_2'];
async function addEndpoints(endpointIds: readonly string[] = ids): Promise<void> {
  for (const endpointId of endpointIds) await stores.endpoints.insert(endpointFor('tnt_one', { endpointId }), 10);
}

const leased = (): PlannedDelivery => planned({ leaseUntil: T0 + 60_000 });
const held = (): PlannedDelivery => planned({ status: 'held', nextAttemptAt: null });
const enable = (one: Endpoint): Endpoint => ({ ...one, status: 'enabled', disabledReason: null });

async function deliveriesOf(endpointId: string): Promise<readonly Delivery[]> {
  return (await stores.log.list('tnt_one', endpointId, { limit: 1000, before: null })).deliveries;
}

/** The numbers of a parcel's events, in their order. */
async function numbersOf(forecastNo: string): Promise<(number | undefined)[]> {
  const found = collectionOf(opened.database, events).find({ parcel: parcelKey('tnt_one', forecastNo, 'standard') });
  return (await found.toArray()).map(({ event_seq }) => event_seq).sort((a, b) => Number(a) - Number(b));
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

describe('processes that accept events at once', () => {
  test('the same event: it is stored once, with one number, and each delivery is sent by one of them at most', async () => {
    await addEndpoints();
    for (let round = 1; round <= 10; round += 1) {
      const event = eventFor('tnt_one', 'FC1');
      const made = (await Promise.all(replicas.map((replica) => acceptIn(replica.intake, event, T0, leased)))).flat();
      const sent = made.flatMap((one) => one.leased ?? []);
      expect(sent.every(({ body }) => body === `{"seq":${round}}`)).toBe(true);
      const sentTo = sent.map(({ endpoint }) => endpoint.endpointId);
      expect(new Set(sentTo).size).toBe(sentTo.length);
      expect(await numbersOf('FC1')).toEqual(upTo(round));
    }
    for (const id of ids) expect(await deliveriesOf(id)).toHaveLength(10);
  });

  test('batches with the same parcels: each parcel counts without a gap, each event of a batch after the one before it', async () => {
    await addEndpoints(['ep_1']);
    const PARCELS = 7;
    const batches = [0, 1, 2].map(() => Array.from({ length: 150 }, (_, index) => eventFor('tnt_one', `FC${index % PARCELS}`)));
    const entriesOf = (batch: readonly TenantEvent[]) => batch.map((event) => ({ event, plan: leased }));
    // Each batch comes to two replicas, as after a rebalance that the first of them learns of late.
    const takings = batches.flatMap((batch, index) => [replicas[index], replicas[(index + 1) % 3]].map((replica) => ({ batch, replica })));
    const outcomes = await Promise.all(takings.map(({ batch, replica }) => replica?.intake.accept(entriesOf(batch), T0)));
    const sent = outcomes.flatMap((all = []) =>
      all.flatMap((one) => ('error' in one ? [one.error] : one.deliveries.flatMap((made) => made.leased ?? []))),
    );
    const eventIds = sent.map((one) => (one as LeasedDelivery).delivery.eventId);
    expect(new Set(eventIds).size).toBe(eventIds.length);
    const stored = await collectionOf(opened.database, events).find({ tenant_id: 'tnt_one' }).sort({ parcel: 1, event_seq: 1 }).toArray();
    for (let parcel = 0; parcel < PARCELS; parcel += 1) {
      const ofParcel = stored.filter((one) => one.parcel === parcelKey('tnt_one', `FC${parcel}`, 'standard'));
      const expected = batches.map((batch) =>
        batch.filter((event) => event.parcel?.forecastNo === `FC${parcel}`).map(({ eventId }) => eventId),
      );
      expect(ofParcel.map(({ event_seq }) => event_seq)).toEqual(upTo(expected.flat().length));
      for (const inOrder of expected) {
        expect(ofParcel.map(({ event_id }) => event_id).filter((eventId) => inOrder.includes(eventId))).toEqual(inOrder);
      }
    }
    expect(await deliveriesOf('ep_1')).toHaveLength(450);
  });

  test('and let expire: the numbers go on', async () => {
    await addEndpoints();
    let working = true;
    const expiring = (async () => {
      while (working) {
        await replicas[1].maintenance.expireDeliveries(T0 + 1, 5);
        await replicas[1].maintenance.expireEvents(T0 + 1, 5);
      }
    })();
    const numbers: number[] = [];
    try {
      for (let round = 1; round <= 20; round += 1) {
        const made = await acceptIn(replicas[round % 2 === 0 ? 0 : 2].intake, eventFor('tnt_one', 'FC1'), T0, leased);
        const sent = made.map((one) => one.leased as LeasedDelivery);
        numbers.push((JSON.parse(sent[0]?.body ?? '{}') as { seq: number }).seq);
        const results = sent.map((one) => resultOf(one, 'succeeded'));
        await stores.queue.record(results, keep);
      }
    } finally {
      working = false;
      await expiring;
    }
    expect(numbers).toEqual(upTo(20));
    expect((await numbersOf('FC1')).length).toBeLessThan(20);
  });
});

describe('a batch that is larger than one write', () => {
  const batch = Array.from({ length: 300 }, () => eventFor('tnt_one', 'FC1'));
  const entries = batch.map((event) => ({ event, plan: leased }));
  const orderOf = async () => {
    const found = collectionOf(opened.database, events).find({ parcel: parcelKey('tnt_one', 'FC1', 'standard') });
    return (await found.sort({ event_seq: 1 }).toArray()).map(({ event_id }) => event_id);
  };

  test('comes again as a whole after an outage of one write, so that the events of a parcel keep their order', async () => {
    await addEndpoints(['ep_1']);
    const writer = collectionOf(opened.database, events);
    const insertMany = writer.insertMany.bind(writer);
    writer.insertMany = async () => {
      writer.insertMany = insertMany;
      throw AppError.unavailable('out');
    };
    const outcomes = await stores.intake.accept(entries, T0);
    expect(new Set(outcomes.map((one) => 'error' in one && (one.error as AppError).code))).toEqual(new Set(['50301']));
    expect(await orderOf()).toEqual([]);
    await stores.intake.accept(entries, T0);
    expect(await orderOf()).toEqual(batch.map(({ eventId }) => eventId));
  });

  test('is stored without the one event that the store refuses, which alone has an error', async () => {
    await addEndpoints(['ep_1']);
    const large = eventFor('tnt_one', 'FC1', { render: () => 'x'.repeat(17_000_000) });
    const good = batch.slice(0, 20);
    const mixed = [...good.slice(0, 10), large, ...good.slice(10)].map((event) => ({ event, plan: leased }));
    const outcomes = await stores.intake.accept(mixed, T0);
    expect(outcomes.flatMap((one, index) => ('error' in one ? index : []))).toEqual([10]);
    expect(await orderOf()).toEqual(good.map(({ eventId }) => eventId));
    expect(await deliveriesOf('ep_1')).toHaveLength(20);
  });
});

/** Does something else right after the next event was inserted by the first process, and before its deliveries are. */
function afterNextEvent(interlude: () => Promise<unknown>): void {
  const writer = collectionOf(opened.database, events);
  const insertMany = writer.insertMany.bind(writer);
  writer.insertMany = async (...given) => {
    writer.insertMany = insertMany;
    const inserted = await insertMany(...given);
    await interlude();
    return inserted;
  };
}

test('a delivery that another has made meanwhile is not sent by who planned it', async () => {
  await addEndpoints();
  const event = eventFor('tnt_one', 'FC1');
  afterNextEvent(() => acceptIn(replicas[1].intake, event, T0, leased));
  const made = await acceptIn(stores.intake, event, T0, leased);
  expect(made.map((one) => one.leased)).toEqual([null, null]);
  const due = await replicas[2].queue.lease([{ endpointId: 'ep_1', count: 9 }], T0, T0 + 1);
  expect(due).toHaveLength(1);
});

describe('a process that dies while it stores an event', () => {
  async function everything(event: TenantEvent) {
    const delivered = (await Promise.all(ids.map(deliveriesOf))).flat();
    const all = await stores.queue.lease(
      ids.map((endpointId) => ({ endpointId, count: 100 })),
      T0 + 60_000,
      T0 + 120_000,
    );
    return {
      numbers: await numbersOf(event.parcel?.forecastNo ?? ''),
      deliveries: delivered.map(({ eventId, endpointId, status }) => [eventId === event.eventId, endpointId, status]),
      sent: all.map(({ body, endpoint }) => `${endpoint.endpointId} ${body}`),
    };
  }

  test('leaves nothing half done once the event has come again, wherever it dies', async () => {
    for (const takesPlace of [true, false]) {
      for (let writes = 0, died = true; died; writes += 1) {
        expect(writes).toBeLessThan(10);
        await opened.clear();
        await addEndpoints();
        const event = eventFor('tnt_one', 'FC1');
        const dying = await openMongoStores(dyingAfter(databases[1], writes, takesPlace));
        died = await acceptIn(dying.intake, event, T0, leased).then(
          () => false,
          () => true,
        );
        await acceptIn(stores.intake, event, T0 + 1, leased);
        await acceptIn(replicas[2].intake, event, T0 + 2, leased);
        expect({ takesPlace, writes, is: await everything(event) }).toEqual({
          takesPlace,
          writes,
          is: {
            numbers: [1],
            deliveries: [
              [true, 'ep_1', 'pending'],
              [true, 'ep_2', 'pending'],
            ],
            sent: ['ep_1 {"seq":1}', 'ep_2 {"seq":1}'],
          },
        });
      }
    }
  });

  /** Takes an event in and dies before its deliveries. */
  async function interrupted(plan = leased): Promise<TenantEvent> {
    const event = eventFor('tnt_one', 'FC1');
    const dying = openMongoStores(dyingAfter(databases[1], 0, true));
    await expect(acceptIn(dying.intake, event, T0, plan)).rejects.toMatchObject({ code: '50301' });
    expect(await collectionOf(opened.database, events).findOne({ _id: eventKey('tnt_one', event.eventId) })).not.toBeNull();
    return event;
  }

  test('what is made up for is what was planned: nothing for an endpoint that came or went meanwhile', async () => {
    await addEndpoints(['ep_1', 'ep_2']);
    const event = await interrupted();
    await stores.endpoints.remove('tnt_one', 'ep_1');
    await addEndpoints(['ep_3']);
    expect(await acceptIn(stores.intake, event, T0 + 1, leased)).toEqual([]);
    expect([await deliveriesOf('ep_1'), await deliveriesOf('ep_3')]).toEqual([[], []]);
    expect(await deliveriesOf('ep_2')).toMatchObject([{ eventId: event.eventId, status: 'pending', nextAttemptAt: T0 }]);
  });

  test('what is made up for is sent if the endpoint was disabled when it was planned, and enabled since', async () => {
    await addEndpoints();
    for (const id of ids) await stores.endpoints.update('tnt_one', id, (one) => change(one, { status: 'disabled' }, T0));
    const event = await interrupted(held);
    await stores.endpoints.update('tnt_one', 'ep_1', enable);
    await acceptIn(stores.intake, event, T0 + 1, leased);
    expect(await deliveriesOf('ep_1')).toMatchObject([{ status: 'pending', nextAttemptAt: T0 }]);
    expect(await deliveriesOf('ep_2')).toMatchObject([{ status: 'held', nextAttemptAt: null }]);
    expect(await stores.queue.lease([{ endpointId: 'ep_1', count: 9 }], T0 + 1, T0 + 2)).toHaveLength(1);
  });
});

test('an event that met a disabled endpoint is sent if that was enabled before it was stored', async () => {
  await addEndpoints();
  for (const id of ids) await stores.endpoints.update('tnt_one', id, (one) => change(one, { status: 'disabled' }, T0));
  afterNextEvent(() => replicas[1].endpoints.update('tnt_one', 'ep_1', enable));
  await acceptIn(stores.intake, eventFor('tnt_one', 'FC1'), T0, held);
  expect(await deliveriesOf('ep_1')).toMatchObject([{ status: 'pending', nextAttemptAt: T0 }]);
  expect(await deliveriesOf('ep_2')).toMatchObject([{ status: 'held', nextAttemptAt: null }]);
});
