import { sendOk } from '@parcelway/http/response';
import { AppError } from '@parcelway/kernel/app-error';
import type { Router } from 'express';
import { principalOfExchange } from '../../proxy/adapters/proxy.ts';
import type { WarehouseStore } from '../warehouse-collection.ts';

const MAX_WAREHOUSES = 10_000;

/** Adds the routes with which merchants and warehouses read the warehouses. The proxy has already made every check. */
export function addWarehouseRoutes(router: Router, warehouses: Pick<WarehouseStore, 'list' | 'find'>): void {
  router.get('/open/v1/warehouses', async (_req, res) => {
    const known = await warehouses.list(MAX_WAREHOUSES);
    const open = known.filter(({ closedAt }) => closedAt === null);
    sendOk(res, { warehouses: open.map(({ code, name }) => ({ code, name })) });
  });
  router.get('/warehouse/v1/warehouse', async (req, res) => {
    const code = String(principalOfExchange(req).warehouseCode);
    const warehouse = await warehouses.find(code);
    if (warehouse === undefined) throw new AppError('40403');
    sendOk(res, { code: warehouse.code, name: warehouse.name });
  });
}
