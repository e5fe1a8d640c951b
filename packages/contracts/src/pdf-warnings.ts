import type { FileFindings, PageFinding } from './file-findings.ts';

/*
 * When a label or a packing list is unusual, and the sentences that say so. The file service warns by them at an upload, the forecast
 * service at a submission that names the file; file-findings carries what was found from one to the other. Which page sizes are
 * unusual is decided where pages are measured: domain/inspected-pdf.ts of the file service.
 */

/** A label or packing list with more pages is unusual. */
export const MAX_USUAL_PAGES = 20;

/** Something unusual, for a warning. */
export interface FindingMessage {
  /** `mixed_sizes` matters to labels alone. */
  readonly kind: 'mixed_sizes' | 'other';
  readonly message: string;
}

const sizeOf = ({ page, width, height }: PageFinding): string => `Page ${page} is ${width} × ${height} mm`;

/** What is unusual for a label or a packing list, in words. */
export function findingMessages(findings: FileFindings): FindingMessage[] {
  const other = (message: string): FindingMessage => ({ kind: 'other', message });
  if (!findings.isReadable) return [other('The PDF is too complex to be checked; a printer may refuse it')];
  if (findings.isEncrypted) {
    return [other('The PDF is encrypted; the warehouse may be unable to print it. Upload it without a password')];
  }
  if (findings.pages === 0) return [other('The PDF has no page; check that it opens and prints')];
  const messages: FindingMessage[] = [];
  if (findings.pages > MAX_USUAL_PAGES) {
    messages.push(
      other(
        `The PDF has ${findings.pages} pages; labels and packing lists have at most ${MAX_USUAL_PAGES}. Check that it is the right file`,
      ),
    );
  }
  if (findings.unusual) {
    messages.push(
      other(
        `${sizeOf(findings.unusual)}, which neither a label printer nor an A4 or Letter printer prints without scaling. Usual are 100 × 150 mm (4 × 6 in), A4, A5, A6, Letter and rolls 50 to 110 mm wide`,
      ),
    );
  }
  if (findings.differing) {
    messages.push({
      kind: 'mixed_sizes',
      message: `${sizeOf(findings.differing)} and differs from page 1. The pages of a label have one size`,
    });
  }
  if (findings.isSlow) messages.push(other('Drawing the pages took too long, so that barcodes were not read; a printer may be slow, too'));
  return messages;
}
