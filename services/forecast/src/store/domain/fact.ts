import type { ForecastStatus } from '@parcelway/contracts/forecast-status';
import type {
  AttachedPhoto,
  Dispatch,
  Measurement,
  ParcelException,
  Progress,
  ReceivedItem,
  WarehouseReport,
  WeighingPhoto,
} from './forecast.ts';
import type { Hold } from './holds.ts';

/** Something that happened to a parcel, with what it brings. */
export type Fact =
  | {
      /** A parcel has a final status, or is under way again after one. */
      readonly step: 'tracking.ended' | 'tracking.resumed';
      readonly trackingNumber: string;
    }
  | ({ readonly report: WarehouseReport } & (
      | {
          readonly step: 'warehouse.arrived' | 'warehouse.processed' | 'warehouse.put-away';
          /** The whole count, each SKU once. */
          readonly receivedItems?: readonly ReceivedItem[];
        }
      | { readonly step: 'warehouse.weighed'; readonly measurement: Measurement; readonly photos: readonly WeighingPhoto[] }
      | { readonly step: 'warehouse.photographed'; readonly photo: AttachedPhoto }
      | {
          readonly step: 'warehouse.dispatched';
          readonly dispatch: Dispatch;
          /** Passed on to who tracks the parcel, and not kept; absent when none were reported. */
          readonly sealedDetails?: string;
        }
      | { readonly step: 'warehouse.exception'; readonly exception: ParcelException }
      | { readonly step: 'warehouse.held'; readonly reason: string | null }
      | { readonly step: 'warehouse.released' }
    ));

export interface ForecastFact {
  readonly tenantId: string;
  readonly forecastNo: string;
  readonly fact: Fact;
  /** Names the event among those of the forecast: a repeat has no effect. */
  readonly eventId: string;
  /** `traceparent` of the event, when it has one. */
  readonly traceparent?: string | undefined;
  /** A report whose forecast the warehouse did not name: the intake found it by the scanned number. */
  readonly isMatched?: boolean;
}

export interface KeyedFact {
  /** See keyText. */
  readonly key: string;
  readonly reported: ForecastFact;
}

/** What holds of a forecast after a hold or a release. */
export interface HoldingNotice {
  /** All of them, latest first. */
  readonly holds: readonly Hold[];
  /** See {@link Progress.holdReports}. */
  readonly holdReports: number;
}

/** What others are notified of; `status` is the one after the fact. */
export type Notice = { readonly status: ForecastStatus } & (
  | { readonly kind: 'arrived' | 'processed'; readonly report: WarehouseReport }
  | { readonly kind: 'put_away'; readonly report: WarehouseReport; readonly receivedItems?: readonly ReceivedItem[] }
  | { readonly kind: 'weighed'; readonly weighedAt: string }
  | { readonly kind: 'photographed'; readonly report: WarehouseReport; readonly photo: AttachedPhoto }
  | { readonly kind: 'dispatched'; readonly dispatch: Dispatch; readonly sealedDetails?: string }
  | { readonly kind: 'exception'; readonly report: WarehouseReport; readonly exception: ParcelException }
  | ({ readonly kind: 'held'; readonly report: WarehouseReport; readonly reason: string | null } & HoldingNotice)
  | ({ readonly kind: 'released'; readonly report: WarehouseReport } & HoldingNotice)
  | { readonly kind: 'completed'; readonly reason: 'put_away' | 'tracking_ended' }
);
