import { expect, test } from '@jest/globals';
import { csvLine, FailedRowsCsv } from './failed-rows-csv.ts';

test('a line quotes what would be read otherwise', () => {
  expect(csvLine(['a', 'b,c', 'd"e', 'f\ng', ' h', '', 'i;j'])).toBe('a,"b,c","d""e","f\ng"," h",,"i;j"\r\n');
});

test('a file has the columns as they were, and why rows failed', () => {
  const csv = new FailedRowsCsv([
    { title: 'PO', field: 'po_number' },
    { title: 'Error', field: null },
    { title: 'Note', field: null },
  ]);
  expect(csv.head()).toBe('\ufeffPO,Note,error\r\n');
  expect(csv.line({ cells: [9405219000, 'old', true], errors: [{ message: 'a' }, { message: 'b' }] })).toBe('9405219000,TRUE,"a; b"\r\n');
  expect(csv.line({ cells: [], errors: [] })).toBe(',,\r\n');
});

test('what would be a formula is a text', () => {
  const csv = new FailedRowsCsv([
    { title: '=A1', field: null },
    { title: 'Qty', field: 'forecast_quantity' },
    { title: 'Note', field: null },
  ]);
  expect(csv.head()).toBe("\ufeff'=A1,Qty,Note,error\r\n");
  expect(csv.line({ cells: ['=HYPERLINK("x")', -5, '-5'], errors: [{ message: '=A1 is long' }] })).toBe(
    `"'=HYPERLINK(""x"")",-5,'-5,'=A1 is long\r\n`,
  );
});

test('what would be a formula in a program that separates cells by semicolons is a text', () => {
  const csv = new FailedRowsCsv([
    { title: 'PO', field: 'po_number' },
    { title: 'Note', field: null },
  ]);
  const line = csv.line({ cells: ['P1', 'lamp;=HYPERLINK("http://x");z'], errors: [{ message: '"a;=1" is long' }] });
  expect(line.split(';').filter((cell) => cell.startsWith('='))).toEqual([]);
  expect(line).toBe(`P1,"lamp;'=HYPERLINK(""http://x"");z","""a;'=1"" is long"\r\n`);
});
