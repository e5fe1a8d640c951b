import { hkdfSync } from 'node:crypto';
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import { DISABLED_EVENT_TYPE, type SentEventType } from '@parcelway/contracts/webhook-event-types';
import { AppError } from '@parcelway/kernel/app-error';
import type { Clock } from '@parcelway/kernel/clock';
import type { Endpoint } from '../endpoints/domain/endpoint.ts';
import { activeSecrets, SECRET_BYTES, secretOf, signedHeaders } from '../endpoints/domain/signed-headers.ts';
import { isBodyFor } from '../endpoints/domain/subscription.ts';
import type { EndpointStore } from '../endpoints/endpoint-store.ts';
import { noSuchEndpoint } from '../endpoints/manage-endpoints.ts';
import type { EventFeed, FeedEvent } from './event-feed.ts';

/** Events looked at in one query. */
const PAGE = 100;
/** How often the feed is looked at while somebody waits. */
const LOOK_EVERY_MS = 250;
/** Calls that may wait at the same time in one process. */
const MAX_WAITING = 100;
/** Of those, calls of one tenant, so that a tenant's forgotten programs do not keep others from listening. */
const MAX_WAITING_OF_TENANT = 10;
const SECRET_CONTEXT = 'parcelway webhook listener ';

export interface ListenRequest {
  /** Place in the feed; null to begin with what comes from now on. */
  readonly after: string | null;
  /** Hears what this endpoint would be sent, signed with its secrets. */
  readonly endpointId: string | null;
  readonly types: readonly SentEventType[] | null;
  /** Waits for so long when there is nothing. */
  readonly waitMs: number;
}

/** A webhook as it would have been sent. */
export interface SignedMessage {
  readonly eventId: string;
  readonly type: SentEventType;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface ListenResponse {
  /** Signs the messages; null when the secrets of an endpoint do. */
  readonly secret: string | null;
  readonly messages: readonly SignedMessage[];
  readonly next: string;
}

export type Listener = ReturnType<typeof createListener>;

export interface ListenerOptions {
  readonly feed: EventFeed;
  readonly endpoints: Pick<EndpointStore, 'get'>;
  readonly clock: Clock;
  /** Of the installation; the secrets of listeners are derived from it. */
  readonly masterSecret: string;
}

/** The secret of a tenant's listeners: the same at every call, on every replica, with nothing stored. */
function listenerSecret(masterSecret: string, tenantId: string): string {
  return secretOf(new Uint8Array(hkdfSync('sha256', masterSecret, '', SECRET_CONTEXT + tenantId, SECRET_BYTES)));
}

export function createListener({ feed, endpoints, clock, masterSecret }: ListenerOptions) {
  /** The tenants of the calls that wait, one entry for each call. */
  const waiting: string[] = [];
  let isEnding = false;

  /** @throws AppError 42901, 50301 */
  function assertPlace(tenantId: string): void {
    const own = waiting.filter((one) => one === tenantId).length;
    if (own >= MAX_WAITING_OF_TENANT) {
      const message = `${own} of your listeners are waiting, which is the maximum. End one of them, or try again after one has received a response`;
      throw new AppError('42901', message, { retryAfterSeconds: 1, data: { limit: MAX_WAITING_OF_TENANT, retry_after_seconds: 1 } });
    }
    if (waiting.length >= MAX_WAITING) throw AppError.unavailable('Too many clients are listening; try again');
  }

  function signed({ eventId, type, body }: FeedEvent, secrets: readonly string[], endpoint: Endpoint | undefined): SignedMessage {
    return { eventId, type, headers: signedHeaders({ eventId, body, secrets, extra: endpoint?.headers ?? {} }, clock.now()), body };
  }

  async function hear(tenantId: string, { after, types, waitMs }: ListenRequest, wanted: (event: FeedEvent) => boolean, gone: AbortSignal) {
    let next = after ?? (await feed.end());
    if (after === null) return { heard: [], next };
    const deadline = performance.now() + waitMs;
    for (;;) {
      const page = await feed.page(tenantId, { after: next }, { types, poNumber: null }, PAGE);
      next = page.next;
      const heard = page.events.filter(wanted);
      if (heard.length > 0 || isEnding || gone.aborted || performance.now() >= deadline) return { heard, next };
      // A store in this process responds at once: the rest of the process gets its turn, however much there is to read.
      await (page.more ? turn() : pause(LOOK_EVERY_MS));
    }
  }

  return {
    /**
     * @param gone ends the waiting when the caller goes away
     * @throws AppError 40403 when there is no such endpoint, 42901 when too many of the tenant wait, 50301 when too many of all do
     */
    async listen(tenantId: string, request: ListenRequest, gone: AbortSignal): Promise<ListenResponse> {
      const endpoint = request.endpointId === null ? undefined : await endpoints.get(tenantId, request.endpointId);
      if (request.endpointId !== null && !endpoint) throw noSuchEndpoint();
      assertPlace(tenantId);
      waiting.push(tenantId);
      try {
        const secret = endpoint ? null : listenerSecret(masterSecret, tenantId);
        const secrets = endpoint ? activeSecrets(endpoint, clock.now()) : [secret as string];
        const wanted = (event: FeedEvent): boolean => !endpoint || isBodyFor(endpoint, event);
        const types = request.types ?? (endpoint ? [...endpoint.eventTypes, DISABLED_EVENT_TYPE] : null);
        const { heard, next } = await hear(tenantId, { ...request, types }, wanted, gone);
        return { secret, messages: heard.map((event) => signed(event, secrets, endpoint)), next };
      } finally {
        waiting.splice(waiting.indexOf(tenantId), 1);
      }
    },
    /** Responds to all waiting calls; from then on no call waits. */
    endWaiting(): void {
      isEnding = true;
    },
  };
}
