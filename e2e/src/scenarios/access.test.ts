import { describe, expect, test } from '@jest/globals';
import type { RouteDefinition } from '@parcelway/contracts/route';
import { routes } from '@parcelway/contracts/routes';
import { tenantScopes, warehouseScopes } from '@parcelway/contracts/scopes';
import type { ApiClient, ApiResponse } from '@parcelway/harness/api-client';
import { contractBreaches, pathOf } from '@parcelway/harness/route-call';
import { useStageWithMerchant } from '../use-stage.ts';

const { stage, merchant } = useStageWithMerchant();

const keyed = routes.filter((route) => route.access !== 'public');

/** Calls a route with nothing but a key: what is checked before the body decides. */
async function bare(client: ApiClient, route: RouteDefinition): Promise<ApiResponse<unknown>> {
  const response = await client.call(pathOf(route), { method: route.method });
  expect(contractBreaches(route, response)).toEqual([]);
  return response;
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
