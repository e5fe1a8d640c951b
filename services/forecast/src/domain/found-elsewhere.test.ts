import { expect, test } from '@jest/globals';
import { factOf, reportAt } from '../testing/fact-histories.ts';
import { foundElsewhere } from './found-elsewhere.ts';

const arrival = factOf('warehouse.arrived', 1);

test('the first report that moves a forecast on says where the parcel is', () => {
  expect(reportAt(1).warehouseCode).toBe('WH1');
  expect(foundElsewhere({ status: 1, warehouseCode: 'WH2' }, arrival, 2)).toBe('WH1');
  expect(foundElsewhere({ status: 1, warehouseCode: 'WH1' }, arrival, 2)).toBeUndefined();
});

test('a later report does not, nor one that leaves the status as it is, nor what no warehouse reports', () => {
  expect(foundElsewhere({ status: 2, warehouseCode: 'WH2' }, factOf('warehouse.weighed', 1), 3)).toBeUndefined();
  expect(foundElsewhere({ status: 1, warehouseCode: 'WH2' }, factOf('warehouse.photographed', 1), 1)).toBeUndefined();
  expect(foundElsewhere({ status: 1, warehouseCode: 'WH2' }, { step: 'tracking.ended', trackingNumber: 'T1' }, 6)).toBeUndefined();
});
