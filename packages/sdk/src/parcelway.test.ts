import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { Parcelway } from './parcelway.ts';
import { ParcelwayError } from './parcelway-error.ts';
import { readQuickstart } from './quickstart.ts';
import { startApiServer, succeed, useApiServer } from './testing/api-server.ts';

const api = useApiServer(2);

const forecast = { po_number: 'P', warehouse_code: 'W', items: [{ sku_code: 'A', product_name_en: 'A', forecast_quantity: 1 }] };
const upload = { name: 'a.pdf', content: Buffer.from('%PDF-1.4\n%%EOF') };
const arrival = {
  type: 'arrival',
  event_id: 'e1',
  occurred_at: '2026-11-24T01:15:03Z',
  warehouse_code: 'WH1',
  forecast_no: 'FC1',
} as const;

describe('a request', () => {
  test.each<[(client: Parcelway) => PromiseLike<unknown>, string]>([
    [(client) => client.forecasts.validateBatch([]), 'POST /open/v1/forecasts/batch?validate_only=true'],
    [(client) => client.forecasts.exportCsv({ q: 'PO-', sku_code: 'A B' }), 'GET /open/v1/forecasts.csv?q=PO-&sku_code=A+B'],
    [(client) => client.forecasts.tracking('P&1'), 'GET /open/v1/forecasts/tracking?po_number=P%261'],
    [(client) => client.forecasts.get('P/1'), 'GET /open/v1/forecasts/P%2F1'],
    [(client) => client.forecasts.cancel('P?1'), 'POST /open/v1/forecasts/P%3F1/cancel'],
    [(client) => client.warehouse.event('WH1/a@b:c+d'), 'GET /warehouse/v1/events/WH1%2Fa%40b%3Ac%2Bd'],
    [(client) => client.forecasts.removeImage('P/1', 7), 'DELETE /open/v1/forecasts/P%2F1/images/7'],
    [(client) => client.deliveries.get('ep_1', 'd_1'), 'GET /open/v1/webhook-endpoints/ep_1/deliveries/d_1'],
    [(client) => client.files.open(`${api.server.url}/files/x-y.pdf?copies=quantity`), 'GET /files/x-y.pdf?copies=quantity'],
    [(client) => client.files.open(`${api.server.url}/photos/x.png`), 'GET /photos/x.png'],
    [(client) => client.imports.rows('imp_1', { state: 'failed' }), 'GET /open/v1/forecasts/import/imp_1/rows?state=failed'],
    [
      (client) =>
        client.events.list({
          since: '2026-11-21T00:00:00Z',
          event_types: ['parcel.weighed', 'tracking.changed'],
          po_number: 'PO 1',
          limit: 3,
        }),
      'GET /open/v1/events?since=2026-11-21T00%3A00%3A00Z&event_types=parcel.weighed%2Ctracking.changed&po_number=PO+1&limit=3',
    ],
    [
      (client) => client.sandbox.listen({ after: 'c', event_types: ['endpoint.test'], wait: 1 }),
      'GET /sandbox/v1/listen?after=c&event_types=endpoint.test&wait=1',
    ],
  ])('of %s is %s, with the key where one is needed', async (call, request) => {
    await call(api.parcelway);
    expect(api.server.seen.map(({ method, url }) => `${method} ${url}`)).toEqual([request]);
    expect(api.server.seen[0]?.headers['x-api-key']).toBe(/ \/(files|photos)\//.test(request) ? undefined : 'pf_test_key');
  });

  test.each<[(client: Parcelway) => PromiseLike<unknown>, unknown]>([
    [(client) => client.forecasts.submit(forecast), forecast],
    [(client) => client.forecasts.validateBatch([forecast]), { forecasts: [forecast] }],
    [(client) => client.warehouse.reportEvents([arrival]), { events: [arrival] }],
    [(client) => client.warehouse.reportEvents(arrival), arrival],
    [(client) => client.forecasts.correct('P/1', { due_date: null, carton_count: 2 }), { due_date: null, carton_count: 2 }],
  ])('of %s has the body %j', async (call, body) => {
    await call(api.parcelway);
    const [request] = api.server.seen;
    expect(request?.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(JSON.parse(String(request?.body))).toEqual(body);
  });

  test('whose body is optional has none', async () => {
    await api.parcelway.webhookEndpoints.rotateSecret('ep_1');
    expect(api.server.seen[0]?.body.length).toBe(0);
  });
});

describe('what is given and got', () => {
  test('data of the response, and beside it what the response came with', async () => {
    api.server.respondWith((_req, res) => succeed(res, { forecast_no: 'FC1' }, { 'idempotent-replayed': 'true' }));
    let info: unknown;
    const submitted = await api.parcelway.forecasts.submit(forecast, {
      onResponse: (given) => {
        info = given;
      },
    });
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
