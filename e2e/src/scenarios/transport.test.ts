import { describe, expect, test } from '@jest/globals';
import { buildOpenApi } from '@parcelway/contracts/openapi';
import { routes } from '@parcelway/contracts/routes';
import { type RawResponse, rawRequest } from '@parcelway/harness/raw-request';
import { pathOf } from '@parcelway/harness/route-call';
import { useSharedStageWithMerchant } from '../use-stage.ts';

const { stage, merchant } = useSharedStageWithMerchant();

const overTls = (text: string): Promise<RawResponse> => rawRequest(stage.target, text);
const head = (...lines: string[]): string => `${lines.join('\r\n')}\r\n\r\n`;
const codeOf = (response: RawResponse): string => (JSON.parse(response.body) as { code: string }).code;

async function stillHealthy(): Promise<void> {
  expect((await merchant.client.call('/open/v1/warehouses')).code).toBe('0');
}

describe('plain HTTP on the TLS port', () => {
  test.each([
    ['GET', head('GET /open/v1/warehouses HTTP/1.1', 'Host: localhost')],
    ['POST with a body', `${head('POST /open/v1/forecasts HTTP/1.1', 'Host: localhost', 'Content-Length: 2')}{}`],
  ])('%s gets 40002, not a dropped connection', async (_name, text) => {
    const response = await rawRequest({ ...stage.target, ca: null }, text);
    expect([response.status, codeOf(response)]).toEqual([400, '40002']);
    expect(response.headers['x-request-id']).toMatch(/\S/);
    await stillHealthy();
  });
});

describe('malformed requests', () => {
  const line = 'GET /open/v1/warehouses HTTP/1.1';
  test('two Host headers are refused and not believed', async () => {
    const response = await overTls(head(line, 'Host: localhost', 'Host: example.com', `X-Api-Key: ${merchant.identity.key}`));
    expect([response.status, codeOf(response)]).toEqual([400, '40001']);
  });

  test('two keys are refused', async () => {
    const key = `X-Api-Key: ${merchant.identity.key}`;
    const response = await overTls(head(line, 'Host: localhost', key, key));
    expect([response.status, codeOf(response)]).toEqual([401, '40003']);
  });

  test('two keys are refused, though one of them is empty', async () => {
    const key = `X-Api-Key: ${merchant.identity.key}`;
    for (const keys of [
      [key, 'X-Api-Key:'],
      ['X-Api-Key:', key],
    ]) {
      const response = await overTls(head(line, 'Host: localhost', ...keys));
      expect([response.status, codeOf(response)]).toEqual([401, '40003']);
    }
  });

  test('forged headers of the inside change nothing', async () => {
    const headers = { 'x-parcelway-principal': 'forged', 'x-forwarded-proto': 'http', 'x-tenant-id': 'tnt_other' };
    expect((await merchant.client.call('/open/v1/warehouses', { headers })).code).toBe('0');
    expect((await stage.platform.client(null).call('/open/v1/warehouses', { headers })).code).toBe('40101');
  });
});

describe('routing', () => {
  test.each([
    '/open/v1',
    '/open/v1/forecast',
    '/open/v1/forecasts/',
    '/OPEN/v1/forecasts',
    '/open//v1/forecasts',
    '/internal/v1/unclaimed',
    '/.env',
  ])('%s is no endpoint', async (path) => {
    const response = await overTls(head(`GET ${path} HTTP/1.1`, 'Host: localhost', `X-Api-Key: ${merchant.identity.key}`));
    expect([response.status, codeOf(response)]).toEqual([404, '40402']);
  });

  test('another method is 40501 and names those that are allowed', async () => {
    const methods = new Map<string, string[]>();
    for (const route of routes) methods.set(route.path, [...(methods.get(route.path) ?? []), route.method]);
    for (const [path, allowed] of methods) {
      const route = routes.find((candidate) => candidate.path === path);
      const response = await merchant.client.call(pathOf(route as (typeof routes)[number]), { method: 'PUT' });
      expect([path, response.status, response.code]).toEqual([path, 405, '40501']);
      const named = String(response.headers.allow).split(/, ?/);
      expect(named).toEqual(expect.arrayContaining(allowed));
    }
  });
});

describe('X-Request-Id', () => {
  test('is taken over when it is plain, and made otherwise', async () => {
    const idOf = async (given?: string): Promise<string> => {
      const headers: Record<string, string> = given === undefined ? {} : { 'x-request-id': given };
      return String((await merchant.client.call('/open/v1/warehouses', { headers })).headers['x-request-id']);
    };
    expect(await idOf('abc-123.DEF_4')).toBe('abc-123.DEF_4');
    const made = [await idOf(), await idOf(), await idOf('no blanks'), await idOf('x'.repeat(500)), await idOf('<script>')];
    expect(new Set(made).size).toBe(5);
    for (const id of made) expect(id).toMatch(/^[A-Za-z0-9._-]{8,64}$/);
    const failure = await merchant.client.call('/open/v1/forecasts/weighing', { headers: { 'x-request-id': 'failing-1' } });
    expect(failure.headers['x-request-id']).toBe('failing-1');
  });
});

describe('probes', () => {
  test.each(['/healthz', '/readyz'])('%s needs no key', async (path) => {
    const response = await stage.platform.client(null).call(path);
    expect([response.status, response.code]).toEqual([200, '0']);
  });

  test('/readyz names every service', async () => {
    const { services } = await stage.platform.client(null).expectOk<{ services: Record<string, string> }>('/readyz');
    expect(Object.keys(services).sort()).toEqual(['file', 'forecast', 'gateway', 'tracking', 'warehouse-intake', 'webhook']);
    expect(new Set(Object.values(services))).toEqual(new Set(['ready']));
  });
});

describe('the reference', () => {
  interface Operation {
    readonly operationId: string;
    readonly responses: Readonly<Record<string, unknown>>;
  }
  interface Document {
    readonly openapi: string;
    readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  }
  const methodNames = ['get', 'post', 'patch', 'delete', 'put'];
  const load = async (): Promise<Document> => JSON.parse((await stage.platform.client(null).call('/openapi.json')).text) as Document;
  const operations = (document: Document): Array<{ path: string; method: string; operation: Operation }> =>
    Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([method]) => methodNames.includes(method))
        .map(([method, operation]) => ({ path, method, operation })),
    );

  test('/openapi.json is what the contracts build', async () => {
    const document = await load();
    const { base_url } = stage.platform.quickstart;
    expect(document).toEqual(JSON.parse(JSON.stringify(buildOpenApi({ environment: 'sandbox', baseUrl: base_url }))));
    expect(document.openapi).toMatch(/^3\.1/);
  });

  test('every route is documented, and every documented route is there', async () => {
    const documented = operations(await load());
    expect(documented.map(({ operation }) => operation.operationId).sort()).toEqual(routes.map((route) => route.id).sort());
    for (const { path, method } of documented) {
      const filled = path.replaceAll(/\{[a-z_]+\}/g, 'x');
      const response = await merchant.client.call(filled, { method: method.toUpperCase() as 'GET' });
      expect([path, response.code]).toEqual([path, expect.not.stringMatching(/^(40402|40501)$/)]);
    }
  });

  test('/docs loads, with nothing from elsewhere', async () => {
    const client = stage.platform.client(null);
    const page = await client.call('/docs');
    expect(page).toMatchObject({ status: 200, headers: { 'content-type': expect.stringContaining('text/html') } });
    const references = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => String(match[1]));
    expect(references.length).toBeGreaterThanOrEqual(3);
    for (const reference of references) {
      const url = new URL(reference, `${stage.platform.quickstart.base_url}/docs`);
      expect(url.origin).toBe(stage.platform.quickstart.base_url);
      const asset = await client.fetchBytes(url.href);
      expect([reference, asset.status]).toEqual([reference, 200]);
      expect(asset.bytes.length).toBeGreaterThan(0);
    }
    expect(page.text).not.toMatch(/(?:src|href)="https?:/);
    expect(String(page.headers['content-security-policy'])).toContain("default-src 'none'");
  });

  test('/asyncapi.json describes the events', async () => {
    const document = JSON.parse((await stage.platform.client(null).call('/asyncapi.json')).text) as { asyncapi: string };
    expect(document.asyncapi).toMatch(/^3\./);
    expect(JSON.stringify(document)).toContain('parcel.weighed');
  });
});
