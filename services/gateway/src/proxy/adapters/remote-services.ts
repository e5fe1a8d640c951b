import { PassThrough, type Readable } from 'node:stream';
import type { Principal } from '@parcelway/contracts/principal';
import type { ServiceName } from '@parcelway/contracts/service-name';
import type { ServiceCircuit } from '@parcelway/http/circuit';
import { discardBody } from '@parcelway/http/discard-body';
import { TRACEPARENT_HEADER } from '@parcelway/http/follow-request';
import { clientKeepAlive } from '@parcelway/http/keep-alive';
import type { RemotePeers } from '@parcelway/http/other-services';
import { PRINCIPAL_HEADER, type PrincipalSigner } from '@parcelway/http/principal-token';
import { REQUEST_ID_HEADER } from '@parcelway/http/response';
import { FairShares } from '@parcelway/kernel/fair-shares';
import type { Metrics } from '@parcelway/telemetry/metrics';
import { Pool } from 'undici';
import { responseTimeoutMs, slowRoutes, streamedRoutes, upstreamLimits } from '../domain/client-shares.ts';
import type { TableRoute } from '../domain/route-table.ts';
import type { Exchange } from './exchange.ts';
import { ProxiedResponse } from './proxied-response.ts';
import { bodyOf, type Place, ServicePlaces } from './service-places.ts';
import { holderOf, pushSecretOf, readSmallBody, type Services } from './services.ts';

/** What the gateway needs to call services of other processes. */
export interface RemoteServicesOptions {
  readonly remote: Pick<RemotePeers, 'originOf' | 'circuitOf'>;
  readonly signer: PrincipalSigner;
  /** The caller on public routes. */
  readonly anonymous: Principal;
  /** Bound on the wait for the head of a response, except for {@link slowRoutes} and uploads; milliseconds. */
  readonly silenceMs: number;
  /** Bound on the wait for a turn and a response together, and for more of a response except on {@link streamedRoutes}; milliseconds. */
  readonly timeoutMs: number;
  readonly metrics: Metrics;
}

interface Remote {
  readonly name: ServiceName;
  readonly places: ServicePlaces;
  readonly pool: Pool;
  /** Responses that last as long as their clients read. */
  readonly streams: FairShares;
  readonly circuit: ServiceCircuit;
}

/** Services in processes of their own. */
export class RemoteServices implements Services {
  readonly #options: RemoteServicesOptions;
  readonly #open = new Map<ServiceName, Remote>();

  constructor(options: RemoteServicesOptions) {
    this.#options = options;
  }

  forward(exchange: Exchange, name: ServiceName, path: string): void {
    const service = this.#serviceOf(name);
    // At once, not when it is its turn.
    service.circuit.assertClosed();
    exchange.path = path;
    exchange.holder = holderOf(exchange);
    const body = bodyOf(exchange);
    const admit = (content: () => Buffer | Readable | null): void =>
      service.places.admit(exchange, body, (place) => this.#send(exchange, service, content(), place));
    if (body === 'none') admit(() => null);
    else if (body === 'large') admit(() => uploadOf(exchange));
    else readSmallBody(exchange, (content) => admit(() => content));
  }

  report(): void {
    for (const { places } of this.#open.values()) places.report();
  }

  /** A process of its own ends its requests itself. */
  async idle(): Promise<void> {}

  async close(): Promise<void> {
    const open = [...this.#open.values()];
    this.#open.clear();
    await Promise.all(open.map(({ pool }) => pool.destroy()));
  }

  /** Sends the request to the fallback of its route. */
  #fallBack(exchange: Exchange, name: ServiceName): void {
    const service = this.#serviceOf(name);
    service.places.admit(exchange, 'none', (place) => this.#send(exchange, service, null, place));
  }

  #send(exchange: Exchange, service: Remote, body: Buffer | Readable | null, place: Place): void {
    const { path, req, route } = exchange;
    const { name, streams, pool, circuit, places } = service;
    const { fallback } = route ?? {};
    // A fallback has no fallback.
    const fallBack = fallback === undefined || name === fallback ? undefined : () => this.#fallBack(exchange, fallback);
    const sentAt = performance.now();
    const headers = this.#headersFor(exchange, body);
    const request = { path, method: req.method as 'GET', body, ...this.#timeouts(exchange, place), headers };
    const { giveBack } = place;
    // One slow route says little. A service that has sent nothing since is out.
    const timedOut = (): void => void (circuit.hasRespondedSince(sentAt) || places.failWaiting());
    const call = (): Promise<void> =>
      new Promise((responds, fails) => {
        pool.dispatch(request, new ProxiedResponse(exchange, { service: name, streams, giveBack, fallBack, responds, fails, timedOut }));
      });
    circuit.assertClosed();
    // A silence says little of a slow route, and a probe must end soon. The client learns of a failure by its response.
    (isSlow(route) ? call() : circuit.run(call)).catch(() => undefined);
  }

  /** The client's headers that pass, and the gateway's own. */
  #headersFor(exchange: Exchange, body: Buffer | Readable | null): string[] {
    const { head, key, span } = exchange;
    const { signer, anonymous } = this.#options;
    const headers = [...head.forward];
    if (body === null) announceNoBody(headers);
    const secret = pushSecretOf(exchange);
    if (secret !== undefined) headers.push('x-api-key', secret);
    headers.push(PRINCIPAL_HEADER, signer.sign(key?.principal ?? anonymous), REQUEST_ID_HEADER, head.requestId);
    headers.push(TRACEPARENT_HEADER, span.traceparent);
    return headers;
  }

  #timeouts({ route }: Exchange, { waitedMs }: Place): { readonly headersTimeout: number; readonly bodyTimeout: number } {
    const { silenceMs, timeoutMs } = this.#options;
    const id = route?.id ?? '';
    const waitMs = responseTimeoutMs(route, timeoutMs);
    const leftMs = Math.max(1, waitMs - waitedMs);
    return { headersTimeout: isSlow(route) ? leftMs : Math.min(silenceMs, leftMs), bodyTimeout: streamedRoutes[id] ?? waitMs };
  }

  #serviceOf(name: ServiceName): Remote {
    const known = this.#open.get(name);
    if (known !== undefined) return known;
    const { remote, timeoutMs, metrics } = this.#options;
    const { connections, uploads, streams } = upstreamLimits;
    const service = {
      name,
      places: new ServicePlaces(name, timeoutMs, metrics),
      pool: new Pool(remote.originOf(name), {
        ...clientKeepAlive,
        // One for each place.
        connections: connections.capacity + uploads.capacity + streams.capacity,
        connect: { timeout: 2000 },
      }),
      streams: new FairShares(streams),
      circuit: remote.circuitOf(name),
    };
    this.#open.set(name, service);
    return service;
  }
}

const isSlow = (route: TableRoute | null): boolean => route?.rateClass === 'upload' || slowRoutes.has(route?.id ?? '');

/**
 * The body of an upload. undici destroys it when the service responds early. The client's connection stays open then: the rest of the body is discarded,
 * and the response reaches the client.
 */
function uploadOf(exchange: Exchange): Readable {
  const { req, res } = exchange;
  exchange.wantBody();
  const body = req.pipe(new PassThrough({ highWaterMark: 32 * 1024 }));
  // An error without a listener would end the process.
  body.on('error', () => undefined).on('close', () => discardBody(req));
  req.on('close', () => !req.readableEnded && body.destroy(new Error('The client stopped sending')));
  res.once('finish', () => body.destroy());
  return body;
}

/** Sets `Content-Length` to 0. */
function announceNoBody(headers: string[]): void {
  for (let index = 0; index < headers.length; index += 2) if (headers[index] === 'content-length') headers[index + 1] = '0';
}
