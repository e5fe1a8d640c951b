import { expect, test } from '@jest/globals';
import { cleanSpreadsheetName, kindOfFile } from './spreadsheet-kind.ts';

const zip = Buffer.from('PK\x03\x04....');
const ole = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);
const text = Buffer.from('PO,SKU\n');

test.each<[string, Buffer | undefined, string]>([
  ['a.csv', undefined, 'csv'],
  ['A.CSV', text, 'csv'],
  ['a.b.xlsx', zip, 'xlsx'],
  ['a.XLSX', undefined, 'xlsx'],
])('%s is taken', (name, head, kind) => {
  expect(kindOfFile(name, head)).toBe(kind);
});

test.each<[string, Buffer | undefined, RegExp]>([
  ['a.pdf', undefined, /\.csv or \.xlsx/],
  ['csv', undefined, /\.csv or \.xlsx/],
  ['a.xls', undefined, /old \.xls/],
  ['a.xlsx', ole, /password/],
  ['a.csv', ole, /password/],
  ['a.xlsx', text, /no \.xlsx/],
  ['a.csv', zip, /name it \.xlsx/],
])('%s is refused', (name, head, message) => {
  expect(() => kindOfFile(name, head)).toThrow(message);
});

test('names have no control characters, and keep their extension when they are cut', () => {
  expect(cleanSpreadsheetName('a\r\n\u0000.csv')).toBe('a.csv');
  expect(cleanSpreadsheetName(`${'x'.repeat(300)}.csv`)).toMatch(/^x{251}\.csv$/);
});
