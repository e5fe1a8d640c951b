import type { Clock } from './clock.ts';
import type { Logger } from './logger.ts';
import type { WorkLease } from './work-lease.ts';

/** Longer than a step takes. After a crash another process goes on so much later, and {@link MAX_LOOK_MS} at most. */
const LEASE_MS = 30_000;
const RENEW_AFTER_MS = LEASE_MS / 3;
/** A process that has not got the work looks again after at most so long. */
const MAX_LOOK_MS = 30_000;
/** What comes up within this time is done together. */
const WAKE_AFTER_MS = 5000;

/** Work as the process has it that does it. */
export interface HeldWork {
  /** Up to where the work has come; '' at first. */
  readonly place: string;
  /** Notes that the work has come to a place, durably: whoever goes on begins behind it. @throws AppError 50301 */
  reach(place: string): Promise<void>;
  /**
   * Call it before each step: extends the lease in time, when the last write is 10 seconds old.
   * @param place notes that the work has come to it, to be kept with the next extension, or when the work is given back
   * @throws AppError 50301
   */
  renew(place?: string): Promise<void>;
  /** True when the work is to end after the step under way: the process stops, or another one has the work. */
  isOver(): boolean;
}

/** What regular work is made of. */
export interface LeasedWorkOptions {
  readonly lease: WorkLease;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Longest pause between two times. */
  readonly everyMs: number;
  /** Pause after a failure. */
  readonly retryMs: number;
  /** Pause after {@link RegularWork.wake}, in which more may come up; default 5 s. When another process has the work then, further looks come every 5 s. */
  readonly wakeAfterMs?: number;
  /** Said in the log when the work fails. */
  readonly failure: string;
  /** Does the work. @returns when it is due again, epoch milliseconds */
  readonly work: (held: HeldWork) => Promise<number>;
  /** Called at each look at which another process has the work, or had it last. */
  readonly elsewhere?: () => void;
}

/** Work that repeats itself. */
export interface RegularWork {
  /** Does the work now, if it is due, and then whenever it is. */
  start(): void;
  /** Does the work soon, though it is not due: there is something new to do. When another process has the work, once that one gives it back. */
  wake(): void;
  /** Ends after the step under way. */
  stop(): Promise<void>;
}

class Held implements HeldWork {
  readonly #options: Pick<LeasedWorkOptions, 'lease' | 'clock'>;
  readonly #isStopping: () => boolean;
  #keptAt: number;
  #isLost = false;
  place: string;

  constructor(options: Pick<LeasedWorkOptions, 'lease' | 'clock'>, place: string, isStopping: () => boolean) {
    this.#options = options;
    this.#isStopping = isStopping;
    this.#keptAt = options.clock.now();
    this.place = place;
  }

  async reach(place: string): Promise<void> {
    if (this.#isLost) return;
    this.place = place;
    await this.#keep();
  }

  async renew(place = this.place): Promise<void> {
    if (this.#isLost) return;
    this.place = place;
    if (this.#options.clock.now() - this.#keptAt >= RENEW_AFTER_MS) await this.#keep();
  }

  isOver(): boolean {
    return this.#isLost || this.#isStopping();
  }

  async #keep(): Promise<void> {
    const { lease, clock } = this.#options;
    const now = clock.now();
    this.#isLost = !(await lease.keep(this.place, now + LEASE_MS));
    this.#keptAt = now;
  }
}

/** Makes work that one process at a time does, of all those that share a store. */
export function createLeasedWork(options: LeasedWorkOptions): RegularWork {
  const { lease, clock, logger, everyMs, retryMs, wakeAfterMs = WAKE_AFTER_MS, failure, work, elsewhere } = options;
  let isStopping = false;
  let isStarted = false;
  let isRunning = false;
  /** True when the work is to be done though it is not due. */
  let isWoken = false;
  /** True once it has looked since it was woken. */
  let hasLooked = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  /** When the work is due that this process has given back. */
  let ownDueAt = 0;

  /** Does the work if it is due. @returns when to look again */
  const look = async (): Promise<number> => {
    const now = clock.now();
    hasLooked = true;
    const place = await lease.take(now, now + LEASE_MS, isWoken ? now : now + everyMs);
    if (place === undefined) {
      if (now >= ownDueAt) elsewhere?.();
      return now + everyMs;
    }
    isWoken = false;
    const held = new Held(options, place, () => isStopping);
    ownDueAt = await work(held).catch((error: unknown) => {
      logger.warn({ err: error }, failure);
      return clock.now() + retryMs;
    });
    await lease.giveBack(held.place, ownDueAt).catch((error: unknown) => {
      logger.warn({ err: error }, 'Regular work was not given back; it is done again once its lease has run out');
    });
    return ownDueAt;
  };

  /** Short for the first look only: another process may have the work for hours. */
  const wakePauseMs = (): number => (hasLooked ? Math.max(wakeAfterMs, WAKE_AFTER_MS) : wakeAfterMs);

  const run = (): void => {
    isRunning = true;
    running = look()
      .catch((error: unknown) => {
        logger.warn({ err: error }, failure);
        return clock.now() + retryMs;
      })
      .then((nextAt) => {
        isRunning = false;
        const pauseMs = Math.max(0, Math.min(nextAt - clock.now(), isWoken ? wakePauseMs() : MAX_LOOK_MS));
        if (!isStopping) timer = setTimeout(run, pauseMs).unref();
      });
  };
  return {
    start() {
      isStarted = true;
      run();
    },
    wake() {
      if (isStopping || !isStarted || isWoken) return;
      isWoken = true;
      hasLooked = false;
      if (isRunning) return;
      clearTimeout(timer);
      timer = setTimeout(run, wakeAfterMs).unref();
    },
    async stop() {
      isStopping = true;
      clearTimeout(timer);
      await running;
    },
  };
}
