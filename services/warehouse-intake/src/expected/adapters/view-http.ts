import type { ForecastContent } from '@parcelway/contracts/domain-events';
import type { Environment } from '@parcelway/contracts/environment';
import { type ForecastStatus, type ForecastStatusName, forecastStatuses } from '@parcelway/contracts/forecast-status';
import { type FoundParcels, ParcelSearch } from '@parcelway/contracts/parcel-search-api';
import type { Principal } from '@parcelway/contracts/principal';
import { compileValidator } from '@parcelway/contracts/validator';
import { WarehouseForecastQuery, WarehouseLookupQuery } from '@parcelway/contracts/warehouse-view-api';
import { assertSystem, warehouseOf } from '@parcelway/http/app';
import { jsonBody } from '@parcelway/http/json-body';
import { parseQuery } from '@parcelway/http/query';
import { sendOk } from '@parcelway/http/response';
import type { SealedCursors } from '@parcelway/http/sealed-cursor';
import type { ServiceClient } from '@parcelway/http/service-client';
import { AppError, type FieldError } from '@parcelway/kernel/app-error';
import type { Router } from 'express';
import { dueDays, FIRST_ROUND, roundInText, textOfRound, type ViewFilters, type ViewRound } from '../domain/view-round.ts';
import { type FindParcelsOptions, findParcels } from '../find-parcels.ts';
import type { ItemSource } from '../large-items.ts';
import { type AppliedReports, type LookUpOptions, lookUp, pageOfForecasts, readForecast } from '../read-view.ts';
import type { View } from '../view-store.ts';
import { listedForecast, lookupResult, type ViewUrls, warehouseForecastDetail } from './view-representations.ts';

export interface ViewRoutesOptions extends LookUpOptions {
  readonly view: View;
  readonly reports: AppliedReports;
  readonly cursors: SealedCursors;
  /** Whether warehouses see `forecast_price`. */
  readonly seesPrices: boolean;
  readonly urls: ViewUrls;
}

const DEFAULT_LIMIT = 20;
const listQuery = compileValidator(WarehouseForecastQuery);
const lookupQuery = compileValidator(WarehouseLookupQuery);

const invalidCursor: FieldError = {
  field: 'cursor',
  rule: 'cursor',
  message: 'cursor must be the next_cursor of a response to this warehouse',
};

const foreignCursor: FieldError = {
  field: 'cursor',
  rule: 'cursor',
  message: 'cursor was made with other filters; send those, or begin without cursor',
};

function roundOf(cursors: SealedCursors, warehouseCode: string, cursor: string | undefined, filters: ViewFilters): ViewRound {
  if (cursor === undefined) return FIRST_ROUND;
  const round = roundInText(cursors.open(warehouseCode, cursor) ?? '', filters);
  if (round === undefined) throw AppError.validation([invalidCursor]);
  if (round === 'other-filters') throw AppError.validation([foreignCursor]);
  return round;
}

function statusesIn(text: string): readonly ForecastStatus[] {
  const statuses = text.split(',').map((one) => (/^\d$/.test(one) ? Number(one) : forecastStatuses[one as ForecastStatusName]));
  return [...new Set(statuses)] as ForecastStatus[];
}

function filtersIn(query: WarehouseForecastQuery): ViewFilters {
  const days = dueDays(query.due_from, query.due_to);
  if (days !== undefined && 'field' in days) throw AppError.validation([days]);
  return {
    statuses: query.status === undefined ? undefined : statusesIn(query.status),
    tenantId: query.tenant_id,
    dueDays: days,
    updatedFrom: query.updated_from === undefined ? undefined : Date.parse(query.updated_from),
  };
}

/** The routes by which a warehouse reads its forecasts: those of the warehouse of the key and no others (domain/seen-by-warehouse.ts). */
export function viewRoutes({ reports, cursors, seesPrices, urls, ...scans }: ViewRoutesOptions): (router: Router) => void {
  return (router) => {
    const { view } = scans;
    router.get('/warehouse/v1/forecasts', async (req, res) => {
      const warehouseCode = warehouseOf(req);
      const query = parseQuery(req, listQuery);
      const filters = filtersIn(query);
      const round = roundOf(cursors, warehouseCode, query.cursor, filters);
      const limit = query.limit === undefined ? DEFAULT_LIMIT : Number(query.limit);
      const page = await pageOfForecasts(view, warehouseCode, { ...filters, round, limit });
      sendOk(res, {
        forecasts: page.forecasts.map(listedForecast),
        next_cursor: cursors.seal(warehouseCode, textOfRound(page.round, filters)),
        has_more: page.hasMore,
      });
    });
    router.get('/warehouse/v1/forecasts/:forecast_no', async (req, res) => {
      const warehouseCode = warehouseOf(req);
      const forecast = await readForecast({ view, reports }, warehouseCode, String(req.params['forecast_no']));
      if (forecast === undefined) throw new AppError('40403', 'This warehouse has no forecast of this forecast_no');
      sendOk(res, warehouseForecastDetail(forecast, seesPrices, urls));
    });
    router.get('/warehouse/v1/lookup', async (req, res) => {
      const warehouseCode = warehouseOf(req);
      const { scan } = parseQuery(req, lookupQuery);
      sendOk(res, lookupResult(scan, await lookUp(scans, warehouseCode, scan)));
    });
  };
}

/** Bound on one call. It reads up to some megabytes, and no caller waits for it. */
const TIMEOUT_MS = 10_000;

/** Items from the forecast service, for forecasts whose items are too large for their events. */
export function createForecastItems(client: ServiceClient, environment: Environment): ItemSource {
  // One object for all calls: the signer keeps its token.
  const principal: Principal = { kind: 'system', tenantId: null, warehouseCode: null, keyId: 'warehouse-intake', scopes: [], environment };
  return {
    async itemsOf(tenantId, forecastNo, version) {
      const query = new URLSearchParams({ tenant_id: tenantId, forecast_no: forecastNo, version: String(version) });
      const path = `/internal/v1/forecasts/content?${query}`;
      return client.call<ForecastContent>({ service: 'forecast', method: 'GET', path, principal, timeoutMs: TIMEOUT_MS });
    },
  };
}

const parcelSearch = compileValidator(ParcelSearch);

/** The internal route by which the gateway finds parcels for an operator. */
export function findParcelsRoute(options: FindParcelsOptions): (router: Router) => void {
  return (router) => {
    router.post('/internal/v1/parcels/find', jsonBody(), async (req, res) => {
      assertSystem(req);
      const { number, warehouse_codes: warehouseCodes } = parcelSearch.parse(req.body);
      const { parcels, hasMore } = await findParcels(options, number, warehouseCodes);
      const found = parcels.map(({ tenantId, forecastNo, warehouseCode, matchedBy }) => ({
        tenant_id: tenantId,
        forecast_no: forecastNo,
        warehouse_code: warehouseCode,
        matched_by: matchedBy,
      }));
      sendOk(res, { parcels: found, has_more: hasMore } satisfies FoundParcels);
    });
  };
}
