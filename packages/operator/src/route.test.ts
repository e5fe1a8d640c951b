import { expect, test } from '@jest/globals';
import { hrefOf, type Route, routeOf } from './route.ts';

test.each<[string, Route]>([
  ['#/', { view: 'overview' }],
  ['#/unclaimed', { view: 'unclaimed' }],
  ['#/operators', { view: 'operators' }],
  ['#/warehouses', { view: 'warehouses' }],
  ['#/parcels', { view: 'parcels', number: '' }],
  ['#/parcels?number=A%2F1', { view: 'parcels', number: 'A/1' }],
  ['#/tenants', { view: 'tenants', search: '' }],
  ['#/tenants?search=A%26B', { view: 'tenants', search: 'A&B' }],
  ['#/tenants/tnt_1%2F2', { view: 'tenant', id: 'tnt_1/2' }],
  ['#/tenants/tnt_1%2F2/requests/a%2Fb', { view: 'failed-call', tenantId: 'tnt_1/2', requestId: 'a/b' }],
  ['#/dead-letters', { view: 'dead-letters', topic: '' }],
  ['#/dead-letters/forecast.events.v1', { view: 'dead-letters', topic: 'forecast.events.v1' }],
])('%s is an address, both ways', (hash, route) => {
  expect(routeOf(hash)).toEqual(route);
  expect(hrefOf(route)).toBe(hash);
});

test.each([
  '#/nowhere',
  '#/operators/x',
  '#/tenants/a/b',
  '#/tenants/%zz',
  '#/tenants/a/requests',
  '#/tenants/a/requests/',
  '#/tenants/a/requests/b/c',
])('%s is none', (hash) => {
  expect(routeOf(hash)).toEqual({ view: 'unknown' });
});
