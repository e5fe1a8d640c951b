import { afterEach, describe, expect, test } from '@jest/globals';
import { ok } from '../../testing/receiver.ts';
import { opened, start } from '../../testing/receiver-exchanges.ts';

afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
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
