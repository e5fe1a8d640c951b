import { expect, test } from '@jest/globals';
import { createDomainEvent } from '@parcelway/contracts/cloud-event';
import { NOW } from '../../testing/samples.ts';
import { viewForecast } from '../../testing/view-samples.ts';
import { afterEvent, changeNameOf, type ViewEvent, viewEventTypes } from './view-event.ts';

const subject = { forecast_no: 'FC1', po_number: 'PO-1' };
const eventOf = (type: ViewEvent['type'], data: object): ViewEvent =>
  createDomainEvent({
    publisher: 'forecast',
    tenantId: 'tnt_a',
    environment: 'sandbox',
    subject: 'FC1',
    time: NOW,
    type,
    data: { ...subject, ...data },
  } as Parameters<typeof createDomainEvent>[0]) as ViewEvent;

const at = '2026-11-22T09:00:00+08:00';
const reported = { warehouse_code: 'WH1', occurred_at: at };
const holds = { status: 2, ...reported, hold_reports: 1, on_hold: true, holds: [{ reason: 'wet', held_at: at, released_at: null }] };

test.each<[ViewEvent['type'], object, object]>([
  ['forecast.cancelled', { cancelled_at: at }, { status: 7 }],
  [
    'forecast.dispatched',
    { status: 5, carrier_code: 'dhl', tracking_number: 'T1', dispatched_at: at },
    { dispatch: { trackingNumber: 'T1' } },
  ],
  ['parcel.arrived', { status: 2, ...reported }, { status: 2 }],
  ['parcel.weighed', { status: 3, ...reported }, { status: 3 }],
  ['parcel.held', { ...holds, reason: 'wet' }, { holding: { onHold: true } }],
])('%s changes the forecast, and a second time nothing', (type, data, expected) => {
  const event = eventOf(type, data);
  const once = afterEvent(viewForecast(), event, () => undefined);
  expect(once).toMatchObject(expected);
  expect(afterEvent(once, event, () => undefined)).toBe(once);
});

test('systems of warehouses get a name for each event', () => {
  const names = viewEventTypes.map((type) => changeNameOf({ type } as ViewEvent));
  expect(Object.fromEntries(viewEventTypes.map((type, index) => [type, names[index]]))).toEqual({
    'forecast.accepted': 'accepted',
    'forecast.corrected': 'corrected',
    'forecast.cancelled': 'cancelled',
    'forecast.dispatched': 'status',
    'parcel.arrived': 'status',
    'parcel.weighed': 'status',
    'parcel.photographed': 'status',
    'parcel.processed': 'status',
    'parcel.put_away': 'status',
    'parcel.completed': 'status',
    'parcel.exception': 'status',
    'parcel.held': 'held',
    'parcel.released': 'released',
  });
});
