import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { translateAfterShip } from './translation.ts';

const parcel = { trackingNumber: 'X1', dispatchedAt: 0 };
const good = { tag: 'InTransit', subtag: 'InTransit_003', message: 'Scan', checkpoint_time: '2026-11-25T08:30:00Z', slug: 'dhl' };

test('a row stays the same when the number of a leg arrives later, and comes once, by its hash', () => {
  const text = readFileSync(new URL('./fixtures/list-two-legs.json', import.meta.url), 'utf8');
  const [raw] = (JSON.parse(text) as { data: { trackings: { first_mile?: unknown; last_mile?: unknown; tracking_number: string }[] } }).data
    .trackings;
  expect([raw?.first_mile, raw?.last_mile]).not.toContain(undefined);
  const { nodes } = translateAfterShip(raw, parcel);
  expect(new Set(nodes.map(({ orderNo }) => orderNo))).toEqual(new Set(['X1']));
  expect(translateAfterShip({ ...raw, first_mile: null, last_mile: null }, parcel).nodes).toEqual(nodes);
  const twice = ['a', 'a', '', ''].map((hash) => ({ ...good, hash }));
  expect(translateAfterShip({ tracking_number: 'X1', checkpoints: twice }, parcel).nodes).toHaveLength(3);
});
