/** Who asked for a change, and in which trace. */
export interface RequestOrigin {
  /** Id of the API key; null when none was used, as for what the platform does by itself. */
  readonly keyId: string | null;
  /** Of the request, for the events that follow. */
  readonly traceparent?: string | undefined;
}

/** The origin of what no key asked for. */
export const BY_NO_KEY: RequestOrigin = { keyId: null };
