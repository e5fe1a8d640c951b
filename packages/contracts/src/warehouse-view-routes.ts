import { type RouteDefinition, routesWith } from './route.ts';
import {
  WarehouseForecastDetail,
  WarehouseForecastList,
  WarehouseForecastQuery,
  WarehouseLookup,
  WarehouseLookupQuery,
} from './warehouse-view-api.ts';

const route = routesWith({ service: 'warehouse-intake', access: 'warehouse', scopes: ['warehouse:read'], tag: 'Warehouse view' });

/** Routes by which a warehouse reads the forecasts that are meant for it. */
export const warehouseViewRoutes: readonly RouteDefinition[] = [
  route({
    id: 'listWarehouseForecasts',
    path: '/warehouse/v1/forecasts',
    summary: 'List expected and present parcels',
    description:
      'Forecasts of the warehouse of the key, latest change first. One loop loads and polls: send `next_cursor` while `has_more` is true, then send it again to read what has changed. A forecast may be shown again; no change is left out. One that a correction has moved to another warehouse is shown once more, with `moved`.',
    query: WarehouseForecastQuery,
    data: WarehouseForecastList,
  }),
  route({
    id: 'getWarehouseForecast',
    path: '/warehouse/v1/forecasts/{forecast_no}',
    summary: 'Read a forecast of the warehouse',
    description: 'Items, files, status, measurements, photos and holds. A forecast of another warehouse is 40403.',
    data: WarehouseForecastDetail,
  }),
  route({
    id: 'lookUpScan',
    path: '/warehouse/v1/lookup',
    summary: 'Look up what a scanner has read',
    description:
      'A logistics number, declared or claimed, a forecast number, a po_number, the QR code of a carton label, a barcode (EAN-8, EAN-13, UPC-A, GTIN-14) or a SKU of an item.',
    query: WarehouseLookupQuery,
    data: WarehouseLookup,
  }),
];
