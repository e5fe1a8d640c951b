import { afterEach, expect, test } from '@jest/globals';
import { FairShares } from '@parcelway/kernel/fair-shares';
import { until } from '@parcelway/kernel/testing/until';
import { echo, startGateway, type TestGateway, type TestResponse } from '../../testing/harness.ts';
import { upstreamLimits } from '../domain/client-shares.ts';

let gateway: TestGateway;
afterEach(async () => {
  await gateway[Symbol.asyncDispose]();
});

const SLOW = '/open/v1/forecasts/SLOW';
const secure = { 'x-forwarded-proto': 'https' };

test('a tenant whose requests get no response from a service leaves connections to others, and gets an error when it has too many', async () => {
  let atService = 0;
  gateway = await startGateway(
    (req, res) => {
      if (req.url === SLOW) atService += 1;
      else echo(req, res);
    },
    { clear: true, limitRates: false },
  );
  const share = FairShares.mostOf(upstreamLimits.connections);
  const most = FairShares.mostOf(upstreamLimits.underWay);
  const keys = await Promise.all(Array.from({ length: 4 }, async () => (await gateway.issue()).key));
  const refused: TestResponse[] = [];
  const send = (key: string): void =>
    void gateway.call(SLOW, { key, headers: secure }).then(
      (response) => refused.push(response),
      () => undefined,
    );
  for (let index = 0; index < most + 5; index += 1) send(keys[index % keys.length] as string);
  await until(() => atService === share && refused.length === 5, { what: 'its share at the service, and the refusals', within: 20_000 });
  for (const { status, headers, json } of refused) {
    expect([status, json.code, headers['retry-after']]).toEqual([429, '42901', '1']);
    expect(json.message).toBe('Too many requests at the same time: wait until some of yours have ended');
  }

  await gateway.stores.tenants.add({ id: 'tnt_2', name: 'Other', status: 'active', createdAt: Date.now() });
  const { key } = await gateway.issue({ holder: { kind: 'tenant', tenantId: 'tnt_2' } });
  const responses = await Promise.all(Array.from({ length: 20 }, () => gateway.call('/open/v1/forecasts/PO-1', { key, headers: secure })));
  expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
  expect(atService).toBe(share);
}, 60_000);
