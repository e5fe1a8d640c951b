import { deflateSync } from 'node:zlib';
import { PDFDocument } from '@cantoo/pdf-lib';
import { type RenderOptions, toBuffer } from 'bwip-js/node';

/** 4 × 6 inches in points. */
export const LABEL: readonly [number, number] = [288, 432];
export const A4: readonly [number, number] = [595.28, 841.89];

/** A page of a PDF: its size in points, and the barcodes on it. */
export interface SamplePage {
  readonly size?: readonly [number, number];
  readonly barcodes?: readonly RenderOptions[];
  /** Turns the barcodes by 90 degrees. */
  readonly isTurned?: boolean;
  /** Draws the barcodes small, each in a corner of the page and 6 points from its edges. */
  readonly inCorners?: boolean;
}

export interface SampleOptions {
  readonly useObjectStreams?: boolean;
  readonly password?: string;
  /** Without it the PDF opens, but says that it is encrypted. */
  readonly needsPassword?: boolean;
}

/** Where a barcode of a page is, and the room it has: below the one before, or in a corner. */
function placeOf({ size: [width, height] = LABEL, barcodes = [], inCorners = false }: SamplePage, index: number) {
  const share = height / (barcodes.length + 1);
  if (!inCorners) {
    return { room: { width: width - 40, height: share - 20 }, at: () => ({ x: 20, y: height - (index + 1) * share }) };
  }
  const at = (wide: number, high: number) => ({ x: index % 2 === 0 ? 6 : width - wide - 6, y: index < 2 ? 6 : height - high - 6 });
  return { room: { width: 180, height: 60 }, at };
}

/** A PDF of these pages. The barcodes stand one below the other, or in corners. */
export async function pdfOfPages(pages: readonly SamplePage[], options: SampleOptions = {}): Promise<Buffer> {
  const { useObjectStreams = true, password, needsPassword = true } = options;
  const document = await PDFDocument.create();
  for (const sample of pages) {
    const { size = LABEL, barcodes = [], isTurned = false } = sample;
    const page = document.addPage([...size]);
    for (const [index, barcode] of barcodes.entries()) {
      const image = await document.embedPng(await toBuffer({ scale: 3, ...(isTurned && { rotate: 'R' }), ...barcode }));
      const { room, at } = placeOf(sample, index);
      const { width, height } = image.scaleToFit(room.width, room.height);
      page.drawImage(image, { ...at(width, height), width, height });
    }
  }
  if (password !== undefined) document.encrypt({ ownerPassword: password, ...(needsPassword && { userPassword: password }) });
  return Buffer.from(await document.save({ useObjectStreams, addDefaultPage: false }));
}

/** A PDF of the given objects; object 1 is its catalogue. */
export function pdfOfObjects(objects: readonly (string | Buffer)[]): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.5\n')];
  for (const [index, object] of objects.entries())
    parts.push(Buffer.from(`${index + 1} 0 obj\n`), Buffer.from(object), Buffer.from('\nendobj\n'));
  return Buffer.concat([...parts, Buffer.from('trailer\n<</Root 1 0 R>>\nstartxref\n0\n%%EOF\n')]);
}

/** A stream that is compressed on top of what its content is. */
export function deflated(dictionary: string, content: Buffer | string): Buffer {
  const stream = deflateSync(content);
  return Buffer.concat([
    Buffer.from(`<<${dictionary}/Filter/FlateDecode/Length ${stream.length}>>\nstream\n`),
    stream,
    Buffer.from('\nendstream'),
  ]);
}

/** A PDF of one page that draws `content`. @param resources of the page @param further objects from number 5 */
export function pdfOfContent(
  content: string,
  resources = '',
  further: readonly (string | Buffer)[] = [],
  mediaBox = '0 0 288 432',
): Buffer {
  return pdfOfObjects([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    `<</Type/Page/Parent 2 0 R/MediaBox[${mediaBox}]/Resources<<${resources}>>/Contents 4 0 R>>`,
    deflated('', content),
    ...further,
  ]);
}
