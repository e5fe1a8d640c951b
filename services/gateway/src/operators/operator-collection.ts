import type { OperatorRole } from '@parcelway/contracts/operator-api';
import { collection } from '@parcelway/store/collection';
import type { Decision, Store, Stored } from '@parcelway/store/store';
import Type from 'typebox';
import { recordUse } from '../keys/record-use.ts';
import { type OperatorRecord, operatorState } from './domain/operator.ts';

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

/** Keeps operators and the hashes of their tokens. They are few. @param store with {@link operators} */
export function createOperatorStore(store: Store) {
  const change = <R>(name: string, decide: (stored: Stored<Operator> | undefined) => Decision<R>) =>
    store.change([{ in: operators, keys: [[name]] }], (known) => decide(known.get(operators, [name])));
  const isDead = ({ value }: Stored<Operator>, now: number): boolean => operatorState(recordOf(value), now) !== 'active';
  return {
    /** By name; at most `limit`. */
    async list(limit: number): Promise<OperatorRecord[]> {
      return (await store.find(operators.by.name, { eq: [], limit })).items.map(({ value }) => recordOf(value));
    },
    /**
     * Writes an operator, in the place of one of the same name that is revoked or expired.
     * @returns false when the name belongs to one whose token works; nothing changes then
     */
    async add({ name, role, hash, createdAt, expiresAt }: OperatorRecord, now: number): Promise<boolean> {
      const fields = { role, hash, createdAt, ...(expiresAt !== null && { expiresAt }) };
      const { outcomes } = await change(name, (stored) => {
        if (stored === undefined) return { writes: [{ in: operators, insert: { name, ...fields } }], result: undefined };
        const set = { expiresAt: undefined, lastUsedAt: undefined, revokedAt: undefined, ...fields };
        return { writes: isDead(stored, now) ? [{ in: operators, patch: stored, set }] : [], result: undefined };
      });
      return outcomes[0]?.kind === 'written';
    },
    /** Revokes a token; one that is revoked already stays as it is. @returns the operator afterwards; undefined when there is none */
    async revoke(name: string, at: number): Promise<OperatorRecord | undefined> {
      const { result } = await change(name, (stored) => {
        if (stored === undefined || stored.value.revokedAt !== undefined) return { writes: [], result: stored?.value };
        return { writes: [{ in: operators, patch: stored, set: { revokedAt: at } }], result: { ...stored.value, revokedAt: at } };
      });
      return result && recordOf(result);
    },
    /** Deletes an operator that is revoked or expired; does nothing to others. */
    async deleteDead(name: string, now: number): Promise<void> {
      await change(name, (stored) => ({
        writes: stored && isDead(stored, now) ? [{ in: operators, delete: stored }] : [],
        result: undefined,
      }));
    },
    /** Notes the latest use of tokens. @param uses name of the operator → epoch milliseconds */
    recordUse: (uses: ReadonlyMap<string, number>) => recordUse(store, operators, uses),
  };
}

export type OperatorStore = ReturnType<typeof createOperatorStore>;
