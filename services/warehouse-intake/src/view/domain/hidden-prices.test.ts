import { expect, test } from '@jest/globals';
import { viewItem } from '../../testing/view-samples.ts';
import { shownItem } from './hidden-prices.ts';

test('a warehouse sees everything of an item but its price', () => {
  const item = viewItem({ forecast_price: 3.5 });
  expect(shownItem(item, false)).toEqual({ ...item, forecast_price: undefined });
  expect(shownItem(item, false)).not.toHaveProperty('forecast_price');
});

test('it sees the price where the operator allows it', () => {
  const item = viewItem({ forecast_price: 3.5 });
  expect(shownItem(item, true)).toBe(item);
});
