import type { NamedForecasts } from '@parcelway/contracts/existing-forecasts';
import {
  type ForecastsInShort,
  type FoundParcels,
  MAX_FOUND_PARCELS,
  MAX_SEARCHED_WAREHOUSES,
  type ParcelSearch,
  ParcelSearchQuery,
  type ParcelSearchResult,
} from '@parcelway/contracts/parcel-search-api';
import { compileValidator } from '@parcelway/contracts/validator';
import { parseQuery } from '@parcelway/http/query';
import { sendOk } from '@parcelway/http/response';
import type { Router } from 'express';
import { platformPrincipal } from '../../tenants/adapters/principals.ts';
import type { AdminOptions } from './admin-options.ts';

/** Most warehouses that are searched, some at a time. */
const MAX_WAREHOUSES = 1000;
/** The other service reads stored tracking as well. */
const SHORT_TIMEOUT_MS = 12_000;

const parcelSearchQuery = compileValidator(ParcelSearchQuery);

/** The operator's search for a parcel of any tenant. */
export function adminParcelRoutes(router: Router, { environment, stores, services }: AdminOptions): void {
  const principal = platformPrincipal(environment);

  const search = async (number: string): Promise<FoundParcels> => {
    const codes = (await stores.warehouses.list(MAX_WAREHOUSES + 1)).map(({ code }) => code);
    const parcels: FoundParcels['parcels'] = [];
    let hasMore = codes.length > MAX_WAREHOUSES;
    for (
      let from = 0;
      from < Math.min(codes.length, MAX_WAREHOUSES) && parcels.length <= MAX_FOUND_PARCELS;
      from += MAX_SEARCHED_WAREHOUSES
    ) {
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
    const tenants = await Promise.all([...new Set(ids)].map((id) => stores.tenants.find(id)));
    return new Map(tenants.flatMap((tenant) => (tenant === undefined ? [] : [[tenant.id, tenant.name] as const])));
  };

  router.get('/admin/v1/parcels', async (req, res) => {
    const { number } = parseQuery(req, parcelSearchQuery);
    const { parcels: found, has_more } = await search(number);
    const [forecasts, names] = await Promise.all([inShort(found), namesOf(found.map(({ tenant_id }) => tenant_id))]);
    const parcels = found.flatMap((parcel) => {
      const { tenant_id, forecast_no } = parcel;
      const forecast = forecasts.find((one) => one.tenant_id === tenant_id && one.forecast_no === forecast_no);
      // Deleted meanwhile, or before the event of it has reached the warehouses.
      return forecast === undefined ? [] : [{ ...parcel, ...forecast, tenant_name: names.get(tenant_id) ?? null }];
    });
    sendOk(res, { number, parcels, has_more } satisfies ParcelSearchResult);
  });
}
