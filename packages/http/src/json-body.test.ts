import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, test } from '@jest/globals';
import { readBody } from './json-body.ts';

test('the body of a client that left before it is read is refused', async () => {
  const server = createServer();
  const came = new Promise<IncomingMessage>((resolve) => server.once('request', resolve));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n12');
  const req = await came;
  const closed = new Promise((resolve) => req.once('close', resolve));
  client.destroy();
  await closed;
  await expect(readBody(req, 10)).rejects.toMatchObject({ code: '40001' });
  await new Promise((resolve) => server.close(resolve));
});
