import type { OutboxMessage, OutboxSource } from '@parcelway/platform/outbox';
import { changeMessage } from '../domain/decide-view.ts';
import { hasItems } from '../domain/forecast-copy.ts';
import { type AppliedReports, type WholeForecast, withReports } from '../read-view.ts';
import type { ViewChanges } from '../view-store.ts';
import { type ViewUrls, warehouseForecastDetail } from './view-representations.ts';

export interface ChangeMessagesOptions {
  readonly changes: ViewChanges & { readonly outbox: OutboxSource };
  readonly reports: AppliedReports;
  /** Whether warehouses see `forecast_price`. */
  readonly seesPrices: boolean;
  /** Default the URLs as they are. */
  readonly urls: ViewUrls;
  /** True of a tenant that was erased: nothing of it is published any more. Default never. */
  readonly isErased?: (tenantId: string) => boolean;
  /** Called when a batch was cut short because its messages are large. */
  readonly more: () => void;
  /** Milliseconds of a monotonic clock; default performance.now. */
  readonly now?: () => number;
}

/** Forecasts that are read at once. */
const READ_AT_ONCE = 100;
/** Bytes of the forecasts of a batch in the store, of which one alone may have more: items may be megabytes, and take twice as much once read. */
const MAX_BATCH_BYTES = 4_194_304;
/** A lease holds for at least 7.5 s behind `lease`. What takes longer than this may have been overtaken by another process. */
export const FRESH_MS = 7000;

/** The first entries whose forecasts may be read for one batch. */
function firstOf(entries: readonly OutboxMessage[], sizes: ReadonlyMap<string, number>): readonly OutboxMessage[] {
  const keys = new Set<string>();
  let bytes = 0;
  const end = entries.findIndex(({ key }) => {
    if (!keys.has(key)) bytes += sizes.get(key) ?? 0;
    return keys.add(key).size > 1 && bytes > MAX_BATCH_BYTES;
  });
  return end === -1 ? entries : entries.slice(0, end);
}

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
    if (entries.length === 0) return [];
    const some = firstOf(entries, await changes.sizes([...new Set(entries.map(({ key }) => key))]));
    const messages = await this.#make(some);
    if (some.length < entries.length) more();
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

  async settle(): Promise<void> {
    await this.#options.changes.outbox.settle?.();
  }

  async flush(): Promise<void> {
    await this.#options.changes.outbox.flush?.();
  }

  depth(): ReturnType<OutboxSource['depth']> {
    return this.#options.changes.outbox.depth();
  }

  /** The messages of entries, in their order. A forecast that is gone has none: its entries have gone with it. */
  async #make(entries: readonly OutboxMessage[]): Promise<readonly OutboxMessage[]> {
    const { changes, reports, seesPrices, urls, isErased } = this.#options;
    const keys = [...new Set(entries.map(({ key }) => key))];
    const byNumber = new Map<string, WholeForecast>();
    for (let first = 0; first < keys.length; first += READ_AT_ONCE) {
      const found = await changes.current(keys.slice(first, first + READ_AT_ONCE));
      const seen = found.filter(({ forecast }) => !isErased(forecast.tenantId));
      for (const one of await withReports(reports, seen)) byNumber.set(one.forecast.forecastNo, one);
    }
    return entries.flatMap((entry) => {
      const found = byNumber.get(entry.key);
      if (found === undefined) return [];
      const value = changeMessage(entry.value, warehouseForecastDetail(found, seesPrices, urls), hasItems(found.forecast));
      return { ...entry, value };
    });
  }
}
