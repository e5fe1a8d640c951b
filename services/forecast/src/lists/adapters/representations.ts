import type { DocumentKind } from '@parcelway/contracts/document-url';
import type { EventPhoto, ForecastContent } from '@parcelway/contracts/domain-events';
import type { ForecastDetail, ForecastSummary } from '@parcelway/contracts/forecast-api';
import { forecastStatusName } from '@parcelway/contracts/forecast-status';
import type { TrackingResult } from '@parcelway/contracts/tracking-api';
import type { ForecastImage, WeighingData } from '@parcelway/contracts/weighing-api';
import { isoInstant } from '@parcelway/kernel/clock';
import { optionalData } from '../../store/domain/canonical.ts';
import type { Correction } from '../../store/domain/correction.ts';
import { dispatchesOf } from '../../store/domain/dispatches.ts';
import type { AttachedPhoto, ForecastRecord, Measurement, Progress, WeighingPhoto } from '../../store/domain/forecast.ts';
import { holdsOf, isOnHold } from '../../store/domain/holds.ts';
import type { WholeForecast } from '../../store/domain/known-forecast.ts';
import type { ListedForecast } from '../../store/ports.ts';
import { measuresOf } from '../domain/chargeable-weight.ts';
import { isShipped } from '../domain/is-shipped.ts';
import { receivedDifferences } from '../domain/received.ts';

/*
 * The service's responses in the terms of the API.
 */

/** A forecast in the list. */
export function summaryData(forecast: ListedForecast): ForecastSummary {
  return {
    forecast_no: forecast.forecastNo,
    po_number: forecast.poNumber,
    forecast_type: forecast.forecastType,
    warehouse_code: forecast.warehouseCode,
    due_date: forecast.dueDate,
    item_count: forecast.itemCount,
    version: forecast.contentVersion,
    status: forecast.status,
    status_name: forecastStatusName(forecast.status),
    has_exception: forecast.hasException,
    on_hold: forecast.onHold,
    create_time: isoInstant(forecast.createdAt),
    update_time: isoInstant(forecast.updatedAt),
  };
}

/** The tracking of a forecast of which no node is known yet. */
export function untrackedData(poNumber: string, record: ForecastRecord): TrackingResult {
  const shipped = isShipped(record);
  const nothing = { is_terminal: false, latest_status: '', nodes: [] };
  const shipments = (shipped ? dispatchesOf(record.progress) : []).map((dispatch) => ({
    ...dispatch,
    dispatched_at: isoInstant(Date.parse(dispatch.dispatched_at)),
    ...nothing,
  }));
  return { po_number: poNumber, is_shipped: shipped, ...nothing, shipments };
}

type Measurements = ForecastDetail['measurements'];
type Condition = Pick<WeighingData, 'on_hold' | 'holds' | 'exceptions'>;

/** Size and weight. */
export function dimensions({ length_cm, width_cm, height_cm, weight_kg }: Measurement) {
  return { length_cm, width_cm, height_cm, weight_kg };
}

function photoResponse({ id, image_url, file_size, upload_time }: EventPhoto): Measurements[number]['photos'][number] {
  return { id, image_url, file_size, upload_time };
}

/** Every measurement, newest first. A photo is kept once for a forecast and no longer than others that are newer. */
function measurementsData({ measurements, weighingPhotos }: Progress): Measurements {
  const photos = new Map(weighingPhotos.map((photo): [number, WeighingPhoto] => [photo.id, photo]));
  return measurements.map(({ photo_ids = [], ...measurement }) => ({
    ...measurement,
    photos: photo_ids.flatMap((id) => photos.get(id) ?? []).map(photoResponse),
  }));
}

/** What the warehouse says of a parcel besides its measurements. */
function conditionData({ holdFacts = [], exceptions = [] }: Progress): Condition {
  const holds = holdsOf(holdFacts);
  return {
    on_hold: isOnHold(holds),
    holds,
    exceptions: exceptions.map((exception) => ({ ...exception, photos: exception.photos.map(photoResponse) })),
  };
}

/** What a forecast is shown with, besides its own data. */
export interface DetailOptions {
  /** cm³ that count as 1 kg. */
  readonly volumeDivisor: number;
  /** URL of a document of the forecast's current version. */
  readonly documentUrl: (forecast: ForecastRecord, kind: DocumentKind) => string;
  /** What tenants see of an id: says nothing of how many there are. */
  readonly shownIdOf: (forecastId: number) => number;
}

/** A forecast read by its po_number. */
export function detailData(whole: WholeForecast, { volumeDivisor, documentUrl }: DetailOptions): ForecastDetail {
  const { record, content, corrections, receivedItems } = whole;
  const { progress } = record;
  return {
    ...summaryData(record),
    ...optionalData(content),
    marketplace_label: documentUrl(record, 'label'),
    marketplace_label_version: record.contentVersion,
    packing_slip: documentUrl(record, 'slip'),
    items: [...content.items],
    carrier_code: progress.dispatch?.carrier_code ?? null,
    tracking_number: progress.dispatch?.tracking_number ?? null,
    history: progress.history.map(({ status, at, reason, keyId = null }) => ({
      status,
      status_name: forecastStatusName(status),
      time: isoInstant(at),
      reason,
      key_id: keyId,
    })),
    measurements: measurementsData(progress),
    corrections: corrections.map(correctionData),
    ...conditionData(progress),
    // What was declared against what the warehouse found.
    received_items: receivedDifferences(content.items, receivedItems),
    ...measuresOf(content, progress.measurements, volumeDivisor),
    volume_divisor: volumeDivisor,
  };
}

function correctionData({ version, at, keyId, changes, hasMoreChanges }: Correction): ForecastDetail['corrections'][number] {
  return { version, time: isoInstant(at), key_id: keyId, changes: [...changes], has_more_changes: hasMoreChanges };
}

/** The content of a forecast, for other services. */
export function forecastContentData({ record, content, corrections }: WholeForecast): ForecastContent {
  return {
    forecast_id: record.forecastId,
    po_number: record.poNumber,
    warehouse_code: record.warehouseCode,
    version: record.contentVersion,
    versioned_at: isoInstant(corrections.at(-1)?.at ?? record.createdAt),
    due_date: content.due_date ?? null,
    carton_count: content.carton_count ?? null,
    items: [...content.items],
  };
}

type ShownBy = Pick<DetailOptions, 'shownIdOf'>;

export function imageData({ forecastId }: Pick<ForecastRecord, 'forecastId'>, photo: AttachedPhoto, { shownIdOf }: ShownBy): ForecastImage {
  return {
    id: photo.id,
    forecast_id: shownIdOf(forecastId),
    image_type: photo.image_type,
    image_url: photo.image_url,
    image_order: photo.image_order,
    upload_source: photo.source ?? 'warehouse',
  };
}

/** `data` of the weighing query. */
export function weighingData(record: ForecastRecord, options: ShownBy): WeighingData {
  const { measurements, weighingPhotos, attachedPhotos } = record.progress;
  const current = measurements[0];
  return {
    po_number: record.poNumber,
    status: record.status,
    ...(current ? dimensions(current) : { length_cm: null, width_cm: null, height_cm: null, weight_kg: null }),
    weighing_images: [...weighingPhotos],
    forecast_images: attachedPhotos.map((photo) => imageData(record, photo, options)),
    ...conditionData(record.progress),
  };
}
