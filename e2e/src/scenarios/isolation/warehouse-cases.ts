import { expect } from '@jest/globals';
import type { WarehouseForecastDetail, WarehouseForecastList } from '@parcelway/contracts/warehouse-view-api';
import { newPoNumber } from '@parcelway/harness/merchant';
import { callRoute, expectRoute, type RouteCall } from '@parcelway/harness/route-call';
import type { WarehouseClerk } from '@parcelway/harness/warehouse';
import type { Cases, Neighbours } from './neighbours.ts';

/** What another warehouse has: forecasts, events and unclaimed parcels. */
export function warehouseCases(neighbours: Neighbours): Cases {
  const { stage, owner, stranger, otherWarehouse, owned, likeMissing } = neighbours;

  /** What the owner's warehouse sees, once it sees the owner's parcel as weighed. */
  async function seen(): Promise<{ readonly list: WarehouseForecastList; readonly detail: WarehouseForecastDetail }> {
    const detail = await stage.clerk.untilForecast(owned.forecast_no, ({ status }) => status === 3, 'its weighing');
    return { detail, list: await stage.clerk.forecasts({ tenant_id: owner.identity.tenantId, status: 'WEIGHED' }) };
  }

  /** An event that waits at a warehouse. */
  async function waitingEvent(clerk: WarehouseClerk = stage.clerk) {
    const event = clerk.weighing({ express_no: newPoNumber('EXP') });
    await clerk.report(event);
    return event as { readonly event_id: string; readonly express_no: string };
  }

  /** Another warehouse's call on an event that waits gets a response like one on an event that nobody has reported; and it still waits. */
  async function onWaiting(id: string, callOf: (eventId: string) => RouteCall): Promise<void> {
    const { event_id } = await waitingEvent();
    const [found, missing] = [
      await callRoute(otherWarehouse.client, id, callOf(event_id)),
      await callRoute(otherWarehouse.client, id, callOf('none')),
    ];
    expect([found.status, found.code, found.message, found.data]).toEqual([404, '40403', missing.message, missing.data]);
    expect((await stage.clerk.outcome(event_id)).state).toBe('waiting');
    // The key of a merchant is none of a warehouse.
    expect((await callRoute(stranger.client, id, callOf(event_id))).code).toBe('40301');
  }

  /** Route id → what is tried. */
  return {
    listWarehouses: async () => {
      // Warehouses are the platform's and the same for all; nothing of a tenant is in the list.
      const [mine, theirs] = [await expectRoute(owner.client, 'listWarehouses'), await expectRoute(stranger.client, 'listWarehouses')];
      expect(theirs).toEqual(mine);
    },
    getOwnWarehouse: async () => {
      expect(await expectRoute(otherWarehouse.client, 'getOwnWarehouse')).toMatchObject({ code: otherWarehouse.code });
      expect(await expectRoute(stage.clerk.client, 'getOwnWarehouse')).toMatchObject({ code: stage.clerk.code });
    },
    listWarehouseCarriers: async () => {
      // Codes alone, the same for all: nothing says who has connected them.
      const [mine, theirs] = await Promise.all(
        [stage.clerk, otherWarehouse].map(({ client }) => expectRoute<object>(client, 'listWarehouseCarriers')),
      );
      expect([theirs, Object.keys(mine ?? {})]).toEqual([mine, ['carriers']]);
      expect((await callRoute(stranger.client, 'listWarehouseCarriers')).code).toBe('40301');
    },
    reportEvents: async () => {
      // A warehouse reports for itself only, and moves no parcel that is meant for another.
      const { forecast_no, po_number } = owned;
      const asOther = otherWarehouse.event({ type: 'processing', forecast_no, warehouse_code: stage.clerk.code });
      expect((await otherWarehouse.post(asOther)).data.rejected).toEqual([expect.objectContaining({ code: '40301' })]);
      const event = otherWarehouse.event({ type: 'processing', forecast_no });
      await otherWarehouse.report(event);
      type Unclaimed = { parcels: Array<{ event_id: unknown; reason: string }> };
      const { parcels } = await stage.operator.admin.expectOk<Unclaimed>('/admin/v1/unclaimed?limit=1000');
      expect(parcels.find((parcel) => parcel.event_id === event.event_id)?.reason).toBe('warehouse_mismatch');
      expect((await owner.forecast(po_number)).status).toBe(3);
      // The same event_id of two warehouses is two events.
      const shared = { event_id: newPoNumber('event'), express_no: newPoNumber('EXP') };
      await stage.clerk.report(stage.clerk.weighing(shared));
      expect(await otherWarehouse.report(otherWarehouse.weighing(shared))).toMatchObject({ accepted: 1, duplicates: 0 });
    },
    getEventOutcome: () => onWaiting('getEventOutcome', (event_id) => ({ path: { event_id } })),
    listUnclaimed: async () => {
      const event = await waitingEvent();
      expect((await stage.clerk.unclaimed()).map(({ id }) => id)).toContain(event.event_id);
      expect(await otherWarehouse.unclaimed()).not.toContainEqual(expect.objectContaining({ express_no: event.express_no }));
      // A cursor of one warehouse is refused at another, as one that was never given out.
      await stage.clerk.report(stage.clerk.weighing({ express_no: newPoNumber('EXP') }));
      const { next_cursor } = await expectRoute<{ next_cursor: string }>(stage.clerk.client, 'listUnclaimed', { query: { limit: 1 } });
      const [stolen, invented] = await Promise.all(
        [next_cursor, 'cinvented'].map((cursor) => callRoute(otherWarehouse.client, 'listUnclaimed', { query: { cursor } })),
      );
      expect(stolen).toMatchObject({ status: 422, code: '42201' });
      expect(stolen?.data).toEqual(invented?.data);
    },
    claimUnclaimed: async () => {
      const body = { forecast_no: owned.forecast_no };
      await onWaiting('claimUnclaimed', (id) => ({ path: { id }, body }));
      // A forecast of another warehouse gets a response like none.
      const { event_id } = await waitingEvent(otherWarehouse);
      const [foreign, none] = [
        await otherWarehouse.claim(event_id, owned.forecast_no),
        await otherWarehouse.claim(event_id, 'FC000000NONE'),
      ];
      expect([foreign.code, foreign.message, foreign.data]).toEqual(['40403', none.message, none.data]);
    },
    dismissUnclaimed: () => onWaiting('dismissUnclaimed', (id) => ({ path: { id }, body: { reason: 'Not ours' } })),
    listWarehouseForecasts: async () => {
      const { list } = await seen();
      const [own, theirs] = [list.next_cursor, await otherWarehouse.forecasts()];
      expect(theirs).toEqual({ forecasts: [], next_cursor: expect.any(String), has_more: false });
      const queries: Readonly<Record<string, string>>[] = [
        { status: '1,2,3,4,5,6,7' },
        { tenant_id: owner.identity.tenantId },
        { updated_from: '2026-01-01T00:00:00Z' },
      ];
      for (const query of queries) expect((await otherWarehouse.forecasts(query)).forecasts).toEqual([]);
      // A cursor of one warehouse is refused to another, as one that was never given out.
      const [stolen, invented] = await Promise.all(
        [own, 'invented'].map((cursor) => callRoute(otherWarehouse.client, 'listWarehouseForecasts', { query: { cursor } })),
      );
      expect(stolen).toMatchObject({ status: 422, code: '42201' });
      expect(stolen?.data).toEqual(invented?.data);
    },
    getWarehouseForecast: async () => {
      await seen();
      const as = (forecast_no: string): RouteCall => ({ path: { forecast_no } });
      await likeMissing('getWarehouseForecast', as(owned.forecast_no), as('FC000000NOBODYS'), '40403', otherWarehouse.client);
    },
    lookUpScan: async () => {
      const { detail } = await seen();
      const { forecast_no, po_number, trackingNumber } = owned;
      const label = JSON.stringify({ forecast_no, po_number, warehouse_code: stage.clerk.code });
      for (const scan of [forecast_no, po_number, trackingNumber, label, ...detail.items.map(({ sku_code }) => sku_code)]) {
        const found = await stage.clerk.lookUp(scan);
        expect(found.candidates.map(({ forecast }) => forecast.forecast_no)).toContain(forecast_no);
        const theirs = await otherWarehouse.lookUp(scan);
        expect(theirs).toEqual({ scan, candidates: [], has_more: false });
      }
    },
  };
}
