import { describe, expect, test } from '@jest/globals';
import { routes } from '@parcelway/contracts/routes';
import { fourHostileBodies, type HostileBody } from '@parcelway/harness/hostile-bodies';
import { useOpened, useStageWithMerchant } from '../use-stage.ts';

/* Wrong bodies of 5 MB, four at once, to every route that takes JSON: the platform goes on, in little memory. */

const BYTES = 5 * 1024 * 1024;
/** Without bounds one such body took 2 GB. */
const HEAP_MB = 320;

const { stage, merchant } = useStageWithMerchant({ NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}` });
const endpoint = useOpened('endpoint', () => merchant.createEndpoint({ url: 'https://example.com/' }));

const jsonRoutes = routes.flatMap((route) =>
  route.body === undefined || route.body === 'multipart' ? [] : [{ ...route, body: route.body }],
);

interface Refusal {
  readonly errors?: readonly unknown[];
  readonly rejected?: readonly unknown[];
  readonly results?: readonly { readonly data: { readonly errors?: readonly unknown[] } | null }[];
}

/** Routes that respond with success and say in it what is wrong. */
const inResponse = new Set(['reportEvents', 'validateForecast', 'submitForecastBatch']);

const faultsIn = ({ errors, rejected, results }: Refusal) => errors ?? rejected ?? results?.flatMap(({ data }) => data?.errors ?? []);

describe.each(jsonRoutes.map((route) => [route.id, route] as const))('%s', (id, { method, path, access, body }) => {
  test('refuses four floods at once, and the platform is there meanwhile', async () => {
    const { client } = access === 'warehouse' ? stage.clerk : merchant;
    const target = path.replace('{endpoint_id}', endpoint.endpoint_id);
    const headers = { 'content-type': 'application/json' };
    const flood = async ({ name, text }: HostileBody) => ({
      name,
      response: await client.call<Refusal>(target, { method, body: text(), headers, timeoutMs: 60_000 }),
    });
    let isOver = false;
    const floods = Promise.all(fourHostileBodies(body, BYTES).map(flood)).finally(() => {
      isOver = true;
    });
    const health: number[] = [];
    const watcher = stage.platform.client(null);
    do health.push((await watcher.call('/healthz', { timeoutMs: 60_000 })).status);
    while (!isOver);
    for (const { name, response } of await floods) {
      const faults = faultsIn(response.data);
      // A batch is refused as a whole when its list is wrong, and event by event or forecast by forecast otherwise.
      const codes = inResponse.has(id) ? ['0', '42201'] : ['42201'];
      expect([name, codes]).toEqual([name, expect.arrayContaining([response.code])]);
      expect(faults?.length).toBeGreaterThan(0);
      expect(faults?.length).toBeLessThanOrEqual(access === 'warehouse' ? 500 : 100);
      expect(response.text.length).toBeLessThan(1_000_000);
    }
    expect(new Set(health)).toEqual(new Set([200]));
    expect(stage.platform.running).toBe(true);
  }, 120_000);
});
