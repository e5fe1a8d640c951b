import type { WaitingEvent } from '@parcelway/contracts/unclaimed-api';
import type { WarehouseForecast, WarehouseForecastDetail, WarehouseListedForecast } from '@parcelway/contracts/warehouse-view-api';
import type { Bench, Candidate, Effect, Subject } from '../domain/bench.ts';
import { type Action, emptyBench, step } from '../domain/flow.ts';

/** What a reading comes to: the forecast, no response, or nothing until the test says so. */
type Again = (subject: Subject) => WarehouseForecastDetail | 'offline' | 'later';

export class Work {
  bench: Bench = emptyBench;
  effects: Effect[] = [];
  /** What the platform shows of the parcel on the bench when it is read again; by default what is known. */
  readonly #again: Again;

  constructor(again: Again = ({ detail }) => detail ?? 'offline') {
    this.#again = again;
  }

  do(...actions: Array<Action | string>): this {
    for (const each of actions) {
      const taken = step(this.bench, typeof each === 'string' ? { type: 'line', text: each } : each);
      this.bench = taken.bench;
      this.effects.push(...taken.effects);
      for (const effect of taken.effects) if (effect.do === 'read') this.#read(effect);
    }
    return this;
  }

  #read({ forecastNo, why }: Extract<Effect, { do: 'read' }>): void {
    const { flow } = this.bench;
    const detail = flow.at === 'parcel' ? this.#again(flow.subject) : 'later';
    if (detail === 'later') return;
    this.do({ type: 'read-again', forecastNo, why, ...(detail === 'offline' ? {} : { detail }) });
  }

  /** No further report fits on the device. */
  full(): this {
    this.bench = { ...this.bench, full: true };
    return this;
  }

  printed(): string[] {
    return this.effects.flatMap((effect) => (effect.do === 'print' ? [effect.url] : []));
  }

  open(scan: string, candidate: Candidate, detail = detailWith(candidate.forecast)): this {
    return this.do(scan, found(scan, candidate), { type: 'opened', scan, candidate, detail });
  }

  get at(): string {
    return this.bench.flow.at;
  }

  get said(): string | undefined {
    return this.bench.notice?.key;
  }

  reports(): unknown[] {
    return this.effects.flatMap((effect) => {
      if (effect.do === 'report') return [effect.draft];
      return effect.do === 'save' ? effect.drafts.map(({ draft }) => draft) : [];
    });
  }
}

export const found = (scan: string, ...candidates: Candidate[]): Action => ({
  type: 'looked-up',
  scan,
  candidates,
  hasMore: false,
  offline: false,
});

export const listedWith = (changes: Partial<WarehouseListedForecast> = {}): WarehouseListedForecast => ({
  ...forecastWith(),
  moved: false,
  ...changes,
});

export function forecastWith(changes: Partial<WarehouseForecast> = {}): WarehouseForecast {
  return {
    forecast_no: 'FC001',
    tenant_id: 'tnt_1',
    po_number: 'PO-1',
    forecast_type: 2,
    warehouse_code: 'SZ01',
    status: 1,
    status_name: 'ACCEPTED',
    due_date: null,
    item_count: 1,
    carton_count: null,
    version: 1,
    tracking_numbers: ['SF123456'],
    on_hold: false,
    update_time: '2026-11-23T04:00:00.000+00:00',
    ...changes,
  };
}

export function detailWith(changes: Partial<WarehouseForecastDetail> = {}): WarehouseForecastDetail {
  return {
    ...forecastWith(),
    create_time: '2026-11-23T04:00:00.000+00:00',
    marketplace_label_version: 1,
    photos: [],
    received_items: null,
    carrier_code: null,
    tracking_number: null,
    dispatch_time: null,
    shipping_label: 'https://example.com/files/label.pdf',
    shipping_note: null,
    marketplace_label: 'https://example.com/files/product.pdf',
    packing_slip: null,
    items: [],
    measurements: [],
    holds: [],
    exceptions: [],
    ...changes,
  };
}

export const candidateOf = (forecast: WarehouseForecast, matched_by: Candidate['matched_by'] = 'tracking_number'): Candidate => ({
  forecast,
  matched_by,
  reason: 'because',
});

export const itemWith = (changes: Partial<WarehouseForecastDetail['items'][number]> = {}): WarehouseForecastDetail['items'][number] => ({
  sku_code: 'SKU-1',
  product_name_en: 'Mug',
  forecast_quantity: 1,
  ...changes,
});

export function waitingWith(changes: Partial<WaitingEvent> = {}): WaitingEvent {
  return {
    id: 'e1',
    type: 'arrival',
    express_no: 'SF123456',
    forecast_no: null,
    reason: 'no_forecast',
    candidates: [],
    occurred_at: '2026-11-23T04:00:00.000+00:00',
    received_at: '2026-11-23T04:00:00.000+00:00',
    ...changes,
  };
}
