// The verification of EasyPost's own client library, the server of the tests, and our verification agree. The library signs nothing.
import { createHmac } from 'node:crypto';
import EasyPostClient from '@easypost/api';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { startEasyPostServer } from '@parcelway/harness/sources/easypost-server';
import type { SignedPush, SourceServer } from '@parcelway/harness/sources/source-server';
import { parseEasyPostPush, verifyEasyPostPush } from './push.ts';

const NUMBER = '9400100110368068953525';

/** What is used of the library. Its own types describe its CommonJS form alone. */
interface Library {
  new (
    key: string,
  ): {
    /** Makes no call. It returns the Event, or throws. */
    readonly Utils: { validateWebhook(body: Buffer, headers: object, secret: string): unknown };
  };
}

const { Utils: official } = new (EasyPostClient as unknown as Library)('no key');

let server: SourceServer;
beforeEach(async () => {
  server = await startEasyPostServer();
  server.addRows(NUMBER, { stage: 'in transit', at: '2026-11-24T08:00:00-08:00', text: 'Départ', city: 'Fontana', country: 'US' });
});
afterEach(() => server.close());

const secretOf = (): string => server.credentials['webhook_secret'] ?? '';

/** What both verifications say of a push: true and true, or false and false. */
function verdicts({ body, headers }: Pick<SignedPush, 'body' | 'headers'>, secret = secretOf()): [official: boolean, ours: boolean] {
  const bytes = Buffer.from(body);
  let isOfficial = true;
  try {
    official.validateWebhook(bytes, headers, secret);
  } catch (error) {
    if (!(error instanceof Error && /webhook/i.test(error.message))) throw error;
    isOfficial = false;
  }
  return [isOfficial, verifyEasyPostPush(bytes, headers, [secret])];
}

describe('a push of the server', () => {
  test('passes both, and both read the same Event', () => {
    const push = server.signPush(NUMBER);
    expect(verdicts(push)).toEqual([true, true]);
    const event = official.validateWebhook(Buffer.from(push.body), push.headers, secretOf()) as {
      readonly id: string;
      readonly result: unknown;
    };
    const { id, traces } = parseEasyPostPush(Buffer.from(push.body));
    expect(id).toBe(event.id);
    expect(traces).toMatchObject([{ trackingNumber: NUMBER, raw: event.result }]);
  });

  test('passes both with the secret in any Unicode form', () => {
    const push = server.signPush(NUMBER);
    for (const form of ['NFC', 'NFD', 'NFKD']) expect(verdicts(push, secretOf().normalize(form))).toEqual([true, true]);
  });

  test.each<[string, (push: SignedPush) => Pick<SignedPush, 'body' | 'headers'>]>([
    ['with a changed row', ({ body, headers }) => ({ body: body.replace('Fontana', 'Phoenix'), headers })],
    ['with a blank more', ({ body, headers }) => ({ body: `${body} `, headers })],
    ['that is cut', ({ body, headers }) => ({ body: body.slice(0, -1), headers })],
    ['without a body', ({ headers }) => ({ body: '', headers })],
    ['without a signature', ({ body }) => ({ body, headers: {} })],
    ['whose signature is of another algorithm', ({ body, headers }) => ({ body, headers: renamed(headers, 'sha256=') })],
    [
      'whose signature is cut',
      ({ body, headers }) => ({ body, headers: { 'x-hmac-signature': headers['x-hmac-signature']?.slice(0, -1) ?? '' } }),
    ],
  ])('%s is refused by both', (_what, change) => {
    expect(verdicts(change(server.signPush(NUMBER)))).toEqual([false, false]);
  });

  test('that is signed with another secret, or over another body, is refused by both', () => {
    expect(verdicts(server.signPush(NUMBER, { secret: 'of another connection' }))).toEqual([false, false]);
    expect(verdicts(server.signPush(NUMBER, { signs: '{}' }))).toEqual([false, false]);
    expect(verdicts(server.signPush(NUMBER), 'of another connection')).toEqual([false, false]);
  });
});

/** Headers with another name of the algorithm before the digest. */
function renamed(headers: SignedPush['headers'], algorithm: string): Record<string, string> {
  return { 'x-hmac-signature': (headers['x-hmac-signature'] ?? '').replace('hmac-sha256-hex=', algorithm) };
}

describe('a weight', () => {
  const signed = (body: string): Pick<SignedPush, 'body' | 'headers'> => ({
    body,
    headers: { 'x-hmac-signature': `hmac-sha256-hex=${createHmac('sha256', secretOf().normalize('NFKD')).update(body).digest('hex')}` },
  });
  const event = (weight: string): string => `{"description":"tracker.updated","result":{"tracking_code":"N1","weight":${weight}}}`;

  test.each(['136.0', '614.4', 'null'])('of %s, as EasyPost writes it, passes both', (weight) => {
    expect(verdicts(signed(event(weight)))).toEqual([true, true]);
  });

  test('that lost its fraction on the way passes theirs alone, which puts it back: we take the bytes that were signed', () => {
    const { headers } = signed(event('136.0'));
    expect(verdicts({ body: event('136'), headers })).toEqual([true, false]);
  });
});
