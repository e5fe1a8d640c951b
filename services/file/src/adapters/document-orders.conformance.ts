import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { DocumentOrder } from '../domain/forecast-documents.ts';
import type { DocumentOrders, LeasedOrder } from '../ports.ts';
import { orderOf } from '../testing/document-content.ts';

/** A store of orders under test. */
export interface DocumentOrdersDriver {
  readonly orders: DocumentOrders;
  close(): Promise<void>;
}

/**
 * What every driver of the store of orders must do.
 * @param open a driver with an empty store
 */
export function describeDocumentOrders(name: string, open: () => Promise<DocumentOrdersDriver>): void {
  describe(`document orders: ${name}`, () => {
    let driver: DocumentOrdersDriver;
    let orders: DocumentOrders;
    beforeEach(async () => {
      driver = await open();
      orders = driver.orders;
    });
    afterEach(() => driver.close());

    const put = (now: number, changes: Partial<DocumentOrder> = {}): Promise<void> => orders.put(orderOf(changes), now);
    const leaseNow = async (now = 100, until = 200): Promise<LeasedOrder> => {
      const leased = await orders.lease('tnt_1', now, until);
      if (leased === undefined) throw new Error('No order is due');
      return leased;
    };

    test('keeps an order as it is until it is finished', async () => {
      const order = orderOf({ items: undefined, traceparent: undefined, dueDate: null });
      await orders.put(order, 10);
      await put(11, { tenantId: 'tnt_2', forecastNo: 'FC2' });
      const leased = await leaseNow();
      expect(leased).toEqual({ order: JSON.parse(JSON.stringify(order)), lease: expect.any(String), orderedAt: 10, defects: 0 });
      expect(await orders.count()).toBe(2);
      await orders.finish(leased);
      expect(await orders.count()).toBe(1);
      expect((await orders.lease('tnt_2', 100, 200))?.order).toEqual(orderOf({ tenantId: 'tnt_2', forecastNo: 'FC2' }));
    });

    test('leases the order that is due longest, each once, until the lease runs out', async () => {
      await put(12, { forecastNo: 'FC-C' });
      await put(10, { forecastNo: 'FC-A' });
      await put(11, { forecastNo: 'FC-B' });
      const leased = [await leaseNow(12, 50), await leaseNow(12, 60), await leaseNow(12, 70)];
      expect(leased.map(({ order }) => order.forecastNo)).toEqual(['FC-A', 'FC-B', 'FC-C']);
      expect(await orders.lease('tnt_1', 49, 200)).toBeUndefined();
      expect((await leaseNow(50)).order.forecastNo).toBe('FC-A');
    });

    test('does not lease what is not due, and names only tenants who have something due', async () => {
      await put(10, { tenantId: 'tnt_1' });
      await put(20, { tenantId: 'tnt_2' });
      await put(10, { tenantId: 'tnt_3' });
      expect(await orders.lease('tnt_2', 19, 200)).toBeUndefined();
      const next = (after: string, now: number) => orders.nextTenant(after, now);
      expect([await next('', 15), await next('tnt_1', 15), await next('tnt_1', 20)]).toEqual(['tnt_1', 'tnt_3', 'tnt_2']);
      expect([await next('tnt_3', 20), await next('', 9)]).toEqual([undefined, undefined]);
    });

    test('leases an order to one of many who ask at the same time', async () => {
      await put(10);
      const leases = await Promise.all(Array.from({ length: 8 }, () => orders.lease('tnt_1', 10, 200)));
      expect(leases.filter((leased) => leased !== undefined)).toHaveLength(1);
    });

    test('gives an order back at the time and with the failures that are given', async () => {
      await put(10);
      await orders.postpone(await leaseNow(10), { dueAt: 300, defects: 2 });
      expect(await orders.lease('tnt_1', 299, 400)).toBeUndefined();
      expect(await leaseNow(300, 400)).toMatchObject({ orderedAt: 10, defects: 2 });
    });

    test('lets no one who has lost the lease postpone or finish the order', async () => {
      await put(10);
      const lost = await leaseNow(10, 50);
      const held = await leaseNow(50, 90);
      await orders.finish(lost);
      await orders.postpone(lost, { dueAt: 0, defects: 9 });
      expect([await orders.count(), await orders.lease('tnt_1', 89, 200)]).toEqual([1, undefined]);
      await orders.finish(held);
      expect(await orders.count()).toBe(0);
    });

    test('keeps the newer of two versions, also when the older one is worked on', async () => {
      await put(10, { version: 1 });
      const older = await leaseNow(10, 500);
      await put(20, { version: 2 });
      await orders.finish(older);
      await orders.postpone(older, { dueAt: 1000, defects: 3 });
      await put(30, { version: 1 });
      const newer = await leaseNow(20, 500);
      expect(newer).toMatchObject({ order: { version: 2 }, orderedAt: 20, defects: 0 });
      await put(40, { version: 2 });
      expect(await orders.lease('tnt_1', 40, 500)).toBeUndefined();
      await orders.finish(newer);
      expect(await orders.count()).toBe(0);
    });

    test('keeps an order under a lease that is given with it', async () => {
      const leased = await orders.putLeased(orderOf(), 10, 50, 'mine');
      expect(leased).toEqual({ order: orderOf(), lease: 'mine', orderedAt: 10, defects: 0 });
      expect(await orders.lease('tnt_1', 49, 200)).toBeUndefined();
      if (leased !== undefined) await orders.finish(leased);
      expect(await orders.count()).toBe(0);
      await orders.putLeased(orderOf(), 10, 50, 'mine');
      expect((await leaseNow(50)).order).toEqual(JSON.parse(JSON.stringify(orderOf())));
    });

    test('leases a version that is kept already only to who gives it again under the same lease', async () => {
      await orders.putLeased(orderOf({ version: 2 }), 10, 50, 'mine');
      expect(await orders.putLeased(orderOf({ version: 2 }), 20, 90, 'another')).toBeUndefined();
      expect(await orders.putLeased(orderOf({ version: 1 }), 20, 90, 'mine')).toBeUndefined();
      expect(await orders.putLeased(orderOf({ version: 2 }), 20, 90, 'mine')).toMatchObject({ lease: 'mine' });
      expect(await orders.lease('tnt_1', 89, 200)).toBeUndefined();
      const newer = await orders.putLeased(orderOf({ version: 3 }), 30, 90, 'another');
      expect(newer).toMatchObject({ order: { version: 3 }, lease: 'another' });
      await put(40, { version: 4 });
      expect((await leaseNow(40)).order.version).toBe(4);
    });

    test('keeps one order of a forecast that comes several times at once: the newest', async () => {
      await Promise.all([3, 1, 4, 2, 4].map((version) => put(10, { version })));
      expect(await orders.count()).toBe(1);
      expect((await leaseNow()).order.version).toBe(4);
    });
  });
}
