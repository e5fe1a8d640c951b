import { createHash } from 'node:crypto';
import { type Operator, type OperatorRole, operatorRoles, type operatorStates } from '@parcelway/contracts/operator-api';
import { isoInstant } from '@parcelway/kernel/clock';
import { constantTimeEqual } from '../../proxy/domain/api-key.ts';

/** An operator with a token of their own. Instants are epoch milliseconds. */
export interface OperatorRecord {
  readonly name: string;
  readonly role: OperatorRole;
  /** As hashKey writes it; the only form in which a token is kept. */
  readonly hash: string;
  readonly createdAt: number;
  /** Null: never expires. */
  readonly expiresAt: number | null;
  /** To the minute; null: never used. */
  readonly lastUsedAt: number | null;
  readonly revokedAt: number | null;
}

/** Who makes a call of the operator's API. */
export interface PresentOperator {
  readonly name: string;
  readonly role: OperatorRole;
}

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

/*
 * A token reads `pfo_`, 32 random characters of base64url (192 bits), and a checksum over both, by which an invention is refused without a look-up.
 */
const PREFIX = 'pfo_';
const TOKEN_PATTERN = /^pfo_[A-Za-z0-9_-]{38}$/;
const CHECKSUM_LENGTH = 6;

/** Random bytes that {@link composeOperatorToken} needs. */
export const OPERATOR_TOKEN_BYTES = 24;

function checksum(text: string): string {
  return createHash('sha256').update(`parcelway-operator\n${text}`).digest('base64url').slice(0, CHECKSUM_LENGTH);
}

/** The text of a new token. @param random {@link OPERATOR_TOKEN_BYTES} bytes from a cryptographic source */
export function composeOperatorToken(random: Uint8Array): string {
  if (random.length !== OPERATOR_TOKEN_BYTES) throw new Error(`A token is made of ${OPERATOR_TOKEN_BYTES} random bytes`);
  const text = PREFIX + Buffer.from(random).toString('base64url');
  return text + checksum(text);
}

/** True when a token may have been issued: right prefix, length, characters and checksum. */
export function isPlausibleToken(token: string): boolean {
  if (!TOKEN_PATTERN.test(token)) return false;
  return constantTimeEqual(checksum(token.slice(0, -CHECKSUM_LENGTH)), token.slice(-CHECKSUM_LENGTH));
}
