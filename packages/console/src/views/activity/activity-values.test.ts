import { expect, test } from '@jest/globals';
import { type AuditEntry, MAX_USAGE_DAYS, type Usage, UsageTotal } from '@parcelway/contracts/activity-api';
import { hrefOf } from '../../routing/route.ts';
import { latestDays, metrics, placeOf, ranges, storedBytesOf } from './activity-values.ts';

const NOW = Date.parse('2026-11-24T23:59:59Z');

test('metrics are those of the contract, and the longest range is what one call may span', () => {
  expect([...metrics, 'storage']).toEqual(Object.keys(UsageTotal.properties));
  expect(Math.max(...ranges)).toBe(MAX_USAGE_DAYS);
});

test('a range ends today, which counts', () => {
  expect(latestDays(1, NOW)).toEqual({ from: '2026-11-24', to: '2026-11-24' });
  expect(latestDays(31, NOW)).toEqual({ from: '2026-10-25', to: '2026-11-24' });
});

test('a day that was not measured has no amount, an empty store has 0', () => {
  const storages = [null, { files: 2, bytes: 900 }, { files: 0, bytes: 0 }];
  const days = storages.map((storage, index) => ({ date: `2026-11-2${index}`, storage }));
  expect(storedBytesOf({ days } as unknown as Usage)).toEqual([
    { day: '2026-11-20', amount: null },
    { day: '2026-11-21', amount: 900 },
    { day: '2026-11-22', amount: 0 },
  ]);
});

const entry = (action: AuditEntry['action'], type: AuditEntry['resource']['type'], id: string | null): AuditEntry => ({
  entry_id: 'aud_1',
  time: '2026-11-24T01:15:00.000+00:00',
  action,
  actor: { type: 'key', id: 'key_1', address: '192.0.2.1' },
  resource: { type, id },
  outcome: 'success',
  request_id: 'req_1',
});

const hrefFor = (each: AuditEntry, can: (scope: string) => boolean = () => true): string | null => {
  const place = placeOf(each, can);
  return place === undefined ? null : hrefOf(place);
};

test.each([
  [entry('key.revoked', 'key', 'key_2'), '#/keys'],
  [entry('forecast.cancelled', 'forecast', 'PO/1'), '#/parcels/PO%2F1'],
  [entry('import.started', 'import', 'imp_1'), '#/imports/imp_1'],
  [entry('endpoint.updated', 'endpoint', 'ep_1'), '#/webhooks/ep_1'],
  [entry('connection.created', 'connection', 'conn_1'), '#/connections'],
  [entry('file.url_created', 'file', '7'), null],
  [entry('tenant.renamed', 'tenant', 't_1'), null],
  [entry('key.created', 'key', null), null],
  [entry('endpoint.deleted', 'endpoint', 'ep_1'), null],
])('%j is seen at %s', (each, href) => {
  expect(hrefFor(each)).toBe(href);
});

test('nothing leads where the key may not look', () => {
  const cancelled = entry('forecast.cancelled', 'forecast', 'PO-1');
  expect(hrefFor(cancelled, (scope) => scope === 'keys:manage')).toBeNull();
  expect(hrefFor(cancelled, (scope) => scope === 'weighing:read')).toBe('#/parcels/PO-1');
});
