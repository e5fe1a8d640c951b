import { describe, expect, test } from '@jest/globals';
import { judgeAddress, loopbackNetworkOf, parseNetworks } from './address-policy.ts';

describe('networks', () => {
  test('are read from CIDR notation', () => {
    const networks = parseNetworks(['10.0.0.0/8', '::1/128']);
    expect(networks.map(([address, prefix]) => [address.toString(), prefix])).toEqual([
      ['10.0.0.0', 8],
      ['::1', 128],
    ]);
    expect(parseNetworks([])).toEqual([]);
  });

  test.each(['10.0.0.0', '10.0.0.0/33', 'example.com/8', ''])('%p is none, which is said', (text) => {
    expect(() => parseNetworks(['127.0.0.0/8', text])).toThrow(
      `must be networks in CIDR notation separated by commas, such as 127.0.0.0/8,::1/128; "${text}" is not a network`,
    );
  });
});

describe('an address is', () => {
  test.each(['8.8.8.8', '2606:4700::1111', '::ffff:8.8.8.8', '168.63.129.15', '168.63.129.17', '3fff:ffff::1'])('public: %s', (address) => {
    expect(judgeAddress(address, [])).toBe('public');
  });

  test.each([
    '127.0.0.1',
    '10.0.0.1',
    '::1',
    'fe80::1%eth0',
    '168.63.129.16',
    '::127.0.0.1',
    '64:ff9b::808:808',
    '2002:808:808::1',
    '4000::1',
    'x',
    '',
  ])('refused: %s', (address) => expect(judgeAddress(address, [])).toBe('refused'));

  test('allowed within a named network, of its own kind alone', () => {
    const allowed = parseNetworks(['10.0.0.0/8', 'fd00::/8']);
    const judged = ['10.9.9.9', '::ffff:10.9.9.9', 'fd12::1', 'fd12::1%eth0', '11.0.0.1', '127.0.0.1', 'fe80::1'];
    expect(judged.map((address) => judgeAddress(address, allowed))).toEqual([
      'allowed',
      'allowed',
      'allowed',
      'allowed',
      'public',
      'refused',
      'refused',
    ]);
  });
});

describe('the network of this machine', () => {
  test.each([
    ['localhost', '127.0.0.0/8'],
    ['a.localhost', '127.0.0.0/8'],
    ['127.9.9.9', '127.0.0.0/8'],
    ['::ffff:127.0.0.1', '127.0.0.0/8'],
    ['::1', '::1/128'],
    ['::1%lo', '::1/128'],
    ['mylocalhost', undefined],
    ['localhost.example.com', undefined],
    ['10.0.0.1', undefined],
    ['example.com', undefined],
  ])('of %s is %s', (place, network) => expect(loopbackNetworkOf(place)).toBe(network));
});
