import type { ReportDraft } from '../domain/report.ts';
import { type Fault, loadOf, type NewReport, type QueuedReport, type QueueStore, type StoredPhoto } from './queued-report.ts';

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
