import { createServer, IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Express } from 'express';

/** Constructors for a server that serves one Express app. */
export interface AppPrototypes {
  readonly IncomingMessage: typeof IncomingMessage;
  readonly ServerResponse: typeof ServerResponse;
}

/**
 * Request and response classes whose instances already have the prototypes that Express would set on each of them.
 * Express calls Object.setPrototypeOf per request, which costs more than all the rest it does; on these objects the
 * call changes nothing and is free.
 */
export function presetPrototypes(app: Express): AppPrototypes {
  class AppRequest extends IncomingMessage {}
  class AppResponse extends ServerResponse {}
  Object.setPrototypeOf(AppRequest.prototype, app.request);
  Object.setPrototypeOf(AppResponse.prototype, app.response);
  app.request = AppRequest.prototype as unknown as typeof app.request;
  app.response = AppResponse.prototype as unknown as typeof app.response;
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse } as AppPrototypes;
}

/** A plain HTTP server for a service behind the gateway. */
export function createServiceServer(app: Express): Server {
  const server = createServer(presetPrototypes(app) as object, app);
  server.keepAliveTimeout = 75_000;
  server.headersTimeout = 20_000;
  server.requestTimeout = 120_000;
  return server;
}

/**
 * Listens, and resolves with the port once it does.
 * @throws Error naming address and port when that is taken or not allowed
 */
export function listen(server: Pick<Server, 'listen' | 'address' | 'once' | 'off'>, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException): void =>
      reject(new Error(`Cannot listen on ${host}:${port} (${error.code ?? error.message})`, { cause: error }));
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
