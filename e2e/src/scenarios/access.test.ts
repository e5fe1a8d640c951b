import { expect, test } from '@jest/globals';
import { routes } from '@parcelway/contracts/routes';
import { tenantScopes, warehouseScopes } from '@parcelway/contracts/scopes';
import type { ApiClient } from '@parcelway/harness/api-client';
import { contractBreaches, pathOf } from '@parcelway/harness/route-call';
import { useStageWithMerchant } from '../use-stage.ts';

const { stage, merchant } = useStageWithMerchant();

const keyed = routes.filter(({ access }) => access !== 'public').map((route) => [`${route.method} ${route.path}`, route] as const);

test.each(keyed)('%s refuses calls without a key, of the wrong holder, and without its scope', async (_name, route) => {
  const isTenant = route.access === 'tenant';
  const refused = async (client: ApiClient, status: number, code: string): Promise<void> => {
    const response = await client.call(pathOf(route), { method: route.method });
    expect(contractBreaches(route, response)).toEqual([]);
    expect(response).toMatchObject({ status, code, data: null });
  };
  await refused(stage.platform.client(null), 401, '40101');
  await refused(isTenant ? stage.clerk.client : merchant.client, 403, '40301');
  const scopes = (isTenant ? tenantScopes : warehouseScopes).filter((scope) => !route.scopes.includes(scope));
  if (route.scopes.length === 0 || scopes.length === 0) return;
  const holder = isTenant ? { tenant_id: merchant.identity.tenantId } : { warehouse_code: stage.clerk.code };
  await refused(stage.platform.client((await stage.operator.issueKey(holder, { scopes })).key), 403, '40301');
});
