import { Resolver } from 'node:dns';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import type { Network } from '@parcelway/kernel/networks';
import { createHostResolver, type ResolveHost } from '../../endpoints/adapters/resolve-host.ts';
import { createUrlGuard } from '../../endpoints/adapters/url-guard.ts';
import { parseNetworks } from '../../endpoints/domain/address-policy.ts';
import { type Receiver, type Responding, startReceiver } from '../../testing/receiver.ts';
import { useTrap } from '../../testing/trap.ts';
import { Interruption } from '../domain/interruption.ts';
import { createUndiciSender } from './undici-sender.ts';

/* Names that do not keep to what they said. The trap is on addresses that may not be reached. */

const PUBLIC = '93.184.216.34';
const TRAP = '127.0.0.2';

const trap = useTrap();

const opened: Receiver[] = [];
afterEach(async () => {
  jest.restoreAllMocks();
  await Promise.all(opened.splice(0).map((each) => each.close()));
  expect(trap.connections).toBe(0);
});

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

async function refusalOf(url: string, resolve: ResolveHost, allowed: readonly Network[] = []): Promise<string | undefined> {
  return (await createUrlGuard(allowed, resolve, 'sandbox')(url))?.message;
}

async function send(url: string, resolve: ResolveHost, allowed: readonly Network[] = []) {
  const sender = createUndiciSender({ allowed, resolve, deadlineMs: 5000 });
  return sender.send({ url, headers: {}, body: '{}' }, new Interruption()).finally(() => sender.close());
}

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
    expect(await refusalOf(url, resolve)).toBeUndefined();
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
    expect(await refusalOf(url, resolve)).toContain('receiver.example, which resolves to');
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
    expect(await refusalOf('http://own.example:3000/', resolve, allowed)).toBeUndefined();
    expect(await refusalOf('http://mixed.example:3000/', resolve, allowed)).toMatch(/https/);
    expect((await send(`http://mixed.example:${trap.port}/`, resolve, allowed)).error).toMatch(/^The address is not allowed: .*https/);
  });
});
