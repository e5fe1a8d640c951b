import type { ServiceName } from '@parcelway/contracts/service-name';
import type { Clock } from '@parcelway/kernel/clock';
import type { Telemetry } from '@parcelway/telemetry/telemetry';
import type { OutboxSource } from './outbox.ts';
import { OutboxRelay, type OutboxRelayOptions } from './outbox-relay.ts';

/** Shows in the metrics how much waits in the outboxes of a service, and since when. */
function watchOutboxes(telemetry: Telemetry, service: ServiceName, sources: readonly OutboxSource[], clock: Clock): void {
  const { metrics } = telemetry.of(service);
  telemetry.readWhenExposed(service, 'outbox', async () => {
    const depths = await Promise.all(sources.map((source) => source.depth()));
    const oldestAt = Math.min(...depths.map((depth) => depth.oldestAt ?? Number.POSITIVE_INFINITY));
    metrics.set(
      'parcelway_outbox_messages',
      {},
      depths.reduce((sum, { count }) => sum + count, 0),
    );
    // 0 when nothing waits: the oldest is of infinity then.
    metrics.set('parcelway_outbox_oldest_age_seconds', {}, Math.max(0, clock.now() - oldestAt) / 1000);
  });
}

/** Relays whose outboxes show in the metrics of their services: of a service with several, all together. */
export class WatchedRelays {
  readonly #telemetry: Telemetry;
  readonly #sources = new Map<ServiceName, OutboxSource[]>();
  readonly #relays: OutboxRelay[] = [];

  readonly #isOn: boolean;

  /** @param relay off: outboxes show in the metrics, and nothing is published */
  constructor(telemetry: Telemetry, { isOn }: { readonly isOn: boolean } = { isOn: true }) {
    this.#telemetry = telemetry;
    this.#isOn = isOn;
  }

  /** Begins to publish an outbox, unless relays are off. */
  start(service: ServiceName, options: OutboxRelayOptions): OutboxRelay {
    const sources = this.#sources.get(service) ?? [];
    sources.push(options.source);
    if (sources.length === 1) {
      this.#sources.set(service, sources);
      watchOutboxes(this.#telemetry, service, sources, options.clock);
    }
    const relay = new OutboxRelay({ ...options, metrics: this.#telemetry.of(service).metrics });
    this.#relays.push(relay);
    if (this.#isOn) relay.start();
    return relay;
  }

  /** Stops them all, see {@link OutboxRelay.stop}. */
  async stop(): Promise<void> {
    await Promise.all(this.#relays.map((relay) => relay.stop()));
  }
}
