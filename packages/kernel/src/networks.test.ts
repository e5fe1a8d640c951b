import { describe, expect, test } from '@jest/globals';
import { isWithin, type Network, networkText, parseAddress, parseNetwork } from './networks.ts';

const network = (text: string): Network => parseNetwork(text) as Network;
const has = (text: string, address: string): boolean => {
  const parsed = parseAddress(address);
  return parsed !== undefined && isWithin(parsed, network(text));
};

describe('an address', () => {
  test.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
  ])('%s is %s', (text, shown) => expect(parseAddress(text)?.toString()).toBe(shown));

  test.each(['', '1', '0x7f.1', '127.1', '010.0.0.1', '1.2.3.256', '1.2.3.4:80', '[::1]', 'example.com', ':'])('is not %p', (text) =>
    expect(parseAddress(text)).toBeUndefined(),
  );
});

describe('a network', () => {
  test.each([
    ['10.0.0.0/8', '10.0.0.0/8'],
    ['10.1.2.3/8', '10.0.0.0/8'],
    ['192.0.2.1', '192.0.2.1'],
    ['192.0.2.1/32', '192.0.2.1'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['2001:db8:1::/32', '2001:db8::/32'],
    ['2001:0DB8::1/128', '2001:db8::1'],
    ['::/0', '::/0'],
    ['::ffff:10.1.2.3', '10.1.2.3'],
    ['::ffff:10.1.2.3/104', '10.0.0.0/8'],
  ])('%s is written %s', (text, shown) => {
    expect(networkText(network(text))).toBe(shown);
    expect(networkText(network(shown))).toBe(shown);
  });

  test.each([
    '',
    '/8',
    '10.0.0.0/',
    '10.0.0.0/33',
    '10.0.0.0/08',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
    '::/129',
    '::ffff:10.0.0.0/95',
    'fe80::1%eth0/64',
  ])('is not %p', (text) => expect(parseNetwork(text)).toBeUndefined());

  test('has the addresses that share its first bits, of its own kind', () => {
    expect(['10.0.0.0', '10.255.255.255', '::ffff:10.0.0.1', '11.0.0.0', '::1'].map((one) => has('10.0.0.0/8', one))).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
    expect(['2001:db8::1', '2001:db9::1', '10.0.0.1'].map((one) => has('2001:db8::/32', one))).toEqual([true, false, false]);
    expect(['10.0.0.1', '::1'].map((one) => has('0.0.0.0/0', one))).toEqual([true, false]);
    expect(['10.0.0.1', '::1'].map((one) => has('::/0', one))).toEqual([false, true]);
  });
});
