import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, test } from '@jest/globals';
import { until } from '@parcelway/kernel/testing/until';
import { UploadBody } from './upload-body.ts';

test('a body that nobody reads yet may break off: the process goes on', async () => {
  let body: UploadBody | undefined;
  const server = createServer((req) => {
    body = new UploadBody(req);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{');
    await until(() => body, { what: 'the request' });
    socket.destroy();
    await until(() => body?.closed, { what: 'its end' });
    expect(body?.errored?.message).toBe('The client stopped sending');
  } finally {
    server.close();
  }
});
