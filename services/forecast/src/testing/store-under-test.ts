import { afterEach, beforeEach } from '@jest/globals';
import type { EncodedMessage } from '@parcelway/contracts/encode-event';
import { untilWritten } from '@parcelway/kernel/optimistic-write';
import { openSqliteStore } from '@parcelway/platform/open-store';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import { CommittedMessages } from '@parcelway/sqlite/testing/committed-messages';
import { forecastCollections } from '../collections.ts';
import type { CanonicalForecast } from '../store/domain/canonical.ts';
import { initialProgress, type Progress } from '../store/domain/forecast.ts';
import type { ForecastWrite, KnownForecast } from '../store/domain/known-forecast.ts';
import { createForecastStore, type ForecastStore } from '../store/forecast-store.ts';
import type { InsertOutcome, NewForecast, WriteOutcome } from '../store/ports.ts';
import { summary } from './samples.ts';

/** The stores of the service in a file of their own, empty at first. */
export function openStores() {
  const db = new SqliteDatabase(':memory:');
  const log = new CommittedMessages(db);
  const { store: documents, check, tenantData } = openSqliteStore(db, forecastCollections, log);
  return {
    db,
    documents,
    store: createForecastStore(documents, check),
    tenantData,
    log,
    /** Values of the messages, in the order of their writes. */
    outbox: async (): Promise<string[]> => (await log.lease(10_000)).map(({ value }) => value),
    close: async () => db.close(),
  };
}

/** The store of the current test, for suites that call {@link useStore}. */
export let open: ReturnType<typeof openStores>;
export let store: ForecastStore;

/** Opens an empty store for each test. */
export function useStore(): void {
  beforeEach(() => {
    open = openStores();
    store = open.store;
  });
  afterEach(() => open.close());
}

/** A message that no decoder reads. */
export const message = (value: string): EncodedMessage => ({ topic: 't', key: 'k', value });

/** A forecast to insert; `no` is its forecast_no. */
export type ForecastOver = Partial<NewForecast> & { readonly no: string };

let ids = 0;

/** A content with an item for each number. */
const contentWith = (poNumber: string, numbers: readonly string[] = []): CanonicalForecast => ({
  po_number: poNumber,
  forecast_type: 2,
  warehouse_code: 'WH1',
  items: numbers.map((tracking_number) => ({ sku_code: 'S', product_name_en: 'Lamp', forecast_quantity: 1, tracking_number })),
});

/** A forecast of type 2 of the tenant `tnt_a`, unless stated otherwise. */
export function forecast({ no, ...over }: ForecastOver): NewForecast {
  ids += 1;
  return {
    tenantId: 'tnt_a',
    forecastId: ids,
    forecastNo: no,
    poNumber: `PO-${no}`,
    forecastType: 2,
    ...summary,
    itemCount: over.claims?.length ?? 1,
    status: 1,
    contentHash: `hash of ${no}`,
    createdAt: 1000,
    updatedAt: 1000,
    progress: initialProgress(1000),
    content: contentWith(over.poNumber ?? `PO-${no}`, over.claims),
    claims: [],
    terms: [],
    ...over,
  };
}

export interface ChangeOver extends Partial<Pick<ForecastWrite<EncodedMessage>, 'updatedAt' | 'terms' | 'scanned' | 'messages'>> {
  readonly status?: KnownForecast['record']['status'];
  /** In place of the progress, which stays by default. */
  readonly progress?: Progress | ((progress: Progress) => Progress);
}

export type ChangeOutcome = WriteOutcome['kind'] | 'repeated';

const TENANT = 'tnt_a';

export function changeOf(known: KnownForecast, over: ChangeOver = {}, eventId: string | null = null): ForecastWrite<EncodedMessage> {
  const { status = 2, progress = known.record.progress, terms, scanned } = over;
  return {
    known,
    updatedAt: over.updatedAt ?? 2000,
    state: { status, progress: typeof progress === 'function' ? progress(known.record.progress) : progress },
    ...(terms && { terms }),
    ...(scanned && { scanned }),
    applied: eventId === null ? [] : [{ eventId, type: 'test' }],
    messages: over.messages ?? [],
  };
}

export async function known(store: ForecastStore, no: string, tenantId = TENANT): Promise<KnownForecast> {
  const [one] = await store.read([{ tenantId, forecastNo: no, withMarks: true, withContent: true }]);
  if (one === undefined) throw new Error(`There is no forecast ${no}`);
  return one;
}

export function actionsOn(store: () => ForecastStore) {
  return {
    insert: (over: ForecastOver): Promise<InsertOutcome> => store().insert(forecast(over), []),
    /** Reads, and writes until nobody else was quicker. */
    change: (no: string, over: ChangeOver = {}, eventId: string | null = null, tenantId = TENANT): Promise<ChangeOutcome> =>
      untilWritten(async () => {
        const state = await known(store(), no, tenantId);
        if (eventId !== null && state.applied.has(eventId)) return 'repeated';
        const [outcome] = await store().apply([changeOf(state, over, eventId)]);
        return outcome?.kind === 'lost' ? undefined : outcome?.kind;
      }),
  };
}
