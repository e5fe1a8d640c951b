import { expect, test } from '@jest/globals';
import { type Delivery, deliveryStatuses } from '@parcelway/contracts/webhook-delivery-api';
import { sharesOf, successRate } from './delivery-shares.ts';

const of = (...statuses: string[]): Delivery[] => statuses.map((status) => ({ status, test: false }) as Delivery);

test('deliveries are counted by status; test events are not', () => {
  const tests = [{ status: 'failed', test: true } as Delivery];
  expect(sharesOf([...of('failed', 'succeeded', 'succeeded', 'held'), ...tests])).toEqual([
    { status: 'succeeded', count: 2 },
    { status: 'failed', count: 1 },
    { status: 'held', count: 1 },
  ]);
  expect(
    sharesOf(of(...deliveryStatuses))
      .map(({ status }) => status)
      .sort(),
  ).toEqual([...deliveryStatuses].sort());
});

test('the rate is of those with a result', () => {
  expect(successRate(sharesOf(of('succeeded', 'succeeded', 'succeeded', 'failed', 'pending')))).toBe(0.75);
  expect(successRate(sharesOf(of('pending', 'held')))).toBeUndefined();
});
