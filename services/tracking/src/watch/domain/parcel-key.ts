import type { Parcel } from './parcel-state.ts';
import type { KnownForecast } from './shipment.ts';

/**
 * Names a parcel. The first parcel of a forecast is kept with the forecast, and `furtherNumber` is null; each further one is kept by itself, under
 * its tracking number.
 */
export interface ParcelKey extends Pick<KnownForecast, 'tenantId' | 'forecastNo'> {
  readonly furtherNumber: string | null;
}

/** A key as one text; two keys never share one. */
export function keyText({ tenantId, forecastNo, furtherNumber }: ParcelKey): string {
  return JSON.stringify([tenantId, forecastNo, furtherNumber]);
}

/** The key under which a parcel is kept. */
export function keyOf({ forecast, shipment }: Pick<Parcel, 'forecast' | 'shipment'>): ParcelKey {
  return { tenantId: forecast.tenantId, forecastNo: forecast.forecastNo, furtherNumber: shipment?.furtherNumber ?? null };
}

/** The key of the first parcel of a forecast. */
export function firstParcel({ tenantId, forecastNo }: Pick<ParcelKey, 'tenantId' | 'forecastNo'>): ParcelKey {
  return { tenantId, forecastNo, furtherNumber: null };
}

/** The key of a further parcel of a forecast. */
export function furtherParcel({ tenantId, forecastNo }: Pick<ParcelKey, 'tenantId' | 'forecastNo'>, trackingNumber: string): ParcelKey {
  return { tenantId, forecastNo, furtherNumber: trackingNumber };
}
