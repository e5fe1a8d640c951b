import { beforeEach, describe, expect, test } from '@jest/globals';
import type { DeliveryStatus, LeasedDelivery } from '../intake/domain/delivery.ts';
import type { AcceptedDelivery } from '../intake/ports.ts';
import type { WebhookStores } from '../ports.ts';
import type { StoresUnderTest } from '../testing/stores-under-test.ts';
import { endpointFor, eventFor, keep, planned, resultOf, T0 } from '../testing/webhook-fixtures.ts';

export function describeLog(under: StoresUnderTest): void {
  describe('log', () => {
    const { accept, acceptOne } = under;
    let stores: WebhookStores;
    beforeEach(() => {
      ({ stores } = under);
    });

    test('lists deliveries by their status, newest first, those that are being sent as pending', async () => {
      const leaseUntil = T0 + 60_000;
      const [succeeded, failed] = [
        await acceptOne(undefined, planned({ leaseUntil })),
        await acceptOne(undefined, planned({ leaseUntil })),
      ];
      const waiting = await acceptOne();
      const sending = await acceptOne(undefined, planned({ leaseUntil }));
      const results = [resultOf(succeeded.leased as LeasedDelivery, 'succeeded'), resultOf(failed.leased as LeasedDelivery, 'failed')];
      await stores.queue.record(results, keep);
      const list = async (status?: DeliveryStatus): Promise<string[]> => {
        const { deliveries } = await stores.log.list('tnt_one', under.endpoint.endpointId, { status, limit: 10, before: null });
        return deliveries.map(({ deliveryId }) => deliveryId);
      };
      const idsOf = (...of: readonly AcceptedDelivery[]): string[] => of.map(({ delivery }) => delivery.deliveryId);
      expect(await list()).toEqual(idsOf(sending, waiting, failed, succeeded));
      expect(await list('pending')).toEqual(idsOf(sending, waiting));
      expect(await list('failed')).toEqual(idsOf(failed));
      expect(await list('succeeded')).toEqual(idsOf(succeeded));
      expect(await list('held')).toEqual([]);
    });

    test('has the body of an event, for its tenant alone', async () => {
      const event = eventFor('tnt_one', 'FC1', { render: () => '{"seq":"ü"}' });
      await accept(event);
      expect(await stores.log.body('tnt_one', event.eventId)).toBe('{"seq":"ü"}');
      expect(await stores.log.body('tnt_two', event.eventId)).toBeUndefined();
      expect(await stores.log.body('tnt_one', 'evt_none')).toBeUndefined();
    });

    test('has the delivery of an event at an endpoint, for its tenant alone', async () => {
      const [endpoint, other] = [endpointFor('tnt_one'), endpointFor('tnt_one')];
      for (const one of [endpoint, other]) await stores.endpoints.insert(one, 10);
      const event = eventFor('tnt_one', 'FC1');
      await accept(event, ({ endpointId }) => (endpointId === endpoint.endpointId ? planned({ deliveryId: 'dlv_a' }) : null));
      const { ofEvent } = stores.log;
      expect(await ofEvent('tnt_one', endpoint.endpointId, event.eventId)).toMatchObject({ deliveryId: 'dlv_a', eventId: event.eventId });
      expect(await ofEvent('tnt_one', other.endpointId, event.eventId)).toBeUndefined();
      expect(await ofEvent('tnt_two', endpoint.endpointId, event.eventId)).toBeUndefined();
      expect(await ofEvent('tnt_one', endpoint.endpointId, 'evt_none')).toBeUndefined();
    });
  });
}
