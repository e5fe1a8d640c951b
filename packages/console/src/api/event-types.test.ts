import { expect, test } from '@jest/globals';
import { feedEventTypes, sentEventTypes, standardEventTypes, tenantEventTypes } from '@parcelway/contracts/webhook-event-types';
import { askedTypes, feedTypes, standardTypes, subscribableTypes, testableTypes } from './event-types.ts';

test.each([
  ['', 'every type of the feed', feedEventTypes.join(',')],
  ['parcel.arrived', 'that type alone', 'parcel.arrived'],
  ['standard', 'what the feed shows unasked', ''],
])('the choice %j asks for %s', (choice, _what, asked) => {
  expect(askedTypes(choice)).toBe(asked);
});

test('the types on offer are those of the contract', () => {
  expect(standardTypes).toEqual([...standardEventTypes]);
  expect(subscribableTypes).toEqual([...tenantEventTypes]);
  expect([...new Set([...testableTypes, ...feedTypes])].sort()).toEqual([...sentEventTypes].sort());
});
