import { describe, expect, test } from '@jest/globals';
import type { CarrierConnection } from '@parcelway/contracts/carrier-connection-api';
import type { ConsoleLink, ConsoleSession } from '@parcelway/contracts/console-api';
import type { ForecastImport } from '@parcelway/contracts/import-api';
import type { KeyCreated } from '@parcelway/contracts/key-api';
import { pathParameters } from '@parcelway/contracts/route';
import { routes } from '@parcelway/contracts/routes';
import type { ApiClient, ApiResponse } from '@parcelway/harness/api-client';
import { newPoNumber } from '@parcelway/harness/merchant';
import { callRoute, expectRoute, type RouteCall } from '@parcelway/harness/route-call';
import { samplePdf, samplePng } from '@parcelway/harness/sample-data';
import { until } from '@parcelway/kernel/testing/until';
import { settled } from '../subscription.ts';
import { useMerchant, useOpened, useStageWithMerchant, useWarehouse } from '../use-stage.ts';

/*
 * Every route, tried by one tenant or warehouse on what belongs to another, in every state. The response is exactly the one to what does not exist, and
 * lists show nothing of the other. A new route fails the first test until it is in one of the tables.
 */

const { stage, merchant: owner } = useStageWithMerchant();
const stranger = useMerchant(stage);
const thief = useWarehouse(stage);

/** A forecast of the owner that a warehouse sees. */
async function submitted(clerk: typeof thief) {
  const trackingNumber = newPoNumber('TRK');
  const accepted = await owner.untilAccepted(await owner.body({ warehouseCode: clerk.code, trackingNumber }));
  await clerk.untilForecast(accepted.forecast_no);
  return { ...accepted, trackingNumber };
}

/** What a warehouse was reported, in every state. @returns ids of the events */
async function reported(forecastNo: string): Promise<string[]> {
  const { clerk } = stage;
  const stray = () => clerk.weighing({ express_no: newPoNumber('LOST') });
  const [applied, waiting, claimed, dismissed] = [clerk.weighing({ forecast_no: forecastNo }), stray(), stray(), stray()];
  const rejected = clerk.weighing({ express_no: newPoNumber('LOST'), weight_kg: -1 });
  await clerk.report(applied, waiting, claimed, dismissed, stray());
  expect((await clerk.post(rejected)).data.rejected).toHaveLength(1);
  expect((await clerk.claim(claimed['event_id'], forecastNo)).code).toBe('0');
  expect((await clerk.dismiss(dismissed['event_id'], 'Sent back')).code).toBe('0');
  return [applied, waiting, claimed, dismissed, rejected].map(({ event_id }) => String(event_id));
}

/** What the owner and its warehouse have: ids by the name of the parameter that takes them, and texts that nothing else contains. */
const owned = useOpened('data of the owner', async () => {
  const { clerk } = stage;
  const receiver = await stage.receiver();
  const { endpoint_id } = await owner.createEndpoint({ url: receiver.url });
  const [present, cancelled, left] = [await submitted(clerk), await submitted(clerk), await submitted(clerk)];
  const events = await reported(present.forecast_no);
  await owner.cancel(cancelled.po_number);
  await owner.simulate({ po_number: left.po_number, step: 'weigh' });
  await owner.simulate({ po_number: left.po_number, step: 'dispatch' });
  await clerk.untilForecast(left.forecast_no, ({ status }) => status === 5, 'status 5');
  const { delivery_id } = await settled(owner, endpoint_id, 'succeeded');
  const image = (await owner.uploadImage('a.png', samplePng(newPoNumber('image')))).data;
  const added = await expectRoute<{ id: number }>(owner.client, 'addForecastImage', {
    path: { po_number: present.po_number },
    body: { image_id: image.image_id, image_type: 'product' },
  });
  const connection = { source: 'dhl', carriers: ['carrier-of-the-owner'], credentials: { key: 'k', push_token: 't' } };
  const { connection_id } = await expectRoute<CarrierConnection>(owner.client, 'createConnection', { body: connection });
  const { key_id } = await expectRoute<KeyCreated>(owner.client, 'createKey', { body: { description: 'of the owner' } });
  const file = (await owner.upload('a.pdf', samplePdf(newPoNumber('own')))).data;
  const table = Buffer.from(`PO,Type,Warehouse,SKU,Name,Qty\n${newPoNumber()},1,${clerk.code},A,Lamp,1`);
  const { import_id } = (await owner.client.upload<ForecastImport>('/open/v1/forecasts/import', 'a.csv', table, 'text/csv')).data;
  const path = { import_id };
  await until(async () => (await expectRoute<ForecastImport>(owner.client, 'getImport', { path })).state === 'done', {
    what: 'the import',
  });
  const ids: Readonly<Record<string, readonly string[]>> = {
    po_number: [present, cancelled, left].map(({ po_number }) => po_number),
    forecast_no: [present, cancelled, left].map(({ forecast_no }) => forecast_no),
    image_number: [String(added.id)],
    attachment_id: [String(file.attachment_id)],
    ...{ endpoint_id: [endpoint_id], delivery_id: [delivery_id], connection_id: [connection_id], key_id: [key_id], import_id: [import_id] },
    event_id: events,
    id: events,
  };
  return {
    ids,
    present,
    imageId: image.image_id,
    photoId: (await clerk.photo()).photo_id,
    // Small numbers are in other texts, too.
    marks: [present.trackingNumber, file.url, 'carrier-of-the-owner', ...Object.values(ids).flat()].filter((mark) => !/^\d+$/.test(mark)),
  };
});

/** What those who try it have of their own. */
const own = useOpened('own data', async () => ({
  imageId: (await stranger.uploadImage('b.png', samplePng(newPoNumber('image')))).data.image_id,
  forecastNo: (await submitted(thief)).forecast_no,
  endpointId: (await stranger.createEndpoint({ url: (await stage.receiver()).url })).endpoint_id,
}));

/** A number or id of the form of another, which nobody has. */
const missing = (id: string): string => (/^\d+$/.test(id) ? '1' : `${id.slice(0, -6)}000000`);

/** Bodies of routes that need one. */
const bodies: Readonly<Record<string, () => object>> = {
  correctForecast: () => ({ due_date: '2090-01-01' }),
  addForecastImage: () => ({ image_id: own.imageId, image_type: 'product' }),
  updateConnection: () => ({ carriers: ['*'] }),
  updateKey: () => ({ description: 'taken over' }),
  updateEndpoint: () => ({ description: 'taken over' }),
  replayDeliveries: () => ({ since: '2026-01-01T00:00:00Z', only: 'all' }),
  claimUnclaimed: () => ({ forecast_no: own.forecastNo }),
  dismissUnclaimed: () => ({ reason: 'Not ours' }),
};

/** A delivery of the owner, looked for under an endpoint of one's own. */
const deliveryOfOwn = (id: (own: string) => string): RouteCall => ({
  path: { endpoint_id: own.endpointId, delivery_id: id(String(owned.ids['delivery_id'])) },
});

/** Calls with an identifier elsewhere than in the path, or beside one's own. @param id turns what the owner has into what is sent */
const elsewhere: Readonly<Record<string, (id: (own: string) => string) => RouteCall[]>> = {
  queryWeighing: (id) => [{ query: { po_number: id(owned.present.po_number) } }],
  queryTracking: (id) => [{ query: { po_number: id(owned.present.po_number) } }],
  queryForecasts: (id) => [{ body: { po_numbers: [id(owned.present.po_number)], include: ['weighing', 'tracking'] } }],
  simulate: (id) => [{ body: { po_number: id(owned.present.po_number), step: 'process' } }],
  getDelivery: (id) => [deliveryOfOwn(id)],
  listAttempts: (id) => [deliveryOfOwn(id)],
  resendDelivery: (id) => [deliveryOfOwn(id)],
  listen: (id) => [{ query: { endpoint_id: id(String(owned.ids['endpoint_id'])) } }],
  lookUpScan: (id) =>
    [owned.present.forecast_no, owned.present.po_number, owned.present.trackingNumber].map((scan) => ({ query: { scan: id(scan) } })),
  reportEvents: (id) => [
    ...(owned.ids['forecast_no'] ?? []).map((no) => ({ body: thief.weighing({ forecast_no: id(no) }) })),
    { body: thief.weighing({ express_no: newPoNumber('EXP'), photo_ids: [id(owned.photoId)] }) },
  ],
};

/** Those of them that respond with success, and say in it what is not there. */
const saidWithin = ['queryForecasts', 'lookUpScan', 'reportEvents'];

/** Routes that create something for the caller, or return the same to everybody. The tests below cover what they might leak. */
const ofCaller = [
  ...['submitForecast', 'validateForecast', 'submitForecastBatch', 'importForecasts', 'previewImport', 'uploadPdf', 'uploadImage'],
  ...['createConnection', 'createKey', 'createConsoleSession', 'createConsoleLink', 'createEndpoint', 'uploadPhoto', 'detectCarriers'],
];

const keyed = routes.filter(({ access }) => access !== 'public');
const named = keyed.filter(({ path }) => path.includes('{'));
const others = keyed.filter((route) => !named.includes(route) && elsewhere[route.id] === undefined && !ofCaller.includes(route.id));

test('every other route only reads', () => {
  expect(others.filter(({ method }) => method !== 'GET').map(({ id }) => id)).toEqual([]);
});

/** The texts that a call sends, wherever they are in it. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** The parts of a response that a caller can compare, without the texts that the call sent. */
function visible({ status, code, message, data, headers }: ApiResponse<unknown>, call: RouteCall): object {
  const sent = textsIn(call).filter((text) => text.length > 3);
  const masked = sent.reduce((all, text) => all.replaceAll(text, '<sent>'), JSON.stringify(data));
  return { status, code, message, data: masked, headers: Object.keys(headers).sort() };
}

async function expectAlike(client: ApiClient, id: string, foreign: RouteCall, none: RouteCall): Promise<ApiResponse<unknown>> {
  const [found, lost] = [await callRoute(client, id, foreign), await callRoute(client, id, none)];
  expect(visible(found, foreign)).toEqual(visible(lost, none));
  return found;
}

const callerOf = (access: string): ApiClient => (access === 'warehouse' ? thief : stranger).client;

/** Calls of a route with the ids of the owner, one for each state. */
function callsOf({ id, path }: (typeof named)[number], change: (id: string) => string = (same) => same): RouteCall[] {
  const names = pathParameters(path);
  const count = Math.max(...names.map((name) => owned.ids[name]?.length ?? 0));
  return Array.from({ length: count }, (_, index) => {
    const values = names.map((name) => [name, change(owned.ids[name]?.[index % (owned.ids[name]?.length ?? 1)] ?? '')]);
    return { path: Object.fromEntries(values), ...(bodies[id] && { body: bodies[id]() }) };
  });
}

/** What the owner and its warehouse see of all that is tried on, by route. Figures follow later. */
async function state(): Promise<Readonly<Record<string, unknown>>> {
  const clientOf = (access: string): ApiClient => (access === 'warehouse' ? stage.clerk : owner).client;
  const seen: Record<string, unknown> = {};
  for (const route of named) {
    if (route.method !== 'GET' || typeof route.data === 'string' || route.id === 'getEndpointFigures') continue;
    seen[route.id] = await Promise.all(callsOf(route).map(async (call) => (await callRoute(clientOf(route.access), route.id, call)).data));
  }
  return seen;
}

describe('what belongs to another', () => {
  test.each(others.map((route) => [route.id, route] as const))('is in no response of %s, nor leads a cursor there', async (id, route) => {
    const { text } = await callRoute(callerOf(route.access), id);
    expect(owned.marks.filter((mark) => text.includes(mark))).toEqual([]);
    const parameters = Object.keys((route.query as { properties?: object } | undefined)?.properties ?? {});
    const place = parameters.find((name) => name === 'cursor' || name === 'after');
    if (place === undefined) return;
    const { client } = route.access === 'warehouse' ? stage.clerk : owner;
    const { next_cursor } = await expectRoute<{ next_cursor: string | null }>(client, id, { query: { limit: 1 } });
    if (next_cursor !== null)
      await expectAlike(callerOf(route.access), id, { query: { [place]: next_cursor } }, { query: { [place]: 'invented' } });
  });

  test('is found by none of its numbers', async () => {
    const { po_number, forecast_no, trackingNumber: tracking_number } = owned.present;
    for (const query of [
      { po_number },
      { q: po_number },
      { forecast_no },
      { tracking_number },
      { status: 'WEIGHED' },
    ] as RouteCall['query'][]) {
      expect(await expectRoute(stranger.client, 'listForecasts', { query: query ?? {} })).toMatchObject({ forecasts: [] });
      expect((await callRoute(stranger.client, 'exportForecasts', { query: query ?? {} })).text.trimEnd().split('\r\n')).toHaveLength(1);
    }
  });

  test('is as far away from a session and a link of the console as from their key', async () => {
    const { token } = await expectRoute<ConsoleSession>(stranger.client, 'createConsoleSession');
    const { url } = await expectRoute<ConsoleLink>(stranger.client, 'createConsoleLink', { body: { scopes: ['forecasts:write'] } });
    const at = (po_number: string): RouteCall => ({ path: { po_number } });
    for (const key of [token, url.split('#link=')[1] ?? ''])
      await expectAlike(stage.platform.client(key), 'getForecast', at(owned.present.po_number), at(newPoNumber()));
  });

  test('does not change by all that is tried, and is like what does not exist', async () => {
    const before = await state();
    for (const route of named) {
      const none = callsOf(route, missing);
      for (const [index, call] of callsOf(route).entries()) {
        const { status } = await expectAlike(callerOf(route.access), route.id, call, none[index] as RouteCall);
        expect([route.id, status]).toEqual([route.id, 404]);
      }
    }
    for (const [id, calls] of Object.entries(elsewhere)) {
      const { access } = routes.find((route) => route.id === id) as (typeof routes)[number];
      const none = calls(missing);
      for (const [index, call] of calls((same) => same).entries()) {
        const { status } = await expectAlike(callerOf(access), id, call, none[index] as RouteCall);
        expect([id, status === 404]).toEqual([id, !saidWithin.includes(id)]);
      }
    }
    expect(await state()).toEqual(before);
  }, 120_000);
});

describe('the same from two tenants or warehouses', () => {
  test('is two forecasts, each with its own weighing and webhooks', async () => {
    const { po_number: poNumber, trackingNumber } = owned.present;
    const another = await stage.operator.newMerchant();
    const receiver = await stage.receiver();
    await another.createEndpoint({ url: receiver.url });
    const { length } = (await owner.forecast(poNumber)).measurements;
    const accepted = await another.submit({ poNumber, trackingNumber, items: 2 });
    expect(accepted.forecast_no).not.toBe(owned.present.forecast_no);
    await another.simulate({ po_number: poNumber, step: 'weigh', weight_kg: 7 });
    await receiver.waitForEvent('parcel.weighed', poNumber);
    expect(receiver.received.map(({ body }) => body.data['forecast_no'])).toEqual([accepted.forecast_no]);
    expect(await owner.forecast(poNumber)).toMatchObject({ item_count: 1, measurements: { length } });
  });

  test('is two files, photos and events; an image can be used by its owner alone', async () => {
    const content = samplePdf(newPoNumber('same'));
    const [mine, theirs] = [await owner.upload('a.pdf', content), await stranger.upload('a.pdf', content)];
    expect([theirs.data.deduplicated, theirs.data.url === mine.data.url]).toEqual([false, false]);
    const mark = newPoNumber('photo');
    expect((await thief.photo(mark)).photo_id).not.toBe((await stage.clerk.photo(mark)).photo_id);
    const shared = { event_id: newPoNumber('event'), express_no: newPoNumber('EXP') };
    await stage.clerk.report(stage.clerk.weighing(shared));
    expect(await thief.report(thief.weighing(shared))).toMatchObject({ accepted: 1, duplicates: 0 });
    const { po_number } = await stranger.submit({ forecastType: 1 });
    const body = { image_id: owned.imageId, image_type: 'product' };
    expect(await callRoute(stranger.client, 'addForecastImage', { path: { po_number }, body })).toMatchObject({ code: '42201' });
  });

  test('a warehouse reports for itself alone', async () => {
    const asOther = thief.event({ type: 'processing', forecast_no: owned.present.forecast_no, warehouse_code: stage.clerk.code });
    expect((await thief.post(asOther)).data.rejected).toEqual([expect.objectContaining({ code: '40301' })]);
  });
});
