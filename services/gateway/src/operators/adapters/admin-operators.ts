import { type CreatedOperator, OperatorCreation, type PresentOperator } from '@parcelway/contracts/operator-api';
import { compileValidator } from '@parcelway/contracts/validator';
import { viewOperator } from '../domain/operator.ts';
import { createOperator, listOperators, revokeOperator } from '../operators.ts';
import { type AdminOptions, markRepetition, type Respond } from './admin-options.ts';
import type { OwnRoute } from './admin-routes.ts';
import { operatorOf } from './operator-access.ts';

const operatorCreation = compileValidator(OperatorCreation);

/** Who may use the operator's API. */
export function adminOperatorRoutes(options: AdminOptions) {
  const { store, clock, environment } = options;
  return {
    'GET /admin/v1/operator': (req) => ({ ...operatorOf(req), environment }) satisfies PresentOperator,
    'GET /admin/v1/operators': async () => {
      const now = clock.now();
      return { operators: (await listOperators(store)).map((record) => viewOperator(record, now)) };
    },
    'POST /admin/v1/operators': async (req) => {
      const { name, role, expires_in_seconds: expiresInSeconds } = operatorCreation.parse(req.body);
      const { record, token } = await createOperator(options, { name, role, expiresInSeconds });
      return { ...viewOperator(record, clock.now()), token } satisfies CreatedOperator;
    },
    'POST /admin/v1/operators/:name/revoke': async (req, res) => {
      const { record, isRepetition } = await revokeOperator(options, String(req.params['name']));
      markRepetition(res, isRepetition);
      return viewOperator(record, clock.now());
    },
  } satisfies Partial<Record<OwnRoute, Respond>>;
}
