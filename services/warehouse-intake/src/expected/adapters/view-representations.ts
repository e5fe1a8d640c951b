import type { DocumentKind, NamedDocument } from '@parcelway/contracts/document-url';
import type { EventPhoto } from '@parcelway/contracts/domain-events';
import { type ForecastStatus, forecastStatusName } from '@parcelway/contracts/forecast-status';
import {
  MAX_SHOWN_NUMBERS,
  type WarehouseForecast,
  type WarehouseForecastDetail,
  type WarehouseListedForecast,
  type WarehouseLookup,
} from '@parcelway/contracts/warehouse-view-api';
import { isoInstant } from '@parcelway/kernel/clock';
import type { IntakeEvent } from '../domain/event.ts';
import type { ViewContent, ViewForecast } from '../domain/forecast-copy.ts';
import type { ParcelReports } from '../domain/parcel-reports.ts';
import { shownItem } from '../domain/seen-by-warehouse.ts';
import type { ScanCandidate, WholeForecast } from '../read-view.ts';
import type { SeenForecast } from '../view-store.ts';

/*
 * The warehouse's view in the words of the API.
 */

const MICROSECONDS = 1000;

/** A forecast in a list, which also shows those that have gone to other warehouses. */
export function listedForecast(seen: SeenForecast): WarehouseListedForecast {
  return { ...warehouseForecast(seen), moved: seen.forecast.isMoved === true };
}

/** The content of a forecast that a warehouse sees: nobody sees one whose acceptance is not known. */
function contentOf({ forecastNo, content }: ViewForecast): ViewContent {
  if (content === null) throw new Error(`The forecast ${forecastNo} is shown before its acceptance is known`);
  return content;
}

/** A forecast as every response shows it. */
export function warehouseForecast({ forecast, stamp }: SeenForecast): WarehouseForecast {
  const { status } = forecast;
  const content = contentOf(forecast);
  return {
    forecast_no: forecast.forecastNo,
    tenant_id: forecast.tenantId,
    po_number: forecast.poNumber,
    forecast_type: content.forecastType,
    warehouse_code: forecast.warehouseCode ?? '',
    status,
    status_name: forecastStatusName(status satisfies ForecastStatus),
    due_date: content.dueDate,
    item_count: content.itemCount,
    carton_count: content.cartonCount,
    version: content.version,
    tracking_numbers: content.trackingNumbers.slice(0, MAX_SHOWN_NUMBERS),
    on_hold: forecast.holding?.onHold ?? false,
    update_time: isoInstant(Math.floor(stamp / MICROSECONDS)),
  };
}

const reported = ({ eventId, expressNo, occurredAt }: IntakeEvent) => ({
  event_id: eventId,
  express_no: expressNo,
  occurred_at: occurredAt,
});

const photoView = ({ id, image_url, file_size, upload_time }: EventPhoto) => ({ id, image_url, file_size, upload_time });

function reportsView({ measurements, photos, exceptions, received }: ParcelReports) {
  return {
    measurements: measurements.map((event) => ({
      ...reported(event),
      length_cm: event.detail.lengthCm,
      width_cm: event.detail.widthCm,
      height_cm: event.detail.heightCm,
      weight_kg: event.detail.weightKg,
      photos: event.detail.photos.map(photoView),
    })),
    photos: photos.map((event) => ({
      ...reported(event),
      ...photoView(event.detail.photo),
      image_type: event.detail.imageType,
      image_order: event.detail.imageOrder,
    })),
    exceptions: exceptions.map((event) => ({
      ...reported(event),
      reason: event.detail.reason,
      text: event.detail.text,
      photos: event.detail.photos.map(photoView),
    })),
    received_items: received?.map(({ skuCode, quantity }) => ({ sku_code: skuCode, quantity })) ?? null,
  };
}

/** URLs that a warehouse opens. */
export interface ViewUrls {
  /**
   * A URL that never expires, of the file of a merchant's URL: the merchant decides how long others can open the file, but the warehouse prints the label
   * whenever the parcel comes.
   */
  lasting(tenantId: string, url: string): string;
  /** URL of a document that the platform generates. */
  document(document: NamedDocument): string;
}

/** Everything that the dock needs to know of a forecast. */
export function warehouseForecastDetail(whole: WholeForecast, seesPrices: boolean, urls: ViewUrls): WarehouseForecastDetail {
  const { dispatch, holding, tenantId, forecastNo, isMoved } = whole.forecast;
  const { acceptedAt, shippingLabel, shippingNote, version } = contentOf(whole.forecast);
  const document = (kind: DocumentKind): string | null => (isMoved ? null : urls.document({ kind, tenantId, forecastNo, version }));
  const opening = (url: string | null): string | null => (url === null ? null : urls.lasting(tenantId, url));
  return {
    ...warehouseForecast(whole),
    create_time: acceptedAt,
    shipping_label: opening(shippingLabel),
    shipping_note: opening(shippingNote),
    marketplace_label: document('label'),
    marketplace_label_version: isMoved ? null : version,
    packing_slip: document('slip'),
    items: whole.items.map((item) => shownItem(item, seesPrices)),
    ...reportsView(whole.reports),
    holds: [...(holding?.holds ?? [])],
    carrier_code: dispatch?.carrierCode ?? null,
    tracking_number: dispatch?.trackingNumber ?? null,
    dispatch_time: dispatch?.dispatchedAt ?? null,
  };
}

export function lookupResult(
  scan: string,
  { candidates, hasMore }: { readonly candidates: readonly ScanCandidate[]; readonly hasMore: boolean },
): WarehouseLookup {
  return {
    scan,
    candidates: candidates.map(({ seen, matchedBy, reason, isDoubtful }) => ({
      forecast: warehouseForecast(seen),
      matched_by: matchedBy,
      reason,
      ...(isDoubtful && { is_doubtful: true }),
    })),
    has_more: hasMore,
  };
}
