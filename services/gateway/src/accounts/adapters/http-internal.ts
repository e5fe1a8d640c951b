import { sendOk } from '@parcelway/http/answer';
import { assertSystem } from '@parcelway/http/app';
import type { Router } from 'express';
import type { WarehouseStore } from '../ports.ts';

const MAX_WAREHOUSES = 10_000;

/** Adds what other services ask the gateway: the warehouses that a forecast may name. */
export function addInternalRoutes(router: Router, warehouses: Pick<WarehouseStore, 'list'>): void {
  router.get('/internal/v1/warehouses', async (req, res) => {
    assertSystem(req);
    const known = await warehouses.list(MAX_WAREHOUSES);
    sendOk(res, { warehouses: known.map(({ code, name }) => ({ code, name })) });
  });
}
