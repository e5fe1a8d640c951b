import { createDomainEvent } from '@parcelway/contracts/cloud-event';
import { type EncodedMessage, encodeEvent } from '@parcelway/contracts/encode-event';
import type { Principal } from '@parcelway/contracts/principal';
import { PRINCIPAL_HEADER, PrincipalSigner } from '@parcelway/http/principal-token';
import { isoInstant, systemClock } from '@parcelway/kernel/clock';
import { closedLoopOf } from '../../closed-loop.ts';
import { RawClient } from '../../raw-client.ts';

/** An endpoint to register. */
export interface EndpointPlan {
  readonly tenantId: string;
  readonly url: string;
}

/** An event to publish. */
export interface BenchEvent {
  /** `evt_…`; what the receiver gets in the header that names the event. */
  readonly id: string;
  readonly tenantId: string;
  readonly forecastNo: string;
  readonly poNumber: string;
}

/** CPU time by part, such as `service` and `servers`, counted from the start; microseconds. */
export type Usage = Readonly<Record<string, number>>;

/** Something that delivers webhooks, running and under test. Each of its calls has a deadline. */
export interface Side {
  /** Such as `Parcelway, embedded`. */
  readonly name: string;
  /** Registers endpoints, each the only one of its tenant. */
  register(endpoints: readonly EndpointPlan[]): Promise<void>;
  /** Publishes one event; resolves once it is accepted for good. @throws Error when that is not known */
  publish(event: BenchEvent): Promise<unknown>;
  /** CPU time used so far, with its stores and brokers. */
  usage(): Promise<Usage>;
  /** Kills the process with the queue (SIGKILL) and starts it again; resolves when it is ready. */
  killAndRestart(): Promise<void>;
  /** Ends it and clears everything away. */
  close(): Promise<void>;
}

/** Opens a side for a load: each load gets one that is new and empty. */
export type SideKind = () => Promise<Side>;

/** An event as the forecast service publishes it on the log. */
export function weighedMessage({ id, tenantId, forecastNo, poNumber }: BenchEvent): EncodedMessage {
  const time = Date.now();
  const data = { forecast_no: forecastNo, po_number: poNumber, status: 3, weighed_at: isoInstant(time) };
  const head = { type: 'parcel.weighed', publisher: 'forecast', environment: 'sandbox' } as const;
  return encodeEvent(createDomainEvent({ ...head, id, tenantId, subject: forecastNo, time, data }));
}

const AT_ONCE = 20;

/** Calls `work` for each endpoint, over connections to a server. @param headers sent with every request */
export async function withEach(
  origin: string,
  headers: Readonly<Record<string, string>>,
  endpoints: readonly EndpointPlan[],
  work: (client: RawClient, endpoint: EndpointPlan) => Promise<void>,
): Promise<void> {
  const client = new RawClient([origin], AT_ONCE, { headers, withinMs: 20_000 });
  const left = [...endpoints];
  await closedLoopOf(AT_ONCE, endpoints.length, () => work(client, left.pop() as EndpointPlan)).finally(() => client.close());
}

/**
 * Registers endpoints over the API of a webhook service, as the gateway would pass the calls on.
 * @param origin of the service
 * @param secret with which its installation signs principals
 */
export function registerEndpoints(origin: string, secret: string, endpoints: readonly EndpointPlan[]): Promise<void> {
  const signer = new PrincipalSigner(secret, systemClock);
  const ofAll = { kind: 'tenant', warehouseCode: null, keyId: 'key_bench', scopes: ['webhooks:manage'], environment: 'sandbox' } as const;
  return withEach(origin, {}, endpoints, (client, { tenantId, url }) => {
    const principal: Principal = { ...ofAll, tenantId, scopes: [...ofAll.scopes] };
    const body = JSON.stringify({ url, event_types: ['parcel.weighed'] });
    return client.send('POST', '/open/v1/webhook-endpoints', body, { [PRINCIPAL_HEADER]: signer.sign(principal) });
  });
}
