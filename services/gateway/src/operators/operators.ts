import { randomBytes } from 'node:crypto';
import { MAIN_OPERATOR, MAX_OPERATORS } from '@parcelway/contracts/operator-api';
import { AppError } from '@parcelway/kernel/app-error';
import { collection } from '@parcelway/store/collection';
import type { Decision, Store, Stored } from '@parcelway/store/store';
import { constantTimeEqual, hashKey, KEY_RANDOM_BYTES } from '../proxy/domain/api-key.ts';
import type { Context } from '../tenants/context.ts';
import {
  composeOperatorToken,
  isPlausibleToken,
  type OperatorRecord,
  operatorSchema,
  operatorState,
  type PresentOperator,
} from './domain/operator.ts';

/** Operators with tokens of their own. They are few. */
export const operators = collection('operators', operatorSchema, {
  describe: 'Operators, and the hashes of their tokens',
  key: ['name'],
  unique: { hash: ['hash'] },
  lists: { name: ['name'] },
  tenant: { none: 'operators are people of the installation' },
  shard: { unsharded: 'some dozens of small documents, read together' },
  ends: 'when an operator with the same name is added',
});

const change = <R>(store: Store, name: string, decide: (stored: Stored<OperatorRecord> | undefined) => Decision<R>) =>
  store.change([{ in: operators, keys: [[name]] }], (known) => decide(known.get(operators, [name])));

/**
 * Operators by name, all of them: requests at the same moment do not see each other, so some more than {@link MAX_OPERATORS} may have come through.
 */
export async function listOperators(store: Store): Promise<OperatorRecord[]> {
  return (await store.find(operators.by.name, { eq: [], limit: 2 * MAX_OPERATORS })).items.map(({ value }) => value);
}

/** Makes room for one more: of too many, the one that died first goes. @throws AppError 40902 when all of them work */
async function makeRoom({ store, clock }: Pick<Context, 'store' | 'clock'>, name: string): Promise<void> {
  const known = await listOperators(store);
  if (known.length < MAX_OPERATORS || known.some((one) => one.name === name)) return;
  const now = clock.now();
  const isDead = (operator: OperatorRecord): boolean => operatorState(operator, now) !== 'active';
  const endOf = ({ revokedAt, expiresAt }: OperatorRecord): number => revokedAt ?? expiresAt ?? now;
  const [first] = known.filter(isDead).sort((a, b) => endOf(a) - endOf(b));
  if (first === undefined)
    throw new AppError('40902', `There are at most ${MAX_OPERATORS} operators; revoke one that is no longer used first`);
  await change(store, first.name, (stored) => ({
    writes: stored && isDead(stored.value) ? [{ in: operators, delete: stored }] : [],
    result: undefined,
  }));
}

/**
 * Creates an operator and keeps the hash of the token. The name of one whose token is revoked or expired is free again.
 * @param expiresInSeconds default: never expires
 * @returns the token, which is known here and nowhere else
 * @throws AppError 40902 when the name is taken, or when there are as many operators as there may be
 */
export async function createOperator(
  context: Pick<Context, 'store' | 'clock'>,
  { name, role, expiresInSeconds }: Pick<OperatorRecord, 'name' | 'role'> & { readonly expiresInSeconds?: number | undefined },
): Promise<{ readonly token: string; readonly record: OperatorRecord }> {
  if (name === MAIN_OPERATOR) throw new AppError('40902', `The name ${MAIN_OPERATOR} belongs to the token of the installation`);
  await makeRoom(context, name);
  const token = composeOperatorToken(randomBytes(KEY_RANDOM_BYTES));
  const now = context.clock.now();
  const expiresAt = expiresInSeconds === undefined ? null : now + expiresInSeconds * 1000;
  const set = { role, hash: hashKey(token), createdAt: now, expiresAt, lastUsedAt: null, revokedAt: null };
  const record = { name, ...set };
  const { outcomes } = await change(context.store, name, (stored) => {
    if (stored === undefined) return { writes: [{ in: operators, insert: record }], result: undefined };
    const isDead = operatorState(stored.value, now) !== 'active';
    return { writes: isDead ? [{ in: operators, patch: stored, set }] : [], result: undefined };
  });
  if (outcomes[0]?.kind !== 'written')
    throw new AppError('40902', `The name ${name} is taken; revoke the operator of this name first, or choose another name`);
  return { token, record };
}

/**
 * Revokes the token of an operator for good. Doing it again changes nothing.
 * @returns `isRepetition`: true when it was revoked before
 * @throws AppError 40403 when there is no such operator, 40902 for the token of the installation
 */
export async function revokeOperator({ store, clock }: Pick<Context, 'store' | 'clock'>, name: string) {
  if (name === MAIN_OPERATOR) {
    throw new AppError('40902', 'The token of the installation cannot be revoked; set another ADMIN_TOKEN and restart the gateway');
  }
  const set = { revokedAt: clock.now() };
  const { result } = await change(store, name, (stored) => {
    if (stored === undefined) return { writes: [], result: undefined };
    if (stored.value.revokedAt !== null) return { writes: [], result: { record: stored.value, isRepetition: true } };
    return { writes: [{ in: operators, patch: stored, set }], result: { record: { ...stored.value, ...set }, isRepetition: false } };
  });
  if (result === undefined) throw new AppError('40403', 'The operator does not exist');
  return result;
}

/**
 * Finds the operator of a token.
 * @param main token of the installation, which needs no store
 * @throws AppError 40003 for a token that does not work, 50301 when the store does not respond
 */
export async function operatorOfToken(
  { store, clock }: Pick<Context, 'store' | 'clock'>,
  main: string,
  token: string,
): Promise<PresentOperator> {
  const hash = hashKey(token);
  // Hashes are compared, so that neither the text nor its length shows in the time it takes.
  if (constantTimeEqual(hash, hashKey(main))) return { name: MAIN_OPERATOR, role: 'admin' };
  const [stored] = isPlausibleToken(token) ? (await store.find(operators.by.hash, { eq: [hash], limit: 1 })).items : [];
  if (stored === undefined) throw new AppError('40003', 'The admin token is not valid');
  const { name, role } = stored.value;
  const state = operatorState(stored.value, clock.now());
  if (state !== 'active') throw new AppError('40003', `The token of the operator ${name} is ${state}`);
  return { name, role };
}
