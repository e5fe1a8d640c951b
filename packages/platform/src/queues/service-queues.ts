import type { QueueName, ServiceQueues } from '@parcelway/contracts/queues-api';
import type { ServiceName } from '@parcelway/contracts/service-name';
import { assertSystem } from '@parcelway/http/app';
import { sendOk } from '@parcelway/http/response';
import type { MetricName } from '@parcelway/telemetry/metric-catalogue';
import type { GaugeValue, Telemetry } from '@parcelway/telemetry/telemetry';
import type { Router } from 'express';

type Queue = ServiceQueues['queues'][number];

/** The gauges that say what waits, in the order in which it is shown. */
const QUEUES: readonly {
  readonly queue: QueueName;
  readonly waiting: MetricName<'gauge'>;
  readonly oldest?: MetricName<'gauge'>;
  /** Label that parts the queue; without one all its series are one queue. */
  readonly partedBy?: string;
}[] = [
  { queue: 'events', waiting: 'parcelway_consumer_lag_messages', partedBy: 'messaging_destination_name' },
  { queue: 'outbox', waiting: 'parcelway_outbox_messages', oldest: 'parcelway_outbox_oldest_age_seconds' },
  { queue: 'webhook_deliveries', waiting: 'parcelway_webhook_due_deliveries', oldest: 'parcelway_webhook_oldest_due_age_seconds' },
  { queue: 'tracking_polls', waiting: 'parcelway_tracking_overdue_shipments', oldest: 'parcelway_tracking_oldest_overdue_seconds' },
  { queue: 'unclaimed_events', waiting: 'parcelway_intake_unclaimed_events' },
];

const GAUGES = QUEUES.flatMap(({ waiting, oldest }) => (oldest === undefined ? [waiting] : [waiting, oldest]));

function queuesIn(values: readonly GaugeValue[]): readonly Queue[] {
  return QUEUES.flatMap(({ queue, waiting, oldest, partedBy }) => {
    const parts = new Map<string | null, number>();
    for (const { name, labels, value } of values) {
      if (name !== waiting) continue;
      const part = partedBy === undefined ? null : String(labels[partedBy]);
      parts.set(part, (parts.get(part) ?? 0) + value);
    }
    const oldestWait = values.find(({ name }) => name === oldest)?.value ?? null;
    return [...parts].map(([topic, count]) => ({ queue, topic, waiting: count, oldest_wait_seconds: oldestWait }));
  });
}

/** What waits in a service, as its metrics have it. Every replica says the same of what they share. @throws AppError 50301 when that cannot be read now */
export async function readQueues(telemetry: Pick<Telemetry, 'readGauges'>, service: ServiceName): Promise<ServiceQueues> {
  return { queues: [...queuesIn(await telemetry.readGauges(service, GAUGES))] };
}

/**
 * Adds the internal route by which the gateway reads what waits in a service.
 *
 *   GET /internal/v1/queues   → ServiceQueues
 */
export function queueRoutes(router: Router, telemetry: Pick<Telemetry, 'readGauges'>, service: ServiceName): void {
  router.get('/internal/v1/queues', async (req, res) => {
    assertSystem(req);
    sendOk(res, await readQueues(telemetry, service));
  });
}
