import { type ForecastSnapshot, type ForecastSnapshotPage, MAX_SNAPSHOTS } from '@parcelway/contracts/forecast-snapshot';
import { forecastStatuses } from '@parcelway/contracts/forecast-status';
import { isoInstant } from '@parcelway/kernel/clock';
import type { CanonicalForecast } from './domain/canonical.ts';
import { holdsOf } from './domain/holds.ts';
import type { StoredForecast } from './domain/known-forecast.ts';
import { contentData, holdingData } from './domain/messages.ts';
import type { ForecastReader, ForecastScanner } from './ports.ts';

/** A page ends behind the forecast with which its items exceed this. The items of one are smaller than those of an event. */
export const MAX_PAGE_BYTES = 1_048_576;

/** What a page of snapshots shows. */
export interface SnapshotRequest {
  /** `next` of the previous page; null begins. */
  readonly after: string | null;
  /** Leaves out what left, or was cancelled, and has not changed since. Epoch milliseconds; 0 leaves nothing out. */
  readonly closedSince: number;
}

/**
 * A page of all forecasts, of all tenants, for services that have missed their events. What is accepted while somebody goes through
 * the pages may be left out: its events follow.
 */
export async function pageOfSnapshots(
  store: ForecastScanner & ForecastReader,
  { after, closedSince }: SnapshotRequest,
): Promise<ForecastSnapshotPage> {
  const scanned = await store.scan(after, MAX_SNAPSHOTS);
  const forecasts: ForecastSnapshot[] = [];
  let bytes = 0;
  for (const { place, tenantId, forecastNo, status, updatedAt } of scanned) {
    if (status >= forecastStatuses.SHIPPED && updatedAt < closedSince) continue;
    const stored = await store.readByForecastNo(tenantId, forecastNo);
    if (stored === undefined) continue;
    const snapshot = snapshotOf(stored);
    forecasts.push(snapshot);
    bytes += Buffer.byteLength(JSON.stringify(snapshot));
    if (bytes > MAX_PAGE_BYTES) return { forecasts, next: place };
  }
  return { forecasts, next: scanned.length < MAX_SNAPSHOTS ? null : (scanned.at(-1)?.place ?? null) };
}

function snapshotOf({ record, content }: StoredForecast): ForecastSnapshot {
  const { documents, dispatch, holdFacts = [], holdReports = 0 } = record.progress;
  return {
    tenant_id: record.tenantId,
    as_of: isoInstant(record.updatedAt),
    status: record.status,
    content: contentData(record, JSON.parse(content) as CanonicalForecast),
    documents: documents
      ? { version: documents.version, marketplace_label: documents.marketplaceLabel, packing_slip: documents.packingSlip }
      : null,
    dispatch: dispatch && {
      carrier_code: dispatch.carrierCode,
      tracking_number: dispatch.trackingNumber,
      dispatched_at: dispatch.dispatchedAt,
    },
    holding: holdFacts.length > 0 ? holdingData({ holds: holdsOf(holdFacts), holdReports }) : null,
  };
}
