import { describe, expect, test } from '@jest/globals';
import { accepted, after, cancelled, decideOn, dispatched, news, rescheduled } from '../testing/facts.ts';
import { NOW, TENANT } from '../testing/samples.ts';

describe('a forecast', () => {
  test('is known by its acceptance, cancellation or dispatch, whichever arrives first', () => {
    const { forecast } = after(cancelled, accepted);
    expect(forecast).toEqual({
      tenantId: TENANT,
      forecastNo: 'FC1',
      poNumber: 'PO-1',
      forecastId: 1,
      furtherNumbers: [],
      acceptedAt: NOW,
      cancelledAt: NOW + 1,
    });
    expect(after(accepted, cancelled).forecast).toEqual(forecast);
    expect(after(dispatched).forecast).toMatchObject({ forecastId: 0, acceptedAt: NOW, cancelledAt: null });
  });

  test('keeps the time of its first cancellation', () => {
    expect(decideOn(after(cancelled), { ...cancelled, at: NOW + 9 }).writes).toEqual([]);
  });
});

describe('a poll', () => {
  test('gives the shipment back with its next time and its failures', () => {
    const [write] = decideOn(after(dispatched), rescheduled(NOW + 500, {}, 3)).writes;
    expect(write).toMatchObject({ isLeaseEnded: true, after: { shipment: { nextPollAt: NOW + 500, failures: 3 } } });
    expect(decideOn(after(dispatched), rescheduled(null)).writes[0]?.after.shipment?.nextPollAt).toBeNull();
  });

  test('begun before news leaves the shipment due', () => {
    const [write, ...others] = decideOn(after(dispatched), news, rescheduled(NOW + 500)).writes;
    expect(write).toMatchObject({ isLeaseEnded: true, after: { shipment: { nextPollAt: NOW + 3, wakes: 1 } } });
    expect(others).toEqual([]);
  });
});

test('the end of a poll that is the last one says so', () => {
  expect(decideOn(after(dispatched), rescheduled(null)).outcomes[0]).toMatchObject({ endsWatch: true });
  expect(decideOn(after(dispatched), rescheduled(NOW + 500)).outcomes[0]).not.toHaveProperty('endsWatch');
});
