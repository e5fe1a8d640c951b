import { Resolver } from 'node:dns';
import { createServer, isIP } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { Network } from '@parcelway/kernel/networks';
import { parseUrl } from '@parcelway/kernel/parse-url';
import { createHostResolver, createUrlGuard, type ResolveHost } from '../../endpoints/adapters/resolve-host.ts';
import { parseNetworks } from '../../endpoints/domain/address-policy.ts';
import { type Receiver, type Responding, startReceiver } from '../../testing/receiver.ts';
import { Interruption } from '../domain/lane.ts';
import { createGuardedConnector, RefusedAddressError } from './guarded-connect.ts';
import { createUndiciSender } from './undici-sender.ts';

const nowhere: ResolveHost = async () => {
  throw new Error('no such host');
};
const to =
  (...addresses: string[]): ResolveHost =>
  async () =>
    addresses;

/** Hosts that the guard must refuse, in every notation, separated by blanks. */
const hosts: Readonly<Record<string, string>> = {
  loopback: '127.0.0.1 127.9.8.7 127.0.0.1. [::1] [0:0:0:0:0:0:0:1]',
  'loopback in other numbers': '2130706433 0x7f000001 0x7f.0.0.0x1 0177.0.0.1 017700000001 00000177.0.0.1 127.1 127.16777215',
  'loopback in other characters': '①②⑦.0.0.1 １２７.０.０.１ 127。0。0。1 127.0.0\u00ad.1 127.0\t.0.1 %31%32%37.0.0.1',
  'loopback by name': 'localhost localhost. LOCALHOST ⓛⓞⓒⓐⓛⓗⓞⓢⓣ a.localhost',
  'loopback behind a public host': '8.8.8.8@127.0.0.1',
  'IPv4 through IPv6': '[::ffff:127.0.0.1] [::ffff:7f00:1] [::127.0.0.1] [::ffff:0:127.0.0.1] [::ffff:10.0.0.1]',
  'NAT64, 6to4 and Teredo': '[64:ff9b::127.0.0.1] [64:ff9b::10.0.0.1] [64:ff9b:1::7f00:1] [2002:7f00:1::] [2001:0:7f00:1::]',
  unspecified: '0.0.0.0 0 0.1.2.3 [::]',
  private: '10.0.0.1 172.16.5.4 192.168.1.1 100.64.0.1 [fd00::1]',
  'metadata of a provider': '169.254.169.254 2852039166 [::ffff:a9fe:a9fe] [fd00:ec2::254] 100.100.100.200 192.0.0.192 168.63.129.16',
  'link-local and site-local': '169.254.0.1 [fe80::1] [fec0::1]',
  'multicast and broadcast': '224.0.0.1 255.255.255.255 [ff02::1]',
  reserved: '198.18.0.1 192.0.2.1 240.0.0.1 [2001:db8::1] [3fff::1] [5f00::1]',
  'a private name': 'redis metadata.google.internal',
};

/** More URLs that the guard must refuse. `%` stands for the trap's port. */
const urls: Readonly<Record<string, string>> = {
  'other slashes': 'https:127.0.0.1:%/ https:///127.0.0.1:%/ https:\\\\127.0.0.1:%/',
  'a public host behind it': 'https://127.0.0.1:%/#@8.8.8.8/',
  'a user name': 'https://user@receiver.example/ https://user:secret@receiver.example/',
  'no https': 'http://receiver.example/ http://8.8.8.8/ ftp://receiver.example/ gopher://127.0.0.1:%/ https://',
  'a port below 1024': 'https://receiver.example:80/ https://receiver.example:0/ https://receiver.example:25/ https://8.8.8.8:25/',
  'a port of an internal service': 'https://receiver.example:22/ https://receiver.example:6379/',
};

function refused(): (readonly [kind: string, url: string])[] {
  const all = [
    ...Object.entries(hosts).map(([kind, some]) => [kind, some.replace(/[^ ]+/g, 'https://$&:%/')] as const),
    ...Object.entries(urls),
  ];
  return all.flatMap(([kind, some]) => some.split(' ').map((url) => [kind, url.replace(/%(?=\/)/, String(trap.port))] as const));
}

/** A server on every address of this machine, which nothing may connect to. */
const trap = { port: 0, connections: 0 };
const trapServer = createServer((socket) => {
  trap.connections += 1;
  socket.destroy();
});
beforeAll(async () => {
  await new Promise<void>((resolve) => trapServer.listen(0, '::', resolve));
  trap.port = (trapServer.address() as { port: number }).port;
});
afterAll(() => new Promise((resolve) => trapServer.close(resolve)));

const opened: Receiver[] = [];
afterEach(async () => {
  jest.restoreAllMocks();
  await Promise.all(opened.splice(0).map((each) => each.close()));
  expect(trap.connections).toBe(0);
});

async function refusalOf(url: string, allowed: readonly Network[], resolve: ResolveHost): Promise<string | undefined> {
  const refusal = await createUrlGuard(allowed, resolve, 'sandbox')(url);
  if (refusal) expect(refusal.field).toBe('url');
  return refusal?.message;
}

function send(url: string, resolve: ResolveHost, allowed: readonly Network[] = []) {
  const sender = createUndiciSender({ allowed, resolve, deadlineMs: 5000 });
  return sender.send({ url, headers: {}, body: '{}' }, new Interruption()).finally(() => sender.close());
}

describe('addresses that may not be reached', () => {
  test('are refused at registration', async () => {
    for (const [kind, url] of refused()) {
      expect([kind, url, await refusalOf(url, [], nowhere)]).toEqual([kind, url, expect.stringMatching(/url must/)]);
    }
  });

  test('are refused when sending as well, and nobody ever connected', async () => {
    const error = expect.stringMatching(/^The address is not allowed: url must/);
    const none = { statusCode: null, error, errorCode: 'address_not_allowed', responseBody: null, retryAfter: null };
    for (const [kind, url] of refused()) {
      // Names resolve to the trap here: only the check of the address is between them and it.
      expect([kind, url, await send(url, to('127.0.0.1'))]).toEqual([kind, url, none]);
    }
  }, 30_000);

  test('are refused by the connector itself, which gets an address and never looks it up', async () => {
    const literals = refused().filter(([, url]) => isIP(parseUrl(url)?.hostname.replace(/^\[|\]$/g, '') ?? '') !== 0);
    expect(literals.length).toBeGreaterThan(40);
    const looksUp: ResolveHost = async (host) => {
      throw new Error(`${host} was looked up`);
    };
    const connect = createGuardedConnector({ allowed: [], resolve: looksUp, timeoutMs: 2000 });
    for (const [kind, url] of literals) {
      const { hostname, protocol, port: asked } = new URL(url);
      const error = await new Promise((resolve) =>
        connect({ hostname, protocol, port: asked, servername: '' }, (failure, socket) => resolve(failure ?? socket)),
      );
      expect([kind, url, error]).toEqual([kind, url, expect.any(RefusedAddressError)]);
    }
  });
});

/* Names that do not keep to what they said. The trap is on addresses that may not be reached. */

const PUBLIC = '93.184.216.34';
const TRAP = '127.0.0.2';

/** Addresses of a name for a question: the `nth` of its kind, from 0. */
type Responses = (kind: 'A' | 'AAAA', name: string, nth: number) => readonly string[];

/** Has the name servers respond. @returns the questions so far, such as `A receiver.example` */
function nameServer(responses: Responses): readonly string[] {
  const questions: string[] = [];
  const responseOf =
    (kind: 'A' | 'AAAA') =>
    (...[name, callback]: readonly unknown[]): void => {
      const question = `${kind} ${name}`;
      const nth = questions.filter((other) => other === question).length;
      questions.push(question);
      const addresses = responses(kind, String(name), nth);
      (callback as (error: Error | null, addresses?: readonly string[]) => void)(
        addresses.length === 0 ? new Error('no such name') : null,
        addresses,
      );
    };
  jest.spyOn(Resolver.prototype, 'resolve4').mockImplementation(responseOf('A'));
  jest.spyOn(Resolver.prototype, 'resolve6').mockImplementation(responseOf('AAAA'));
  return questions;
}

async function receiver(response?: Responding): Promise<Receiver> {
  const started = await startReceiver(response);
  opened.push(started);
  return started;
}

const ofA =
  (...turns: readonly (readonly string[])[]): Responses =>
  (kind, _name, nth) =>
    kind === 'A' ? (turns[Math.min(nth, turns.length - 1)] ?? []) : [];

test('a name resolves to its IPv4 and IPv6 addresses', async () => {
  const questions = nameServer((kind) => (kind === 'A' ? [PUBLIC, '8.8.8.8'] : ['2606:4700::1111', '::ffff:10.0.0.1']));
  const addresses = await createHostResolver([])('receiver.example');
  expect(addresses).toEqual([PUBLIC, '8.8.8.8', '2606:4700::1111', '::ffff:10.0.0.1']);
  expect([...questions].sort()).toEqual(['A receiver.example', 'AAAA receiver.example']);
});

test.each([
  [['127.0.0.0/8'], ['127.0.0.1']],
  [['::1/128'], ['::1']],
  [[], ['127.0.0.1', '::1']],
])('localhost resolves to the loopback addresses of the allowed networks: %j', async (networks, addresses) => {
  expect(await createHostResolver(parseNetworks(networks))('localhost')).toEqual(addresses);
});

describe('a name that changes its address', () => {
  test.each([
    ['loopback', ['127.0.0.1']],
    ['metadata', ['169.254.169.254']],
    ['a private network', ['10.0.0.1']],
    ['public and loopback', [PUBLIC, '127.0.0.1']],
    ['loopback and public', ['127.0.0.1', PUBLIC]],
  ])('from public to %s after its registration is refused at every send', async (_what, later) => {
    const questions = nameServer(ofA([PUBLIC], later));
    const resolve = createHostResolver([]);
    const url = `https://receiver.example:${trap.port}/`;
    expect(await refusalOf(url, [], resolve)).toBeUndefined();
    for (const _attempt of [1, 2]) {
      const { statusCode, error } = await send(url, resolve);
      expect([statusCode, error]).toEqual([
        null,
        expect.stringMatching(/^The address is not allowed: .*receiver\.example, which resolves to/),
      ]);
    }
    // Asked again for each: what was right at the registration is not remembered.
    expect(questions.filter((question) => question.startsWith('A '))).toHaveLength(3);
    // And registered now, it would be refused as well.
    expect(await refusalOf(url, [], resolve)).toContain('receiver.example, which resolves to');
  });

  test('is judged by the address that is connected to, not by a second look-up', async () => {
    // Were the name asked once to judge and once to connect, the second response would lead into the trap.
    const questions = nameServer(ofA(['127.0.0.1'], [TRAP]));
    const { port: good } = await receiver();
    const allowed = parseNetworks(['127.0.0.1/32']);
    const reply = await send(`http://receiver.example:${good}/`, createHostResolver(allowed), allowed);
    expect(reply).toMatchObject({ statusCode: 200, error: null });
    expect(questions.filter((question) => question.startsWith('A '))).toHaveLength(1);
  });

  test('away from an allowed network is refused as soon as a new connection is needed', async () => {
    const hook = await receiver((_req, res) => void res.writeHead(204, { connection: 'close' }).end());
    nameServer(ofA(['127.0.0.1'], [TRAP]));
    const allowed = parseNetworks(['127.0.0.1/32']);
    const sender = createUndiciSender({ allowed, resolve: createHostResolver(allowed), deadlineMs: 5000 });
    const request = { url: `http://receiver.example:${hook.port}/`, headers: {}, body: '{}' };
    expect(await sender.send(request, new Interruption())).toMatchObject({ statusCode: 204 });
    const second = await sender.send(request, new Interruption());
    expect([second.statusCode, second.error]).toEqual([null, expect.stringContaining(`which resolves to ${TRAP}`)]);
    expect(hook.received).toHaveLength(1);
    await sender.close();
  });
});

describe('a receiver in an allowed network', () => {
  const allowed = parseNetworks(['127.0.0.1/32']);
  test('has a name only as long as every address of the name is in it, or is public and reached by https', async () => {
    nameServer((kind, name) => (kind === 'AAAA' ? [] : name === 'mixed.example' ? ['127.0.0.1', PUBLIC] : ['127.0.0.1']));
    const resolve = createHostResolver(allowed);
    expect(await refusalOf('http://own.example:3000/', allowed, resolve)).toBeUndefined();
    expect(await refusalOf('http://mixed.example:3000/', allowed, resolve)).toMatch(/https/);
    expect((await send(`http://mixed.example:${trap.port}/`, resolve, allowed)).error).toMatch(/^The address is not allowed: .*https/);
  });
});
