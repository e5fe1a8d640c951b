import { describe, expect, test } from '@jest/globals';
import { adminStatuses } from '@parcelway/contracts/admin-status';
import { adminStatusOf } from './carrier-status.ts';

describe('adminStatusOf', () => {
  test.each([
    ['delivered', 'Delivery Success'],
    ['ATTEMPT_FAILED', 'Delivery Attempted'],
    ['Delivery attempt failed', 'Delivery Attempted'],
    ['returning', 'Returning'],
    ['Return to sender', 'Returning'],
    ['returned', 'Parcel Return to Origin'],
    ['out-for-delivery', 'In Delivery'],
    ['delivery  failed', 'Delivery Failure'],
    ['customs', 'Customs Clearance'],
  ])('takes %p for %p', (status, admin) => {
    expect(adminStatusOf(status)).toBe(admin);
  });

  test.each(adminStatuses)('knows %p by its own name, in any writing', (status) => {
    expect(adminStatusOf(status)).toBe(status);
    expect(adminStatusOf(status.toUpperCase().replaceAll(' ', '_'))).toBe(status);
  });

  test.each(['', 'teleported', 'constructor', '__proto__', 'deliveredx'])('does not know %p', (status) => {
    expect(adminStatusOf(status)).toBeUndefined();
  });
});
