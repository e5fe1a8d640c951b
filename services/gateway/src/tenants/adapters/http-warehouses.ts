import { sendOk } from '@parcelway/http/response';
import type { Store } from '@parcelway/store/store';
import type { Router } from 'express';
import { principalOfExchange } from '../../proxy/adapters/proxy.ts';
import { findWarehouse, listWarehouses } from '../warehouses.ts';

const MAX_WAREHOUSES = 10_000;

/** Adds the routes with which merchants and warehouses read the warehouses. The proxy has already made every check. */
export function addWarehouseRoutes(router: Router, store: Store): void {
  router.get('/open/v1/warehouses', async (_req, res) => {
    const open = (await listWarehouses(store, MAX_WAREHOUSES)).filter(({ closedAt }) => closedAt === null);
    sendOk(res, { warehouses: open.map(({ code, name }) => ({ code, name })) });
  });
  router.get('/warehouse/v1/warehouse', async (req, res) => {
    const { code, name } = await findWarehouse(store, String(principalOfExchange(req).warehouseCode));
    sendOk(res, { code, name });
  });
}
