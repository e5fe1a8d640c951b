import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipPart {
  readonly content: Buffer | string;
  /** Size that the file declares; default that of the content. */
  readonly declaredSize?: number;
}

/** A ZIP file, for spreadsheets that no program writes. */
export function zipFile(parts: Readonly<Record<string, ZipPart['content'] | ZipPart>>): Buffer {
  const locals: Buffer[] = [];
  const entries: Buffer[] = [];
  let at = 0;
  for (const [name, part] of Object.entries(parts)) {
    const { content, declaredSize } = typeof part === 'string' || Buffer.isBuffer(part) ? { content: part } : part;
    const bytes = Buffer.from(content as Buffer);
    const packed = deflateRawSync(bytes, { level: 1 });
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(declaredSize ?? bytes.length, 18);
    common.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, Buffer.from(name), packed]);
    const behind = Buffer.alloc(14);
    behind.writeUInt32LE(at, 10);
    entries.push(Buffer.concat([Buffer.from('PK\x01\x02'), Buffer.from([20, 0]), common, behind, Buffer.from(name)]));
    locals.push(local);
    at += local.length;
  }
  const directory = Buffer.concat(entries);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(at, 12);
  return Buffer.concat([...locals, directory, Buffer.from('PK\x05\x06'), end]);
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
