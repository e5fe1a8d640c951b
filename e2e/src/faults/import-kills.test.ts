import { describe, expect, test } from '@jest/globals';
import type { ForecastImport } from '@parcelway/contracts/import-api';
import type { ApiResponse } from '@parcelway/harness/api-client';
import { newPoNumber } from '@parcelway/harness/merchant';
import { PlatformProcess } from '@parcelway/harness/platform-process';
import { until } from '@parcelway/kernel/testing/until';
import { useOpened } from '../use-stage.ts';

/* A platform is killed while it imports: afterwards every row has a result, and every po_number one forecast. */

const ROWS = 1500;
const platform = useOpened(
  'platform',
  () => PlatformProcess.start({ env: { RATE_LIMITS: 'off', LOG_LEVEL: 'error' } }),
  (opened) => opened.dispose(),
);

const PATH = '/open/v1/forecasts/import';

/** Imports so many rows, whose forecasts are named with a prefix. */
function importRows(prefix: string): Promise<ApiResponse<ForecastImport>> {
  const warehouse = platform.quickstart.warehouse.code;
  // Forecasts of one, two and three rows, which are not next to each other.
  const rows = Array.from(
    { length: ROWS },
    (_, index) => `${prefix}-${index % 700},1,${warehouse},SKU-${index},Lamp,${index === 33 ? 0 : 1}`,
  );
  const content = Buffer.from(['PO,Type,Warehouse,SKU,Name,Qty', ...rows].join('\n'));
  return platform.client().upload(PATH, 'a.csv', content, 'text/csv');
}

async function forecastsWith(prefix: string): Promise<string[]> {
  const client = platform.client();
  const found: string[] = [];
  let query = '?limit=100';
  for (let page = 0; page < 100; page += 1) {
    const { forecasts, next_cursor } = await client.expectOk<{ forecasts: { po_number: string }[]; next_cursor: string | null }>(
      `/open/v1/forecasts${query}`,
    );
    found.push(...forecasts.map(({ po_number }) => po_number).filter((poNumber) => poNumber.startsWith(prefix)));
    if (next_cursor === null) return found;
    query = `?limit=100&cursor=${encodeURIComponent(next_cursor)}`;
  }
  throw new Error('The list does not end');
}

describe('an import resumes after a kill', () => {
  test.each([
    ['import.rows-stored@2', 'while it reads'],
    ['import.before-settle@1', 'with the first results not written'],
    ['import.before-settle@2', 'with further results not written'],
    ['forecast.after-insert@300', 'after a forecast is stored'],
    ['forecast.before-insert@40', 'before a forecast is stored'],
  ])(
    'at %s, %s',
    async (point) => {
      const prefix = newPoNumber('KILL');
      await platform.stop();
      await platform.start({ FAILPOINT: `${point}:kill` });
      const { import_id } = (await importRows(prefix)).data;
      await platform.ended(60_000);
      expect(platform.signal).toBe('SIGKILL');
      await platform.start();
      const done = await until(
        async () => {
          const now = await platform.client().expectOk<ForecastImport>(`${PATH}/${import_id}`);
          return now.state === 'running' ? undefined : now;
        },
        { within: 60_000, what: 'the import to finish' },
      );
      expect(done).toMatchObject({ state: 'done', total: ROWS, forecasts_accepted: 699, forecasts_failed: 1 });
      expect([done.accepted + done.failed, done.failed]).toEqual([ROWS, 3]);
      const found = await forecastsWith(`${prefix}-`);
      expect(found.length).toBe(699);
      expect(new Set(found).size).toBe(699);
      // Three starts, and the lease of the process that was killed.
    },
    120_000,
  );

  test('before its record is stored, without a running import', async () => {
    await platform.stop();
    await platform.start({ FAILPOINT: 'import.file-stored:kill' });
    await importRows(newPoNumber('KILL')).catch(() => undefined);
    await platform.ended(30_000);
    expect(platform.signal).toBe('SIGKILL');
    await platform.start();
    const { imports } = await platform.client().expectOk<{ imports: ForecastImport[] }>(PATH);
    expect(imports.filter(({ state }) => state === 'running')).toEqual([]);
  });
});
