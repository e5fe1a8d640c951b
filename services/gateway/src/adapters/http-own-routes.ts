import { Simulation } from '@parcelway/contracts/sandbox-api';
import { compileValidator } from '@parcelway/contracts/validator';
import { sendOk } from '@parcelway/http/answer';
import type { Idempotency } from '@parcelway/http/idempotency';
import { bodyWarnings } from '@parcelway/http/ignored-input';
import { jsonBody } from '@parcelway/http/json-body';
import { AppError } from '@parcelway/kernel/app-error';
import type { Router } from 'express';
import type { GatewayStores } from '../ports.ts';
import { type SimulateDeps, simulate } from '../simulate.ts';
import { exchangeOf, principalOfExchange } from './edge.ts';

const MAX_WAREHOUSES = 10_000;
const simulation = compileValidator(Simulation);

/** Adds the API routes that the gateway answers itself. The edge has made every check before. */
export function addOwnRoutes(
  router: Router,
  deps: { readonly stores: Pick<GatewayStores, 'warehouses'>; readonly simulate: SimulateDeps; readonly idempotency: Idempotency },
): void {
  router.get('/open/v1/warehouses', async (_req, res) => {
    const warehouses = await deps.stores.warehouses.list(MAX_WAREHOUSES);
    sendOk(res, { warehouses: warehouses.map(({ code, name }) => ({ code, name })) });
  });
  router.get('/warehouse/v1/warehouse', async (req, res) => {
    const code = String(principalOfExchange(req).warehouseCode);
    const warehouse = await deps.stores.warehouses.find(code);
    if (warehouse === undefined) throw new AppError('40403');
    sendOk(res, { code: warehouse.code, name: warehouse.name });
  });
  const once = deps.idempotency.route('simulate', (req) => String(principalOfExchange(req).tenantId));
  router.post('/sandbox/v1/simulations', jsonBody(), once, async (req, res) => {
    const caller = principalOfExchange(req);
    const { head, span } = exchangeOf(req);
    const cause = { requestId: head.requestId, traceparent: span.traceparent };
    const step = simulation.parse(req.body);
    const result = await simulate(deps.simulate, caller, step, cause);
    sendOk(res, { ...result, warnings: [...result.warnings, ...bodyWarnings(step, simulation.fields)] });
  });
}
