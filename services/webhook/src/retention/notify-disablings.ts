import type { Clock } from '@parcelway/kernel/clock';
import { disable, disablingPublished, isPauseOver } from '../endpoints/domain/disabling.ts';
import type { Endpoint } from '../endpoints/domain/endpoint.ts';
import type { EndpointObserver, EndpointStore } from '../endpoints/ports.ts';
import type { EventAcceptance } from '../intake/accept-events.ts';

/** What the platform's own disablings are processed with. */
export interface DisablingOptions {
  readonly endpoints: Pick<EndpointStore, 'update'>;
  readonly acceptance: Pick<EventAcceptance, 'publishDisabled'>;
  readonly runner: Pick<EndpointObserver, 'endpointChanged'>;
  readonly clock: Clock;
}

/** Endpoints that the platform disables by itself, and the events that notify their tenants. */
export interface Disablings {
  /** Publishes a disabling to the tenant's other endpoints, then notes that it is published. After a crash between the two it is published again, as the same event. */
  publish(endpoint: Endpoint): Promise<void>;
  /** Disables an endpoint whose pause has lasted too long, unless the pause has ended since it was read. */
  endPause(endpoint: Endpoint): Promise<void>;
}

/** Makes the maintenance's part of disabling. */
export function createDisablings({ endpoints, acceptance, runner, clock }: DisablingOptions): Disablings {
  return {
    async publish(endpoint) {
      const { tenantId, endpointId, disablingToPublish } = endpoint;
      await acceptance.publishDisabled(endpoint);
      await endpoints.update(tenantId, endpointId, (current) =>
        current.disablingToPublish === disablingToPublish ? disablingPublished(current) : current,
      );
    },
    async endPause({ tenantId, endpointId }) {
      const now = clock.now();
      const changed = await endpoints.update(tenantId, endpointId, (current) =>
        isPauseOver(current, now) ? disable(current, 'pause_expired', now) : current,
      );
      if (changed) runner.endpointChanged(changed);
    },
  };
}
