import { describe, expect, test } from '@jest/globals';
import type { SourceParcel } from '../trace.ts';
import { translateDhl } from './translation.ts';

const parcel: SourceParcel = { trackingNumber: '9901234567', dispatchedAt: Date.UTC(2026, 10, 20) };
const row = (fields: object) => ({ timestamp: '2026-11-25T08:00:00+01:00', statusCode: 'transit', status: 'On its way', ...fields });

describe('trap 10: times', () => {
  const at = (timestamp: unknown, place: object, shipment: object = {}) =>
    translateDhl({ id: '1', ...shipment, events: [row({ timestamp, ...place })] }, parcel).nodes[0];
  const inCountry = (countryCode: string, addressRegion?: string) => ({ location: { address: { countryCode, addressRegion } } });

  test('keep an offset, with any fraction of a second', () => {
    const node = at('2026-11-25T15:27:20.331986369+01:00', inCountry('CN'));
    expect(node).toMatchObject({ createTime: '2026-11-25 15:27:20', times: '(GMT+01:00)', zoneBasis: 'given' });
    expect(at('2026-11-25T15:27:20+00:00', inCountry('DE'))).toMatchObject({ times: '(GMT+00:00)', zoneBasis: 'given' });
  });

  test('with Z are local where the place has one zone', () => {
    const createTime = '2026-11-25 15:27:20';
    for (const text of ['2026-11-25T15:27:20Z', '2026-11-25T15:27:20.331Z', ' 2026-11-25T15:27:20 Z ']) {
      expect(at(text, inCountry('DE'))).toMatchObject({ createTime, times: '(GMT+01:00)', zoneBasis: 'derived' });
      expect(at(text, inCountry('US', 'CA'))).toMatchObject({ createTime, times: '(GMT-08:00)', zoneBasis: 'derived' });
    }
  });

  test('with Z are assumed to be UTC elsewhere', () => {
    const expected = { createTime: '2026-11-25 15:27:20', times: '(GMT+00:00)', zoneBasis: 'assumed' };
    const domestic = { origin: { address: { countryCode: 'DE' } }, destination: { address: { countryCode: 'DE' } } };
    for (const place of [{}, inCountry('US'), inCountry('US', 'TX'), inCountry('XX'), inCountry('Germany')])
      for (const shipment of [{}, domestic]) expect(at('2026-11-25T15:27:20Z', place, shipment)).toMatchObject(expected);
  });

  test('with Z and an offset, or with Z alone, do not exist', () => {
    for (const text of ['2026-11-25T15:27:20+01:00Z', '2026-11-25T15:27:20ZZ', '2026-02-30T15:27:20Z', 'Z', `${' '.repeat(1e6)}Z`])
      expect(at(text, inCountry('DE'))).toBeUndefined();
  });

  test('without an offset have that of the place of the row', () => {
    const time = '2026-11-25T08:30:00';
    expect(at(time, inCountry('de'))).toMatchObject({ times: '(GMT+01:00)', zoneBasis: 'derived' });
    expect(at(time, inCountry('US', 'CA'))).toMatchObject({ times: '(GMT-08:00)', zoneBasis: 'derived' });
    expect(at(time, inCountry('US'))).toMatchObject({ times: '(GMT-05:00)', zoneBasis: 'assumed' });
  });

  test('without an offset and a country are assumed from the shipment', () => {
    const time = '2026-11-25T08:30:00';
    const shipment = { origin: { address: { countryCode: 'CN' } }, destination: { address: { countryCode: 'DE' } } };
    const code = (statusCode: string) => ({ statusCode });
    expect(at(time, code('pre-transit'), shipment)).toMatchObject({ times: '(GMT+08:00)', zoneBasis: 'assumed' });
    expect(at(time, code('delivered'), shipment)).toMatchObject({ times: '(GMT+01:00)', zoneBasis: 'assumed' });
    expect(at(time, code('delivered'), { ...shipment, returnFlag: true })).toMatchObject({ times: '(GMT+00:00)', zoneBasis: 'assumed' });
    expect(at(time, code('transit'), shipment)).toMatchObject({ times: '(GMT+00:00)', zoneBasis: 'assumed' });
    expect(at(time, {})).toMatchObject({ times: '(GMT+00:00)', zoneBasis: 'assumed' });
  });

  test('that do not exist cost their row alone', () => {
    const events = [row({ timestamp: '2026-02-30T08:00:00+01:00' }), row({ timestamp: 20261125 }), row({}), row({ timestamp: '' })];
    const trace = translateDhl({ id: '1', events }, parcel);
    expect(trace.leftOut).toEqual(['A row has a time that does not exist', 'A row has a time that does not exist']);
    expect([trace.nodes.length, trace.undated.length]).toEqual([1, 1]);
  });
});
