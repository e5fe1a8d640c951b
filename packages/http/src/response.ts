import type { ServerResponse } from 'node:http';
import { type Deprecation, deprecatedInputOf, deprecationHeaders, hasField } from '@parcelway/contracts/deprecation';
import { routes } from '@parcelway/contracts/routes';
import type { Warning } from '@parcelway/contracts/warnings';
import { type AppError, toAppError } from '@parcelway/kernel/app-error';
import type { Request, RequestHandler } from 'express';
import { queryWarnings } from './ignored-input.ts';

/** Header that names a request in every response and every log line. */
export const REQUEST_ID_HEADER = 'x-request-id';

/** What is looked at of a route of the contract. */
interface Input {
  readonly method: string;
  readonly path: string;
  readonly query?: unknown;
  readonly body?: unknown;
  readonly deprecated?: Deprecation;
}

/**
 * Adds the headers of a deprecation to the response when the request has used a deprecated parameter or field. A route that is
 * deprecated itself is left to the gateway, which says so of every response.
 * @param routes those of the contract; what they hold is looked through once, so that a request of any other route costs a look-up at most
 */
export function deprecatedInput(routes: readonly Input[]): (res: ServerResponse) => void {
  const byRoute = new Map(
    routes
      .filter((route) => route.deprecated === undefined)
      .map((route) => [`${route.method} ${route.path.replaceAll(/\{(\w+)\}/g, ':$1')}`, deprecatedInputOf(route)] as const)
      .filter(([, { query, body }]) => query.length + body.length > 0),
  );
  if (byRoute.size === 0) return () => undefined;
  return (res) => {
    const req = res.req as Request;
    const input = byRoute.get(`${req.method} ${(req.route as { readonly path?: string } | undefined)?.path}`);
    const used =
      input?.query.find(({ path }) => hasField(req.query, path)) ?? input?.body.find(({ path }) => hasField(req.body as unknown, path));
    if (used === undefined) return;
    const headers = deprecationHeaders(used.deprecation);
    for (let index = 0; index < headers.length; index += 2) res.setHeader(headers[index] as string, headers[index + 1] as string);
  };
}

const addDeprecation = deprecatedInput(routes);

/** Extra parts of a success response. */
export interface ResponseOptions {
  /** HTTP status; default 200. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** False when the same request may come to more later: it is not recorded for its idempotency key. Default true. */
  readonly isFinal?: boolean;
}

/** Keeps what a request comes to before its client learns of it. */
export interface ResponseRecorder {
  /** Resolves, once the success is recorded, with the response to send. */
  success(status: number, body: string): Promise<{ readonly status: number; readonly body: string }>;
  /** Resolves when a failure, or a success that is not final, may be sent. Never rejects. */
  failure(): Promise<void>;
}

const recorders = new WeakMap<ServerResponse, ResponseRecorder>();
const settling = new WeakMap<ServerResponse, () => Promise<void>>();
const failures = new WeakMap<ServerResponse, AppError>();

/** From now on the response waits for the recorder. */
export function recordResponse(res: ServerResponse, recorder: ResponseRecorder): void {
  recorders.set(res, recorder);
}

/**
 * Middleware: a success of a request that may write waits until what it may say is on the disk. A repeat may find what the first attempt has written and
 * nobody has brought there yet.
 * @param settled resolves once all commits are on the disk @throws AppError 50301
 */
export function durableResponses(settled: () => Promise<void>): RequestHandler {
  return (req, res, next) => {
    if (req.method !== 'GET' && req.method !== 'HEAD') settling.set(res, settled);
    next();
  };
}

/** The recorder of a response, for one call of it. */
function takeRecorder(res: ServerResponse): ResponseRecorder | undefined {
  const recorder = recorders.get(res);
  if (recorder !== undefined) recorders.delete(res);
  return recorder;
}

/** Writes a JSON text as the whole response. Give one that many responses have in common as bytes: they share it then. */
export function sendJson(res: ServerResponse, status: number, body: string | Buffer): void {
  res.statusCode = status;
  res.setHeader('Content-Type', 'application/json; charset=utf-8');
  res.setHeader('Content-Length', Buffer.byteLength(body));
  res.end(body);
}

/** `data` with further warnings after its own, such as those for the body. */
function withWarnings(data: { readonly warnings?: readonly Warning[] }, further: readonly Warning[]): object {
  return { ...data, warnings: [...(data.warnings ?? []), ...further] };
}

/**
 * Responds with success in the envelope: `code` "0", `message` "success", `data` (specification, General conventions).
 * @param data unknown query parameters are added to its `warnings`; without any it is sent as is
 */
export function sendOk(res: ServerResponse, data: object, options: ResponseOptions = {}): void {
  for (const [name, value] of Object.entries(options.headers ?? {})) res.setHeader(name, value);
  addDeprecation(res);
  const status = options.status ?? 200;
  const ignored = queryWarnings(res.req);
  const warned = ignored.length === 0 ? data : withWarnings(data, ignored);
  const body = `{"code":"0","message":"success","data":${JSON.stringify(warned)}}`;
  const [recorder, settled] = [takeRecorder(res), settling.get(res)];
  if (recorder === undefined && settled === undefined) {
    sendJson(res, status, body);
    return;
  }
  const plain = { status, body };
  const send = async (): Promise<void> => {
    if (options.isFinal === false) await recorder?.failure();
    const said = options.isFinal === false ? plain : ((await recorder?.success(status, body)) ?? plain);
    await settled?.();
    sendJson(res, said.status, said.body);
  };
  send().catch((error: unknown) => void sendError(res, error));
}

/** Responds with a failure in the envelope. Anything but an AppError becomes 50000 without its text. */
export function sendError(res: ServerResponse, error: unknown): AppError {
  const failure = toAppError(error);
  failures.set(res, failure);
  const recorder = takeRecorder(res);
  if (recorder === undefined) writeFailure(res, failure);
  else
    recorder
      .failure()
      .then(() => writeFailure(res, failure))
      // Without a response, the client sees the connection end.
      .catch(() => res.destroy());
  return failure;
}

/** The failure that a response says; undefined when it says none. */
export function failureOf(res: ServerResponse): AppError | undefined {
  return failures.get(res);
}

/** Sends an error response. Closes the connection if a response has begun. */
export function writeFailure(res: ServerResponse, failure: AppError): void {
  if (res.headersSent) {
    res.destroy();
    return;
  }
  for (const [name, value] of Object.entries(failure.headers)) res.setHeader(name, value);
  const retryAfter = failure.retryAfterSeconds ?? (failure.httpStatus === 503 ? 1 : undefined);
  if (retryAfter !== undefined) res.setHeader('Retry-After', String(retryAfter));
  sendJson(res, failure.httpStatus, JSON.stringify({ code: failure.code, message: failure.message, data: failure.data }));
}
