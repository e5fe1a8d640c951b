import { describe, expect, test } from '@jest/globals';
import { judgeAddress, loopbackNetworkOf, parseNetworks } from './address-policy.ts';
import { addressRefusal, allowanceHint, judgeUrl, portOf } from './url-policy.ts';

describe('networks', () => {
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

  // dispatch/adapters/address-guard.test.ts tests other notations of refused addresses.
  test.each(['fe80::1%eth0', '168.63.129.16', '64:ff9b::808:808', '2002:808:808::1', '4000::1', 'x', ''])('refused: %s', (address) => {
    expect(judgeAddress(address, [])).toBe('refused');
  });

  test('allowed within a named network, of its own kind alone', () => {
    const allowed = parseNetworks(['10.0.0.0/8', 'fd00::/8']);
    const judged = ['10.9.9.9', '::ffff:10.9.9.9', 'fd12::1', 'fd12::1%eth0', '11.0.0.1', '127.0.0.1', 'fe80::1'];
    const is = (judgement: string) => judged.filter((address) => judgeAddress(address, allowed) === judgement);
    expect([is('allowed'), is('public')]).toEqual([judged.slice(0, 4), ['11.0.0.1']]);
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

const local = parseNetworks(['127.0.0.0/8']);
const NOT_HTTPS = 'url must be an https:// URL';
const PORT = 'url must use port 443, or a port from 1024 up that databases and cluster services do not commonly use;';

describe('a receiver at', () => {
  test.each([
    ['https://example.com/hook', { host: 'example.com', isLiteral: false, plain: false, port: 443 }],
    ['https://example.com.:8443/', { host: 'example.com', isLiteral: false, plain: false, port: 8443 }],
    ['https://8.8.8.8:1024/', { host: '8.8.8.8', isLiteral: true, plain: false, port: 1024 }],
    ['https://[2606:4700::1111]/', { host: '2606:4700::1111', isLiteral: true, plain: false, port: 443 }],
  ])('%s may be reached', (url, target) => expect(judgeUrl(url, [])).toEqual(target));

  test.each([
    ['example.com', NOT_HTTPS],
    ['ftp://example.com/', NOT_HTTPS],
    ['https://user@example.com/', 'url must not contain a user name or password; the signature identifies the sender'],
    ['https://:secret@example.com/', 'url must not contain a user name or password; the signature identifies the sender'],
    ['https://./', 'url must name a host'],
    ['https://example.com:1023/', `${PORT} 1023 is not allowed`],
    ['https://example.com:444/', `${PORT} 444 is not allowed`],
    ['https://example.com:6379/', `${PORT} 6379 is not allowed`],
    ['https://example.com:0/', `${PORT} 0 is not allowed`],
  ])('%s may not be reached, whatever is allowed', (url, message) => expect(judgeUrl(url, [])).toEqual({ message }));

  test.each([
    ['http://example.com/', NOT_HTTPS, 'example.com'],
    ['https://intranet/', 'url must name a host on the public internet; intranet is a name of a private network', 'intranet'],
    ['https://a.internal/', 'url must name a host on the public internet; a.internal is a name of a private network', 'a.internal'],
    ['https://10.0.0.1/', 'url must resolve to a public address; 10.0.0.1 is private, local or reserved', '10.0.0.1'],
    ['http://8.8.8.8/', NOT_HTTPS, '8.8.8.8'],
  ])('%s may not be reached unless its network is allowed', (url, message, place) => {
    expect(judgeUrl(url, [])).toEqual({ message, place });
  });

  test.each(['localhost', 'local', 'localdomain', 'internal', 'intranet', 'lan', 'home', 'corp', 'arpa'])(
    'a name under .%s is on no public network, a name that only ends so may be',
    (name) => {
      expect(judgeUrl(`https://a.${name}/`, [])).toMatchObject({ place: `a.${name}` });
      expect(judgeUrl(`https://example.x${name}/`, [])).toMatchObject({ host: `example.x${name}` });
    },
  );

  test('an allowed network may have plain http, any port and names of its own', () => {
    expect(judgeUrl('http://127.0.0.1:22/', local)).toEqual({ host: '127.0.0.1', isLiteral: true, plain: true, port: 22 });
    expect(judgeUrl('http://receiver/', local)).toEqual({ host: 'receiver', isLiteral: false, plain: true, port: 80 });
    expect(judgeUrl('https://10.0.0.1/', local)).toMatchObject({ place: '10.0.0.1' });
  });
});

describe('an address that a name leads to', () => {
  const target = { host: 'example.com', plain: false, port: 443 };

  test('may not be private, and the message names it', () => {
    expect(addressRefusal(target, '10.0.0.1', local)).toEqual({
      message: 'url must resolve to a public address; example.com, which resolves to 10.0.0.1, is private, local or reserved',
      place: '10.0.0.1',
    });
  });
});

describe('what to do about a refusal', () => {
  test.each([
    ['127.0.0.1', 'production', '. An operator can allow further networks with WEBHOOK_ALLOWED_NETWORKS'],
    ['10.0.0.1', 'sandbox', '. An operator can allow its network with WEBHOOK_ALLOWED_NETWORKS'],
    [
      '::1',
      'sandbox',
      '. To receive on your own machine, use npx parcelctl listen --forward-to, or start the platform with WEBHOOK_ALLOWED_NETWORKS=::1/128',
    ],
  ] as const)('at %s in %s', (place, environment, hint) => expect(allowanceHint(place, environment)).toBe(hint));
});

test.each([
  ['', false, 443],
  ['', true, 80],
  ['0', false, 0],
  ['8443', true, 8443],
])('the port %p of a URL (plain: %p) is %i', (written, plain, port) => expect(portOf(written, plain)).toBe(port));
