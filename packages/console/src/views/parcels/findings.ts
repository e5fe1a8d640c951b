import type { ForecastDetail } from '@parcelway/contracts/forecast-api';

/** What a weight and a volume are of. */
export type MeasureName = 'declared' | 'measured' | 'difference' | 'volumetric' | 'chargeable';

/** A weight and a volume that stand side by side. */
export interface Measure {
  readonly name: MeasureName;
  readonly weight: number | null;
  readonly volume: number | null;
}

/** What is known of weight and volume, in the order in which one comes of the other. */
export function measuresOf(
  forecast: Pick<ForecastDetail, 'declared' | 'measured' | 'difference' | 'volumetric_weight_kg' | 'chargeable_weight_kg'>,
): Measure[] {
  const both = (name: 'declared' | 'measured' | 'difference'): Measure => {
    const { weight_kg, volume_cm3 } = forecast[name];
    return { name, weight: weight_kg, volume: volume_cm3 };
  };
  const all: Measure[] = [
    both('declared'),
    both('measured'),
    both('difference'),
    { name: 'volumetric', weight: forecast.volumetric_weight_kg, volume: null },
    { name: 'chargeable', weight: forecast.chargeable_weight_kg, volume: null },
  ];
  return all.filter(({ weight, volume }) => weight !== null || volume !== null);
}

/** Counted SKUs, those that differ from the forecast first. */
export function differingFirst<Counted extends { readonly difference: number }>(counted: readonly Counted[]): Counted[] {
  return counted.toSorted((a, b) => Number(a.difference === 0) - Number(b.difference === 0));
}

/** The warehouse at which a parcel arrived that was forecast for another: its arrival made the correction. */
export function arrivedAt({ changes }: Pick<ForecastDetail['corrections'][number], 'changes'>): string | null {
  return changes.find(({ field }) => field === 'warehouse_code')?.to ?? null;
}

/** Fields that hold the URL of a file → the kind of that file. */
const LINKED: Readonly<Record<string, 'pdf' | 'image'>> = { shipping_label: 'pdf', shipping_note: 'pdf', product_image: 'image' };

/** What a value of a field leads to; undefined when it is no URL of a file. @param field JSON path, such as `items[0].product_image` */
export function linkedKind(field: string, value: string): 'pdf' | 'image' | undefined {
  const name = field.slice(field.lastIndexOf('.') + 1);
  return /^https?:\/\//.test(value) && Object.hasOwn(LINKED, name) ? LINKED[name] : undefined;
}
