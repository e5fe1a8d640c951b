import type { ForecastDetail } from '@parcelway/contracts/forecast-api';
import type { WeighingData } from '@parcelway/contracts/weighing-api';
import type { Measurement, Photo, Progress, WeighingPhoto } from '../../store/domain/forecast.ts';
import { holdsOf, isOnHold } from '../../store/domain/holds.ts';
import type { WholeForecast } from '../../store/domain/known-forecast.ts';
import { type Measure, measuresOf } from '../domain/chargeable-weight.ts';
import { receivedDifferences } from '../domain/received.ts';

/*
 * What the warehouse reported, in the words of the API.
 */

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
export function measurementsData({ measurements, weighingPhotos }: Progress): Measurements {
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
export function conditionData({ holdFacts = [], exceptions = [] }: Progress): Condition {
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
export function findingsData({ record, content, receivedItems }: WholeForecast, volumeDivisor: number): Findings {
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
