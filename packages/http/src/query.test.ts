import { request, type Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ForecastListQuery } from '@parcelway/contracts/forecast-api';
import type { Principal } from '@parcelway/contracts/principal';
import { compileValidator } from '@parcelway/contracts/validator';
import type { Warning } from '@parcelway/contracts/warnings';
import { DeliveryListQuery } from '@parcelway/contracts/webhook-delivery-api';
import { systemClock } from '@parcelway/kernel/clock';
import { silentLogger } from '@parcelway/kernel/logger';
import { createServiceApp } from './app.ts';
import { assertPlainPath } from './plain-path.ts';
import { PRINCIPAL_HEADER, PrincipalSigner, PrincipalVerifier } from './principal-token.ts';
import { parseQuery } from './query.ts';
import { sendOk } from './response.ts';
import { createServiceServer, drainServer, listen } from './server.ts';

const secret = 's'.repeat(32);

const signer = new PrincipalSigner(secret, systemClock);

const caller: Principal = { kind: 'system', tenantId: null, warehouseCode: null, keyId: 'test', scopes: [], environment: 'sandbox' };

const listQuery = compileValidator(DeliveryListQuery);

const timesQuery = compileValidator(ForecastListQuery);

const known = Object.keys(DeliveryListQuery.properties).join(', ');

const ofBody: Warning = { field: 'colour', message: 'is not known here' };

let server: Server;

let port: number;

beforeAll(async () => {
  const app = createServiceApp({
    logger: silentLogger,
    verifier: new PrincipalVerifier([secret], systemClock, 'sandbox'),
    routes(router) {
      router.get('/list', (req, res) => sendOk(res, { status: parseQuery(req, listQuery).status ?? 'any' }));
      router.post('/list', (req, res) => {
        parseQuery(req, listQuery);
        sendOk(res, { warnings: [ofBody] });
      });
      router.get('/times', (req, res) => sendOk(res, parseQuery(req, timesQuery)));
      router.get('/plain', (_req, res) => sendOk(res, { rows: [] }));
    },
  });
  server = createServiceServer(app, async () => undefined);
  port = await listen(server, '127.0.0.1', 0);
});

afterAll(() => drainServer(server, 100));

interface Response {
  readonly code: string;
  readonly text: string;
  readonly data: { readonly status?: string; readonly errors?: readonly { field: string }[]; readonly warnings?: readonly Warning[] };
}

/** Sends the path exactly as written: fetch would normalize it. */
function call(path: string, method = 'GET'): Promise<Response> {
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, path, method, headers: { [PRINCIPAL_HEADER]: signer.sign(caller) } };
    const sent = request(options, async (res) => {
      let text = '';
      for await (const chunk of res.setEncoding('utf8')) text += chunk;
      resolve({ ...(JSON.parse(text) as Pick<Response, 'code' | 'data'>), text });
    });
    sent.on('error', reject).end();
  });
}

describe('a parameter that is not known', () => {
  test('is ignored and named, with what is known', async () => {
    const { data } = await call('/list?stauts=failed&limit=2');
    expect(data).toEqual({
      status: 'any',
      warnings: [{ field: 'stauts', message: `stauts is not a parameter here and was ignored; known are ${known}; did you mean status?` }],
    });
  });

  test('is named where the route takes none', async () => {
    expect((await call('/plain?limit=2')).data).toEqual({
      rows: [],
      warnings: [{ field: 'limit', message: 'limit is not a parameter here and was ignored; there are none' }],
    });
  });

  test.each(['/list?&', '/list?st%61tus=failed&limit=2', '/plain?'])('is not claimed for %s', async (path) => {
    expect((await call(path)).data).not.toHaveProperty('warnings');
  });

  test('is named once, at most twenty times in all, and without its value', async () => {
    const many = Array.from({ length: 50 }, (_, index) => `p${index}=sk_secret&p${index}=sk_other`).join('&');
    const { data, text } = await call(`/list?${many}`);
    expect(data.warnings?.map(({ field }) => field)).toEqual(Array.from({ length: 20 }, (_, index) => `p${index}`));
    expect(text).not.toMatch(/sk_/);
  });
});

describe('a hostile name', () => {
  test.each([
    ['10 kB', 'x'.repeat(10_000), 'x'.repeat(100)],
    ['an emoji where it is cut', `${'x'.repeat(99)}%F0%9F%98%80`, `${'x'.repeat(99)}\ufffd`],
    ['what a terminal obeys', '%1b[31m%07%c2%9b', '\ufffd[31m\ufffd\ufffd'],
    ['a line break', 'a%0d%0ab%e2%80%a8', 'a\ufffd\ufffdb\ufffd'],
    ['text from right to left', 'a%e2%80%aeb', 'a\ufffdb'],
    ['no UTF-8', '%ff', '\ufffd'],
    ['a percent alone', '%', '%'],
    ['the prototype', '__proto__', '__proto__'],
    ['a method of objects', 'hasOwnProperty', 'hasOwnProperty'],
    ['an operator', 'status[$ne]', 'status[$ne]'],
    ['no name', '', ''],
  ])('%s is shown safely', async (_what, name, shown) => {
    const { code, data } = await call(`/list?${name}=value`);
    expect(code).toBe('0');
    expect(data.status).toBe('any');
    expect(data.warnings).toEqual([{ field: shown, message: `${shown} is not a parameter here and was ignored; known are ${known}` }]);
  });
});

describe('a time', () => {
  test.each(['2026-11-22T21:20:00+00:00', '2026-11-22T21:20:00.123+08:00', '2026-11-22T21:20:00-05:00', '2026-11-22T21:20:00Z'])(
    '%s may be copied from a response as it is',
    async (time) => {
      expect(await call(`/times?created_from=${time}&created_to=${time}`)).toMatchObject({
        code: '0',
        data: { created_from: time, created_to: time },
      });
      expect(await call(`/times?created_from=${encodeURIComponent(time)}`)).toMatchObject({ code: '0', data: { created_from: time } });
    },
  );

  test.each([
    ['two blanks', '2026-11-22T21:20:00++00:00'],
    ['a blank for the T', '2026-11-22+21:20:00Z'],
    ['a blank before Z', '2026-11-22T21:20:00+Z'],
    ['no seconds', '2026-11-22T21:20+00:00'],
    ['a blank behind it', '2026-11-22T21:20:00+00:00+'],
    ['an offset of 99 hours', '2026-11-22T21:20:00+99:00'],
    ['no day of the calendar', '2026-02-30T21:20:00+00:00'],
  ])('with %s is refused', async (_what, time) => {
    expect(await call(`/times?created_from=${time}`)).toMatchObject({
      code: '42201',
      data: { errors: [{ field: 'created_from', rule: 'format' }] },
    });
  });

  test('is none where a parameter is a text', async () => {
    const text = '2026-11-22T21:20:00 00:00';
    expect((await call(`/times?po_number=${encodeURIComponent(text)}`)).data).toEqual({ po_number: text });
  });
});

test.each(['/', '/a/b?x=../..&y=\\', '/a/..b', '/a/...', '/a/b%2Fc', '/a/b%5Cc', '/a/b..?c', '/a//b'])('%s is plain', (path) => {
  expect(() => assertPlainPath(path)).not.toThrow();
});

const resolved = ['/a/..', '/a/../b', '/a/./b', '/a/%2e%2e/b', '/a/.%2E/b', '/a\\b', '/a/..\\b', '/a/..%5Cb', '/a/b%2f..%2fc', '/a/%2F..'];

test.each([...resolved, '/a/..?limit=1', '/a/%', '/a/%ff', '/a b', '/a?b c', '/a\n', '/\u20ac'])(
  'a program may resolve %s to another path',
  (path) => {
    expect(() => assertPlainPath(path)).toThrow(expect.objectContaining({ code: '40402' }));
  },
);
