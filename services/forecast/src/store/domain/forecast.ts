import type { DomainEventData, EventPhoto } from '@parcelway/contracts/domain-events';
import type { ForecastDetail } from '@parcelway/contracts/forecast-api';
import type { ForecastStatus } from '@parcelway/contracts/forecast-status';
import type { ImageType } from '@parcelway/contracts/parcel-reports';
import type { WeighingData } from '@parcelway/contracts/weighing-api';
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

/** What the warehouse measured, as responses show it. */
export type Measurement = Omit<ForecastDetail['measurements'][number], 'photos'> & {
  /** Ids of the photos among {@link Progress.weighingPhotos}; absent when there are none. */
  readonly photo_ids?: readonly number[];
};

/** A photo taken at the weigher. */
export type WeighingPhoto = WeighingData['weighing_images'][number];

export type AttachedPhoto = EventPhoto & {
  readonly image_type: ImageType;
  readonly image_order: number;
  /** Who put it there; absent for the warehouse. */
  readonly source?: 'tenant';
};

/** What the warehouse gave to a carrier, and when, in its own words. The number is normalised. */
export type Dispatch = Pick<DomainEventData<'forecast.dispatched'>, 'carrier_code' | 'tracking_number' | 'dispatched_at'>;

/** Who reported something to the platform, and when it happened there, in the warehouse's own words. */
export type WarehouseReport = Pick<DomainEventData<'warehouse.arrived'>, 'warehouse_code' | 'event_id' | 'express_no' | 'occurred_at'>;

export type ParcelException = Pick<DomainEventData<'warehouse.exception'>, 'reason' | 'text' | 'photos' | 'occurred_at'>;

/** Pieces of one SKU that the warehouse counted. */
export type ReceivedItem = NonNullable<DomainEventData<'warehouse.arrived'>['received_items']>[number];

/** Everything that happened to a forecast since its submission, in the terms of the API. Lists are kept in the order in which they are shown. */
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
  readonly counted?: { readonly at: string };
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
