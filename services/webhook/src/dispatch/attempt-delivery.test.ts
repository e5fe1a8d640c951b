import { expect, jest, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import { sign } from '../endpoints/domain/signed-headers.ts';
import type { AttemptResult } from '../queue/domain/attempt.ts';
import { endpointFor, leasedOf, T0 } from '../testing/webhook-fixtures.ts';
import { attemptDelivery, type WebhookRequest } from './attempt-delivery.ts';
import { Interruption } from './domain/lane.ts';
import type { Reply } from './domain/settle.ts';
import type { PreparedBody } from './full-payloads.ts';

const signatures = (body: string): string => ['whsec_aaaa', 'whsec_bbbb'].map((secret) => sign(secret, 'evt_1', T0 / 1000, body)).join(' ');
const good: Reply = { statusCode: 204, error: null, errorCode: null, responseBody: 'ok', retryAfter: null };

/** Makes an attempt of 40 ms. */
async function attempt(reply: Reply, prepared?: PreparedBody) {
  const payload = prepared === undefined ? 'thin' : 'full';
  const secrets = { formerSecret: 'whsec_bbbb', formerSecretUntil: T0 + 1 };
  const endpoint = endpointFor('tnt_one', { headers: { 'x-key': '1' }, payload, ...secrets });
  const leased = { ...leasedOf(), endpoint, body: '{"a":1}' };
  const sent: [WebhookRequest, Interruption][] = [];
  const interruption = new Interruption();
  let time = 100;
  const spy = jest.spyOn(performance, 'now').mockImplementation(() => time);
  const sender = {
    async send(request: WebhookRequest, given: Interruption): Promise<Reply> {
      sent.push([request, given]);
      time += 39.6;
      return reply;
    },
    close: async () => undefined,
  };
  try {
    const full = {
      concerns: () => prepared !== undefined,
      prepare: async () => prepared ?? { postponedUntil: 0 },
    };
    const options = { sender, schedule: [0, 1000], full, clock: new ManualClock(T0), random: () => 0.5 };
    return { result: (await attemptDelivery(leased, options, interruption)) as AttemptResult, sent, interruption, leased };
  } finally {
    spy.mockRestore();
  }
}

test('an attempt sends the stored body, signed with all secrets that are valid', async () => {
  const { sent, interruption, leased } = await attempt(good);
  expect(sent).toHaveLength(1);
  expect(sent[0]?.[1]).toBe(interruption);
  expect(sent[0]?.[0]).toMatchObject({ url: leased.endpoint.url, body: '{"a":1}', headers: { 'x-key': '1', 'webhook-id': 'evt_1' } });
  expect(sent[0]?.[0].headers['webhook-signature']).toBe(signatures('{"a":1}'));
});

test('a 2xx is a success, with everything that came back', async () => {
  const { result, leased } = await attempt(good);
  expect(result).toEqual({
    leased,
    attempt: {
      attemptId: expect.stringMatching(/^att_/),
      url: leased.endpoint.url,
      startedAt: T0,
      durationMs: 40,
      outcome: 'succeeded',
      ...good,
    },
    status: 'succeeded',
    nextAttemptAt: null,
    nextReason: null,
    gone: false,
  });
});

test('anything else is a failure, and the next attempt is counted from its end', async () => {
  const { result } = await attempt({ ...good, statusCode: 500, error: 'status 500', errorCode: 'status' });
  expect(result).toMatchObject({ attempt: { outcome: 'failed', statusCode: 500 }, status: 'pending', nextAttemptAt: T0 + 40 + 1000 });
});

test('a full payload is sent and signed in place of the stored body, and is dropped afterwards; the result keeps the stored one', async () => {
  const done = jest.fn();
  const { sent, result, leased } = await attempt(good, { body: '{"full":1}', done });
  expect(sent[0]?.[0].body).toBe('{"full":1}');
  expect(sent[0]?.[0].headers['webhook-signature']).toBe(signatures('{"full":1}'));
  expect([result.leased, result.leased.body]).toEqual([leased, '{"a":1}']);
  expect(done).toHaveBeenCalledTimes(1);
});

test('a full payload that cannot be had now is no attempt', async () => {
  const { sent, result } = await attempt(good, { postponedUntil: T0 + 9 });
  expect(sent).toEqual([]);
  expect(result).toEqual({ postponedUntil: T0 + 9 });
});
