import { createWriteStream, readFileSync, unlink } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { announceReady } from '../child-server.ts';

/*
 * The least that an upload over TLS costs when it has to be durable: the body streams into a file, which is synced
 * before the response. Nothing is parsed, hashed or recorded. Arguments: certificate, key, directory for the files.
 */

const [certFile = '', keyFile = '', directory = ''] = process.argv.slice(2);
let count = 0;

async function store(req: IncomingMessage, res: ServerResponse): Promise<void> {
  count += 1;
  const path = join(directory, `upload-${count}`);
  // flush: synced before it is closed.
  await pipeline(req, createWriteStream(path, { flush: true }));
  res.writeHead(200, { 'Content-Length': 2 }).end('{}');
  // Only its writing is measured; kept, the files would fill the disk.
  unlink(path, () => undefined);
}

const server = createServer({ cert: readFileSync(certFile), key: readFileSync(keyFile) }, (req, res) => {
  store(req, res).catch((error: unknown) => res.writeHead(500).end(String(error)));
});
server.keepAliveTimeout = 75_000;
server.listen(0, '127.0.0.1', () => announceReady({ origin: `https://localhost:${(server.address() as AddressInfo).port}` }));
