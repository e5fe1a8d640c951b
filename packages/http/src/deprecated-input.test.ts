import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { deprecated } from '@parcelway/contracts/deprecation';
import express from 'express';
import { deprecatedInput } from './response.ts';

const deprecation = { since: '2026-11-01', sunset: '2028-11-01', link: 'https://docs.example.com/v2' };
const path = '/things/{thing_id}';
const query = { type: 'object', properties: { dry: { type: 'string', ...deprecated(deprecation) } } };
const body = { type: 'object', properties: { name: { type: 'string' }, colour: { type: 'string', ...deprecated(deprecation) } } };
const note = deprecatedInput([{ method: 'POST', path, query, body }]);

const app = express();
app.post('/things/:thing_id', express.json(), (_req, res) => {
  note(res);
  res.json({});
});
const server = createServer(app);
let origin = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
});

async function headersOf(target: string, sent: object): Promise<(string | null)[]> {
  const response = await fetch(`${origin}${target}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', connection: 'close' },
    body: JSON.stringify(sent),
  });
  await response.arrayBuffer();
  return ['deprecation', 'sunset', 'link'].map((name) => response.headers.get(name));
}

const expected = ['@1793491200', 'Wed, 01 Nov 2028 00:00:00 GMT', '<https://docs.example.com/v2>; rel="deprecation"'];

test('a request that uses a deprecated field or parameter gets deprecation headers, any other does not', async () => {
  expect(await headersOf('/things/1', { name: 'A', colour: 'red' })).toEqual(expected);
  expect(await headersOf('/things/1?dry=1', { name: 'A' })).toEqual(expected);
  expect(await headersOf('/things/1?other=1', { name: 'A' })).toEqual([null, null, null]);
});

test('a route that is deprecated itself is left to the gateway', () => {
  const untouched = { setHeader: () => expect(true).toBe(false) } as never;
  deprecatedInput([{ method: 'POST', path, query, body, deprecated: deprecation }])(untouched);
});
