import type { DocumentKind } from '@parcelway/contracts/document-url';
import type { ForecastContent } from '@parcelway/contracts/domain-events';
import type { ForecastDetail, ForecastSummary } from '@parcelway/contracts/forecast-api';
import { forecastStatusName } from '@parcelway/contracts/forecast-status';
import type { TrackingResult } from '@parcelway/contracts/tracking-api';
import type { ForecastImage, WeighingData } from '@parcelway/contracts/weighing-api';
import { isoInstant } from '@parcelway/kernel/clock';
import { optionalData } from '../../store/domain/canonical.ts';
import type { Correction } from '../../store/domain/correction.ts';
import { dispatchesOf } from '../../store/domain/dispatches.ts';
import type { AttachedPhoto, ForecastRecord, Measurement, Photo, Progress, WeighingPhoto } from '../../store/domain/forecast.ts';
import { holdsOf, isOnHold } from '../../store/domain/holds.ts';
import type { WholeForecast } from '../../store/domain/known-forecast.ts';
import type { ListedForecast } from '../../store/ports.ts';
import { type Measure, measuresOf } from '../domain/chargeable-weight.ts';
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
  const shipments = (shipped ? dispatchesOf(record.progress) : []).map(({ carrierCode, trackingNumber, dispatchedAtMs }) => ({
    carrier_code: carrierCode,
    tracking_number: trackingNumber,
    dispatched_at: isoInstant(dispatchedAtMs),
    ...nothing,
  }));
  return { po_number: poNumber, is_shipped: shipped, ...nothing, shipments };
}

type Measurements = ForecastDetail['measurements'];
type Condition = Pick<WeighingData, 'on_hold' | 'holds' | 'exceptions'>;
type Findings = Pick<
  ForecastDetail,
  'received_items' | 'declared' | 'measured' | 'difference' | 'volumetric_weight_kg' | 'chargeable_weight_kg' | 'volume_divisor'
>;

/** Size and weight. */
export function dimensions(measurement: Measurement) {
  return {
    length_cm: measurement.lengthCm,
    width_cm: measurement.widthCm,
    height_cm: measurement.heightCm,
    weight_kg: measurement.weightKg,
  };
}

function photoResponse({ id, url, sizeByte, uploadTime }: Photo): Measurements[number]['photos'][number] {
  return { id, image_url: url, file_size: sizeByte, upload_time: uploadTime };
}

/** Every measurement, newest first. A photo is kept once for a forecast and no longer than others that are newer. */
function measurementsData({ measurements, weighingPhotos }: Progress): Measurements {
  const photos = new Map(weighingPhotos.map((photo): [number, WeighingPhoto] => [photo.id, photo]));
  return measurements.map((measurement) => {
    const { weighedAt, photoIds = [], reportedBy } = measurement;
    return {
      ...dimensions(measurement),
      weighed_at: weighedAt,
      photos: photoIds.flatMap((id) => photos.get(id) ?? []).map(photoResponse),
      reported_by: { warehouse_code: reportedBy.warehouseCode, event_id: reportedBy.eventId, express_no: reportedBy.expressNo },
    };
  });
}

/** What the warehouse says of a parcel besides its measurements. */
function conditionData({ holdFacts = [], exceptions = [] }: Progress): Condition {
  const holds = holdsOf(holdFacts);
  return {
    on_hold: isOnHold(holds),
    holds: holds.map(({ reason, heldAt, releasedAt }) => ({ reason, held_at: heldAt, released_at: releasedAt })),
    exceptions: exceptions.map(({ reason, text, occurredAt, photos }) => ({
      reason,
      text,
      occurred_at: occurredAt,
      photos: photos.map(photoResponse),
    })),
  };
}

const measureResponse = ({ weightKg, volumeCm3 }: Measure) => ({ weight_kg: weightKg, volume_cm3: volumeCm3 });

/** What was declared against what the warehouse found. @param volumeDivisor cm³ that count as 1 kg */
function findingsData({ record, content, receivedItems }: WholeForecast, volumeDivisor: number): Findings {
  const measures = measuresOf(content, record.progress.measurements, volumeDivisor);
  return {
    received_items: receivedDifferences(content.items, receivedItems).map(({ skuCode, forecastQuantity, receivedQuantity }) => ({
      sku_code: skuCode,
      forecast_quantity: forecastQuantity,
      received_quantity: receivedQuantity,
      difference: receivedQuantity - forecastQuantity,
    })),
    declared: measureResponse(measures.declared),
    measured: measureResponse(measures.measured),
    difference: measureResponse(measures.difference),
    volumetric_weight_kg: measures.volumetricWeightKg,
    chargeable_weight_kg: measures.chargeableWeightKg,
    volume_divisor: volumeDivisor,
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
  const { record, content, corrections } = whole;
  const { progress } = record;
  return {
    ...summaryData(record),
    ...optionalData(content),
    marketplace_label: documentUrl(record, 'label'),
    marketplace_label_version: record.contentVersion,
    packing_slip: documentUrl(record, 'slip'),
    items: [...content.items],
    carrier_code: progress.dispatch?.carrierCode ?? null,
    tracking_number: progress.dispatch?.trackingNumber ?? null,
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
    ...findingsData(whole, volumeDivisor),
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
    image_type: photo.imageType,
    image_url: photo.url,
    image_order: photo.imageOrder,
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
    weighing_images: weighingPhotos.map((photo) => ({
      id: photo.id,
      express_no: photo.expressNo,
      image_path: photo.path,
      image_url: photo.url,
      file_size: photo.sizeByte,
      upload_time: photo.uploadTime,
    })),
    forecast_images: attachedPhotos.map((photo) => imageData(record, photo, options)),
    ...conditionData(record.progress),
  };
}
