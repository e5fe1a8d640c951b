import type { EventPhoto } from '@parcelway/contracts/domain-events';
import type { Environment } from '@parcelway/contracts/environment';
import type { ExceptionReason, ImageType } from '@parcelway/contracts/parcel-reports';
import { normaliseTrackingNumber } from '@parcelway/contracts/tracking-number';

/** Pieces of one SKU. */
export interface ReceivedItem {
  readonly skuCode: string;
  readonly quantity: number;
}

/** What a warehouse reports, by kind, with photos already taken from their receipts. */
export type EventDetail =
  /** `receivedItems`: the whole count, each SKU once; absent when none was reported. */
  | { readonly type: 'arrival' | 'processing' | 'put_away'; readonly receivedItems?: readonly ReceivedItem[] }
  | {
      readonly type: 'weighing';
      readonly lengthCm: number;
      readonly widthCm: number;
      readonly heightCm: number;
      readonly weightKg: number;
      readonly photos: readonly EventPhoto[];
    }
  | { readonly type: 'photo'; readonly photo: EventPhoto; readonly imageType: ImageType; readonly imageOrder: number }
  /**
   * `trackingNumber`: the carrier's, normalised. It may differ from the number under which the parcel came in. `sealedDetails`: see sealShipmentDetails of
   * the contracts; absent when no details were reported.
   */
  | { readonly type: 'dispatch'; readonly carrierCode: string; readonly trackingNumber: string; readonly sealedDetails?: string }
  | {
      readonly type: 'exception';
      readonly reason: ExceptionReason;
      readonly text: string | null;
      readonly photos: readonly EventPhoto[];
    }
  | { readonly type: 'hold'; readonly reason: string | null }
  | { readonly type: 'release' };

/** A valid report of a warehouse. Holds the fields that are known and nothing else, so its size is bounded. */
export interface IntakeEvent {
  /** The warehouse's id; unique within the warehouse. */
  readonly eventId: string;
  readonly warehouseCode: string;
  /** ISO 8601, as the warehouse wrote it. */
  readonly occurredAt: string;
  /** The forecast that the warehouse names. At least one of the two numbers is given. */
  readonly forecastNo: string | null;
  /** The number scanned from the parcel, as scanned. */
  readonly expressNo: string | null;
  /** The same in the form in which numbers are compared. Follows from {@link expressNo}, so the stores do not keep it (storedText). */
  readonly scannedNumber: string | null;
  readonly detail: EventDetail;
}

/** A forecast as the directory knows it. */
export interface DirectoryForecast {
  readonly forecastNo: string;
  readonly tenantId: string;
  readonly environment: Environment;
  readonly warehouseCode: string;
  /** 1 = stock replenishment, 2 = direct-mail labelling. */
  readonly forecastType: number;
}

/** A forecast newly accepted, with the numbers that its items declare (normalised, without repeats). */
export interface AcceptedForecast extends DirectoryForecast {
  readonly poNumber: string;
  readonly trackingNumbers: readonly string[];
}

/** A forecast that its merchant has corrected, with what it declares now. */
export interface CorrectedForecast extends AcceptedForecast {
  /** Rises with each correction; 1 before the first. */
  readonly version: number;
}

/** True when the warehouse did not name the forecast that an event is for: the platform found it by a number. */
export function isMatched(event: Pick<IntakeEvent, 'forecastNo'>, forecastNo: string): boolean {
  return event.forecastNo !== forecastNo;
}

/** A number as scanned, in the form in which it is compared; null when none was scanned. */
export function scannedNumberOf(expressNo: string | null): string | null {
  return expressNo === null ? null : normaliseTrackingNumber(expressNo);
}

/** Begins the {@link poKey} of a forecast; no number as it is compared has a blank. */
const PO = 'po ';

/**
 * A po_number as the directory keeps it, among the numbers that lead to its forecast. No scan is matched by it: it says that the number may be on
 * another parcel than on that of the forecast that declares it.
 */
export function poKey(poNumber: string): string {
  return PO + normaliseTrackingNumber(poNumber);
}

/** What is scanned from a parcel with this number of the directory. */
export function scannedForm(number: string): string {
  return number.startsWith(PO) ? number.slice(PO.length) : number;
}

/** True for a number that the forecast declares, false for a {@link poKey}. */
export function isDeclared(number: string): boolean {
  return !number.startsWith(PO);
}

/** An event as the stores keep it: JSON of all that the warehouse reported. Two reports with equal texts are the same report. */
export function storedText({ scannedNumber: _, ...reported }: IntakeEvent): string {
  return JSON.stringify(reported);
}

/** The event in a {@link storedText}. */
export function storedEvent(text: string): IntakeEvent {
  const reported = JSON.parse(text) as Omit<IntakeEvent, 'scannedNumber'>;
  return { ...reported, scannedNumber: scannedNumberOf(reported.expressNo) };
}

export type EventKey = Pick<IntakeEvent, 'warehouseCode' | 'eventId'>;

/** A text that names an event. Warehouse codes hold no blank. */
export function eventKey({ warehouseCode, eventId }: EventKey): string {
  return `${warehouseCode} ${eventId}`;
}

/** The name alone of an event. */
export function nameOf({ warehouseCode, eventId }: EventKey): EventKey {
  return { warehouseCode, eventId };
}
