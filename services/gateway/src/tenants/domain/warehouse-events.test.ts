import { expect, test } from '@jest/globals';
import { decodeEvent } from '@parcelway/contracts/encode-event';
import { closed, opened, renamed, type WarehouseChange } from './warehouse-events.ts';

const now = Date.UTC(2026, 10, 23, 12);
const options = { environment: 'sandbox', now } as const;
const at = '2026-11-23T12:00:00.000+00:00';
const eventOf = (change: WarehouseChange | undefined) => decodeEvent(String(change?.message.value));
const first = opened({ code: 'W1', name: 'One' }, options);

test('a new warehouse is open, in version 1', () => {
  expect(first.warehouse).toEqual({ code: 'W1', name: 'One', createdAt: now, closedAt: null, version: 1 });
  expect(first.message).toMatchObject({ topic: 'gateway.events.v1', key: 'warehouse:W1/W1' });
  expect(eventOf(first)).toMatchObject({
    type: 'warehouse.opened',
    subject: 'W1',
    environment: 'sandbox',
    data: { warehouse_code: 'W1', version: 1, name: 'One', opened_at: at },
  });
});

test('a change has the next version, and one that changes nothing is none', () => {
  const second = renamed(first.warehouse, 'Two', options);
  expect(second?.warehouse).toEqual({ ...first.warehouse, name: 'Two', version: 2 });
  expect(eventOf(second)).toMatchObject({ type: 'warehouse.renamed', data: { version: 2, name: 'Two', renamed_at: at } });
  expect(renamed(first.warehouse, 'One', options)).toBeUndefined();
  const last = closed(first.warehouse, options);
  expect(last?.warehouse).toEqual({ ...first.warehouse, closedAt: now, version: 2 });
  expect(eventOf(last)).toMatchObject({ type: 'warehouse.closed', data: { warehouse_code: 'W1', version: 2, closed_at: at } });
  expect(last && closed(last.warehouse, options)).toBeUndefined();
});
