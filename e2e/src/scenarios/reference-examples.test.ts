import { expect, test } from '@jest/globals';
import { buildOpenApi } from '@parcelway/contracts/openapi';
import { DocumentProbe, type Part } from '@parcelway/contracts/testing/document-probe';
import type { ApiClient, ApiResponse } from '@parcelway/harness/api-client';
import { samplePdf, samplePng } from '@parcelway/harness/sample-data';
import { until } from '@parcelway/kernel/testing/until';
import { FormData } from 'undici';
import { type DocumentedRoute, documentedRoutes } from '../fuzz/documented-routes.ts';
import { useOpened, useStage } from '../use-stage.ts';

/*
 * What a reader gets who opens the API reference, fills in a key and sends each request as it is prefilled. Only ids are the
 * reader's own: those that the request before has given.
 */

/** Route → why the request as it is prefilled cannot succeed with the key of a tenant. */
const FAILS: Readonly<Record<string, { readonly code: string; readonly because: string }>> = {
  getOwnWarehouse: { code: '40301', because: 'it needs the key of a warehouse' },
  uploadPhoto: { code: '40301', because: 'it needs the key of a warehouse' },
  reportEvents: { code: '40301', because: 'it needs the key of a warehouse' },
  getEventOutcome: { code: '40301', because: 'it needs the key of a warehouse' },
  listUnclaimed: { code: '40301', because: 'it needs the key of a warehouse' },
  claimUnclaimed: { code: '40301', because: 'it needs the key of a warehouse' },
  dismissUnclaimed: { code: '40301', because: 'it needs the key of a warehouse' },
  listWarehouseForecasts: { code: '40301', because: 'it needs the key of a warehouse' },
  getWarehouseForecast: { code: '40301', because: 'it needs the key of a warehouse' },
  listWarehouseCarriers: { code: '40301', because: 'it needs the key of a warehouse' },
  lookUpScan: { code: '40301', because: 'it needs the key of a warehouse' },
  addForecastImage: { code: '42201', because: 'the image_id is that of an upload' },
  removeForecastImage: { code: '40403', because: 'no image has been put on the forecast' },
  cancelImport: { code: '40902', because: 'it has finished by then' },
  openPhoto: { code: '40403', because: 'only a warehouse or a simulation makes a photo' },
};

const documented = documentedRoutes(new DocumentProbe(buildOpenApi({ environment: 'sandbox', baseUrl: 'https://api.example.test' })));
/** All but the one that calls a vendor outside. */
const routes = documented.filter(({ id }) => id !== 'testConnection');
const stage = useStage();
/** The document as it is served. */
const served = useOpened('document', async () => {
  const client = stage.platform.client(null);
  return new DocumentProbe(JSON.parse((await client.call('/openapi.json')).text) as object);
});

/** What the page fills into the field of a parameter; undefined leaves it empty. */
function prefilled({ example, examples, schema, required }: Part): unknown {
  const [first] = Object.values((examples ?? {}) as Record<string, { readonly value: unknown }>);
  const { example: inner, default: standard, enum: values } = (schema ?? {}) as Part;
  const [only] = required === true && Array.isArray(values) ? values : [];
  return example ?? first?.value ?? inner ?? standard ?? only;
}

/** The first example of a JSON body; for an upload a PDF, an image, or a spreadsheet to import. */
function bodyOf({ requestBody, operationId, tags }: Part): unknown {
  const content = (
    requestBody as { readonly content?: Record<string, { readonly examples?: Record<string, { readonly value: unknown }> }> }
  )?.content;
  if (content === undefined) return undefined;
  if (!('multipart/form-data' in content)) return Object.values(content['application/json']?.examples ?? {})[0]?.value;
  const form = new FormData();
  if (operationId === 'uploadImage') form.set('file', new Blob([new Uint8Array(samplePng('reference'))]), 'mug.png');
  else if ((tags as readonly string[]).includes('Imports')) form.set('file', new Blob(['PO,SKU\nP1,A']), 'forecasts.csv');
  else form.set('file', new Blob([new Uint8Array(samplePdf('reference'))]), 'label.pdf');
  return form;
}

/** Sends the request of a route as it is prefilled, with the reader's ids where the page leaves a required field empty. */
function send(client: ApiClient, route: DocumentedRoute, ids: Readonly<Record<string, string>>): Promise<ApiResponse> {
  const operation = (served.at('#/paths')[route.path] as Record<string, Part>)[route.method.toLowerCase()] as Part;
  const query = new URLSearchParams();
  let { path } = route;
  for (const parameter of (operation.parameters ?? []) as Part[]) {
    const name = String(parameter.name);
    const value = prefilled(parameter) ?? (parameter.required === true ? ids[name] : undefined);
    if (value === undefined) continue;
    if (parameter.in === 'path') path = path.replace(`{${name}}`, encodeURIComponent(String(value)));
    else query.set(name, String(value));
  }
  return client.call(query.size > 0 ? `${path}?${query}` : path, { method: route.method, body: bodyOf(operation), timeoutMs: 40_000 });
}

const named = (id: string): DocumentedRoute => {
  const found = routes.find((route) => route.id === id);
  if (found === undefined) throw new Error(`There is no route ${id}`);
  return found;
};

/** A merchant without anything, and the ids that the first requests of the page have given. */
async function reader(): Promise<{ client: ApiClient; ids: Record<string, string> }> {
  const { client } = await stage.operator.newMerchant();
  const ids: Record<string, string> = {};
  for (const id of ['submitForecast', 'uploadPdf', 'createEndpoint', 'sendTestEvent', 'createConnection', 'createKey', 'importForecasts']) {
    const { code, data, text } = await send(client, named(id), ids);
    if (code !== '0') throw new Error(`${id}: ${text}`);
    const { url, attachment_id, ...other } = data as Record<string, string | null>;
    if (attachment_id != null) ids['attachment_id'] ??= String(attachment_id);
    const { po_number, endpoint_id, delivery_id, connection_id, key_id, import_id } = other;
    const given = { po_number, endpoint_id, delivery_id, connection_id, key_id, import_id, name: url?.split('/').at(-1) };
    for (const [name, value] of Object.entries(given)) if (typeof value === 'string') ids[name] ??= value;
  }
  return { client, ids };
}

/** Waits until an import has finished. */
async function untilFinished(client: ApiClient, importId: string): Promise<void> {
  await until(async () => (await client.expectOk(`/open/v1/forecasts/import/${importId}`))['state'] !== 'running');
}

test('the document of the page is the one that the routes are taken from', () => {
  expect(documentedRoutes(served).map(({ id }) => id)).toEqual(documented.map(({ id }) => id));
});

test.each(routes.map((route) => [route.id, route] as const))('%s succeeds as it is prefilled', async (id, route) => {
  const { client, ids } = await reader();
  if (id === 'cancelImport') await untilFinished(client, String(ids['import_id']));
  const { status, code, text } = await send(client, route, ids);
  const expected = FAILS[id];
  if (expected !== undefined) expect(code).toBe(expected.code);
  else expect({ status, text: status < 300 ? '' : text }).toEqual({ status: id === 'importForecasts' ? 202 : 200, text: '' });
});

test.each(routes.filter(({ method }) => method === 'GET').map((route) => [route.id, route] as const))(
  '%s needs nothing but ids that the reader has',
  (_id, { parameters }) => {
    const required = parameters.filter((parameter) => parameter.required && prefilled(parameter as unknown as Part) === undefined);
    const own = ['po_number', 'attachment_id', 'endpoint_id', 'delivery_id', 'connection_id', 'key_id', 'import_id'];
    const has = [...own, 'event_id', 'name', 'forecast_no', 'scan'];
    expect(required.map(({ name }) => name).filter((name) => !has.includes(name))).toEqual([]);
  },
);
