import { expect, test } from '@jest/globals';
import { feedEventTypes } from '@parcelway/contracts/webhook-event-types';
import { askedTypes } from './event-types.ts';

test.each([
  ['all', 'every type of the feed', feedEventTypes.join(',')],
  ['parcel.arrived', 'that type alone', 'parcel.arrived'],
  ['', 'what the feed shows unasked', ''],
])('the choice %j asks for %s', (choice, _what, asked) => {
  expect(askedTypes(choice)).toBe(asked);
});
