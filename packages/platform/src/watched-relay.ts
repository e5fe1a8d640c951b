import type { ServiceName } from '@parcelway/contracts/service-name';
import type { Clock } from '@parcelway/kernel/clock';
import type { Telemetry } from '@parcelway/telemetry/telemetry';
import type { OutboxSource } from './outbox.ts';
import { createOutboxRelay, type OutboxRelay, type OutboxRelayOptions } from './outbox-relay.ts';

/** Reads now and then how much waits in an outbox, and since when. */
function watchOutbox(telemetry: Telemetry, service: ServiceName, source: OutboxSource, clock: Clock): void {
  const { metrics } = telemetry.of(service);
  telemetry.readRegularly(service, 'outbox', async () => {
    const { count, oldestAt } = await source.depth();
    metrics.set('parcelway_outbox_messages', {}, count);
    metrics.set('parcelway_outbox_oldest_age_seconds', {}, oldestAt === null ? 0 : Math.max(0, clock.now() - oldestAt) / 1000);
  });
}

/** A relay whose outbox shows in the metrics of its service. */
export function createWatchedRelay(telemetry: Telemetry, service: ServiceName, options: OutboxRelayOptions): OutboxRelay {
  watchOutbox(telemetry, service, options.source, options.clock);
  return createOutboxRelay({ ...options, metrics: telemetry.of(service).metrics });
}
