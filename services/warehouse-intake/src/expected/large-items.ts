import { setTimeout as sleep } from 'node:timers/promises';
import type { SsccOf } from '@parcelway/contracts/sscc';
import { type AppError, toAppError } from '@parcelway/kernel/app-error';
import { type BackOff, backOffMs } from '@parcelway/kernel/back-off';
import { consumerActionOf } from '@parcelway/kernel/error-codes';
import { failpointAsync } from '@parcelway/kernel/failpoint';
import type { Logger } from '@parcelway/kernel/logger';
import type { Directory } from './directory-store.ts';
import { type ContentEvent, type DecideView, decideItems } from './domain/decide-view.ts';
import type { ViewItem } from './domain/forecast-copy.ts';

/** Items of a forecast that are too large for its event. */
export interface ItemSource {
  /**
   * The items of the current version.
   * @throws AppError 50301 when they cannot be read now, 40401 when the forecast is not there
   */
  itemsOf(
    tenantId: string,
    forecastNo: string,
    version: number,
  ): Promise<{ readonly version: number; readonly items: readonly ViewItem[] }>;
}

export interface LargeItemsOptions {
  readonly directory: Pick<Directory, 'change'>;
  readonly items: ItemSource;
  readonly ssccOf: SsccOf;
  readonly logger: Logger;
  /** Moves an event whose items cannot be read to the dead letters: redriven, it comes again. @throws AppError 50301 */
  readonly deadLetter: (event: ContentEvent, error: AppError) => Promise<void>;
  /** Pauses between two tries; default 0.5 s to 10 s. */
  readonly backOff?: BackOff;
}

const BACK_OFF: BackOff = { firstMs: 500, maxMs: 10_000 };

/** Tries that may fail with what may be a defect, as of any other message. A service that is out does not count. */
const MAX_TRIES = 5;

/** Changes what warehouses are shown of forecasts. @throws AppError 50301 when the store is out */
export async function changeView(directory: Pick<Directory, 'change'>, views: ReadonlyMap<string, DecideView>): Promise<void> {
  await directory.change(new Map([...views].map(([forecastNo, view]) => [forecastNo, { view }])));
}

/** Log fields of the forecast of an event. */
function namesOf({ tenantid, data }: ContentEvent): Readonly<Record<string, unknown>> {
  return { tenant_id: tenantid, forecast_no: data.forecast_no };
}

/**
 * Reads the items that are too large for their events, beside the consumer of these: other forecasts do not wait while the forecast service is out. The
 * position of the consumer waits instead ({@link settled}), so that a crash loses none.
 */
export class LargeItems {
  readonly #options: LargeItemsOptions;
  readonly #open = new Set<Promise<void>>();
  readonly #stopping = new AbortController();
  /** Ends with the read under way. One after the other, because items may have megabytes. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: LargeItemsOptions) {
    this.#options = options;
  }

  /** Reads the items of these forecasts in the background, until it has them or their event is a dead letter. */
  add(events: readonly ContentEvent[]): void {
    for (const event of events) {
      const reading = this.#readUntilDone(event);
      this.#open.add(reading);
      // What the stop has cut off stays: it is not settled.
      reading.then(
        () => this.#open.delete(reading),
        () => undefined,
      );
    }
  }

  /** Resolves when the items of all events so far are in the view, or their events among the dead letters. */
  async settled(): Promise<void> {
    await Promise.all(this.#open);
  }

  /** Tries no further. */
  stop(): void {
    this.#stopping.abort();
  }

  async #readUntilDone(event: ContentEvent): Promise<void> {
    const { logger, backOff = BACK_OFF } = this.#options;
    let defects = 0;
    for (let failures = 1; ; failures += 1) {
      try {
        const read = this.#turn.then(() => this.#read(event));
        this.#turn = read.catch(() => undefined);
        return await read;
      } catch (thrown) {
        this.#stopping.signal.throwIfAborted();
        const error = toAppError(thrown);
        if (consumerActionOf[error.code] === 'retry-then-dead-letter') defects += 1;
        if (await this.#isFinished(event, error, defects)) return;
        if (failures === 1)
          logger.warn({ err: error, ...namesOf(event) }, 'Large items could not be read for the warehouse view; it will be retried');
      }
      await sleep(backOffMs(backOff, failures, Math.random()), undefined, { signal: this.#stopping.signal });
    }
  }

  /** Decides by the code of a failure, as the bus does. @returns true when the event is finished all the same */
  async #isFinished(event: ContentEvent, error: AppError, defects: number): Promise<boolean> {
    const { logger, deadLetter } = this.#options;
    const fields = { err: error, ...namesOf(event) };
    const action = consumerActionOf[error.code];
    if (action === 'retry' || (action === 'retry-then-dead-letter' && defects < MAX_TRIES)) return false;
    if (error.code === '40401') {
      logger.error(fields, 'Large items cannot be read for the warehouse view; their forecast is not there any more');
      return true;
    }
    try {
      await deadLetter(event, error);
    } catch (failure) {
      logger.error({ ...namesOf(event), err: failure }, 'A dead letter could not be stored; the large items will be read again');
      return false;
    }
    logger.error(fields, 'Large items cannot be read for the warehouse view; their event was moved to the dead letters');
    return true;
  }

  async #read(event: ContentEvent): Promise<void> {
    const { directory, items, ssccOf } = this.#options;
    const { forecast_no: forecastNo, version } = event.data;
    await failpointAsync('intake.before-items');
    const found = { event, ...(await items.itemsOf(event.tenantid, forecastNo, version)) };
    await changeView(directory, new Map([[forecastNo, (before) => decideItems(found, before, ssccOf)]]));
  }
}
