import type { OperatorRole } from '@parcelway/contracts/operator-api';
import { collection } from '@parcelway/store/collection';
import type { Decision, Store, Stored } from '@parcelway/store/store';
import Type from 'typebox';
import { recordUse } from '../keys/record-use.ts';
import { type OperatorRecord, operatorState } from './domain/operator.ts';
import type { OperatorStore } from './ports.ts';

const instant = Type.Optional(Type.Integer());

/** Operators with tokens of their own. */
export const operators = collection(
  'operators',
  Type.Object(
    {
      name: Type.String(),
      role: Type.Unsafe<OperatorRole>(Type.String()),
      hash: Type.String(),
      createdAt: Type.Integer(),
      expiresAt: instant,
      lastUsedAt: instant,
      revokedAt: instant,
    },
    { additionalProperties: false },
  ),
  {
    describe: 'Operators, and the hashes of their tokens',
    key: ['name'],
    lists: { name: ['name'] },
    tenant: { none: 'operators are people of the installation' },
    shard: { unsharded: 'some dozens of small documents, read together' },
    ends: 'when an operator with the same name is added',
  },
);

type Operator = NonNullable<(typeof operators)['document']>;

const recordOf = (operator: Operator): OperatorRecord => ({ expiresAt: null, lastUsedAt: null, revokedAt: null, ...operator });

/** Keeps operators. @param store with {@link operators} */
export function createOperatorStore(store: Store): OperatorStore {
  const change = <R>(name: string, decide: (stored: Stored<Operator> | undefined) => Decision<R>) =>
    store.change([{ in: operators, keys: [[name]] }], (known) => decide(known.get(operators, [name])));
  const isDead = ({ value }: Stored<Operator>, now: number): boolean => operatorState(recordOf(value), now) !== 'active';
  return {
    async list(limit) {
      return (await store.find(operators.by.name, { eq: [], limit })).items.map(({ value }) => recordOf(value));
    },
    async add({ name, role, hash, createdAt, expiresAt }, now) {
      const fields = { role, hash, createdAt, ...(expiresAt !== null && { expiresAt }) };
      const { outcomes } = await change(name, (stored) => {
        if (stored === undefined) return { writes: [{ in: operators, insert: { name, ...fields } }], result: undefined };
        const set = { expiresAt: undefined, lastUsedAt: undefined, revokedAt: undefined, ...fields };
        return { writes: isDead(stored, now) ? [{ in: operators, patch: stored, set }] : [], result: undefined };
      });
      return outcomes[0]?.kind === 'written';
    },
    async revoke(name, at) {
      const { result } = await change(name, (stored) => {
        if (stored === undefined || stored.value.revokedAt !== undefined) return { writes: [], result: stored?.value };
        return { writes: [{ in: operators, patch: stored, set: { revokedAt: at } }], result: { ...stored.value, revokedAt: at } };
      });
      return result && recordOf(result);
    },
    async deleteDead(name, now) {
      await change(name, (stored) => ({
        writes: stored && isDead(stored, now) ? [{ in: operators, delete: stored }] : [],
        result: undefined,
      }));
    },
    recordUse: (uses) => recordUse(store, operators, uses),
  };
}
