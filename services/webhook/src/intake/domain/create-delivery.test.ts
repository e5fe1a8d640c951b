import { expect, test } from '@jest/globals';
import { eventFor, T0 } from '../../testing/webhook-fixtures.ts';
import { createDelivery } from './create-delivery.ts';

test('a new delivery waits for its first attempt, a held one for nothing', () => {
  const event = eventFor('tnt_one', 'FC1', { eventId: 'evt_1' });
  expect(createDelivery(event, 'ep_1', { deliveryId: 'dlv_1', status: 'pending', nextAttemptAt: T0 + 5 }, T0)).toEqual({
    tenantId: 'tnt_one',
    deliveryId: 'dlv_1',
    endpointId: 'ep_1',
    eventId: 'evt_1',
    eventType: 'parcel.weighed',
    poNumber: 'PO',
    status: 'pending',
    attemptCount: 0,
    step: 0,
    test: false,
    nextAttemptAt: T0 + 5,
    nextReason: 'first',
    lastStatusCode: null,
    createdAt: T0,
  });
  const held = createDelivery(event, 'ep_1', { deliveryId: 'dlv_1', status: 'held', nextAttemptAt: null }, T0);
  expect([held.nextAttemptAt, held.nextReason]).toEqual([null, null]);
});
