import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type OpenStore, openSqliteStore } from '@parcelway/platform/open-store';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import type { Store } from '@parcelway/store/store';
import { webhookCollections } from '../collections.ts';
import { change, type Endpoint } from '../endpoints/domain/endpoint.ts';
import type { WebhookStores } from '../stores.ts';
import { openStores } from '../stores.ts';
import { dyingAfter, interrupting } from '../testing/faulty-store.ts';
import { acceptIn, EVERY_EVENT, endpointFor, eventFor, planned, T0 } from '../testing/webhook-fixtures.ts';
import type { Delivery } from './domain/delivery.ts';
import type { PlannedDelivery } from './domain/plan-delivery.ts';
import type { TenantEvent } from './domain/tenant-event.ts';
import { events } from './event-collections.ts';

// Processes that share a store, as they do in MongoDB.

const DEADLINE_MS = 15_000;
const ids = ['ep_1', 'ep_2'];
const leased = (): PlannedDelivery => planned({ leaseUntil: T0 + 60_000 });
const held = (): PlannedDelivery => planned({ status: 'held', nextAttemptAt: null });
const enable = (one: Endpoint): Endpoint => ({ ...one, status: 'enabled', disabledReason: null });

let db: SqliteDatabase;
let opened: OpenStore;
let stores: WebhookStores;
let other: WebhookStores;
const processOn = (store: Store): Promise<WebhookStores> => openStores({ ...opened, store, serverTime: async () => Date.now() }, T0);

async function open(): Promise<void> {
  db = new SqliteDatabase(':memory:');
  opened = openSqliteStore(db, webhookCollections);
  stores = await processOn(opened.store);
  other = await processOn(opened.store);
}
beforeEach(open);
afterEach(() => db.close());

async function addEndpoints(endpointIds: readonly string[] = ids): Promise<void> {
  for (const endpointId of endpointIds) await stores.endpoints.insert(endpointFor('tnt_one', { endpointId }), 10);
}

const deliveriesOf = async (endpointId: string): Promise<readonly Delivery[]> =>
  (await stores.log.list('tnt_one', endpointId, { limit: 1000, before: null })).deliveries;

async function numbersOf(forecastNo: string): Promise<readonly unknown[]> {
  const { items } = await opened.store.find(events.by.number, { eq: ['tnt_one', forecastNo], limit: 100 });
  return items.map(({ value }) => value.seq);
}

describe('a process that dies while it stores an event', () => {
  async function everything(event: TenantEvent) {
    const delivered = (await Promise.all(ids.map(deliveriesOf))).flat();
    const wanted = ids.map((endpointId) => ({ endpointId, count: 100 }));
    const all = await stores.queue.lease(wanted, T0 + 60_000, T0 + 120_000);
    return {
      numbers: await numbersOf('FC1'),
      deliveries: delivered.map(({ eventId, endpointId, status }) => [eventId === event.eventId, endpointId, status]),
      sent: all.map(({ body, endpoint }) => `${endpoint.endpointId} ${body}`),
    };
  }

  test.each([true, false])(
    'leaves nothing half done once the event has come again, wherever it dies: from the log %s',
    async (isReplayed) => {
      for (const takesPlace of [true, false]) {
        for (let writes = 0, died = true; died; writes += 1) {
          expect(writes).toBeLessThan(10);
          db.close();
          await open();
          await addEndpoints();
          const event = eventFor('tnt_one', 'FC1');
          const dying = await processOn(dyingAfter(opened.store, writes, takesPlace));
          // The deliveries of a replayed event are not stored before they are sent: a process that dies then has accepted the event.
          died = await acceptIn(dying.intake, event, T0, leased, isReplayed).then(
            () => false,
            () => true,
          );
          await acceptIn(stores.intake, event, T0 + 1, leased, isReplayed);
          await acceptIn(other.intake, event, T0 + 2, leased, isReplayed);
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
    },
  );

  /** Takes an event in and dies before its deliveries. */
  async function interrupted(plan = leased): Promise<TenantEvent> {
    const event = eventFor('tnt_one', 'FC1');
    const dying = await processOn(dyingAfter(opened.store, 0, true));
    await expect(acceptIn(dying.intake, event, T0, plan)).rejects.toMatchObject({ code: '50301' });
    expect(await opened.store.get(events, [event.eventId, 'tnt_one'])).toBeDefined();
    return event;
  }

  test('what is made up for is what was planned: nothing for an endpoint that came or went meanwhile', async () => {
    await addEndpoints();
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

/** A process that does something else right after it has inserted its next event, and before its deliveries. */
const interruptedBy = (interlude: () => Promise<unknown>): Promise<WebhookStores> =>
  processOn(
    interrupting(opened.store, async (work) => {
      const outcome = await work();
      await interlude();
      return outcome;
    }),
  );

test('processes that store events of one parcel in turn number them without a gap, whatever each of them remembers', async () => {
  await addEndpoints();
  await acceptIn(stores.intake, eventFor('tnt_one', 'FC1', { type: 'forecast.accepted' }), T0, leased);
  for (const writer of [other, stores, stores, other, stores, other]) await acceptIn(writer.intake, eventFor('tnt_one', 'FC1'), T0, leased);
  expect(await numbersOf('FC1')).toEqual([1, 2, 3, 4, 5, 6]);
});

test('a delivery that another has made meanwhile is not sent by who planned it', async () => {
  await addEndpoints();
  const event = eventFor('tnt_one', 'FC1');
  const late = await interruptedBy(() => acceptIn(other.intake, event, T0, leased));
  const made = await acceptIn(late.intake, event, T0, leased);
  expect(made.map((one) => one.leased)).toEqual([null, null]);
  expect(await stores.queue.lease([{ endpointId: 'ep_1', count: 9 }], T0, T0 + 1)).toHaveLength(1);
});

test('an event that met a disabled endpoint is sent if that was enabled before it was stored', async () => {
  await addEndpoints();
  for (const id of ids) await stores.endpoints.update('tnt_one', id, (one) => change(one, { status: 'disabled' }, T0));
  const late = await interruptedBy(() => other.endpoints.update('tnt_one', 'ep_1', enable));
  await acceptIn(late.intake, eventFor('tnt_one', 'FC1'), T0, held);
  expect(await deliveriesOf('ep_1')).toMatchObject([{ status: 'pending', nextAttemptAt: T0 }]);
  expect(await deliveriesOf('ep_2')).toMatchObject([{ status: 'held', nextAttemptAt: null }]);
});

describe('an event that is stored after a reader has passed its place in the feed', () => {
  const seen: string[] = [];
  let after: string | undefined;
  beforeEach(() => {
    seen.length = 0;
    after = undefined;
  });

  /** Reads on until an event is seen. */
  async function readUntil({ eventId }: TenantEvent): Promise<void> {
    for (const end = Date.now() + DEADLINE_MS; !seen.includes(eventId); ) {
      expect(Date.now()).toBeLessThan(end);
      const page = await stores.feed.page('tnt_one', after === undefined ? { since: null } : { after }, EVERY_EVENT, 7);
      after = page.next;
      seen.push(...page.events.map((one) => one.eventId));
      await pause(20);
    }
  }
  const accept = (intake: WebhookStores['intake'], event: TenantEvent) => acceptIn(intake, event, Date.now(), () => null);

  /** A store whose next write, of an event, takes place only after a reader has seen a later one. */
  const overtaken = (): Store =>
    interrupting(opened.store, async (work) => {
      const later = eventFor('tnt_one', 'FC2');
      await accept(other.intake, later);
      await readUntil(later);
      return work();
    });

  test('is read all the same: its writer gives it a new one', async () => {
    const first = eventFor('tnt_one', 'FC1');
    const slow = await processOn(overtaken());
    await accept(slow.intake, first);
    expect(seen).not.toContain(first.eventId);
    await readUntil(first);
  });

  test('is read once it has come again, when its writer has died', async () => {
    const first = eventFor('tnt_one', 'FC1');
    const dying = await processOn(dyingAfter(overtaken(), 0, true));
    await expect(accept(dying.intake, first)).rejects.toMatchObject({ code: '50301' });
    expect(await opened.store.get(events, [first.eventId, 'tnt_one'])).toBeDefined();
    expect(seen).not.toContain(first.eventId);
    await accept(other.intake, first);
    await readUntil(first);
  });
});
