import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { routes } from './generated/routes.ts';
import { Parcelway } from './parcelway.ts';
import { ParcelwayError } from './parcelway-error.ts';
import { readQuickstart } from './quickstart.ts';
import type { RouteId } from './retry.ts';
import { startApiServer, succeed, useApiServer } from './testing/api-server.ts';

const api = useApiServer(2);

const item = { sku_code: 'A', product_name_en: 'A', forecast_quantity: 1 };
const upload = { name: 'a.pdf', content: Buffer.from('%PDF-1.4\n%%EOF') };
const spreadsheet = { name: 'a.csv', content: Buffer.from('PO\nP1'), mapping: { PO: 'po_number' }, validateOnly: true };
const arrival = {
  type: 'arrival',
  event_id: 'e1',
  occurred_at: '2026-11-24T01:15:03Z',
  warehouse_code: 'WH1',
  forecast_no: 'FC1',
} as const;

/** Every route → a call of it. The type holds the list complete. */
const calls: Record<RouteId, (client: Parcelway) => PromiseLike<unknown>> = {
  submitForecast: (client) => client.forecasts.submit({ po_number: 'P', warehouse_code: 'W', items: [item] }),
  validateForecast: (client) => client.forecasts.validate({ po_number: 'P', warehouse_code: 'W', items: [item] }),
  submitForecastBatch: (client) => client.forecasts.validateBatch([{ po_number: 'P', warehouse_code: 'W', items: [item] }]),
  queryForecasts: (client) => client.forecasts.query({ po_numbers: ['P'], include: ['weighing'] }),
  listForecasts: (client) => client.forecasts.list({ status: 'WEIGHED', limit: 5 }),
  countForecasts: (client) => client.forecasts.counts(),
  exportForecasts: (client) => client.forecasts.exportCsv({ q: 'PO-', sku_code: 'A B' }),
  queryWeighing: (client) => client.forecasts.weighing('P 1'),
  queryTracking: (client) => client.forecasts.tracking('P&1'),
  detectCarriers: (client) => client.carriers.detect('1Z 99'),
  listCarriers: (client) => client.carriers.list(),
  createConnection: (client) => client.carrierConnections.create({ source: 'dhl', carriers: ['dhl'], credentials: { key: 'k' } }),
  listConnections: (client) => client.carrierConnections.list(),
  getConnection: (client) => client.carrierConnections.get('con_1'),
  updateConnection: (client) => client.carrierConnections.update('con_1', { carriers: ['*'] }),
  deleteConnection: (client) => client.carrierConnections.delete('con_1'),
  testConnection: (client) => client.carrierConnections.test('con_1'),
  getForecast: (client) => client.forecasts.get('P/1'),
  correctForecast: (client) => client.forecasts.correct('P/1', { due_date: null, carton_count: 2 }),
  cancelForecast: (client) => client.forecasts.cancel('P?1'),
  uploadPdf: (client) => client.files.uploadPdf(upload),
  uploadImage: (client) => client.files.uploadImage(upload),
  listFiles: (client) => client.files.list({ used: false, limit: 5 }),
  getFile: (client) => client.files.get(7),
  deleteFile: (client) => client.files.delete(7),
  createFileUrl: (client) => client.files.url(7, { expires_in: 3600 }),
  addForecastImage: (client) => client.forecasts.addImage('P/1', { image_id: 'im_1', image_type: 'product' }),
  removeForecastImage: (client) => client.forecasts.removeImage('P/1', 7),
  openFile: (client) => client.files.open(`${api.server.url}/files/x-y.pdf?copies=quantity`),
  openPhoto: (client) => client.files.open(`${api.server.url}/photos/x.png`),
  importForecasts: (client) => client.imports.create(spreadsheet),
  listImports: (client) => client.imports.list({ limit: 5 }),
  previewImport: (client) => client.imports.preview(spreadsheet),
  getImportTemplateCsv: (client) => client.imports.templateCsv(),
  getImportTemplateXlsx: (client) => client.imports.templateXlsx(),
  getImport: (client) => client.imports.get('imp_1'),
  listImportRows: (client) => client.imports.rows('imp_1', { state: 'failed' }),
  getFailedRows: (client) => client.imports.failedRows('imp_1'),
  cancelImport: (client) => client.imports.cancel('imp_1'),
  listWarehouses: (client) => client.warehouses.list(),
  getOwnWarehouse: (client) => client.warehouse.self(),
  uploadPhoto: (client) => client.warehouse.uploadPhoto(upload),
  getEventOutcome: (client) => client.warehouse.event('WH1/a@b:c+d'),
  listUnclaimed: (client) => client.warehouse.listUnclaimed({ reason: 'ambiguous' }),
  claimUnclaimed: (client) => client.warehouse.claim('e/1', { forecast_no: 'FC1' }),
  dismissUnclaimed: (client) => client.warehouse.dismiss('e_1', { reason: 'Returned' }),
  listWarehouseForecasts: (client) => client.warehouse.forecasts({ status: 'ACCEPTED,2', limit: 5 }),
  getWarehouseForecast: (client) => client.warehouse.forecast('F/1'),
  listWarehouseCarriers: (client) => client.warehouse.carriers(),
  lookUpScan: (client) => client.warehouse.lookUp('A 1'),
  reportEvents: (client) => client.warehouse.reportEvents([arrival]),
  getOwnAccess: (client) => client.me.get(),
  listKeys: (client) => client.keys.list({ limit: 5 }),
  createKey: (client) => client.keys.create({ description: 'ERP', allowed_addresses: ['::1'] }),
  getKey: (client) => client.keys.get('key/1'),
  updateKey: (client) => client.keys.update('key_1', { expires_at: null }),
  rotateKey: (client) => client.keys.rotate('key_1', { overlap_seconds: 0 }),
  revokeKey: (client) => client.keys.revoke('key_1'),
  createConsoleSession: (client) => client.console.createSession(),
  createConsoleLink: (client) => client.console.createLink({ scopes: ['weighing:read'] }),
  listAuditLog: (client) => client.activity.auditLog({ action: 'key.created' }),
  listFailedCalls: (client) => client.activity.failedCalls({ code: '42201' }),
  getUsage: (client) => client.activity.usage({ from_date: '2026-01-01' }),
  createEndpoint: (client) => client.webhookEndpoints.create({ url: 'https://a.example/', filter: { is_terminal: true } }),
  listEndpoints: (client) => client.webhookEndpoints.list(),
  getEndpoint: (client) => client.webhookEndpoints.get('ep_1'),
  updateEndpoint: (client) => client.webhookEndpoints.update('ep_1', { status: 'paused' }),
  deleteEndpoint: (client) => client.webhookEndpoints.delete('ep_1'),
  rotateSecret: (client) => client.webhookEndpoints.rotateSecret('ep_1'),
  sendTestEvent: (client) => client.webhookEndpoints.test('ep_1', { event_type: 'parcel.weighed' }),
  getEndpointFigures: (client) => client.webhookEndpoints.figures('ep_1', { from_date: '2026-11-01' }),
  listDeliveries: (client) => client.deliveries.list('ep_1', { status: 'failed' }),
  getDelivery: (client) => client.deliveries.get('ep_1', 'd_1'),
  listAttempts: (client) => client.deliveries.attempts('ep_1', 'd_1'),
  resendDelivery: (client) => client.deliveries.resend('ep_1', 'd_1'),
  replayDeliveries: (client) => client.deliveries.replay('ep_1', { since: '2026-11-21T00:00:00Z', only: 'all' }),
  listEvents: (client) =>
    client.events.list({ since: '2026-11-21T00:00:00Z', event_types: ['parcel.weighed', 'tracking.changed'], po_number: 'PO 1', limit: 3 }),
  listen: (client) => client.sandbox.listen({ after: 'c', event_types: ['endpoint.test'], wait: 1 }),
  simulate: (client) => client.sandbox.simulate({ po_number: 'P', step: 'weigh' }),
};

describe('every route has a method', () => {
  test.each(Object.keys(routes) as RouteId[])('%s', async (id) => {
    await calls[id](api.parcelway);
    const [request, ...more] = api.server.seen;
    expect(more).toEqual([]);
    const { method, path } = routes[id];
    expect([request?.method, request?.url?.split('?')[0]]).toEqual([
      method,
      expect.stringMatching(new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`)),
    ]);
    const isOpen = path.startsWith('/files/') || path.startsWith('/photos/');
    expect(request?.headers['x-api-key']).toBe(isOpen ? undefined : 'pf_test_key');
  });
});

describe('a request', () => {
  test.each<[RouteId, string]>([
    ['submitForecastBatch', '/open/v1/forecasts/batch?validate_only=true'],
    ['exportForecasts', '/open/v1/forecasts.csv?q=PO-&sku_code=A+B'],
    ['queryTracking', '/open/v1/forecasts/tracking?po_number=P%261'],
    ['getForecast', '/open/v1/forecasts/P%2F1'],
    ['getEventOutcome', '/warehouse/v1/events/WH1%2Fa%40b%3Ac%2Bd'],
    ['removeForecastImage', '/open/v1/forecasts/P%2F1/images/7'],
    ['getDelivery', '/open/v1/webhook-endpoints/ep_1/deliveries/d_1'],
    ['openFile', '/files/x-y.pdf?copies=quantity'],
    ['listImportRows', '/open/v1/forecasts/import/imp_1/rows?state=failed'],
    ['listEvents', '/open/v1/events?since=2026-11-21T00%3A00%3A00Z&event_types=parcel.weighed%2Ctracking.changed&po_number=PO+1&limit=3'],
    ['listen', '/sandbox/v1/listen?after=c&wait=1&event_types=endpoint.test'],
  ])('of %s has its parameters in %s', async (id, url) => {
    await calls[id](api.parcelway);
    expect(api.server.seen[0]?.url).toBe(url);
  });

  test.each<[RouteId, unknown]>([
    ['submitForecast', { po_number: 'P', warehouse_code: 'W', items: [item] }],
    ['submitForecastBatch', { forecasts: [{ po_number: 'P', warehouse_code: 'W', items: [item] }] }],
    ['reportEvents', { events: [arrival] }],
    ['correctForecast', { due_date: null, carton_count: 2 }],
  ])('of %s has the body %j', async (id, body) => {
    await calls[id](api.parcelway);
    const [request] = api.server.seen;
    expect(request?.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(JSON.parse(String(request?.body))).toEqual(body);
  });
});

describe('what is given and got', () => {
  test('data of the response, and beside it what the response came with', async () => {
    api.server.respondWith((_req, res) => succeed(res, { forecast_no: 'FC1' }, { 'idempotent-replayed': 'true' }));
    let info: unknown;
    const submitted = await api.parcelway.forecasts.submit(
      { po_number: 'P', warehouse_code: 'W', items: [item] },
      {
        onResponse: (given) => {
          info = given;
        },
      },
    );
    expect(submitted).toEqual({ forecast_no: 'FC1' });
    expect(info).toMatchObject({ requestId: 'req_1', httpStatus: 200, attempts: 1, headers: { 'idempotent-replayed': 'true' } });
  });

  test('an upload is a form with the bytes as they are and a name that cannot break out of its header', async () => {
    const content = Buffer.from([0, 13, 10, 255, 45, 45]);
    await api.parcelway.files.uploadPdf({ name: 'a"\r\nX: 1.pdf', content });
    const [request] = api.server.seen;
    const boundary = /boundary=(.+)$/.exec(String(request?.headers['content-type']))?.[1];
    const text = request?.body.toString('latin1') ?? '';
    expect(text.startsWith(`--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a%22%0D%0AX: 1.pdf"\r\n`)).toBe(true);
    expect(text.endsWith(`\r\n\r\n${content.toString('latin1')}\r\n--${boundary}--\r\n`)).toBe(true);
  });

  test('an upload says for how long its URL opens the file', async () => {
    await api.parcelway.files.uploadPdf({ ...upload, urlExpiresIn: 3600 });
    const text = api.server.seen[0]?.body.toString('latin1') ?? '';
    expect(text).toMatch(/^--[^\r]+\r\nContent-Disposition: form-data; name="url_expires_in"\r\n\r\n3600\r\n--/);
    expect(text).toContain('name="file"; filename="a.pdf"');
  });

  test('a file is its bytes and type, and a failure to open it has its code', async () => {
    api.server.respondWith((_req, res) => void res.writeHead(200, { 'content-type': 'image/png' }).end(Buffer.from([137, 80])));
    const opened = await api.parcelway.files.open(`${api.server.url}/photos/x.png`);
    expect([opened.mediaType, [...opened.content]]).toEqual(['image/png', [137, 80]]);
    api.server.respondWith((_req, res) => void res.writeHead(404).end('{"code":"40403","message":"The photo does not exist","data":null}'));
    await expect(api.parcelway.files.open(`${api.server.url}/photos/x.png`)).rejects.toMatchObject({ code: '40403', httpStatus: 404 });
  });

  test('failed rows have the format of the import, or one that is asked for', async () => {
    api.server.respondWith((_req, res) => void res.writeHead(200, { 'content-type': 'text/csv' }).end('PO'));
    await api.parcelway.imports.failedRows('imp_1');
    await api.parcelway.imports.failedRows('imp_1', { format: 'xlsx' });
    await api.parcelway.imports.failedCsv('imp_1');
    const path = '/open/v1/forecasts/import/imp_1/failed-rows';
    expect(api.server.seen.map(({ url }) => url)).toEqual([path, `${path}?format=xlsx`, `${path}?format=csv`]);
  });

  test('the base URL may have a path, with or without a slash at the end', async () => {
    const behind = new Parcelway({ apiKey: 'k', baseUrl: `${api.server.url}/parcels/` });
    await behind.warehouses.list();
    expect(api.server.seen[0]?.url).toBe('/parcels/open/v1/warehouses');
    behind.close();
  });
});

describe('what cannot be meant is refused before anything is sent', () => {
  test.each([
    [{ apiKey: '', baseUrl: 'https://a.example' }, 'apiKey must be'],
    [{ apiKey: 'a\nb', baseUrl: 'https://a.example' }, 'apiKey must be'],
    [{ apiKey: 'k', baseUrl: 'a.example' }, 'baseUrl must be'],
    [{ apiKey: 'k', baseUrl: 'ftp://a.example' }, 'baseUrl must be'],
    [{ apiKey: 'k', baseUrl: 'https://a.example', timeoutMs: 0 }, 'timeoutMs must be a whole number from 1'],
    [{ apiKey: 'k', baseUrl: 'https://a.example', maxRetries: 11 }, 'maxRetries must be a whole number from 0 to 10'],
  ])('options %p', (options, message) => {
    expect(() => new Parcelway(options)).toThrow(message);
  });

  test.each<[string, (client: Parcelway) => PromiseLike<unknown>, string]>([
    ['an empty id', (client) => client.webhookEndpoints.get(''), 'endpoint_id must be a string'],
    ['no bytes', (client) => client.files.uploadPdf({ name: 'a.pdf', content: 'text' as never }), 'content must be bytes'],
    ['a foreign address', (client) => client.files.open('https://a.example/other/x'), 'url must be the URL of a file'],
    ['no address', (client) => client.files.open('x.pdf'), 'url must be the URL of a file'],
  ])('%s', async (_what, call, message) => {
    const error = await call(api.parcelway).then(undefined, (reason: unknown) => reason);
    expect(error).toBeInstanceOf(TypeError);
    expect(error).not.toBeInstanceOf(ParcelwayError);
    expect((error as Error).message).toContain(message);
    expect(api.server.seen).toEqual([]);
  });
});

const directory = mkdtempSync(join(tmpdir(), 'quickstart-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** Writes a quickstart.json. @returns its path */
function write(content: unknown): string {
  const file = join(directory, 'quickstart.json');
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

test('a client reads address and key from the file of a sandbox', async () => {
  const server = await startApiServer();
  const client = Parcelway.fromQuickstart(write({ base_url: server.url, ca_file: null, tenant: { api_key: 'pf_test_quick' } }), {
    maxRetries: 0,
  });
  try {
    await client.warehouses.list();
    expect(server.seen[0]?.headers['x-api-key']).toBe('pf_test_quick');
  } finally {
    client.close();
    await server.close();
  }
});

test('the certificate comes along', () => {
  const pem = join(directory, 'cert.pem');
  writeFileSync(pem, 'PEM');
  const content = { base_url: 'https://localhost:8443', ca_file: pem, tenant: { api_key: 'k' } };
  expect(readQuickstart(write(content))).toEqual({ baseUrl: 'https://localhost:8443', apiKey: 'k', ca: 'PEM' });
  rmSync(pem);
  expect(() => readQuickstart(write(content))).toThrow(/cert\.pem \(ENOENT\): .*quickstart\.json names it as ca_file/);
});

test.each(['{', 'null', '[]', { base_url: 'https://localhost' }, { tenant: { api_key: 'k' } }])('a file with %j is named', (content) => {
  expect(() => readQuickstart(write(content))).toThrow('quickstart.json is no quickstart.json of a sandbox');
});

test('a missing file says what to do', () => {
  expect(() => Parcelway.fromQuickstart(join(directory, 'none.json'))).toThrow(/none\.json \(ENOENT\): start the sandbox/);
});
