/** A key is known for so long: 24 hours. */
export const IDEMPOTENCY_KEPT_MS = 24 * 3_600_000;

/** Whose key of which route: the same key of another owner or route is another key. */
export interface IdempotencyScope {
  /** Tenant id or warehouse code. */
  readonly ownerId: string;
  /** Id of the route, as in the OpenAPI document. */
  readonly route: string;
  readonly key: string;
}

/** A success response as it was sent. */
export interface RecordedResponse {
  readonly status: number;
  /** JSON. */
  readonly body: string;
}

/** What is known of a request with an idempotency key. Instants are epoch milliseconds. */
export interface IdempotencyRecord extends IdempotencyScope {
  /** Distinguishes requests with the same content from others. */
  readonly fingerprint: string;
  /** Random, and the same for every attempt at the request: ids and secrets derived from it come out the same. */
  readonly seed: string;
  /** Names the attempt that holds the key. */
  readonly claim: string;
  /** The attempt expires at this instant unless it has a response; 0 once it has failed. */
  readonly claimedUntil: number;
  readonly createdAt: number;
  /** Null until an attempt succeeds. */
  readonly response: RecordedResponse | null;
}

/** Keeps records by their scope. Every write is durable when it resolves. All methods throw AppError 50301 when the store is out. */
export interface IdempotencyStore {
  /** Adds a record without a response. @returns the record that its scope has already; undefined when it was added */
  add(record: IdempotencyRecord): Promise<IdempotencyRecord | undefined>;
  /** Puts a record in the place of the one that `claim` names. @returns false when that one is no longer there */
  replace(record: IdempotencyRecord, claim: string): Promise<boolean>;
  /**
   * Records the response of the request with this seed, unless another attempt has recorded one.
   * @returns the response that is recorded now; undefined when there is no such request any more
   */
  complete(scope: IdempotencyScope, seed: string, response: RecordedResponse): Promise<RecordedResponse | undefined>;
  /** Releases an attempt that has no response. Nothing happens when another attempt holds the key. */
  release(scope: IdempotencyScope, claim: string): Promise<void>;
}
