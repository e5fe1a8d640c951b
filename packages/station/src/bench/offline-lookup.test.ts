import { expect, test } from '@jest/globals';
import { ApiFailure } from '@parcelway/page/api/failure';
import { ExpectedParcels } from '../expected/expected-parcels.ts';
import { candidateOf, forecastWith, listedWith } from '../testing/parcels.ts';
import { lookUpScan } from './offline-lookup.ts';

const expected = new ExpectedParcels();
expected.apply([listedWith()]);
const failing = (code: string) => () => Promise.reject(new ApiFailure(code));

test('the platform is asked first', async () => {
  const candidate = candidateOf(forecastWith({ forecast_no: 'FC002' }));
  const lookUp = async (scan: string) => ({ scan, candidates: [candidate], has_more: true, warnings: [] });
  expect(await lookUpScan(lookUp, expected, 'SF123456')).toEqual({ candidates: [candidate], hasMore: true, offline: false });
});

test.each(['offline', 'timeout', 'unreadable', '42901', '50301'])('after %s the parcels that this device knows are asked', async (code) => {
  const matches = await lookUpScan(failing(code), expected, 'SF123456');
  expect(matches).toMatchObject({ candidates: [{ forecast: { forecast_no: 'FC001' } }], hasMore: false, offline: true });
  expect(await lookUpScan(failing(code), expected, 'SF999999')).toEqual({ candidates: [], hasMore: false, offline: true });
});

test.each(['40301', '42201'])('the code %s is a response: nothing else is asked', async (code) => {
  await expect(lookUpScan(failing(code), expected, 'SF123456')).rejects.toMatchObject({ code });
});
