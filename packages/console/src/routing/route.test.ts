import { describe, expect, test } from '@jest/globals';
import { NO_FILTER } from '../api/forecast-filter.ts';
import { keepOnlyFor } from '../session/tenant-memory.ts';
import { HOME, hrefOf, listHref, noteList, type Route, routeOf } from './route.ts';

const routes: readonly Route[] = [
  HOME,
  { view: 'parcels', filter: { ...NO_FILTER, status: '3', prefix: 'PO 1/2 & #3?', createdFrom: '2026-11-21' } },
  { view: 'new-parcel' },
  { view: 'parcel', poNumber: 'PO/1?#%2F 单号' },
  { view: 'parcel', poNumber: 'new' },
  { view: 'correct-parcel', poNumber: 'PO/1' },
  { view: 'imports' },
  { view: 'new-import', checkId: '' },
  { view: 'new-import', checkId: 'imp_1' },
  { view: 'import', importId: 'imp_1', state: 'failed' },
  { view: 'files', used: '', range: '' },
  { view: 'files', used: 'false', range: 'week' },
  { view: 'connections' },
  { view: 'keys' },
  { view: 'usage', days: '' },
  { view: 'usage', days: '92' },
  { view: 'failed-calls', requestId: 'a/b 1', code: '42201', keyId: 'key_1' },
  { view: 'failed-call', requestId: 'a/b?#1' },
  { view: 'audit-log', action: 'key.revoked', day: '2026-11-21' },
  { view: 'endpoints' },
  { view: 'new-endpoint' },
  { view: 'endpoint', endpointId: 'ep_1', status: '' },
  { view: 'endpoint', endpointId: 'ep_1', status: 'failed' },
  { view: 'edit-endpoint', endpointId: 'ep_1' },
  { view: 'delivery', endpointId: 'ep_1', deliveryId: 'dlv_2' },
  { view: 'events', type: 'parcel.weighed', range: 'week', poNumber: '' },
  { view: 'events', type: '', range: '', poNumber: 'PO 1' },
];

test.each(routes)('the address of %j leads back to it', (route) => {
  expect(routeOf(hrefOf(route))).toEqual(route);
});

test('the address of a filter has its texts trimmed', () => {
  expect(hrefOf({ view: 'parcels', filter: { ...NO_FILTER, prefix: ' PO-1 ' } })).toBe('#/parcels?q=PO-1');
});

describe('an address', () => {
  test.each([
    ['#/activity', ''],
    ['#/activity/', ''],
    ['#/activity?days=7', '7'],
  ])('%s opens the usage', (hash, days) => {
    expect(routeOf(hash)).toEqual({ view: 'usage', days });
  });

  test.each(['', '#', '#/', '#/?'])('%j opens the first view', (hash) => {
    expect(routeOf(hash)).toEqual(HOME);
  });

  test.each([
    '#/nowhere',
    '#/parcels/a/b',
    '#/parcels/a/correction/b',
    '#/imports/imp_1/rows',
    '#/keys/x',
    '#/activity/other',
    '#/activity/usage/x',
    '#/activity/failed-calls/a/b',
    '#/constructor',
    '#/webhooks/ep_1/other',
    '#/webhooks/ep_1/deliveries',
    '#/webhooks/e/deliveries/d/x',
    '#/parcels/%E0%A4',
  ])('%s leads nowhere', (hash) => {
    expect(routeOf(hash)).toEqual({ view: 'unknown' });
  });
});

test('the way back to the list has the filters of the list that was looked at last', () => {
  keepOnlyFor('tnt_a');
  expect(listHref('tnt_a')).toBe('#/parcels');
  noteList('tnt_a', routeOf('#/parcels?status=3'));
  noteList('tnt_a', routeOf('#/parcels/PO-1'));
  expect(listHref('tnt_a')).toBe('#/parcels?status=3');
});
