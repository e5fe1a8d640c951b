import { describe, expect, test } from '@jest/globals';
import { HOME, hrefOf, type Route, routeOf } from './route.ts';

const routes: readonly Route[] = [
  HOME,
  { view: 'parcels', status: '3', poNumber: 'PO 1/2 & #3?' },
  { view: 'parcel', poNumber: 'PO/1?#%2F 单号' },
  { view: 'endpoints' },
  { view: 'new-endpoint' },
  { view: 'endpoint', endpointId: 'ep_1', status: '' },
  { view: 'endpoint', endpointId: 'ep_1', status: 'failed' },
  { view: 'edit-endpoint', endpointId: 'ep_1' },
  { view: 'delivery', endpointId: 'ep_1', deliveryId: 'dlv_2' },
  { view: 'events', type: 'parcel.weighed', range: 'week' },
];

test.each(routes)('the address of %j leads back to it', (route) => {
  expect(routeOf(hrefOf(route))).toEqual(route);
});

describe('an address', () => {
  test.each(['', '#', '#/'])('%j is the first view', (hash) => {
    expect(routeOf(hash)).toEqual(HOME);
  });

  test.each([
    '#/nowhere',
    '#/parcels/a/b',
    '#/webhooks/ep_1/other',
    '#/webhooks/ep_1/deliveries',
    '#/webhooks/e/deliveries/d/x',
    '#/parcels/%E0%A4',
  ])('%s leads nowhere', (hash) => {
    expect(routeOf(hash)).toEqual({ view: 'unknown' });
  });
});
