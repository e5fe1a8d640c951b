import { expect, test } from '@jest/globals';
import { QueryPlans } from '@parcelway/sqlite/testing/query-plans';
import { intakeMigrations } from '../../adapters/sqlite-migrations.ts';
import { describeForecastView } from './forecast-view.conformance.ts';
import { SqliteView } from './sqlite-view.ts';

const plans = new QueryPlans(
  [new URL('./sqlite-view.ts', import.meta.url)],
  {
    'CROSS JOIN view_forecasts ON view_forecasts.rowid IN': 'sorts a page of each status, and of each of at most 31 days',
    'FROM view_keys k CROSS JOIN view_forecasts f': 'a key always has its forecast: a foreign key',
  },
  [
    'events',
    'forecasts',
    'numbers',
    'outbox',
    'stand_ins',
    'resolutions',
    'rejections',
    'rejection_counts',
    'idempotency_keys',
    'declared_numbers',
    'seen_parcels',
  ],
);

describeForecastView('sqlite', async (clock) => {
  const db = plans.open();
  db.migrate(intakeMigrations);
  return {
    store: new SqliteView(db, clock),
    async close() {
      db.close();
    },
  };
});

test('no statement reads more rows than it returns', () => {
  expect(plans.findings()).toEqual([]);
});
