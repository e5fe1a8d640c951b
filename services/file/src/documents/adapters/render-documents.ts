import type { DocumentContent, RenderedDocuments } from '../domain/forecast-documents.ts';
import type { FontLibrary } from './font-library.ts';
import { writeCopies, writeLabel } from './label-document.ts';
import { writePackingSlip } from './packing-slip.ts';
import { PdfFile } from './pdf-file.ts';

/** Bytes that are gathered before they are passed on. */
const CHUNK_BYTES = 64 * 1024;

/**
 * Renders the documents of a forecast one after the other: the product label, the update that repeats it by quantity, and the packing slip. Yields
 * their bytes in pieces, and draws a piece only when it is taken: a slow reader slows the rendering.
 */
export function* renderDocuments(library: FontLibrary, content: DocumentContent): Generator<Uint8Array, RenderedDocuments> {
  let size = 0;
  let replacedCharacters = 0;
  const pieces = function* <T>(file: PdfFile, writing: Generator<void, T>): Generator<Uint8Array, T> {
    const take = (): Uint8Array => {
      const bytes = file.take();
      size += bytes.length;
      return bytes;
    };
    for (let step = writing.next(); ; step = writing.next()) {
      if (step.done ? file.pending > 0 : file.pending >= CHUNK_BYTES) yield take();
      if (step.done) return step.value;
    }
  };
  const notes = { withoutSymbol: 0 };
  const { forecastNo, at } = content;
  const label = new PdfFile(library, { title: `Product label ${forecastNo}`, at });
  const written = yield* pieces(label, writeLabel(label, content, notes));
  const labelEnd = size;
  const copiesEnd = (yield* pieces(label, writeCopies(label, content, written))) ? size : null;
  const slipStart = size;
  replacedCharacters += label.fonts.replaced;
  const slip = new PdfFile(library, { title: `Packing slip ${forecastNo}`, at });
  yield* pieces(slip, writePackingSlip(slip, content));
  return { sections: { labelEnd, copiesEnd, slipStart, size }, itemsWithoutSymbol: notes.withoutSymbol, replacedCharacters };
}
