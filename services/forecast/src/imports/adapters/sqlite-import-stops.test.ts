import { expect, test } from '@jest/globals';
import { QueryPlans } from '@parcelway/sqlite/testing/query-plans';
import { describeImportStops } from '../import-stops.conformance.ts';
import { importStopsTable } from './sqlite-import-schema.ts';
import { SqliteImportStops } from './sqlite-import-stops.ts';

const plans = new QueryPlans([new URL('sqlite-import-stops.ts', import.meta.url)]);

describeImportStops('SQLite', async () => {
  const db = plans.open();
  db.migrate([importStopsTable]);
  return { stops: new SqliteImportStops(db), close: async () => db.close() };
});

test('no statement reads more rows than it returns', () => {
  expect(plans.findings()).toEqual([]);
});
