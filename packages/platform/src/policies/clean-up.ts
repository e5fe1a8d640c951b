import type { ServiceName } from '@parcelway/contracts/service-name';
import type { Clock } from '@parcelway/kernel/clock';
import type { Logger } from '@parcelway/kernel/logger';
import { deletionStep, Upkeep, type UpkeepStep } from '@parcelway/kernel/upkeep';
import type { Collection, Expiry } from '@parcelway/store/collection';
import type { Store } from '@parcelway/store/store';

const EVERY_MS = 60_000;
const BATCH = 500;

/** Deletes every minute, in batches, the documents of collections that their age ends. Several processes may do so at once. */
export class CleanUps {
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #running: Upkeep[] = [];

  constructor(clock: Clock, logger: Logger) {
    this.#clock = clock;
    this.#logger = logger;
  }

  /** Begins with a round. */
  start(service: ServiceName, collections: readonly Collection[], store: Store): void {
    const steps = cleanUpSteps(collections, store, this.#clock);
    const upkeep = new Upkeep({ steps, everyMs: EVERY_MS, logger: this.#logger.child({ service }) });
    this.#running.push(upkeep);
    upkeep.start();
  }

  /** Resolves once the batches that run have ended. */
  async stop(): Promise<void> {
    await Promise.all(this.#running.map((upkeep) => upkeep.stop()));
  }
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
