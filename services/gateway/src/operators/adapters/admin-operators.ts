import { type CreatedOperator, OperatorCreation, type PresentOperator } from '@parcelway/contracts/operator-api';
import { compileValidator } from '@parcelway/contracts/validator';
import { jsonBody } from '@parcelway/http/json-body';
import { sendOk } from '@parcelway/http/response';
import type { Router } from 'express';
import { viewOperator } from '../domain/operator.ts';
import { createOperator, OPERATORS_READ, revokeOperator } from '../manage-operators.ts';
import type { AdminOptions } from './admin-options.ts';
import { operatorOf } from './operator-access.ts';

const operatorCreation = compileValidator(OperatorCreation);

/** Who may use the operator's API. */
export function adminOperatorRoutes(router: Router, options: AdminOptions): void {
  const { stores, clock, environment } = options;
  router.get('/admin/v1/operator', (req, res) => {
    sendOk(res, { ...operatorOf(req), environment } satisfies PresentOperator);
  });
  router.get('/admin/v1/operators', async (_req, res) => {
    const now = clock.now();
    sendOk(res, { operators: (await stores.operators.list(OPERATORS_READ)).map((record) => viewOperator(record, now)) });
  });
  router.post('/admin/v1/operators', jsonBody(), async (req, res) => {
    const { name, role, expires_in_seconds: expiresInSeconds } = operatorCreation.parse(req.body);
    const { record, token } = await createOperator(options, { name, role, expiresInSeconds });
    options.operators.forget();
    sendOk(res, { ...viewOperator(record, clock.now()), token } satisfies CreatedOperator);
  });
  router.post('/admin/v1/operators/:name/revoke', async (req, res) => {
    const { record, isRepetition } = await revokeOperator(options, String(req.params['name']));
    options.operators.forget();
    sendOk(res, viewOperator(record, clock.now()), isRepetition ? { headers: { 'Idempotent-Replayed': 'true' } } : {});
  });
}
