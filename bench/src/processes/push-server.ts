import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { announceReady } from '../child-server.ts';

/*
 * The least that receiving a push of 17TRACK takes: the signature is verified, and the response says so. Nothing is parsed or stored. Argument: the key.
 */

const [key = ''] = process.argv.slice(2);

const server = createServer((req, res) => {
  const chunks: Buffer[] = [];
  req.on('data', (chunk: Buffer) => chunks.push(chunk));
  req.on('end', () => {
    const expected = createHash('sha256').update(Buffer.concat(chunks)).update(`/${key}`).digest();
    const given = Buffer.from(String(req.headers['sign']), 'hex');
    const isRight = given.length === expected.length && timingSafeEqual(given, expected);
    res.writeHead(isRight ? 200 : 401, { 'Content-Type': 'application/json', 'Content-Length': 2 }).end('{}');
  });
});
server.keepAliveTimeout = 75_000;
server.listen(0, '127.0.0.1', () => announceReady({ origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }));
