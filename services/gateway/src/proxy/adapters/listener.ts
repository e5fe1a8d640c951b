import { createServer as createHttpServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { AppPrototypes } from '@parcelway/http/app-prototypes';
import { isDiscarding } from '@parcelway/http/discard-body';
import { AppError } from '@parcelway/kernel/app-error';
import type { ArrivalTimeouts } from '../domain/arrival-timeouts.ts';
import { newRequestId } from '../domain/request-id.ts';
import type { TlsMaterial } from './certificate.ts';
import { markContinueExpected } from './proxy.ts';

/** First byte of a TLS handshake record (RFC 8446, 5.1). */
const TLS_HANDSHAKE = 0x16;
/** A connection that has not said a byte, or not finished its handshake, after this is closed. */
const FIRST_BYTE_MS = 10_000;
/** After a refusal a connection is kept this long for the client to read it. */
const LINGER_MS = 2000;
/** Unfinished requests are looked for this often. */
const CHECK_EVERY_MS = 2000;
/** Longer than load balancers keep a connection idle, so that they close it and not the gateway under a request. */
const KEEP_ALIVE_MS = 75_000;
const MAX_HEADER_BYTES = 16 * 1024;

/** What holds for every connection. */
export function connectionLimits(timeouts: ArrivalTimeouts) {
  return {
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: timeouts.headersMs,
    requestTimeout: timeouts.requestMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionsCheckingInterval: Math.min(CHECK_EVERY_MS, timeouts.headersMs),
    // The proxy responds to a missing Host itself, in the envelope.
    requireHostHeader: false,
    noDelay: true,
  };
}

/** A whole response as bytes, for connections on which no request could be understood. */
function rawResponse(error: AppError): string {
  const body = JSON.stringify({ code: error.code, message: error.message, data: error.data });
  return [
    `HTTP/1.1 ${error.httpStatus} Refused`,
    `X-Request-Id: ${newRequestId()}`,
    'X-Content-Type-Options: nosniff',
    'Cache-Control: no-store',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}

/** What to say to a connection whose bytes are no request. */
function refusalOf(code: string | undefined): AppError {
  if (code === 'HPE_HEADER_OVERFLOW') return new AppError('41301', `The headers are larger than ${MAX_HEADER_BYTES} bytes`);
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new AppError('40001', 'The request did not arrive in time');
  return new AppError('40001', 'The request is not well-formed HTTP');
}

/** Says a last word and closes, leaving the client time to read it: closing with unread bytes would reset the connection. */
function respondAndClose(socket: Socket, error: AppError): void {
  const close = (): void => {
    socket.destroy();
  };
  // Both ends of patience: a client that never closes its side, and one that goes on sending.
  const timer = setTimeout(close, LINGER_MS);
  socket.on('close', () => clearTimeout(timer));
  socket.on('error', close);
  socket.on('end', close);
  socket.resume();
  socket.end(rawResponse(error));
}

type HttpSocket = Socket & { readonly _httpMessage?: ServerResponse | null };

/**
 * Refuses what could not be understood, in its turn: a request before it that came whole gets its own response first, and not
 * this one, which would show its sender that it was refused.
 */
function refuseInTurn(socket: HttpSocket, error: AppError): void {
  const response = socket._httpMessage;
  if (!socket.writable) socket.destroy();
  else if (response?.req.complete) response.once('finish', () => setImmediate(() => refuseInTurn(socket, error)));
  else if (response?.headersSent === true) socket.destroy();
  else respondAndClose(socket, error);
}

function respondToBrokenRequests(server: Server): void {
  const closing = new WeakSet<Socket>();
  server.on('clientError', (error: NodeJS.ErrnoException, socket: HttpSocket) => {
    // What still arrives on a broken connection is broken too.
    if (closing.has(socket)) return;
    closing.add(socket);
    // Browsers open connections before they need them: what is said on such a one could be taken for the response to a request that is on its way.
    const isUnused = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && socket.bytesRead === 0;
    // One that is being thrown away has had its response.
    if (error.code === 'ECONNRESET' || isUnused || isDiscarding(socket)) socket.destroy();
    else refuseInTurn(socket, refusalOf(error.code));
  });
}

function serve(server: Server, listener: RequestListener): Server {
  // Their size is limited. Node would drop those beyond the 2000th without a word: a second Host or key among them too.
  server.maxHeadersCount = 0;
  server.on('request', listener);
  server.on('checkContinue', (req: IncomingMessage, res: ServerResponse) => {
    markContinueExpected(req);
    listener(req, res);
  });
  server.on('checkExpectation', listener);
  respondToBrokenRequests(server);
  return server;
}

/** A server for use behind a proxy that ends TLS: HTTP in the clear. */
export function createClearServer(prototypes: AppPrototypes, listener: RequestListener, timeouts: ArrivalTimeouts): Server {
  return serve(createHttpServer({ ...connectionLimits(timeouts), ...(prototypes as object) }), listener);
}

/** Reads the first byte of a connection, puts it back, and reports whether it begins a TLS handshake. */
function sniff(socket: Socket, decide: (secure: boolean) => void): void {
  const close = (): void => {
    socket.destroy();
  };
  socket.setTimeout(FIRST_BYTE_MS, close);
  socket.on('error', close);
  socket.on('end', close);
  socket.once('data', (first: Buffer) => {
    socket.pause();
    socket.setTimeout(0);
    socket.off('timeout', close).off('error', close).off('end', close);
    const secure = first[0] === TLS_HANDSHAKE;
    if (secure) socket.unshift(first);
    decide(secure);
  });
}

/**
 * An HTTPS server that also understands a client which speaks plain HTTP to it: the first byte of each connection shows which,
 * and plain HTTP gets 40002 instead of a dropped connection.
 */
export function createTlsServer(
  material: TlsMaterial,
  prototypes: AppPrototypes,
  listener: RequestListener,
  timeouts: ArrivalTimeouts,
): Server {
  const server = createHttpsServer({
    ...connectionLimits(timeouts),
    ...(prototypes as object),
    cert: material.cert,
    key: material.key,
    minVersion: 'TLSv1.2',
    ALPNProtocols: ['http/1.1'],
    handshakeTimeout: FIRST_BYTE_MS,
    sessionTimeout: 3600,
  });
  const [startTls] = server.listeners('connection') as Array<(socket: Socket) => void>;
  if (startTls === undefined) throw new Error('The TLS server has no connection listener');
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    sniff(socket, (secure) => (secure ? startTls.call(server, socket) : respondAndClose(socket, new AppError('40002'))));
  });
  server.on('tlsClientError', (_error, socket) => socket.destroy());
  return serve(server as unknown as Server, listener);
}
