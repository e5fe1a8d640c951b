import type { ForecastDetail } from '@parcelway/contracts/forecast-api';
import type { ForecastItem } from '@parcelway/contracts/forecast-submission-api';
import { normaliseTrackingNumber } from '@parcelway/contracts/tracking-number';
import type { Measurement } from '../../store/domain/forecast.ts';

/** What was declared against what was measured, and the weight to charge for. The difference is measured less declared. */
export type Measures = Pick<ForecastDetail, 'declared' | 'measured' | 'difference' | 'volumetric_weight_kg' | 'chargeable_weight_kg'>;

type MeasuredItem = Pick<
  ForecastItem,
  'forecast_quantity' | 'declared_weight_kg' | 'declared_length_cm' | 'declared_width_cm' | 'declared_height_cm' | 'tracking_number'
>;

export interface MeasuredForecast {
  readonly items: readonly MeasuredItem[];
  readonly carton_count?: number;
}

/** To three decimals, half up: kilograms to grams. What is half in decimals may be a little less in binary. */
function rounded(value: number): number {
  return Math.round(Number((value * 1000).toPrecision(15))) / 1000;
}

/** Of all pieces; null when an item does not say it of one piece. */
function total(items: readonly MeasuredItem[], ofPiece: (item: MeasuredItem) => number | undefined): number | null {
  let sum = 0;
  for (const item of items) {
    const value = ofPiece(item);
    if (value === undefined) return null;
    sum += value * item.forecast_quantity;
  }
  return rounded(sum);
}

function volumeOfPiece(item: MeasuredItem): number | undefined {
  const { declared_length_cm: length, declared_width_cm: width, declared_height_cm: height } = item;
  return length === undefined || width === undefined || height === undefined ? undefined : length * width * height;
}

const sumOf = (measurements: readonly Measurement[], of: (measurement: Measurement) => number): number =>
  measurements.reduce((sum, measurement) => sum + of(measurement), 0);

const lessBy = (a: number | null, b: number | null): number | null => (a === null || b === null ? null : rounded(a - b));

/** How many parcels a forecast is: its cartons, or else as many as its items name logistics numbers. */
function parcelsOf(forecast: MeasuredForecast): number {
  const numbers = new Set(forecast.items.flatMap(({ tracking_number }) => tracking_number ?? []));
  return forecast.carton_count ?? Math.max(1, numbers.size);
}

const numberOf = ({ reported_by }: Measurement): string => normaliseTrackingNumber(reported_by.express_no ?? '');

/** Of each parcel its latest measurement, and whether these are all parcels of the forecast. */
interface Weighed {
  readonly measurements: readonly Measurement[];
  readonly isComplete: boolean;
}

/**
 * What was weighed of a forecast. Of several parcels each is known by the number that was scanned. Who weighs under the
 * forecast's own number weighs all of it.
 * @param measurements latest first
 */
function weighedOf(forecast: MeasuredForecast, measurements: readonly Measurement[]): Weighed {
  const parcels = parcelsOf(forecast);
  const [latest] = measurements;
  if (latest === undefined) return { measurements: [], isComplete: false };
  if (parcels === 1 || numberOf(latest) === '') return { measurements: [latest], isComplete: true };
  const byNumber = new Map<string, Measurement>();
  for (const measurement of measurements) {
    const number = numberOf(measurement);
    if (number !== '' && !byNumber.has(number) && byNumber.size < parcels) byNumber.set(number, measurement);
  }
  return { measurements: [...byNumber.values()], isComplete: byNumber.size === parcels };
}

/**
 * Compares what the items declare of one piece each, times their quantities, with what was weighed of the forecast's parcels.
 * The difference is known when all of them are weighed. The chargeable weight is the greater of measured and volumetric weight.
 * @param measurements all of the forecast, latest first
 * @param volumeDivisor cm³ that count as 1 kg
 * @returns weights rounded to grams, volumes to mm³
 */
export function measuresOf(forecast: MeasuredForecast, measurements: readonly Measurement[], volumeDivisor: number): Measures {
  const { items } = forecast;
  const declared = { weight_kg: total(items, (item) => item.declared_weight_kg), volume_cm3: total(items, volumeOfPiece) };
  const nothing = { weight_kg: null, volume_cm3: null };
  const weighed = weighedOf(forecast, measurements);
  if (weighed.measurements.length === 0) {
    return { declared, measured: nothing, difference: nothing, volumetric_weight_kg: null, chargeable_weight_kg: null };
  }
  const volume = sumOf(weighed.measurements, ({ length_cm, width_cm, height_cm }) => length_cm * width_cm * height_cm);
  const measured = { weight_kg: rounded(sumOf(weighed.measurements, ({ weight_kg }) => weight_kg)), volume_cm3: rounded(volume) };
  const volumetric_weight_kg = rounded(volume / volumeDivisor);
  return {
    declared,
    measured,
    difference: weighed.isComplete
      ? { weight_kg: lessBy(measured.weight_kg, declared.weight_kg), volume_cm3: lessBy(measured.volume_cm3, declared.volume_cm3) }
      : nothing,
    volumetric_weight_kg,
    chargeable_weight_kg: Math.max(measured.weight_kg, volumetric_weight_kg),
  };
}
