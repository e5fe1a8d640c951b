import { expect, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import { intakeMigrations } from '@parcelway/service-warehouse-intake/adapters/sqlite-migrations';
import { SqliteView } from '@parcelway/service-warehouse-intake/view/adapters/sqlite-view';
import { followView } from '@parcelway/service-warehouse-intake/view/follow-view';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import { scansOf, viewEventsOf } from '../view/view-sample.ts';
import { type CopyStore, copyForecast, numbersOfCopy, type Stored, type StoredPart } from './forecast-copies.ts';
import { sqliteCopies } from './sqlite-copies.ts';

const WAREHOUSE = 'W1';
const COPIES = 3;
const original = scansOf(1);

function openView() {
  const db = new SqliteDatabase(':memory:');
  db.migrate(intakeMigrations);
  const view = new SqliteView(db, new ManualClock(0));
  // The events carry their items.
  const large = { add: (events: readonly unknown[]) => expect(events).toEqual([]) };
  const rows = () => ({
    forecasts: db.all(
      'SELECT forecast_no, warehouse_code, tenant_id, status, due_date, closed_at, forecast FROM view_forecasts ORDER BY forecast_no LIMIT 100',
    ),
    items: db.all('SELECT * FROM view_items ORDER BY forecast_no LIMIT 100'),
    keys: db.all('SELECT * FROM view_keys ORDER BY key, forecast_no LIMIT 1000'),
    sequences: db.all<{ stamp: number }>('SELECT DISTINCT stamp FROM view_forecasts LIMIT 100').length,
  });
  return { db, rows, follow: followView.bind(undefined, { view, large }) };
}

/** A store of one table. */
function memoryStore(part: string, ...rows: Stored[]): CopyStore & { readonly rows: Stored[] } {
  return {
    service: 'memory',
    rows,
    read: async () => [{ name: part, rows: [...rows] }],
    insert: async (_, more) => void rows.push(...more),
    close: async () => undefined,
  };
}

test('a copy has the rows that the events of such a forecast leave', async () => {
  const copied = openView();
  const followed = openView();
  const { accepted, documents, arrived } = viewEventsOf(1, WAREHOUSE);
  for (let index = 0; index <= COPIES; index += 1) {
    const { forecastNo, poNumber } = index === 0 ? original : numbersOfCopy(original, index);
    const of = <T>(event: T): T =>
      JSON.parse(JSON.stringify(event).replaceAll(original.forecastNo, forecastNo).replaceAll(original.poNumber, poNumber));
    for (const { follow } of index === 0 ? [copied, followed] : [followed]) await follow([of(accepted), of(documents), of(arrived)]);
  }
  await copyForecast([sqliteCopies('warehouse-intake', copied.db)], original, COPIES);
  const rows = copied.rows();
  expect(rows).toEqual(followed.rows());
  expect([rows.forecasts.length, rows.items.length, rows.sequences]).toEqual([COPIES + 1, COPIES + 1, COPIES + 1]);
});

test('what distinguishes documents is the same in all stores of a copy, and no two copies share it', async () => {
  const { forecastNo, poNumber } = original;
  const token = 'ueWJO3QIi0hJNdLlXWhw8Q';
  const file = memoryStore('documents', {
    forecast_no: forecastNo,
    label_token: token,
    storage_key: `document/${'0a'.repeat(16)}`,
    size: 7,
  });
  const progress = { documents: [{ url: `https://api.example.test/files/${token}.pdf` }] };
  const at = new Date(0);
  const others = { forecast_no: 'FC0', po_number: 'PO-0' };
  const forecast = memoryStore('forecasts', { forecast_id: 7, po_number: poNumber, created_at: 1000, progress, at }, others);
  await copyForecast([file, forecast], original, 2000);
  for (const [store, field] of [
    [file, 'label_token'],
    [file, 'storage_key'],
    [file, 'forecast_no'],
    [forecast, 'po_number'],
  ] as const) {
    expect(new Set(store.rows.map((row) => row[field])).size).toBe(store.rows.length);
  }
  const [, second] = file.rows.slice(1) as [Stored, { readonly label_token: string; readonly storage_key: string }];
  expect(second).toMatchObject({ forecast_no: numbersOfCopy(original, 2).forecastNo, size: 7 });
  expect([second.label_token.length, second.storage_key.length]).toEqual([token.length, 'document/'.length + 32]);
  expect(forecast.rows).toHaveLength(2 + 2000);
  expect(forecast.rows[3]).toEqual({
    forecast_id: 9,
    po_number: numbersOfCopy(original, 2).poNumber,
    created_at: 998,
    progress: { documents: [{ url: `https://api.example.test/files/${second.label_token}.pdf` }] },
    at,
  });
});

test('nothing is copied while something waits, nor before every service has stored something', async () => {
  const row = { forecast_no: original.forecastNo };
  const looks: StoredPart[][] = [
    [{ name: 'forecasts', rows: [{ ...row, outbox: [] }] }],
    [
      { name: 'forecasts', rows: [row] },
      { name: 'document_orders', rows: [row] },
    ],
    [{ name: 'forecasts', rows: [] }],
    [{ name: 'forecasts', rows: [row] }],
  ];
  const inserted: Stored[] = [];
  const store: CopyStore = {
    service: 'forecast',
    read: async () => looks.shift() ?? [],
    insert: async (_, rows) => void inserted.push(...rows),
    close: async () => undefined,
  };
  await copyForecast([store], original, 1);
  expect(inserted).toEqual([{ forecast_no: numbersOfCopy(original, 1).forecastNo }]);
  expect(looks).toEqual([]);
});
