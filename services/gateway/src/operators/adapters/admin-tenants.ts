import { type CreatedTenant, TenantCreation, TenantRenaming } from '@parcelway/contracts/admin-api';
import type { Environment } from '@parcelway/contracts/environment';
import type { ForecastFigures, TenantDetail } from '@parcelway/contracts/tenant-figures-api';
import { compileValidator } from '@parcelway/contracts/validator';
import type { WebhookEndpoint } from '@parcelway/contracts/webhook-endpoint-api';
import { requestIdOf } from '@parcelway/http/app';
import { type Idempotency, seedOf } from '@parcelway/http/idempotency';
import { jsonBody } from '@parcelway/http/json-body';
import { sendOk } from '@parcelway/http/response';
import type { ServiceClient } from '@parcelway/http/service-client';
import { isoInstant } from '@parcelway/kernel/clock';
import { createTextSealer } from '@parcelway/kernel/sealed-text';
import type { Request, Response, Router } from 'express';
import type { AuditTrail } from '../../activity/audit-trail.ts';
import { viewKey } from '../../keys/adapters/key-views.ts';
import { createTenantWithKey, type ManageKeysOptions } from '../../keys/manage-keys.ts';
import type { KeyRecord } from '../../proxy/domain/key.ts';
import type { KeyRing } from '../../proxy/key-ring.ts';
import { platformPrincipal, tenantPrincipal } from '../../tenants/adapters/principals.ts';
import { createTenant, findTenant, namesakesOf, renameTenant, setTenantStatus } from '../../tenants/manage-tenants.ts';
import { noteCreated } from './admin-audit.ts';
import { viewCreatedTenant, viewTenant } from './admin-views.ts';
import { operatorOf } from './operator-access.ts';

/** What the routes of tenants work with. */
export interface AdminTenantsOptions extends ManageKeysOptions {
  readonly environment: Environment;
  readonly keyRing: Pick<KeyRing, 'forgetTenant'>;
  readonly services: Pick<ServiceClient, 'call'>;
  readonly idempotency: Idempotency;
  /** Secret of the installation, from which keys of requests with an idempotency key follow, and which seals recorded responses. */
  readonly fileSecrets: readonly string[];
  readonly trail: Pick<AuditTrail, 'begin'>;
  /** Says that the outbox was written to. */
  readonly notify: () => void;
}

/** Keys that are counted. */
const MAX_COUNTED_KEYS = 1000;

const tenantCreation = compileValidator(TenantCreation);
const tenantRenaming = compileValidator(TenantRenaming);

const tenantIdOf = (req: Request): string => String(req.params['id']);

/** What a service cannot say now is null: the rest is worth showing. */
const ifPossible = <T>(call: Promise<T>): Promise<T | null> => call.catch(() => null);

/** The webhook endpoints of a tenant by their state. */
function endpointFigures(endpoints: readonly WebhookEndpoint[]): NonNullable<TenantDetail['webhook_endpoints']> {
  const of = (status: WebhookEndpoint['status']): number => endpoints.filter((endpoint) => endpoint.status === status).length;
  const failing = endpoints.filter(({ status, health }) => status === 'enabled' && health.state !== 'ok').length;
  return { enabled: of('enabled'), paused: of('paused'), disabled: of('disabled'), failing };
}

function latest(...instants: readonly (string | null)[]): string | null {
  const times = instants.flatMap((instant) => (instant === null ? [] : [Date.parse(instant)]));
  return times.length === 0 ? null : isoInstant(Math.max(...times));
}

function detailRoute(router: Router, { stores, services, environment, clock }: AdminTenantsOptions): void {
  router.get('/admin/v1/tenants/:id', async (req, res) => {
    const tenant = await findTenant(stores, tenantIdOf(req));
    const system = platformPrincipal(environment);
    const itself = tenantPrincipal(environment, tenant.id);
    const figures = `/internal/v1/forecasts/figures?${new URLSearchParams({ tenant_id: tenant.id })}`;
    const endpoints = '/open/v1/webhook-endpoints';
    const [alive, forecasts, webhooks] = await Promise.all([
      stores.keys.alive(tenant.id, clock.now(), MAX_COUNTED_KEYS + 1),
      ifPossible(services.call<ForecastFigures>({ service: 'forecast', method: 'GET', path: figures, principal: system })),
      ifPossible(
        services.call<{ endpoints: WebhookEndpoint[] }>({ service: 'webhook', method: 'GET', path: endpoints, principal: itself }),
      ),
    ]);
    const lastUse = Math.max(...alive.map(({ lastUsedAt }) => lastUsedAt ?? 0), 0);
    const last_use_time = lastUse === 0 ? null : isoInstant(lastUse);
    const last_change_time = forecasts?.last_change_time ?? null;
    sendOk(res, {
      ...viewTenant(tenant),
      keys: { alive: Math.min(alive.length, MAX_COUNTED_KEYS), has_more: alive.length > MAX_COUNTED_KEYS, last_use_time },
      webhook_endpoints: webhooks === null ? null : endpointFigures(webhooks.endpoints),
      parcels: forecasts?.parcels ?? null,
      last_change_time,
      last_activity_time: latest(last_use_time, last_change_time),
    } satisfies TenantDetail);
  });
}

/** The key that comes with a new tenant. Its tenant is known only now: the entry of the creation, which came before it, names none. */
async function auditFirstKey(trail: AdminTenantsOptions['trail'], req: Request, { keyId, holder }: KeyRecord): Promise<void> {
  const entry = await trail.begin({
    tenantId: holder.kind === 'tenant' ? holder.tenantId : null,
    action: 'key.created',
    actor: { type: 'operator', id: operatorOf(req).name, address: null },
    resourceType: 'key',
    resourceId: keyId,
    requestId: requestIdOf(req),
  });
  void entry.end('success');
}

/** The operator's routes of tenants, besides their list and their data. */
export function adminTenantRoutes(router: Router, options: AdminTenantsOptions): void {
  const { stores, clock, keyRing, idempotency, fileSecrets } = options;
  const ownerOf = (req: Request): string => `operator ${operatorOf(req).name}`;
  // The response has a key, so it is recorded sealed.
  const once = idempotency.route('createTenant', ownerOf, { sealer: createTextSealer(fileSecrets) });
  router.post('/admin/v1/tenants', jsonBody(), once, async (req, res) => {
    const { name, with_key: withKey = false } = tenantCreation.parse(req.body);
    const seed = seedOf(req);
    const origin = seed === undefined ? undefined : { secret: fileSecrets[0] as string, seed };
    const made = withKey ? await createTenantWithKey(options, name, origin) : undefined;
    const tenant = made?.tenant ?? (await createTenant(stores, clock, name, origin?.seed));
    noteCreated(res, tenant.id);
    if (made !== undefined) await auditFirstKey(options.trail, req, made.key.record);
    const created = viewCreatedTenant(tenant, await namesakesOf(stores, tenant));
    const key = made && { ...viewKey(made.key.record), key: made.key.key };
    sendOk(res, { ...created, ...(key !== undefined && { key }) } satisfies CreatedTenant);
  });
  detailRoute(router, options);
  router.patch('/admin/v1/tenants/:id', jsonBody(), async (req, res) => {
    const { name } = tenantRenaming.parse(req.body);
    const tenant = await renameTenant(stores, tenantIdOf(req), name);
    sendOk(res, viewCreatedTenant(tenant, await namesakesOf(stores, tenant)));
  });
  const setStatus = (status: 'active' | 'suspended') => async (req: Request, res: Response) => {
    const tenant = await setTenantStatus(options, tenantIdOf(req), status);
    options.notify();
    keyRing.forgetTenant(tenant.id);
    sendOk(res, viewTenant(tenant));
  };
  router.post('/admin/v1/tenants/:id/suspend', setStatus('suspended'));
  router.post('/admin/v1/tenants/:id/resume', setStatus('active'));
}
