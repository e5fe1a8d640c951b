// Made from the contract by `npm run docs`; do not edit.
import type { WarehouseCarriers } from './carrier-api.ts';
import type { WarehouseForecastDetail, WarehouseForecastList, WarehouseForecastQuery, WarehouseLookup, WarehouseLookupQuery } from './warehouse-view-api.ts';

/** What each route of "Warehouse view" takes and gives. */
export interface WarehouseViewRoutes {
  /** List the carriers that connections of the platform name: `GET /warehouse/v1/carriers` */
  readonly listWarehouseCarriers: {
    readonly path: undefined;
    readonly query: undefined;
    readonly body: undefined;
    readonly data: WarehouseCarriers;
  };
  /** List expected and present parcels: `GET /warehouse/v1/forecasts` */
  readonly listWarehouseForecasts: {
    readonly path: undefined;
    readonly query: WarehouseForecastQuery;
    readonly body: undefined;
    readonly data: WarehouseForecastList;
  };
  /** Read a forecast of the warehouse: `GET /warehouse/v1/forecasts/{forecast_no}` */
  readonly getWarehouseForecast: {
    readonly path: { readonly forecast_no: string };
    readonly query: undefined;
    readonly body: undefined;
    readonly data: WarehouseForecastDetail;
  };
  /** Look up what a scanner has read: `GET /warehouse/v1/lookup` */
  readonly lookUpScan: {
    readonly path: undefined;
    readonly query: WarehouseLookupQuery;
    readonly body: undefined;
    readonly data: WarehouseLookup;
  };
}
