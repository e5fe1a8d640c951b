import { expect, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import { intakeMigrations } from '@parcelway/service-warehouse-intake/adapters/sqlite-migrations';
import { SqliteView } from '@parcelway/service-warehouse-intake/view/adapters/sqlite-view';
import { followView } from '@parcelway/service-warehouse-intake/view/follow-view';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import { COMMON_SKU, fillView, scansOf, viewEventsOf } from './view-sample.ts';

const COUNT = 12;
const WAREHOUSE = 'W1';

function openView() {
  const db = new SqliteDatabase(':memory:');
  db.migrate(intakeMigrations);
  const rows = () => ({
    forecasts: db.all(
      'SELECT forecast_no, warehouse_code, tenant_id, status, due_date, closed_at, forecast FROM view_forecasts ORDER BY forecast_no LIMIT 100',
    ),
    items: db.all('SELECT * FROM view_items ORDER BY forecast_no LIMIT 100'),
    keys: db.all('SELECT * FROM view_keys ORDER BY key, forecast_no LIMIT 1000'),
  });
  return { view: new SqliteView(db, new ManualClock(0)), rows };
}

test('a filled view has the rows that the events of the same forecasts leave', async () => {
  const filled = openView();
  await fillView(filled.view, WAREHOUSE, 1, COUNT, 4);
  const followed = openView();
  // The events carry their items.
  const large = { add: (events: readonly unknown[]) => expect(events).toEqual([]) };
  for (let index = 1; index <= COUNT; index += 1) {
    const { accepted, documents, arrived } = viewEventsOf(index, WAREHOUSE);
    await followView({ view: followed.view, large }, [accepted, documents, arrived]);
  }
  const rows = filled.rows();
  expect(rows).toEqual(followed.rows());
  expect([rows.forecasts.length, rows.items.length, rows.keys.length]).toEqual([COUNT, COUNT, 5 * COUNT]);
});

test('every number of a sample is found in the view', async () => {
  const { view } = openView();
  await fillView(view, WAREHOUSE, 1, COUNT, 1);
  const { poNumber, trackingNumber, sku, barcode, forecastNo } = scansOf(7);
  const keys = [`p:${poNumber}`, `n:${trackingNumber}`, `s:${sku}`, `b:0${barcode}`];
  const common = `s:${COMMON_SKU}`;
  const found = await view.find(WAREHOUSE, [...keys, common], 100);
  for (const key of keys) expect(found.get(key)?.map(({ forecast }) => forecast.forecastNo)).toEqual([forecastNo]);
  expect(found.get(common)).toHaveLength(COUNT);
});
