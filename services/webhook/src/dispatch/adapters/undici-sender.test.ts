import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, describe, expect, test } from '@jest/globals';
import { until } from '@parcelway/kernel/testing/until';
import { parseNetworks } from '../../endpoints/domain/address-policy.ts';
import { ok, type Responding, startReceiver } from '../../testing/receiver.ts';
import { Interruption } from '../domain/lane.ts';
import type { Reply } from '../domain/settle.ts';
import { RefusedAddressError } from './guarded-connect.ts';
import { failureReply } from './receiver-exchange.ts';
import { createUndiciSender } from './undici-sender.ts';

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
});

async function start(response: Responding, deadlineMs = 5000) {
  const hook = await startReceiver(response);
  const sender = createUndiciSender({ allowed: parseNetworks(['127.0.0.0/8']), resolve: async () => ['127.0.0.1'], deadlineMs });
  opened.push(sender, hook);
  const send = async (interruption = new Interruption(), headers: Record<string, string> = { 'x-one': '1' }): Promise<Reply> => {
    const reply = await sender.send({ url: hook.url, headers, body: '{}' }, interruption);
    // Undici takes a connection back at the turn's end.
    await nextTurn();
    return reply;
  };
  return { hook, sender, send };
}

const replyOf = async (response: Responding, deadlineMs?: number): Promise<Reply> => (await start(response, deadlineMs)).send();

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
});

describe('a kept connection', () => {
  test('carries one attempt after the other', async () => {
    const { hook, send } = await start(ok);
    for (const _attempt of [1, 2, 3]) expect(await send()).toMatchObject({ statusCode: 200, responseBody: 'ok' });
    expect(hook.connections()).toBe(1);
  });

  test('that the receiver closes as it is used again costs no failure', async () => {
    const { hook, send } = await start((req, res, count) => {
      if (count === 2) req.socket.destroy();
      else res.end('ok');
    });
    await send();
    expect(await send()).toMatchObject({ statusCode: 200, error: null });
    expect([hook.received.length, hook.connections()]).toEqual([3, 2]);
  });

  test('that ends with every request is not tried again', async () => {
    const { hook, send } = await start((req, res, count) => {
      if (count >= 2) req.socket.destroy();
      else res.end('ok');
    });
    await send();
    expect(await send()).toMatchObject({
      statusCode: null,
      error: expect.stringMatching(/closed|reset/),
      errorCode: expect.stringMatching(/^connection_(closed|reset)$/),
    });
    expect(hook.received).toHaveLength(3);
  });

  test('that ends in the middle of a response is a failure: the receiver has had this request', async () => {
    const { hook, send } = await start((_req, res, count) => {
      if (count === 1) res.end('ok');
      else res.writeHead(200, { 'content-length': '100' }).write('part', () => res.destroy());
    });
    await send();
    expect(await send()).toMatchObject({ statusCode: null, error: 'The connection was closed before the response was complete' });
    expect(hook.received).toHaveLength(2);
  });
});

describe('a response', () => {
  test('may ask for a pause, in whatever case its header is written', async () => {
    const { send } = await start((_req, res) => void res.writeHead(503, ['X-Other', 'a', 'RETRY-After', '120']).end());
    expect(await send()).toEqual({
      statusCode: 503,
      error: 'The response had status 503',
      responseBody: '',
      retryAfter: '120',
      errorCode: 'status',
    });
  });

  test('counts after interim ones', async () => {
    const { send } = await start((_req, res) => {
      res.writeProcessing();
      res.writeHead(201).end('made');
    });
    expect(await send()).toMatchObject({ statusCode: 201, responseBody: 'made' });
  });
});

describe('a stop', () => {
  test('before the attempt sends nothing', async () => {
    const { hook, send } = await start(ok);
    const interruption = new Interruption();
    interruption.interrupt();
    expect(await send(interruption)).toMatchObject({ statusCode: null, error: 'stopped', errorCode: 'failed' });
    expect(hook.received).toHaveLength(0);
  });

  test('while it connects ends it and sends nothing', async () => {
    const { hook, sender } = await start(ok);
    const interruption = new Interruption();
    const reply = sender.send({ url: hook.url, headers: {}, body: '{}' }, interruption);
    interruption.interrupt();
    expect(await reply).toMatchObject({ statusCode: null, error: 'stopped' });
    await until(() => hook.connections() === 1, { what: 'the connection' });
    // What is sent after it is the first that arrives.
    await sender.send({ url: `${hook.url}/next`, headers: {}, body: '{}' }, new Interruption());
    expect(hook.received.map(({ path }) => path)).toEqual(['/hook/next']);
  });
});

test('what cannot be sent is a failure, not an exception', async () => {
  const { send } = await start(ok);
  expect(await send(new Interruption(), { 'x-one': 'a\nb' })).toMatchObject({
    statusCode: null,
    error: expect.stringContaining('invalid x-one header'),
  });
});

const withCode = (code: string, message = 'it says so'): Error => Object.assign(new Error(message), { code });

test.each<[string, unknown, string, string | RegExp]>([
  ['a port where nobody listens', withCode('ECONNREFUSED'), 'connection_refused', 'The connection was refused'],
  [
    'a certificate of one’s own',
    withCode('DEPTH_ZERO_SELF_SIGNED_CERT'),
    'tls',
    /^The TLS connection could not be made: DEPTH_\S+: it says so$/,
  ],
  ['a server that speaks no TLS', withCode('ERR_SSL_WRONG_VERSION_NUMBER'), 'tls', /WRONG_VERSION/],
  ['a private address', new RefusedAddressError('it is private'), 'address_not_allowed', 'The address is not allowed: it is private'],
  ['anything else', withCode('EWHATEVER'), 'failed', 'EWHATEVER: it says so'],
  ['what says nothing', {}, 'failed', 'The request failed'],
])('%s has a code for programs and a sentence for people', (_name, error, errorCode, sentence) => {
  const reply = failureReply(error);
  expect(reply).toMatchObject({ statusCode: null, errorCode, responseBody: null, retryAfter: null });
  expect(reply.error).toEqual(typeof sentence === 'string' ? sentence : expect.stringMatching(sentence));
});
