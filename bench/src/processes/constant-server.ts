import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { announceReady } from '../child.ts';

/* The least that a Node process can do: respond to every request with the same bytes. */

const SIZE = 600;
const body = JSON.stringify({ code: '0', message: 'success', data: 'y'.repeat(SIZE - 44) });
const length = Buffer.byteLength(body);
const server = createServer((_req, res) => {
  res.writeHead(200, { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': length }).end(body);
});
server.keepAliveTimeout = 75_000;
server.listen(0, '127.0.0.1', () => {
  announceReady({ origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
});
