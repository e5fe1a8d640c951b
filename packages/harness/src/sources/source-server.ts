/** Where a parcel is, for a row. Each server writes it in the codes of its vendor. */
export type ServerStage = 'in transit' | 'out for delivery' | 'delivered';

/** A row that a vendor has of a parcel. */
export interface ServerRow {
  readonly stage: ServerStage;
  /** ISO 8601 with an offset, such as `2026-11-25T08:00:00+08:00`. */
  readonly at: string;
  readonly city?: string;
  /** ISO 3166-1 alpha-2. */
  readonly country?: string;
}

/** How the server behaves to all calls. */
export type ServerMood =
  | { readonly kind: 'well' }
  /** Responds with this status, and with `Retry-After` in seconds when given. */
  | { readonly kind: 'status'; readonly status: number; readonly retryAfter?: number }
  /** Accepts the call and never responds. */
  | { readonly kind: 'hangs' }
  /** Says that the quota of registrations is used up, as the vendor says it. */
  | { readonly kind: 'quota used up' }
  /** Says that the key is wrong, as the vendor says it. */
  | { readonly kind: 'key revoked' };

/** A call that the server has got. */
export interface ServerCall {
  readonly kind: 'register' | 'unregister' | 'query' | 'other';
  /** With the query. */
  readonly path: string;
  readonly numbers: readonly string[];
  /** Epoch milliseconds. */
  readonly at: number;
}

/** How a push is made wrong on purpose. */
export interface PushOptions {
  /** Signs with this secret; default: the connection's. */
  readonly secret?: string;
  /** Sends no signature. */
  readonly isUnsigned?: boolean;
  /** Signs this text, and sends the push. */
  readonly signs?: string;
  /** Rows of the push; default: all rows that the server has. */
  readonly rows?: readonly ServerRow[];
}

/** A push as the vendor would send it. */
export interface SignedPush {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A server on the loopback address that speaks a vendor's documented wire format. It keeps no limit: tests count its calls. */
export interface SourceServer {
  readonly name: string;
  /** For a connection's `base_url`. */
  readonly baseUrl: string;
  /** For a connection's `credentials`. Any others are refused as the vendor refuses them. */
  readonly credentials: Readonly<Record<string, string>>;
  /** Every call so far, in the order of arrival. */
  readonly calls: readonly ServerCall[];
  setMood(mood: ServerMood): void;
  /** The vendor hears of a parcel. A number without rows is one that the vendor does not know yet. */
  addRows(trackingNumber: string, ...rows: readonly ServerRow[]): void;
  /** The vendor refuses the number from now on, in each of its responses. */
  refuse(trackingNumber: string): void;
  /** A push about the parcel, signed as the vendor signs. */
  signPush(trackingNumber: string, options?: PushOptions): SignedPush;
  close(): Promise<void>;
}

/** A row in Hamburg, `minutesAgo` minutes ago. */
export function recentRow(stage: ServerStage, minutesAgo: number): ServerRow {
  const at = new Date(Date.now() - minutesAgo * 60_000).toISOString().replace(/\.\d+Z$/, '+00:00');
  return { stage, at, city: 'Hamburg', country: 'DE' };
}

/** A connection of the operator to the server of a source, as `TRACKING_SOURCES` lists it. @param carriers codes of the carriers that it serves */
export function connectionTo(
  { name: source, baseUrl: base_url, credentials }: SourceServer,
  id: string,
  carriers: readonly string[],
): object {
  return { id, source, base_url, carriers, credentials };
}
