import { WarehouseCreation, WarehouseRenaming } from '@parcelway/contracts/admin-api';
import { NumberLimit, type TenantNumbers, type TenantNumbersList } from '@parcelway/contracts/declared-numbers-api';
import type { NamedForecasts } from '@parcelway/contracts/forecast-query-api';
import {
  type ForecastsInShort,
  type FoundParcels,
  MAX_FOUND_PARCELS,
  MAX_SEARCHED_WAREHOUSES,
  type ParcelSearch,
  ParcelSearchQuery,
  type ParcelSearchResult,
} from '@parcelway/contracts/parcel-search-api';
import type { PlatformQueues, ServiceQueues } from '@parcelway/contracts/queues-api';
import { type ServiceName, serviceNames } from '@parcelway/contracts/service-name';
import { compileValidator } from '@parcelway/contracts/validator';
import { parseQuery } from '@parcelway/http/query';
import { isoInstant } from '@parcelway/kernel/clock';
import { platformPrincipal } from '../../proxy/domain/principals.ts';
import { findTenant, tenants, tenantWith } from '../../tenants/tenants.ts';
import { addWarehouse, closeWarehouse, listWarehouses, renameWarehouse, type Warehouse } from '../../tenants/warehouses.ts';
import { type AdminOptions, MAX_ROWS, type Respond, tenantIdOf } from './admin-options.ts';
import type { OwnRoute } from './admin-routes.ts';

/** Longer than a service reads its gauges. */
const QUEUES_TIMEOUT_MS = 5000;
/** The other service reads stored tracking as well. */
const SHORT_TIMEOUT_MS = 12_000;
/** Most warehouses that are searched for a parcel, some at a time. */
const MAX_WAREHOUSES = 1000;
const NUMBERS_PATH = '/internal/v1/declared-numbers';

const numberLimit = compileValidator(NumberLimit);
const warehouseCreation = compileValidator(WarehouseCreation);
const warehouseRenaming = compileValidator(WarehouseRenaming);
const parcelSearchQuery = compileValidator(ParcelSearchQuery);

/** A warehouse with `close_time` once it is closed. */
function viewWarehouse({ code, name, closedAt }: Warehouse): object {
  return { code, name, ...(closedAt !== null && { close_time: isoInstant(closedAt) }) };
}

/** What waits. A service that is out, or does not know the route yet, is named. */
function queuesRoute({ environment, services, ownQueues }: AdminOptions): Respond {
  const principal = platformPrincipal(environment);
  const queuesOf = (service: ServiceName): Promise<ServiceQueues> =>
    service === 'gateway'
      ? ownQueues()
      : services.call<ServiceQueues>({ service, method: 'GET', path: '/internal/v1/queues', principal, timeoutMs: QUEUES_TIMEOUT_MS });
  return async () => {
    const read = await Promise.allSettled(serviceNames.map(queuesOf));
    const data: PlatformQueues = { queues: [], unknown: [] };
    for (const [index, service] of serviceNames.entries()) {
      const result = read[index];
      if (result?.status === 'fulfilled') data.queues.push(...result.value.queues.map((queue) => ({ service, ...queue })));
      else data.unknown.push(service);
    }
    return data;
  };
}

/** Searches for a parcel of any tenant. */
function parcelsRoute({ environment, store, services }: AdminOptions): Respond {
  const principal = platformPrincipal(environment);

  const search = async (number: string): Promise<FoundParcels> => {
    const codes = (await listWarehouses(store, MAX_WAREHOUSES + 1)).map(({ code }) => code);
    const parcels: FoundParcels['parcels'] = [];
    let hasMore = codes.length > MAX_WAREHOUSES;
    const most = Math.min(codes.length, MAX_WAREHOUSES);
    for (let from = 0; from < most && parcels.length <= MAX_FOUND_PARCELS; from += MAX_SEARCHED_WAREHOUSES) {
      const body: ParcelSearch = { number, warehouse_codes: codes.slice(from, from + MAX_SEARCHED_WAREHOUSES) };
      const path = '/internal/v1/parcels/find';
      const found = await services.call<FoundParcels>({ service: 'warehouse-intake', method: 'POST', path, principal, body });
      parcels.push(...found.parcels);
      hasMore ||= found.has_more;
    }
    return { parcels: parcels.slice(0, MAX_FOUND_PARCELS), has_more: hasMore || parcels.length > MAX_FOUND_PARCELS };
  };

  const inShort = async (parcels: FoundParcels['parcels']): Promise<ForecastsInShort['forecasts']> => {
    if (parcels.length === 0) return [];
    const body: NamedForecasts = { forecasts: parcels.map(({ tenant_id, forecast_no }) => ({ tenant_id, forecast_no })) };
    const path = '/internal/v1/forecasts/short';
    const call = { service: 'forecast', method: 'POST', path, principal, body, timeoutMs: SHORT_TIMEOUT_MS } as const;
    return (await services.call<ForecastsInShort>(call)).forecasts;
  };

  const namesOf = async (ids: readonly string[]): Promise<ReadonlyMap<string, string>> => {
    const found = await store.read(
      tenants,
      ids.map((id) => [id]),
    );
    return new Map(found.map(({ value: { tenantId, name } }) => [tenantId, name]));
  };

  return async (req) => {
    const { number } = parseQuery(req, parcelSearchQuery);
    const { parcels: found, has_more } = await search(number);
    const [forecasts, names] = await Promise.all([inShort(found), namesOf(found.map(({ tenant_id }) => tenant_id))]);
    const parcels = found.flatMap((parcel) => {
      const { tenant_id, forecast_no } = parcel;
      const forecast = forecasts.find((one) => one.tenant_id === tenant_id && one.forecast_no === forecast_no);
      // Deleted meanwhile, or before the event of it has reached the warehouses.
      return forecast === undefined ? [] : [{ ...parcel, ...forecast, tenant_name: names.get(tenant_id) ?? null }];
    });
    return { number, parcels, has_more } satisfies ParcelSearchResult;
  };
}

function warehouseRoutes(options: AdminOptions) {
  const changed = (warehouse: Warehouse): object => {
    options.notify();
    return viewWarehouse(warehouse);
  };
  return {
    'GET /admin/v1/warehouses': async () => ({ warehouses: (await listWarehouses(options.store, MAX_ROWS)).map(viewWarehouse) }),
    'POST /admin/v1/warehouses': async (req) => changed(await addWarehouse(options, warehouseCreation.parse(req.body))),
    'PATCH /admin/v1/warehouses/:code': async (req) =>
      changed(await renameWarehouse(options, String(req.params['code']), warehouseRenaming.parse(req.body).name)),
    'POST /admin/v1/warehouses/:code/close': async (req) => changed(await closeWarehouse(options, String(req.params['code']))),
  } satisfies Partial<Record<OwnRoute, Respond>>;
}

/** Which tenants declare many logistics numbers that no warehouse has seen, and how many they may. */
function declaredNumbersRoutes({ environment, store, services }: AdminOptions) {
  const call = { service: 'warehouse-intake', path: NUMBERS_PATH, principal: platformPrincipal(environment) } as const;
  return {
    'GET /admin/v1/declared-numbers': async () => {
      const found = await services.call<TenantNumbersList>({ ...call, method: 'GET' });
      const named = found.tenants.map(async (one) => ({ ...one, tenant_name: (await tenantWith(store, one.tenant_id))?.name ?? null }));
      return { tenants: await Promise.all(named) };
    },
    'PATCH /admin/v1/tenants/:id/declared-numbers': async (req) => {
      const { limit } = numberLimit.parse(req.body);
      const { tenantId: tenant_id } = await findTenant(store, tenantIdOf(req));
      return services.call<TenantNumbers>({ ...call, method: 'POST', body: { tenant_id, limit } });
    },
  } satisfies Partial<Record<OwnRoute, Respond>>;
}

/** Operator routes for warehouses, queues, parcels and numbers. */
export function adminOperationRoutes(options: AdminOptions) {
  return {
    'GET /admin/v1/status': options.status,
    'GET /admin/v1/queues': queuesRoute(options),
    'GET /admin/v1/parcels': parcelsRoute(options),
    ...warehouseRoutes(options),
    ...declaredNumbersRoutes(options),
  };
}
