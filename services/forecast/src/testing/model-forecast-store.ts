import type { EncodedMessage } from '@parcelway/contracts/encode-event';
import type { ForecastRecord, ReceivedItem } from '../store/domain/forecast.ts';
import { type ForecastWrite, type KnownForecast, keyText, type StoredForecast } from '../store/domain/known-forecast.ts';
import { type ListFilters, matches } from '../store/domain/list-filters.ts';
import { orderOf } from '../store/domain/list-plan.ts';
import { compareTexts } from '../store/domain/po-prefix.ts';
import type { ForecastChanges, NewForecast, WantedForecast, WriteOutcome } from '../store/ports.ts';

/** A forecast as the model keeps it. */
interface ModelForecast extends StoredForecast {
  readonly version: number;
  readonly applied: ReadonlySet<string>;
  readonly terms: readonly string[];
  readonly receivedItems: readonly ReceivedItem[];
  /** 0 while it has the po_number, then the order in which the forecasts released it. */
  readonly releasedAs: number;
}

/** Forecasts in maps, the simplest store there is: what the others are compared with. It has no numbers that are claimed. */
export class ModelForecastStore implements ForecastChanges {
  readonly #forecasts = new Map<string, ModelForecast>();
  #released = 0;
  readonly messages: EncodedMessage[] = [];

  insert({ content, claims: _, terms, ...forecast }: NewForecast, forecastId: number, shownId: number): void {
    const record = { ...forecast, forecastId, shownId, contentVersion: 1 };
    const nothing = { corrections: [], applied: new Set<string>(), receivedItems: [] };
    this.#forecasts.set(keyText(record), { record, content, terms, ...nothing, version: 1, releasedAs: 0 });
  }

  async read(wanted: readonly WantedForecast[]): Promise<readonly KnownForecast[]> {
    return wanted.flatMap((one) => {
      const found = this.#forecasts.get(keyText(one));
      if (found === undefined) return [];
      const { record, version, content, corrections } = found;
      const applied = new Set(one.eventIds.filter((eventId) => found.applied.has(eventId)));
      return [
        { key: one.key, record, version, isShown: this.#isShown(found), applied, submission: { content, corrections }, pendingBytes: 0 },
      ];
    });
  }

  async apply(writes: readonly ForecastWrite<EncodedMessage>[]): Promise<readonly WriteOutcome[]> {
    return writes.map((write) => this.#write(write));
  }

  /** Everything about one forecast. */
  stored(tenantId: string, forecastNo: string): ModelForecast | undefined {
    return this.#forecasts.get(keyText({ tenantId, forecastNo }));
  }

  /** The forecasts of a tenant that meet filters, in the order of the list. */
  listed(tenantId: string, filters: ListFilters): string[] {
    const order = orderOf(filters);
    const isEarlier = (a: ForecastRecord, b: ForecastRecord): number => {
      if (order === 'po_number' && a.poNumber !== b.poNumber) return compareTexts(a.poNumber, b.poNumber);
      const at = order === 'changed' ? b.updatedAt - a.updatedAt : b.createdAt - a.createdAt;
      return at || b.forecastId - a.forecastId;
    };
    return [...this.#forecasts.values()]
      .filter(({ record, terms }) => record.tenantId === tenantId && matches(filters, { ...record, terms }))
      .map(({ record }) => record)
      .sort(isEarlier)
      .map(({ forecastNo }) => forecastNo);
  }

  #isShown({ record, releasedAs }: ModelForecast): boolean {
    if (releasedAs === 0) return true;
    const same = [...this.#forecasts.values()].filter((other) => other.record.poNumber === record.poNumber);
    return same.every((other) => other.releasedAs !== 0 && other.releasedAs <= releasedAs);
  }

  #write({
    known,
    updatedAt,
    state,
    content,
    terms,
    receivedItems,
    releases,
    applied,
    messages,
  }: ForecastWrite<EncodedMessage>): WriteOutcome {
    const key = keyText(known.record);
    const before = this.#forecasts.get(key);
    if (before?.version !== known.version) return { kind: 'lost' };
    if (releases.poNumber) this.#released += 1;
    const { content: text, corrections, claims: _, ...fields } = content ?? { ...before, claims: null };
    const changed = content ? { content: text, corrections } : {};
    this.#forecasts.set(key, {
      ...before,
      ...changed,
      record: { ...before.record, ...(content && fields), ...state, updatedAt },
      version: before.version + 1,
      terms: [...before.terms.filter((term) => !terms?.removed.includes(term)), ...(terms?.added ?? [])],
      applied: new Set([...before.applied, ...applied.map(({ eventId }) => eventId)]),
      receivedItems: receivedItems ?? before.receivedItems,
      releasedAs: releases.poNumber ? this.#released : before.releasedAs,
    });
    this.messages.push(...messages);
    return { kind: 'written' };
  }
}
