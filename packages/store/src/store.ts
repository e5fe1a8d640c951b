import type { EncodedMessage } from '@parcelway/contracts/encode-event';
import type { Collection, Index, Key, Value } from './collection.ts';

/** A document as it was read. Writes onto it are refused when it has changed since. */
export interface Stored<T extends object = object> {
  readonly value: T;
  /** Rises with each write, from 1. */
  readonly version: number;
}

/**
 * A write of one document. A document that is gone when it is deleted together with others in one call may count as written.
 * Its messages are published once it is durable; those of one key stay in order when writes of one document carry them.
 */
export type Write<T extends object = object> = { readonly in: Collection<T>; readonly messages?: readonly EncodedMessage[] } & (
  | { readonly insert: T }
  /**
   * Onto the version that was read. `undefined` removes a field. Only fields whose value differs are written, so a caller that has not read
   * the document omits from `patch` the fields that it sets.
   */
  | { readonly patch: Stored<T>; readonly set: Partial<T> }
  | { readonly delete: Stored<T> }
  /** Only with `together`: the decision of the other writes rests on this document, so its version rises. */
  | { readonly touch: Stored<T> }
);

/** What became of a write. */
export type Outcome<T extends object = object> =
  | { readonly kind: 'written'; readonly version: number }
  /** Another was quicker: the document as it is now, undefined when it is gone. Without its heavy fields. */
  | { readonly kind: 'lost'; readonly current: Stored<T> | undefined }
  /** Another document has the values of a unique index, or the key (`key`). */
  | { readonly kind: 'taken'; readonly index: string; readonly holder: Stored<T> | undefined }
  /** `together`: another write of the group failed. */
  | { readonly kind: 'undone' };

/** How writes are made. */
export interface ApplyOptions {
  /** All or none; at most 5,000 writes, all of one shard value. Default false: each by itself, in any order. */
  readonly together?: boolean;
  /** Documents that hold messages which wait to be published are not deleted: `lost`. Where messages lie elsewhere, all are. Default false. */
  readonly sparesMessages?: boolean;
  /** Resolves before the write survives a loss of power: for consumers of the log, which get their events again then. Default false. */
  readonly flushLater?: boolean;
  /** Milliseconds by which the write may be delayed to share a commit, because nobody waits for it. Default 0. */
  readonly deferMs?: number;
}

/** Heavy fields to read as well. */
export interface ReadOptions<T extends object> {
  readonly with?: readonly Extract<keyof T, string>[];
}

/** A page of a list. */
export interface FindOptions<T extends object> extends ReadOptions<T> {
  /** Values of the first fields of the index; several values of a field are merged in order, at most 200 combinations. */
  readonly eq: readonly (Value | readonly Value[])[];
  /**
   * Values of the next field, at most 2,000: matches any of them, in the order of the index. Excludes `from` and `to`. Of an array: documents that have any
   * of these elements, each once, in any order and on one page; one that has several of them counts several times towards the limit.
   */
  readonly any?: readonly Value[];
  /** Of the next field: at least. */
  readonly from?: Value;
  /** Of the next field: less than. */
  readonly to?: Value;
  /** Where the page before ended. */
  readonly after?: string;
  readonly limit: number;
  readonly backwards?: boolean;
}

/** A page. */
export interface Page<T extends object> {
  readonly items: readonly Stored<T>[];
  /** For `after`; null when this page is the last. */
  readonly next: string | null;
}

/** Which groups to read. */
export interface GroupRange {
  /** Values of the first fields of the index; default none. */
  readonly eq?: readonly Value[];
  readonly after?: Value | undefined;
  readonly limit: number;
}

/** What to count. */
export interface CountRange {
  /** Values of the first fields of the index. */
  readonly eq: readonly Value[];
  /** Of the next field: less than. */
  readonly to?: Value | undefined;
  readonly most: number;
}

/** What to claim. Instants are epoch milliseconds. */
export interface ClaimOptions {
  readonly group?: Value | undefined;
  readonly now: number;
  readonly until: number;
  readonly limit: number;
}

/** A document of a queue that was claimed. */
export type Claimed<T extends object = object> = Stored<T> & { readonly dueAt: number };

/** What `change` reads. */
export interface Wanted<T extends object = object> extends ReadOptions<T> {
  readonly in: Collection<T>;
  readonly keys: readonly Key[];
}

/** What `change` has read. */
export interface Known {
  get<T extends object>(collection: Collection<T>, key: Key): Stored<T> | undefined;
}

/** A decision. */
export interface Decision<R> {
  readonly writes: readonly Write[];
  readonly result: R;
}

/**
 * Keeps documents of declared collections. Every method throws AppError 50301 when the database is out; then writes may have been made, so callers read
 * again before they decide again.
 */
export interface Store {
  /** Documents by their keys, each once, without those that do not exist. In any order. */
  read<T extends object>(collection: Collection<T>, keys: readonly Key[], options?: ReadOptions<T>): Promise<readonly Stored<T>[]>;
  /** One document by its key. */
  get<T extends object>(collection: Collection<T>, key: Key, options?: ReadOptions<T>): Promise<Stored<T> | undefined>;
  /** Documents in the order of an index. Costs what it returns, at any place. @throws Error when the cursor is not one of this index */
  find<T extends object>(index: Index<T>, options: FindOptions<T>): Promise<Page<T>>;
  /** Where a page that ends with this document goes on. @param fixed how many fields `eq` has @param stored with the fields of the index behind these */
  placeIn<T extends object>(index: Index<T>, fixed: number, stored: { readonly value: Partial<T> }): string;
  /** The distinct values of the field behind `eq`, in order, each with the first value of the next field. */
  groups<T extends object>(index: Index<T>, range: GroupRange): Promise<readonly { readonly group: Value; readonly first: Value }[]>;
  /** How many documents, no further than `most`, and the first value of the field behind `eq`. */
  count<T extends object>(index: Index<T>, range: CountRange): Promise<{ readonly count: number; readonly first: Value | undefined }>;
  /** Writes documents, each with its messages in one durable write. One write a document. @returns the outcomes in order @throws AppError 50301 */
  apply(writes: readonly Write[], options?: ApplyOptions): Promise<readonly Outcome[]>;
  /** Resolves once all that can be read now survives a loss of power, see `flushLater`. @throws AppError 50301 */
  flushed(): Promise<void>;
  /**
   * Reads, decides, writes, and decides again with what another was quicker at. `decide` has no effects: it may run several times.
   * @returns the last decision's result, and the outcomes of its writes: written, or taken
   * @throws AppError 50301, also when others are quicker each time
   */
  change<R>(
    reads: readonly Wanted[],
    decide: (known: Known) => Decision<R>,
    options?: ApplyOptions,
  ): Promise<{ readonly result: R; readonly outcomes: readonly Outcome[] }>;
  /**
   * Takes the documents of a queue that have been due longest: their `due` becomes `until`. Whoever writes onto the version that is returned still has them.
   * Callers at once get different documents.
   */
  claimDue<T extends object>(queue: Index<T>, options: ClaimOptions & ReadOptions<T>): Promise<readonly Claimed<T>[]>;
  /**
   * Deletes the first documents of a range, at most `limit`. Those that change meanwhile stay; so do those that hold messages which wait to be published.
   * @returns how many were deleted
   */
  deleteRange<T extends object>(index: Index<T>, options: Pick<FindOptions<T>, 'eq' | 'to' | 'limit' | 'backwards'>): Promise<number>;
}
