import { randomUUID } from 'node:crypto';
import { samplePng } from '@parcelway/harness/sample-data';
import type { Parcel } from '../../parcels.ts';
import { weighingOf } from '../../parcels.ts';
import type { RawClient } from '../../raw-client.ts';
import type { GrownStage } from './grown-stage.ts';
import { submitted } from './merchant-operations.ts';
import { multipart } from './multipart.ts';
import { changing, deepPage, nextSeed, type Operation, once, reading } from './operation.ts';

const EVENTS = '/warehouse/v1/events';
const FORECASTS = '/warehouse/v1/forecasts';
const UNCLAIMED = '/warehouse/v1/unclaimed';
/** Weighings of one report. */
const BATCH = 20;
const REPORTED = 20;
/** Of the parcels, so many are at the warehouse. */
const PRESENT = 0.25;
const WAITING = 0.01;

const byWarehouse = ({ warehouse }: GrownStage): RawClient => warehouse;
const lookUp = (scan: string): string => `/warehouse/v1/lookup?scan=${encodeURIComponent(scan)}`;

/** Weighings of new parcels. */
async function weighings(stage: GrownStage, count: number): Promise<readonly string[]> {
  return (await submitted(stage, count)).map((parcel) => weighingOf(stage.stage.warehouseCode, parcel));
}

/** Reports weighings of parcels that no forecast names. @returns ids of the events */
async function unclaimed({ warehouse, stage }: GrownStage, count: number): Promise<readonly string[]> {
  const events = Array.from({ length: count }, () => ({
    ...(JSON.parse(weighingOf(stage.warehouseCode, { forecast_no: '', po_number: '' })) as object),
    event_id: `growth-${randomUUID()}`,
    forecast_no: undefined,
    express_no: `UNKNOWN${String(nextSeed()).padStart(10, '0')}`,
  }));
  for (const event of events) await warehouse.send('POST', EVENTS, JSON.stringify(event));
  return events.map(({ event_id }) => event_id);
}

/** Ids of some reports that were applied. */
const reported = once(async (stage: GrownStage): Promise<readonly string[]> => {
  const bodies = await weighings(stage, REPORTED);
  for (const body of bodies) await stage.warehouse.send('POST', EVENTS, body);
  return bodies.map((body) => (JSON.parse(body) as { event_id: string }).event_id);
});

/** What warehouses do. */
export const warehouseOperations: readonly Operation[] = [
  changing('Report a weighing', async (stage, count) => {
    const bodies = await weighings(stage, count);
    return (at) => stage.warehouse.send('POST', EVENTS, bodies[at] as string);
  }),
  changing(
    `Report ${BATCH} weighings at once`,
    async (stage, count) => {
      const events = await weighings(stage, count * BATCH);
      const bodies = Array.from({ length: count }, (_, at) => `{"events":[${events.slice(at * BATCH, (at + 1) * BATCH)}]}`);
      return (at) => stage.warehouse.send('POST', EVENTS, bodies[at] as string);
    },
    4,
  ),
  changing('Repeat a report', async (stage, count) => {
    const bodies = await weighings(stage, count);
    for (const body of bodies) await stage.warehouse.send('POST', EVENTS, body);
    return (at) => stage.warehouse.send('POST', EVENTS, bodies[at] as string);
  }),
  changing('Upload a photo', async ({ warehouse }) => () => {
    const { type, body } = multipart('photo.png', 'image/png', samplePng(randomUUID()));
    return warehouse.send('POST', '/warehouse/v1/photos', body, type);
  }),
  reading("List a warehouse's forecasts: first page", byWarehouse, () => FORECASTS),
  reading("List a warehouse's forecasts: one status", byWarehouse, () => `${FORECASTS}?status=ARRIVED`),
  deepPage("List a warehouse's forecasts: deep page", byWarehouse, () => FORECASTS, PRESENT),
  reading('Read a forecast at its warehouse', byWarehouse, (stage) => `${FORECASTS}/${stage.parcel(nextSeed()).forecastNo}`),
  reading('Look up a scanned logistics number', byWarehouse, (stage) => lookUp(stage.parcel(nextSeed()).inboundNumber)),
  reading('Look up a scanned po_number', byWarehouse, (stage) => lookUp(stage.parcel(nextSeed()).poNumber)),
  reading('Look up what nothing has', byWarehouse, () => lookUp(`NONE-${nextSeed()}`)),
  changing('Report a parcel that nobody expects', async (stage, count) => {
    const bodies = (await submitted(stage, count)).map((parcel: Parcel) =>
      weighingOf(stage.stage.warehouseCode, { ...parcel, forecast_no: `NO${parcel.forecast_no}` }),
    );
    return (at) => stage.warehouse.send('POST', EVENTS, bodies[at] as string);
  }),
  reading('List unclaimed parcels: first page', byWarehouse, () => UNCLAIMED),
  reading('List unclaimed parcels: one reason', byWarehouse, () => `${UNCLAIMED}?reason=no_forecast`),
  deepPage('List unclaimed parcels: deep page', byWarehouse, () => UNCLAIMED, WAITING),
  changing('Claim an unclaimed parcel', async (stage, count) => {
    const [ids, parcels] = [await unclaimed(stage, count), await submitted(stage, count)];
    return (at) => {
      const body = JSON.stringify({ forecast_no: (parcels[at] as Parcel).forecast_no });
      return stage.warehouse.send('POST', `${UNCLAIMED}/${ids[at]}/claim`, body);
    };
  }),
  changing('Dismiss an unclaimed parcel', async (stage, count) => {
    const ids = await unclaimed(stage, count);
    return (at) => stage.warehouse.send('POST', `${UNCLAIMED}/${ids[at]}/dismiss`, JSON.stringify({ reason: 'not ours' }));
  }),
  {
    name: 'Read the outcome of a report',
    settles: false,
    prepares: true,
    prepare: async (stage) => {
      const ids = await reported(stage);
      return (at) => stage.warehouse.send('GET', `${EVENTS}/${ids[at % ids.length]}`, null);
    },
  },
];
