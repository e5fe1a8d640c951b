import type { OutboxMessage, OutboxSource } from '@parcelway/platform/outbox';
import { changeMessage } from '../domain/change-message.ts';
import { hasItems } from '../domain/forecast-copy.ts';
import type { ViewChanges } from '../ports.ts';
import { type ReadForecastOptions, withReports } from '../read-view.ts';
import { warehouseForecastDetail } from './view-representations.ts';

/** What the messages are made of. */
export interface ChangeMessagesOptions {
  readonly changes: ViewChanges & { readonly outbox: OutboxSource };
  readonly reports: ReadForecastOptions['reports'];
  /** Whether warehouses see `forecast_price`. */
  readonly seesPrices: boolean;
  /** True of a tenant that was erased: nothing of it is published any more. Default never. */
  readonly isErased?: (tenantId: string) => boolean;
  /** Called when a batch was cut short because its messages are large. */
  readonly more: () => void;
  /** Milliseconds of a monotonic clock; default performance.now. */
  readonly now?: () => number;
}

/** Changes whose forecasts are read at once: few at first, because items may be megabytes, and twice as many after a read of few items. */
const READ_AT_ONCE = { first: 10, most: 40 } as const;
/** Items of a forecast, in the mean, of a read after which more are read at once. */
const FEW_ITEMS = 10;
/** A batch ends behind the message with which it reaches this: it has to be published within a few seconds. */
const MAX_BATCH_BYTES = 4_194_304;
/** A lease holds for at least 7.5 s behind `lease`. What takes longer than this may have been overtaken by another process. */
export const FRESH_MS = 7000;

/**
 * The messages of the topic `warehouse.expected.v1`. The outbox names forecasts and changes; a message is made when it is leased, of the
 * forecast as it is then, so a repeated message never shows an older state than the one before.
 *
 * Another process takes entries over when this one is too slow. It may then publish a newer state before this one publishes what it
 * has read, so whatever was published late is published again.
 */
export class ChangeMessages implements OutboxSource {
  readonly #options: Required<ChangeMessagesOptions>;
  /** What was leased last, by id. */
  #leased: ReadonlyMap<string, OutboxMessage> = new Map();
  #leasedAt = 0;

  constructor(options: ChangeMessagesOptions) {
    this.#options = { now: () => performance.now(), isErased: () => false, ...options };
  }

  /** The messages of the oldest changes; of large ones fewer than `limit`. @throws AppError 50301 */
  async lease(limit: number): Promise<readonly OutboxMessage[]> {
    const { changes, more, now } = this.#options;
    this.#leasedAt = now();
    const entries = await changes.outbox.lease(limit);
    this.#leased = new Map(entries.map((entry) => [entry.id, entry]));
    const messages: OutboxMessage[] = [];
    let bytes = 0;
    let atOnce: number = READ_AT_ONCE.first;
    for (let from = 0, to = 0; from < entries.length; from = to) {
      to = from + atOnce;
      const { made, itemCount } = await this.#make(entries.slice(from, to));
      for (const message of made) {
        messages.push(message);
        bytes += Buffer.byteLength(message.value);
        if (bytes < MAX_BATCH_BYTES) continue;
        more();
        return messages;
      }
      atOnce = itemCount <= atOnce * FEW_ITEMS ? Math.min(READ_AT_ONCE.most, 2 * atOnce) : READ_AT_ONCE.first;
    }
    return messages;
  }

  /** Forgets what was published, and notes it once more if that took long. @throws AppError 50301 */
  async remove(ids: readonly string[]): Promise<void> {
    const { changes, now } = this.#options;
    if (now() - this.#leasedAt > FRESH_MS) {
      // Of each forecast its last change: all of them have been published.
      const late = new Map(ids.flatMap((id) => this.#leased.get(id) ?? []).map((entry) => [entry.key, entry]));
      await changes.repeat([...late.values()]);
    }
    await changes.outbox.remove(ids);
  }

  async flush(): Promise<void> {
    await this.#options.changes.outbox.flush?.();
  }

  depth(): ReturnType<OutboxSource['depth']> {
    return this.#options.changes.outbox.depth();
  }

  /** The messages of entries, in their order, and how many items were read. A forecast that is gone has no message: its entries have gone with it. */
  async #make(entries: readonly OutboxMessage[]): Promise<{ readonly made: readonly OutboxMessage[]; readonly itemCount: number }> {
    const { changes, reports, seesPrices, isErased } = this.#options;
    const found = await changes.current([...new Set(entries.map(({ key }) => key))]);
    const seen = found.filter(({ forecast }) => !isErased(forecast.tenantId));
    const whole = await withReports(reports, seen);
    const byNumber = new Map(whole.map((one) => [one.forecast.forecastNo, one]));
    const made = entries.flatMap((entry) => {
      const found = byNumber.get(entry.key);
      if (found === undefined) return [];
      const value = changeMessage(entry.value, warehouseForecastDetail(found, seesPrices), hasItems(found.forecast));
      return { ...entry, value };
    });
    return { made, itemCount: found.reduce((sum, { items }) => sum + items.length, 0) };
  }
}
