import { samplePdf, sampleSubmission } from '@parcelway/harness/sample-data';
import { closedLoopOf } from '../../closed-loop.ts';
import type { Parcel } from '../../parcels.ts';
import type { RawClient } from '../../raw-client.ts';
import { CONNECTIONS, type GrownStage } from './grown-stage.ts';
import { multipart } from './multipart.ts';
import { changing, deepPage, nextSeed, type Operation, once, reading } from './operation.ts';

const FORECASTS = '/open/v1/forecasts';
/** Characters of a po_number that many parcels share. */
const PREFIX = 8;
const byMerchant = ({ merchant }: GrownStage): RawClient => merchant;

const pdf = once(async ({ merchant }): Promise<string> => {
  const { type, body } = multipart('label.pdf', 'application/pdf', samplePdf(`growth ${nextSeed()}`));
  return (await merchant.post<{ url: string }>('/open/v1/files/pdf', body, type)).url;
});

/** Bodies of submissions, each with numbers of its own. */
export async function submissions(stage: GrownStage, count: number): Promise<readonly string[]> {
  const url = await pdf(stage);
  return Array.from({ length: count }, () => {
    const number = String(nextSeed()).padStart(10, '0');
    const sample = { poNumber: `NEWPO-${number}`, trackingNumber: `NEWIN${number}`, warehouseCode: stage.stage.warehouseCode };
    return JSON.stringify(sampleSubmission({ ...sample, shippingLabel: url, shippingNote: url, items: 2 }));
  });
}

/** Submits so many parcels. */
export async function submitted(stage: GrownStage, count: number): Promise<readonly Parcel[]> {
  const bodies = [...(await submissions(stage, count))];
  const parcels: Parcel[] = [];
  await closedLoopOf(CONNECTIONS, count, async () => {
    parcels.push(await stage.merchant.post<Parcel>(FORECASTS, bodies.pop() as string));
  });
  return parcels;
}

/** A moment among those of all parcels but the newest. */
const someTime = ({ parcels }: GrownStage): string => new Date(Date.now() - 400 * 0.5 * parcels - 60_000).toISOString();

const opened = once(({ merchant, original }: GrownStage) =>
  merchant.get<{ marketplace_label: string; shipping_label: string }>(`${FORECASTS}/${original.poNumber}`),
);

function opening(
  name: string,
  urlOf: (forecast: { readonly marketplace_label: string; readonly shipping_label: string }) => string,
): Operation {
  return {
    name,
    settles: false,
    prepare: async (stage) => {
      const { pathname } = new URL(urlOf(await opened(stage)));
      return () => stage.merchant.fetch(pathname);
    },
  };
}

/** What merchants do with forecasts and files. */
export const merchantOperations: readonly Operation[] = [
  changing('Submit a forecast', async (stage, count) => {
    const bodies = await submissions(stage, count);
    return (at) => stage.merchant.send('POST', FORECASTS, bodies[at] as string);
  }),
  changing('Repeat a submission', async (stage, count) => {
    const bodies = await submissions(stage, count);
    for (const body of bodies) await stage.merchant.send('POST', FORECASTS, body);
    return (at) => stage.merchant.send('POST', FORECASTS, bodies[at] as string);
  }),
  changing('Correct a forecast', async (stage, count) => {
    const parcels = await submitted(stage, count);
    const body = JSON.stringify({ carton_count: 2 });
    return (at) => stage.merchant.send('PATCH', `${FORECASTS}/${(parcels[at] as Parcel).po_number}`, body);
  }),
  changing('Cancel a forecast', async (stage, count) => {
    const parcels = await submitted(stage, count);
    return (at) => stage.merchant.send('POST', `${FORECASTS}/${(parcels[at] as Parcel).po_number}/cancel`, '{}');
  }),
  reading('Read a forecast', byMerchant, (stage) => `${FORECASTS}/${stage.parcel(nextSeed()).poNumber}`),
  reading('Weighing query', byMerchant, (stage) => `${FORECASTS}/weighing?po_number=${stage.parcel(nextSeed()).poNumber}`),
  reading('Tracking query', byMerchant, (stage) => `${FORECASTS}/tracking?po_number=${stage.parcel(nextSeed()).poNumber}`),
  reading('List forecasts: first page', byMerchant, () => FORECASTS),
  deepPage('List forecasts: deep page', byMerchant, () => FORECASTS, 1),
  reading('Search forecasts by po_number', byMerchant, (stage) => `${FORECASTS}?po_number=${stage.parcel(nextSeed()).poNumber}`),
  reading('Search forecasts by status', byMerchant, () => `${FORECASTS}?status=ARRIVED`),
  reading('Search forecasts by time', byMerchant, (stage) => `${FORECASTS}?created_to=${encodeURIComponent(someTime(stage))}`),
  reading(
    'Search forecasts by status and time',
    byMerchant,
    (stage) => `${FORECASTS}?status=COMPLETED&created_to=${encodeURIComponent(someTime(stage))}`,
  ),
  reading('Search forecasts by a prefix', byMerchant, (stage) => `${FORECASTS}?q=${stage.parcel(nextSeed()).poNumber.slice(0, PREFIX)}`),
  reading('Search forecasts by SKU', byMerchant, () => `${FORECASTS}?sku_code=SKU-1`),
  reading('Search forecasts by number', byMerchant, (stage) => `${FORECASTS}?tracking_number=${stage.parcel(nextSeed()).inboundNumber}`),
  reading(
    'Search forecasts by number of dispatch',
    byMerchant,
    (stage) => `${FORECASTS}?tracking_number=${stage.parcel(nextSeed()).outboundNumber}`,
  ),
  reading(
    'Search forecasts by warehouse and change',
    byMerchant,
    ({ stage }) => `${FORECASTS}?warehouse_code=${stage.warehouseCode}&updated_from=2000-01-01T00:00:00Z`,
  ),
  reading('Search forecasts in vain', byMerchant, () => `${FORECASTS}?warehouse_code=NONE&updated_from=2000-01-01T00:00:00Z`),
  changing('Upload a PDF', async (stage, count) => {
    const forms = Array.from({ length: count }, () => multipart('label.pdf', 'application/pdf', samplePdf(`growth ${nextSeed()}`)));
    return (at) => {
      const { type, body } = forms[at] as (typeof forms)[number];
      return stage.merchant.send('POST', '/open/v1/files/pdf', body, type);
    };
  }),
  changing('Upload the same PDF again', async (stage) => {
    const { type, body } = multipart('label.pdf', 'application/pdf', samplePdf('growth again'));
    await stage.merchant.send('POST', '/open/v1/files/pdf', body, type);
    return () => stage.merchant.send('POST', '/open/v1/files/pdf', body, type);
  }),
  opening('Open an uploaded PDF by its URL', ({ shipping_label: url }) => url),
  opening('Open a product label by its URL', ({ marketplace_label: url }) => url),
];
