import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { routes } from '@parcelway/contracts/routes';
import type { WarehouseForecastDetail, WarehouseForecastList, WarehouseLookup } from '@parcelway/contracts/warehouse-view-api';
import type { Delivery } from '@parcelway/contracts/webhook-delivery-api';
import type { ApiResponse } from '@parcelway/harness/api-client';
import { type Merchant, newPoNumber } from '@parcelway/harness/merchant';
import { callRoute, expectRoute, type RouteCall } from '@parcelway/harness/route-call';
import { samplePdf } from '@parcelway/harness/sample-data';
import type { WarehouseClerk } from '@parcelway/harness/warehouse';
import { until } from '@parcelway/kernel/testing/until';
import { Stage } from '../stage.ts';

/*
 * Each public route, tried by one tenant on what belongs to another. What is not one's own gets a response exactly like what
 * does not exist. A route without a case here fails the first test.
 */

let stage: Stage;
let owner: Merchant;
let stranger: Merchant;
let otherWarehouse: WarehouseClerk;
/** What the owner has. */
let owned: {
  readonly po_number: string;
  readonly forecast_no: string;
  readonly trackingNumber: string;
  readonly endpoint_id: string;
  readonly delivery_id: string;
  readonly fileUrl: string;
  readonly photoUrl: string;
};

beforeAll(async () => {
  stage = await Stage.open();
  [owner, stranger, otherWarehouse] = await Promise.all([
    stage.operator.newMerchant(),
    stage.operator.newMerchant(),
    stage.operator.newWarehouse(),
  ]);
  const receiver = await stage.receiver();
  const { endpoint_id } = await owner.createEndpoint({ url: receiver.url });
  const trackingNumber = newPoNumber('TRK');
  const { po_number, forecast_no } = await owner.submit({ trackingNumber });
  await owner.simulate({ po_number, step: 'weigh' });
  await receiver.waitForEvent('parcel.weighed', po_number);
  const log = await expectRoute<{ deliveries: Delivery[] }>(owner.client, 'listDeliveries', { path: { endpoint_id } });
  const [image] = (await owner.weighing(po_number)).weighing_images;
  owned = {
    po_number,
    forecast_no,
    trackingNumber,
    endpoint_id,
    delivery_id: String(log.deliveries[0]?.delivery_id),
    fileUrl: (await owner.files()).label,
    photoUrl: String(image?.image_url),
  };
}, 60_000);
afterAll(() => stage?.close(), 60_000);

const listOf = (warehouse: WarehouseClerk, query: Readonly<Record<string, string>> = {}): Promise<WarehouseForecastList> =>
  expectRoute<WarehouseForecastList>(warehouse.client, 'listWarehouseForecasts', { query });

/** What the owner's warehouse sees, once it sees the owner's parcel as weighed. */
function seen(): Promise<{ readonly list: WarehouseForecastList; readonly detail: WarehouseForecastDetail }> {
  return until(
    async () => {
      const list = await listOf(stage.clerk, { tenant_id: owner.identity.tenantId, status: 'WEIGHED' });
      if (!list.forecasts.some(({ forecast_no }) => forecast_no === owned.forecast_no)) return undefined;
      const path = { forecast_no: owned.forecast_no };
      return { list, detail: await expectRoute<WarehouseForecastDetail>(stage.clerk.client, 'getWarehouseForecast', { path }) };
    },
    { what: 'the parcel in the list of its warehouse' },
  );
}

/** The stranger's call on the owner's resource has to get a response like the same call on one that nobody has. */
async function likeMissing(id: string, onOwned: RouteCall, onMissing: RouteCall, code: string, by = stranger.client): Promise<void> {
  const comparable = ({ status, code: given, message, data }: ApiResponse<unknown>): unknown => ({ status, code: given, message, data });
  const [found, missing] = [await callRoute(by, id, onOwned), await callRoute(by, id, onMissing)];
  expect(found.code).toBe(code);
  expect(comparable(found)).toEqual(comparable(missing));
  const names = (response: ApiResponse<unknown>): string[] => Object.keys(response.headers).sort();
  expect(names(found)).toEqual(names(missing));
}

function onEndpoint(id: string, body?: unknown): () => Promise<void> {
  const call = (endpoint_id: string): RouteCall => ({ path: { endpoint_id }, ...(body === undefined ? {} : { body }) });
  return async () => {
    const before = await expectRoute(owner.client, 'getEndpoint', { path: { endpoint_id: owned.endpoint_id } });
    const missing = `${owned.endpoint_id.slice(0, -6)}000000`;
    await likeMissing(id, call(owned.endpoint_id), call(missing), '40403');
    expect(await expectRoute(owner.client, 'getEndpoint', { path: { endpoint_id: owned.endpoint_id } })).toEqual(before);
  };
}

function onDelivery(id: string): () => Promise<void> {
  return async () => {
    const { endpoint_id, delivery_id } = owned;
    await likeMissing(id, { path: { endpoint_id, delivery_id } }, { path: { endpoint_id: 'x', delivery_id: 'y' } }, '40403');
    // Nor under an endpoint of one's own.
    const own = await stranger.createEndpoint({ url: 'http://127.0.0.1:9/' });
    const below = { endpoint_id: own.endpoint_id, delivery_id };
    await likeMissing(id, { path: below }, { path: { ...below, delivery_id: 'y' } }, '40403');
    await expectRoute(stranger.client, 'deleteEndpoint', { path: { endpoint_id: own.endpoint_id } });
  };
}

function onQuery(id: string): () => Promise<void> {
  return () => likeMissing(id, { query: { po_number: owned.po_number } }, { query: { po_number: newPoNumber() } }, '40401');
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
const cases: Readonly<Record<string, () => Promise<void>>> = {
  submitForecast: async () => {
    // The same po_number and the same logistics number are free for another tenant, and say nothing of the first.
    const accepted = await stranger.submit({ poNumber: owned.po_number, trackingNumber: owned.trackingNumber, items: 2 });
    expect(accepted.forecast_no).not.toBe(owned.forecast_no);
    expect(await owner.forecast(owned.po_number)).toMatchObject({ forecast_no: owned.forecast_no, item_count: 1 });
    await stranger.cancel(owned.po_number);
    expect((await owner.forecast(owned.po_number)).status).toBe(3);
    const fresh = await stage.operator.newMerchant();
    stranger = fresh;
  },
  listForecasts: async () => {
    for (const query of [{}, { po_number: owned.po_number }, { status: 'WEIGHED' }]) {
      const list = await expectRoute<{ forecasts: unknown[] }>(stranger.client, 'listForecasts', {
        query: query as Record<string, string>,
      });
      expect(list.forecasts).toEqual([]);
    }
  },
  queryWeighing: onQuery('queryWeighing'),
  queryTracking: onQuery('queryTracking'),
  getForecast: () => likeMissing('getForecast', { path: { po_number: owned.po_number } }, { path: { po_number: newPoNumber() } }, '40401'),
  correctForecast: async () => {
    const body = { due_date: '2027-01-01' };
    const [owners, nobodys] = [{ po_number: owned.po_number }, { po_number: newPoNumber() }];
    await likeMissing('correctForecast', { path: owners, body }, { path: nobodys, body }, '40401');
    expect(await owner.forecast(owned.po_number)).toMatchObject({ version: 1, due_date: null });
  },
  cancelForecast: () =>
    likeMissing('cancelForecast', { path: { po_number: owned.po_number } }, { path: { po_number: newPoNumber() } }, '40401'),
  uploadPdf: async () => {
    const content = samplePdf(newPoNumber('same'));
    const mine = await owner.upload('a.pdf', content);
    const theirs = await stranger.upload('a.pdf', content);
    // Whether someone else has the same file is not told.
    expect(theirs.data.deduplicated).toBe(false);
    expect(theirs.data.url).not.toBe(mine.data.url);
  },
  openFile: async () => {
    const refused = await stranger.submitBody({ ...(await stranger.body()), shipping_label: owned.fileUrl });
    expect(refused.code).toBe('42203');
    const guessed = owned.fileUrl.replace(/\/files\/.{4}/, '/files/AAAA');
    expect(await stranger.client.call(guessed)).toMatchObject({ status: 404, code: '40403' });
  },
  openPhoto: async () => {
    expect((await stranger.client.fetchBytes(owned.photoUrl)).status).toBe(200);
    const guessed = owned.photoUrl.replace(/\/photos\/.{4}/, '/photos/AAAA');
    expect(await stranger.client.call(guessed)).toMatchObject({ status: 404, code: '40403' });
  },
  listWarehouses: async () => {
    // Warehouses are the platform's and the same for all; nothing of a tenant is in the list.
    const [mine, theirs] = [await expectRoute(owner.client, 'listWarehouses'), await expectRoute(stranger.client, 'listWarehouses')];
    expect(theirs).toEqual(mine);
  },
  getOwnWarehouse: async () => {
    expect(await expectRoute(otherWarehouse.client, 'getOwnWarehouse')).toMatchObject({ code: otherWarehouse.code });
    expect(await expectRoute(stage.clerk.client, 'getOwnWarehouse')).toMatchObject({ code: stage.clerk.code });
  },
  uploadPhoto: async () => {
    const photo = await stage.clerk.photo();
    const event = otherWarehouse.weighing({ express_no: newPoNumber('EXP'), photo_ids: [photo.photo_id] });
    expect((await otherWarehouse.post(event)).data.rejected).toEqual([expect.objectContaining({ code: '40403' })]);
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
    const [foreign, none] = [await otherWarehouse.claim(event_id, owned.forecast_no), await otherWarehouse.claim(event_id, 'FC000000NONE')];
    expect([foreign.code, foreign.message, foreign.data]).toEqual(['40403', none.message, none.data]);
  },
  dismissUnclaimed: () => onWaiting('dismissUnclaimed', (id) => ({ path: { id }, body: { reason: 'Not ours' } })),
  listWarehouseForecasts: async () => {
    const { list } = await seen();
    const [own, theirs] = [list.next_cursor, await listOf(otherWarehouse)];
    expect(theirs).toEqual({ forecasts: [], next_cursor: expect.any(String), has_more: false });
    const queries: Readonly<Record<string, string>>[] = [
      { status: '1,2,3,4,5,6,7' },
      { tenant_id: owner.identity.tenantId },
      { updated_from: '2026-01-01T00:00:00Z' },
    ];
    for (const query of queries) expect((await listOf(otherWarehouse, query)).forecasts).toEqual([]);
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
      const found = await expectRoute<WarehouseLookup>(stage.clerk.client, 'lookUpScan', { query: { scan } });
      expect(found.candidates.map(({ forecast }) => forecast.forecast_no)).toContain(forecast_no);
      const theirs = await expectRoute<WarehouseLookup>(otherWarehouse.client, 'lookUpScan', { query: { scan } });
      expect(theirs).toEqual({ scan, candidates: [], has_more: false });
    }
  },
  createEndpoint: async () => {
    // Events of the owner go to the owner's endpoints only.
    const receiver = await stage.receiver();
    await stranger.createEndpoint({ url: receiver.url });
    const ownReceiver = await stage.receiver();
    await owner.createEndpoint({ url: ownReceiver.url });
    const mine = await owner.submit({ forecastType: 1 });
    await owner.simulate({ po_number: mine.po_number, step: 'weigh' });
    await ownReceiver.waitForEvent('parcel.weighed', mine.po_number);
    const theirs = await stranger.submit({ forecastType: 1 });
    await stranger.simulate({ po_number: theirs.po_number, step: 'weigh' });
    await receiver.waitForEvent('parcel.weighed', theirs.po_number);
    expect(receiver.received.map((webhook) => webhook.body.data.po_number)).toEqual([theirs.po_number]);
    expect(ownReceiver.received.map((webhook) => webhook.body.data.po_number)).toEqual([mine.po_number]);
  },
  listEndpoints: async () => {
    const list = await expectRoute<{ endpoints: Array<{ endpoint_id: string }> }>(stranger.client, 'listEndpoints');
    expect(list.endpoints.map((endpoint) => endpoint.endpoint_id)).not.toContain(owned.endpoint_id);
  },
  getEndpoint: onEndpoint('getEndpoint'),
  updateEndpoint: onEndpoint('updateEndpoint', { description: 'taken over' }),
  deleteEndpoint: onEndpoint('deleteEndpoint'),
  rotateSecret: onEndpoint('rotateSecret'),
  sendTestEvent: onEndpoint('sendTestEvent'),
  listDeliveries: onEndpoint('listDeliveries'),
  replayDeliveries: onEndpoint('replayDeliveries', { since: '2026-01-01T00:00:00Z', only: 'all' }),
  getDelivery: onDelivery('getDelivery'),
  listAttempts: onDelivery('listAttempts'),
  resendDelivery: onDelivery('resendDelivery'),
  listEvents: async () => {
    type Feed = { events: Array<{ data: { po_number: string } }>; next_cursor: string };
    const has = ({ events }: Feed): boolean => events.some(({ data }) => data.po_number === owned.po_number);
    const mine = await until(
      async () => {
        const page = await expectRoute<Feed>(owner.client, 'listEvents');
        return has(page) ? page : undefined;
      },
      { what: 'the feed of the owner' },
    );
    expect(has(await expectRoute<Feed>(stranger.client, 'listEvents'))).toBe(false);
    // A cursor of one feed is refused in another, as one that was never given out.
    const [stolen, invented] = await Promise.all(
      [mine.next_cursor, 'cinvented'].map((after) => callRoute(stranger.client, 'listEvents', { query: { after } })),
    );
    expect(stolen).toMatchObject({ status: 422, code: '42201' });
    expect(stolen?.data).toEqual(invented?.data);
  },
  listen: async () => {
    const as = (endpoint_id: string): RouteCall => ({ query: { endpoint_id } });
    await likeMissing('listen', as(owned.endpoint_id), as('ep_019ab37d4e507a1b8c2d9e3f4a5b6c7d'), '40403');
    type Heard = { secret: string };
    const [mine, theirs] = [await expectRoute<Heard>(owner.client, 'listen'), await expectRoute<Heard>(stranger.client, 'listen')];
    expect(theirs.secret).not.toBe(mine.secret);
  },
  simulate: async () => {
    const body = (po_number: string): RouteCall => ({ body: { po_number, step: 'process' } });
    await likeMissing('simulate', body(owned.po_number), body(newPoNumber()), '40401');
    expect((await owner.forecast(owned.po_number)).status).toBe(3);
  },
};

test('every route has a case, and every case a route', () => {
  expect(Object.keys(cases).sort()).toEqual(routes.map((route) => route.id).sort());
});

describe('what belongs to another tenant', () => {
  test.each(routes.map((route) => [route.id]))('is out of reach through %s', async (id) => {
    await (cases[id] as () => Promise<void>)();
  });

  test('is never mixed up when both use the same po_number at the same time', async () => {
    const poNumber = newPoNumber();
    const other = await stage.operator.newMerchant();
    await Promise.all([owner.submit({ poNumber, forecastType: 1, items: 1 }), other.submit({ poNumber, forecastType: 1, items: 2 })]);
    await owner.simulate({ po_number: poNumber, step: 'weigh', weight_kg: 1 });
    await other.simulate({ po_number: poNumber, step: 'weigh', weight_kg: 2 });
    const weights = await until(async () => {
      const found = await Promise.all([owner, other].map(async (merchant) => (await merchant.weighing(poNumber)).weight_kg));
      return found.every((weight) => weight !== null) ? found : undefined;
    });
    expect(weights).toEqual([1, 2]);
  });
});
