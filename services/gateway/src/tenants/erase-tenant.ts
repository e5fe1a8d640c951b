import type { Bus, DeadLetter } from '@parcelway/bus/bus';
import { consumedTopics, type Topic } from '@parcelway/contracts/topics';
import { AppError } from '@parcelway/kernel/app-error';
import type { Clock } from '@parcelway/kernel/clock';
import { failpointAsync } from '@parcelway/kernel/failpoint';
import {
  afterRemembered,
  type DeadLetterPlace,
  type ErasureRecord,
  finished,
  SETTLE_MS,
  sortDeadLetters,
  withCount,
} from './domain/erasure.ts';
import type { PlatformData, ServiceData } from './ports.ts';

/** What erasing works with. */
export interface EraseOptions {
  /** Refuses the keys of the tenant. */
  readonly suspend: (tenantId: string) => Promise<void>;
  readonly data: PlatformData;
  readonly bus: Pick<Bus, 'deadLetterPages' | 'deleteDeadLetters'>;
  readonly clock: Clock;
  /** How long after every service has remembered the tenant the last look for data begins at the earliest. */
  readonly settleMs: number;
  /** Writes the progress. @throws AppError 50301 when another process has taken the erasure */
  readonly save: (record: ErasureRecord) => Promise<void>;
  /** Waits, but no longer than until the process stops. @throws AppError 50301 when it stops */
  readonly pause: (ms: number) => Promise<void>;
}

/** Between two rounds, or as long as everything takes to settle, where that is shorter: whatever was running when the first began is over then. */
const ROUND_PAUSE_MS = 6000;
/** A step is followed by a pause as long as itself, so that other work gets half of the time at least. */
const MAX_STEP_PAUSE_MS = 1000;
/** Rounds that find something. Each but the first finds what was on its way before; more would be a defect. */
const MAX_ROUNDS = 10;
/** A longer pause has parts, between which the lease of the erasure is renewed. */
const MAX_PAUSE_MS = 15_000;
/** Photos that one call deletes. */
const PHOTOS_AT_ONCE = 50;
/** Kind by which a service names the photos of a tenant's parcels. */
const PHOTOS = 'photos';

function placeOf({ record: { partition, offset, headers, key } }: DeadLetter): DeadLetterPlace {
  return { partition, offset, key: headers['dlq-key'] ?? key };
}

/** One erasure on its way. */
class ErasureRun {
  readonly #options: EraseOptions;
  #record: ErasureRecord;
  /** When the record was written, which renews the lease. */
  #savedAt = 0;

  constructor(options: EraseOptions, record: ErasureRecord) {
    this.#options = options;
    this.#record = record;
  }

  async run(): Promise<ErasureRecord> {
    const { clock, settleMs, pause } = this.#options;
    await this.#settle();
    for (let found = 0; ; ) {
      const isLast = clock.now() >= (afterRemembered(this.#record, settleMs) ?? 0);
      const erased = await this.#round();
      if (erased === 0 && isLast) break;
      if (erased === 0) {
        await this.#pauseUntil(settleMs);
        continue;
      }
      found += 1;
      if (found === MAX_ROUNDS) throw AppError.unavailable('Data of the tenant is still being written');
      await pause(Math.min(ROUND_PAUSE_MS, settleMs));
    }
    let left = 0;
    for (const topic of consumedTopics) left += await this.#eraseDeadLettersOf(topic);
    await this.#write(finished(this.#record, left, clock.now()));
    return this.#record;
  }

  /** The tenant is suspended and every service drops its facts; waits until all that was running before is over. */
  async #settle(): Promise<void> {
    const { suspend, data, clock, settleMs } = this.#options;
    const { tenantId } = this.#record;
    await suspend(tenantId);
    for (const service of data.services) await service.remember(tenantId);
    if (this.#record.rememberedAt === null) await this.#write({ ...this.#record, rememberedAt: clock.now() });
    await this.#pauseUntil(Math.min(SETTLE_MS, settleMs));
  }

  /** Waits until a time after every service has remembered the tenant. @param afterMs milliseconds */
  async #pauseUntil(afterMs: number): Promise<void> {
    const { clock, pause } = this.#options;
    const until = afterRemembered(this.#record, afterMs) ?? 0;
    for (let left = until - clock.now(); left > 0; left = until - clock.now()) {
      await pause(Math.min(left, MAX_PAUSE_MS));
      await this.#write(this.#record);
    }
  }

  /** Deletes all that is there. @returns how many records */
  async #round(): Promise<number> {
    const { suspend, data } = this.#options;
    const { services } = data;
    // Again: a gateway that died while it took a resumption back has left the tenant active.
    await suspend(this.#record.tenantId);
    let erased = 0;
    for (const service of services) erased += await this.#erasePhotosNamedBy(service);
    for (const service of services) {
      for (const { name, erased: isErased } of await service.kinds()) if (isErased) erased += await this.#eraseKind(service, name);
    }
    return erased;
  }

  /** Before the forecasts that name them. */
  async #erasePhotosNamedBy(service: ServiceData): Promise<number> {
    const { tenantId } = this.#record;
    if (!(await service.kinds()).some(({ name }) => name === PHOTOS)) return 0;
    let total = 0;
    for (let after: string | null = null; ; ) {
      const { records, next } = await service.list(PHOTOS, tenantId, after);
      const tokens = [...new Set(records.flatMap((record) => record['tokens'] as string[]))];
      for (let from = 0; from < tokens.length; from += PHOTOS_AT_ONCE) {
        const some = tokens.slice(from, from + PHOTOS_AT_ONCE);
        total += await this.#step('file', PHOTOS, () => this.#options.data.erasePhotos(tenantId, some));
      }
      if (next === null) return total;
      after = next;
      // Many forecasts without photos take longer than the lease of the erasure.
      await this.#write(this.#record);
    }
  }

  async #eraseKind(service: ServiceData, kind: string): Promise<number> {
    for (let total = 0; ; ) {
      const erased = await this.#step(service.service, kind, () => service.erase(kind, this.#record.tenantId));
      total += erased;
      if (erased === 0) return total;
    }
  }

  /** Deletes some, notes how many, and leaves the others as much time as that took. */
  async #step(service: ServiceData['service'], kind: string, erase: () => Promise<number>): Promise<number> {
    const { clock, pause } = this.#options;
    const startedAt = clock.now();
    const erased = await erase();
    if (erased === 0) return 0;
    await failpointAsync('erasure.after-step');
    await this.#write(withCount(this.#record, service, kind, erased));
    await pause(Math.min(clock.now() - startedAt, MAX_STEP_PAUSE_MS));
    return erased;
  }

  /** Looks at all that are there. @returns how many of the tenant are left */
  async #eraseDeadLettersOf(topic: Topic): Promise<number> {
    const { bus, clock, pause } = this.#options;
    let left = 0;
    let blocked: ReadonlySet<number> = new Set();
    let startedAt = clock.now();
    for await (const page of bus.deadLetterPages(topic)) {
      const sorted = sortDeadLetters(this.#record.tenantId, page.map(placeOf), blocked);
      blocked = sorted.blocked;
      left += sorted.left;
      if (sorted.deletable.length > 0) await this.#deleteDeadLetters(topic, sorted.deletable);
      // A page without any is read far faster than the lease of the erasure ends, many of them are not.
      else if (clock.now() >= this.#savedAt + MAX_PAUSE_MS) await this.#write(this.#record);
      await pause(Math.min(clock.now() - startedAt, MAX_STEP_PAUSE_MS));
      startedAt = clock.now();
    }
    return left;
  }

  async #deleteDeadLetters(topic: Topic, places: readonly DeadLetterPlace[]): Promise<void> {
    const positions = places.map(({ partition, offset }) => ({ partition, offset }));
    const deleted = await this.#options.bus.deleteDeadLetters(topic, positions);
    await this.#write(withCount(this.#record, 'gateway', 'dead_letters', deleted.length));
  }

  async #write(record: ErasureRecord): Promise<void> {
    await this.#options.save(record);
    this.#record = record;
    this.#savedAt = this.#options.clock.now();
  }
}

/**
 * Erases a tenant from all services. May begin again at any point after it failed or the process ended: it then goes on, and a count may lack the last step.
 * @returns the finished record
 * @throws AppError 50301 when a service or store is out, or the process stops
 */
export function eraseTenant(options: EraseOptions, record: ErasureRecord): Promise<ErasureRecord> {
  return new ErasureRun(options, record).run();
}
