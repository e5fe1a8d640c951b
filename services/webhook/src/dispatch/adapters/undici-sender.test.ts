import { describe, expect, test } from '@jest/globals';
import { until } from '@parcelway/kernel/testing/until';
import { parseNetworks } from '../../endpoints/domain/address-policy.ts';
import { type Responding, startReceiver } from '../../testing/receiver.ts';
import { Interruption } from '../domain/interruption.ts';
import type { Reply } from '../domain/settle.ts';
import { createUndiciSender } from './undici-sender.ts';

const allowed = parseNetworks(['127.0.0.0/8']);
const resolve = async (): Promise<string[]> => ['127.0.0.1'];

async function replyOf(response: Responding, deadlineMs = 5000): Promise<Reply> {
  const hook = await startReceiver(response);
  const sender = createUndiciSender({ allowed, resolve, deadlineMs });
  const reply = await sender.send({ url: hook.url, headers: { 'content-type': 'application/json' }, body: '{}' }, new Interruption());
  await sender.close();
  await hook.close();
  return reply;
}

describe('responses of receivers', () => {
  test('one that never comes ends at the deadline', async () => {
    expect(await replyOf(() => undefined, 200)).toEqual({
      statusCode: null,
      error: 'No complete response within 0.2 seconds',
      responseBody: null,
      retryAfter: null,
      errorCode: 'timeout',
    });
  });

  test('one that drips ends at the deadline however steadily it drips', async () => {
    const reply = await replyOf((_req, res) => {
      const timer = setInterval(() => res.write('.'), 20);
      res.on('close', () => clearInterval(timer));
    }, 300);
    expect(reply).toMatchObject({ statusCode: null, errorCode: 'timeout' });
  });

  test('one without end is read to the limit, kept in part, and its connection is closed', async () => {
    let closed = false;
    const reply = await replyOf((_req, res) => {
      const chunk = Buffer.alloc(16 * 1024, 'x');
      const pour = (): void => {
        while (!res.destroyed && res.write(chunk));
      };
      res.on('drain', pour);
      res.on('close', () => {
        closed = true;
      });
      pour();
    });
    expect(reply).toMatchObject({ statusCode: 200, error: null, responseBody: 'x'.repeat(1024) });
    await until(() => closed, { what: 'the connection to close' });
  });

  test('a character cut at the limit is left out', async () => {
    const reply = await replyOf((_req, res) => void res.end(`${'x'.repeat(1023)}é and more`));
    expect(reply.responseBody).toBe('x'.repeat(1023));
  });

  test('nothing is inflated, no redirect is followed', async () => {
    const packed = await replyOf((_req, res) => void res.writeHead(200, { 'content-encoding': 'gzip' }).end('not gzip'));
    expect(packed).toMatchObject({ statusCode: 200, responseBody: 'not gzip' });
    let requests = 0;
    const moved = await replyOf((_req, res) => {
      requests += 1;
      res.writeHead(307, { location: '/there' }).end();
    });
    expect(moved).toMatchObject({ statusCode: 307, error: 'The response had status 307' });
    expect(requests).toBe(1);
  });

  test('garbage is a failure with a reason', async () => {
    const reply = await replyOf((req) => void req.socket.end('HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 7\r\n\r\nhello'));
    expect(reply.statusCode).toBeNull();
    expect(reply.error).not.toBe('');
  });

  test('a call that is stopped from outside ends at once', async () => {
    const hook = await startReceiver(() => undefined);
    const sender = createUndiciSender({ allowed, resolve });
    const interruption = new Interruption();
    const reply = sender.send({ url: hook.url, headers: {}, body: '{}' }, interruption);
    await until(() => hook.received.length === 1, { what: 'the request' });
    interruption.interrupt();
    expect(await reply).toMatchObject({ statusCode: null, errorCode: 'failed' });
    await sender.close();
    await hook.close();
  });
});
