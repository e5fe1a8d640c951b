import { describe, expect, test } from '@jest/globals';
import { parseNetworks } from './address-policy.ts';
import { addressRefusal, allowanceHint, judgeUrl, portOf } from './url-policy.ts';

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

  test('may be public or allowed', () => {
    expect(addressRefusal(target, '8.8.8.8', [])).toBeUndefined();
    expect(addressRefusal({ ...target, plain: true, port: 80 }, '127.0.0.1', local)).toBeUndefined();
  });

  test('may not be private, and the message names it', () => {
    expect(addressRefusal(target, '10.0.0.1', local)).toEqual({
      message: 'url must resolve to a public address; example.com, which resolves to 10.0.0.1, is private, local or reserved',
      place: '10.0.0.1',
    });
  });

  test('may not be public over plain http or at another port', () => {
    expect(addressRefusal({ ...target, plain: true, port: 80 }, '8.8.8.8', local)).toEqual({ message: NOT_HTTPS, place: '8.8.8.8' });
    expect(addressRefusal({ ...target, port: 80 }, '8.8.8.8', [])).toEqual({ message: `${PORT} 80 is not allowed` });
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
