import type { QueueStore, StoredPhoto } from '../queue/queue-store.ts';
import type { NewReport, QueuedReport } from '../queue/queued-report.ts';

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
