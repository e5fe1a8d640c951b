import { type CreatedTenant, RetentionChange, TenantCreation, TenantRenaming, type TenantRetention } from '@parcelway/contracts/admin-api';
import type { ForecastFigures, TenantDetail } from '@parcelway/contracts/tenant-figures-api';
import { compileValidator } from '@parcelway/contracts/validator';
import type { WebhookEndpoint } from '@parcelway/contracts/webhook-endpoint-api';
import { requestIdOf } from '@parcelway/http/app';
import { seedOf } from '@parcelway/http/idempotency';
import { jsonBody } from '@parcelway/http/json-body';
import { sendOk } from '@parcelway/http/response';
import { isoInstant } from '@parcelway/kernel/clock';
import { createTextSealer } from '@parcelway/kernel/sealed-text';
import type { Request, Response, Router } from 'express';
import { viewKey } from '../../keys/adapters/key-views.ts';
import { createTenantWithKey } from '../../keys/manage-keys.ts';
import type { KeyRecord } from '../../proxy/domain/key.ts';
import { platformPrincipal, tenantPrincipal } from '../../tenants/adapters/principals.ts';
import type { TenantRetentionRecord } from '../../tenants/domain/tenant-retention.ts';
import {
  changeRetention,
  createTenant,
  findTenant,
  namesakesOf,
  readRetention,
  renameTenant,
  setTenantStatus,
} from '../../tenants/manage-tenants.ts';
import { noteCreated } from './admin-audit.ts';
import type { AdminOptions } from './admin-options.ts';
import { viewCreatedTenant, viewTenant } from './admin-views.ts';
import { operatorOf } from './operator-access.ts';

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

function detailRoute(router: Router, { stores, services, environment, clock }: AdminOptions): void {
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
async function auditFirstKey(trail: AdminOptions['trail'], req: Request, { keyId, holder }: KeyRecord): Promise<void> {
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

const retentionChange = compileValidator(RetentionChange);

function viewRetention({ tenantId, forecastDays, fileDays }: TenantRetentionRecord): TenantRetention {
  return { tenant_id: tenantId, forecast_days: forecastDays, file_days: fileDays };
}

/** How long data of a tenant is kept. */
function retentionRoutes(router: Router, options: AdminOptions): void {
  router.get('/admin/v1/tenants/:id/retention', async (req, res) => {
    sendOk(res, viewRetention(await readRetention(options, tenantIdOf(req))));
  });
  router.patch('/admin/v1/tenants/:id/retention', jsonBody(), async (req, res) => {
    const { forecast_days: forecastDays, file_days: fileDays } = retentionChange.parse(req.body);
    const wish = { ...(forecastDays !== undefined && { forecastDays }), ...(fileDays !== undefined && { fileDays }) };
    const changed = await changeRetention(options, tenantIdOf(req), wish);
    options.notify();
    sendOk(res, viewRetention(changed));
  });
}

/** The operator's routes of tenants, besides their list and their data. */
export function adminTenantRoutes(router: Router, options: AdminOptions): void {
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
  retentionRoutes(router, options);
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
