import { describe, expect, test } from '@jest/globals';
import { routes } from '@parcelway/contracts/routes';
import type { WarehouseForecastDetail } from '@parcelway/contracts/warehouse-view-api';
import type { ApiResponse } from '@parcelway/harness/api-client';
import { newPoNumber } from '@parcelway/harness/merchant';
import { callRoute, expectRoute, type RouteCall } from '@parcelway/harness/route-call';
import type { WarehouseClerk } from '@parcelway/harness/warehouse';
import { useOpened, useStageWithMerchant, useWarehouse } from '../use-stage.ts';

/*
 * Each route of warehouses, tried by one warehouse on everything that another has, in every state. It gets a response exactly like what does not
 * exist. A route without a row here fails the first test.
 */

const { stage, merchant } = useStageWithMerchant();
const thief = useWarehouse(stage);
/** A call on what belongs to the other warehouse, and the same on what nobody has. */
interface Probe {
  readonly what: string;
  readonly foreign: RouteCall;
  readonly missing: RouteCall;
}

const NO_FORECAST = 'FC000000NOBODYS';

async function eventsOf(clerk: WarehouseClerk, forecastNo: string): Promise<Record<string, string>> {
  const event = () => clerk.weighing({ express_no: newPoNumber('LOST') });
  const [applied, waiting, claimed, dismissed] = [clerk.weighing({ forecast_no: forecastNo }), event(), event(), event()];
  await clerk.report(applied, waiting, claimed, dismissed);
  const rejected = clerk.weighing({ express_no: newPoNumber('LOST'), weight_kg: -1 });
  expect((await clerk.post(rejected)).data.rejected).toHaveLength(1);
  expect((await clerk.claim(claimed.event_id, forecastNo)).code).toBe('0');
  expect((await clerk.dismiss(dismissed.event_id, 'Sent back')).code).toBe('0');
  const ids = Object.entries({ applied, waiting, claimed, dismissed, rejected });
  return Object.fromEntries(ids.map(([state, { event_id }]) => [state, String(event_id)]));
}

/** Waits until a warehouse sees a forecast with a status. */
const seenBy = (clerk: WarehouseClerk, forecastNo: string, status: number): Promise<WarehouseForecastDetail> =>
  clerk.untilForecast(forecastNo, (forecast) => forecast.status === status, `status ${status}`);

async function submitted(warehouse: WarehouseClerk) {
  const body = await merchant.body({ warehouseCode: warehouse.code, trackingNumber: newPoNumber('TRK') });
  const accepted = await merchant.untilAccepted(body);
  await seenBy(warehouse, accepted.forecast_no, 1);
  return { ...accepted, trackingNumber: String((body.items as { tracking_number: string }[])[0]?.tracking_number) };
}

/** What the warehouse of the stage has: forecasts and events in every state, numbers to scan, a photo, and cursors. */
const theirs = useOpened('data of the warehouse', async () => {
  const { clerk } = stage;
  const [present, cancelled, left] = [await submitted(clerk), await submitted(clerk), await submitted(clerk)];
  const events = await eventsOf(clerk, present.forecast_no);
  await merchant.cancel(cancelled.po_number);
  await merchant.simulate({ po_number: left.po_number, step: 'weigh' });
  await merchant.simulate({ po_number: left.po_number, step: 'dispatch' });
  await Promise.all([seenBy(clerk, present.forecast_no, 3), seenBy(clerk, cancelled.forecast_no, 7), seenBy(clerk, left.forecast_no, 5)]);
  await clerk.report(clerk.weighing({ express_no: newPoNumber('LOST') }));
  const cursorOf = async (id: string): Promise<string> =>
    (await expectRoute<{ next_cursor: string }>(clerk.client, id, { query: { limit: 1 } })).next_cursor;
  const forecasts: Readonly<Record<string, string>> = {
    present: present.forecast_no,
    cancelled: cancelled.forecast_no,
    left: left.forecast_no,
  };
  return {
    forecasts,
    events,
    scans: [present, cancelled, left].flatMap(({ forecast_no, po_number, trackingNumber }) => [
      forecast_no,
      po_number,
      trackingNumber,
      JSON.stringify({ forecast_no, po_number, warehouse_code: clerk.code }),
    ]),
    photoId: (await clerk.photo()).photo_id,
    cursors: { listUnclaimed: await cursorOf('listUnclaimed'), listWarehouseForecasts: await cursorOf('listWarehouseForecasts') },
  };
});

/** What the other warehouse has of its own. */
const own = useOpened('data of the other warehouse', async () => {
  const waiting = thief.weighing({ express_no: newPoNumber('LOST') });
  await thief.report(waiting);
  return { forecastNo: (await submitted(thief)).forecast_no, eventId: String(waiting.event_id) };
});

const onForecasts = (call: (forecastNo: string) => RouteCall): Probe[] =>
  Object.entries(theirs.forecasts).map(([what, no]) => ({ what: `a forecast, ${what}`, foreign: call(no), missing: call(NO_FORECAST) }));

const onEvents = (call: (eventId: string) => RouteCall): Probe[] =>
  Object.entries(theirs.events).map(([what, id]) => ({ what: `an event, ${what}`, foreign: call(id), missing: call('none') }));

/** The cursor itself, and with a character changed at every place. */
function onCursor(id: keyof typeof theirs.cursors): Probe[] {
  const cursor = theirs.cursors[id];
  const changed = Array.from(cursor, (character, at) => `${cursor.slice(0, at)}${character === 'A' ? 'B' : 'A'}${cursor.slice(at + 1)}`);
  const missing = { query: { cursor: 'invented' } };
  return [cursor, ...changed].map((one, index) => ({ what: `cursor ${index}`, foreign: { query: { cursor: one } }, missing }));
}

const report = (details: Readonly<Record<string, unknown>>): RouteCall => ({ body: thief.weighing(details) });

/** Route id → what is tried. */
const rows: Readonly<Record<string, () => Probe[]>> = {
  getOwnWarehouse: () => [],
  listWarehouseCarriers: () => [],
  uploadPhoto: () => [],
  getWarehouseForecast: () => onForecasts((forecast_no) => ({ path: { forecast_no } })),
  listWarehouseForecasts: () => onCursor('listWarehouseForecasts'),
  lookUpScan: () => theirs.scans.map((scan) => ({ what: scan, foreign: { query: { scan } }, missing: { query: { scan: NO_FORECAST } } })),
  listUnclaimed: () => onCursor('listUnclaimed'),
  getEventOutcome: () => onEvents((event_id) => ({ path: { event_id } })),
  claimUnclaimed: () => [
    ...onEvents((id) => ({ path: { id }, body: { forecast_no: own.forecastNo } })),
    ...onForecasts((forecast_no) => ({ path: { id: own.eventId }, body: { forecast_no } })),
  ],
  dismissUnclaimed: () => onEvents((id) => ({ path: { id }, body: { reason: 'Not ours' } })),
  reportEvents: () => [
    ...onForecasts((forecast_no) => report({ forecast_no })),
    {
      what: 'a photo',
      foreign: report({ express_no: newPoNumber('EXP'), photo_ids: [theirs.photoId] }),
      missing: report({ express_no: newPoNumber('EXP'), photo_ids: [`${theirs.photoId.slice(0, -4)}AAAA`] }),
    },
  ],
};

const ofWarehouses = routes.filter(({ access }) => access === 'warehouse').map(({ id }) => id);

/** The texts that a call sends, wherever they are in it. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** Everything by which the warehouse can distinguish responses; what it has sent itself and is sent back is left out. */
function visible({ status, code, message, data, headers }: ApiResponse<unknown>, call: RouteCall): unknown {
  // The same text within a text is escaped once more.
  const escaped = (text: string): string => JSON.stringify(text).slice(1, -1);
  const texts = textsIn(call).filter((text) => text.length > 3);
  const masked = texts.reduce((all, text) => all.replaceAll(escaped(text), '<sent>'), JSON.stringify(data));
  return { status, code, message, data: masked, headers: Object.keys(headers).sort() };
}

/** What the warehouse of the stage sees of all that is tried on. */
async function stateOfTheirs(): Promise<unknown> {
  const { client } = stage.clerk;
  const forecasts = Object.values(theirs.forecasts).map((forecast_no) =>
    expectRoute(client, 'getWarehouseForecast', { path: { forecast_no } }),
  );
  const events = Object.values(theirs.events).map((event_id) => expectRoute(client, 'getEventOutcome', { path: { event_id } }));
  return Promise.all([...forecasts, ...events]);
}

test('every route of warehouses has a row, and every row a route', () => {
  expect(Object.keys(rows).sort()).toEqual(ofWarehouses.toSorted());
});

describe('what another warehouse has, in every state', () => {
  test.each(ofWarehouses)('%s responds as for something that does not exist', async (id) => {
    const before = await stateOfTheirs();
    for (const { what, foreign, missing } of (rows[id] as () => Probe[])()) {
      const [found, none] = [await callRoute(thief.client, id, foreign), await callRoute(thief.client, id, missing)];
      expect({ what, ...(visible(found, foreign) as object) }).toEqual({ what, ...(visible(none, missing) as object) });
    }
    expect(await stateOfTheirs()).toEqual(before);
  });
});

test('the same photo of two warehouses is two photos, and a warehouse reads of itself alone', async () => {
  const mark = newPoNumber('photo');
  const [first, second] = [await stage.clerk.photo(mark), await thief.photo(mark)];
  expect(second.photo_id).not.toBe(first.photo_id);
  expect(await expectRoute(thief.client, 'getOwnWarehouse')).toMatchObject({ code: thief.code });
});

test('a warehouse reports for itself alone, and the same event_id of two warehouses is two events', async () => {
  const forecast_no = String(theirs.forecasts['present']);
  const asOther = thief.event({ type: 'processing', forecast_no, warehouse_code: stage.clerk.code });
  expect((await thief.post(asOther)).data.rejected).toEqual([expect.objectContaining({ code: '40301' })]);
  const shared = { event_id: newPoNumber('event'), express_no: newPoNumber('EXP') };
  await stage.clerk.report(stage.clerk.weighing(shared));
  expect(await thief.report(thief.weighing(shared))).toMatchObject({ accepted: 1, duplicates: 0 });
});
