import { NumberLimit, type TenantNumbers, type TenantNumbersList } from '@parcelway/contracts/declared-numbers-api';
import type { Environment } from '@parcelway/contracts/environment';
import { compileValidator } from '@parcelway/contracts/validator';
import { jsonBody } from '@parcelway/http/json-body';
import { sendOk } from '@parcelway/http/response';
import type { ServiceClient } from '@parcelway/http/service-client';
import type { Router } from 'express';
import { platformPrincipal } from '../../tenants/adapters/principals.ts';
import { findTenant } from '../../tenants/manage-tenants.ts';
import type { GatewayStores } from '../ports.ts';

/** What the routes work with. */
export interface AdminDeclaredNumbersOptions {
  readonly environment: Environment;
  readonly stores: Pick<GatewayStores, 'tenants'>;
  readonly services: Pick<ServiceClient, 'call'>;
}

const PATH = '/internal/v1/declared-numbers';
const numberLimit = compileValidator(NumberLimit);

/** Which tenants declare many logistics numbers that no warehouse has seen, and how many they may. */
export function adminDeclaredNumbersRoutes(router: Router, { environment, stores, services }: AdminDeclaredNumbersOptions): void {
  const principal = platformPrincipal(environment);
  router.get('/admin/v1/declared-numbers', async (_req, res) => {
    const found = await services.call<TenantNumbersList>({ service: 'warehouse-intake', method: 'GET', path: PATH, principal });
    const named = found.tenants.map(async (one) => ({ ...one, tenant_name: (await stores.tenants.find(one.tenant_id))?.name ?? null }));
    sendOk(res, { tenants: await Promise.all(named) });
  });
  router.patch('/admin/v1/tenants/:id/declared-numbers', jsonBody(), async (req, res) => {
    const { limit } = numberLimit.parse(req.body);
    const tenant = await findTenant(stores, String(req.params['id']));
    const body = { tenant_id: tenant.id, limit };
    sendOk(res, await services.call<TenantNumbers>({ service: 'warehouse-intake', method: 'POST', path: PATH, principal, body }));
  });
}
