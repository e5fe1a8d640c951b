import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { announceReady } from '../child-server.ts';

/*
 * The least that a Node process can do: respond to every request with the same bytes.
 * Arguments: size of the response, and certificate and key to speak TLS.
 */

const [size = '600', certFile, keyFile] = process.argv.slice(2);
const body = JSON.stringify({ code: '0', message: 'success', data: 'y'.repeat(Math.max(0, Number(size) - 44)) });
const length = Buffer.byteLength(body);
const response: RequestListener = (_req, res) => {
  res.writeHead(200, { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': length }).end(body);
};
const tls = certFile !== undefined && keyFile !== undefined;
const server = tls ? createHttpsServer({ cert: readFileSync(certFile), key: readFileSync(keyFile) }, response) : createServer(response);
server.keepAliveTimeout = 75_000;
server.listen(0, '127.0.0.1', () => {
  announceReady({ origin: `${tls ? 'https://localhost' : 'http://127.0.0.1'}:${(server.address() as AddressInfo).port}` });
});
