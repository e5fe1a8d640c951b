import { keptText } from './failed-call.ts';

/** Longer than the id of any resource. */
const MAX_ID_CHARACTERS = 128;

/** The id of a resource as an entry keeps it: without secrets, and cut. It may be any text that a client has sent. */
export function keptId(id: string | null): string | null {
  return id === null ? null : keptText(id, MAX_ID_CHARACTERS);
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
