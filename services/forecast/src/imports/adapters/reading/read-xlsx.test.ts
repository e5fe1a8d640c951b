import { Readable } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import { MAX_CELL_CHARACTERS } from '@parcelway/contracts/import-limits';
import { xlsxParts, type ZipPart, zipFile } from '../../../testing/zip-file.ts';
import type { SheetPart } from '../../domain/sheet-reading.ts';
import { columnOf, readXlsx } from './read-xlsx.ts';
import { ElementCount, readXml } from './xml-events.ts';

async function partsOf(content: Buffer): Promise<SheetPart[]> {
  const parts: SheetPart[] = [];
  for await (const part of readXlsx(new Uint8Array(content))) parts.push(part);
  return parts;
}

const rowsOf = async (content: Buffer) => (await partsOf(content)).flatMap(({ rows }) => rows);

const sheet = (data: string, texts: readonly string[] = [], workbook = ''): Buffer => zipFile(xlsxParts(data, texts, workbook));

const having = (changes: Record<string, ZipPart['content'] | ZipPart>, data = ''): Buffer => zipFile({ ...xlsxParts(data), ...changes });

test.each([
  ['A1', 0],
  ['Z9', 25],
  ['AB12', 27],
  ['XFD1', 16_383],
  ['', undefined],
  ['12', undefined],
])('the column of %s', (reference, column) => {
  expect(columnOf(reference)).toBe(column);
});

describe('an XLSX file', () => {
  test('has texts of every kind, numbers, truth values, errors, and formulas with their saved values', async () => {
    const cells = [
      '<c r="A3" t="s"><v>0</v></c>',
      '<c r="B3" t="inlineStr"><is><t>in</t><r><t>line</t></r><rPh><t>xx</t></rPh></is></c>',
      '<c r="C3"><v>1.5E2</v></c>',
      '<c r="D3" t="b"><v>1</v></c>',
      '<c r="E3" t="e"><f>A/0</f><v>#DIV/0!</v></c>',
      '<c r="F3" t="str"><f>A&amp;B</f><v>saved</v></c>',
      '<c r="G3"><f>NOW()</f></c>',
      '<c r="H3" s="3"/>',
      '<c r="J3"><v>7</v></c>',
    ];
    const content = sheet(`<row r="2"/><row r="3">${cells.join('')}</row><row><c><v>8</v></c><c><v>9</v></c></row>`, ['a &amp; b']);
    expect(await rowsOf(content)).toEqual([
      { row: 3, cells: ['a & b', 'inline', 150, true, { error: '#DIV/0!' }, 'saved', null, null, null, 7] },
      { row: 4, cells: [8, 9] },
    ]);
  });

  test('says that days are counted from 1904, and that there are further sheets', async () => {
    const content = having(
      {
        'xl/workbook.xml':
          '<x:workbook xmlns:x="x" xmlns:q="q"><x:workbookPr date1904="1"/><x:sheets><x:sheet name="H" state="hidden" q:id="r9"/><x:sheet name="A" q:id="r1"/><x:sheet name="B" q:id="r1"/></x:sheets></x:workbook>',
      },
      '<row><c><v>1</v></c></row>',
    );
    expect((await partsOf(content))[0]).toEqual({
      rows: [{ row: 1, cells: [1] }],
      warnings: ['Only the first sheet, A, is read; the file has 2'],
      countsFrom1904: true,
    });
  });
});

describe('a hostile or damaged file', () => {
  const row = (cells: string): string => `<row r="5">${cells}</row>`;
  const megabyte = 1024 * 1024;
  const spaces = (megabytes: number): Buffer => Buffer.alloc(megabytes * megabyte, 32);

  test.each<[string, () => Buffer, string, RegExp]>([
    ['is no ZIP file', () => Buffer.from('PK not really'), '42205', /damaged/],
    ['is cut off', () => sheet('<row/>').subarray(0, 300), '42205', /damaged/],
    ['has no workbook', () => zipFile({ 'a.txt': 'x' }), '42205', /damaged/],
    ['lacks its sheet', () => having({ 'xl/_rels/workbook.xml.rels': '<Relationships/>' }), '42205', /no visible sheet/],
    ['has a sheet that is no XML', () => having({ 'xl/worksheets/sheet1.xml': '<worksheet><sheetData><row>' }), '42205', /no XML/],
    ['defines entities', () => having({ 'xl/worksheets/sheet1.xml': '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>' }), '42205', /no XML/],
    ['unpacks to 200 MB', () => having({ 'xl/media/a.bin': { content: 'x', declaredSize: 200 * megabyte } }), '42206', /160 MB/],
    [
      'hides 20 MB behind a small size',
      () => having({ 'xl/worksheets/sheet1.xml': { content: spaces(20), declaredSize: 1000 } }),
      '42205',
      /./,
    ],
    [
      'has 70 MB of texts',
      () => having({ 'xl/sharedStrings.xml': { content: 'x', declaredSize: 70 * megabyte } }),
      '42206',
      /too much text/,
    ],
    ['has a cell far right', () => sheet(row('<c r="XFD5"><v>1</v></c>')), '42206', /Row 5 has more than 100 columns/],
    ['has a column of four letters', () => sheet(row(`${'<c><v>1</v></c>'.repeat(101)}`)), '42206', /columns/],
    ['has a cell behind the last column', () => sheet(row('<c r="XFE5"/>')), '42206', /Row 5 has more than 16384 cells/],
    ['has an empty cell very often', () => sheet(row('<c r="A5"/>'.repeat(16_385))), '42206', /Row 5 has more than 16384 cells/],
    ['has a long cell', () => sheet(row(`<c t="str"><v>${'x'.repeat(MAX_CELL_CHARACTERS + 1)}</v></c>`)), '42206', /row 5.*5000/],
    ['has a cell of 4 MB', () => sheet(row(`<c t="str"><v>${'x'.repeat(4_000_000)}</v></c>`)), '42206', /row 5/],
    ['has 3000 parts', () => zipFile(Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [`${index}`, 'x']))), '42206', /parts/],
  ])('%s', async (_name, content, code, message) => {
    await expect(rowsOf(content())).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
  });

  test.each([
    ['repeats', '<row r="5"><c><v>1</v></c></row><row r="5"><c><v>2</v></c></row>'],
    ['falls', '<row r="5"><c><v>1</v></c></row><row r="4"><c><v>2</v></c></row>'],
    ['is no row of a spreadsheet', '<row r="1048577"><c><v>1</v></c></row>'],
    ['rises above the last row', '<row r="1048576"/><row><c><v>1</v></c></row>'],
    ['is huge', '<row r="1e300"><c><v>1</v></c></row>'],
    ['is no number', '<row r="x"><c><v>1</v></c></row>'],
  ])('has a row number that %s', async (_name, data) => {
    await expect(rowsOf(sheet(data))).rejects.toMatchObject({ code: '42205', message: expect.stringContaining('not in order') });
  });

  test('multiplies a text: rows are refused, and parts stay small', async () => {
    const texts = ['x'.repeat(5000)];
    const cell = '<c t="s"><v>0</v></c>';
    await expect(rowsOf(sheet(`<row>${cell.repeat(14)}</row>`, texts))).rejects.toMatchObject({
      code: '42206',
      message: expect.stringContaining('Row 1 has more than 65536 characters'),
    });
    const parts = await partsOf(sheet(`<row>${cell.repeat(13)}</row>`.repeat(500), texts));
    expect(parts.flatMap(({ rows }) => rows)).toHaveLength(500);
    expect(Math.max(...parts.map(({ rows }) => rows.length))).toBe(16);
  });
});

test('a part that unpacks to many times its size is refused', async () => {
  const content = sheet('<a/>'.repeat(2_200_000));
  await expect(rowsOf(content)).rejects.toMatchObject({ code: '42206', message: expect.stringContaining('100 times its size') });
});

test('numbers have the 15 digits that spreadsheet programs show', async () => {
  const values = ['0.30000000000000004', '1.1499999999999999', '123456789012345678', '1E+300', '-2.2000000000000002'];
  const cells = values.map((value) => `<c><v>${value}</v></c>`).join('');
  expect(await rowsOf(sheet(`<row>${cells}</row>`))).toEqual([{ row: 1, cells: [0.3, 1.15, 123456789012345680, 1e300, -2.2] }]);
});

test('characters that XML cannot have are read, in texts of every kind', async () => {
  const escaped = 'line 1_x000D_\nline 2 _x005F_x0041_ _xyz_';
  const cells = ['<c t="s"><v>0</v></c>', `<c t="inlineStr"><is><t>${escaped}</t></is></c>`, `<c t="str"><f>A</f><v>${escaped}</v></c>`];
  const shown = 'line 1\r\nline 2 _x0041_ _xyz_';
  expect(await rowsOf(sheet(`<row>${cells.join('')}</row>`, [escaped]))).toEqual([{ row: 1, cells: [shown, shown, shown] }]);
});

test('what would be half a character or none of a text stays as it is written', async () => {
  const cells = ['a_xD83D__xDE9A_b', 'a_xD83D_b', '_xDE9A__xD83D_', 'a_x0000_b', 'a_x001b_b', '_x0009_b_x0085_', '_xd83d__x005F_'];
  const shown = ['a🚚b', 'a_xD83D_b', '_xDE9A__xD83D_', 'a_x0000_b', 'a\u001bb', '\tb\u0085', '_xd83d__'];
  const row = cells.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join('');
  expect(await rowsOf(sheet(`<row>${row}</row>`))).toEqual([{ row: 1, cells: shown }]);
});

test('the elements of all parts of a file are counted, also those that mean nothing', async () => {
  const elements = new ElementCount(5);
  const read = (xml: string): Promise<void> => readXml(Readable.from([Buffer.from(xml)]), {}, elements);
  await read('<a><b/><b/></a>');
  await read('<a><b/></a>');
  await expect(read('<a/>')).rejects.toMatchObject({ code: '42206', message: expect.stringContaining('more than 5 XML elements') });
});
