import type { AttachedPhoto, Dispatch, Measurement, ParcelException, ReceivedItem, WarehouseReport, WeighingPhoto } from './forecast.ts';

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
          readonly receivedItems?: readonly ReceivedItem[] | undefined;
        }
      | { readonly step: 'warehouse.weighed'; readonly measurement: Measurement; readonly photos: readonly WeighingPhoto[] }
      | { readonly step: 'warehouse.photographed'; readonly photo: AttachedPhoto }
      | {
          readonly step: 'warehouse.dispatched';
          readonly dispatch: Dispatch;
          /** Passed on to who tracks the parcel, and not kept; absent when none were reported. */
          readonly sealedDetails?: string | undefined;
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
