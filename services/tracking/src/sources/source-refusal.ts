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

/** A vendor refused a call as a whole. The message is for the log: it holds no credential. */
export class SourceRefusal extends Error {
  readonly reason: RefusalReason;
  /** After which a retry is worthwhile, as the vendor says; undefined when it does not. */
  readonly retryAfterMs: number | undefined;

  constructor(reason: RefusalReason, message: string, more: { readonly retryAfterMs?: number | undefined; readonly cause?: unknown } = {}) {
    super(message, { cause: more.cause });
    this.name = 'SourceRefusal';
    this.reason = reason;
    this.retryAfterMs = more.retryAfterMs;
  }
}
