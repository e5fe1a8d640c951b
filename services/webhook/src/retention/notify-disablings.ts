import type { Clock } from '@parcelway/kernel/clock';
import { disable, type Endpoint, isPauseOver, told } from '../endpoints/domain/endpoint.ts';
import type { EndpointObserver, EndpointStore } from '../endpoints/ports.ts';
import type { EventAcceptance } from '../intake/accept-events.ts';

/** What the platform's own disablings are worked off with. */
export interface DisablingOptions {
  readonly endpoints: Pick<EndpointStore, 'update'>;
  readonly acceptance: Pick<EventAcceptance, 'publishDisabled'>;
  readonly runner: Pick<EndpointObserver, 'endpointChanged'>;
  readonly clock: Clock;
}

/** Endpoints that the platform disables by itself, and what their tenants are told of it. */
export interface Disablings {
  /** Tells the tenant's other endpoints, then notes that it is told: after a crash between the two it is found, and known, again. */
  tell(endpoint: Endpoint): Promise<void>;
  /** Disables an endpoint whose pause has lasted too long, unless the pause is over meanwhile. */
  endPause(endpoint: Endpoint): Promise<void>;
}

/** Makes the maintenance's part of disabling. */
export function createDisablings({ endpoints, acceptance, runner, clock }: DisablingOptions): Disablings {
  return {
    async tell(endpoint) {
      const { tenantId, endpointId, disablingToTell } = endpoint;
      await acceptance.publishDisabled(endpoint);
      await endpoints.update(tenantId, endpointId, (current) => (current.disablingToTell === disablingToTell ? told(current) : current));
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
