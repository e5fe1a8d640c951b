import { setTimeout as sleep } from 'node:timers/promises';
import { toAppError } from '@parcelway/kernel/app-error';
import { backOffMs } from '@parcelway/kernel/back-off';
import { consumerActionOf } from '@parcelway/kernel/error-codes';
import { failpointAsync } from '@parcelway/kernel/failpoint';
import type { Logger } from '@parcelway/kernel/logger';
import { type ContentEvent, type DecideView, decideItems, decideView, eventsWithoutItems, type ReadItems } from './domain/decide-view.ts';
import type { ViewItem } from './domain/forecast-copy.ts';
import type { ViewEvent } from './domain/view-event.ts';
import type { ViewWriter } from './ports.ts';

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

/** What following the forecasts for the view needs. */
export interface FollowViewOptions {
  readonly view: ViewWriter;
  readonly large: Pick<LargeItems, 'add'>;
}

/** What reading large items needs. */
export interface LargeItemsOptions {
  readonly view: ViewWriter;
  readonly items: ItemSource;
  readonly logger: Logger;
}

const BACK_OFF = { firstMs: 500, maxMs: 10_000 };

/** An event about a forecast. */
interface ForecastEvent {
  readonly data: { readonly forecast_no: string };
}

async function changeView(view: ViewWriter, events: readonly ForecastEvent[], decide: DecideView): Promise<void> {
  await failpointAsync('intake.before-view');
  await view.change([...new Set(events.map(({ data }) => data.forecast_no))], decide);
  await failpointAsync('intake.after-view');
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

  /** Reads the items of these forecasts in the background, until it has them. */
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

  /** Resolves when the items of all events so far are in the view. */
  async settled(): Promise<void> {
    await Promise.all(this.#open);
  }

  /** Tries no further. */
  stop(): void {
    this.#stopping.abort();
  }

  async #readUntilDone(event: ContentEvent): Promise<void> {
    const { logger } = this.#options;
    const forecast = { tenant_id: event.tenantid, forecast_no: event.data.forecast_no };
    for (let failures = 1; ; failures += 1) {
      try {
        const read = this.#turn.then(() => this.#read(event));
        this.#turn = read.catch(() => undefined);
        return await read;
      } catch (thrown) {
        this.#stopping.signal.throwIfAborted();
        const error = toAppError(thrown);
        if (consumerActionOf[error.code] !== 'retry') {
          return logger.error(
            { err: error, ...forecast },
            'Large items cannot be read for the warehouse view; they appear after the next correction',
          );
        }
        if (failures === 1)
          logger.warn({ err: error, ...forecast }, 'Large items could not be read for the warehouse view; it will be retried');
      }
      await sleep(backOffMs(BACK_OFF, failures, Math.random()), undefined, { signal: this.#stopping.signal });
    }
  }

  async #read(event: ContentEvent): Promise<void> {
    const { view, items } = this.#options;
    await failpointAsync('intake.before-items');
    const found: ReadItems = { event, ...(await items.itemsOf(event.tenantid, event.data.forecast_no, event.data.version ?? 1)) };
    await changeView(view, [event], (known) => decideItems([found], known));
  }
}

/**
 * Shows the warehouses what happened to forecasts. Items that are too large for their event follow when the rest is stored, so that a warehouse sees the
 * forecast even while they cannot be read. Idempotent.
 * @param events in the order of the log
 * @throws AppError 50301 when the store is out
 */
export async function followView({ view, large }: FollowViewOptions, events: readonly ViewEvent[]): Promise<void> {
  if (events.length === 0) return;
  await changeView(view, events, (known) => decideView(events, known));
  large.add(eventsWithoutItems(events));
}
