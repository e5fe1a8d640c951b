import { randomBytes } from 'node:crypto';
import { MAIN_OPERATOR, MAX_OPERATORS, type OperatorRole } from '@parcelway/contracts/operator-api';
import { AppError } from '@parcelway/kernel/app-error';
import type { Clock } from '@parcelway/kernel/clock';
import { hashKey, KEY_RANDOM_BYTES } from '../proxy/domain/api-key.ts';
import { composeOperatorToken, type OperatorRecord, operatorState } from './domain/operator.ts';
import type { OperatorStore } from './operator-collection.ts';

/** What managing operators works with. */
export interface ManageOperatorsOptions {
  readonly stores: { readonly operators: OperatorStore };
  readonly clock: Clock;
}

/** What is asked for when an operator is created. */
export interface OperatorRequest {
  readonly name: string;
  readonly role: OperatorRole;
  /** Default: never expires. */
  readonly expiresInSeconds?: number | undefined;
}

/** An operator just created; `token` is known here and nowhere else. */
export interface NewOperator {
  readonly token: string;
  readonly record: OperatorRecord;
}

/**
 * Most operators that are read at a time. More than there may be: requests at the same moment do not see each other, so some more than
 * {@link MAX_OPERATORS} may come through.
 */
export const OPERATORS_READ = 2 * MAX_OPERATORS;

/** Makes room for one more: of too many, the one that died first goes. @throws AppError 40902 when all of them work */
async function makeRoom({ stores: { operators }, clock }: ManageOperatorsOptions, name: string): Promise<void> {
  const known = await operators.list(OPERATORS_READ);
  if (known.length < MAX_OPERATORS || known.some((one) => one.name === name)) return;
  const now = clock.now();
  const endOf = ({ revokedAt, expiresAt }: OperatorRecord): number => revokedAt ?? expiresAt ?? now;
  const [first] = known.filter((one) => operatorState(one, now) !== 'active').sort((a, b) => endOf(a) - endOf(b));
  if (first === undefined)
    throw new AppError('40902', `There are at most ${MAX_OPERATORS} operators; revoke one that is no longer used first`);
  await operators.deleteDead(first.name, now);
}

/**
 * Creates an operator and keeps the hash of the token. The name of one whose token is revoked or expired is free again.
 * @throws AppError 40902 when the name is taken, or when there are as many operators as there may be
 */
export async function createOperator(options: ManageOperatorsOptions, request: OperatorRequest): Promise<NewOperator> {
  const { name, role, expiresInSeconds } = request;
  if (name === MAIN_OPERATOR) throw new AppError('40902', `The name ${MAIN_OPERATOR} belongs to the token of the installation`);
  await makeRoom(options, name);
  const token = composeOperatorToken(randomBytes(KEY_RANDOM_BYTES));
  const now = options.clock.now();
  const record: OperatorRecord = {
    name,
    role,
    hash: hashKey(token),
    createdAt: now,
    expiresAt: expiresInSeconds === undefined ? null : now + expiresInSeconds * 1000,
    lastUsedAt: null,
    revokedAt: null,
  };
  if (!(await options.stores.operators.add(record, now))) {
    throw new AppError('40902', `The name ${name} is taken; revoke the operator of this name first, or choose another name`);
  }
  return { token, record };
}

/** An operator whose token is revoked. */
export interface RevokedOperator {
  readonly record: OperatorRecord;
  /** True when it was revoked before: nothing has changed. */
  readonly isRepetition: boolean;
}

/**
 * Revokes the token of an operator for good. Doing it again changes nothing.
 * @throws AppError 40403 when there is no such operator, 40902 for the token of the installation
 */
export async function revokeOperator({ stores, clock }: ManageOperatorsOptions, name: string): Promise<RevokedOperator> {
  if (name === MAIN_OPERATOR) {
    throw new AppError('40902', 'The token of the installation cannot be revoked; set another ADMIN_TOKEN and restart the gateway');
  }
  const known = (await stores.operators.list(OPERATORS_READ)).find((operator) => operator.name === name);
  const now = clock.now();
  const record = await stores.operators.revoke(name, now);
  if (record === undefined) throw new AppError('40403', 'The operator does not exist');
  // Another request may have revoked it at the same moment.
  return { record, isRepetition: typeof known?.revokedAt === 'number' || record.revokedAt !== now };
}
