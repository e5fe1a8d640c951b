import { AppError } from '@parcelway/kernel/app-error';
import { FairTurns } from '@parcelway/kernel/fair-shares';
import type { ReadingPurpose } from '../../ports.ts';

/** Threads that live at a time. A tenant has one of them at most. */
const MAX_THREADS = 2;
/** Of these, so many read files of imports: the others are there for previews, for which somebody waits. */
const MAX_IMPORTS = 1;
/** And so many read large files for previews: however many large ones wait, a small one waits for this one at most. */
const MAX_LARGE_PREVIEWS = 1;

/** Who asks for a place. */
export interface PlaceRequest {
  readonly tenantId: string;
  readonly purpose: ReadingPurpose;
  /** True when the file may take seconds to read. */
  readonly isLarge: boolean;
  /** Stops waiting when it is aborted. */
  readonly signal?: AbortSignal | undefined;
}

type Stop = 'late' | 'closed' | 'gone';

const refusals: Readonly<Record<Stop, () => AppError>> = {
  late: () => AppError.unavailable('Too many spreadsheets are being read; try again'),
  closed: () => AppError.unavailable('The reader of spreadsheets is closed'),
  gone: () => AppError.unavailable('The client has gone away'),
};

/** The places of the threads that read spreadsheets. Tenants take turns, imports leave a place for previews, and large previews one for small ones. */
export class ReadingPlaces {
  readonly #threads = new FairTurns({ capacity: MAX_THREADS, part: 1 });
  readonly #imports = new FairTurns({ capacity: MAX_IMPORTS, part: 1 });
  readonly #largePreviews = new FairTurns({ capacity: MAX_LARGE_PREVIEWS, part: 1 });
  readonly #waitMs: number;
  readonly #closing = new AbortController();

  /** @param waitMs who has no place by then is refused */
  constructor(waitMs: number) {
    this.#waitMs = waitMs;
  }

  /**
   * Takes a place as soon as the tenant has none and one is free for the purpose.
   * @returns gives it back; to be called once
   * @throws AppError 50301 when that takes too long, the reader is closed, or the client has gone
   */
  async take({ tenantId, purpose, isLarge, signal }: PlaceRequest): Promise<() => void> {
    const end = performance.now() + this.#waitMs;
    const ofKind = purpose === 'import' ? [this.#imports] : isLarge ? [this.#largePreviews] : [];
    // Who waits for others of its kind must not hold a thread in the meantime. In the queue for threads everybody comes in turn, large or small.
    const pools = [...ofKind, this.#threads];
    const taken: FairTurns[] = [];
    const give = (): void => {
      for (const pool of taken.splice(0).reverse()) pool.give(tenantId);
    };
    for (const pool of pools) {
      const stop = await this.#wait(pool, tenantId, end - performance.now(), signal);
      if (stop === undefined) taken.push(pool);
      else {
        give();
        throw refusals[stop]();
      }
    }
    return give;
  }

  /** Refuses those who wait, and everybody after them. */
  close(): void {
    this.#closing.abort();
  }

  #wait(pool: FairTurns, tenantId: string, ms: number, signal: AbortSignal | undefined): Promise<Stop | undefined> {
    const closing = this.#closing.signal;
    if (closing.aborted || signal?.aborted) return Promise.resolve(closing.aborted ? 'closed' : 'gone');
    return new Promise((resolve) => {
      const settle = (stop: Stop | undefined): void => {
        clearTimeout(timer);
        closing.removeEventListener('abort', onClosed);
        signal?.removeEventListener('abort', onGone);
        if (stop !== undefined) forget();
        resolve(stop);
      };
      const onClosed = (): void => settle('closed');
      const onGone = (): void => settle('gone');
      const timer = setTimeout(() => settle('late'), Math.max(0, ms));
      closing.addEventListener('abort', onClosed);
      signal?.addEventListener('abort', onGone);
      const forget = pool.wait(tenantId, () => settle(undefined));
    });
  }
}
