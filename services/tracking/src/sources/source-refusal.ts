import { AppError } from '@parcelway/kernel/app-error';

/** Why a vendor refused a call as a whole. */
export type RefusalReason =
  /** Too many calls just now. */
  | 'throttled'
  /** What was bought or granted is used up. */
  | 'quota used up'
  /** The credentials are wrong, revoked, or lack a right. */
  | 'access denied'
  /** The vendor fails, or does not respond in time. */
  | 'unavailable'
  /** The vendor's response is none that its documentation describes, or it does not understand our call. */
  | 'wrong response';

/** What is known of a refusal beside its reason. */
interface RefusalDetails {
  readonly retryAfterMs?: number | undefined;
  readonly status?: number | undefined;
  readonly cause?: unknown;
}

/** A vendor refused a call as a whole. The message is for the log: it holds no credential. */
export class SourceRefusal extends Error {
  readonly reason: RefusalReason;
  /** After which a retry is worthwhile, as the vendor says; undefined when it does not. */
  readonly retryAfterMs: number | undefined;
  /** Status of the response that refuses; undefined when there was none, or it was a success. */
  readonly status: number | undefined;

  constructor(reason: RefusalReason, message: string, more: RefusalDetails = {}) {
    super(message, { cause: more.cause });
    this.name = 'SourceRefusal';
    this.reason = reason;
    this.retryAfterMs = more.retryAfterMs;
    this.status = more.status !== undefined && more.status >= 300 ? more.status : undefined;
  }
}

/** The refusal in an error, or in the cause of an error of the circuit; undefined when there is none. */
export function refusalIn(error: unknown): SourceRefusal | undefined {
  const cause = error instanceof AppError ? error.cause : error;
  return cause instanceof SourceRefusal ? cause : undefined;
}

/** How long a vendor is left alone that says no more than that it is too much, or that nothing is left. */
const THROTTLED_MS = 10_000;
const USED_UP_MS = 3_600_000;

/** True for an error in which the vendor names a limit: it says nothing against the vendor, and the ledger keeps to it. */
export function isLimit(error: unknown): boolean {
  const reason = refusalIn(error)?.reason;
  return reason === 'throttled' || reason === 'quota used up';
}

/** How long no call is made after a refusal that names a limit, milliseconds. */
export function patienceOf({ reason, retryAfterMs }: SourceRefusal): number {
  return retryAfterMs ?? (reason === 'quota used up' ? USED_UP_MS : THROTTLED_MS);
}
