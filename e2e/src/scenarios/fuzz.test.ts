import { describe, expect, test } from '@jest/globals';
import type { CarrierConnection } from '@parcelway/contracts/carrier-connection-api';
import type { ForecastImport } from '@parcelway/contracts/import-api';
import type { TenantKey } from '@parcelway/contracts/key-api';
import { pathParameters, type RouteDefinition } from '@parcelway/contracts/route';
import { routes } from '@parcelway/contracts/routes';
import type { Delivery } from '@parcelway/contracts/webhook-delivery-api';
import type { ApiClient, ApiResponse, Call } from '@parcelway/harness/api-client';
import { type Merchant, newPoNumber } from '@parcelway/harness/merchant';
import { contractBreaches, expectRoute } from '@parcelway/harness/route-call';
import { samplePdf, samplePng } from '@parcelway/harness/sample-data';
import fc from 'fast-check';
import { FormData } from 'undici';
import { type KnownValues, SchemaValues } from '../fuzz/schema-values.ts';
import { useMerchant, useOpened, useStage, useWarehouse } from '../use-stage.ts';

/*
 * Requests made of the contract, sent to every route: with the key of a tenant, of a warehouse, with none, and with the
 * identifiers of another tenant. Whatever is sent, the response is one of those documented, and shows nothing of the other tenant.
 * FUZZ_RUNS says how many requests a route gets, FUZZ_SEED which; a failure prints its seed.
 */

const RUNS = Number(process.env.FUZZ_RUNS ?? 40);
const seed = process.env.FUZZ_SEED === undefined ? undefined : Number(process.env.FUZZ_SEED);

/** Part of what the other tenant keeps, and of no identifier: nothing that is sent here contains it. */
const CANARY = `canary-${Math.random().toString(36).slice(2)}`;

/** All but the one that calls a vendor outside. */
const all = routes.filter(({ id }) => id !== 'testConnection');

const stage = useStage();
const tenant = useMerchant(stage);
const other = useMerchant(stage, CANARY);
const warehouse = useWarehouse(stage);

/** The keys of the other tenant, without the minute of their last use. */
async function keysOfOther(): Promise<unknown> {
  const { keys } = await expectRoute<{ keys: TenantKey[] }>(other.client, 'listKeys');
  return keys.map(({ last_used_at: _minute, ...key }) => key);
}

/** What the other tenant has, read with its own key. */
const stateOfOther = async (poNumber: string): Promise<unknown> => [
  await other.forecast(poNumber),
  await other.weighing(poNumber),
  await expectRoute(other.client, 'listEndpoints'),
  await expectRoute(other.client, 'listForecasts'),
  await expectRoute(other.client, 'listConnections'),
  await keysOfOther(),
  await expectRoute(other.client, 'listFiles'),
];

/** The number that an image has on a forecast: that of its receipt. */
const numberOfImage = (imageId: string): number =>
  (JSON.parse(Buffer.from(imageId.slice(3).split('.')[0] as string, 'base64url').toString()) as { readonly id: number }).id;

/** An import that was cancelled, so that cancelling it again succeeds: of so many rows that it does not finish before. */
async function cancelledImport({ client }: Merchant, cell: string): Promise<string> {
  const rows = Array.from({ length: 8000 }, (_, index) => `${cell}-${index},${cell},${cell},${cell},0`);
  const content = Buffer.from(['PO,Warehouse,SKU,Name,Qty', ...rows].join('\n'));
  const path = '/open/v1/forecasts/import';
  const { data } = await client.upload<ForecastImport>(path, 'a.csv', content, 'text/csv');
  await client.expectOk(`${path}/${data.import_id}/cancel`, { method: 'POST' });
  return data.import_id;
}

/** Who calls, values tame and wild, and what the other tenant has before the first call. */
const prepared = useOpened('requests', async () => {
  const poOfOther = newPoNumber('OTHER');
  const trackingNumber = newPoNumber('TRK');
  const body = await other.body({ poNumber: poOfOther, trackingNumber });
  const items = (body.items as object[]).map((item) => ({ ...item, product_name_en: CANARY, barcode: CANARY }));
  const { forecast_no: forecastNo } = (await other.submitBody({ ...body, items })).data;
  const endpoint = await other.createEndpoint({ url: 'http://127.0.0.1:9/', description: CANARY, metadata: { [CANARY]: CANARY } });
  const connection = { source: '17track', carriers: [CANARY], credentials: { key: CANARY } };
  const { connection_id } = await expectRoute<CarrierConnection>(other.client, 'createConnection', { body: connection });
  const keyOfOther = await expectRoute<TenantKey>(other.client, 'createKey', { body: { description: CANARY } });
  const fileOfOther = (await other.upload(`${CANARY}.pdf`, samplePdf(CANARY))).data;
  await other.simulate({ po_number: poOfOther, step: 'weigh', weight_kg: 7.77 });
  await other.untilWeighing(poOfOther, ({ weight_kg: weight }) => weight !== null);
  const path = { endpoint_id: endpoint.endpoint_id };
  // Disabled, so that no attempt changes what is compared at the end.
  await expectRoute(other.client, 'updateEndpoint', { path, body: { status: 'disabled' } });
  const { deliveries } = await expectRoute<{ deliveries: Delivery[] }>(other.client, 'listDeliveries', { path });
  const delivery = deliveries[0]?.delivery_id ?? 'dlv_0';

  const { warehouseCode } = tenant.identity;
  const own = await tenant.submit({ trackingNumber: newPoNumber('TRK') });
  const forWarehouse = await tenant.body({ warehouseCode: warehouse.code });
  const here = await tenant.untilAccepted(forWarehouse);
  // Enough to claim and to dismiss, each under a number of its own.
  const waiting = Array.from({ length: 20 }, () => warehouse.event({ express_no: newPoNumber('WAITS'), type: 'arrival' }));
  await warehouse.report(...waiting);
  const ownEndpoint = await tenant.createEndpoint({ url: 'http://127.0.0.1:9/' });
  const files = await tenant.files();
  const ownFiles = await Promise.all(Array.from({ length: 5 }, () => tenant.upload('a.pdf', samplePdf(newPoNumber('own')))));
  const ownImages = await Promise.all(
    [tenant, tenant, tenant, other].map((one) => one.uploadImage('a.png', samplePng(newPoNumber('own')))),
  );
  const imageIds = ownImages.map(({ data }) => data.image_id);
  const ownConnection = await expectRoute<CarrierConnection>(tenant.client, 'createConnection', {
    body: { source: '17track', carriers: ['not-used'], credentials: { key: 'k' } },
  });
  const ownKey = await expectRoute<TenantKey>(tenant.client, 'createKey', { body: { description: 'spare' } });
  const ownDelivery = await expectRoute<Delivery>(tenant.client, 'sendTestEvent', {
    path: { endpoint_id: ownEndpoint.endpoint_id },
    body: {},
  });
  const poNumbers = [
    own.po_number,
    own.po_number,
    own.po_number,
    poOfOther,
    'PO-UNKNOWN',
    'PO%2F1',
    '\u00e9',
    newPoNumber(),
    newPoNumber(),
    newPoNumber(),
  ];
  const known: KnownValues = {
    po_number: poNumbers,
    forecast_no: [own.forecast_no, here.forecast_no, forecastNo],
    event_id: [...waiting.map(({ event_id }) => event_id), 'unknown'],
    id: [...waiting.map(({ event_id }) => event_id), 'unknown'],
    endpoint_id: [ownEndpoint.endpoint_id, endpoint.endpoint_id, 'ep_0'],
    delivery_id: [ownDelivery.delivery_id, delivery, 'dlv_0'],
    warehouse_code: [warehouseCode, warehouse.code],
    tracking_number: [trackingNumber, 'SIM 0001 0002'],
    express_no: [trackingNumber, 'SIM 0001 0002'],
    shipping_label: [files.label, (await other.files()).label],
    shipping_note: [files.note],
    url: ['http://127.0.0.1:9/'],
    attachment_id: [...ownFiles.map(({ data }) => data.attachment_id), fileOfOther.attachment_id, 1],
    image_id: imageIds,
    image_number: [...imageIds.map(numberOfImage), 1],
    hs_code: ['6109.10.0000'],
    event_types: ['parcel.weighed', ['parcel.weighed', 'tracking.changed']],
    carrier_code: ['simulated'],
    // No parcel is dispatched with it: nothing calls the vendor.
    carriers: [['not-used']],
    source: ['17track'],
    credentials: [{ key: 'k' }],
    import_id: [await cancelledImport(tenant, 'own'), await cancelledImport(other, CANARY), 'imp_0'],
    connection_id: [ownConnection.connection_id, connection_id, 'con_0'],
    // Not the key that calls: it must go on to work.
    key_id: [ownKey.key_id, keyOfOther.key_id, 'key_0'],
    allowed_addresses: [['127.0.0.1'], []],
    name: [new URL(files.label).pathname.split('/').at(-1), 'unknown'],
    // Of pages that nobody has read.
    cursor: [],
    after: [],
    // Nobody wants to wait here.
    wait: ['1'],
  };
  const callers = fc.oneof(
    { weight: 6, arbitrary: fc.constant(tenant.client) },
    { weight: 3, arbitrary: fc.constant(warehouse.client) },
    { weight: 1, arbitrary: fc.constantFrom(stage.platform.client(null), stage.platform.client('pf_test_x')) },
  );
  const makers = [false, true].map((wild) => new SchemaValues(known, wild));
  return { poOfOther, callers, makers, before: await stateOfOther(poOfOther) };
});

/** Text for a path or query: everything is text there, and none of it half a character. */
const inUrl = (value: unknown): string => Buffer.from(typeof value === 'string' ? value : String(JSON.stringify(value))).toString();

/** One segment of a path. HTTP clients resolve `.` and `..`, encoded or not, before they send: what arrives is another route. */
function inPath(value: unknown): string {
  const text = inUrl(value);
  return /^\.{0,2}$/.test(text) ? '-' : encodeURIComponent(text);
}

interface MadeRequest {
  readonly caller: ApiClient;
  /** With the query. */
  readonly path: string;
  readonly body: unknown;
}

const uploads = fc.record({
  name: fc.constantFrom('a.pdf', 'A.PDF', 'a.csv', 'a.xlsx', 'a.png', 'a.txt', '', '../a.pdf'),
  content: fc.constantFrom(
    samplePdf('fuzz'),
    samplePng('fuzz'),
    Buffer.from('PO,SKU\n1,A'),
    Buffer.from('%PDF-1.4'),
    Buffer.from('x'),
    Buffer.alloc(0),
  ),
});

function requestOf(route: RouteDefinition, maker: SchemaValues): fc.Arbitrary<MadeRequest> {
  const inPaths = Object.fromEntries(pathParameters(route.path).map((name) => [name, maker.of({ type: 'string' }, name)]));
  const { properties = {}, required = [] } = (route.query ?? {}) as { properties?: Record<string, unknown>; required?: string[] };
  const inQuery = Object.fromEntries(
    Object.entries(properties)
      .filter(([name]) => !maker.leavesOut(name))
      .map(([name, schema]) => [name, maker.of(schema, name)]),
  );
  const always = ['wait', ...required].filter((name) => name in inQuery);
  const body = route.body === undefined ? fc.constant(undefined) : route.body === 'multipart' ? uploads : maker.of(route.body);
  const made = { caller: prepared.callers, names: fc.record(inPaths), asked: fc.record(inQuery, { requiredKeys: always }), body };
  return fc.record(made).map(({ caller, names, asked, body: sent }) => {
    const query = new URLSearchParams(Object.entries(asked).map(([name, value]): [string, string] => [name, inUrl(value)]));
    const path = Object.entries(names).reduce((text, [name, value]) => text.replace(`{${name}}`, () => inPath(value)), route.path);
    return { caller, path: query.size === 0 ? path : `${path}?${query}`, body: sent };
  });
}

function callOf({ method, body: kind }: RouteDefinition, body: unknown): Call {
  if (kind !== 'multipart')
    return body === undefined ? { method } : { method, body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
  const form = new FormData();
  const { name, content } = body as { readonly name: string; readonly content: Uint8Array<ArrayBuffer> };
  form.append('file', new Blob([content]), name);
  return { method, body: form };
}

const shown = ({ status, text }: ApiResponse<unknown>): string => `${status} ${text.slice(0, 600)}`;

/** Reads first; what ends what the others need comes last, and the cancelling before parcels arrive. */
const late = ['simulate', 'updateEndpoint', 'deleteEndpoint', 'updateConnection', 'deleteConnection', 'deleteFile'];
const rank = ({ id, method }: RouteDefinition): number => (method === 'GET' ? -2 : id === 'cancelForecast' ? -1 : late.indexOf(id) + 1);
const inOrder = [...all].sort((a, b) => rank(a) - rank(b)).map((route) => [route.id, route] as const);

/** Route → how many of its requests succeeded. */
const succeeded = new Map<string, number>();
/** No photo has been uploaded by a name that is known here. */
const NEVER = 'openPhoto';
/** Few requests of some routes succeed, by chance none: such a route gets as many again, at most so often. */
const MOST_TIMES = 10;

describe('a request made of the contract', () => {
  test.each(inOrder)(
    '%s has a documented response, which shows nothing of another tenant',
    async (id, route) => {
      const requests = fc.oneof(...prepared.makers.map((maker) => requestOf(route, maker)));
      const property = fc.asyncProperty(requests, async ({ caller, path, body }) => {
        const response = await caller.call<unknown>(path, callOf(route, body));
        const { parameter, value, data = route.data } = route.alternative ?? {};
        const isOther = new URLSearchParams(path.split('?')[1]).get(String(parameter)) === value;
        const breaches = contractBreaches(isOther ? { ...route, data } : route, response);
        expect([breaches, shown(response)]).toEqual([[], shown(response)]);
        expect(response.status < 500 || response.status === 503).toBe(true);
        expect(response.text).not.toContain(CANARY);
        if (response.status < 300) succeeded.set(id, (succeeded.get(id) ?? 0) + 1);
      });
      let times = 0;
      do {
        await fc.assert(property, { numRuns: RUNS, ...(seed === undefined ? {} : { seed: seed + times }) });
        times += 1;
      } while (id !== NEVER && !succeeded.has(id) && times < MOST_TIMES);
    },
    300_000,
  );

  test('succeeds now and then on every route: what is refused at once tests little', () => {
    const never = all.filter(({ id }) => !succeeded.has(id)).map(({ id }) => id);
    expect(never.filter((id) => id !== NEVER)).toEqual([]);
  });

  test('has changed nothing of the other tenant', async () => {
    expect(await stateOfOther(prepared.poOfOther)).toEqual(prepared.before);
  });
});
