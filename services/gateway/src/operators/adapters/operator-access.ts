import { MAIN_OPERATOR, type OperatorRole } from '@parcelway/contracts/operator-api';
import { AppError } from '@parcelway/kernel/app-error';
import type { Clock } from '@parcelway/kernel/clock';
import type { Request, RequestHandler } from 'express';
import type { LastUse } from '../../proxy/last-use.ts';
import { mayAct, type PresentOperator } from '../domain/operator.ts';

const present = new WeakMap<Request, PresentOperator>();

/** Who makes a request of the operator's API: name and role. Throws for a request that {@link requireOperator} has not let in. */
export function operatorOf(req: Request): PresentOperator {
  const operator = present.get(req);
  if (operator === undefined) throw new Error('The request has no operator: requireOperator must run before');
  return operator;
}

/**
 * Lets requests with a token in, and remembers whose it is.
 * @param options.authenticate finds the operator of a token
 * @param options.operatorUse of tokens, by the names of their operators
 */
export function requireOperator(options: {
  readonly authenticate: (token: string) => Promise<PresentOperator>;
  readonly operatorUse: Pick<LastUse, 'note'>;
  readonly clock: Clock;
}): RequestHandler {
  const { authenticate, operatorUse, clock } = options;
  return async (req, _res, next) => {
    const header = req.headers.authorization;
    if (header === undefined) throw new AppError('40101', 'Send Authorization: Bearer with the admin token');
    const operator = await authenticate(/^Bearer +(\S{1,1024}) *$/i.exec(header)?.[1] ?? '');
    if (operator.name !== MAIN_OPERATOR) operatorUse.note(operator.name, clock.now());
    present.set(req, operator);
    next();
  };
}

/** Refuses operators with a lesser role than a route needs. */
export function requireRole(needed: OperatorRole): RequestHandler {
  return (req, _res, next) => {
    assertRole(req, needed);
    next();
  };
}

/** @throws AppError 40301 naming the role that is needed, when the operator of a request has a lesser one */
export function assertRole(req: Request, needed: OperatorRole): void {
  const { name, role } = operatorOf(req);
  if (mayAct(role, needed)) return;
  throw new AppError('40301', `This call needs the role ${needed}; the operator ${name} has the role ${role}`, {
    data: { required_role: needed, role },
  });
}
