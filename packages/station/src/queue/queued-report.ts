import type { WarehouseEvent } from '@parcelway/contracts/warehouse-api';
import type { ReportDraft } from '../domain/report.ts';

/** What the queue adds to a report: made once, so that however often it is sent it counts once. */
export interface Stamp {
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
  /** Set once it is uploaded. */
  readonly photoId?: string;
}

/** Why a report was refused. */
export interface Fault {
  /** Code of the API. */
  readonly code: string;
  readonly message: string;
  readonly errors: ReadonlyArray<{ readonly field: string; readonly message: string }>;
}

/** A report that waits on this device. */
export interface QueuedReport {
  /** Rises with each report; the order in which they are sent. */
  readonly seq: number;
  /** Whose queue it is in: environment and warehouse. */
  readonly scope: string;
  readonly stamp: Stamp;
  readonly draft: ReportDraft;
  readonly photos: readonly QueuedPhoto[];
  /** What the parcel is called at the bench. */
  readonly title: string;
  /** Set when the platform refused it: it waits for somebody to fix or drop it. */
  readonly fault?: Fault;
}

/** A report without the number that the store gives it. */
export type NewReport = Omit<QueuedReport, 'seq'>;

/** The event of a report, once all of its photos are uploaded. */
export function eventOf({ stamp, draft, photos }: QueuedReport): WarehouseEvent {
  const ids = photos.flatMap(({ photoId }) => photoId ?? []);
  if (draft.type === 'photo') return { ...draft, ...stamp, photo_id: ids[0] ?? '' };
  if (ids.length === 0) return { ...draft, ...stamp };
  return { ...draft, ...stamp, photo_ids: ids } as WarehouseEvent;
}
