import Type, { type Static } from 'typebox';
import { object } from './object.ts';
import { nullable, oneOf } from './text.ts';

/* What waits to be worked on. */

/** What can wait. */
export const queueNames = ['events', 'outbox', 'webhook_deliveries', 'tracking_polls', 'unclaimed_events'] as const;
export type QueueName = (typeof queueNames)[number];

const Queue = Type.Object({
  queue: oneOf(
    queueNames,
    'events: of a topic, not yet processed by the service; outbox: not yet published; webhook_deliveries: due and not sent yet; tracking_polls: overdue; unclaimed_events: without a forecast',
  ),
  topic: nullable(Type.String({ description: 'Of events; null for the others' })),
  waiting: Type.Integer(),
  oldest_wait_seconds: nullable(Type.Number({ description: 'How long the oldest one has waited; null where that is not known' })),
});

/** What waits in a service. */
export const ServiceQueues = Type.Object({ queues: Type.Array(Queue) });
export type ServiceQueues = Static<typeof ServiceQueues>;

/** What waits on the platform. */
export const PlatformQueues = object('PlatformQueues', {
  queues: Type.Array(Type.Object({ service: Type.String(), ...Queue.properties })),
  unknown: Type.Array(Type.String(), { description: 'Services that cannot say now what waits' }),
});
export type PlatformQueues = Static<typeof PlatformQueues>;
