/**
 * Topics: one per publisher and subject, versioned. The partition count is declared here and never guessed; it
 * bounds how many replicas of a consumer share the work.
 */
export const topics = {
  forecast: 'forecast.events.v1',
  warehouse: 'warehouse.events.v1',
  tracking: 'tracking.events.v1',
  gateway: 'gateway.events.v1',
  /** Outside systems produce here: plain warehouse events, no CloudEvents envelope. */
  warehouseIntake: 'warehouse.intake.v1',
  /** Systems of warehouses consume here: plain JSON, no CloudEvents envelope. No service reads it. */
  warehouseExpected: 'warehouse.expected.v1',
} as const;

/** Name of a topic. */
export type Topic = (typeof topics)[keyof typeof topics];

/** Partitions of every topic. */
export const PARTITIONS = 12;

/** Days that messages are kept. */
export const TOPIC_RETENTION_DAYS = 7;

/** Days that systems of warehouses can read the newest state of a forecast. */
export const EXPECTED_RETENTION_DAYS = 365;

/** Days that dead letters are kept, and may be redriven: a consumer must recognise a repeat for longer than that. */
export const DEAD_LETTER_RETENTION_DAYS = 30;

/** Dead letters of a topic: original bytes, with the reason in headers. */
export function deadLetterTopic(topic: string): string {
  return `${topic}.dlq`;
}

/** How a topic is kept. */
export interface TopicPolicy {
  readonly retentionDays: number;
  /** `cleanup.policy` of Kafka. With `compact`, only the last message of each key is kept for that long. */
  readonly cleanup: 'delete' | 'compact,delete';
  /** Services consume it, so it has a dead-letter topic. */
  readonly hasDeadLetters: boolean;
}

/** The policy of a topic that is no dead-letter topic. */
export function topicPolicy(topic: string): TopicPolicy {
  return topic === topics.warehouseExpected
    ? { retentionDays: EXPECTED_RETENTION_DAYS, cleanup: 'compact,delete', hasDeadLetters: false }
    : { retentionDays: TOPIC_RETENTION_DAYS, cleanup: 'delete', hasDeadLetters: true };
}

/** The topics that services consume. */
export const consumedTopics: readonly Topic[] = Object.values(topics).filter((topic) => topicPolicy(topic).hasDeadLetters);
