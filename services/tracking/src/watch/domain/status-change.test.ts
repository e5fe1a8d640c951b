import { describe, expect, test } from '@jest/globals';
import { type adminStatuses, isTerminalAdminStatus } from '@parcelway/contracts/admin-status';
import { NOW, shipmentOf, traceOf } from '../../testing/samples.ts';
import { trackingChanged, watchAfter } from './status-change.ts';

describe('the watch', () => {
  const change = (previous: (typeof adminStatuses)[number] | '', current: (typeof adminStatuses)[number]) => ({
    previous,
    current,
    isTerminal: isTerminalAdminStatus(current),
  });

  test('ends with a final status, unless there is news', () => {
    expect(watchAfter(change('In Transit', 'Delivery Success'), false)).toBe('ends');
    expect(watchAfter(change('In Transit', 'Delivery Success'), true)).toBe('goes on');
  });

  test('resumes when a final status was corrected', () => {
    expect(watchAfter(change('Delivery Success', 'Exception'), false)).toBe('resumes');
    expect(watchAfter(change('Delivery Success', 'Delivery Failure'), true)).toBe('resumes');
    expect(watchAfter(change('Delivery Success', 'Delivery Failure'), false)).toBe('ends');
  });

  test('goes on otherwise', () => {
    expect(watchAfter(change('', 'In Transit'), false)).toBe('goes on');
    expect(watchAfter(change('Picked Up', 'In Transit'), true)).toBe('goes on');
  });
});

test('the event of a change says whose parcel it is, what it was and what it is', () => {
  const change = { previous: 'In Transit', current: 'Delivery Success', isTerminal: true } as const;
  expect(trackingChanged(shipmentOf(), change, { environment: 'sandbox', now: NOW, traceparent: traceOf(1) })).toMatchObject({
    type: 'tracking.changed',
    tenantid: 'tnt_a',
    environment: 'sandbox',
    subject: 'FC1',
    traceparent: traceOf(1),
    data: {
      forecast_no: 'FC1',
      po_number: 'PO-1',
      previous_admin_status: 'In Transit',
      admin_status: 'Delivery Success',
      is_terminal: true,
      changed_at: expect.stringMatching(/^2026-11-21T08:00:00/),
    },
  });
});
