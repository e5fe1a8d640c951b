import { describe, expect, test } from '@jest/globals';
import type { WebhookEndpoint } from '@parcelway/contracts/webhook-endpoint-api';
import { en } from '../../messages/en.ts';
import { zh } from '../../messages/zh.ts';
import { stateSentences } from './endpoint-sentences.ts';

const NOW = Date.parse('2026-11-24T01:15:00Z');
const after = (ms: number): string => new Date(NOW + ms).toISOString();
const english = { t: en, locale: 'en-GB' };

function endpointWith(health: Partial<WebhookEndpoint['health']>, fields: Partial<WebhookEndpoint> = {}): WebhookEndpoint {
  return {
    endpoint_id: 'ep_one',
    url: 'https://merchant.example/hook',
    description: '',
    event_types: ['parcel.weighed'],
    filter: {},
    headers: {},
    metadata: {},
    rate_limit: null,
    payload: 'thin',
    status: 'enabled',
    disabled_reason: null,
    pause_end_time: null,
    health: { state: 'ok', failing_since: null, next_probe_time: null, slowdown_end_time: null, disable_time: null, ...health },
    former_secret_end_time: null,
    create_time: after(-86_400_000),
    update_time: after(-86_400_000),
    ...fields,
  };
}

test('of an endpoint that is well nothing is said', () => {
  expect(stateSentences(endpointWith({}), english, NOW)).toEqual([]);
});

describe('of a slow-down', () => {
  const slowed = endpointWith({ slowdown_end_time: after(40_000) });
  test('it is said who asked for it and when it ends', () => {
    expect(stateSentences(slowed, english, NOW)).toEqual([
      'Your receiver asked the platform to slow down (429, 502, 504 or Retry-After). Nothing is sent for a while. Sending continues in 40 seconds.',
    ]);
    expect(stateSentences(slowed, { t: zh, locale: 'zh-CN' }, NOW)).toEqual([expect.stringContaining('暂停发送，40 秒钟后继续')]);
  });

  test.each([38_000, 39_500, 40_000, 41_000, 400_000])('nothing is said when it is as good as over: %d ms later', (later) => {
    expect(stateSentences(slowed, english, NOW + later)).toEqual([]);
  });
});

test('the most urgent comes first', () => {
  const failing = endpointWith({
    state: 'circuit_open',
    failing_since: after(-3_600_000),
    next_probe_time: after(60_000),
    slowdown_end_time: after(60_000),
    disable_time: after(5 * 86_400_000),
  });
  expect(stateSentences(failing, english, NOW).map((sentence) => sentence.split(' ').slice(0, 2).join(' '))).toEqual([
    'Every attempt',
    'It failed',
    'Your receiver',
    'If no',
  ]);
});

test('of a disabled one only why is said', () => {
  const gone = endpointWith({ failing_since: after(-1) }, { status: 'disabled', disabled_reason: 'gone' });
  expect(stateSentences(gone, english, NOW)).toEqual([en.endpoint.disabledBecause['gone']]);
});
