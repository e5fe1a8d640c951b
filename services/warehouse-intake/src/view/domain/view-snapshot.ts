import type { ForecastSnapshot } from '@parcelway/contracts/forecast-snapshot';
import type { ForecastStatus } from '@parcelway/contracts/forecast-status';
import { contentOf, laterDispatch, laterHolding, type ViewDispatch, type ViewForecast, type ViewHolding } from './forecast-copy.ts';

/*
 * Catching up on forecasts whose events were missed. A snapshot is older than the events that come after it and may come in between
 * any two, so it only adds what the view does not know.
 */

/** The forecast with what a snapshot knows better; the same object when that is nothing. */
export function withSnapshot(before: ViewForecast | undefined, snapshot: ForecastSnapshot): ViewForecast {
  const { tenant_id: tenantId, content, documents } = snapshot;
  const base: ViewForecast = before ?? {
    forecastNo: content.forecast_no,
    tenantId,
    poNumber: content.po_number,
    warehouseCode: null,
    status: 1,
    content: null,
    itemsVersion: 0,
    documents: null,
    dispatch: null,
    holding: null,
  };
  const isNewer = (base.content?.version ?? 0) <= (content.version ?? 1);
  const hasDocuments = documents === null || (base.documents?.version ?? 0) >= documents.version;
  const after: ViewForecast = {
    ...base,
    poNumber: content.po_number,
    status: Math.max(base.status, snapshot.status) as ForecastStatus,
    // Of the same version, too: an event of a former release says less.
    ...(isNewer && { warehouseCode: content.warehouse_code, content: contentOf(content) }),
    documents: hasDocuments
      ? base.documents
      : { version: documents.version, marketplaceLabel: documents.marketplace_label, packingSlip: documents.packing_slip },
    dispatch: dispatchOf(base.dispatch, snapshot),
    holding: holdingOf(base.holding, snapshot),
  };
  return before !== undefined && JSON.stringify(after) === JSON.stringify(before) ? before : after;
}

function dispatchOf(before: ViewDispatch | null, { dispatch, as_of }: ForecastSnapshot): ViewDispatch | null {
  if (dispatch === null) return before;
  const { carrier_code: carrierCode, tracking_number: trackingNumber, dispatched_at: dispatchedAt } = dispatch;
  // Before any event of the same time: an event that the snapshot does not know comes after it.
  const found = { carrierCode, trackingNumber, dispatchedAt, told: `${new Date(as_of).toISOString()} ` };
  // A dispatch with the same content keeps its event.
  const same = before !== null && JSON.stringify({ ...found, told: before.told }) === JSON.stringify(before);
  return same ? before : laterDispatch(before, found);
}

function holdingOf(before: ViewHolding | null, { holding }: ForecastSnapshot): ViewHolding | null {
  return holding === null ? before : laterHolding(before, { onHold: holding.on_hold, holds: holding.holds, reports: holding.hold_reports });
}
