import { expect, test } from '@jest/globals';
import { optInEventTypes, standardEventTypes } from '@parcelway/contracts/webhook-event-types';
import { streamOf, streamsOf } from './event-stream.ts';

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
