import type { NewReport, QueuedReport } from './queued-report.ts';

/** A photo with its content. */
export interface StoredPhoto {
  readonly id: string;
  readonly content: Blob;
}

/** Where the queue is kept, so that it outlives the page. Each method is one transaction, and throws DOMException when it fails. */
export interface QueueStore {
  /** Reports of a scope by their number. */
  list(scope: string): Promise<QueuedReport[]>;
  /** Adds reports with their photos, all or none. @throws DOMException QuotaExceededError when the device has no room */
  add(reports: readonly NewReport[], photos: readonly StoredPhoto[]): Promise<void>;
  /** Replaces a report, unless it was removed. Contents of photos that it no longer waits for are removed. */
  replace(report: QueuedReport): Promise<void>;
  /** Removes reports with their photos. */
  remove(reports: readonly QueuedReport[]): Promise<void>;
  /** Content of a photo; undefined when it was removed. */
  photo(id: string): Promise<Blob | undefined>;
}
