import type { EventDetail } from '../../expected/domain/event.ts';

/** Beyond these a measurement is taken, and questioned: a comma in the wrong place, or another unit. */
export interface MeasureLimits {
  readonly weightKg: number;
  readonly sideCm: number;
  /** Grams per litre; water has 1000. */
  readonly minDensity: number;
  readonly maxDensity: number;
}

/** Limits that ordinary parcels keep: a heavy one has 30 kg, lead 11,300 g per litre, air 1.2. */
export const defaultMeasureLimits: MeasureLimits = { weightKg: 150, sideCm: 400, minDensity: 2, maxDensity: 12_000 };

/** What is odd about a measurement. */
export interface Oddity {
  readonly field: 'weight_kg' | 'length_cm' | 'width_cm' | 'height_cm';
  readonly message: string;
}

const CUBIC_CM_PER_LITRE = 1000;
const GRAMS_PER_KG = 1000;

/** What is odd about the measurement of an event; nothing about one without. */
export function odditiesOf(detail: EventDetail, limits: MeasureLimits): Oddity[] {
  if (detail.type !== 'weighing') return [];
  const { lengthCm, widthCm, heightCm, weightKg } = detail;
  const sides = [
    ['length_cm', lengthCm],
    ['width_cm', widthCm],
    ['height_cm', heightCm],
  ] as const;
  const oddities: Oddity[] = sides
    .filter(([, size]) => size > limits.sideCm)
    .map(([field, size]) => ({ field, message: `${field} ${size} is more than ${limits.sideCm} cm; check the number and its unit` }));
  if (weightKg > limits.weightKg) {
    oddities.push({
      field: 'weight_kg',
      message: `weight_kg ${weightKg} is more than ${limits.weightKg} kg; check the number and its unit`,
    });
  }
  const density = (weightKg * GRAMS_PER_KG * CUBIC_CM_PER_LITRE) / (lengthCm * widthCm * heightCm);
  if (density < limits.minDensity || density > limits.maxDensity) {
    const measured = `${Number(density.toPrecision(3))} g per litre`;
    const usual = `${limits.minDensity} to ${limits.maxDensity}`;
    oddities.push({
      field: 'weight_kg',
      message: `weight_kg and size make ${measured}, outside ${usual}; check the numbers and their units`,
    });
  }
  return oddities;
}
