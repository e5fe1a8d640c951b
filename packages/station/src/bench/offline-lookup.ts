import type { WarehouseLookup } from '@parcelway/contracts/warehouse-view-api';
import { asFailure } from '@parcelway/page/api/failure';
import type { Candidate } from '../domain/bench.ts';
import type { ExpectedParcels } from '../expected/expected-parcels.ts';
import { afterFailure } from '../queue/offline-retry.ts';

/** What a scan may mean. */
export interface ScanMatches {
  readonly candidates: readonly Candidate[];
  readonly hasMore: boolean;
  /** True when this device was asked in place of the platform. */
  readonly offline: boolean;
}

/**
 * Asks the platform what a scan may mean; while the platform does not respond, the parcels that this device knows.
 * @throws ApiFailure when the platform refuses the call
 */
export async function lookUpScan(
  lookUp: (scan: string) => Promise<WarehouseLookup>,
  expected: ExpectedParcels,
  scan: string,
): Promise<ScanMatches> {
  try {
    const { candidates, has_more } = await lookUp(scan);
    return { candidates, hasMore: has_more, offline: false };
  } catch (error) {
    if (afterFailure(asFailure(error)) !== 'retry') throw error;
    return { candidates: expected.lookUp(scan), hasMore: false, offline: true };
  }
}
