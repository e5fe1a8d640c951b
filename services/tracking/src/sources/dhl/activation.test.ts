import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Agent } from 'undici';
import { type CarrierServer, startCarrier } from '../../testing/carrier-server.ts';
import { sourceDhl } from './source.ts';

const bytes = (name: string): Uint8Array => readFileSync(new URL(`fixtures/${name}.json`, import.meta.url));

let dhl: CarrierServer;
let dispatcher: Agent;
const confirm = async (body: Uint8Array): Promise<void> => {
  const call = sourceDhl.pushes?.confirmation?.(body);
  await call?.({ baseUrl: new URL(dhl.url).origin, credentials: { key: 'k1' }, dispatcher, nextCall }, AbortSignal.timeout(20_000));
};
const nextCall = async (): Promise<void> => undefined;

beforeEach(async () => {
  dhl = await startCarrier();
  dispatcher = new Agent();
});
afterEach(async () => {
  await dispatcher.destroy();
  await dhl.close();
});

test.each([200, 204])('a new subscription is activated with its secret (%d)', async (status) => {
  dhl.respondWith((_req, res) => res.writeHead(status).end());
  await confirm(bytes('push-validate'));
  expect(dhl.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'POST /tracking/push/v1/subscription/5d9f6a1e-2c0b-4a59-9f53-2f6a7f0c1d77',
  ]);
  expect(dhl.requests[0]?.headers).toMatchObject({
    'dhl-api-key': 'k1',
    'dhl-api-hook-secret': 'k3yOfTheHook-0001',
    'content-length': '0',
  });
});

test('any other push calls nobody', async () => {
  for (const name of ['push', 'push-ready']) await confirm(bytes(name));
  expect(dhl.requests).toEqual([]);
});

test.each([
  [401, 'access denied'],
  [404, 'wrong response'],
  [429, 'throttled'],
  [500, 'unavailable'],
])('the status %d is %s, and its message shows neither key nor secret', async (status, reason) => {
  dhl.respondWith((_req, res) => res.writeHead(status).end('{}'));
  const error = await Promise.resolve(confirm(bytes('push-validate'))).catch((cause: unknown) => cause);
  expect(error).toMatchObject({ reason });
  expect(String(error)).not.toMatch(/k1|k3yOfTheHook/);
});

test('a push that asks and names no secret is refused, and nobody is called', async () => {
  await expect(confirm(Buffer.from('{"scope":"subscription.validate","self":"https://x.example/subscription/1"}'))).rejects.toThrow(
    'no secret',
  );
  expect(dhl.requests).toEqual([]);
});
