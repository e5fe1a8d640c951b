import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, describe, expect, test } from '@jest/globals';
import { until } from '@parcelway/kernel/testing/until';
import { parseNetworks } from '../../endpoints/domain/address-policy.ts';
import { ok, type Receiver, type Responding, startReceiver } from '../../testing/receiver.ts';
import { Interruption } from '../domain/interruption.ts';
import type { Reply } from '../domain/settle.ts';
import type { Sender } from '../ports.ts';
import { createUndiciSender } from './undici-sender.ts';

/* How a sender handles connections that end, headers and an interruption. */

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
});

async function start(
  response: Responding,
): Promise<{ hook: Receiver; sender: Sender; send: (interruption?: Interruption) => Promise<Reply> }> {
  const hook = await startReceiver(response);
  const sender = createUndiciSender({ allowed: parseNetworks(['127.0.0.0/8']), resolve: async () => ['127.0.0.1'], deadlineMs: 5000 });
  opened.push(sender, hook);
  const send = async (interruption = new Interruption()): Promise<Reply> => {
    const reply = await sender.send({ url: hook.url, headers: { 'x-one': '1' }, body: '{}' }, interruption);
    // Undici takes a connection back at the turn's end.
    await nextTurn();
    return reply;
  };
  return { hook, sender, send };
}

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

  test('keeps its characters, in pieces as well', async () => {
    const { send } = await start((_req, res) => {
      const bytes = Buffer.from('größer');
      // The first piece ends within a character.
      res.write(bytes.subarray(0, 3), () => setImmediate(() => res.end(bytes.subarray(3))));
    });
    expect((await send()).responseBody).toBe('größer');
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

  test('while it connects settles it and sends nothing', async () => {
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

  test('of the sender ends what is under way', async () => {
    const { hook, sender, send } = await start(() => undefined);
    const reply = send();
    await until(() => hook.received.length === 1, { what: 'the request' });
    await sender.close();
    expect(await reply).toMatchObject({ statusCode: null, errorCode: 'failed' });
    expect(await send()).toMatchObject({ statusCode: null, errorCode: 'failed' });
  });
});

test('what cannot be sent is a failure, not an exception', async () => {
  const { hook, sender } = await start(ok);
  const reply = await sender.send({ url: hook.url, headers: { 'x-one': 'a\nb' }, body: '{}' }, new Interruption());
  expect(reply).toMatchObject({ statusCode: null, error: expect.stringContaining('invalid x-one header') });
});
