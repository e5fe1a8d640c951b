import type { ImageType } from '@parcelway/contracts/forecast-api';
import type { ForecastStatus } from '@parcelway/contracts/forecast-status';
import type { ForecastType } from './canonical.ts';

/** A status that the forecast took. */
export interface StatusEntry {
  readonly status: ForecastStatus;
  /** When the platform recorded it; epoch milliseconds. */
  readonly at: number;
  /** What moved it: `submitted`, `cancelled`, or the type of the event. */
  readonly reason: string;
}

/** One measurement of the parcel. */
export interface Measurement {
  readonly lengthCm: number;
  readonly widthCm: number;
  readonly heightCm: number;
  readonly weightKg: number;
  /** When the warehouse weighed it: its own words, and epoch milliseconds. */
  readonly weighedAt: string;
  readonly weighedAtMs: number;
}

/** A stored photo. */
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

/** A photo attached to the forecast. */
export interface AttachedPhoto extends Photo {
  readonly imageType: ImageType;
  readonly imageOrder: number;
}

/** The hand-over to a carrier. */
export interface Dispatch {
  readonly carrierCode: string;
  /** Normalised. */
  readonly trackingNumber: string;
  readonly dispatchedAt: string;
  readonly dispatchedAtMs: number;
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
  readonly dispatch: Dispatch | null;
}

/** A stored forecast without its items. Instants are epoch milliseconds. */
export interface ForecastRecord {
  readonly tenantId: string;
  /** The platform's integer id, given by the store. Counts the forecasts of all tenants, so none of them is shown it. */
  readonly forecastId: number;
  /** What tenants see of it: says nothing of how many there are. */
  readonly shownId: number;
  readonly forecastNo: string;
  readonly poNumber: string;
  readonly forecastType: ForecastType;
  readonly warehouseCode: string;
  readonly dueDate: string | null;
  readonly itemCount: number;
  readonly status: ForecastStatus;
  /** See contentHash. */
  readonly contentHash: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly progress: Progress;
}

/** Progress of a forecast at the moment of its acceptance. */
export function initialProgress(now: number): Progress {
  return {
    history: [{ status: 1, at: now, reason: 'submitted' }],
    measurements: [],
    weighingPhotos: [],
    attachedPhotos: [],
    dispatch: null,
  };
}
