import { expect, test } from '@jest/globals';
import { takesDispatch } from './takes-dispatch.ts';

test('goods of type 2 leave the warehouse with a carrier, those of type 1 stay', () => {
  expect([takesDispatch({ forecastType: 1 }), takesDispatch({ forecastType: 2 })]).toEqual([false, true]);
});
