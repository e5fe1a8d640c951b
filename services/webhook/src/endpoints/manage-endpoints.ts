import { randomBytes } from 'node:crypto';
import { MAX_ENDPOINTS_PER_TENANT } from '@parcelway/contracts/webhook-endpoint-limits';
import { standardEventTypes } from '@parcelway/contracts/webhook-event-types';
import { AppError, type FieldError } from '@parcelway/kernel/app-error';
import type { Clock } from '@parcelway/kernel/clock';
import { bytesFromSeed, idFromSeed, newId } from '@parcelway/kernel/ids';
import { headerErrors } from './domain/custom-headers.ts';
import { change, type Endpoint, type EndpointPatch } from './domain/endpoint.ts';
import { rotate, SECRET_BYTES, secretOf } from './domain/signed-headers.ts';
import type { EndpointStore } from './endpoint-store.ts';

/** Settings of a new endpoint. By default it gets all standard events with thin payloads. */
export type NewEndpoint = Omit<EndpointPatch, 'url' | 'status'> & Pick<Endpoint, 'url'>;

/** Hears of changes. */
export interface EndpointObserver {
  /** Says that an endpoint has changed: the next attempts go by its new state. One older than what is known changes nothing. */
  endpointChanged(endpoint: Endpoint): void;
  /** Stops everything at an endpoint, running attempts included. */
  endpointRemoved(endpointId: string): void;
}

export interface EndpointOptions {
  readonly endpoints: EndpointStore;
  /** Why the URL of a receiver is refused, on the field `url`, with a sentence that says what to do; undefined when it is allowed. */
  readonly refusalOfUrl: (url: string) => Promise<FieldError | undefined>;
  readonly runner: EndpointObserver;
  readonly clock: Clock;
  /** Called when deliveries are to be held or deleted in the background. */
  readonly onMaintenanceNeeded: () => void;
}

/** Endpoints of tenants. Every method throws AppError 40403 when the tenant has no such endpoint. */
export type EndpointManager = ReturnType<typeof createEndpointManager>;

/** 40403, the same whether an endpoint never was, is deleted, or is another tenant's. */
export function noSuchEndpoint(): AppError {
  return new AppError('40403', 'The endpoint does not exist');
}

/** A new secret; the same one for the same seed. */
const newSecret = (seed: string | undefined): string =>
  secretOf(seed === undefined ? randomBytes(SECRET_BYTES) : bytesFromSeed('signing secret', seed));

function newEndpoint(tenantId: string, given: NewEndpoint, now: number, seed: string | undefined): Endpoint {
  return {
    tenantId,
    endpointId: seed === undefined ? newId('ep') : idFromSeed('ep', seed),
    url: given.url,
    eventTypes: given.eventTypes ?? standardEventTypes,
    description: given.description ?? '',
    filter: given.filter ?? {},
    headers: given.headers ?? {},
    metadata: given.metadata ?? {},
    rateLimit: given.rateLimit ?? null,
    payload: given.payload ?? 'thin',
    status: 'enabled',
    disabledReason: null,
    pausedAt: null,
    disablingToPublish: null,
    secret: newSecret(seed),
    formerSecret: null,
    formerSecretUntil: null,
    slowedUntil: null,
    failingSince: null,
    createdAt: now,
    updatedAt: now,
  };
}

export function createEndpointManager({ endpoints, refusalOfUrl, runner, clock, onMaintenanceNeeded }: EndpointOptions) {
  async function get(tenantId: string, endpointId: string): Promise<Endpoint> {
    const endpoint = await endpoints.get(tenantId, endpointId);
    if (!endpoint) throw noSuchEndpoint();
    return endpoint;
  }

  async function update(tenantId: string, endpointId: string, apply: (current: Endpoint) => Endpoint): Promise<Endpoint> {
    const changed = await endpoints.update(tenantId, endpointId, apply);
    if (!changed) throw noSuchEndpoint();
    runner.endpointChanged(changed);
    if (changed.status === 'disabled') onMaintenanceNeeded();
    return changed;
  }

  /** Everything that is wrong with what a tenant has sent. */
  async function refusals(given: Partial<Pick<NewEndpoint, 'url' | 'headers'>>): Promise<FieldError[]> {
    const refusal = given.url === undefined ? undefined : await refusalOfUrl(given.url);
    return [...(refusal ? [refusal] : []), ...headerErrors(given.headers)];
  }

  async function assertAllowed(given: Partial<NewEndpoint>): Promise<void> {
    const errors = await refusals(given);
    if (errors.length > 0) throw AppError.validation(errors);
  }

  return {
    refusals,
    /**
     * @param seed of the request, which makes one endpoint however often it is called
     * @throws AppError 42201 when the URL or a header is not allowed, 40902 when the tenant has as many as it may
     */
    async create(tenantId: string, given: NewEndpoint, seed?: string): Promise<Endpoint> {
      const endpoint = newEndpoint(tenantId, given, clock.now(), seed);
      const known = seed === undefined ? undefined : await endpoints.get(tenantId, endpoint.endpointId);
      if (known) return known;
      await assertAllowed(given);
      if (!(await endpoints.insert(endpoint, MAX_ENDPOINTS_PER_TENANT))) {
        throw new AppError('40902', `A tenant has at most ${MAX_ENDPOINTS_PER_TENANT} endpoints; delete one first`);
      }
      return endpoint;
    },
    list: (tenantId: string): Promise<readonly Endpoint[]> => endpoints.list(tenantId),
    get,
    /** @throws AppError 42201 when the URL or a header is not allowed */
    async update(tenantId: string, endpointId: string, patch: EndpointPatch): Promise<Endpoint> {
      await get(tenantId, endpointId);
      await assertAllowed(patch);
      return update(tenantId, endpointId, (current) => change(current, patch, clock.now()));
    },
    /**
     * The endpoint with its new secret.
     * @param endFormer the former one does not sign along
     * @param seed of the request, which makes one rotation however often it is called
     */
    rotateSecret(tenantId: string, endpointId: string, endFormer: boolean, seed?: string): Promise<Endpoint> {
      const secret = newSecret(seed);
      return update(tenantId, endpointId, (current) => rotate(current, secret, endFormer, clock.now()));
    },
    /** Stops what runs; deliveries and attempts are deleted in the background. */
    async remove(tenantId: string, endpointId: string): Promise<void> {
      if (!(await endpoints.remove(tenantId, endpointId))) throw noSuchEndpoint();
      runner.endpointRemoved(endpointId);
      onMaintenanceNeeded();
    },
  };
}
