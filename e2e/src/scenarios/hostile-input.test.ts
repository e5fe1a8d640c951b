import { gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { pathParameters } from '@parcelway/contracts/route';
import { routes } from '@parcelway/contracts/routes';
import { newPoNumber } from '@parcelway/harness/merchant';
import { samplePdf } from '@parcelway/harness/sample-data';
import { useOpened, useStage, useStageWithMerchant } from '../use-stage.ts';

/* What attackers send: each gets a 4xx with the right code, never a 500, and leaves nothing behind. */

const { stage, merchant } = useStageWithMerchant();
/** A submission that is accepted, as JSON. */
const good = useOpened('submission', async () => ({ json: JSON.stringify(await merchant.body({ poNumber: 'HOSTILE', forecastType: 1 })) }));

const post = (body: string | Buffer, headers: Record<string, string> = {}, path = '/open/v1/forecasts') =>
  merchant.client.call(path, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } });

const nested = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
/** The good body with further text behind its opening brace. */
const withMember = (member: string): string => `{${member},${good.json.slice(1)}`;
/** The good body with another value of po_number, given as JSON text. */
const withPoNumber = (json: string): string => good.json.replace('"HOSTILE"', json);

const refused: ReadonlyArray<readonly [string, string, () => string | Buffer]> = [
  ['an operator object', '42201', () => withPoNumber('{"$ne":null}')],
  ['an operator in an item', '42201', () => good.json.replace('"SKU-1"', '{"$gt":""}')],
  ['an array for text', '42201', () => withPoNumber('["HOSTILE"]')],
  ['null for text', '42201', () => withPoNumber('null')],
  ['a name twice', '40001', () => withMember('"po_number":"OTHER"')],
  ['a name twice, once escaped', '40001', () => withMember('"po\\u005fnumber":"OTHER"')],
  ['nesting of 33 levels', '40001', () => withMember(`"x":${nested(32)}`)],
  ['nesting of 100,000 levels', '40001', () => '['.repeat(100_000)],
  ['5 MB and one byte', '41301', () => good.json.padEnd(5 * 1024 * 1024 + 1)],
  ['invalid UTF-8', '40001', () => Buffer.concat([Buffer.from(withPoNumber('"A').slice(0, 20)), Buffer.from([0xc3, 0x28, 0xff])])],
  [
    'overlong UTF-8',
    '40001',
    () => Buffer.from(good.json.replace('HOSTILE', '@@')).fill(0xc0, good.json.indexOf('HOSTILE'), good.json.indexOf('HOSTILE') + 1),
  ],
  ['half of a surrogate pair', '40001', () => withPoNumber('"\\ud800"')],
  ['the other half', '40001', () => withPoNumber('"x\\udc00x"')],
  ['half of a pair as a name', '40001', () => withMember('"\\ud800":1')],
  ['NUL in text', '42201', () => withPoNumber('"a\\u0000b"')],
  ['a raw control character', '40001', () => withPoNumber('"a\u0001b"')],
  ['1e400', '42201', () => good.json.replace('"forecast_price":12.5', '"forecast_price":1e400')],
  ['-1e400', '42201', () => good.json.replace('"forecast_price":12.5', '"forecast_price":-1e400')],
  ['a quantity beyond exact integers', '42201', () => good.json.replace('"forecast_quantity":10', '"forecast_quantity":9007199254740993')],
  ['NaN', '40001', () => good.json.replace('12.5', 'NaN')],
  ['a trailing comma', '40001', () => good.json.replace(/}$/, ',}')],
  ['a comment', '40001', () => `/* x */${good.json}`],
  ['two documents', '40001', () => good.json + good.json],
  ['nothing', '40001', () => ''],
  ['an array', '42201', () => `[${good.json}]`],
  ['a text', '42201', () => '"HOSTILE"'],
  ['null', '42201', () => 'null'],
];

describe('JSON bodies', () => {
  test.each(refused)('%s is %s and stored nowhere', async (_name, code, body) => {
    const response = await post(body());
    expect([response.code, response.status]).toEqual([code, Number(code.slice(0, 3))]);
    const list = await merchant.client.expectOk<{ forecasts: unknown[] }>('/open/v1/forecasts');
    expect(list.forecasts).toEqual([]);
  });

  test('nesting of exactly 32 levels is read', async () => {
    const owner = await stage.operator.newMerchant();
    const body = JSON.stringify(await owner.body({ forecastType: 1 }));
    const deep = `{"x":${nested(31)},${body.slice(1)}`;
    const response = await owner.client.call('/open/v1/forecasts', {
      method: 'POST',
      body: deep,
      headers: { 'content-type': 'application/json' },
    });
    expect(response).toMatchObject({ code: '0', data: { warnings: [{ field: 'x' }] } });
  });

  test('exactly 5 MB are read', async () => {
    const owner = await stage.operator.newMerchant();
    const text = JSON.stringify(await owner.body({ forecastType: 1 }));
    const body = text + ' '.repeat(5 * 1024 * 1024 - Buffer.byteLength(text));
    const response = await owner.client.call('/open/v1/forecasts', {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    });
    expect(response.code).toBe('0');
  });

  test('prototype pollution changes nothing', async () => {
    const owner = await stage.operator.newMerchant();
    const body = JSON.stringify(await owner.body({ forecastType: 1 }));
    const polluted = `{"__proto__":{"forecast_type":2,"isAdmin":true},"constructor":{"prototype":{"polluted":true}},${body.slice(1)}`;
    const response = await owner.client.call('/open/v1/forecasts', {
      method: 'POST',
      body: polluted,
      headers: { 'content-type': 'application/json' },
    });
    expect(response.code).toBe('0');
    const warned = (response.data as { warnings: Array<{ field: string }> }).warnings.map((warning) => warning.field).sort();
    expect(warned).toEqual(['__proto__', 'constructor']);
    const missing = await post('{"__proto__":{"po_number":"X","warehouse_code":"X","items":[]}}');
    expect(missing.code).toBe('42201');
    expect(missing.text).toContain('po_number is required');
  });
});

describe('encodings and media types', () => {
  test('a gzip bomb is not inflated', async () => {
    const bomb = gzipSync(Buffer.alloc(50 * 1024 * 1024, 0x20));
    expect(await post(bomb, { 'content-encoding': 'gzip' })).toMatchObject({ status: 415, code: '41501' });
  });

  test.each([
    ['text/plain'],
    ['application/x-www-form-urlencoded'],
    ['application/json; charset=utf-16'],
    ['application/json; charset=latin1'],
    ['multipart/form-data; boundary=x'],
    ['application/jsonx'],
  ])('%s is 41501', async (type) => {
    expect(await post(good.json, { 'content-type': type })).toMatchObject({ status: 415, code: '41501' });
  });

  test('capitals and a quoted charset are fine', async () => {
    const response = await post('{}', { 'content-type': 'Application/JSON ; Charset="UTF-8"' });
    expect(response.code).toBe('42201');
  });
});

describe('queries and paths', () => {
  test.each([
    ['/open/v1/forecasts/weighing?po_number[$ne]=x', '42201'],
    ['/open/v1/forecasts/weighing?po_number[]=x', '42201'],
    ['/open/v1/forecasts/weighing?po_number=a&po_number=b', '42201'],
    ['/open/v1/forecasts/weighing?po_number=%00', '40401'],
    ['/open/v1/forecasts/weighing?po_number=%0a', '40401'],
    ['/open/v1/forecasts/weighing?po_number=+x', '40401'],
    [`/open/v1/forecasts/weighing?po_number=${'x'.repeat(65)}`, '40401'],
    ['/open/v1/forecasts/weighing?__proto__=x', '42201'],
    ["/open/v1/forecasts/weighing?po_number=' OR 1=1 --", '40401'],
    ['/open/v1/forecasts/weighing?po_number=%25', '40401'],
    ['/open/v1/forecasts?status[$gt]=0', '0'],
    ['/open/v1/forecasts?cursor=eyJhIjoxfQ', '42201'],
    ['/open/v1/forecasts?limit=1e1', '42201'],
    ['/open/v1/forecasts/__proto__', '40401'],
    ['/open/v1/forecasts/%00', '40401'],
    ['/open/v1/webhook-endpoints/__proto__', '40403'],
    ["/open/v1/webhook-endpoints/'%20OR%201=1", '40403'],
    [`/open/v1/forecasts/${'x'.repeat(2000)}`, '40401'],
  ])('%s responds %s', async (path, code) => {
    const response = await merchant.client.call(path.replaceAll(' ', '%20'));
    expect([path, response.code]).toEqual([path, code]);
    expect(response.status).toBeLessThan(500);
  });

  test.each([
    ['/open/v1/forecasts?stauts=CANCELLED', ['stauts']],
    ['/open/v1/forecasts?__proto__=x&status[$gt]=0', ['__proto__', 'status[$gt]']],
    [`/open/v1/forecasts?%1b%5b31m=x&${'x'.repeat(5000)}=x`, ['\ufffd[31m', 'x'.repeat(100)]],
    ['/open/v1/webhook-endpoints?limit=1', ['limit']],
    ['/open/v1/warehouses?code=x', ['code']],
    ['/open/v1/events?type=x', ['type']],
  ])('%s gets a response, which names its unknown fields', async (path, names) => {
    const { code, data } = await merchant.client.call<{ warnings: Array<{ field: string }> }>(path);
    expect([code, data.warnings.map(({ field }) => field)]).toEqual(['0', names]);
  });

  test('an unknown field in the body of a simulation is named', async () => {
    const { po_number } = await merchant.submit({ forecastType: 1 });
    const body = { po_number, step: 'weigh', wieght_kg: 2 };
    const { code, data } = await merchant.client.call<{ warnings: Array<{ field: string }> }>('/sandbox/v1/simulations', { body });
    expect([code, data.warnings.map(({ field }) => field)]).toEqual(['0', ['wieght_kg']]);
  });

  const fieldsOf = ({ data }: { data: unknown }): string[] =>
    (data as { errors: Array<{ field: string }> }).errors.map(({ field }) => field);

  test.each(['%ff', '%c0%80', '%ed%a0%80', '%', '%zz'])('po_number=%s, which is no text, is 42201', async (encoded) => {
    for (const path of [`weighing?po_number=${encoded}`, `tracking?po_number=${encoded}`, `?po_number=${encoded}`, encoded]) {
      const response = await merchant.client.call(`/open/v1/forecasts${path.startsWith('?') ? '' : '/'}${path}`);
      expect([path, response.status, response.code, fieldsOf(response)]).toEqual([path, 422, '42201', ['po_number']]);
    }
  });

  test('every identifier in a path is text, or named in 42201', async () => {
    for (const route of routes.filter(({ path }) => path.includes('{'))) {
      const client = route.access === 'warehouse' ? stage.clerk.client : merchant.client;
      const response = await client.call(route.path.replaceAll(/\{[a-z_]+\}/g, '%ff'), { method: route.method });
      expect([route.id, response.code, fieldsOf(response)]).toEqual([route.id, '42201', pathParameters(route.path)]);
    }
  });
});

describe('every JSON route', () => {
  test.each([
    ['POST', '/open/v1/webhook-endpoints'],
    ['POST', '/sandbox/v1/simulations'],
    ['PATCH', '/open/v1/webhook-endpoints/x'],
    ['POST', '/open/v1/webhook-endpoints/x/replay'],
  ] as const)('%s %s refuses bad JSON the same way', async (method, path) => {
    const headers = { 'content-type': 'application/json' };
    const call = (body: string | Buffer) => merchant.client.call(path, { method, body, headers });
    expect((await call('{"a":1,"a":2}')).code).toBe('40001');
    expect((await call(Buffer.from([0xff]))).code).toBe('40001');
    expect((await call(' '.repeat(5 * 1024 * 1024 + 1))).code).toBe('41301');
    expect((await merchant.client.call(path, { method, body: 'x', headers: { 'content-type': 'text/plain' } })).code).toBe('41501');
  });
});

describe('secrets', () => {
  const loud = useStage({ LOG_LEVEL: 'debug', ACCESS_LOG: 'on', WEBHOOK_RETRY_SCHEDULE: '0s,10ms' });

  test('keys, signing secrets, tokens and contents never show in logs or refusals', async () => {
    const receiver = await stage.receiver();
    receiver.respond = (_webhook, res) => res.writeHead(500).end();
    const canary = await loud.operator.newMerchant();
    const marker = `CANARY-${newPoNumber()}`;
    const endpoint = await canary.createEndpoint({ url: `${receiver.url}?token=${marker}` });
    const rotated = await canary.client.expectOk<{ secret: string }>(`/open/v1/webhook-endpoints/${endpoint.endpoint_id}/rotate-secret`, {
      method: 'POST',
    });
    const uploaded = await canary.upload('a.pdf', samplePdf(marker));
    const refusedResponses = [
      await canary.upload('a.txt', Buffer.from(marker)),
      await canary.client.call('/open/v1/forecasts', {
        method: 'POST',
        body: `{"${marker}`,
        headers: { 'content-type': 'application/json' },
      }),
      await loud.platform.client(`${canary.identity.key}x`).call('/open/v1/warehouses'),
      await canary.client.call('/open/v1/forecasts', { body: { shipping_label: `https://example.com/${marker}` } }),
    ];
    for (const { text } of refusedResponses) expect(text).not.toContain(canary.identity.key);
    const { po_number } = await canary.submit({ forecastType: 1 });
    await canary.simulate({ po_number, step: 'weigh' });
    await receiver.waitForEvent('parcel.weighed', po_number);
    await loud.platform.stop();
    const log = loud.platform.log + loud.platform.output.replaceAll(loud.platform.quickstart.tenant.api_key, '');
    expect(log).toContain('"route":"submitForecast"');
    const secrets = [
      canary.identity.key,
      endpoint.secret,
      endpoint.secret.slice('whsec_'.length),
      rotated.secret,
      loud.platform.quickstart.admin.token,
      loud.platform.quickstart.warehouse.api_key,
      marker,
      uploaded.data.url.slice(uploaded.data.url.lastIndexOf('/') + 1),
    ];
    for (const secret of secrets) expect(log.includes(secret) ? secret : 'not in the log').toBe('not in the log');
  }, 60_000);
});
