import { gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { pathParameters } from '@parcelway/contracts/route';
import { routes } from '@parcelway/contracts/routes';
import { fourHostileBodies, type HostileBody } from '@parcelway/harness/hostile-bodies';
import { useOpened, useStageWithMerchant } from '../use-stage.ts';

/* What attackers send: each gets a 4xx with the right code, never a 500, and leaves nothing behind. */

const BYTES = 5 * 1024 * 1024;
/** Without bounds one wrong body of 5 MB took 2 GB. */
const HEAP_MB = 320;

const { stage, merchant } = useStageWithMerchant({ NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}` });
const endpoint = useOpened('endpoint', () => merchant.createEndpoint({ url: 'https://example.com/' }));
/** A submission that is accepted, as JSON. */
const good = useOpened('submission', async () => ({ json: JSON.stringify(await merchant.body({ poNumber: 'HOSTILE', forecastType: 1 })) }));

const post = (body: string | Buffer, headers: Record<string, string> = {}, path = '/open/v1/forecasts') =>
  merchant.client.call(path, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } });

/** The good body with another value of po_number, given as JSON text. */
const withPoNumber = (json: string): string => good.json.replace('"HOSTILE"', json);

const refused: ReadonlyArray<readonly [string, string, () => string | Buffer]> = [
  ['an operator object', '42201', () => withPoNumber('{"$ne":null}')],
  ['an operator in an item', '42201', () => good.json.replace('"SKU-1"', '{"$gt":""}')],
  ['a name twice', '40001', () => `{"po_number":"OTHER",${good.json.slice(1)}`],
  ['nesting of 100,000 levels', '40001', () => '['.repeat(100_000)],
  ['5 MB and one byte', '41301', () => good.json.padEnd(5 * 1024 * 1024 + 1)],
  ['invalid UTF-8', '40001', () => Buffer.concat([Buffer.from(withPoNumber('"A').slice(0, 20)), Buffer.from([0xc3, 0x28, 0xff])])],
  ['half of a surrogate pair', '40001', () => withPoNumber('"\\ud800"')],
  ['NUL in text', '42201', () => withPoNumber('"a\\u0000b"')],
];

describe('JSON bodies', () => {
  test.each(refused)('%s is %s and stored nowhere', async (_name, code, body) => {
    const response = await post(body());
    expect([response.code, response.status]).toEqual([code, Number(code.slice(0, 3))]);
    const list = await merchant.client.expectOk<{ forecasts: unknown[] }>('/open/v1/forecasts');
    expect(list.forecasts).toEqual([]);
  });
});

describe('encodings and media types', () => {
  test('a gzip bomb is not inflated', async () => {
    const bomb = gzipSync(Buffer.alloc(50 * 1024 * 1024, 0x20));
    expect(await post(bomb, { 'content-encoding': 'gzip' })).toMatchObject({ status: 415, code: '41501' });
  });
});

describe('queries and paths', () => {
  const fieldsOf = ({ data }: { data: unknown }): string[] =>
    (data as { errors: Array<{ field: string }> }).errors.map(({ field }) => field);

  test('every identifier in a path is text, or named in 42201', async () => {
    for (const route of routes.filter(({ path }) => path.includes('{'))) {
      const client = route.access === 'warehouse' ? stage.clerk.client : merchant.client;
      const response = await client.call(route.path.replaceAll(/\{[a-z_]+\}/g, '%ff'), { method: route.method });
      expect([route.id, response.code, fieldsOf(response)]).toEqual([route.id, '42201', pathParameters(route.path)]);
    }
  });
});

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

/* Wrong bodies, four at once, to every route that takes JSON: the platform goes on, in little memory. */
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
