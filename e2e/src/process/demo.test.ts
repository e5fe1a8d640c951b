import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { usePrograms } from '../use-programs.ts';

const main = fileURLToPath(new URL('../../../demo/dist/main.js', import.meta.url));
const start = usePrograms();

const isOpen = (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 5000 });
    const end = (open: boolean): void => {
      socket.destroy();
      resolve(open);
    };
    socket.once('connect', () => end(true));
    for (const failed of ['error', 'timeout']) socket.once(failed, () => end(false));
  });

test('the demo goes all the way, on one loopback address, and shows how a repeat and a webhook are recognised', async () => {
  const demo = start(process.execPath, [main]);
  const port = Number((await demo.untilPrinted(/listens at .*:(\d+)\D/))[1]);
  expect(await isOpen('127.0.0.1', port)).toBe(true);
  // What listens on every address of the machine listens here, too.
  expect(await isOpen('127.0.0.2', port)).toBe(false);
  expect(await isOpen('::1', port)).toBe(false);
  expect(await demo.end()).toEqual({ code: 0, signal: null });
  const printed = demo.stdout;
  expect(printed.match(/← 200 {2}Idempotent-Replayed: true\n/g)).toHaveLength(1);
  expect(printed).toMatch(/⇐ webhook-id: evt_\w+, webhook-signature: v1,/);
  // The warehouse acts with its own key; the merchant simulates the carrier and nothing else.
  expect(printed.match(/→ POST \/warehouse\/v1\/photos {2}\(warehouse\)\n/g)).toHaveLength(3);
  const reported = [...printed.matchAll(/→ POST \/warehouse\/v1\/events {2}\(warehouse\)\n((?: {4}│.*\n)+)/g)].flatMap(([, body]) =>
    [...String(body).matchAll(/"type": "(\w+)"/g)].map(([, type]) => type),
  );
  expect(reported).toEqual(['arrival', 'photo', 'weighing', 'processing', 'dispatch']);
  const simulated = [...printed.matchAll(/→ POST \/sandbox\/v1\/simulations .*\n((?: {4}│.*\n)+)/g)].map(
    ([, body]) => /"step": "(\w+)"/.exec(String(body))?.[1],
  );
  expect(simulated).toEqual(['track', 'track', 'track', 'track']);
  expect(printed).toContain('the carrier alone was simulated');
}, 120_000);
