import type { AuditOutcome } from '@parcelway/contracts/audited-routes';
import type { SessionKind } from '@parcelway/contracts/key-api';
import { keptText } from './failed-call.ts';

/** Longer than the id of any resource. */
const MAX_ID_CHARACTERS = 128;

/** The id of a resource as an entry keeps it: without secrets, and cut. It may be any text that a client has sent. */
export function keptId(id: string | null): string | null {
  return id === null ? null : keptText(id, MAX_ID_CHARACTERS);
}

/** Who made a change. */
export interface AuditActor {
  readonly type: 'key' | 'operator';
  /** `key_…`, or the name of an operator's token. */
  readonly id: string;
  /** IP address of the client; null for an operator. */
  readonly address: string | null;
  /** What acted for the key; absent when the key itself was sent, and for an operator. */
  readonly session?: SessionKind | undefined;
}

/** A change as the audit log keeps it. */
export interface AuditRecord {
  /** `aud_…`; rises with the time. */
  readonly entryId: string;
  /** Null for what concerns no single tenant. */
  readonly tenantId: string | null;
  /** When the request came; epoch milliseconds. */
  readonly at: number;
  readonly action: string;
  readonly actor: AuditActor;
  readonly resourceType: string;
  /** As {@link keptId} makes it; null when it is not known, at least not yet. */
  readonly resourceId: string | null;
  /** `unknown` until the change is made. */
  readonly outcome: AuditOutcome;
  readonly requestId: string;
}

/** What becomes of an entry once its request is over. */
export type AuditEnd = 'success' | 'refused' | 'unknown';

/**
 * What a response says of the change. One that was refused is no change, and neither is the repetition of a response. A client that leaves does not stop the
 * change.
 * @param status HTTP status; 499 when the client closed the connection
 */
export function auditEndOf(status: number, isRepetition: boolean): AuditEnd {
  if (status < 400) return isRepetition ? 'refused' : 'success';
  return status === 499 || status >= 500 ? 'unknown' : 'refused';
}
