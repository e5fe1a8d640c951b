import { describe, expect, test } from '@jest/globals';
import { KafkaJSNumberOfRetriesExceeded, KafkaJSProtocolError } from 'kafkajs';
import { isGroupNotReady, isUnknownTopic } from './kafka-errors.ts';

/** What kafkajs throws when its retries have met this response of a broker. */
function afterRetries(type: string): Error {
  const response = new KafkaJSProtocolError(Object.assign(new Error('refused'), { type, code: 1, retriable: true }));
  return Object.assign(new KafkaJSNumberOfRetriesExceeded(response, { retryCount: 6, retryTime: 1000 }), { cause: response });
}

describe('a failure of a consumer', () => {
  test.each(['GROUP_LOAD_IN_PROGRESS', 'GROUP_COORDINATOR_NOT_AVAILABLE', 'NOT_COORDINATOR_FOR_GROUP'])(
    'by %s heals when the group is ready',
    (type) => expect(isGroupNotReady(afterRetries(type))).toBe(true),
  );

  test('by anything else needs somebody to look', () => {
    expect(isGroupNotReady(afterRetries('GROUP_AUTHORIZATION_FAILED'))).toBe(false);
    expect(isGroupNotReady(new Error('connect ECONNREFUSED'))).toBe(false);
    // Brokers call this one retriable, too; but nobody creates the topic.
    const missing = afterRetries('UNKNOWN_TOPIC_OR_PARTITION');
    expect([isGroupNotReady(missing), isUnknownTopic(missing)]).toEqual([false, true]);
  });
});
