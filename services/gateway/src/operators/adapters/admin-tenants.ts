import {
  type CreatedTenant,
  RetentionChange,
  TenantCreation,
  TenantListQuery,
  TenantRenaming,
  type TenantRetention,
  type Tenant as TenantView,
} from '@parcelway/contracts/admin-api';
import type { ForecastFigures, TenantDetail } from '@parcelway/contracts/tenant-figures-api';
import { compileValidator } from '@parcelway/contracts/validator';
import type { WebhookEndpoint } from '@parcelway/contracts/webhook-endpoint-api';
import { requestIdOf } from '@parcelway/http/app';
import { seedOf } from '@parcelway/http/idempotency';
import { isoInstant } from '@parcelway/kernel/clock';
import { createTextSealer } from '@parcelway/kernel/sealed-text';
import type { Request } from 'express';
import { ListCursors } from '../../activity/adapters/list-cursors.ts';
import { viewKey } from '../../keys/adapters/key-views.ts';
import { createTenantWithKey } from '../../keys/manage-keys.ts';
import { platformPrincipal, tenantPrincipal } from '../../proxy/domain/principals.ts';
import type { Retention } from '../../tenants/domain/tenant-retention.ts';
import {
  changeRetention,
  createTenant,
  findTenant,
  listTenants,
  namesakesOf,
  readRetention,
  renameTenant,
  setTenantStatus,
  type Tenant,
  tenantsStartingWith,
  tenantWith,
} from '../../tenants/tenants.ts';
import { noteCreated } from './admin-audit.ts';
import { type AdminOptions, OPERATOR, type Respond, rowsOf, tenantIdOf } from './admin-options.ts';
import type { OwnRoute } from './admin-routes.ts';
import { operatorOf } from './operator-access.ts';

/** Keys that are counted. */
const MAX_COUNTED_KEYS = 1000;
/** Tenants that are found. */
const MAX_FOUND = 100;

const tenantCreation = compileValidator(TenantCreation);
const tenantRenaming = compileValidator(TenantRenaming);
const tenantListQuery = compileValidator(TenantListQuery);
const retentionChange = compileValidator(RetentionChange);

function viewTenant({ tenantId: id, name, status, createdAt }: Tenant): TenantView {
  return { id, name, status, create_time: isoInstant(createdAt) };
}

/** With a warning when others have its name. */
function viewNamed(tenant: Tenant, namesakes: readonly Tenant[]): CreatedTenant {
  const ids = namesakes.map(({ tenantId }) => tenantId).join(', ');
  const message = `Another tenant has the same name: ${ids}. If you did not want a second one, suspend ${tenant.tenantId}`;
  return { ...viewTenant(tenant), warnings: namesakes.length === 0 ? [] : [{ field: 'name', message }] };
}

function viewRetention(tenantId: string, { forecastDays, fileDays }: Retention): TenantRetention {
  return { tenant_id: tenantId, forecast_days: forecastDays, file_days: fileDays };
}

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

function detailRoute({ store, keys, services, environment, clock }: AdminOptions): Respond {
  return async (req) => {
    const tenant = await findTenant(store, tenantIdOf(req));
    const { tenantId } = tenant;
    const system = platformPrincipal(environment);
    const itself = tenantPrincipal(environment, tenantId);
    const figures = `/internal/v1/forecasts/figures?${new URLSearchParams({ tenant_id: tenantId })}`;
    const endpoints = '/open/v1/webhook-endpoints';
    const [alive, forecasts, webhooks] = await Promise.all([
      keys.alive(tenantId, clock.now(), MAX_COUNTED_KEYS + 1),
      ifPossible(services.call<ForecastFigures>({ service: 'forecast', method: 'GET', path: figures, principal: system })),
      ifPossible(
        services.call<{ endpoints: WebhookEndpoint[] }>({ service: 'webhook', method: 'GET', path: endpoints, principal: itself }),
      ),
    ]);
    const lastUse = Math.max(...alive.map(({ lastUsedAt }) => lastUsedAt ?? 0), 0);
    const last_use_time = lastUse === 0 ? null : isoInstant(lastUse);
    const last_change_time = forecasts?.last_change_time ?? null;
    return {
      ...viewTenant(tenant),
      keys: { alive: Math.min(alive.length, MAX_COUNTED_KEYS), has_more: alive.length > MAX_COUNTED_KEYS, last_use_time },
      webhook_endpoints: webhooks === null ? null : endpointFigures(webhooks.endpoints),
      parcels: forecasts?.parcels ?? null,
      last_change_time,
      last_activity_time: latest(last_use_time, last_change_time),
    } satisfies TenantDetail;
  };
}

/** The list, or the tenant with the id that is searched for and those whose name begins with the text. */
function listRoute({ store, fileSecrets }: AdminOptions): Respond {
  const cursors = new ListCursors(fileSecrets, 'tenants');
  return async (req) => {
    const { query, after } = cursors.read(req, tenantListQuery, OPERATOR);
    const { search } = query;
    if (search !== undefined) {
      const [named, one] = await Promise.all([tenantsStartingWith(store, search, MAX_FOUND), tenantWith(store, search)]);
      const found = one === undefined ? named : [one, ...named.filter(({ tenantId }) => tenantId !== one.tenantId)];
      return { tenants: found.map(viewTenant) };
    }
    const { limit, isPage } = rowsOf(query);
    const page = await listTenants(store, limit, after);
    return { tenants: page.records.map(viewTenant), ...(isPage && { next_cursor: cursors.next(page, OPERATOR) }) };
  };
}

/** The key that comes with a new tenant. Its tenant is known only now: the entry of the creation, which came before it, names none. */
async function auditFirstKey(trail: AdminOptions['trail'], req: Request, tenantId: string, keyId: string): Promise<void> {
  const actor = { actorType: 'operator', actorId: operatorOf(req).name, address: null } as const;
  const key = { action: 'key.created', resourceType: 'key', resourceId: keyId };
  const entry = await trail.begin({ tenantId, ...actor, ...key, requestId: requestIdOf(req) });
  void entry.end('success');
}

function createRoute(options: AdminOptions): Respond {
  const { store, idempotency, fileSecrets } = options;
  // The response has a key, so it is recorded sealed.
  const recording = { sealer: createTextSealer(fileSecrets) };
  const ownerOf = (req: Request): string => `operator ${operatorOf(req).name}`;
  return async (req, res) => {
    const claim = idempotency.claimOf('createTenant', ownerOf, req, res, recording);
    if (claim !== undefined && !(await claim(JSON.stringify(req.body)))) return undefined;
    const { name, with_key: withKey = false } = tenantCreation.parse(req.body);
    const seed = seedOf(req);
    const made = withKey ? await createTenantWithKey(options, name, seed) : undefined;
    const tenant = made?.tenant ?? (await createTenant(options, name, seed));
    noteCreated(res, tenant.tenantId);
    if (made !== undefined) await auditFirstKey(options.trail, req, tenant.tenantId, made.key.record.keyId);
    const key = made && { ...viewKey(made.key.record), key: made.key.key };
    return { ...viewNamed(tenant, await namesakesOf(store, tenant)), ...(key !== undefined && { key }) } satisfies CreatedTenant;
  };
}

/** The operator's routes of tenants, besides their data. */
export function adminTenantRoutes(options: AdminOptions) {
  const { store, keyRing } = options;
  const setStatus =
    (status: 'active' | 'suspended'): Respond =>
    async (req) => {
      const tenant = await setTenantStatus(options, tenantIdOf(req), status);
      options.notify();
      keyRing.forgetTenant(tenant.tenantId);
      return viewTenant(tenant);
    };
  return {
    'GET /admin/v1/tenants': listRoute(options),
    'POST /admin/v1/tenants': createRoute(options),
    'GET /admin/v1/tenants/:id': detailRoute(options),
    'PATCH /admin/v1/tenants/:id': async (req) => {
      const tenant = await renameTenant(store, tenantIdOf(req), tenantRenaming.parse(req.body).name);
      return viewNamed(tenant, await namesakesOf(store, tenant));
    },
    'POST /admin/v1/tenants/:id/suspend': setStatus('suspended'),
    'POST /admin/v1/tenants/:id/resume': setStatus('active'),
    'GET /admin/v1/tenants/:id/retention': async (req) => viewRetention(tenantIdOf(req), await readRetention(store, tenantIdOf(req))),
    'PATCH /admin/v1/tenants/:id/retention': async (req) => {
      const { forecast_days: forecastDays, file_days: fileDays } = retentionChange.parse(req.body);
      const wish = { ...(forecastDays !== undefined && { forecastDays }), ...(fileDays !== undefined && { fileDays }) };
      const changed = await changeRetention(options, tenantIdOf(req), wish);
      options.notify();
      return viewRetention(tenantIdOf(req), changed);
    },
  } satisfies Partial<Record<OwnRoute, Respond>>;
}
