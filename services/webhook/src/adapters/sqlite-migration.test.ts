import { expect, test } from '@jest/globals';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import type { LeasedDelivery } from '../intake/domain/delivery.ts';
import { useTemporaryFiles } from '../testing/temporary-files.ts';
import { EVERY_EVENT, endpointFor, keep, resultOf, T0 } from '../testing/webhook-fixtures.ts';
import { webhookMigrations } from './sqlite-schema.ts';
import { openSqliteStores } from './sqlite-stores.ts';

const newFile = useTemporaryFiles();

/** What a process of the first version has left in its file. */
const FORMER = `
  INSERT INTO endpoints VALUES ('tnt_one', 'ep_1', 'https://receiver.example/', '["parcel.weighed"]', 'ü', 'enabled', NULL, 'whsec_a',
    NULL, NULL, NULL, ${T0}, ${T0}, 0);
  INSERT INTO events (tenant_id, event_id, forecast_no, event_seq, type, po_number, body, occurred_at, created_at) VALUES
    ('tnt_one', 'evt_1', 'FC1', 1, 'parcel.weighed', 'PO', '{"seq":1}', ${T0}, ${T0}),
    ('tnt_one', 'evt_2', NULL, NULL, 'endpoint.test', NULL, '{}', ${T0}, ${T0}),
    ('tnt_one', 'evt_3', 'FC1', 2, 'parcel.weighed', 'PO', '{"seq":2}', ${T0}, ${T0 + 1});
  INSERT INTO forecast_sequences VALUES ('tnt_one', 'FC1', 2, ${T0});
  INSERT INTO deliveries (tenant_id, delivery_id, endpoint_id, event_id, event_type, po_number, status, attempt_count, step,
      next_attempt_at, available_at, last_status_code, created_at) VALUES
    ('tnt_one', 'dlv_1', 'ep_1', 'evt_1', 'parcel.weighed', 'PO', 'pending', 1, 1, ${T0 + 5}, ${T0 + 5}, 500, ${T0}),
    ('tnt_one', 'dlv_2', 'ep_1', 'evt_2', 'endpoint.test', NULL, 'succeeded', 1, 1, NULL, NULL, 200, ${T0}),
    ('tnt_one', 'dlv_3', 'ep_1', 'evt_3', 'parcel.weighed', 'PO', 'pending', 0, 0, ${T0 + 1}, ${T0 + 1}, NULL, ${T0 + 1});
  INSERT INTO attempts VALUES ('tnt_one', 'dlv_1', 1, 'att_1', ${T0}, 3, 'failed', 500, NULL, 'x');`;

test('a file of the first version is read and processed', async () => {
  const path = newFile();
  const former = new SqliteDatabase(path);
  former.migrate([`${webhookMigrations[0]};${FORMER}`]);
  former.close();
  const db = new SqliteDatabase(path);
  const { endpoints, log, feed, queue, redelivery, maintenance } = await openSqliteStores(db);

  expect(await endpoints.list('tnt_one')).toEqual([endpointFor('tnt_one', { endpointId: 'ep_1' })]);
  const { deliveries } = await log.list('tnt_one', 'ep_1', { limit: 10, before: null });
  expect(deliveries.map(({ deliveryId, test, nextReason }) => [deliveryId, test, nextReason])).toEqual([
    ['dlv_3', false, 'first'],
    ['dlv_2', true, null],
    ['dlv_1', false, 'schedule'],
  ]);
  expect(await log.attempts('tnt_one', 'ep_1', 'dlv_1', 10)).toMatchObject([
    { attemptNumber: 1, url: '', retryAfter: null, errorCode: null },
  ]);
  expect(await log.body('tnt_one', 'evt_3')).toBe('{"seq":2}');
  const { events } = await feed.page('tnt_one', { since: null }, EVERY_EVENT, 10);
  expect(events.map(({ eventId }) => eventId)).toEqual(['evt_1', 'evt_3']);
  expect(await maintenance.disablingsToPublish(10)).toEqual([]);

  const leased = await queue.lease([{ endpointId: 'ep_1', count: 9 }], T0 + 5, T0 + 1000);
  expect(leased.map(({ delivery }) => delivery.deliveryId)).toEqual(['dlv_3', 'dlv_1']);
  await queue.record(
    leased.map((one: LeasedDelivery) => resultOf(one, 'failed')),
    keep,
  );
  const endpoint = endpointFor('tnt_one', { endpointId: 'ep_1' });
  const range = { types: ['parcel.weighed'], since: 0, until: T0 + 9, only: 'failed', after: null, limit: 9, matches: () => true } as const;
  expect((await redelivery.replay(endpoint, range, T0 + 9, () => 'dlv_x')).scheduled).toBe(2);
  db.close();
});
