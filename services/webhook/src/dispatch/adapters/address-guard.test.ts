import { Resolver } from 'node:dns';
import { createServer, isIP } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { Network } from '@parcelway/kernel/networks';
import { parseUrl } from '@parcelway/kernel/parse-url';
import { createHostResolver, type ResolveHost } from '../../endpoints/adapters/resolve-host.ts';
import { createUrlGuard } from '../../endpoints/adapters/url-guard.ts';
import { parseNetworks } from '../../endpoints/domain/address-policy.ts';
import { type Receiver, type Responding, startReceiver } from '../../testing/receiver.ts';
import { Interruption } from '../domain/interruption.ts';
import { createGuardedConnector, RefusedAddressError } from './guarded-connect.ts';
import { createUndiciSender } from './undici-sender.ts';

const nowhere: ResolveHost = async () => {
  throw new Error('no such host');
};
const to =
  (...addresses: string[]): ResolveHost =>
  async () =>
    addresses;

/** What may not be reached, in every way to write it. `%` stands for the port of the trap. */
const refused: readonly (readonly [why: string, url: string])[] = [
  ['loopback', 'https://127.0.0.1:%/'],
  ['all of 127.0.0.0/8', 'https://127.9.8.7:%/'],
  ['decimal', 'https://2130706433:%/'],
  ['hexadecimal', 'https://0x7f000001:%/'],
  ['hexadecimal parts', 'https://0x7f.0.0.0x1:%/'],
  ['octal', 'https://0177.0.0.1:%/'],
  ['octal in one', 'https://017700000001:%/'],
  ['short', 'https://127.1:%/'],
  ['decimal in part', 'https://127.16777215:%/'],
  ['zeros in front', 'https://00000177.0.0.1:%/'],
  ['circled digits', 'https://①②⑦.0.0.1:%/'],
  ['a soft hyphen', 'https://127.0.0\u00ad.1:%/'],
  ['a tab within', 'https://127.0\t.0.1:%/'],
  ['no slashes', 'https:127.0.0.1:%/'],
  ['three slashes', 'https:///127.0.0.1:%/'],
  ['backslashes', 'https:\\\\127.0.0.1:%/'],
  ['a public host before it', 'https://8.8.8.8@127.0.0.1:%/'],
  ['a public host behind it', 'https://127.0.0.1:%/#@8.8.8.8/'],
  ['full-width digits', 'https://１２７.０.０.１:%/'],
  ['full-width dots', 'https://127。0。0。1:%/'],
  ['percent-encoded', 'https://%31%32%37.0.0.1:%/'],
  ['a dot at the end', 'https://127.0.0.1.:%/'],
  ['unspecified', 'https://0.0.0.0:%/'],
  ['zero', 'https://0:%/'],
  ['private 10', 'https://10.0.0.1:%/'],
  ['private 172', 'https://172.16.5.4:%/'],
  ['private 192', 'https://192.168.1.1:%/'],
  ['metadata', 'https://169.254.169.254:%/latest/meta-data/'],
  ['metadata, decimal', 'https://2852039166:%/'],
  ['metadata, v4-mapped', 'https://[::ffff:a9fe:a9fe]:%/'],
  ['metadata over IPv6', 'https://[fd00:ec2::254]:%/'],
  ['metadata in the range of carrier-grade NAT', 'https://100.100.100.200:%/'],
  ['metadata in a reserved range', 'https://192.0.0.192:%/'],
  ['metadata in the public range', 'https://168.63.129.16:%/'],
  ['link-local', 'https://169.254.0.1:%/'],
  ['carrier-grade NAT', 'https://100.64.0.1:%/'],
  ['this network', 'https://0.1.2.3:%/'],
  ['benchmarking', 'https://198.18.0.1:%/'],
  ['documentation', 'https://192.0.2.1:%/'],
  ['multicast', 'https://224.0.0.1:%/'],
  ['broadcast', 'https://255.255.255.255:%/'],
  ['reserved', 'https://240.0.0.1:%/'],
  ['IPv6 loopback', 'https://[::1]:%/'],
  ['IPv6 loopback, long', 'https://[0:0:0:0:0:0:0:1]:%/'],
  ['IPv6 unspecified', 'https://[::]:%/'],
  ['v4-mapped', 'https://[::ffff:127.0.0.1]:%/'],
  ['v4-mapped, hexadecimal', 'https://[::ffff:7f00:1]:%/'],
  ['v4-compatible', 'https://[::127.0.0.1]:%/'],
  ['v4-translated', 'https://[::ffff:0:127.0.0.1]:%/'],
  ['v4-mapped, private', 'https://[::ffff:10.0.0.1]:%/'],
  ['NAT64', 'https://[64:ff9b::127.0.0.1]:%/'],
  ['NAT64 to a private address', 'https://[64:ff9b::10.0.0.1]:%/'],
  ['local NAT64', 'https://[64:ff9b:1::7f00:1]:%/'],
  ['6to4', 'https://[2002:7f00:1::]:%/'],
  ['Teredo', 'https://[2001:0:7f00:1::]:%/'],
  ['unique local', 'https://[fd00::1]:%/'],
  ['link-local', 'https://[fe80::1]:%/'],
  ['site-local', 'https://[fec0::1]:%/'],
  ['IPv6 documentation', 'https://[2001:db8::1]:%/'],
  ['IPv6 documentation, later range', 'https://[3fff::1]:%/'],
  ['segment routing', 'https://[5f00::1]:%/'],
  ['IPv6 multicast', 'https://[ff02::1]:%/'],
  ['localhost', 'https://localhost:%/'],
  ['localhost with a dot', 'https://localhost.:%/'],
  ['LOCALHOST', 'https://LOCALHOST:%/'],
  ['localhost in circles', 'https://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ:%/'],
  ['below localhost', 'https://a.localhost:%/'],
  ['a single label', 'https://redis:%/'],
  ['an internal name', 'https://metadata.google.internal:%/'],
  ['user name', 'https://user@receiver.example/'],
  ['user name and password', 'https://user:secret@receiver.example/'],
  ['plain http', 'http://receiver.example/'],
  ['plain http to a public address', 'http://8.8.8.8/'],
  ['another scheme', 'ftp://receiver.example/'],
  ['another scheme with an address', 'gopher://127.0.0.1:%/'],
  ['a scheme alone', 'https://'],
  ['port of plain http', 'https://receiver.example:80/'],
  ['port 0', 'https://receiver.example:0/'],
  ['port of mail', 'https://receiver.example:25/'],
  ['port of SSH', 'https://receiver.example:22/'],
  ['port of Redis', 'https://receiver.example:6379/'],
  ['port of a public address', 'https://8.8.8.8:25/'],
];

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
  test.each(refused)('%s is refused at registration: %s', async (_why, url) => {
    expect(await refusalOf(url.replace(/%(?=\/)/, String(trap.port)), [], nowhere)).toMatch(/url must/);
  });

  test('are refused when sending as well, and nobody ever connected', async () => {
    for (const [why, url] of refused) {
      // Names resolve to the trap here: only the check of the address is between them and it.
      const reply = await send(url.replace(/%(?=\/)/, String(trap.port)), to('127.0.0.1'));
      expect([why, reply]).toEqual([
        why,
        {
          statusCode: null,
          error: expect.stringMatching(/^The address is not allowed: url must/),
          errorCode: 'address_not_allowed',
          responseBody: null,
          retryAfter: null,
        },
      ]);
    }
  }, 30_000);

  test('are refused by the connector itself, which gets an address and never looks it up', async () => {
    const urls = refused.map(([why, url]) => [why, url.replace(/%(?=\/)/, String(trap.port))] as const);
    const literals = urls.filter(([, url]) => isIP(parseUrl(url)?.hostname.replace(/^\[|\]$/g, '') ?? '') !== 0);
    expect(literals.length).toBeGreaterThan(40);
    const looksUp: ResolveHost = async (host) => {
      throw new Error(`${host} was looked up`);
    };
    const connect = createGuardedConnector({ allowed: [], resolve: looksUp, timeoutMs: 2000 });
    for (const [why, url] of literals) {
      const { hostname, protocol, port: asked } = new URL(url);
      const error = await new Promise((resolve) =>
        connect({ hostname, protocol, port: asked, servername: '' }, (failure, socket) => resolve(failure ?? socket)),
      );
      expect([why, error]).toEqual([why, expect.any(RefusedAddressError)]);
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
