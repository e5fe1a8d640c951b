import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { isReady } from './own-readiness.ts';

const servers: Server[] = [];

async function listening(response: RequestListener): Promise<string> {
  const server = createServer(response);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return String((server.address() as AddressInfo).port);
}

const status = (code: number): RequestListener => {
  return (req, res) => res.writeHead(req.url === '/readyz' ? code : 404).end();
};

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

/** A port where nothing listens any more. */
async function freePort(): Promise<string> {
  const port = await listening(status(200));
  await new Promise((resolve) => servers.pop()?.close(resolve));
  return port;
}

test.each([
  [200, true],
  [503, false],
])('a service that responds %d counts as ready: %s', async (code, ready) => {
  expect(await isReady({ SERVICE_PORT: await listening(status(code)) })).toBe(ready);
});

test.each([
  [200, true],
  [503, false],
])('all in one process, where no service listens: %d counts as ready: %s', async (code, ready) => {
  expect(await isReady({ SERVICE_PORT: await freePort(), PORT: await listening(status(code)), TLS: 'off' })).toBe(ready);
});

test('a service that is not ready is not mistaken for one that is not there', async () => {
  const env = { SERVICE_PORT: await listening(status(503)), PORT: await listening(status(200)), TLS: 'off' };
  expect(await isReady(env)).toBe(false);
});

test('fails where nothing listens, and where no response comes', async () => {
  await expect(isReady({ SERVICE_PORT: await freePort(), PORT: await freePort() })).rejects.toThrow('ECONNREFUSED');
  await expect(isReady({ SERVICE_PORT: await listening(() => undefined) }, 200)).rejects.toThrow();
});
