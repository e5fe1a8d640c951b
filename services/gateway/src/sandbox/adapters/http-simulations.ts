import { Simulation } from '@parcelway/contracts/sandbox-api';
import { compileValidator } from '@parcelway/contracts/validator';
import type { Idempotency } from '@parcelway/http/idempotency';
import { bodyWarnings } from '@parcelway/http/ignored-input';
import { jsonBody } from '@parcelway/http/json-body';
import { sendOk } from '@parcelway/http/response';
import type { Router } from 'express';
import { exchangeOf, principalOfExchange } from '../../proxy/adapters/proxy.ts';
import { type SimulateOptions, simulate } from './simulate.ts';

const simulation = compileValidator(Simulation);

/** Adds the route that simulates the warehouse and the carrier. The proxy has already made every check. */
export function addSimulations(router: Router, options: SimulateOptions, idempotency: Idempotency): void {
  const once = idempotency.route('simulate', (req) => String(principalOfExchange(req).tenantId));
  router.post('/sandbox/v1/simulations', jsonBody(), once, async (req, res) => {
    const caller = principalOfExchange(req);
    const { head, span } = exchangeOf(req);
    const cause = { requestId: head.requestId, traceparent: span.traceparent };
    const step = simulation.parse(req.body);
    const result = await simulate(options, caller, step, cause);
    sendOk(res, { ...result, warnings: [...result.warnings, ...bodyWarnings(step, simulation.fields)] });
  });
}
