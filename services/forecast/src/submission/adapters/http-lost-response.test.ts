import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ForecastHarness } from '../../testing/forecast-harness.ts';

// Kill points are read when their module is loaded, so they are armed before anything is.
process.env['FAILPOINT'] = 'forecast.before-insert@1:throw,forecast.after-insert@1:throw,forecast.after-answer@1:throw';

let app: ForecastHarness;
beforeAll(async () => {
  app = await (await import('../../testing/forecast-harness.ts')).ForecastHarness.open();
});
afterAll(() => app.close());

test('whenever a response is lost or the process stumbles behind it, the next try yields one forecast, announced once', async () => {
  const codes: string[] = [];
  const replayed: unknown[] = [];
  for (let round = 0; round < 4; round += 1) {
    const response = await app.submit(app.submission());
    codes.push(response.code);
    replayed.push(response.headers['idempotent-replayed']);
  }
  // Failed before the insert: nothing was stored. Failed after it: the forecast is stored, and only its response was lost.
  expect(codes).toEqual(['50000', '50000', '0', '0']);
  expect(replayed).toEqual([undefined, undefined, 'true', 'true']);
  expect(await app.published()).toHaveLength(1);
  expect((await app.call('GET', '/open/v1/forecasts')).data.forecasts).toHaveLength(1);
});
