import type { BarcodeSummary } from '@parcelway/contracts/barcode-readings';
import type { FileFindings } from '@parcelway/contracts/file-findings';
import { findingMessages } from '@parcelway/contracts/pdf-warnings';
import type { Warning } from '@parcelway/contracts/warnings';
import type { PdfFindings } from './inspected-pdf.ts';
import { unusualSizes } from './page-sizes.ts';

/** What the URL of a file has of an inspection. @param barcodes the summary of what was read */
export function findingsForUrl(findings: PdfFindings, barcodes: BarcodeSummary): FileFindings {
  const { isReadable, isEncrypted, pages, sizes, barcodeSearch } = findings;
  return { isReadable, isEncrypted, pages, isSlow: isReadable && barcodeSearch === 'timed_out', ...unusualSizes(sizes), barcodes };
}

/**
 * What is unusual for a label or a packing list, by the rules of the contracts (pdf-warnings) and by what the URL has, so that an upload and a
 * submission warn of the same. The upload is accepted all the same.
 * @param findings undefined when the PDF was not inspected
 */
export function pdfWarnings(findings: PdfFindings | undefined): Warning[] {
  if (findings === undefined) return [];
  const published = findingsForUrl(findings, { hasNumber: false, readings: [] });
  return findingMessages(published).map(({ message }) => ({ field: 'file', message }));
}
