import { expect, test } from '@jest/globals';
import { isTerminalAdminStatus } from '@parcelway/contracts/admin-status';
import { EMPTY_TRACE } from '../trace.ts';
import { adminStatusOfEasyPost, easyPostStatuses, translateEasyPost } from './translation.ts';

const parcel = { trackingNumber: 'ASKED', dispatchedAt: Date.parse('2026-11-02T10:00:00Z') };

test.each([...easyPostStatuses.keys()])('an unknown detail of %s counts as its status, and is final for a delivery alone', (code) => {
  for (const detail of ['beamed_up', 'constructor', '__proto__']) {
    const { adminStatus, isKnown } = adminStatusOfEasyPost(code, detail);
    expect([isKnown, isTerminalAdminStatus(adminStatus)]).toEqual([false, code === 'delivered']);
    expect(adminStatus).toBe(code === 'cancelled' ? 'Exception' : easyPostStatuses.get(code)?.adminStatus);
  }
});

test('a Tracker without a list of rows is empty, and one with something else is refused', () => {
  for (const tracking_details of [undefined, null])
    expect(translateEasyPost({ object: 'Tracker', tracking_details }, parcel)).toEqual(EMPTY_TRACE);
  expect(() => translateEasyPost({ object: 'Tracker', tracking_details: {} }, parcel)).toThrow('no list');
});
