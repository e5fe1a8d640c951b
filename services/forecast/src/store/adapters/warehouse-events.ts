import type { EventHandlers } from '@parcelway/bus/bus';
import type { WarehouseStore } from '../warehouse-store.ts';

/** Keeps the directory of warehouses by the events of the gateway. A name is of no interest here. */
export function warehouseHandlers(store: Pick<WarehouseStore, 'record'>) {
  return {
    'warehouse.opened': ({ data }) => store.record({ code: data.warehouse_code, version: data.version, isOpen: true }),
    'warehouse.closed': ({ data }) => store.record({ code: data.warehouse_code, version: data.version, isOpen: false }),
  } satisfies EventHandlers;
}
