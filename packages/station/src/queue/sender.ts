import { ApiFailure } from '@parcelway/page/api/failure';
import { isOffline } from '../api/connection.ts';
import type { SenderCalls } from '../api/warehouse.ts';
import { eventOf, faultOf, MAX_BATCH, nextWork, outcomeOf, type ReportQueue, type ReportWarning, type Work } from './queued-report.ts';

type AfterFailure = 'retry' | 'refused' | 'stop';
/** In place of a code of the API: the store of the device has failed. */
export const STORE_FAILED = 'store_failed';
/** Temporary failures besides those of the network and 5xx codes: the device, a busy platform, a rate limit. */
const TEMPORARY = new Set([STORE_FAILED, '42207', '42901']);
/** Failures that no report causes: the key, its scope, its holder. */
const OF_THE_KEY = new Set(['40003', '40101', '40301', '40302']);

/** What a failed call means, for reports and photos alike: try again, return the report to the bench, or stop until somebody signs in again. */
export function afterFailure({ code }: ApiFailure): AfterFailure {
  if (isOffline(code) || TEMPORARY.has(code) || code.startsWith('5')) return 'retry';
  return OF_THE_KEY.has(code) ? 'stop' : 'refused';
}

/** Milliseconds of the first wait, and of the longest. */
const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 30_000;

/**
 * Doubles with each failure, plus or minus a fifth so that benches do not return together. A longer Retry-After wins, up to a minute.
 * @returns milliseconds
 */
export function waitMs(failures: number, random: number, retryAfterSeconds = 0): number {
  const doubled = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(failures - 1, 10));
  return Math.max(Math.round(doubled * (0.8 + 0.4 * random)), Math.min(retryAfterSeconds * 1000, 2 * LONGEST_WAIT_MS));
}

/** In place of a code of the API: the browser has lost the content of a photo. */
export const PHOTO_LOST = 'photo_lost';

export interface SenderOptions {
  readonly queue: ReportQueue;
  readonly api: SenderCalls;
  /** Resolves after so many milliseconds, or as soon as `signal` aborts. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly random: () => number;
  /** Called with the reason when sending stops: the key is not valid here. */
  readonly onStopped: (failure: ApiFailure) => void;
  readonly onWarnings: (warnings: readonly ReportWarning[]) => void;
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
    try {
      if (work.send === 'events') await this.#sendEvents(work.reports);
      else await this.#sendPhoto(work);
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

  /**
   * Uploads a photo and notes its photo_id; the report follows once all of its photos have one. Every retry uses the same id, so that the
   * platform stores the photo once. A refused photo sets its report aside.
   */
  async #sendPhoto({ report, photo }: Extract<Work, { send: 'photo' }>): Promise<void> {
    const { queue, api } = this.#options;
    const content = await queue.photo(photo.id);
    if (content === undefined) throw new ApiFailure(PHOTO_LOST, { detail: 'The photo is no longer on this device' });
    const { photo_id } = await api.uploadPhoto(content, photo.id);
    await queue.photoUploaded(report, photo.id, photo_id);
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
