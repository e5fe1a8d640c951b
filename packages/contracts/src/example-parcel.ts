import type { Environment } from './environment.ts';

/*
 * The parcel that all examples of the API documents are about, and how an example is shown at another address or in another environment.
 */

/** Where the platform of the examples is. A served document has its own address in this place. */
export const EXAMPLE_BASE_URL = 'https://api.example.com';

/** The parcel that all examples are about. */
export const exampleParcel = {
  environment: 'sandbox',
  tenantId: 'tnt_0193a5b0c1d27e3f8a4b5c6d7e8f9a0b',
  poNumber: 'PO-2025-1121-001',
  forecastNo: 'FC251121K7Q0Z4M2XT',
  warehouseCode: 'SZ01',
  /** As printed on the parcel, and in the form in which it is compared. */
  expressNo: 'SF 1234-5678-9012',
  trackingNumber: 'SF123456789012',
} as const;

/** An example as the platform at another address would show it. */
export function atBaseUrl<T>(example: T, baseUrl: string): T {
  if (example === undefined || baseUrl === EXAMPLE_BASE_URL) return example;
  return JSON.parse(JSON.stringify(example).replaceAll(EXAMPLE_BASE_URL, baseUrl)) as T;
}

/** An environment other than the examples' own shows it in place of theirs. */
export function inEnvironment<T>(example: T, other: Environment): T {
  if (other === exampleParcel.environment) return example;
  return JSON.parse(JSON.stringify(example), (key, value: unknown) => (key === 'environment' ? other : value)) as T;
}
