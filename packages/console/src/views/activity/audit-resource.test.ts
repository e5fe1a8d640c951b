import { expect, test } from '@jest/globals';
import { type AuditEntry, FailedCallsQuery } from '@parcelway/contracts/activity-api';
import { auditActions } from '@parcelway/contracts/audited-routes';
import { hrefOf } from '../../routing/route.ts';
import { placeOf } from './audit-resource.ts';
import { errorCodes } from './error-codes.ts';

const entry = (action: AuditEntry['action'], type: AuditEntry['resource']['type'], id: string | null): AuditEntry => ({
  entry_id: 'aud_1',
  time: '2026-11-24T01:15:00.000+00:00',
  action,
  actor: { type: 'key', id: 'key_1', address: '192.0.2.1' },
  resource: { type, id },
  outcome: 'success',
  request_id: 'req_1',
});

/** The address where a resource is seen; null for none. */
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

test('what was deleted is named alike in every action', () => {
  expect(auditActions.filter((action) => /delet/.test(action)).every((action) => action.endsWith('.deleted'))).toBe(true);
});

test('codes on offer are those that the contract lists', () => {
  expect(FailedCallsQuery.properties.code).toMatchObject({ enum: errorCodes });
});
