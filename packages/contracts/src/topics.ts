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
} as const;

/** Name of a topic. */
export type Topic = (typeof topics)[keyof typeof topics];

/** Partitions of every topic. */
export const PARTITIONS = 12;

/** Days that messages are kept. */
export const TOPIC_RETENTION_DAYS = 7;

/** Days that dead letters are kept, and may be redriven: a consumer must tell a repeat for longer than that. */
export const DEAD_LETTER_RETENTION_DAYS = 30;

/** Dead letters of a topic: original bytes, with the reason in headers. */
export function deadLetterTopic(topic: string): string {
  return `${topic}.dlq`;
}
