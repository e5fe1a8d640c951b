import type { IntakeResult, WarehouseEvent } from '@parcelway/contracts/warehouse-api';
import type { ApiFailure } from '@parcelway/page/api/failure';
import type { ReportDraft } from '../domain/report.ts';

/** Added to a report once, so that repeated sending counts once. */
interface Stamp {
  readonly event_id: string;
  /** ISO 8601, when it happened at the bench. */
  readonly occurred_at: string;
  readonly warehouse_code: string;
}

/** A photo of a queued report; its content lies beside it in the store. */
export interface QueuedPhoto {
  readonly id: string;
  /** Bytes. */
  readonly size: number;
  readonly photoId?: string;
}

export interface Fault {
  readonly code: string;
  readonly message: string;
  readonly errors: ReadonlyArray<{ readonly field: string; readonly message: string }>;
}

export interface QueuedReport {
  /** Rises with each report; the order in which they are sent. */
  readonly seq: number;
  /** Whose queue it is in: environment and warehouse. */
  readonly scope: string;
  readonly stamp: Stamp;
  readonly draft: ReportDraft;
  readonly photos: readonly QueuedPhoto[];
  readonly title: string;
  /** Set when the platform refused it: it waits for somebody to fix or drop it. */
  readonly fault?: Fault;
}

export type NewReport = Omit<QueuedReport, 'seq'>;

export function eventOf({ stamp, draft, photos }: QueuedReport): WarehouseEvent {
  const ids = photos.flatMap(({ photoId }) => photoId ?? []);
  if (draft.type === 'photo') return { ...draft, ...stamp, photo_id: ids[0] ?? '' };
  if (ids.length === 0) return { ...draft, ...stamp };
  return { ...draft, ...stamp, photo_ids: ids } as WarehouseEvent;
}

export interface StoredPhoto {
  readonly id: string;
  readonly content: Blob;
}

/** Where the queue is kept, so that it outlives the page. Each method is one transaction, and throws DOMException when it fails. */
export interface QueueStore {
  list(scope: string): Promise<QueuedReport[]>;
  /** Adds reports with their photos, all or none. @throws DOMException QuotaExceededError when the device has no room */
  add(reports: readonly NewReport[], photos: readonly StoredPhoto[]): Promise<void>;
  /** Replaces a report, unless it was removed. Contents of photos that it no longer waits for are removed. */
  replace(report: QueuedReport): Promise<void>;
  remove(reports: readonly QueuedReport[]): Promise<void>;
  /** Content of a photo; undefined when it was removed. */
  photo(id: string): Promise<Blob | undefined>;
}

/** Most reports that a device holds, and most bytes of their photos. */
export const MAX_REPORTS = 1000;
export const MAX_PHOTO_BYTES = 200 * 1024 * 1024;
const NEARLY = 0.8;

export interface Load {
  readonly waiting: number;
  readonly refused: number;
  /** Photos that have not been sent, and their bytes. */
  readonly photos: number;
  readonly bytes: number;
  readonly level: 'room' | 'nearly-full' | 'full';
}

export function loadOf(reports: readonly QueuedReport[]): Load {
  const photos = reports.flatMap((report) => report.photos).filter(({ photoId }) => photoId === undefined);
  const bytes = photos.reduce((sum, { size }) => sum + size, 0);
  const refused = reports.filter(({ fault }) => fault !== undefined).length;
  const part = Math.max(reports.length / MAX_REPORTS, bytes / MAX_PHOTO_BYTES);
  const level = part >= 1 ? 'full' : part >= NEARLY ? 'nearly-full' : 'room';
  return { waiting: reports.length - refused, refused, photos: photos.length, bytes, level };
}

/** Most events of one call. */
export const MAX_BATCH = 50;

/** What is to be sent next: a photo, or events. */
export type Work =
  | { readonly send: 'photo'; readonly report: QueuedReport; readonly photo: QueuedPhoto }
  | { readonly send: 'events'; readonly reports: readonly QueuedReport[] };

/** The next request, in the order of the bench; the photos of a report go first. Refused reports do not block the others. */
export function nextWork(reports: readonly QueuedReport[], most = MAX_BATCH): Work | undefined {
  const waiting = reports.filter(({ fault }) => fault === undefined);
  const openPhoto = (report: QueuedReport): QueuedPhoto | undefined => report.photos.find(({ photoId }) => photoId === undefined);
  const [first] = waiting;
  if (first === undefined) return undefined;
  const photo = openPhoto(first);
  if (photo !== undefined) return { send: 'photo', report: first, photo };
  const blocked = waiting.findIndex((report) => openPhoto(report) !== undefined);
  return { send: 'events', reports: waiting.slice(0, blocked === -1 ? most : Math.min(most, blocked)) };
}

export interface ReportWarning {
  readonly report: QueuedReport;
  readonly rule: string;
  readonly message: string;
}

interface ReportOutcome {
  readonly accepted: readonly QueuedReport[];
  readonly refused: ReadonlyArray<{ readonly report: QueuedReport; readonly fault: Fault }>;
  readonly warnings: readonly ReportWarning[];
}

/** The outcome of each report of a call: a report is accepted unless the result rejects its position. */
export function outcomeOf(reports: readonly QueuedReport[], result: IntakeResult): ReportOutcome {
  const faults = new Map(result.rejected.map(({ index, code, message, errors }) => [index, { code, message, errors }]));
  return {
    accepted: reports.filter((_report, index) => !faults.has(index)),
    refused: reports.flatMap((report, index) => {
      const fault = faults.get(index);
      return fault === undefined ? [] : [{ report, fault }];
    }),
    warnings: result.warnings.flatMap(({ index, rule, message }) => {
      const report = index === undefined ? undefined : reports[index];
      return report === undefined ? [] : [{ report, rule: rule ?? '', message }];
    }),
  };
}

export const faultOf = ({ code, detail, faults }: ApiFailure): Fault => ({ code, message: detail, errors: faults });

export interface AddedReport {
  readonly title: string;
  readonly draft: ReportDraft;
  readonly photos: readonly StoredPhoto[];
}

export interface ReportQueueOptions {
  readonly store: QueueStore;
  /** Environment and code of the warehouse: only its keys send these reports. */
  readonly environment: string;
  readonly warehouseCode: string;
  readonly newId: () => string;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

export class QueueFull extends Error {
  constructor() {
    super('The queue of reports on this device is full');
    this.name = 'QueueFull';
  }
}

export class ReportQueue {
  readonly #options: ReportQueueOptions;
  readonly scope: string;
  readonly #listeners = new Set<() => void>();
  #reports: readonly QueuedReport[] = [];

  private constructor(options: ReportQueueOptions) {
    this.#options = options;
    this.scope = `${options.environment}:${options.warehouseCode}`;
  }

  static async open(options: ReportQueueOptions): Promise<ReportQueue> {
    const queue = new ReportQueue(options);
    await queue.refresh();
    return queue;
  }

  /** Of the lock and the channel that tabs with the same queue share: each environment and warehouse has its own. */
  get name(): string {
    return `parcelway-station-queue:${this.scope}`;
  }

  /** What waits, by number; another array after each change. */
  get reports(): readonly QueuedReport[] {
    return this.#reports;
  }

  /** Calls `listener` after each change. @returns what ends it */
  follow(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async refresh(): Promise<void> {
    this.#reports = await this.#options.store.list(this.scope);
    for (const listener of this.#listeners) listener();
  }

  /**
   * Keeps reports, all or none, and gives each its id and time.
   * @returns their event_ids
   * @throws QueueFull when there are too many; DOMException when the device has no room
   */
  async add(...added: readonly AddedReport[]): Promise<string[]> {
    if (loadOf(this.#reports).level === 'full') throw new QueueFull();
    const { store, newId, now, warehouseCode } = this.#options;
    const reports = added.map(
      ({ title, draft, photos }): NewReport => ({
        scope: this.scope,
        stamp: { event_id: newId(), occurred_at: new Date(now()).toISOString(), warehouse_code: warehouseCode },
        draft,
        photos: photos.map(({ id, content }) => ({ id, size: content.size })),
        title,
      }),
    );
    await store.add(
      reports,
      added.flatMap(({ photos }) => photos),
    );
    await this.refresh();
    return reports.map(({ stamp }) => stamp.event_id);
  }

  /** Content of a photo; undefined when it was removed. */
  photo(id: string): Promise<Blob | undefined> {
    return this.#options.store.photo(id);
  }

  photoUploaded(report: QueuedReport, id: string, photoId: string): Promise<void> {
    return this.#replace({ ...report, photos: report.photos.map((photo) => (photo.id === id ? { ...photo, photoId } : photo)) });
  }

  async settle(accepted: readonly QueuedReport[], refused: ReadonlyArray<{ report: QueuedReport; fault: Fault }> = []): Promise<void> {
    for (const { report, fault } of refused) await this.#options.store.replace({ ...report, fault });
    await this.#options.store.remove(accepted);
    await this.refresh();
  }

  /** Queues a refused report again, with other content under the same id: the platform has not stored the first one. */
  fix({ fault: _former, ...report }: QueuedReport, draft: ReportDraft, withPhotos = true): Promise<void> {
    // A photo that the platform does not know any more is sent again, if its content is still here.
    const photos = withPhotos ? report.photos : [];
    return this.#replace({ ...report, draft, photos });
  }

  async drop(report: QueuedReport): Promise<void> {
    await this.settle([report]);
  }

  async #replace(report: QueuedReport): Promise<void> {
    await this.#options.store.replace(report);
    await this.refresh();
  }
}
