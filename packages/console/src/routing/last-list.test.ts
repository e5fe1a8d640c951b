import { expect, test } from '@jest/globals';
import { keepOnlyFor } from '../session/tenant-memory.ts';
import { listHref, noteList } from './last-list.ts';
import { routeOf } from './route.ts';

test('the way back to the list has the filters of the list that was looked at last', () => {
  keepOnlyFor('tnt_a');
  expect(listHref('tnt_a')).toBe('#/parcels');
  noteList('tnt_a', routeOf('#/parcels?status=3'));
  noteList('tnt_a', routeOf('#/parcels/PO-1'));
  expect(listHref('tnt_a')).toBe('#/parcels?status=3');
});

test('filters of one tenant are in no way back of another one, and not of the same one after signing out', () => {
  keepOnlyFor('tnt_a');
  noteList('tnt_a', routeOf('#/parcels?status=3'));
  expect(listHref('tnt_b')).toBe('#/parcels');
  keepOnlyFor(undefined);
  noteList(undefined, routeOf('#/parcels?status=4'));
  keepOnlyFor('tnt_b');
  expect(listHref('tnt_b')).toBe('#/parcels');
  keepOnlyFor('tnt_a');
  expect(listHref('tnt_a')).toBe('#/parcels');
});
