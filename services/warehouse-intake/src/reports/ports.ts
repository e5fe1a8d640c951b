import type { EventKey } from '../matching/domain/repeated-events.ts';
import type { Rejection } from '../outcomes/domain/event-outcome.ts';

/** Remembers rejected reports: of each warehouse the newest MAX_REJECTIONS. */
export interface Rejections {
  /** In one step for all of them. @param rejected of one call, at least one */
  remember(rejected: readonly Rejection[], at: number): Promise<void>;
  /** The newest of the id, with the instant at which it came in. */
  rejectionOf(key: EventKey): Promise<(Rejection & { readonly at: number }) | undefined>;
  /** Deletes at most `limit` from before `before` (epoch milliseconds). @returns how many */
  forget(before: number, limit: number): Promise<number>;
}
