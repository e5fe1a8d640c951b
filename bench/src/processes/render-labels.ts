import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib';
import { FontLibrary } from '@parcelway/service-file/adapters/documents/font-library';
import { renderDocuments } from '@parcelway/service-file/adapters/documents/render-documents';
import { labelContent } from '../label-content.ts';

/*
 * Makes PDFs and prints { milliseconds }, the CPU time of each. Arguments: `documents`, the documents of a forecast as the file service renders them, or
 * `page`, one page with one line of text by another library; how many; how many items each forecast has.
 */

const [kind = 'page', count = '100', itemCount = '3'] = process.argv.slice(2);

function documents(): (index: number) => void {
  const library = new FontLibrary();
  return (index) => {
    for (const _piece of renderDocuments(library, labelContent(index, Number(itemCount))));
  };
}

async function page(index: number): Promise<void> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  document.addPage([283, 425]).drawText(`Cotton T-shirt number ${index}`, { x: 10, y: 400, size: 12, font });
  await document.save();
}

const make = kind === 'documents' ? documents() : page;
for (let index = 0; index < Math.min(30, Number(count)); index += 1) await make(index);
const before = process.cpuUsage();
for (let index = 0; index < Number(count); index += 1) await make(index);
const { user, system } = process.cpuUsage(before);
process.stdout.write(JSON.stringify({ milliseconds: (user + system) / 1000 / Number(count) }));
