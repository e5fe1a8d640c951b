import { expect, test } from '@jest/globals';
import { receivedDifferences } from './received.ts';

const items = (...list: readonly (readonly [string, number])[]) =>
  list.map(([sku_code, forecast_quantity]) => ({ sku_code, forecast_quantity }));
const count = (...list: readonly (readonly [string, number])[]) => list.map(([skuCode, quantity]) => ({ skuCode, quantity }));

test.each([
  ['all as forecast', items(['A', 2]), count(['A', 2]), ['A 2 2']],
  ['several items of one SKU are one', items(['A', 2], ['B', 1], ['A', 3]), count(['A', 4], ['B', 1]), ['A 5 4', 'B 1 1']],
  ['a SKU that is not forecast comes last', items(['B', 1]), count(['A', 2], ['B', 1]), ['B 1 1', 'A 0 2']],
  ['a SKU that is not counted was not received', items(['A', 2], ['B', 1]), count(['B', 1]), ['A 2 0', 'B 1 1']],
  ['SKUs are exact', items(['a', 2]), count(['A', 2]), ['a 2 0', 'A 0 2']],
  ['names of objects are SKUs too', items(['__proto__', 2]), count(['constructor', 1]), ['__proto__ 2 0', 'constructor 0 1']],
  ['no count', items(['A', 2]), undefined, []],
])('%s', (_name, forecast, received, expected) => {
  const found = receivedDifferences(forecast, received);
  expect(found.map(({ skuCode, forecastQuantity, receivedQuantity }) => `${skuCode} ${forecastQuantity} ${receivedQuantity}`)).toEqual(
    expected,
  );
});
