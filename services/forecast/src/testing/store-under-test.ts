import { afterEach, beforeEach } from '@jest/globals';
import type { EncodedMessage } from '@parcelway/contracts/encode-event';
import { untilWritten } from '@parcelway/kernel/optimistic-write';
import type { Correction } from '../store/domain/correction.ts';
import { initialProgress, type Progress } from '../store/domain/forecast.ts';
import { releasesOf } from '../store/domain/held-numbers.ts';
import type { ContentChange, ForecastWrite, KnownForecast } from '../store/domain/known-forecast.ts';
import type { ForecastStore, InsertOutcome, NewForecast, WriteOutcome } from '../store/ports.ts';
import { summary } from './samples.ts';

/** What the stores under test show of an id: far from what they count. */
export const shownIdOf = (forecastId: number): number => 1_000_000 + forecastId;

/** A store under test, empty at first. */
export interface OpenStore {
  readonly store: ForecastStore;
  /** Values of the messages in the outbox, in the order of their writes. */
  outbox(): Promise<string[]>;
  close(): Promise<void>;
}

export type OpenForTest = () => Promise<OpenStore>;

/** The store of the current test, for suites that call {@link useStore}. */
export let open: OpenStore;
export let store: ForecastStore;

/** Opens a store for each test. */
export function useStore(openStore: OpenForTest): void {
  beforeEach(async () => {
    open = await openStore();
    store = open.store;
  });
  afterEach(() => open.close());
}

/** A message that no decoder reads. */
export const message = (value: string): EncodedMessage => ({ topic: 't', key: 'k', value });

/** A forecast to insert; `no` is its forecast_no. */
export type ForecastOver = Partial<NewForecast> & { readonly no: string };

/** A forecast of type 2 of the tenant `tnt_a`, unless stated otherwise. */
export function forecast({ no, ...over }: ForecastOver): NewForecast {
  return {
    tenantId: 'tnt_a',
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
    content: JSON.stringify({ no, items: (over.claims ?? []).map((tracking_number) => ({ tracking_number })) }),
    claims: [],
    terms: [],
    ...over,
  };
}

export interface ChangeOver
  extends Partial<Pick<ForecastWrite<EncodedMessage>, 'updatedAt' | 'terms' | 'receivedItems' | 'scanned' | 'messages'>> {
  readonly status?: KnownForecast['record']['status'];
  /** In place of the progress, which stays by default. */
  readonly progress?: Progress | ((progress: Progress) => Progress);
}

export type ChangeOutcome = WriteOutcome['kind'] | 'repeated' | 'unknown';

const TENANT = 'tnt_a';

export function changeOf(known: KnownForecast, over: ChangeOver = {}, eventId: string | null = null): ForecastWrite<EncodedMessage> {
  const { status = 2, progress = known.record.progress, terms, receivedItems, scanned } = over;
  return {
    known,
    updatedAt: over.updatedAt ?? 2000,
    state: { status, progress: typeof progress === 'function' ? progress(known.record.progress) : progress },
    ...(receivedItems && { receivedItems }),
    ...(terms && { terms }),
    ...(scanned && { scanned }),
    releases: releasesOf(known.record, status),
    applied: eventId === null ? [] : [{ eventId, type: 'test' }],
    messages: over.messages ?? [],
  };
}

export const correctionEntry = (version: number): Correction => ({
  version,
  at: 2000,
  keyId: 'key_1',
  changes: [{ field: 'due_date', from: null, to: '2026-12-24' }],
  hasMoreChanges: false,
  request: null,
});

export function correctionOf(
  known: KnownForecast,
  { messages = [], terms, ...over }: Partial<ContentChange> & Partial<Pick<ForecastWrite<EncodedMessage>, 'messages' | 'terms'>> = {},
): ForecastWrite<EncodedMessage> {
  const contentVersion = known.record.contentVersion + 1;
  const content = {
    content: JSON.stringify({ contentVersion, items: (over.claims ?? []).map((tracking_number) => ({ tracking_number })) }),
    contentHash: `hash ${contentVersion}`,
    contentVersion,
    corrections: [...(known.submission?.corrections ?? []), correctionEntry(contentVersion)],
    warehouseCode: 'WH2',
    dueDate: '2026-12-24',
    itemCount: 3,
    claims: null,
    ...over,
  };
  return { known, updatedAt: 2000, content, ...(terms && { terms }), releases: { poNumber: false, claims: false }, applied: [], messages };
}

export async function known(store: ForecastStore, no: string, eventIds: readonly string[] = [], tenantId = TENANT): Promise<KnownForecast> {
  const [one] = await store.read([{ key: no, tenantId, forecastNo: no, eventIds, withContent: true }]);
  if (one === undefined) throw new Error(`There is no forecast ${no}`);
  return one;
}

export function actionsOn(store: () => ForecastStore) {
  const write = (
    tenantId: string,
    forecastNo: string,
    eventIds: readonly string[],
    writeOf: (state: KnownForecast) => ForecastWrite<EncodedMessage>,
  ): Promise<WriteOutcome | { readonly kind: 'repeated' | 'unknown' }> =>
    untilWritten(async () => {
      const [state] = await store().read([{ key: forecastNo, tenantId, forecastNo, eventIds, withContent: true }]);
      if (state === undefined) return { kind: 'unknown' };
      if (state.applied.size > 0) return { kind: 'repeated' };
      const [outcome] = await store().apply([writeOf(state)]);
      return outcome?.kind === 'lost' ? undefined : outcome;
    });
  return {
    insert: (over: ForecastOver, messages: readonly string[] = []): Promise<InsertOutcome> =>
      store().insert(forecast(over), () => messages.map(message)),
    /** Reads, and writes until nobody else was quicker. */
    change: async (no: string, over: ChangeOver = {}, eventId: string | null = null, tenantId = TENANT): Promise<ChangeOutcome> =>
      (await write(tenantId, no, eventId === null ? [] : [eventId], (state) => changeOf(state, over, eventId))).kind,
    /** As `change`, of the content. */
    correct: (no: string, over: Parameters<typeof correctionOf>[1] = {}, tenantId = TENANT) =>
      write(tenantId, no, [], (state) => correctionOf(state, over)),
  };
}
