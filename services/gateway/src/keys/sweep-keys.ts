import type { Clock } from '@parcelway/kernel/clock';
import type { Logger } from '@parcelway/kernel/logger';
import { DEAD_LINKS_KEPT_MS } from './domain/link-rules.ts';
import type { KeyStore } from './ports.ts';

/** How long a key is listed after it was revoked or has expired: more than a year, for those who look into what happened. */
export const DEAD_KEYS_KEPT_MS = 400 * 86_400_000;
const SWEEP_EVERY_MS = 900_000;
const BATCH = 500;
/** One sweep goes on for so long at most; the next one continues. */
const SWEEP_MS = 5_000;

/** What the sweep works with. */
export interface KeySweepOptions {
  readonly keys: Pick<KeyStore, 'deleteDead' | 'deleteDeadLinks'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Deletes keys that are dead for long, and those of links soon after their end, now and every quarter of an hour. Several processes may do it at the same time. */
export class KeySweep {
  readonly #options: KeySweepOptions;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;

  constructor(options: KeySweepOptions) {
    this.#options = options;
  }

  start(): void {
    const run = (): void => {
      this.#running ??= this.sweep().finally(() => {
        this.#running = undefined;
      });
    };
    run();
    this.#timer ??= setInterval(run, SWEEP_EVERY_MS).unref();
  }

  /** Resolves when a running sweep has ended. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#timer = undefined;
    await this.#running;
  }

  /** Deletes what is due. Never rejects: the next sweep tries again. */
  async sweep(): Promise<void> {
    const { keys, clock, logger } = this.#options;
    const end = performance.now() + SWEEP_MS;
    try {
      for (const deleteBatch of [
        () => keys.deleteDeadLinks(clock.now() - DEAD_LINKS_KEPT_MS, BATCH),
        () => keys.deleteDead(clock.now() - DEAD_KEYS_KEPT_MS, BATCH),
      ]) {
        let deleted = BATCH;
        while (deleted >= BATCH && performance.now() < end) deleted = await deleteBatch();
      }
    } catch (error) {
      logger.warn({ err: error }, 'Keys that are dead for long could not be deleted; the next sweep tries it again');
    }
  }
}
