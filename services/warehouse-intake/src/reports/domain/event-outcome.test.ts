import { expect, test } from '@jest/globals';
import { waitingReasons } from '@parcelway/contracts/unclaimed-api';
import { unclaimedReasons } from '../../expected/domain/match.ts';
import { acceptedForecast } from '../../testing/samples.ts';
import { candidatesOf, reasonsShownAs, shownReason, textOfPosition, waitingPositionIn } from './event-outcome.ts';

test('a warehouse is not shown that a forecast is meant for another one', () => {
  expect(unclaimedReasons.map(shownReason)).toEqual(['no_forecast', 'no_forecast', 'ambiguous', 'takes_no_dispatch']);
});

test('a warehouse asks for reasons as they are shown to it, each in one of the lists', () => {
  expect(reasonsShownAs('no_forecast')).toEqual(['no_forecast', 'warehouse_mismatch']);
  expect(reasonsShownAs(undefined)).toEqual(unclaimedReasons);
  expect(waitingReasons.flatMap((reason) => reasonsShownAs(reason)).toSorted()).toEqual(unclaimedReasons.toSorted());
});

test('candidates are those of the match as it is now', () => {
  expect(candidatesOf({ reason: 'ambiguous', candidates: ['FC1', 'FC2'] })).toEqual(['FC1', 'FC2']);
  expect(candidatesOf({ reason: 'no_forecast' })).toEqual([]);
  expect(candidatesOf({ forecast: acceptedForecast() })).toEqual(['FC1']);
});

test.each([
  { receivedAt: 0, id: '1' },
  { receivedAt: 1_763_712_000_000, id: 'evt_0193a5c0f2b07a1b8c2d9e3f4a5b6c7d' },
])('a position is read back: %p', (position) => expect(waitingPositionIn(textOfPosition(position))).toEqual(position));

test.each(['', '1.2', '2.1.1', '1.x.1', '1.1.evt_1', '1.1.1 ', '1.-1.1', '1.1.$ne', `1.1.${'1'.repeat(16)}`])('%p is none', (text) =>
  expect(waitingPositionIn(text)).toBeUndefined(),
);
