import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import type { ServiceName } from '@parcelway/contracts/service-name';
import { endStalledConnections } from '@parcelway/http/end-stalled-connections';
import { sendError, sendJson, sendOk } from '@parcelway/http/response';
import { listen } from '@parcelway/http/server';
import { AppError, toAppError } from '@parcelway/kernel/app-error';
import { within } from '@parcelway/kernel/within';
import type { Telemetry } from '@parcelway/telemetry/telemetry';

/** The paths that every process serves at its admin port without a token. */
export const adminPaths = ['/livez', '/startupz', '/readyz', '/metrics'] as const;

/** A service that does not respond within this time is not ready. */
const READY_WITHIN_MS = 2000;
const POLL_DRAIN_MS = 10;

const urlOf = (host: string, port: number): string => {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
};

/** Where an admin server listens. */
export interface AdminAddress {
  readonly host: string;
  readonly port: number;
  /** Names by which it may be called, beside its host, IP addresses and `localhost`. */
  readonly allowedHosts?: readonly string[];
}

/**
 * Whether a request names a host of ours. A page of another site can point its own name at this address and then read the responses (DNS rebinding); it
 * cannot choose another `Host`. Probes of HTTP/1.0 send none.
 */
function isOurHost(host: string | undefined, names: ReadonlySet<string>): boolean {
  if (host === undefined) return true;
  const name = host.replace(/:\d*$/, '').toLowerCase();
  return names.has(name) || isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0;
}

const MISDIRECTED = JSON.stringify({
  code: '40402',
  message: 'The admin port accepts IP addresses, localhost and the names in ADMIN_ALLOWED_HOSTS. Add this host name there.',
  data: null,
});

/**
 * The admin server of a process. Never public: it speaks plain HTTP.
 *
 * - `/livez`: the event loop runs. Ignores dependencies, because a restart would not repair those.
 * - `/startupz`: the services have started: stores reached and migrated, consumers and schedules running.
 * - `/readyz`: the services can do their work now; not while the process stops or a store is unavailable.
 * - `/metrics`: Prometheus' text format.
 */
export class AdminServer {
  readonly #telemetry: Telemetry;
  readonly #server: Server;
  readonly #services = new Map<ServiceName, () => Promise<void>>();
  #state: 'starting' | 'started' | 'stopping' = 'starting';
  #mounted: RequestListener | undefined;
  #inFlight = 0;
  #url = '';

  private constructor(telemetry: Telemetry, { host, allowedHosts = [] }: AdminAddress) {
    this.#telemetry = telemetry;
    const names = new Set(['localhost', host, ...allowedHosts].map((name) => name.toLowerCase()));
    this.#server = createServer({ keepAliveTimeout: 75_000, headersTimeout: 20_000, requestTimeout: 120_000 }, (req, res) => {
      if (!isOurHost(req.headers.host, names)) return sendJson(res, 421, MISDIRECTED);
      const [path] = (req.url ?? '').split('?');
      // `/healthz` is the older name of the same check.
      if (path === '/livez' || path === '/healthz') sendOk(res, { alive: true });
      else if (path === '/startupz') this.#respond(res, () => this.#assertStarted());
      else if (path === '/readyz') this.#respond(res, () => this.#assertReady());
      else if (path === '/metrics') this.#expose(res);
      else this.#passToListener(req, res);
    });
    endStalledConnections(this.#server);
  }

  /**
   * Opens the admin server of a process, before anything that the process waits for.
   * @throws Error naming address and port when that is taken or not allowed
   */
  static async open(address: AdminAddress, telemetry: Telemetry): Promise<AdminServer> {
    const opened = new AdminServer(telemetry, address);
    opened.#url = urlOf(address.host, await listen(opened.#server, address.host, address.port, 'ADMIN_PORT'));
    return opened;
  }

  /** Such as `http://127.0.0.1:39002`. */
  get url(): string {
    return this.#url;
  }

  /** Serves every other path with a listener, the admin API. Without one the response is 404. */
  mount(listener: RequestListener): void {
    this.#mounted = listener;
  }

  /** A service of the process, and whether it can do its work: resolves, or rejects with the reason. */
  watch(service: ServiceName, ready: () => Promise<void>): void {
    this.#services.set(service, ready);
    void this.#record(service, ready);
    this.#telemetry.readWhenExposed(service, 'readiness', () => this.#record(service, ready));
  }

  /** All services have started. */
  started(): void {
    if (this.#state !== 'starting') return;
    this.#state = 'started';
    this.#recordAll();
  }

  /** The process stops: it is not ready any more. */
  stopping(): void {
    this.#state = 'stopping';
    this.#recordAll();
  }

  /** Refuses new admin requests and waits up to `deadlineMs` for running ones. Probes still respond. */
  async drain(deadlineMs: number): Promise<void> {
    this.#mounted = (_req, res) => sendError(res, AppError.unavailable('The process is shutting down'));
    const end = performance.now() + deadlineMs;
    while (this.#inFlight > 0 && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, POLL_DRAIN_MS));
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  #passToListener(req: Parameters<RequestListener>[0], res: ServerResponse): void {
    const listener = this.#mounted;
    if (listener === undefined) {
      sendError(res, new AppError('40402', `The admin server of this process serves ${adminPaths.join(', ')}`));
      return;
    }
    this.#inFlight += 1;
    res.once('close', () => {
      this.#inFlight -= 1;
    });
    listener(req as never, res as never);
  }

  #respond(res: ServerResponse, check: () => Promise<void>): void {
    check().then(
      () => sendOk(res, { ready: true }),
      (error: unknown) => sendError(res, error),
    );
  }

  async #assertStarted(): Promise<void> {
    if (this.#state === 'starting') throw AppError.unavailable('The process is starting: it waits for its stores or for their migration');
  }

  async #assertReady(): Promise<void> {
    await this.#assertStarted();
    if (this.#state === 'stopping') throw AppError.unavailable('The process is shutting down');
    await Promise.all([...this.#services].map(([service, ready]) => this.#assertServiceReady(service, ready)));
  }

  async #assertServiceReady(service: ServiceName, ready: () => Promise<void>): Promise<void> {
    try {
      await within(READY_WITHIN_MS, ready(), () => AppError.unavailable(`no response within ${READY_WITHIN_MS} ms`));
    } catch (cause) {
      throw AppError.unavailable(`The ${service} service is not ready: ${toAppError(cause).message}`, cause);
    }
  }

  /** Records a change at once: readings of the last seconds are not repeated. */
  #recordAll(): void {
    for (const [service, ready] of this.#services) void this.#record(service, ready);
  }

  /** Never rejects. */
  async #record(service: ServiceName, ready: () => Promise<void>): Promise<void> {
    const canServe =
      this.#state === 'started' &&
      (await this.#assertServiceReady(service, ready).then(
        () => true,
        () => false,
      ));
    // The process may have begun to stop during the check.
    const isReady = canServe && this.#state === 'started';
    this.#telemetry.of(service).metrics.set('parcelway_ready', {}, isReady ? 1 : 0);
  }

  #expose(res: ServerResponse): void {
    this.#telemetry.expose().then(
      ({ contentType, text }) => {
        res.writeHead(200, { 'Content-Type': contentType, 'Content-Length': Buffer.byteLength(text) });
        res.end(text);
      },
      (error: unknown) => sendError(res, error),
    );
  }
}
