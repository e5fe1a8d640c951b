import { expect, test } from '@jest/globals';
import { optInEventTypes, standardEventTypes } from '@parcelway/contracts/webhook-event-types';
import { beginsParcel, streamOf, streamsOf } from './event-stream.ts';

test('what everybody gets is one stream, what has to be named another', () => {
  expect(standardEventTypes.map(streamOf)).toEqual(['standard', 'standard']);
  expect(new Set(optInEventTypes.map(streamOf))).toEqual(new Set(['opt_in']));
  expect([streamOf('endpoint.disabled'), streamOf('endpoint.test')]).toEqual(['standard', 'standard']);
});

test('types are looked for in their streams alone', () => {
  expect(streamsOf(null)).toEqual(['standard']);
  expect(streamsOf(['tracking.changed', 'parcel.weighed', 'endpoint.disabled'])).toEqual(['standard']);
  expect(streamsOf(['parcel.arrived', 'forecast.accepted'])).toEqual(['opt_in']);
  expect(streamsOf(['parcel.arrived', 'parcel.weighed', 'parcel.put_away'])).toEqual(['opt_in', 'standard']);
});

test('an acceptance of these minutes begins its parcel; an older one may come behind others', () => {
  const now = 1_000_000_000;
  const isFirst = (type: 'forecast.accepted' | 'parcel.arrived', ageMs: number) => beginsParcel({ type, occurredAt: now - ageMs }, now);
  expect([isFirst('forecast.accepted', 599_999), isFirst('forecast.accepted', 600_000), isFirst('parcel.arrived', 0)]).toEqual([
    true,
    false,
    false,
  ]);
});
