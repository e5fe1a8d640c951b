import { randomUUID } from 'node:crypto';
import type { IssuedKey } from '@parcelway/contracts/admin-api';
import { samplePdf, samplePng, sampleSubmission } from '@parcelway/harness/sample-data';
import { recentRow } from '@parcelway/harness/sources/source-server';
import { closedLoopOf } from '../../closed-loop.ts';
import { type Parcel, weighingOf } from '../../parcels.ts';
import { multipart, type RawClient } from '../../raw-client.ts';
import { CONNECTIONS, type GrownStage } from './grown-stage.ts';
import { AGE_STEP_MS, CONNECTION_ID, PARCELS } from './model.ts';

/** A kind of operation that somebody or the platform performs. */
export interface Operation {
  readonly name: string;
  /** True when the platform keeps working after the response; the cost includes that work. */
  readonly settles: boolean;
  /** Divides the number of measured operations, for operations that each do several things; default 1. */
  readonly share?: number;
  /** Prepares `count` operations, unmeasured. @returns runs the operation with an index from 0 and waits for its response */
  prepare(stage: GrownStage, count: number): Promise<(at: number) => Promise<unknown>>;
}

const FORECASTS = '/open/v1/forecasts';
const FILES = '/open/v1/files/pdf';
const EVENTS = '/warehouse/v1/events';
const EXPECTED = '/warehouse/v1/forecasts';
const UNCLAIMED = '/warehouse/v1/unclaimed';
const ENDPOINTS = '/open/v1/webhook-endpoints';
const FEED = '/open/v1/events';
const PUSHES = `/carriers/v1/17track/${CONNECTION_ID}`;
/** Characters of a po_number that many parcels share. */
const PREFIX = 8;
/** Weighings of one report. */
const BATCH = 20;
/** Approximate list entries per parcel. */
const ENTRIES = { present: 0.25, waiting: 0.01, deliveries: 0.75, events: 1.5 } as const;
/** Most pages before a deep one. */
const MOST_PAGES = 200;
const PAGE = 100;
const DEEP = 0.8;

let seed = 0;

/** A number that is unique in this run. */
function nextSeed(): number {
  seed += 1;
  return seed;
}

/** Prepares once for each platform. */
function once<T>(make: (stage: GrownStage) => Promise<T>): (stage: GrownStage) => Promise<T> {
  const made = new Map<GrownStage, Promise<T>>();
  return (stage) => {
    const known = made.get(stage) ?? make(stage);
    made.set(stage, known);
    return known;
  };
}

type Who = 'merchant' | 'warehouse';

/** A read of `path`, which may differ each time. */
const reading = (name: string, who: Who, path: (stage: GrownStage) => string): Operation => ({
  name,
  settles: false,
  prepare: async (stage) => () => stage[who].send('GET', path(stage), null),
});

/** A change that has effects after its response. */
const changing = (name: string, prepare: Operation['prepare'], share = 1): Operation => ({ name, settles: true, share, prepare });

/**
 * A page deep in a list.
 * @param entries of the list per parcel, approximately
 * @param cursor name of the query parameter with the cursor
 */
function deepPage(name: string, who: Who, list: (stage: GrownStage) => string, entries: number, cursor = 'cursor'): Operation {
  const place = once(async (stage): Promise<string> => {
    const client: RawClient = stage[who];
    const first = list(stage);
    const pages = Math.max(1, Math.min(MOST_PAGES, Math.floor((DEEP * entries * stage.parcels) / PAGE)));
    let query = '?';
    for (let page = 0; page < pages; page += 1) {
      const path = `${first}${query}&limit=${PAGE}`;
      const { next_cursor: next, has_more: hasMore } = await client.get<{ next_cursor: string | null; has_more?: boolean }>(path);
      if (next === null || hasMore === false) break;
      query = `?${cursor}=${encodeURIComponent(next)}`;
    }
    return `${first}${query}`;
  });
  return {
    name,
    settles: false,
    prepare: async (stage) => {
      const path = await place(stage);
      return () => stage[who].send('GET', path, null);
    },
  };
}

const newPdf = () => multipart('label.pdf', 'application/pdf', samplePdf(`growth ${nextSeed()}`));
const pdf = once(async ({ merchant }): Promise<string> => {
  const { type, body } = newPdf();
  return (await merchant.post<{ url: string }>(FILES, body, type)).url;
});

/** Submission bodies with unique numbers. */
async function submissions(stage: GrownStage, count: number): Promise<readonly string[]> {
  const url = await pdf(stage);
  return Array.from({ length: count }, () => {
    const number = String(nextSeed()).padStart(10, '0');
    const sample = { poNumber: `NEWPO-${number}`, trackingNumber: `NEWIN${number}`, warehouseCode: stage.stage.warehouseCode };
    return JSON.stringify(sampleSubmission({ ...sample, shippingLabel: url, shippingNote: url, items: 2 }));
  });
}

/** Submits `count` parcels. */
async function submitted(stage: GrownStage, count: number): Promise<readonly Parcel[]> {
  const bodies = [...(await submissions(stage, count))];
  const parcels: Parcel[] = [];
  await closedLoopOf(CONNECTIONS, count, async () => {
    parcels.push(await stage.merchant.post<Parcel>(FORECASTS, bodies.pop() as string));
  });
  return parcels;
}

/** Creation time of the median parcel, about. */
const someTime = ({ parcels }: GrownStage): string =>
  encodeURIComponent(new Date(Date.now() - (AGE_STEP_MS / PARCELS) * 0.5 * parcels - 60_000).toISOString());

/** Opens a file of a parcel by its URL. */
const opening = (name: string, file: 'marketplace_label' | 'shipping_label'): Operation => ({
  name,
  settles: false,
  prepare: async ({ merchant, original }) => {
    const forecast = await merchant.get<Record<typeof file, string>>(`${FORECASTS}/${original.poNumber}`);
    const { pathname } = new URL(forecast[file]);
    return () => merchant.fetch(pathname);
  },
});

const byMerchants: readonly Operation[] = [
  changing('Submit a forecast', async (stage, count) => {
    const bodies = await submissions(stage, count);
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
  reading('Read a forecast', 'merchant', ({ parcel }) => `${FORECASTS}/${parcel(nextSeed()).poNumber}`),
  reading('Weighing query', 'merchant', ({ parcel }) => `${FORECASTS}/weighing?po_number=${parcel(nextSeed()).poNumber}`),
  reading('Tracking query', 'merchant', ({ parcel }) => `${FORECASTS}/tracking?po_number=${parcel(nextSeed()).poNumber}`),
  reading('List forecasts: first page', 'merchant', () => FORECASTS),
  deepPage('List forecasts: deep page', 'merchant', () => FORECASTS, 1),
  reading('Search by status and time', 'merchant', (stage) => `${FORECASTS}?status=COMPLETED&created_to=${someTime(stage)}`),
  reading('Search by a prefix', 'merchant', ({ parcel }) => `${FORECASTS}?q=${parcel(nextSeed()).poNumber.slice(0, PREFIX)}`),
  reading('Search by SKU', 'merchant', () => `${FORECASTS}?sku_code=SKU-1`),
  reading('Search by number of dispatch', 'merchant', ({ parcel }) => `${FORECASTS}?tracking_number=${parcel(nextSeed()).outboundNumber}`),
  reading('Search in vain', 'merchant', () => `${FORECASTS}?warehouse_code=NONE&updated_from=2000-01-01T00:00:00Z`),
  changing('Upload a PDF', async ({ merchant }, count) => {
    const forms = Array.from({ length: count }, newPdf);
    return (at) => merchant.send('POST', FILES, (forms[at] as (typeof forms)[number]).body, forms[at]?.type);
  }),
  opening('Open an uploaded PDF by its URL', 'shipping_label'),
  opening('Open a product label by its URL', 'marketplace_label'),
];

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

const byWarehouses: readonly Operation[] = [
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
  changing('Upload a photo', async ({ warehouse }) => () => {
    const { type, body } = multipart('photo.png', 'image/png', samplePng(randomUUID()));
    return warehouse.send('POST', '/warehouse/v1/photos', body, type);
  }),
  reading("List a warehouse's forecasts: first page", 'warehouse', () => EXPECTED),
  deepPage("List a warehouse's forecasts: deep page", 'warehouse', () => EXPECTED, ENTRIES.present),
  reading('Read a forecast at its warehouse', 'warehouse', ({ parcel }) => `${EXPECTED}/${parcel(nextSeed()).forecastNo}`),
  reading(
    'Look up a scanned logistics number',
    'warehouse',
    ({ parcel }) => `/warehouse/v1/lookup?scan=${parcel(nextSeed()).inboundNumber}`,
  ),
  reading('List unclaimed parcels: first page', 'warehouse', () => UNCLAIMED),
  deepPage('List unclaimed parcels: deep page', 'warehouse', () => UNCLAIMED, ENTRIES.waiting),
  changing('Claim an unclaimed parcel', async (stage, count) => {
    const [ids, parcels] = [await unclaimed(stage, count), await submitted(stage, count)];
    return (at) => {
      const body = JSON.stringify({ forecast_no: (parcels[at] as Parcel).forecast_no });
      return stage.warehouse.send('POST', `${UNCLAIMED}/${ids[at]}/claim`, body);
    };
  }),
];

const deliveriesOf = ({ endpointId }: GrownStage): string => `${ENDPOINTS}/${endpointId}/deliveries`;

/** Ids of some of the newest deliveries. */
const deliveryIds = once(async (stage: GrownStage): Promise<readonly string[]> => {
  const path = `${deliveriesOf(stage)}?limit=${PAGE}`;
  const { deliveries } = await stage.merchant.get<{ deliveries: readonly { readonly delivery_id: string }[] }>(path);
  return deliveries.map(({ delivery_id }) => delivery_id);
});

const onWebhooks: readonly Operation[] = [
  changing('Push of a carrier', async ({ vendor, parcel, outside }, count) => {
    const pushes = Array.from({ length: count }, () => {
      const rows = [recentRow('in transit', 30), { ...recentRow('delivered', 1), text: `Left at place ${nextSeed()}` }];
      return vendor.signPush(parcel(nextSeed()).outboundNumber, { rows });
    });
    return (at) => {
      const { body, headers } = pushes[at] as (typeof pushes)[number];
      return outside.push(PUSHES, body, headers);
    };
  }),
  reading('List deliveries: first page', 'merchant', deliveriesOf),
  deepPage('List deliveries: deep page', 'merchant', deliveriesOf, ENTRIES.deliveries),
  {
    name: 'List the attempts of a delivery',
    settles: false,
    prepare: async (stage) => {
      const ids = await deliveryIds(stage);
      return (at) => stage.merchant.send('GET', `${deliveriesOf(stage)}/${ids[at % ids.length]}/attempts`, null);
    },
  },
  changing('Resend a delivery', async (stage) => {
    const ids = await deliveryIds(stage);
    return (at) => stage.merchant.send('POST', `${deliveriesOf(stage)}/${ids[at % ids.length]}/resend`, '{}');
  }),
  reading('Feed of events: first page', 'merchant', () => FEED),
  deepPage('Feed of events: deep page', 'merchant', () => FEED, ENTRIES.events, 'after'),
];

const ADMIN = '/admin/v1';
const someTenant = once(async ({ admin }) => (await admin.expectOk<{ id: string }>(`${ADMIN}/tenants`, { body: { name: 'Growth' } })).id);

/** Reads the same path of the operator's API each time. */
const admin = (name: string, path: string): Operation => ({
  name,
  settles: false,
  prepare: async (stage) => () => stage.admin.expectOk(`${ADMIN}${path}`),
});

const byOperators: readonly Operation[] = [
  {
    name: 'First call with a key (its look-up)',
    settles: false,
    prepare: async (stage, count) => {
      const body = { tenant_id: await someTenant(stage) };
      const keys: string[] = [];
      for (let at = 0; at < count; at += 1) keys.push((await stage.admin.expectOk<IssuedKey>(`${ADMIN}/keys`, { body })).key);
      const clients = keys.map((key) => stage.stage.platform.client(key));
      for (const client of clients) await client.call('/healthz');
      return async (at) => clients[at]?.expectOk('/open/v1/warehouses');
    },
  },
  admin('List all keys', '/keys?limit=20'),
  admin('List all tenants', '/tenants?limit=20'),
  admin('List unclaimed parcels of all warehouses', '/unclaimed?limit=20'),
  admin('Status of the platform', '/status'),
];

/** What is measured, in the order of the report. */
export const operations: readonly Operation[] = [...byMerchants, ...byWarehouses, ...onWebhooks, ...byOperators];
