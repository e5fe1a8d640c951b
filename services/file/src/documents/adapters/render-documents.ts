import type { DocumentContent, RenderedDocuments } from '../domain/forecast-documents.ts';
import type { FontLibrary } from './fonts.ts';
import { writeCopies, writeLabel } from './label-document.ts';
import { writePackingSlip } from './packing-slip.ts';
import { PdfFile } from './pdf-file.ts';

/** Renders the documents of a forecast one behind the other: the product label, the update that repeats it by quantity, and the packing slip. */
export function renderDocuments(library: FontLibrary, content: DocumentContent): RenderedDocuments {
  const notes = { withoutSymbol: 0 };
  const { forecastNo, at } = content;
  const label = new PdfFile(library, { title: `Product label ${forecastNo}`, at });
  const written = writeLabel(label, content, notes);
  const labelEnd = label.size;
  const copiesEnd = writeCopies(label, content, written) ? label.size : null;
  const slip = new PdfFile(library, { title: `Packing slip ${forecastNo}`, at });
  writePackingSlip(slip, content);
  const bytes = Buffer.concat([...label.chunks, ...slip.chunks]);
  return {
    bytes,
    sections: { labelEnd, copiesEnd, slipStart: label.size, size: bytes.length },
    itemsWithoutSymbol: notes.withoutSymbol,
    replacedCharacters: label.fonts.replaced,
  };
}
