import { expect, test } from '@jest/globals';
import { ApiFailure } from '@parcelway/page/api/failure';
import { candidateOf, detailWith, waitingWith } from '../testing/parcels.ts';
import { type UnclaimedCalls, unclaimedResponse } from './unclaimed-desk.ts';

const resolved = { action: 'claim', forecast_no: 'FC1', reason: null, events: 3, resolved_at: '', resolved_by: 'key' } as const;

/** Calls of a platform that knows the forecasts of these numbers. */
function callsTo(...known: string[]): UnclaimedCalls {
  return {
    listUnclaimed: async (cursor) => ({ parcels: [waitingWith()], next_cursor: `after ${cursor}` }),
    claim: async (id) => ({ id, ...resolved }),
    dismiss: async () => {
      throw new ApiFailure('40902', { detail: 'before', data: { action: 'claim' } });
    },
    lookUp: async (scan) => ({ scan, candidates: [candidateOf(detailWith(), 'po_number')], has_more: true }),
    async read(forecast_no) {
      if (!known.includes(forecast_no)) throw new ApiFailure(forecast_no === 'OUT' ? 'offline' : '40403');
      return detailWith({ forecast_no });
    },
  };
}

const parcel = (...candidates: string[]) => ({ id: 'e1', number: 'SF1', reason: 'ambiguous', reports: [], candidates }) as const;

test('each question is put to its route', async () => {
  const calls = callsTo('FC1');
  expect(await unclaimedResponse(calls, { ask: 'page', cursors: ['a', 'b'] })).toMatchObject({
    page: { cursors: ['a', 'b'], next: 'after b' },
  });
  expect(await unclaimedResponse(calls, { ask: 'lookup', scan: 'PO-1' })).toMatchObject({
    choices: [{ matchedBy: 'po_number' }],
    hasMore: true,
  });
  expect(await unclaimedResponse(calls, { ask: 'read', forecastNo: 'FC1' })).toMatchObject({ forecast: { forecast_no: 'FC1' } });
  expect(await unclaimedResponse(calls, { ask: 'claim', id: 'e1', forecastNo: 'FC1' })).toEqual({ of: 'done', events: 3 });
});

test('a candidate that has gone is left out', async () => {
  const response = await unclaimedResponse(callsTo('FC1', 'FC3'), { ask: 'candidates', parcel: parcel('FC1', 'FC2', 'FC3') });
  expect(response).toMatchObject({ choices: [{ forecast: { forecast_no: 'FC1' } }, { forecast: { forecast_no: 'FC3' } }], hasMore: false });
});

test('a failure is a response, too', async () => {
  expect(await unclaimedResponse(callsTo(), { ask: 'dismiss', id: 'e1', reason: 'x' })).toEqual({
    of: 'failure',
    code: '40902',
    message: 'before',
    data: { action: 'claim' },
    offline: false,
  });
  expect(await unclaimedResponse(callsTo(), { ask: 'candidates', parcel: parcel('OUT') })).toMatchObject({
    of: 'failure',
    offline: true,
  });
});
