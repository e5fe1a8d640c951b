import { FairQueue } from '@parcelway/kernel/fair-queue';
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

/** The places of the threads that read spreadsheets. Tenants take turns, imports leave a place for previews, and large previews one for small ones. */
export class ReadingPlaces {
  readonly #threads: FairQueue;
  readonly #imports: FairQueue;
  readonly #largePreviews: FairQueue;
  readonly #waitMs: number;

  /** @param waitMs who has no place by then is refused */
  constructor(waitMs: number) {
    const queueOf = (atOnce: number): FairQueue =>
      new FairQueue({ atOnce, maxWaitMs: waitMs, refusal: 'Too many spreadsheets are being read' });
    this.#threads = queueOf(MAX_THREADS);
    this.#imports = queueOf(MAX_IMPORTS);
    this.#largePreviews = queueOf(MAX_LARGE_PREVIEWS);
    this.#waitMs = waitMs;
  }

  /**
   * Takes a place as soon as the tenant has none and one is free for the purpose.
   * @returns gives it back; to be called once
   * @throws AppError 50301 when that takes too long, the reader is closed, or the client has gone
   */
  async take({ tenantId, purpose, isLarge, signal }: PlaceRequest): Promise<() => void> {
    const end = performance.now() + this.#waitMs;
    const ofKind = purpose === 'import' ? this.#imports : isLarge ? this.#largePreviews : undefined;
    // Who waits for others of its kind must not hold a thread in the meantime.
    const giveKind = await ofKind?.take(tenantId, signal);
    try {
      const giveThread = await this.#threads.take(tenantId, signal, end - performance.now());
      return () => {
        giveThread();
        giveKind?.();
      };
    } catch (error) {
      giveKind?.();
      throw error;
    }
  }

  /** Refuses those who wait, and everybody after them. */
  close(): void {
    for (const queue of [this.#threads, this.#imports, this.#largePreviews]) queue.close();
  }
}
