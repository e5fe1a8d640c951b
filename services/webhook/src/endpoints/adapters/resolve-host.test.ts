import { describe, expect, test } from '@jest/globals';
import { parseNetworks } from '../domain/address-policy.ts';
import { createHostResolver } from './resolve-host.ts';

describe('localhost', () => {
  test('is this machine, in as far as the operator allows it', async () => {
    const resolveWith = (networks: string[]): Promise<readonly string[]> => createHostResolver(parseNetworks(networks))('localhost');
    expect(await resolveWith(['127.0.0.0/8'])).toEqual(['127.0.0.1']);
    expect(await resolveWith(['::1/128'])).toEqual(['::1']);
    expect(await resolveWith([])).toEqual(['127.0.0.1', '::1']);
  });
});
