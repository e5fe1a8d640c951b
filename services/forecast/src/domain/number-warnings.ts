import { checkDigitWarning } from '@parcelway/contracts/carrier-detection/check-digit-warning';
import type { ForecastItem } from '@parcelway/contracts/forecast-submission-api';
import { normaliseTrackingNumber } from '@parcelway/contracts/tracking-number';
import type { Warning } from '@parcelway/contracts/warnings';

/**
 * Warns of logistics numbers that look mistyped, each number once, at the first item that has it.
 * @param items valid, as received
 */
export function numberWarnings(items: readonly ForecastItem[]): Warning[] {
  const warnings: Warning[] = [];
  const seen = new Set<string>();
  for (const [index, { tracking_number }] of items.entries()) {
    if (tracking_number === undefined) continue;
    const number = normaliseTrackingNumber(tracking_number);
    if (seen.has(number)) continue;
    seen.add(number);
    const warning = checkDigitWarning(`items[${index}].tracking_number`, number);
    if (warning !== undefined) warnings.push(warning);
  }
  return warnings;
}
