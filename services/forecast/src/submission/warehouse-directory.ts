import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '@parcelway/kernel/app-error';
import type { Clock } from '@parcelway/kernel/clock';
import type { WarehouseDirectory } from '../store/ports.ts';
import type { WarehouseStore } from '../store/warehouse-store.ts';

/** How long a submission waits for news of a code that is not known, and how often it looks. */
const WAIT_MS = 1000;
const LOOK_EVERY_MS = 50;
/** Codes that are waited for at the same time; those beyond are taken for unknown at once. */
const MAX_AWAITED = 32;
/** A code that was waited for in vain is not waited for again for this long. */
const UNKNOWN_FOR_MS = 2000;
/** A warehouse that was open is taken for open for this long without another look. */
const OPEN_FOR_MS = 2000;
/** Codes that are remembered either way; the oldest goes first. */
const MAX_REMEMBERED = 1000;

export interface WarehouseDirectoryOptions {
  readonly store: Pick<WarehouseStore, 'find' | 'isEmpty'>;
  readonly clock: Clock;
}

class Remembered {
  readonly #until = new Map<string, number>();
  readonly #clock: Clock;
  readonly #forMs: number;

  constructor(clock: Clock, forMs: number) {
    this.#clock = clock;
    this.#forMs = forMs;
  }

  add(code: string): void {
    this.#until.delete(code);
    this.#until.set(code, this.#clock.now() + this.#forMs);
    if (this.#until.size > MAX_REMEMBERED) this.#until.delete(this.#until.keys().next().value as string);
  }

  has(code: string): boolean {
    const left = (this.#until.get(code) ?? 0) - this.#clock.now();
    // A clock that was set back must not prolong it.
    return left > 0 && left <= this.#forMs;
  }
}

/**
 * The warehouses in use, by what the gateway has published. A code that is not known is waited for, because a warehouse may be used as soon as
 * it was added, and its event may still be on its way. Everybody who asks for one code shares the wait.
 */
export function createWarehouseDirectory({ store, clock }: WarehouseDirectoryOptions): WarehouseDirectory {
  const open = new Remembered(clock, OPEN_FOR_MS);
  const unknown = new Remembered(clock, UNKNOWN_FOR_MS);
  const awaited = new Map<string, Promise<boolean | undefined>>();

  /** Undefined when the code is not known. */
  const look = async (code: string): Promise<boolean | undefined> => {
    const known = await store.find(code);
    if (known?.isOpen) open.add(code);
    return known?.isOpen;
  };
  const wait = async (code: string): Promise<boolean | undefined> => {
    for (let waited = 0; waited < WAIT_MS; waited += LOOK_EVERY_MS) {
      await pause(LOOK_EVERY_MS);
      const isOpen = await look(code);
      if (isOpen !== undefined) return isOpen;
    }
    unknown.add(code);
    return undefined;
  };
  const awaitNews = (code: string): Promise<boolean | undefined> | undefined => {
    const running = awaited.get(code);
    if (running !== undefined || unknown.has(code) || awaited.size >= MAX_AWAITED) return running;
    const started = wait(code).finally(() => awaited.delete(code));
    awaited.set(code, started);
    return started;
  };
  return {
    async exists(code) {
      if (open.has(code)) return true;
      const isOpen = (await look(code)) ?? (await awaitNews(code));
      if (isOpen !== undefined) return isOpen;
      // No event of any warehouse was received yet, as right after an upgrade: this code may be one.
      if (await store.isEmpty()) throw AppError.unavailable('The warehouses are not known yet; try again');
      return false;
    },
  };
}
