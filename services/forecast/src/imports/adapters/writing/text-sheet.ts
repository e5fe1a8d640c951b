import { Zip, ZipDeflate } from 'fflate';

/** Widths of columns, in characters. */
const WIDTH = 20;
/** Of the compression: higher ones take twice the time for two per cent less. */
const LEVEL = 2;
/** Styles of cells: places in `cellXfs` below. */
const STYLES = { text: 1, title: 2 };

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

const relations = (...targets: readonly (readonly [type: string, target: string])[]): string =>
  `${XML}<Relationships xmlns="${PACKAGE}/relationships">${targets
    .map(([type, target], index) => `<Relationship Id="rId${index + 1}" Type="${OFFICE}/${type}" Target="${target}"/>`)
    .join('')}</Relationships>`;

/** The parts of the file beside the sheet. */
const frame: Readonly<Record<string, string>> = {
  '[Content_Types].xml': `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPE}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPE}.styles+xml"/></Types>`,
  '_rels/.rels': relations(['officeDocument', 'xl/workbook.xml']),
  'xl/workbook.xml': `${XML}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><bookViews><workbookView/></bookViews><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': relations(['worksheet', 'worksheets/sheet1.xml'], ['styles', 'styles.xml']),
  // 49 is the format of texts.
  'xl/styles.xml': `${XML}<styleSheet xmlns="${MAIN}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="3"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="49" fontId="1" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`,
};

/** What XML takes for markup or cannot have, and what would be read as the escape of a character. */
const UNSAFE = /[&<>\p{Cc}\p{Cs}\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)/gu;
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\t': '\t', '\n': '\n' };

/** Texts that lose something unless their elements keep blanks. */
const BLANK_ENDS = /^\s|\s$|\n/;

/** A text as XML has it; other characters as spreadsheet programs write them: ECMA-376, part 1, 22.9.2.19. */
function escaped(text: string): string {
  return text.replace(UNSAFE, (found) => {
    const hex = found.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
    return ENTITIES[found] ?? `_x${hex}_`;
  });
}

/** Letters of a column, counted from 0: such as AB for 27. */
export function lettersOf(column: number): string {
  const last = String.fromCharCode(65 + (column % 26));
  return column < 26 ? last : lettersOf(Math.floor(column / 26) - 1) + last;
}

/** Cells of a row. An empty text is no cell. */
type Cells = readonly (string | number)[];

/** @param number of the row, from 1 */
function rowOf(number: number, cells: Cells, style: number): string {
  const written = cells.map((cell, column) => {
    if (cell === '') return '';
    const place = `${lettersOf(column)}${number}`;
    if (typeof cell === 'number') return `<c r="${place}"><v>${cell}</v></c>`;
    const space = BLANK_ENDS.test(cell) ? ' xml:space="preserve"' : '';
    return `<c r="${place}" s="${style}" t="inlineStr"><is><t${space}>${escaped(cell)}</t></is></c>`;
  });
  return `<row r="${number}">${written.join('')}</row>`;
}

/** Rows in some parts. */
type Parts = Iterable<readonly Cells[]> | AsyncIterable<readonly Cells[]>;

async function* sheetOf(titles: readonly string[], parts: Parts): AsyncGenerator<string, void, void> {
  yield `${XML}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>`;
  // What is typed into a further row is a text as well.
  yield `<cols><col min="1" max="${titles.length}" width="${WIDTH}" style="${STYLES.text}" customWidth="1"/></cols><sheetData>`;
  yield rowOf(1, titles, STYLES.title);
  let number = 1;
  for await (const rows of parts) {
    yield rows
      .map((cells) => {
        number += 1;
        return rowOf(number, cells, STYLES.text);
      })
      .join('');
  }
  // Digits as texts are meant: no green triangle in each cell.
  yield `</sheetData><ignoredErrors><ignoredError sqref="A1:${lettersOf(titles.length - 1)}${number}" numberStoredAsText="1"/></ignoredErrors></worksheet>`;
}

/**
 * An XLSX file with one sheet whose texts are cells of texts, so that a spreadsheet program keeps them as they are. It is made while it is read: one part of
 * the rows is in memory at a time.
 * @param titles at least one
 * @param parts of the rows, in their order
 * @throws what `parts` throws
 */
export async function* textSheet(titles: readonly string[], parts: Parts): AsyncGenerator<Uint8Array, void, void> {
  const ready: Uint8Array[] = [];
  const zip = new Zip((error, chunk) => {
    if (error) throw error;
    ready.push(chunk);
  });
  const encoder = new TextEncoder();
  const framed = Object.entries(frame).map(([name, content]) => [name, [content]] as const);
  for (const [name, content] of [...framed, ['xl/worksheets/sheet1.xml', sheetOf(titles, parts)] as const]) {
    const part = new ZipDeflate(name, { level: LEVEL });
    zip.add(part);
    for await (const text of content) {
      part.push(encoder.encode(text));
      yield* ready.splice(0);
    }
    part.push(new Uint8Array(), true);
  }
  zip.end();
  yield* ready.splice(0);
}
