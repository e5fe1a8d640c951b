import { afterEach, beforeEach, jest } from '@jest/globals';
import type { IntakeResult, WarehouseEvent } from '@parcelway/contracts/warehouse-api';
import { ApiFailure } from '@parcelway/page/api/failure';
import type { SenderCalls } from '../api/warehouse.ts';
import { sleep } from '../devices/sleep.ts';
import {
  type NewReport,
  type QueuedReport,
  type QueueStore,
  ReportQueue,
  type ReportWarning,
  type StoredPhoto,
} from '../queue/queued-report.ts';
import { Sender } from '../queue/sender.ts';

/** A store that a test can look into; like the store of the browser it returns copies. */
export class MemoryStore implements QueueStore {
  readonly reports = new Map<number, QueuedReport>();
  readonly photos = new Map<string, Blob>();
  #seq = 0;

  async list(scope: string): Promise<QueuedReport[]> {
    return structuredClone([...this.reports.values()].filter((report) => report.scope === scope));
  }

  async add(reports: readonly NewReport[], photos: readonly StoredPhoto[]): Promise<void> {
    for (const { id, content } of photos) this.photos.set(id, content);
    for (const report of reports) {
      this.#seq += 1;
      this.reports.set(this.#seq, { ...structuredClone(report), seq: this.#seq });
    }
  }

  async replace(report: QueuedReport): Promise<void> {
    const former = this.reports.get(report.seq);
    if (former === undefined) return;
    this.reports.set(report.seq, structuredClone(report));
    const needed = new Set(report.photos.flatMap(({ id, photoId }) => (photoId === undefined ? [id] : [])));
    for (const { id } of former.photos) if (!needed.has(id)) this.photos.delete(id);
  }

  async remove(reports: readonly QueuedReport[]): Promise<void> {
    for (const report of reports) {
      this.reports.delete(report.seq);
      for (const { id } of report.photos) this.photos.delete(id);
    }
  }

  async photo(id: string): Promise<Blob | undefined> {
    return this.photos.get(id);
  }
}

/** A platform as the sender sees it: stores each event_id once, and fails as a test says. */
class ScriptedPlatform implements SenderCalls {
  readonly stored: WarehouseEvent[] = [];
  readonly photos = new Map<string, string>();
  /** Milliseconds of the clock at which calls came. */
  readonly calls: number[] = [];
  failure: ApiFailure | undefined;
  losesResponses = false;
  rejects: (event: WarehouseEvent) => string | undefined = () => undefined;

  async uploadPhoto(_content: Blob, id: string) {
    this.#arrive();
    const photo_id = this.photos.get(id) ?? `ph_${this.photos.size + 1}`;
    this.photos.set(id, photo_id);
    this.#leave();
    return { photo_id };
  }

  async report(events: readonly WarehouseEvent[]): Promise<IntakeResult> {
    this.#arrive();
    const rejected: IntakeResult['rejected'] = [];
    events.forEach((event, index) => {
      const message = this.rejects(event);
      if (message !== undefined) rejected.push({ index, event_id: event.event_id, code: '42201', message, errors: [] });
      else if (!this.stored.some(({ event_id }) => event_id === event.event_id)) this.stored.push(event);
    });
    this.#leave();
    const warnings = events.flatMap((event, index) =>
      event.express_no === undefined
        ? []
        : [{ index, event_id: event.event_id, field: 'express_no', rule: 'no_forecast' as const, message: 'none' }],
    );
    return { accepted: 0, duplicates: 0, waiting: 0, rejected, warnings };
  }

  #arrive(): void {
    this.calls.push(Date.now());
    if (this.failure !== undefined) throw this.failure;
  }

  #leave(): void {
    if (this.losesResponses) throw new ApiFailure('offline');
  }
}

export function reportWith(seq: number, changes: Partial<QueuedReport> = {}): QueuedReport {
  const stamp = { event_id: `e${seq}`, occurred_at: '2026-11-23T04:00:00.000Z', warehouse_code: 'SZ01' };
  return { seq, scope: 'sandbox:SZ01', stamp, draft: { type: 'arrival', forecast_no: 'FC1' }, photos: [], title: 'PO-1', ...changes };
}

export const weighing = (forecast_no: string) =>
  ({ type: 'weighing', forecast_no, weight_kg: 1, length_cm: 1, width_cm: 1, height_cm: 1 }) as const;

export const pass = (ms: number): Promise<void> => jest.advanceTimersByTimeAsync(ms);

/** What a test of the sender has. */
class Sending {
  store = new MemoryStore();
  platform = new ScriptedPlatform();
  queue = undefined as unknown as ReportQueue;
  stopped: ApiFailure | undefined = undefined;
  warnings: ReportWarning[] = [];
  /** Reports about the store of the device, in order: whether it works. */
  storeWorks: boolean[] = [];
  gone = new AbortController();
  ids = 0;

  openQueue(warehouseCode = 'SZ01'): Promise<ReportQueue> {
    const newId = (): string => `e${++this.ids}`;
    return ReportQueue.open({ store: this.store, environment: 'sandbox', warehouseCode, newId, now: Date.now });
  }

  run(queue = this.queue): Sender {
    const sender = new Sender({
      ...{ queue, api: this.platform, sleep, random: () => 0.5 },
      onStopped: (failure) => {
        this.stopped = failure;
      },
      onWarnings: (more) => this.warnings.push(...more),
      onStore: (works) => this.storeWorks.push(works),
    });
    void sender.run(this.gone.signal);
    return sender;
  }

  weighed(title: string, ...photos: string[]): Promise<string[]> {
    return this.queue.add({ title, draft: weighing(title), photos: photos.map((id) => ({ id, content: new Blob([id]) })) });
  }
}

/** Gives each test of the file a sender of its own, at 2026-11-23T04:00:00Z. */
export function useSender(): Sending {
  const sending = new Sending();
  beforeEach(async () => {
    jest.useFakeTimers({ now: Date.parse('2026-11-23T04:00:00Z') });
    Object.assign(sending, new Sending());
    sending.queue = await sending.openQueue();
  });
  afterEach(() => {
    sending.gone.abort();
    jest.useRealTimers();
  });
  return sending;
}
