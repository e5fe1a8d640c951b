import { expect, test } from '@jest/globals';
import type { QueuedReport } from '../queue/queued-report.ts';
import { MAX_RECENT, stateOf, withNew, withResolved, withWarnings } from './recent-reports.ts';

const stamp = { event_id: 'e1', occurred_at: '', warehouse_code: 'SZ01' };
const queued: QueuedReport = { seq: 1, scope: '', stamp, draft: { type: 'arrival', forecast_no: 'FC1' }, photos: [], title: 'PO-1' };
const recent = { eventId: 'e1', title: 'PO-1', type: 'arrival' };

test('the latest is first, and the list is bounded', () => {
  const many = Array.from({ length: MAX_RECENT }, (_, index) => ({ ...recent, eventId: `e${index}` }));
  expect(withNew([recent], many).map(({ eventId }) => eventId)).toEqual(many.map(({ eventId }) => eventId).reverse());
});

test('a report waits, is refused, or was sent, with what the platform warned of', () => {
  expect(stateOf(recent, [queued])).toBe('waiting');
  expect(stateOf(recent, [{ ...queued, fault: { code: '42201', message: '', errors: [] } }])).toBe('refused');
  expect(stateOf(recent, [])).toBe('sent');
  const [warned = recent] = withWarnings([recent], [{ report: queued, rule: 'no_forecast', message: 'none' }]);
  expect([warned, stateOf(warned, [])]).toEqual([{ ...recent, warning: { rule: 'no_forecast', message: 'none' } }, 'warned']);
});

test('a report whose parcel was claimed or dismissed is no longer one to look at', () => {
  const warning = { rule: 'no_forecast', message: '' };
  const unclaimed = { ...recent, title: 'SF 123', warning };
  const reports = [unclaimed, { ...unclaimed, eventId: 'e2', title: 'SF9' }, { ...recent, eventId: 'e3', title: 'SF123' }];
  const states = (ids: string[], claimedFor?: string) =>
    withResolved(reports, { do: 'resolved', number: 'SF123', ids, ...(claimedFor !== undefined && { claimedFor }) }).map((each) =>
      stateOf(each, []),
    );
  expect(states([], 'PO-7')).toEqual(['claimed', 'warned', 'sent']);
  expect(states(['e2'])).toEqual(['dismissed', 'dismissed', 'sent']);
});
