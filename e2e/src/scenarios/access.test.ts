import { describe, expect, test } from '@jest/globals';
import { buildOpenApi } from '@parcelway/contracts/openapi';
import type { RouteDefinition } from '@parcelway/contracts/route';
import { routes } from '@parcelway/contracts/routes';
import { tenantScopes, warehouseScopes } from '@parcelway/contracts/scopes';
import type { ApiClient, ApiResponse } from '@parcelway/harness/api-client';
import { contractBreaches, pathOf } from '@parcelway/harness/route-call';
import { until } from '@parcelway/kernel/testing/until';
import { useStageWithMerchant } from '../use-stage.ts';

const { stage, merchant } = useStageWithMerchant();

const keyed = routes.filter((route) => route.access !== 'public');

/** Calls a route with nothing but a key: what is checked before the body decides. */
async function bare(client: ApiClient, route: RouteDefinition): Promise<ApiResponse<unknown>> {
  const response = await client.call(pathOf(route), { method: route.method });
  expect(contractBreaches(route, response)).toEqual([]);
  return response;
}

async function codeWith(key: string | null, path = '/open/v1/warehouses'): Promise<string> {
  const client = stage.platform.client(key);
  const response = await client.call(path);
  await client.close();
  return response.code;
}

describe.each(keyed.map((route): [string, RouteDefinition] => [`${route.method} ${route.path}`, route]))('%s', (_name, route) => {
  test('needs a key', async () => {
    expect(await bare(stage.platform.client(null), route)).toMatchObject({ status: 401, code: '40101', data: null });
  });

  test('refuses the key of the wrong kind of holder', async () => {
    const stranger = route.access === 'tenant' ? stage.clerk.client : merchant.client;
    expect(await bare(stranger, route)).toMatchObject({ status: 403, code: '40301', data: null });
  });

  if (route.access === 'tenant') {
    test('opens with each of its scopes and with no other', async () => {
      const others = tenantScopes.filter((scope) => !route.scopes.includes(scope));
      if (route.scopes.length > 0) {
        const lacking = await stage.operator.withKey(merchant, { scopes: others });
        expect(await bare(lacking.client, route)).toMatchObject({ status: 403, code: '40301', data: null });
      }
      for (const scope of route.scopes.length > 0 ? route.scopes : tenantScopes) {
        const allowed = await stage.operator.withKey(merchant, { scopes: [scope] });
        expect((await bare(allowed.client, route)).status).not.toBe(403);
      }
    });
  } else {
    test.each(warehouseScopes)('allows a key with only %s what this scope allows', async (scope) => {
      const { key } = await stage.operator.issueKey({ warehouse_code: stage.clerk.code }, { scopes: [scope] });
      const response = await bare(stage.platform.client(key), route);
      if (route.scopes.length === 0 || route.scopes.includes(scope)) expect(response.status).not.toBe(403);
      else expect(response).toMatchObject({ status: 403, code: '40301', data: null });
    });
  }
});

describe('a suspended tenant', () => {
  test('is refused with every key until it is resumed', async () => {
    const owner = await stage.operator.newMerchant();
    const second = await stage.operator.withKey(owner);
    expect(await codeWith(owner.identity.key)).toBe('0');
    await stage.operator.suspend(owner.identity.tenantId);
    for (const { identity } of [owner, second]) await until(async () => (await codeWith(identity.key)) === '40302', { within: 5000 });
    expect(await codeWith(merchant.identity.key)).toBe('0');
    await stage.operator.resume(owner.identity.tenantId);
    await until(async () => (await codeWith(owner.identity.key)) === '0', { within: 5000 });
  });
});

describe('guessing keys', () => {
  test('is slowed down per address, without shutting out who has a good key', async () => {
    const guesser = stage.platform.client('pf_test_guess');
    const responses = await Promise.all(Array.from({ length: 150 }, () => guesser.call('/open/v1/warehouses')));
    expect(new Set(responses.map((response) => response.code))).toEqual(new Set(['40003', '42901']));
    const slowed = responses.find((response) => response.code === '42901');
    expect(Number(slowed?.headers['retry-after'])).toBeGreaterThan(0);
    expect(await codeWith(merchant.identity.key)).toBe('0');
    // One that no process has seen yet.
    const unseen = await stage.operator.issueKey({ tenant_id: merchant.identity.tenantId }, {});
    expect(await codeWith(unseen.key)).toBe('0');
    // An address gets one guess a second back, so that the first of some may be let through by now.
    const further = await Promise.all(Array.from({ length: 10 }, () => guesser.call('/open/v1/warehouses')));
    expect(further.map((response) => response.code)).toContain('42901');
  });
});

describe("the operator's API", () => {
  test('needs its token and is not on the public port', async () => {
    const { admin } = stage.platform.quickstart;
    const anonymous = stage.platform.client(null);
    expect((await anonymous.call(`${admin.url}/admin/v1/tenants`)).code).toBe('40101');
    const wrong = await anonymous.call(`${admin.url}/admin/v1/tenants`, { headers: { authorization: `Bearer ${admin.token}x` } });
    expect(wrong).toMatchObject({ status: 401, code: '40003' });
    const onPublic = await anonymous.call('/admin/v1/tenants', { headers: { authorization: `Bearer ${admin.token}` } });
    expect(onPublic).toMatchObject({ status: 404, code: '40402' });
  });
});

describe('probes', () => {
  test('/readyz names every service', async () => {
    const { services } = await stage.platform.client(null).expectOk<{ services: Record<string, string> }>('/readyz');
    expect(Object.keys(services).sort()).toEqual(['file', 'forecast', 'gateway', 'tracking', 'warehouse-intake', 'webhook']);
    expect(new Set(Object.values(services))).toEqual(new Set(['ready']));
  });
});

describe('/openapi.json', () => {
  type Document = Readonly<{ paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId?: string }>>>> }>;
  const load = async (): Promise<Document> => JSON.parse((await stage.platform.client(null).call('/openapi.json')).text) as Document;

  test('is what the contracts build', async () => {
    const { base_url } = stage.platform.quickstart;
    expect(await load()).toEqual(JSON.parse(JSON.stringify(buildOpenApi({ environment: 'sandbox', baseUrl: base_url }))));
  });

  test('has every route, and every route that it has is there', async () => {
    const operations = Object.entries((await load()).paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { operationId }]) => (operationId === undefined ? [] : [{ path, method, operationId }])),
    );
    expect(operations.map(({ operationId }) => operationId).sort()).toEqual(routes.map((route) => route.id).sort());
    for (const { path, method } of operations) {
      const response = await merchant.client.call(path.replaceAll(/\{[a-z_]+\}/g, 'x'), { method: method.toUpperCase() as 'GET' });
      expect([path, response.code]).toEqual([path, expect.not.stringMatching(/^(40402|40501)$/)]);
    }
  });
});
