import { beforeEach, describe, expect, test } from '@jest/globals';
import { isoInstant } from '@parcelway/kernel/clock';
import { until } from '@parcelway/kernel/testing/until';
import { app, START, useHarness } from '../../testing/forecast-harness.ts';
import { csvOf, ImportCaller } from '../../testing/import-forms.ts';

describe('an import that runs', () => {
  useHarness();
  let merchant: ImportCaller;
  beforeEach(() => {
    merchant = new ImportCaller(app);
  });

  const ROWS = 3000;
  /** An import of many forecasts, some of which are accepted. */
  async function begun(count = ROWS): Promise<string> {
    const { data } = await merchant.upload('a.csv', csvOf(Array.from({ length: count }, (_, index) => [`P${index}`, 'A', 1] as const)));
    await until(async () => (await merchant.read(data.import_id)).data.accepted > 0, { what: 'accepted rows' });
    return data.import_id;
  }
  const revoke = (keyId: string): Promise<void> => app.deliver('key.revoked', { key_id: keyId, revoked_at: isoInstant(START) });
  const suspend = (at: number): Promise<void> => app.deliver('tenant.suspended', { tenant_id: 'tnt_a', suspended_at: isoInstant(at) });
  /** A later import with another key, which comes behind all others of the tenant. */
  const next = () => {
    app.clock.advance(15_000);
    return new ImportCaller(app, 'tnt_a', 'key_next').run('b.csv', csvOf([['Q1', 'A', 1]]));
  };

  test.each([
    ['its key is revoked', () => revoke('key_test'), '40003', /API key that began it was revoked/],
    ['its tenant is suspended', () => suspend(START), '40302', /tenant was suspended/],
  ])('stops when %s, and what was accepted stays', async (_when, stop, code, message) => {
    const importId = await begun();
    await stop();
    const stopped = (await merchant.read(importId)).data;
    expect(stopped).toMatchObject({ state: 'cancelled', error: { code, message: expect.stringMatching(message) } });
    expect(await next()).toMatchObject({ state: 'done', accepted: 1 });
    const { accepted } = (await merchant.read(importId)).data;
    expect(accepted).toBeGreaterThan(0);
    expect(accepted).toBeLessThan(ROWS);
    expect((await app.published()).filter(({ type }) => type === 'forecast.accepted').length).toBe(accepted + 1);
  });
});
