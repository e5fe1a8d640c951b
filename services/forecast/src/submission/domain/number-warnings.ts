import { checkDigitWarning } from '@parcelway/contracts/carrier-detection/check-digit-warning';
import type { ForecastItem } from '@parcelway/contracts/forecast-submission-api';
import { normaliseTrackingNumber } from '@parcelway/contracts/tracking-number';
import type { Warning } from '@parcelway/contracts/warnings';

/**
 * Warns of logistics numbers that look mistyped, or whose parcel may have gone to somebody else, each number once, at the first item that has it.
 * @param items valid, as received
 * @param scannedElsewhere numbers under which a scan went to a forecast of another tenant
 */
export function numberWarnings(items: readonly ForecastItem[], scannedElsewhere: ReadonlySet<string>): Warning[] {
  const warnings: Warning[] = [];
  const seen = new Set<string>();
  for (const [index, { tracking_number }] of items.entries()) {
    if (tracking_number === undefined) continue;
    const number = normaliseTrackingNumber(tracking_number);
    if (seen.has(number)) continue;
    seen.add(number);
    const field = `items[${index}].tracking_number`;
    if (scannedElsewhere.has(number)) {
      const message =
        'The warehouse has scanned a parcel with this number, and the scan went elsewhere. Ask the warehouse if the parcel is yours';
      warnings.push({ field, message });
    }
    const warning = checkDigitWarning(field, number);
    if (warning !== undefined) warnings.push(warning);
  }
  return warnings;
}
