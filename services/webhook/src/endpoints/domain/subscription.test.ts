import { describe, expect, test } from '@jest/globals';
import type { EndpointFilter } from '@parcelway/contracts/webhook-endpoint-api';
import { endpointFor } from '../../testing/webhook-fixtures.ts';
import { bodyFitsFilter, filterInLists, fitsFilter, isEventFor } from './subscription.ts';

test('a filter is shown with lists, whichever form it was sent in', () => {
  const shown = { po_number: ['PO-1'], status: [3, 5], is_terminal: true };
  expect(filterInLists({ po_number: 'PO-1', status: [3, 5], is_terminal: true })).toEqual(shown);
  expect(filterInLists({})).toEqual({});
});

describe('an event fits a filter', () => {
  const fields = { po_number: 'PO-1', status: 3, is_terminal: false };

  test.each<[EndpointFilter, boolean]>([
    [{}, true],
    [{ po_number: 'PO-1' }, true],
    [{ po_number: 'PO-2' }, false],
    [{ status: [3, 5] }, true],
    [{ status: [5] }, false],
    [{ is_terminal: false }, true],
    [{ is_terminal: true }, false],
    [{ po_number: 'PO-1', is_terminal: true }, false],
    [{ po_number: 'PO-2', is_terminal: false }, false],
  ])('%j: %p', (filter, fits) => {
    expect(fitsFilter(filter, fields)).toBe(fits);
    expect(bodyFitsFilter(filter, JSON.stringify({ data: fields }))).toBe(fits);
  });

  test('whatever the filter says of a field that it does not have', () => {
    expect(fitsFilter({ admin_status: 'In Transit' }, fields)).toBe(true);
    expect(fitsFilter({ po_number: 'PO-1' }, Object.create({ po_number: 'PO-2' }))).toBe(true);
  });

  test('without a look at its body when the filter is empty', () => expect(bodyFitsFilter({}, 'no JSON')).toBe(true));
});

// Test events and the news of a disabling: intake/domain/tenant-event.test.ts.
describe('an endpoint gets', () => {
  const endpoint = endpointFor('tnt_one', { endpointId: 'ep_1', filter: { status: 3 } });
  const event = { type: 'parcel.weighed', about: null, test: false, fields: { status: 3 } } as const;

  test('what it subscribes to and what fits its filter', () => {
    expect(isEventFor(endpoint, event)).toBe(true);
    expect(isEventFor(endpoint, { ...event, type: 'tracking.changed' })).toBe(false);
    expect(isEventFor(endpoint, { ...event, fields: { status: 4 } })).toBe(false);
  });
});
