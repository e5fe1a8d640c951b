import type { RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { RateLimiter } from '@parcelway/cache/rate-limiter';
import type { Environment } from '@parcelway/contracts/environment';
import { routes } from '@parcelway/contracts/routes';
import { createApp } from '@parcelway/http/app';
import { presetPrototypes } from '@parcelway/http/app-prototypes';
import { ClientLimits } from '@parcelway/http/client-limits';
import { endStalledConnections } from '@parcelway/http/end-stalled-connections';
import { followConnections } from '@parcelway/http/follow-connections';
import type { OtherServices } from '@parcelway/http/other-services';
import type { PrincipalSigner } from '@parcelway/http/principal-token';
import type { Clock } from '@parcelway/kernel/clock';
import type { Logger } from '@parcelway/kernel/logger';
import type { Metrics } from '@parcelway/telemetry/metrics';
import { noTelemetry, type Telemetry } from '@parcelway/telemetry/telemetry';
import { type Express, type Request, type Response, Router } from 'express';
import type { GatewayConfig } from '../../config.ts';
import { networkOf } from '../domain/client-network.ts';
import { platformPrincipal } from '../domain/principals.ts';
import { pushRoute, RouteTable, type TableRoute } from '../domain/route-table.ts';
import type { SessionTokens } from '../domain/session.ts';
import { KeyRing } from '../key-ring.ts';
import type { LastUse } from '../last-use.ts';
import type { CallObserver, KeyLookup } from '../ports.ts';
import type { TlsMaterial } from './certificate.ts';
import type { ExchangeSettings } from './exchange.ts';
import { DRAIN_IDLE_MS } from './exchange.ts';
import { inTurn } from './in-turn.ts';
import { createClearServer, createTlsServer } from './listener.ts';
import { LocalServices } from './local-services.ts';
import { createProxy } from './proxy.ts';
import { RemoteServices } from './remote-services.ts';
import type { Services } from './services.ts';

/** Undici looks at its deadlines once a second: with that, a request fails within 8 s. */
const UPSTREAM_SILENCE_MS = 7000;

/** What the public server is made of. Everything is passed in, so that a test can start it alone. */
export interface GatewayServerOptions
  extends Pick<
    GatewayConfig,
    'limitRates' | 'accessLog' | 'trustedProxyHops' | 'readStallMs' | 'maxConnectionsPerAddress' | 'arrivalTimeouts'
  > {
  readonly environment: Environment;
  readonly keys: KeyLookup;
  /** Notes which keys are used. */
  readonly lastUse: Pick<LastUse, 'note'>;
  readonly rateLimiter: Pick<RateLimiter, 'take'>;
  readonly signer: PrincipalSigner;
  readonly otherServices: OtherServices;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Observes every request; default: nothing does. */
  readonly telemetry?: Telemetry;
  /** Sees every call of an active tenant; default: nothing does. */
  readonly observer?: CallObserver;
  /** Certificate and key; null when a proxy in front ends TLS and says so by `X-Forwarded-Proto: https`. */
  readonly tls: TlsMaterial | null;
  /** A request that is no upload waits this long for its turn and for a service; milliseconds, default 30,000. */
  readonly upstreamTimeoutMs?: number;
  /** A service that does not begin its response within this time is out; milliseconds, default 7,000: as quick as a store that is out. */
  readonly upstreamSilenceMs?: number;
  /** A drain closes connections that have been idle for this long; milliseconds, default {@link DRAIN_IDLE_MS}. */
  readonly drainIdleMs?: number;
  /** Routes that the gateway handles itself without being part of the API, such as `/docs`. */
  readonly ownRoutes?: readonly TableRoute[];
  /** Opens sessions of the console; default: there are none. */
  readonly sessions?: Pick<SessionTokens, 'isToken' | 'open'>;
  /** Adds the handlers of all routes that the gateway handles itself. */
  readonly respondHere?: (router: Router) => void;
}

/** The public server, not listening yet. */
export type GatewayServer = ReturnType<typeof createGatewayServer>;

/**
 * Closes the connections of an address that come when it has `max` open ones: at once, before TLS and without a word. An IPv6 network of 64 bits counts
 * as one address. Call it before anything else listens for connections of the server.
 */
function limitConnections(server: Server, max: number, onRefused: (address: string) => void): void {
  const open = new Map<string, number>();
  const listeners = server.listeners('connection') as Array<(socket: Socket) => void>;
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    const network = networkOf(socket.remoteAddress ?? '');
    const count = (open.get(network) ?? 0) + 1;
    if (count > max) {
      onRefused(network);
      // Nothing is left to be sent: no connection waits in the system for its end.
      socket.resetAndDestroy();
      return;
    }
    open.set(network, count);
    socket.once('close', () => {
      const left = (open.get(network) as number) - 1;
      if (left > 0) open.set(network, left);
      else open.delete(network);
    });
    for (const listener of listeners) listener.call(server, socket);
  });
}

/** What holds for every connection, whatever is asked on it. */
function limitClients(server: Server, options: GatewayServerOptions, limits: ClientLimits): void {
  endStalledConnections(server, {
    afterMs: options.readStallMs,
    onEnded: (address) => limits.reached('read_stall', address),
  });
  const { maxConnectionsPerAddress: max } = options;
  // Behind a proxy all connections are the proxy's.
  if (max > 0 && options.tls !== null) limitConnections(server, max, (address) => limits.reached('connections', address));
}

function servicesOf(options: GatewayServerOptions, app: Express, metrics: Metrics): Services {
  const { otherServices, upstreamTimeoutMs: timeoutMs = 30_000 } = options;
  const shared = { anonymous: platformPrincipal(options.environment), timeoutMs, metrics };
  if (otherServices.kind === 'local') return new LocalServices({ ...shared, serviceOf: otherServices.serviceOf, app });
  const { signer, upstreamSilenceMs: silenceMs = UPSTREAM_SILENCE_MS } = options;
  return new RemoteServices({ ...shared, remote: otherServices, signer, silenceMs });
}

/** Builds the server that merchants and warehouses speak to. */
export function createGatewayServer(options: GatewayServerOptions) {
  const telemetry = options.telemetry?.of('gateway') ?? noTelemetry;
  const limits = new ClientLimits(options.logger, telemetry);
  const settings: ExchangeSettings = {
    logger: options.logger,
    accessLog: options.accessLog,
    telemetry,
    limits,
    observer: options.observer,
    behindProxy: options.tls === null,
    trustedProxyHops: options.trustedProxyHops,
    underWay: 0,
    draining: false,
  };
  // Added, not set: the port for other services counts in the same gauge.
  let reported = 0;
  options.telemetry?.readWhenExposed('gateway', 'requests under way', async () => {
    telemetry.metrics.add('http_server_active_requests', {}, settings.underWay - reported);
    reported = settings.underWay;
  });
  const router = Router({ caseSensitive: true, strict: true });
  options.respondHere?.(router);
  const app = createApp(options.logger, [router]);
  const services = servicesOf(options, app, telemetry.metrics);
  options.telemetry?.readWhenExposed('gateway', 'requests at services', async () => services.report());
  const { environment, keys, clock, limitRates } = options;
  const keyRing = new KeyRing({ environment, keys, clock, limitFailures: limitRates, sessions: options.sessions });
  const proxy = createProxy({
    table: new RouteTable([...routes, pushRoute, ...(options.ownRoutes ?? [])], environment),
    keyRing,
    rateLimiter: options.rateLimiter,
    limitRates,
    services,
    lastUse: options.lastUse,
    clock,
    settings,
  });
  const prototypes = presetPrototypes(app);
  // The proxy runs before Express: a request that is forwarded does not pay for a router.
  const respond: RequestListener = (req, res) => void proxy(req, res, () => app(req as Request, res as Response));
  const listener = inTurn(respond, (address) => limits.reached('pipelined_requests', address));
  const { tls, arrivalTimeouts } = options;
  const server =
    tls === null ? createClearServer(prototypes, listener, arrivalTimeouts) : createTlsServer(tls, prototypes, listener, arrivalTimeouts);
  limitClients(server, options, limits);
  const connections = followConnections(server, options.drainIdleMs ?? DRAIN_IDLE_MS);
  return {
    server,
    keyRing,
    /** Stops accepting; responds to requests that still arrive, closes their connections, and ends. Resolves when no connection is left. */
    drain(deadlineMs: number): Promise<void> {
      settings.draining = true;
      return connections.drain(deadlineMs);
    },
    /** Resolves when no service of this process handles a request any more. */
    idle: () => services.idle(),
    /** Ends the connections to the services. */
    close: () => services.close(),
  };
}
