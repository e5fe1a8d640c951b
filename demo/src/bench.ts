import type { WarehouseLookup } from '@parcelway/contracts/warehouse-view-api';
import { until } from '@parcelway/kernel/testing/until';
import { check } from './check.ts';
import type { NarratedClient } from './narrator.ts';

/** The packing bench of the warehouse: what it scans, and with which key. */
export interface Bench {
  readonly warehouse: NarratedClient;
  /** Of the warehouse. */
  readonly code: string;
  /** The number on the parcel. */
  readonly trackingNumber: string;
  readonly poNumber: string;
}

/** Finds whose parcel lies on the bench by the number on it. @returns a note, and the forecast's number */
export async function findParcel({ warehouse, trackingNumber, poNumber }: Bench): Promise<{ note: string; forecastNo: string }> {
  const { candidates } = await until(
    async () => {
      const found = await warehouse.call<WarehouseLookup>(`/warehouse/v1/lookup?scan=${trackingNumber}`);
      return found.candidates.length > 0 ? found : undefined;
    },
    { what: 'the warehouse to know the parcel', everyMs: 200 },
  );
  const [candidate] = candidates;
  check(candidates.length === 1 && candidate?.forecast.po_number === poNumber, 'the scan found another parcel');
  return { note: `${candidate?.reason}`, forecastNo: String(candidate?.forecast.forecast_no) };
}
