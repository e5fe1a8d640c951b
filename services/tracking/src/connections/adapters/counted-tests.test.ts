import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { SourceServer } from '@parcelway/harness/sources/source-server';
import { sourceServers } from '@parcelway/harness/sources/source-servers';
import { type ServiceDriver, startTracking } from '../../testing/service-driver.ts';

/* A test is one call in the limits of its connection: also where they allow one a day, or one in several seconds. */

describe.each(Object.entries(sourceServers))('a test of %s', (source, start) => {
  let server: SourceServer;
  let driver: ServiceDriver;
  beforeEach(async () => {
    server = await start();
    const { baseUrl: base_url, credentials } = server;
    const account = { source, base_url, carriers: ['*'], credentials };
    const once = { ...account, id: 'once', limits: { calls_per_day: 1 } };
    driver = await startTracking({ TRACKING_SOURCES: JSON.stringify([{ ...account, id: 'standard' }, once]) });
  });
  afterEach(async () => {
    await driver.close();
    await server.close();
  });

  const resultOf = async (id: string): Promise<unknown> =>
    (await driver.call('POST', `/internal/v1/carrier-connections/${id}/test`, undefined, null)).body.data;

  test('is made within its standard limits', async () => {
    expect(await resultOf('standard')).toMatchObject({ result: 'works' });
  });

  test('is made where one call a day is allowed, and no second one is', async () => {
    expect(await resultOf('once')).toMatchObject({ result: 'works' });
    const calls = server.calls.length;
    expect(await resultOf('once')).toMatchObject({ result: 'unavailable', message: expect.stringContaining('allow no call') });
    expect(server.calls).toHaveLength(calls);
  });
});
