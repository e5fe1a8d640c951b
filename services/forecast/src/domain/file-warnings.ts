import { type FileFindings, findingMessages } from '@parcelway/contracts/file-findings';
import type { Warning } from '@parcelway/contracts/forecast-api';
import { type CanonicalForecast, trackingNumbersOf } from './canonical.ts';

/** A file that was inspected when it was uploaded. */
export interface InspectedFile {
  readonly findings: FileFindings;
  /** True when one of its barcodes names one of the logistics numbers. */
  readonly namesAny: (numbers: readonly string[]) => boolean;
}

/** What is unusual about the files of a forecast, by field. A label of type 2 has a barcode of the parcel that it is for. */
export function fileWarnings(forecast: CanonicalForecast, inspectedFile: (url: string) => InspectedFile | undefined): Warning[] {
  const warnings: Warning[] = [];
  for (const field of ['shipping_label', 'shipping_note'] as const) {
    const url = forecast[field];
    const file = url === undefined ? undefined : inspectedFile(url);
    if (file === undefined) continue;
    const isLabel = field === 'shipping_label';
    for (const { kind, message } of findingMessages(file.findings)) {
      if (isLabel || kind !== 'mixed_sizes') warnings.push({ field, message });
    }
    if (isLabel && namesOthers(forecast, file)) {
      warnings.push({
        field,
        message: 'No barcode of the shipping label names a declared tracking_number; check that it is the label of this forecast',
      });
    }
  }
  return warnings;
}

/** True when the barcodes of a label look like logistics numbers and none is a declared one. */
function namesOthers(forecast: CanonicalForecast, { findings, namesAny }: InspectedFile): boolean {
  const numbers = trackingNumbersOf(forecast);
  return forecast.forecast_type === 2 && findings.barcodes.hasNumber && numbers.length > 0 && !namesAny(numbers);
}
