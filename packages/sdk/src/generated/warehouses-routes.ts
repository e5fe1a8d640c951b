// Made from the contract by `npm run docs`; do not edit.
import type { WarehouseList } from './warehouse-api.ts';

/** What each route of "Warehouses" takes and gives. */
export interface WarehousesRoutes {
  /** List warehouses: `GET /open/v1/warehouses` */
  readonly listWarehouses: {
    readonly path: undefined;
    readonly query: undefined;
    readonly body: undefined;
    readonly data: WarehouseList;
  };
}
