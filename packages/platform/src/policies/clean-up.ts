import type { Clock } from '@parcelway/kernel/clock';
import type { Logger } from '@parcelway/kernel/logger';
import { deletionStep, Upkeep, type UpkeepStep } from '@parcelway/kernel/upkeep';
import type { Collection, Expiry } from '@parcelway/store/collection';
import type { Store } from '@parcelway/store/store';

const EVERY_MS = 60_000;
const BATCH = 500;

/** What a clean-up works with. */
export interface CleanUpOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Deletes every minute, in batches, the documents of collections that their age ends. Several processes may do so at once. */
export function createCleanUp(collections: readonly Collection[], { store, clock, logger }: CleanUpOptions): Upkeep {
  return new Upkeep({ steps: cleanUpSteps(collections, store, clock), everyMs: EVERY_MS, logger });
}

/** A step for each age that ends documents. */
export function cleanUpSteps(collections: readonly Collection[], store: Store, clock: Clock): readonly UpkeepStep[] {
  return collections.flatMap((one) => (typeof one.ends === 'string' ? [] : one.ends.map((expiry) => stepOf(store, clock, one, expiry))));
}

function stepOf(store: Store, clock: Clock, { name, by, schema }: Collection, { by: list, within = [], keptMs }: Expiry): UpkeepStep {
  const index = by[list] as Collection['indexes'][number];
  const { field, falls } = index.fields[within.length] as (typeof index.fields)[number];
  const isDay = (schema.properties[field] as { readonly type?: unknown }).type === 'string';
  const deleteBefore = (instant: number, limit: number): Promise<number> => {
    const to = isDay ? new Date(instant).toISOString().slice(0, 10) : instant;
    return store.deleteRange(index, { eq: within, to, limit, backwards: falls });
  };
  return deletionStep(clock, { what: `Deleting old documents of ${name}`, keptMs, deleteBefore, limit: BATCH });
}
