import type { EncodedMessage } from '@parcelway/contracts/encode-event';
import type { Collection, Index, Key, Value } from './collection.ts';
import type { ApplyOptions, Claimed, ClaimOptions, CountRange, GroupRange, Outcome, Stored } from './store.ts';

/** A range of an index. */
export interface Bounds {
  /** Values of its first fields. */
  readonly eq: readonly Value[];
  /** Values of the next field: matches any of them. Excludes `from` and `to`. */
  readonly any?: readonly Value[];
  /** Of the next field: at least. */
  readonly from?: Value;
  /** Of the next field: less than. */
  readonly to?: Value;
  /** Values of all fields behind `eq`: what comes after them. */
  readonly after?: readonly Value[];
  readonly limit: number;
  readonly backwards: boolean;
  /** Only keys, shard fields and versions are read. */
  readonly isBare?: boolean;
}

/** A write that was checked. */
export type DriverWrite = { readonly in: Collection; readonly key: Key; readonly messages: readonly EncodedMessage[] } & (
  | { readonly kind: 'insert'; readonly value: object }
  /** `value`: the whole document; of the heavy fields, those that were read or are set. `changed`: the fields that get another value or are taken away. */
  | {
      readonly kind: 'patch';
      readonly version: number;
      readonly before: object;
      readonly value: object;
      readonly changed: readonly string[];
    }
  | { readonly kind: 'delete'; readonly version: number; readonly before: object }
  | { readonly kind: 'touch'; readonly version: number; readonly before: object }
);

/** What a database does. Every method throws AppError 50301 when it is out. */
export interface StoreDriver {
  read(collection: Collection, keys: readonly Key[], heavy: readonly string[]): Promise<readonly Stored[]>;
  scan(index: Index, bounds: Bounds, heavy: readonly string[]): Promise<readonly Stored[]>;
  groups(index: Index, range: GroupRange): Promise<readonly { readonly group: Value; readonly first: Value }[]>;
  count(index: Index, range: CountRange): Promise<{ readonly count: number; readonly first: Value | undefined }>;
  write(writes: readonly DriverWrite[], options: ApplyOptions): Promise<readonly Outcome[]>;
  claim(queue: Index, options: ClaimOptions, heavy: readonly string[]): Promise<readonly Claimed[]>;
  /** Resolves once all that can be read now is durable; absent where nothing else can be read. */
  flushed?(): Promise<void>;
  /** What is wrong with the plan of a range: a scan, a sort in memory. Empty when its index serves it. */
  plan(index: Index, bounds: Bounds): Promise<readonly string[]>;
}
