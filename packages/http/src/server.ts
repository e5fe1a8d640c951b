import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Server as NetServer } from 'node:net';
import { AppError } from '@parcelway/kernel/app-error';
import { type Logger, silentLogger } from '@parcelway/kernel/logger';
import { noTelemetry, type ServiceTelemetry } from '@parcelway/telemetry/telemetry';
import type { Express, Request, Response } from 'express';
import { presetPrototypes } from './app-prototypes.ts';
import { ClientLimits } from './client-limits.ts';
import { endStalledConnections, READ_STALL_MS } from './end-stalled-connections.ts';
import { followRequest } from './follow-request.ts';
import { sendError, sendOk } from './response.ts';

/** The clients of a service are other services, the gateway before all: it ends clients that do not read, and so has to be the first. */
const SERVICE_STALL_MS = 2 * READ_STALL_MS;

/** Responds to `/readyz` and `/healthz` without a principal: a load balancer has none. */
function respondToProbe(res: ServerResponse, ready: () => Promise<void>): void {
  ready().then(
    () => sendOk(res, { ready: true }),
    (cause) => sendError(res, AppError.unavailable('The service is not ready', cause)),
  );
}

/**
 * A plain HTTP server for a service behind the gateway.
 * @param ready resolves when the service can do its work; called by `GET /readyz`
 * @param telemetry records every request except those
 */
export function createServiceServer(
  app: Express,
  ready: () => Promise<void>,
  telemetry: ServiceTelemetry = noTelemetry,
  logger: Logger = silentLogger,
): Server {
  const server = createServer(presetPrototypes(app) as object, (req, res) => {
    if (req.url === '/readyz') return respondToProbe(res, ready);
    if (req.url === '/healthz') return sendOk(res, { alive: true });
    followRequest(telemetry, req, res);
    app(req as Request, res as Response);
  });
  server.keepAliveTimeout = 75_000;
  server.headersTimeout = 20_000;
  server.requestTimeout = 120_000;
  const limits = new ClientLimits(logger, telemetry);
  endStalledConnections(server, { afterMs: SERVICE_STALL_MS, onEnded: (address) => limits.reached('read_stall', address) });
  return server;
}

/**
 * Listens, and resolves with the port once it does.
 * @param setting the variable that chooses the port, for the message when it is taken
 * @throws Error naming address and port when that is taken or not allowed
 */
export function listen(server: NetServer, host: string, port: number, setting?: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException): void => {
      const how = setting === undefined ? '' : ` with ${setting}`;
      const hint = error.code === 'EADDRINUSE' ? `: another program listens there. Stop it, or choose another port${how}` : '';
      reject(new Error(`Cannot listen on ${host}:${port} (${error.code ?? error.message})${hint}`, { cause: error }));
    };
    server.once('error', onError);
    server.listen(port, host, () => {
      server.off('error', onError);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

/**
 * Stops accepting, lets running requests finish, and closes what still runs after `deadlineMs`.
 * Keep-alive connections are closed as they become idle.
 */
export async function drainServer(server: Server, deadlineMs: number): Promise<void> {
  await new Promise<void>((resolve) => {
    const sweep = setInterval(() => server.closeIdleConnections(), 50);
    const deadline = setTimeout(() => server.closeAllConnections(), deadlineMs);
    server.close(() => {
      clearInterval(sweep);
      clearTimeout(deadline);
      resolve();
    });
    server.closeIdleConnections();
  });
}
