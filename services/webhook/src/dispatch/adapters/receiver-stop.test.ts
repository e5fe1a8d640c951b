import { afterEach, describe, expect, test } from '@jest/globals';
import { until } from '@parcelway/kernel/testing/until';
import { ok } from '../../testing/receiver.ts';
import { opened, start } from '../../testing/receiver-exchanges.ts';
import { Interruption } from '../domain/interruption.ts';

afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
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
