import type { ParcelwayError } from './parcelway-error.ts';

/** How to reach a platform, and as whom. */
export interface ParcelwayOptions {
  /** Key of a tenant or a warehouse: `pf_test_…` in the sandbox, `pf_live_…` in production. */
  readonly apiKey: string;
  /** Address of the platform, such as `https://localhost:8443`. */
  readonly baseUrl: string;
  /** Milliseconds for a whole call, its retries and the waits between them included; default 60,000. */
  readonly timeoutMs?: number;
  /** Further attempts after the first, 0 to 10; default 3. Only what may be repeated safely is. */
  readonly maxRetries?: number;
  /** Certificates of further authorities, in PEM: for a local installation the content of `ca_file` in quickstart.json. */
  readonly ca?: string | Uint8Array;
}

/** What a response came with, beside its data. */
export interface ResponseInfo {
  /** Names the call in the logs of the platform. */
  readonly requestId: string | null;
  readonly httpStatus: number;
  /** Names in lower case; such as `idempotent-replayed` of a repeated submission. */
  readonly headers: Readonly<Record<string, string>>;
  /** Attempts it took, from 1. */
  readonly attempts: number;
}

/** An attempt that failed and will be followed by another. */
export interface RetryNotice {
  readonly error: ParcelwayError;
  /** Milliseconds until the next attempt. */
  readonly waitMs: number;
  /** The attempt that failed, from 1. */
  readonly attempt: number;
}

/** What a call that changes a version may have besides. */
export interface CorrectionOptions extends CallOptions {
  /** `version` of the forecast that was read: the call rejects with 41201, and changes nothing, when it is no longer the current one. */
  readonly ifVersion?: number;
}

/** What one call may have different from the client. */
export interface CallOptions {
  /** Ends the call at once; it then rejects with the reason of the signal. */
  readonly signal?: AbortSignal;
  /** As in {@link ParcelwayOptions}. */
  readonly timeoutMs?: number;
  /** As in {@link ParcelwayOptions}. */
  readonly maxRetries?: number;
  /**
   * Names the request beyond this call: for 24 hours the platform does it once and returns the first result, also to another process. 1 to
   * 64 visible ASCII characters. For calls that create; those have a key of their own otherwise, which ends with the call.
   */
  readonly idempotencyKey?: string;
  /** Called with a successful response before the call resolves. */
  readonly onResponse?: (info: ResponseInfo) => void;
  /** Called after every failed attempt that is followed by another. */
  readonly onRetry?: (notice: RetryNotice) => void;
}
