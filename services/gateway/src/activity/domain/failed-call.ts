import { maskSecrets } from '@parcelway/kernel/mask-secrets';

/** A call with a tenant's key that failed, as it is kept. */
export interface FailedCallRecord {
  /** `call_…`; rises with the time. */
  readonly callId: string;
  readonly tenantId: string;
  /** When the request came; epoch milliseconds. */
  readonly at: number;
  /** That of the response; clients may choose it, so several calls can have the same. */
  readonly requestId: string;
  readonly method: string;
  /** Path of the route; null when there is no such route. */
  readonly route: string | null;
  /** Without the query. */
  readonly path: string;
  /** HTTP status; 499 when the client closed the connection. */
  readonly status: number;
  readonly code: string | null;
  readonly message: string | null;
  /** JSON of `data`; null when there is none, or it is too large. */
  readonly data: string | null;
  readonly keyId: string;
  readonly durationMs: number;
}

/** What a failed response says. */
export interface FailureContent {
  readonly code: string | null;
  readonly message: string | null;
  readonly data: string | null;
}

const MAX_DATA_CHARACTERS = 4096;
const MAX_MESSAGE_CHARACTERS = 1000;
const MAX_PATH_CHARACTERS = 500;

/** A text without secrets, and cut. */
export function keptText(text: string, most: number): string {
  const kept = maskSecrets(text);
  return kept.length <= most ? kept : `${kept.slice(0, most - 1)}…`;
}

/** The path of a call as it is kept. */
export const keptPath = (path: string): string => keptText(path, MAX_PATH_CHARACTERS);

/** What is kept of the envelope of a failure, without secrets. @param envelope parsed JSON, of whatever shape */
export function failureContent(envelope: unknown): FailureContent {
  const { code, message, data } = (typeof envelope === 'object' && envelope !== null ? envelope : {}) as Record<string, unknown>;
  const json = data === undefined || data === null ? null : maskSecrets(JSON.stringify(data));
  return {
    code: typeof code === 'string' ? code : null,
    message: typeof message === 'string' ? maskSecrets(message).slice(0, MAX_MESSAGE_CHARACTERS) : null,
    data: json !== null && json.length <= MAX_DATA_CHARACTERS ? json : null,
  };
}
