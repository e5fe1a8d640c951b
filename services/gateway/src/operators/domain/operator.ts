import { type Operator, type OperatorRole, operatorRoles, type operatorStates } from '@parcelway/contracts/operator-api';
import { nullable } from '@parcelway/contracts/text';
import { isoInstant } from '@parcelway/kernel/clock';
import Type from 'typebox';
import { composeSecret, isPlausibleSecret, type SecretKind } from '../../proxy/domain/api-key.ts';

const instant = nullable(Type.Integer());

/** An operator with a token of their own. Instants are epoch milliseconds. */
export const operatorSchema = Type.Object(
  {
    name: Type.String(),
    role: Type.Unsafe<OperatorRole>(Type.String()),
    /** As hashKey writes it; the only form in which a token is kept. */
    hash: Type.String(),
    createdAt: Type.Integer(),
    /** Null: never expires. */
    expiresAt: instant,
    /** To the minute; null: never used. */
    lastUsedAt: instant,
    revokedAt: instant,
  },
  { additionalProperties: false },
);
export type OperatorRecord = Type.Static<typeof operatorSchema>;

/** Who makes a call of the operator's API. */
export type PresentOperator = Pick<OperatorRecord, 'name' | 'role'>;

/** True when an operator of a role may do what another role is needed for. */
export function mayAct(role: OperatorRole, needed: OperatorRole): boolean {
  return operatorRoles.indexOf(role) >= operatorRoles.indexOf(needed);
}

/** Whether a token works. @param now epoch milliseconds */
export function operatorState({ revokedAt, expiresAt }: OperatorRecord, now: number): (typeof operatorStates)[number] {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && now >= expiresAt ? 'expired' : 'active';
}

/** An operator as the operator's API shows it. */
export function viewOperator(record: OperatorRecord, now: number): Operator {
  const instantOf = (at: number | null): string | null => (at === null ? null : isoInstant(at));
  return {
    name: record.name,
    role: record.role,
    state: operatorState(record, now),
    create_time: isoInstant(record.createdAt),
    expire_time: instantOf(record.expiresAt),
    revoke_time: instantOf(record.revokedAt),
    last_use_time: instantOf(record.lastUsedAt),
  };
}

/** A token is `pfo_`, 32 random characters and a checksum, like a key. */
const TOKEN: SecretKind = { prefix: 'pfo_', label: 'parcelway-operator' };

/** The text of a new token. @param random as many bytes from a cryptographic source as for a key */
export function composeOperatorToken(random: Uint8Array): string {
  return composeSecret(TOKEN, random);
}

/** True when a token may have been issued. */
export function isPlausibleToken(token: string): boolean {
  return isPlausibleSecret(TOKEN, token);
}
