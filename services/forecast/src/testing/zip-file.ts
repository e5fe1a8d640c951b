import { zipSync } from 'fflate';

export interface ZipPart {
  readonly content: Buffer | string;
  /** Size that the file declares; default that of the content. */
  readonly declaredSize?: number;
}

/** A ZIP file, for spreadsheets that no program writes. */
export function zipFile(parts: Readonly<Record<string, ZipPart['content'] | ZipPart>>): Buffer {
  const all = Object.entries(parts).map(([name, part]): [string, ZipPart] => [
    name,
    typeof part === 'string' || Buffer.isBuffer(part) ? { content: part } : part,
  ]);
  const contents = all.map(([name, { content }]) => [name, new Uint8Array(Buffer.from(content as Buffer))] as const);
  const file = Buffer.from(zipSync(Object.fromEntries(contents), { level: 1 }));
  for (const [name, { declaredSize }] of all) {
    if (declaredSize === undefined) continue;
    // In front of the part, and in the directory at the end.
    file.writeUInt32LE(declaredSize, file.indexOf(name) - 8);
    file.writeUInt32LE(declaredSize, file.lastIndexOf(name) - 22);
  }
  return file;
}

const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const relations = (...targets: readonly (readonly [type: string, target: string])[]): string =>
  `<Relationships>${targets.map(([type, target], index) => `<Relationship Id="r${index + 1}" Type="${RELATIONS}/${type}" Target="${target}"/>`).join('')}</Relationships>`;

/** The parts of a spreadsheet with this sheet. @param sheetData elements inside `sheetData` @param texts those that cells refer to */
export function xlsxParts(sheetData: string, texts: readonly string[] = [], workbook = ''): Record<string, ZipPart['content'] | ZipPart> {
  return {
    '_rels/.rels': relations(['officeDocument', 'xl/workbook.xml']),
    'xl/workbook.xml': `<workbook xmlns:r="${RELATIONS}">${workbook}<sheets><sheet name="One" r:id="r1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations(['worksheet', 'worksheets/sheet1.xml'], ['sharedStrings', 'sharedStrings.xml']),
    'xl/sharedStrings.xml': `<sst>${texts.map((text) => `<si><t>${text}</t></si>`).join('')}</sst>`,
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${sheetData}</sheetData></worksheet>`,
  };
}
