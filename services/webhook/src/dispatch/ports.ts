import type { Endpoint } from '../endpoints/domain/endpoint.ts';
import type { EndpointObserver } from '../endpoints/ports.ts';
import type { FirstAttempts } from '../intake/ports.ts';
import type { QueueWaker } from '../queue/ports.ts';
import type { FullPart } from './domain/full-payload.ts';
import type { Interruption } from './domain/interruption.ts';
import type { Reply } from './domain/settle.ts';

export interface WebhookRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Sender {
  /** Never rejects: every failure is a reply. `interruption` ends the call early. */
  send(request: WebhookRequest, interruption: Interruption): Promise<Reply>;
  close(): Promise<void>;
}

export interface FullContent {
  /**
   * What the query returns at this moment.
   * @param traceparent of the event
   * @throws AppError 40403 when there is no such forecast or parcel any more, 41301 when it is larger than a full body may be, any other
   * when it cannot be had now
   */
  read(part: FullPart, tenantId: string, forecastNo: string, traceparent: string | null): Promise<unknown>;
}

/** What the use cases ask of the dispatcher of this process. */
export interface DeliveryRunner extends EndpointObserver, FirstAttempts, QueueWaker {
  /** The endpoints that deliveries of this process wait for or run at, as it knows them. */
  endpointsInUse(): readonly Endpoint[];
}
