/** The numbers are scattered over their index, as those of carriers are: a prime modulus and a factor below it give each index another number. */
export const FACTOR = 48_271;
export const MODULUS = 2_147_483_647;

/** Tracking number of a shipment that the benchmark has put under watch. @param index from 1, below {@link MODULUS} */
export function trackingNumberOf(index: number): string {
  return `LP${String((index * FACTOR) % MODULUS).padStart(10, '0')}`;
}

/** forecast_no of the same shipment. */
export function forecastNoOf(index: number): string {
  return `LOAD${String(index).padStart(8, '0')}`;
}

/** po_number of the same shipment. */
export function poNumberOf(index: number): string {
  return `PO-${index}`;
}

/** Id of the connection that the shipments are registered with. */
export const CONNECTION_ID = 'bench';
/** What 17TRACK calls the carrier of a number that it has detected: the contract server gives it at a registration. */
export const REFERENCE = '3011';
