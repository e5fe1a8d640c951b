import { expect, test } from '@jest/globals';
import { waitingReasons } from '@parcelway/contracts/unclaimed-api';
import { unclaimedReasons } from '../../expected/domain/match.ts';
import { acceptedForecast } from '../../testing/samples.ts';
import { candidatesOf, reasonsShownAs, shownReason } from './event-outcome.ts';

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
