import type { BarcodeSummary } from '@parcelway/contracts/barcode-readings';
import type { FileReceipt } from '@parcelway/contracts/file-receipt';
import { findingMessages } from '@parcelway/contracts/pdf-warnings';
import type { Warning } from '@parcelway/contracts/warnings';
import { type CanonicalForecast, trackingNumbersOf } from '../../store/domain/canonical.ts';

/** The fields that name a file. */
export const fileFields = ['shipping_label', 'shipping_note'] as const;

export type ContentFiles = Readonly<Partial<Record<(typeof fileFields)[number], FileReceipt>>>;

export interface WarnedContent {
  readonly content: CanonicalForecast;
  readonly files: ContentFiles;
  /** True when one of the barcodes names one of the logistics numbers. */
  readonly namesAny: (barcodes: BarcodeSummary, numbers: readonly string[]) => boolean;
  /** Logistics numbers under which a scan went to a forecast of another tenant. */
  readonly scannedElsewhere: ReadonlySet<string>;
}

/** What is unusual about the files, by field. A label of type 2 has a barcode of the parcel that it is for. */
export function fileWarnings(warned: WarnedContent): Warning[] {
  const warnings: Warning[] = [];
  for (const field of fileFields) {
    const findings = warned.files[field]?.findings;
    if (findings === undefined) continue;
    const isLabel = field === 'shipping_label';
    for (const { kind, message } of findingMessages(findings)) {
      if (isLabel || kind !== 'mixed_sizes') warnings.push({ field, message });
    }
    if (isLabel && namesOthers(findings.barcodes, warned)) {
      warnings.push({
        field,
        message: 'No barcode of the shipping label names a declared tracking_number; check that it is the label of this forecast',
      });
    }
  }
  return warnings;
}

/** True when the barcodes of a label look like logistics numbers and none is a declared one. */
function namesOthers(barcodes: BarcodeSummary, { content, namesAny }: WarnedContent): boolean {
  if (content.forecast_type !== 2 || !barcodes.hasNumber) return false;
  const numbers = trackingNumbersOf(content);
  return numbers.length > 0 && !namesAny(barcodes, numbers);
}
