import type { Warning } from '@parcelway/contracts/forecast-api';
import type { PdfFindings } from './pdf-findings.ts';

/** A label or packing list with more pages is unusual. */
export const MAX_USUAL_PAGES = 20;

/**
 * What is unusual for a label or a packing list. The upload is accepted all the same.
 * @param findings undefined when the PDF was not inspected
 */
export function pdfWarnings(findings: PdfFindings | undefined): Warning[] {
  if (findings === undefined) return [];
  const warn = (message: string): Warning[] => [{ field: 'file', message }];
  if (!findings.isReadable) return warn('The PDF is too complex to be checked; a printer may refuse it');
  if (findings.isEncrypted) return warn('The PDF is encrypted; the warehouse may be unable to print it. Upload it without a password');
  if (findings.pages === 0) return warn('The PDF has no page; check that it opens and prints');
  if (findings.pages <= MAX_USUAL_PAGES) return [];
  return warn(
    `The PDF has ${findings.pages} pages; labels and packing lists have at most ${MAX_USUAL_PAGES}. Check that it is the right file`,
  );
}
