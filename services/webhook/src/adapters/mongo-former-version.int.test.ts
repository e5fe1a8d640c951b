import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openTestDatabase, type TestDatabase } from '@parcelway/mongo/testing/mongo-test-database';
import type { mongo } from 'mongoose';
import { endpoints } from '../endpoints/adapters/mongo-endpoint-documents.ts';
import { disable } from '../endpoints/domain/disabling.ts';
import { deliveries } from '../intake/adapters/mongo-delivery-documents.ts';
import { events } from '../intake/adapters/mongo-event-documents.ts';
import { acceptIn, EVERY_EVENT, endpointFor, eventFor, keep, resultOf, T0 } from '../testing/webhook-fixtures.ts';
import { webhookCollections } from './mongo-collections.ts';
import { openMongoStores } from './mongo-stores.ts';

let opened: TestDatabase;
beforeAll(async () => {
  opened = await openTestDatabase(webhookCollections);
});
afterAll(() => opened.close());

/** Writes documents as a process of the first version did. */
async function write(
  { name }: { readonly name: string },
  documents: readonly { readonly _id: string; readonly [field: string]: unknown }[],
): Promise<void> {
  const collection = opened.database.connection.db?.collection<{ _id: string }>(name);
  await collection?.insertMany(documents as mongo.OptionalUnlessRequiredId<{ _id: string }>[]);
}

/** When its events were stored. By the clock of the server, which the feed goes by. */
const PAST = Date.now() - 3_600_000;

const event = (id: string, given: object) => ({
  _id: `tnt_one ${id}`,
  tenant_id: 'tnt_one',
  event_id: id,
  type: 'parcel.weighed',
  po_number: 'PO',
  body: `{"id":"${id}"}`,
  occurred_at: T0,
  created_at: PAST,
  planned: [],
  ...given,
});
const delivery = (id: string, eventId: string, given: object) => ({
  _id: `tnt_one ${eventId} ep_1`,
  tenant_id: 'tnt_one',
  delivery_id: id,
  endpoint_id: 'ep_1',
  event_id: eventId,
  event_type: 'parcel.weighed',
  po_number: 'PO',
  attempt_count: 0,
  step: 0,
  next_attempt_at: null,
  last_status_code: null,
  created_at: T0,
  ...given,
});

async function writeFormer(): Promise<void> {
  const endpoint = { _id: 'ep_1', tenant_id: 'tnt_one', slot: 0, url: 'https://receiver.example/', event_types: ['parcel.weighed'] };
  const state = {
    description: 'ü',
    status: 'enabled',
    disabled_reason: null,
    secret: 'whsec_a',
    former_secret: null,
    former_secret_until: null,
  };
  await write(endpoints, [{ ...endpoint, ...state, failing_since: null, created_at: T0, updated_at: T0, version: 1 }]);
  await write(events, [
    event('evt_1', { parcel: 'tnt_one FC1', event_seq: 1 }),
    event('evt_2', { type: 'endpoint.test', po_number: null }),
    event('evt_3', { parcel: 'tnt_one FC1', event_seq: 2, created_at: PAST + 100 }),
  ]);
  const seen = { started_at: T0, duration_ms: 3, outcome: 'failed', status_code: 500, error: null, response_body: 'x' };
  const attempt = { attempt_id: 'att_1', ...seen };
  await write(deliveries, [
    delivery('dlv_1', 'evt_1', {
      status: 'pending',
      attempt_count: 1,
      step: 1,
      next_attempt_at: T0,
      available_at: T0,
      attempts: [attempt],
    }),
    delivery('dlv_2', 'evt_2', { status: 'succeeded', event_type: 'endpoint.test' }),
    delivery('dlv_3', 'evt_3', { status: 'pending', next_attempt_at: T0 + 1, available_at: T0 + 1 }),
  ]);
}

test('documents of the first version are read and worked on', async () => {
  await writeFormer();
  const { endpoints: managed, log, queue, redelivery, maintenance, intake, feed } = openMongoStores(opened.database);
  const endpoint = endpointFor('tnt_one', { endpointId: 'ep_1' });
  expect(await managed.list('tnt_one')).toEqual([endpoint]);
  const { deliveries: found } = await log.list('tnt_one', 'ep_1', { limit: 10, before: null });
  expect(found.map(({ deliveryId, test, nextReason }) => [deliveryId, test, nextReason])).toEqual([
    ['dlv_3', false, 'first'],
    ['dlv_2', true, null],
    ['dlv_1', false, 'schedule'],
  ]);
  expect(await log.attempts('tnt_one', 'ep_1', 'dlv_1', 10)).toMatchObject([
    { attemptNumber: 1, url: '', retryAfter: null, errorCode: null },
  ]);
  expect([await maintenance.disablingsToPublish(10), await maintenance.pausedBefore(T0 + 1, 10)]).toEqual([[], []]);

  const leased = await queue.lease([{ endpointId: 'ep_1', count: 9 }], T0 + 5, T0 + 1000);
  expect(leased.map((one) => one.delivery.deliveryId).sort()).toEqual(['dlv_1', 'dlv_3']);
  await queue.record(
    leased.map((one) => resultOf(one, 'failed')),
    keep,
  );
  const range = { types: ['parcel.weighed'], since: 0, until: T0 + 9, only: 'failed', after: null, limit: 9, matches: () => true } as const;
  expect((await redelivery.replay(endpoint, range, T0 + 9, () => 'dlv_x')).scheduled).toBe(2);
  await managed.update('tnt_one', 'ep_1', (one) => disable(one, 'gone', T0));
  expect(await maintenance.disablingsToPublish(10)).toHaveLength(1);

  const young = eventFor('tnt_one', 'FC1');
  await acceptIn(intake, young, Date.now(), () => null);
  expect(await log.body('tnt_one', young.eventId)).toBe('{"seq":3}');
  const page = (from: Parameters<typeof feed.page>[1], limit: number) => feed.page('tnt_one', from, EVERY_EVENT, limit);
  for (const end = Date.now() + 15_000; Date.now() < end && (await page({ since: null }, 10)).events.length < 3; );
  const seen: string[] = [];
  let from: Parameters<typeof feed.page>[1] = { since: null };
  for (let isMore = true; isMore; ) {
    const { events: some, next, more } = await page(from, 1);
    seen.push(...some.map(({ eventId }) => eventId));
    from = { after: next };
    isMore = more;
  }
  expect(seen).toEqual(['evt_1', 'evt_3', young.eventId]);
  expect((await page({ since: PAST + 50 }, 10)).events.map(({ eventId }) => eventId)).toEqual(['evt_3', young.eventId]);
});
