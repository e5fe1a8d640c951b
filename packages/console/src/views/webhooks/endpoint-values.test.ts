import { describe, expect, test } from '@jest/globals';
import { routeExamples } from '@parcelway/contracts/examples';
import { attemptErrorCodes, type Delivery, type DeliveryAttempt, deliveryStatuses } from '@parcelway/contracts/webhook-delivery-api';
import type { WebhookEndpoint } from '@parcelway/contracts/webhook-endpoint-api';
import { changeIn, valuesIn } from '../../data/body.ts';
import { words } from '../../messages/words.ts';
import { endpointFields, errorText, filterOf, lastFault, ratesOf, sharesOf, stateSentences, successRate } from './endpoint-values.ts';

const { en, zh } = words;

const endpoint = routeExamples['getEndpoint']?.data as WebhookEndpoint;

describe('the form of an endpoint', () => {
  test('leaves out unchanged fields: the address, and headers with unknown values', () => {
    expect(changeIn(endpointFields, valuesIn(endpointFields, endpoint), endpoint)).toEqual({});
  });

  test.each(['[]', '1', 'null', '{"a":', 'is_terminal'])('%s is no filter', (text) => {
    expect(filterOf(text)).toBeUndefined();
  });
});

const NOW = Date.parse('2026-11-24T01:15:00Z');
const after = (ms: number): string => new Date(NOW + ms).toISOString();
const english = { t: en, locale: 'en-GB' };
const well = { state: 'ok', failing_since: null, slowdown_end_time: null, disable_time: null } as const;
const endpointWith = (health: Partial<WebhookEndpoint['health']>, fields: Partial<WebhookEndpoint> = {}): WebhookEndpoint => ({
  ...endpoint,
  status: 'enabled',
  health: { ...well, ...health },
  ...fields,
});

test('of an endpoint that is well nothing is said', () => {
  expect(stateSentences(endpointWith({}), english, NOW)).toEqual([]);
});

describe('of a slow-down', () => {
  const slowed = endpointWith({ slowdown_end_time: after(40_000) });
  test('names who requested it and when it ends', () => {
    expect(stateSentences(slowed, english, NOW)).toEqual([
      'Your receiver failed 20 times in a row, or asked the platform to slow down (429, 502, 504 or Retry-After). Sending continues in 40 seconds.',
    ]);
    expect(stateSentences(slowed, { t: zh, locale: 'zh-CN' }, NOW)).toEqual([expect.stringContaining('暂停发送，40 秒钟后继续')]);
  });

  test.each([38_000, 39_500, 40_000, 41_000, 400_000])('nothing is said when it is as good as over: %d ms later', (later) => {
    expect(stateSentences(slowed, english, NOW + later)).toEqual([]);
  });
});

test('the most urgent comes first', () => {
  const failing = endpointWith({
    state: 'failing',
    failing_since: after(-3_600_000),
    slowdown_end_time: after(60_000),
    disable_time: after(5 * 86_400_000),
  });
  expect(stateSentences(failing, english, NOW).map((sentence) => sentence.split(' ').slice(0, 2).join(' '))).toEqual([
    'Every attempt',
    'Your receiver',
    'If no',
  ]);
});

test('of a disabled one only why is said', () => {
  const gone = endpointWith({ failing_since: after(-1) }, { status: 'disabled', disabled_reason: 'gone' });
  expect(stateSentences(gone, english, NOW)).toEqual([en.endpoint.disabledBecause['gone']]);
});

test('a day without attempts has no rate and no duration', () => {
  const none = { attempts: 0, succeeded: 0, failed: 0, duration_ms_median: null, duration_ms_p95: null };
  const some = { attempts: 8, succeeded: 6, failed: 2, duration_ms_median: 20, duration_ms_p95: 90 };
  expect(
    ratesOf({
      days: [
        { date: '2026-11-20', ...none },
        { date: '2026-11-21', ...some },
      ],
    }),
  ).toEqual({
    success: [
      { day: '2026-11-20', amount: null },
      { day: '2026-11-21', amount: 0.75 },
    ],
    attempts: [
      { day: '2026-11-20', amount: 0 },
      { day: '2026-11-21', amount: 8 },
    ],
    duration: [
      { day: '2026-11-20', amount: null },
      { day: '2026-11-21', amount: 90 },
    ],
  });
});

describe('why an attempt had no good response', () => {
  test('is said in the language of the reader', () => {
    const attempt = { error: 'The connection was refused', error_code: 'connection_refused' };
    expect(errorText(attempt, en.delivery)).toBe(
      'The connection was refused. Check that the receiver is running and that the port is correct.',
    );
    expect(errorText(attempt, zh.delivery)).toBe('连接被拒绝。请检查接收方是否在运行、端口是否正确。');
  });

  test('keeps what only the platform knows', () => {
    const attempt = { error: 'The TLS connection could not be made: CERT_HAS_EXPIRED', error_code: 'tls' };
    expect(errorText(attempt, zh.delivery)).toContain('CERT_HAS_EXPIRED');
  });

  test.each([null, 'a_code_of_tomorrow'])('is the sentence of the platform where the code is %p', (error_code) => {
    expect(errorText({ error: 'Nobody knows', error_code }, en.delivery)).toBe('No valid response: Nobody knows');
  });

  test('has words for every code', () => {
    for (const { errors } of [en.delivery, zh.delivery]) expect(Object.keys(errors)).toEqual([...attemptErrorCodes]);
  });

  test('is not shown for a success', () => {
    expect(errorText({ error: null, error_code: null }, en.delivery)).toBeNull();
  });
});

describe('what went wrong last', () => {
  const attempt = (fields: Partial<DeliveryAttempt>) =>
    ({ status_code: null, error: null, error_code: null, ...fields }) as DeliveryAttempt;
  const refused = attempt({ error: 'The connection was refused', error_code: 'connection_refused' });

  test('is the sentence of the attempt where no response came, so that the page need not say it twice', () => {
    expect(lastFault('failed', refused, en.delivery)).toBe(errorText(refused, en.delivery));
  });

  test.each([
    [503, 'The receiver returned 503.'],
    [302, 'The receiver returned 302. Redirects are not followed. They count as failures.'],
  ])('is the status where one came: %d', (status_code, said) => {
    expect(lastFault('pending', attempt({ status_code, error: 'status', error_code: 'status' }), en.delivery)).toBe(said);
  });

  test('is nothing once the delivery has succeeded, and before the first attempt', () => {
    expect(lastFault('succeeded', refused, en.delivery)).toBe('');
    expect(lastFault('pending', undefined, en.delivery)).toBe('');
  });
});

const of = (...statuses: string[]): Delivery[] => statuses.map((status) => ({ status, test: false }) as Delivery);

test('deliveries are counted by status; test events are not', () => {
  const tests = [{ status: 'failed', test: true } as Delivery];
  expect(sharesOf([...of('failed', 'succeeded', 'succeeded', 'held'), ...tests])).toEqual([
    { status: 'succeeded', count: 2 },
    { status: 'failed', count: 1 },
    { status: 'held', count: 1 },
  ]);
  expect(
    sharesOf(of(...deliveryStatuses))
      .map(({ status }) => status)
      .sort(),
  ).toEqual([...deliveryStatuses].sort());
});

test('the rate is of those with a result', () => {
  expect(successRate(sharesOf(of('succeeded', 'succeeded', 'succeeded', 'failed', 'pending')))).toBe(0.75);
  expect(successRate(sharesOf(of('pending', 'held')))).toBeUndefined();
});
