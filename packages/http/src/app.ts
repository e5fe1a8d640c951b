import type { IncomingMessage } from 'node:http';
import type { Principal } from '@parcelway/contracts/principal';
import { AppError } from '@parcelway/kernel/app-error';
import type { Logger } from '@parcelway/kernel/logger';
import express, { type ErrorRequestHandler, type Express, type Request, type RequestHandler, type Response, Router } from 'express';
import { discardBody } from './discard-body.ts';
import { traceIdOfRequest } from './follow-request.ts';
import { PRINCIPAL_HEADER, type PrincipalVerifier } from './principal-token.ts';
import { durableResponses, REQUEST_ID_HEADER, sendError } from './response.ts';

/** What a service's HTTP edge is made of. */
export interface ServiceAppOptions {
  readonly logger: Logger;
  readonly verifier: PrincipalVerifier;
  /** Adds the service's routes. Every request reaching them carries a verified principal. */
  readonly routes: (router: Router) => void;
  /** Resolves once all that was written is on the disk, as a success must not say more. Default: at once. @throws AppError 50301 */
  readonly settled?: () => Promise<void>;
}

/** The app of a service: an Express app, served by createServiceServer. */
export type ServiceApp = Express;

const principals = new WeakMap<IncomingMessage, Principal>();

/** Sets the caller of a request. The service then needs no token. */
export function attachPrincipal(req: IncomingMessage, principal: Principal): void {
  principals.set(req, principal);
}

/** The verified caller of a request. */
export function principalOf(req: IncomingMessage): Principal {
  const principal = principals.get(req);
  if (!principal) throw new AppError('50000', 'No principal was established for this request');
  return principal;
}

/** The tenant on whose behalf the request is made. @throws AppError 40301 for any other kind of caller */
export function tenantOf(req: IncomingMessage): string {
  const { kind, tenantId } = principalOf(req);
  if (kind !== 'tenant' || tenantId === null) throw new AppError('40301', 'This endpoint needs the key of a tenant');
  return tenantId;
}

/** The warehouse that makes the request. @throws AppError 40301 for any other kind of caller */
export function warehouseOf(req: IncomingMessage): string {
  const { kind, warehouseCode } = principalOf(req);
  if (kind !== 'warehouse' || warehouseCode === null) throw new AppError('40301', 'This endpoint needs the key of a warehouse');
  return warehouseCode;
}

/** Middleware that refuses a caller without a warehouse's key (40301); in front of the one that reads the body. */
export const warehouseOnly: RequestHandler = (req, _res, next) => {
  warehouseOf(req);
  next();
};

/** Refuses callers other than the platform's own services. @throws AppError 40301 */
export function assertSystem(req: IncomingMessage): void {
  if (principalOf(req).kind !== 'system') throw new AppError('40301', 'This endpoint is internal');
}

/** The id of a request: given by the gateway. Empty when there is none. */
export function requestIdOf(req: IncomingMessage): string {
  const value = req.headers[REQUEST_ID_HEADER];
  return typeof value === 'string' ? value : '';
}

/** Errors that Express and the parsers raise themselves, in terms of the catalogue. */
function translate(error: unknown): unknown {
  const status = (error as { status?: unknown } | null)?.status;
  return error instanceof URIError || status === 400 ? new AppError('40402', 'The path is not well-formed', { cause: error }) : error;
}

function causeOf({ cause }: AppError): string | undefined {
  return cause instanceof Error ? cause.message : undefined;
}

/** Logs a failure of the platform, of a request or of a part of it; refusals are not logged. @param details what names the part */
export function logFailure(logger: Logger, req: Request, failure: AppError, details: object = {}): void {
  const line = { request_id: requestIdOf(req), trace_id: traceIdOfRequest(req), code: failure.code, ...details };
  // 503 says that a dependency is out, which passes and is no defect; the stack would only show who noticed it.
  if (failure.httpStatus === 503) logger.warn({ ...line, reason: failure.message, cause: causeOf(failure) }, 'temporarily unavailable');
  else if (failure.httpStatus >= 500) logger.error({ ...line, err: failure.cause ?? failure }, 'request failed');
}

/** Renders failures as the envelope; defects are logged with their cause, refusals are not. */
function errorHandler(logger: Logger): ErrorRequestHandler {
  // Express recognises an error handler by its four parameters.
  return (error: unknown, req: Request, res: Response, _next): void => {
    if (req.destroyed && !req.complete && res.destroyed) return;
    const failure = sendError(res, error instanceof AppError ? error : translate(error));
    discardBody(req);
    logFailure(logger, req, failure);
  };
}

function authenticate(verifier: PrincipalVerifier): RequestHandler {
  return (req, res, next) => {
    const requestId = requestIdOf(req);
    if (requestId !== '') res.setHeader('X-Request-Id', requestId);
    if (!principals.has(req)) {
      const token = req.headers[PRINCIPAL_HEADER];
      principals.set(req, verifier.verify(typeof token === 'string' ? token : undefined));
    }
    next();
  };
}

/** An Express app that responds in the envelope, also to paths that none of the handlers responds to. */
export function createApp(logger: Logger, handlers: readonly RequestHandler[]): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  for (const handler of handlers) app.use(handler);
  app.use(() => {
    throw new AppError('40402');
  });
  app.use(errorHandler(logger));
  return app;
}

/**
 * The Express app of a service behind the gateway: verified principal, routes, envelope. It does not listen; serve it
 * with createServiceServer.
 */
export function createServiceApp({ logger, verifier, routes, settled }: ServiceAppOptions): ServiceApp {
  const router = Router({ caseSensitive: true, strict: true });
  routes(router);
  return createApp(logger, [authenticate(verifier), ...(settled ? [durableResponses(settled)] : []), router]);
}
