// What holds for the pushes of every vendor: who is believed, and what is read. The vendors' own vectors and forms are tested beside their sources.
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { isTerminalAdminStatus } from '@parcelway/contracts/admin-status';
import type { PushOptions, ServerRow, SourceServer } from '@parcelway/harness/sources/source-server';
import { sourceServers } from '@parcelway/harness/sources/source-servers';
import { numberOf } from '../testing/source-driver.ts';
import type { PushedTrace, PushHeaders } from './push.ts';
import type { Credentials, SourcePushes, TrackingSource } from './source.ts';
import { trackingSources } from './source-list.ts';

/** Vendors that send a token of ours and sign nothing. */
const UNSIGNED = ['ups', 'dhl'];
const scan: ServerRow = { stage: 'in transit', at: '2026-11-21T08:00:00+08:00', city: 'Shenzhen', country: 'CN' };
const delivered: ServerRow = { stage: 'delivered', at: '2026-11-25T11:30:00+01:00', text: 'Delivered' };

describe.each(Object.keys(sourceServers))('%s', (name) => {
  const source = trackingSources.get(name) as TrackingSource;
  const pushes = source.pushes as SourcePushes;
  const number = numberOf(name);
  let server: SourceServer;

  beforeEach(async () => {
    server = (await sourceServers[name]?.()) as SourceServer;
    server.addRows(number, scan, delivered);
  });
  afterEach(() => server.close());

  /** A push as it reaches us. */
  function received(options: PushOptions = {}): { readonly body: Uint8Array; readonly headers: PushHeaders } {
    const { body, headers } = server.signPush(number, options);
    return {
      body: Buffer.from(body),
      headers: Object.fromEntries(Object.entries(headers).map(([key, value]) => [key.toLowerCase(), value])),
    };
  }
  const secrets = (credentials: Credentials = server.credentials) => pushes.secretsOf(credentials);
  const isTrue = ({ body, headers }: ReturnType<typeof received>, by = secrets()) => pushes.verify(body, headers, by);
  const read = (body: Uint8Array): readonly PushedTrace[] => pushes.parse(pushes.open?.(body, {}, server.credentials) ?? body);
  /** The headers that prove a push. */
  function proofs(): readonly string[] {
    const unsigned = received({ isUnsigned: true }).headers;
    return Object.keys(received().headers).filter((header) => unsigned[header] === undefined);
  }

  test('a push is verified, parsed and translated', () => {
    const push = received();
    expect(isTrue(push)).toBe(true);
    const traces = read(push.body);
    expect(traces.map(({ trackingNumber }) => trackingNumber)).toEqual([number]);
    const { nodes } = source.translate(traces[0]?.raw, { trackingNumber: number, dispatchedAt: Date.parse('2026-11-20T00:00:00Z') });
    expect(nodes.filter(({ adminStatus }) => isTerminalAdminStatus(adminStatus))).toMatchObject([{ content: 'Delivered' }]);
  });

  test('two secrets prove a push during a rotation, and no other does', () => {
    const former = source.credentials.optional.find((one) => one.startsWith('previous_')) ?? '';
    const current = former.slice('previous_'.length);
    const { [current]: own = '' } = server.credentials;
    expect(secrets({ ...server.credentials, [current]: 'NEW', [former]: own })).toEqual(['NEW', own]);
    for (const by of [['NEW', own], [own, 'NEW'], [own]]) expect(isTrue(received(), by)).toBe(true);
    for (const by of [['NEW'], ['NEW', ''], [''], []]) expect(isTrue(received(), by)).toBe(false);
    expect(secrets({ ...server.credentials, [current]: '', [former]: '' })).toEqual([]);
  });

  test('a push with another secret, an empty one or none is refused', () => {
    for (const wrong of [{ secret: 'another' }, { isUnsigned: true }]) expect(isTrue(received(wrong))).toBe(false);
    for (const by of [[''], []]) expect(isTrue(received({ secret: '' }), by)).toBe(false);
  });

  test('a changed body is refused, or where nothing is signed, another push', () => {
    const { body, headers } = received();
    const text = Buffer.from(body).toString();
    for (const changed of [`${text} `, text.slice(1), JSON.stringify({ ...(JSON.parse(text) as object), more: 1 }), '']) {
      expect(isTrue({ body: Buffer.from(changed), headers })).toBe(UNSIGNED.includes(name));
    }
    if (!UNSIGNED.includes(name)) expect(isTrue(received({ signs: '{}' }))).toBe(false);
  });

  test('a proof that is changed, repeated or elsewhere is refused', () => {
    const { body, headers } = received();
    for (const header of proofs()) {
      const { [header]: right = '', ...others } = headers;
      const [list, map]: unknown[] = [[right], { 0: right }];
      const wrong = [
        undefined,
        '',
        `${right}, ${right}`,
        `${right}0`,
        `${right} `,
        ` ${right}`,
        `Bearer ${right}`,
        right.slice(1),
        right.slice(0, -1),
      ];
      const odd = ['a'.repeat(100_000), list, [right, right], [], map, 5, null, right.toUpperCase(), right.toLowerCase()];
      for (const value of [...wrong, ...odd].filter((one) => one !== right)) {
        expect(isTrue({ body, headers: { ...others, [header]: value as string } })).toBe(false);
      }
      expect(isTrue({ body, headers: { ...others, [`${header}-v2`]: right, authorization: right, signature: right } })).toBe(false);
    }
  });

  test.each(['', '{', '[]', 'null', '5', '"x"', '{}', '<push/>', '\u00ff{}'])('%j is no push', (text) => {
    expect(() => read(Buffer.from(text, 'latin1'))).toThrow(Error);
  });
});
