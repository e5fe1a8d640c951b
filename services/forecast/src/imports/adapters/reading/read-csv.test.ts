import { describe, expect, test } from '@jest/globals';
import type { SheetPart } from '../../domain/sheet-reading.ts';
import { detectSeparator, readCsv } from './read-csv.ts';

async function partsOf(content: Buffer | string): Promise<SheetPart[]> {
  const parts: SheetPart[] = [];
  for await (const part of readCsv(new Uint8Array(Buffer.from(content as string)))) parts.push(part);
  return parts;
}
const rowsOf = async (content: Buffer | string) => (await partsOf(content)).flatMap(({ rows }) => rows);
const cellsOf = async (content: Buffer | string) => (await rowsOf(content)).map(({ cells }) => cells);

test.each([
  ['a,b,c', ','],
  ['a;b,c;d', ';'],
  ['a\tb', '\t'],
  ['"a;b;c",d', ','],
  ['\r\n\n;x', ';'],
  ['one', ','],
])('the separator of %j', (text, separator) => {
  expect(detectSeparator(text)).toBe(separator);
});

describe('a CSV file', () => {
  test('has rows as a spreadsheet program counts them', async () => {
    expect(await rowsOf('a,b\r\n\r\n"x\ny",1\r\n,,\r\n2,3')).toEqual([
      { row: 1, cells: ['a', 'b'] },
      { row: 3, cells: ['x\ny', '1'] },
      { row: 5, cells: ['2', '3'] },
    ]);
  });

  test.each<[string, Buffer | string]>([
    ['with a byte order mark', '\ufeffa,台灯'],
    ['of UTF-16', Buffer.from('\ufeffa,台灯', 'utf16le')],
    ['with semicolons', 'a;台灯\n'],
    ['that names its separator', 'sep=|\r\na|台灯'],
    ['of rows of different lengths', 'a,台灯\n1\n1,2,3'],
  ])('%s', async (_name, content) => {
    expect((await cellsOf(content))[0]).toEqual(['a', '台灯']);
    expect((await partsOf(content))[0]?.warnings).toEqual([]);
  });

  test('of GB18030 is read with a warning', async () => {
    const [part] = await partsOf(Buffer.concat([Buffer.from('a,'), Buffer.from([0xcc, 0xa8, 0xb5, 0xc6])]));
    expect(part?.rows[0]?.cells).toEqual(['a', '台灯']);
    expect(part?.warnings).toEqual([expect.stringContaining('GB18030')]);
  });

  test('of long rows comes in small parts', async () => {
    const parts = await partsOf(`${Array(12).fill('x'.repeat(4000)).join(',')}\n`.repeat(50));
    expect(parts.map(({ rows }) => rows.length)).toEqual([21, 21, 8]);
  });

  test('may have empty cells on the right, as many as a spreadsheet program can have', async () => {
    expect(await cellsOf(`a,b${','.repeat(16_382)}\r1${','.repeat(16_383)}\r`)).toEqual([['a', 'b'], ['1']]);
  });

  test.each<[string, Buffer | string, string, RegExp]>([
    ['a quote that is not closed', 'a,b\n"x,y\n1,2', '42205', /not closed near line/],
    ['a quote in front of a large rest', `a,"b\n${'x,y\n'.repeat(500_000)}`, '42205', /not closed/],
    ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 13]), '42205', /no text/],
    ['a cell far right', `${','.repeat(100)}x`, '42206', /Row 1 has more than 100 columns/],
    ['a million columns', ','.repeat(1_000_000 - 2).concat('x'), '42206', /16384 cells/],
    ['one long row of empty cells', ','.repeat(5_900_000), '42206', /A row of the CSV file has more than 16384 cells/],
    ['a row of few lines and many cells', `a\n${`${','.repeat(16_000)}"\n"`.repeat(2)}`, '42206', /Row 2 has more than 16384 cells/],
    ['a row of many lines and many cells', `a\n${`${','.repeat(16_000)}"\n"`.repeat(360)}`, '42206', /Row 2 has more than 16384 cells/],
    ['a long row', Array(20).fill('x'.repeat(4000)).join(','), '42206', /Row 1 has more than 65536 characters/],
    ['a long cell', 'x'.repeat(6000), '42206', /5000 characters/],
  ])('with %s is refused', async (_name, content, code, message) => {
    await expect(rowsOf(content)).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
  });
});

test('too many empty rows are refused, with separators or without', async () => {
  const read = async (count: number): Promise<number> => {
    let rows = 0;
    const content = `a,b${'\n'.repeat(count)}${',\n'.repeat(count)}1,2`;
    for await (const part of readCsv(new Uint8Array(Buffer.from(content)), 2000)) rows += part.rows.length;
    return rows;
  };
  expect(await read(1000)).toBe(2);
  await expect(read(1002)).rejects.toMatchObject({ code: '42206', message: expect.stringContaining('2000 empty rows') });
});

test('too many empty cells are refused', async () => {
  const content = `a,b${`${','.repeat(16_000)}\n`.repeat(376)}`;
  await expect(rowsOf(content)).rejects.toMatchObject({ code: '42206', message: expect.stringContaining('6000000 cells') });
}, 60_000);
