import type { IntakeResult, WarehouseEvent } from '@parcelway/contracts/warehouse-api';
import { ApiFailure } from '@parcelway/page/api/failure';
import { afterFailure, STORE_FAILED, waitMs } from './offline-retry.ts';
import { type PhotoApi, uploadQueuedPhoto } from './photo-upload.ts';
import { eventOf } from './queued-report.ts';
import { faultOf, outcomeOf, type ReportWarning } from './report-outcome.ts';
import type { ReportQueue } from './report-queue.ts';
import { MAX_BATCH, nextWork, type Work } from './send-order.ts';

/** The calls that empty the queue. Each throws ApiFailure. */
export interface SenderApi extends PhotoApi {
  report(events: readonly WarehouseEvent[]): Promise<IntakeResult>;
}

/** What a sender needs. */
export interface SenderOptions {
  readonly queue: ReportQueue;
  readonly api: SenderApi;
  /** Resolves after so many milliseconds, or as soon as `signal` aborts. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly random: () => number;
  /** Called with the reason when sending stops: the key is not valid here. */
  readonly onStopped: (failure: ApiFailure) => void;
  readonly onWarnings: (warnings: readonly ReportWarning[]) => void;
  /** Called when the store of the device fails, and when it works again. */
  readonly onStore: (works: boolean) => void;
}

/** Sends what waits, in its order, for as long as it runs. One at a time for a queue; repeats are harmless all the same. */
export class Sender {
  readonly #options: SenderOptions;
  #pause = new AbortController();
  #failures = 0;
  #storeWorks = true;
  /** Events of a call: one at a time after a call was refused as a whole, to find the one to blame. */
  #most = MAX_BATCH;

  constructor(options: SenderOptions) {
    this.#options = options;
  }

  /** Tries at once, as when the network is back. */
  wake(): void {
    this.#pause.abort();
  }

  /** Sends until `signal` aborts, or until the key opens nothing any more. */
  async run(signal: AbortSignal): Promise<void> {
    const { queue, onStopped, sleep, random } = this.#options;
    const unfollow = queue.follow(() => {
      // A report that comes while the network is out waits with the others.
      if (this.#failures === 0) this.wake();
    });
    signal.addEventListener('abort', () => this.wake(), { once: true });
    while (!signal.aborted) {
      this.#pause = new AbortController();
      const done = await this.#attempt();
      if (!(done instanceof ApiFailure)) {
        this.#failures = 0;
        if (done === 'nothing') await sleep(IDLE_MS, this.#pause.signal);
        continue;
      }
      if (afterFailure(done) === 'stop') {
        onStopped(done);
        break;
      }
      this.#failures += 1;
      await sleep(waitMs(this.#failures, random(), done.retryAfterSeconds), this.#pause.signal);
    }
    unfollow();
  }

  /** Does the next thing. @returns the failure that holds the queue up, if any; `nothing` when nothing waits */
  async #attempt(): Promise<ApiFailure | 'nothing' | undefined> {
    const { queue } = this.#options;
    try {
      // What failed may have been stored all the same.
      if (!this.#storeWorks) await queue.refresh();
      const work = nextWork(queue.reports, this.#most);
      const failure = work && (await this.#send(work));
      if (failure === undefined) this.#store(true);
      return work === undefined ? 'nothing' : failure;
    } catch (error) {
      if (!(error instanceof DOMException)) throw error;
      this.#store(false);
      return new ApiFailure(STORE_FAILED, { detail: error.message });
    }
  }

  async #send(work: Work): Promise<ApiFailure | undefined> {
    const { queue, api } = this.#options;
    try {
      if (work.send === 'events') await this.#sendEvents(work.reports);
      else await uploadQueuedPhoto(queue, api, work.report, work.photo);
      return undefined;
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      if (afterFailure(error) !== 'refused') return error;
      return this.#refused(work, error);
    }
  }

  #store(works: boolean): void {
    if (this.#storeWorks === works) return;
    this.#storeWorks = works;
    this.#options.onStore(works);
  }

  async #refused(work: Work, failure: ApiFailure): Promise<undefined> {
    if (work.send === 'events' && work.reports.length > 1) {
      this.#most = 1;
      return;
    }
    const report = work.send === 'photo' ? work.report : work.reports[0];
    if (report !== undefined) await this.#options.queue.settle([], [{ report, fault: faultOf(failure) }]);
  }

  async #sendEvents(reports: Extract<Work, { send: 'events' }>['reports']): Promise<void> {
    const { queue, api, onWarnings } = this.#options;
    const outcome = outcomeOf(reports, await api.report(reports.map(eventOf)));
    await queue.settle(outcome.accepted, outcome.refused);
    if (outcome.warnings.length > 0) onWarnings(outcome.warnings);
    this.#most = MAX_BATCH;
  }
}

/** Milliseconds between two looks at an empty queue; whatever comes in ends the wait. */
const IDLE_MS = 60_000;
