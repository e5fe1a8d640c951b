import type { ForecastStatus } from '@parcelway/contracts/forecast-status';
import type { ExceptionReason, ImageType } from '@parcelway/contracts/parcel-reports';
import type { ContentSummary, ForecastType } from './canonical.ts';
import type { HoldFact } from './holds.ts';

export interface StatusEntry {
  readonly status: ForecastStatus;
  /** When the platform recorded it; epoch milliseconds. */
  readonly at: number;
  /** What moved it: `submitted`, `cancelled`, or the type of the event. */
  readonly reason: string;
  /** Of the API key that asked for it; missing for what was reported. */
  readonly keyId?: string;
}

export interface Measurement {
  readonly lengthCm: number;
  readonly widthCm: number;
  readonly heightCm: number;
  readonly weightKg: number;
  /** When the warehouse weighed it: its own words, and epoch milliseconds. */
  readonly weighedAt: string;
  readonly weighedAtMs: number;
  /** Ids of the photos among {@link Progress.weighingPhotos}; absent when there are none. */
  readonly photoIds?: readonly number[];
  readonly reportedBy: Pick<WarehouseReport, 'warehouseCode' | 'eventId' | 'expressNo'>;
}

export interface Photo {
  readonly id: number;
  readonly path: string;
  readonly url: string;
  readonly sizeByte: number;
  /** ISO 8601, and epoch milliseconds. */
  readonly uploadTime: string;
  readonly uploadTimeMs: number;
}

/** A photo taken at the weigher. */
export interface WeighingPhoto extends Photo {
  /** Number scanned at the weigher; empty when none was. */
  readonly expressNo: string;
}

export interface AttachedPhoto extends Photo {
  readonly imageType: ImageType;
  readonly imageOrder: number;
  /** Who put it there; absent for the warehouse. */
  readonly source?: 'tenant';
}

/** What the warehouse gave to a carrier, and when. */
export interface Dispatch {
  readonly carrierCode: string;
  /** Normalised. */
  readonly trackingNumber: string;
  readonly dispatchedAt: string;
  readonly dispatchedAtMs: number;
}

/** Who reported something to the platform, and when it happened there. */
export interface WarehouseReport {
  readonly warehouseCode: string;
  /** The warehouse's id of the event. */
  readonly eventId: string;
  /** Number scanned from the parcel, as scanned; null when none was. */
  readonly expressNo: string | null;
  /** The warehouse's own words, and epoch milliseconds. */
  readonly occurredAt: string;
  readonly occurredAtMs: number;
}

export interface ParcelException {
  readonly reason: ExceptionReason;
  /** The warehouse's own words; null when it gave none. */
  readonly text: string | null;
  readonly photos: readonly Photo[];
  readonly occurredAt: string;
  readonly occurredAtMs: number;
}

/** Pieces of one SKU that the warehouse counted. */
export interface ReceivedItem {
  readonly skuCode: string;
  readonly quantity: number;
}

/** Everything that happened to a forecast since its submission. Lists are kept in the order in which they are shown. */
export interface Progress {
  /** Oldest first. */
  readonly history: readonly StatusEntry[];
  /** Newest first, the current one at the head. */
  readonly measurements: readonly Measurement[];
  /** Newest first. */
  readonly weighingPhotos: readonly WeighingPhoto[];
  /** Ascending by order. */
  readonly attachedPhotos: readonly AttachedPhoto[];
  /** The latest dispatch by the warehouse's time. */
  readonly dispatch: Dispatch | null;
  /** Dispatches under other numbers, in the order of the warehouse's times; absent, as the next, while there are none. See dispatches.ts. */
  readonly furtherDispatches?: readonly Dispatch[];
  /** Numbers of the parcels that have a final status. */
  readonly endedNumbers?: readonly string[];
  /** Latest first. Absent, as the next three, until the first report. */
  readonly holdFacts?: readonly HoldFact[];
  /** Holds and releases that were reported: shows others which of two events is the later one, whatever their clocks say. */
  readonly holdReports?: number;
  /** Latest first. */
  readonly exceptions?: readonly ParcelException[];
  /** When the goods of the {@link ReceivedItem}s were counted. They lie beside the progress, so that later reports do not rewrite them. */
  readonly counted?: { readonly at: string; readonly atMs: number };
  /** Rises with each change of the tenant's own images; missing until the first. */
  readonly imagesRevision?: number;
}

/** What the warehouse found of a parcel, in short. */
export interface ForecastCondition {
  readonly hasException: boolean;
  /** True while the warehouse holds it. */
  readonly onHold: boolean;
}

/** A stored forecast without its items. Instants are epoch milliseconds. */
export interface ForecastRecord extends ContentSummary, ForecastCondition {
  readonly tenantId: string;
  /** The platform's integer id. Counts the forecasts of all tenants, so none of them is shown it. */
  readonly forecastId: number;
  readonly forecastNo: string;
  readonly poNumber: string;
  readonly forecastType: ForecastType;
  /** Version of what was submitted: begins at 1 and rises with each correction. */
  readonly contentVersion: number;
  readonly status: ForecastStatus;
  /** See contentHash. */
  readonly contentHash: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly progress: Progress;
}

/** Progress of a forecast at the moment of its acceptance. @param keyId of the API key that submitted it */
export function initialProgress(now: number, keyId: string | null = null): Progress {
  return {
    history: [{ status: 1, at: now, reason: 'submitted', ...(keyId !== null && { keyId }) }],
    measurements: [],
    weighingPhotos: [],
    attachedPhotos: [],
    dispatch: null,
  };
}

/**
 * The progress after a step from one status to another; the same when that stays.
 * @param now epoch milliseconds
 * @param keyId of the API key that asked for it; null for what was reported
 */
export function moved(
  progress: Progress,
  from: ForecastStatus,
  to: ForecastStatus,
  now: number,
  reason: string,
  keyId: string | null = null,
): Progress {
  if (from === to) return progress;
  return { ...progress, history: [...progress.history, { status: to, at: now, reason, ...(keyId !== null && { keyId }) }] };
}
