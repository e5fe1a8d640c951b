import { describe, expect, test } from '@jest/globals';
import { createUndiciSender } from '../../dispatch/adapters/undici-sender.ts';
import { Interruption } from '../../dispatch/domain/interruption.ts';
import { startReceiver } from '../../testing/receiver.ts';
import { parseNetworks } from '../domain/address-policy.ts';
import { createHostResolver } from './resolve-host.ts';
import { createUrlGuard } from './url-guard.ts';

describe('localhost', () => {
  test('is this machine, in as far as the operator allows it', async () => {
    const resolveWith = (networks: string[]): Promise<readonly string[]> => createHostResolver(parseNetworks(networks))('localhost');
    expect(await resolveWith(['127.0.0.0/8'])).toEqual(['127.0.0.1']);
    expect(await resolveWith(['::1/128'])).toEqual(['::1']);
    expect(await resolveWith([])).toEqual(['127.0.0.1', '::1']);
  });

  test('can be registered and sent to in development', async () => {
    const hook = await startReceiver();
    const allowed = parseNetworks(['127.0.0.0/8']);
    const resolve = createHostResolver(allowed);
    const url = `http://localhost:${hook.port}/`;
    expect(await createUrlGuard(allowed, resolve, 'sandbox').refusalOf(url)).toBeUndefined();
    const sender = createUndiciSender({ allowed, resolve });
    const reply = await sender.send({ url, headers: {}, body: '{}' }, new Interruption());
    expect(reply).toMatchObject({ statusCode: 200 });
    await sender.close();
    await hook.close();
  });
});
