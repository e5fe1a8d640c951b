import { Buffer } from 'node:buffer';
import bwip from 'bwip-js';

/** What surrounds the barcode. */
export interface Code128PdfOptions {
  /** Sizes of the pages in points; 4 × 6 inches unless given. */
  readonly pages?: readonly (readonly [number, number])[] | undefined;
  /** Makes the content, and so its digests, distinct. */
  readonly mark: string;
}

/** A PDF whose first page shows a Code 128 of the text, drawn as bars. */
export function code128Pdf(text: string, { pages = [[288, 432]], mark }: Code128PdfOptions): Buffer {
  let x = 20;
  let stream = `% ${mark}\n`;
  const [symbol] = bwip.raw({ bcid: 'code128', text });
  // Widths of bars and spaces in turn.
  const widths = symbol !== undefined && 'sbs' in symbol ? symbol.sbs : [];
  for (const [index, width] of widths.entries()) {
    if (index % 2 === 0) stream += `${x.toFixed(2)} 200 ${width.toFixed(2)} 60 re f\n`;
    x += width;
  }
  const kids = pages.map((_size, index) => `${index + 4} 0 R`).join(' ');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    ...pages.map(
      ([width, height], index) =>
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}]${index === 0 ? ' /Contents 3 0 R' : ''} >>`,
    ),
  ];
  const body = objects.map((object, index) => `${index + 1} 0 obj\n${object}\nendobj\n`).join('');
  return Buffer.from(`%PDF-1.4\n${body}trailer\n<< /Root 1 0 R >>\nstartxref\n0\n%%EOF\n`, 'latin1');
}
