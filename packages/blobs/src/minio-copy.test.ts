import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { MinioCopy } from './minio-copy.ts';

let server: Server;
let copy: MinioCopy;
/** What the store responds, by path. */
let responses: Map<string | undefined, { readonly status: number; readonly body: string }>;

beforeEach(async () => {
  responses = new Map();
  server = createServer((req, res) => {
    const { status, body } = responses.get(req.url) ?? { status: 500, body: '' };
    res.writeHead(status, { 'Content-Type': 'application/xml', 'Content-Length': Buffer.byteLength(body) });
    res.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  copy = new MinioCopy({ url, region: 'us-east-1', accessKey: 'key', secretKey: 'secret', bucket: 'bucket' });
});
afterEach(async () => {
  copy.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const refusal = (code: string): string => `<?xml version="1.0"?><Error><Code>${code}</Code><Message>no</Message></Error>`;

test('an object is opened with its content and type', async () => {
  responses.set('/bucket/one', { status: 200, body: 'content' });
  const object = await copy.open('one');
  expect(object?.contentType).toBe('application/xml');
  expect(object && (await text(object.stream))).toBe('content');
});

test('an object that was deleted since its name was read is no failure', async () => {
  responses.set('/bucket/one', { status: 404, body: refusal('NoSuchKey') });
  expect(await copy.open('one')).toBeUndefined();
});

test('a store that refuses is one', async () => {
  responses.set('/bucket/one', { status: 403, body: refusal('AccessDenied') });
  await expect(copy.open('one')).rejects.toMatchObject({ code: '50301' });
});
