import type { Logger } from '@parcelway/kernel/logger';
import type { Endpoint } from '../endpoints/domain/endpoint.ts';
import type { DeliveryQueue } from '../queue/delivery-queue.ts';
import { type AttemptResult, endpointAfter } from '../queue/domain/attempt.ts';

/** Results in one transaction, at most. */
const BATCH = 256;
/** Wait after the store refused a batch. */
const REFUSED_WAIT_MS = 250;

export interface RecorderOptions {
  readonly queue: Pick<DeliveryQueue, 'record' | 'untilRecordable'>;
  readonly clock: { now(): number };
  readonly logger: Logger;
  readonly onRecorded: (results: readonly AttemptResult[]) => void;
  /** Called with endpoints that a batch has disabled. */
  readonly onDisabled: (endpoint: Endpoint) => void;
}

/**
 * Writes results down in batches: while one batch is being written the next one gathers, so that the busier the senders
 * are the more results share a transaction. A batch that the store refuses is tried again until it is taken; the
 * dispatcher stops sending while too many wait.
 */
export class ResultRecorder {
  readonly #options: RecorderOptions;
  #waiting: AttemptResult[] = [];
  #writing: Promise<void> | undefined;
  #abandoned = false;

  constructor(options: RecorderOptions) {
    this.#options = options;
  }

  add(result: AttemptResult): void {
    this.#waiting.push(result);
    this.#writing ??= this.#write();
  }

  /** Resolves when everything added so far is stored, or has been dropped by {@link abandon}. */
  async flush(): Promise<void> {
    while (this.#writing) await this.#writing;
  }

  /** Drops what the store keeps refusing; those deliveries are sent again under the same webhook-id. */
  abandon(): void {
    this.#abandoned = true;
  }

  async #write(): Promise<void> {
    // A turn of the event loop later the responses that arrived together are here together.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#waiting.length > 0 && !this.#abandoned) {
      await this.#options.queue.untilRecordable();
      const batch = this.#waiting.slice(0, BATCH);
      try {
        const now = this.#options.clock.now();
        const disabled = await this.#options.queue.record(batch, (endpoint, results) => endpointAfter(endpoint, results, now));
        this.#waiting.splice(0, batch.length);
        this.#options.onRecorded(batch);
        disabled.forEach(this.#options.onDisabled);
      } catch (error) {
        this.#options.logger.error({ err: error, results: batch.length }, 'cannot record delivery results; trying again');
        await new Promise((resolve) => setTimeout(resolve, REFUSED_WAIT_MS));
      }
    }
    // In the turn of the last look: what is added from now on is written by the next one.
    this.#writing = undefined;
  }
}
