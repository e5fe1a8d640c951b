import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from '@jest/globals';
import type { ReadRow } from '../../domain/assemble-forecast.ts';
import { openPackage } from '../reading/open-package.ts';
import { readXlsx } from '../reading/read-xlsx.ts';
import { textSheet } from './text-sheet.ts';

type Part = readonly (readonly (string | number)[])[];

const fileOf = async (titles: readonly string[], ...parts: readonly Part[]): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await buffer(textSheet(titles, parts)));

async function rowsOf(content: Uint8Array<ArrayBuffer>): Promise<ReadRow[]> {
  const rows: ReadRow[] = [];
  for await (const part of readXlsx(content)) rows.push(...part.rows);
  return rows;
}

describe('a sheet of texts', () => {
  test('is read as it was written', async () => {
    const texts = [
      '4006381333931',
      '2026-12-20',
      '0012',
      "'=1",
      'a & <b> "c"',
      ' x ',
      'line 1\r\nline 2\ttab',
      '_x0041_',
      '\u0001\u0085\uffff',
      '订单😀',
    ];
    const content = await fileOf(
      ['PO', '', 'error'],
      [texts],
      [],
      [
        ['', '', 'x'],
        ['a\u0000b', '\ud800', 2.5],
      ],
    );
    expect(await rowsOf(content)).toEqual([
      { row: 1, cells: ['PO', null, 'error'] },
      { row: 2, cells: texts },
      { row: 3, cells: [null, null, 'x'] },
      // Characters that the API refuses stay as spreadsheet programs write them.
      { row: 4, cells: ['a_x0000_b', '_xD800_', 2.5] },
    ]);
  });

  test('has cells of texts alone, in the format of texts', async () => {
    const file = await openPackage(await fileOf(['PO', 'Qty'], [['1', '2']]));
    const read = async (path: string): Promise<string> => Buffer.concat(await (await file.open(path)).toArray()).toString();
    const sheet = await read('xl/worksheets/sheet1.xml');
    const cells = [...sheet.matchAll(/<c r="(\w+)" s="(\d)" t="(\w+)">/g)].map(([, ...found]) => found.join(' '));
    expect(cells).toEqual(['A1 2 inlineStr', 'B1 2 inlineStr', 'A2 1 inlineStr', 'B2 1 inlineStr']);
    expect(sheet).toContain('<col min="1" max="2" width="20" style="1" customWidth="1"/>');
    const formats = [...(await read('xl/styles.xml')).matchAll(/<xf numFmtId="(\d+)"[^>]* xfId="0"/g)].map(([, format]) => format);
    expect(formats).toEqual(['0', '49', '49']);
  });
});
