import { describe, expect, test } from '@jest/globals';
import { adminStatuses, terminalAdminStatuses } from '@parcelway/contracts/admin-status';
import { node } from '../testing/samples.ts';
import { isTerminal, latestStatusOf } from './latest-status.ts';

describe('the latest status of a parcel', () => {
  test('is that of its newest node', () => {
    for (const status of adminStatuses) expect(latestStatusOf(node(1, status))).toBe(status);
  });

  test('is empty while it has none, and not final', () => {
    expect(latestStatusOf(undefined)).toBe('');
    expect(isTerminal('')).toBe(false);
  });

  test('is final after a delivery, a failure for good and a return, and otherwise not', () => {
    expect(adminStatuses.filter(isTerminal)).toEqual([...terminalAdminStatuses]);
    expect(terminalAdminStatuses).toEqual(['Delivery Success', 'Delivery Failure', 'Parcel Return to Origin']);
  });

  test('is no longer final when a newer node corrects it', () => {
    const history = [node(2, 'Exception'), node(1, 'Delivery Success')];
    expect(isTerminal(latestStatusOf(history[0]))).toBe(false);
  });
});
