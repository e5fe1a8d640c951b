import { buffer } from 'node:stream/consumers';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { app, useHarness } from '../../testing/forecast-harness.ts';
import { csvOf, ImportCaller } from '../../testing/import-forms.ts';
import type { ReadRow } from '../domain/assemble-forecast.ts';
import type { Cell } from '../domain/convert-cell.ts';
import { readXlsx } from './reading/read-xlsx.ts';
import { textSheet } from './writing/text-sheet.ts';

/* The file of failed rows, from one import to the next. */

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const CSV = 'text/csv; charset=utf-8';

useHarness();
let merchant: ImportCaller;
beforeEach(() => {
  merchant = new ImportCaller(app);
});

const failedRows = (importId: string, query = '') =>
  app.download('GET', `/open/v1/forecasts/import/${importId}/failed-rows${query}`, { tenant: 'tnt_a' });

async function cellsOf(content: Buffer): Promise<(readonly Cell[])[]> {
  const rows: ReadRow[] = [];
  for await (const part of readXlsx(new Uint8Array(content))) rows.push(...part.rows);
  return rows.map(({ cells }) => cells);
}

const writeXlsx = (head: readonly string[], rows: readonly (readonly (string | number)[])[]) => buffer(textSheet(head, [rows]));

/** A file of texts, as a spreadsheet program saves one that was corrected. */
function saved(rows: readonly (readonly Cell[])[]): Promise<Buffer> {
  const [head = [], ...others] = rows.map((cells) => cells.map((cell) => String(cell ?? '')));
  return writeXlsx(head, others);
}

const titles = ['PO', 'Type', 'Warehouse', 'SKU', 'Barcode', 'Name', 'Qty', 'Price', 'Weight', 'ETA', 'Remark'];
const good = [1, 'WH1', '0012', 4006381333931, '=SUM(A1) & <b>', 5, 0.25, 1 / 30, 46400, ' kept '] as const;
const wrong = [1, 'WH1', '0013', 4006381333932, 'Lamp', 0, 1, 2, 46400, ''] as const;

describe('the failed rows of an XLSX file', () => {
  test('come as XLSX, every cell a text as it was, and work again once they are corrected', async () => {
    const done = await merchant.run(
      'orders.xlsx',
      await writeXlsx(titles, [
        ['P1', ...good],
        ['P1', ...wrong],
        ['P2', ...good],
      ]),
    );
    expect(done).toMatchObject({ accepted: 1, failed: 2 });
    const { status, headers, bytes } = await failedRows(done.import_id);
    expect([status, headers['content-type'], headers['content-disposition'], headers['x-content-type-options']]).toEqual([
      200,
      XLSX,
      `attachment; filename="failed-${done.import_id}.xlsx"`,
      'nosniff',
    ]);
    const cells = await cellsOf(bytes);
    expect(cells).toEqual([
      [...titles, 'error'],
      [
        ...['P1', '1', 'WH1', '0012', '4006381333931', "'=SUM(A1) & <b>", '5', '0.25', '0.0333333333333333', '2027-01-13', ' kept '],
        'Row 3 of the same forecast has an error',
      ],
      [...['P1', '1', 'WH1', '0013', '4006381333932', 'Lamp', '0', '1', '2', '2027-01-13', null], 'Qty must be at least 1'],
    ]);
    const unchanged = await merchant.run('failed.xlsx', bytes);
    expect(unchanged).toMatchObject({ state: 'done', failed: 2, warnings: [{ field: 'Remark' }] });
    expect(await cellsOf((await failedRows(unchanged.import_id)).bytes)).toEqual(cells);
    const corrected = cells.map((row) => row.map((cell) => (cell === '0' ? '7' : cell)));
    expect(await merchant.run('failed.xlsx', await saved(corrected))).toMatchObject({ accepted: 2, failed: 0 });
    const { data } = await app.call('GET', '/open/v1/forecasts/P1');
    expect(data).toMatchObject({ due_date: '2027-01-13' });
    expect(data.items).toMatchObject([
      {
        sku_code: '0012',
        barcode: '4006381333931',
        product_name_en: '=SUM(A1) & <b>',
        forecast_quantity: 5,
        declared_weight_kg: 0.0333333333333333,
      },
      { sku_code: '0013', barcode: '4006381333932', forecast_quantity: 7 },
    ]);
  });
});

describe('the failed rows of a CSV file', () => {
  test('come as CSV, and as XLSX on request', async () => {
    const { import_id } = await merchant.run('orders.csv', csvOf([['P1', '0012', 0]]));
    const { headers, bytes } = await failedRows(import_id);
    expect([headers['content-type'], headers['content-disposition']]).toEqual([CSV, `attachment; filename="failed-${import_id}.csv"`]);
    expect(bytes.toString()).toContain('P1,1,WH1,0012,Lamp,0,Quantity must be at least 1');
    const other = await failedRows(import_id, '?format=xlsx');
    expect(other.headers['content-type']).toBe(XLSX);
    expect((await cellsOf(other.bytes))[1]).toEqual(['P1', '1', 'WH1', '0012', 'Lamp', '0', 'Quantity must be at least 1']);
  });
});
